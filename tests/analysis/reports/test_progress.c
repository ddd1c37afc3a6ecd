#include "analysis/reports/progress.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/build_interval.h"

static struct run_info info;

static void setup(void)
{
	build_info(&info, 2, 3);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(progress, .init = setup, .fini = teardown);

static void slow(struct interval *interval, void *state)
{
	(void)state;
	if (interval->number >= 10)
		build_over(interval_tally(interval, 0, BUILD_READS), 0, 60, 60);
}

Test(progress, a_slice_has_its_verdict_and_why)
{
	struct judge *judge = build_judge(&info, 20, slow, NULL);
	const struct result *result = judge_peek(judge);
	char text[512];

	cr_expect_str_eq(progress_slice(text, sizeof(text), &info, result->slices[0]),
			 "slice 1/3 PASS  reads 2000/s, 100.00 %  %>1ms 0.00  %>8ms 0.00  "
			 "%>64ms 0.00  p99 0.100 max 0.100 ms");
	cr_expect_str_eq(progress_slice(text, sizeof(text), &info, result->slices[1]),
			 "slice 2/3 FAIL  reads 2000/s, 100.00 %  %>1ms 3.00  %>8ms 0.00  "
			 "%>64ms 0.00  p99 1.000 max 1.000 ms: "
			 "/dev/a: reads: 6.00 % over 1 ms, limit 5 %");
	judge_free(judge);
}

Test(progress, an_interval_has_time_rate_and_latency)
{
	struct judge *judge = build_judge(&info, 13, slow, NULL);
	struct interval interval;
	struct summary current;
	char text[512];

	build_interval(&interval, 2, 12);
	build_over(interval_tally(&interval, 1, BUILD_READS), 1, 20, 20);
	interval_tally(&interval, 0, BUILD_READS)->planned += 500;
	judge_current(judge, BUILD_READS, &current);
	cr_expect_str_eq(progress_interval(text, sizeof(text), &info, &interval, &current),
			 "00:00:13, 00:00:17 left  2000/2500/s  p50 0.100 p99 0.100 p99.9 8.000 "
			 "max 8.000 ms  %>1ms 3.00");
	interval_release(&interval);
	judge_free(judge);
}

Test(progress, text_never_leaves_its_buffer)
{
	struct judge *judge = build_judge(&info, 20, slow, NULL);
	const struct slice *slice = judge_peek(judge)->slices[1];
	struct interval interval;
	struct summary current;
	char text[128];

	build_interval(&interval, 2, 12);
	judge_current(judge, BUILD_READS, &current);
	for (size_t size = 1; size < 120; size++) {
		memset(text, '#', sizeof(text));
		progress_slice(text, size, &info, slice);
		cr_expect_lt(strlen(text), size);
		cr_expect_eq(text[size], '#');
		memset(text, '#', sizeof(text));
		progress_interval(text, size, &info, &interval, &current);
		cr_expect_lt(strlen(text), size);
		cr_expect_eq(text[size], '#');
	}
	interval_release(&interval);
	judge_free(judge);
}
