#include "analysis/sums.h"

#include <criterion/criterion.h>

#include "tests/support/build_interval.h"

static const size_t same[] = {0, 1, 2};

static struct run_info info;
static struct interval interval;
static struct sums sums;

static void setup(void)
{
	build_info(&info, 2, 1);
	build_interval(&interval, 2, 0);
	cr_assert_eq(sums_init(&sums, &info, same), 0);
}

static void teardown(void)
{
	sums_release(&sums);
	interval_release(&interval);
	run_info_release(&info);
}

TestSuite(sums, .init = setup, .fini = teardown);

Test(sums, intervals_and_devices_add_up)
{
	struct summary summary;

	build_over(interval_tally(&interval, 1, BUILD_READS), 0, 7, 5);
	sums_add(&sums, &interval);
	sums_add(&sums, &interval);
	sums_take_device(&sums, 0, BUILD_READS, &summary);
	cr_expect_eq(summary.completed, 2 * BUILD_PLANNED);
	cr_expect_eq(summary.over[0], 0);
	sums_take_device(&sums, 1, BUILD_READS, &summary);
	cr_expect_eq(summary.over[0], 14);
	cr_expect_eq(summary.device_over[0], 10);
	cr_expect_eq(summary.max_ns[SPAN_RESPONSE], 1000000);
	sums_take_all(&sums, BUILD_READS, &summary);
	cr_expect_eq(summary.completed, 4 * BUILD_PLANNED);
	cr_expect_eq(summary.sampled, 4 * BUILD_PLANNED);
	cr_expect_eq(summary.over[0], 14);
	sums_restart(&sums);
	sums_take_all(&sums, BUILD_READS, &summary);
	cr_expect_eq(summary.completed, 0);
	cr_expect_eq(summary.sampled, 0);
}

Test(sums, a_backlog_is_that_of_the_last_interval)
{
	struct tally *tally = interval_tally(&interval, 0, BUILD_READS);
	struct summary summary;

	tally->backlog_device = 30;
	tally->issued -= 30;
	sums_add(&sums, &interval);
	tally->issued += 30;
	sums_add(&sums, &interval);
	sums_take_device(&sums, 0, BUILD_READS, &summary);
	cr_expect_eq(summary.missed_device, 30);
	sums_take_all(&sums, BUILD_READS, &summary);
	cr_expect_eq(summary.missed_device, 30);

	/* what was due before is not held up anew */
	sums_restart(&sums);
	tally->issued -= 10;
	tally->backlog_device = 34;
	sums_add(&sums, &interval);
	sums_take_device(&sums, 0, BUILD_READS, &summary);
	cr_expect_eq(summary.missed_device, 4);
	cr_expect_eq(summary.missed_host, 6);
}
