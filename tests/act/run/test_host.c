#include "act/run/host.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

Test(host, describes_this_machine)
{
	char text[96];
	struct host_ticks ticks;

	host_kernel(text, sizeof(text));
	cr_assert_gt(strlen(text), 0);
	host_name(text, sizeof(text));
	cr_assert_gt(strlen(text), 0);
	host_cpu_model(text, 4); /* cut off, not overrun */
	cr_assert_lt(strlen(text), 4);
	host_cpu_ticks(&ticks);
	cr_assert(ticks.total > 0 && ticks.idle <= ticks.total);
}

Test(host, lists_the_cpus_it_may_use)
{
	uint32_t count = host_cpus();

	cr_assert_gt(count, 0);
	for (uint32_t i = 0; i < count; i++) {
		cr_assert_geq(host_cpu(i), 0);
		cr_assert(i == 0 || host_cpu(i) > host_cpu(i - 1));
	}
	cr_assert_eq(host_cpu(count), -1);
	cr_assert_eq(host_pin_thread(host_cpu(0)), 0);
	cr_assert_eq(host_cpus(), 1);
	cr_assert_lt(host_pin_thread(1000), 0);
}

Test(host, sees_no_helper_threads_where_there_is_no_ring)
{
	cr_assert_eq(host_helper_threads(), 0);
}

Test(host, counts_the_sleeps_of_a_thread)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	uint64_t before = host_thread_sleeps();

	for (int i = 0; i < 5; i++)
		nanosleep(&nap, NULL);
	cr_assert_geq(host_thread_sleeps(), before + 5);
}

Test(host, calibrates_its_waits)
{
	cr_assert_lt(host_calibrate_wait_ns(clock_real()), NS_PER_SEC);
}
