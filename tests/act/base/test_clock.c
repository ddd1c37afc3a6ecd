#include "act/base/clock.h"

#include <criterion/criterion.h>
#include <time.h>

static uint64_t system_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * NS_PER_SEC + (uint64_t)now.tv_nsec;
}

Test(clock, real_clock_is_the_monotonic_one)
{
	uint64_t before = system_ns(CLOCK_MONOTONIC);
	uint64_t now = clock_now(clock_real());
	uint64_t after = system_ns(CLOCK_MONOTONIC);

	cr_expect(before <= now && now <= after);
}

Test(clock, boot_clock_goes_on_during_suspend)
{
	uint64_t before = system_ns(CLOCK_BOOTTIME);
	uint64_t now = clock_boot(clock_real());
	uint64_t after = system_ns(CLOCK_BOOTTIME);

	cr_expect(before <= now && now <= after);
}

static uint64_t fake_now(void *state)
{
	return (*(uint64_t *)state)++;
}

static uint64_t fake_boot(void *state)
{
	return *(uint64_t *)state + 100;
}

Test(clock, a_fake_one_can_take_its_place)
{
	uint64_t time = 7;
	struct clock clock = {.now_ns = fake_now, .boot_ns = fake_boot, .state = &time};

	cr_expect_eq(clock_now(&clock), 7);
	cr_expect_eq(clock_now(&clock), 8);
	cr_expect_eq(clock_boot(&clock), 109);
}
