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
	char text[512];

	build_interval(&interval, 2, 12);
	build_over(interval_tally(&interval, 1, BUILD_READS), 1, 20, 20);
	interval_tally(&interval, 0, BUILD_READS)->planned += 500;
	cr_expect_str_eq(progress_interval(text, sizeof(text), &info, &interval, judge),
			 "00:00:13, 00:00:17 left  2000/2500/s  p50 0.100 p99 0.100 p99.9 8.000 "
			 "max 8.000 ms  %>1ms 3.00");
	interval_release(&interval);
	judge_free(judge);
}

Test(progress, phases_are_named)
{
	static const struct build_phase phases[] = {{"ramp-up", 5, false}, {"10MB/s", 10, true}};
	struct judge *judge;
	struct interval interval;
	char text[512];

	build_phases(&info, phases, 2);
	info.phases[0].per_sec[BUILD_READS].num = 0; /* another is shown then */
	info.streams[BUILD_READS].criteria[0] = (struct info_criterion){1000000, {1, 2}};
	info.streams[BUILD_READS].criterion_count = 1;
	judge = build_judge(&info, 15, slow, NULL);

	const struct result *result = judge_peek(judge);

	cr_expect_str_eq(progress_slice(text, sizeof(text), &info, result->slices[0]),
			 "slice 1/2  'ramp-up' not judged  large-block-reads 2000/s, 100.00 %  "
			 "%>1ms 0.00  %>8ms 0.00  %>64ms 0.00  p99 0.100 max 0.100 ms");
	cr_expect_str_eq(progress_slice(text, sizeof(text), &info, result->slices[1]),
			 "slice 2/2  '10MB/s' PASS  reads 2000/s, 100.00 %  %>1ms 1.50  "
			 "%>8ms 0.00  %>64ms 0.00  p99 1.000 max 1.000 ms");
	build_interval(&interval, 2, 12);
	cr_expect(strstr(progress_interval(text, sizeof(text), &info, &interval, judge),
			 "00:00:02 left  '10MB/s'  2000/2000/s  p50"),
		  "%s", text);
	interval_release(&interval);
	judge_free(judge);
}

Test(progress, text_never_leaves_its_buffer)
{
	struct judge *judge = build_judge(&info, 20, slow, NULL);
	const struct slice *slice = judge_peek(judge)->slices[1];
	struct interval interval;
	char text[128];

	build_interval(&interval, 2, 12);
	for (size_t size = 1; size < 120; size++) {
		memset(text, '#', sizeof(text));
		progress_slice(text, size, &info, slice);
		cr_expect_lt(strlen(text), size);
		cr_expect_eq(text[size], '#');
		memset(text, '#', sizeof(text));
		progress_interval(text, size, &info, &interval, judge);
		cr_expect_lt(strlen(text), size);
		cr_expect_eq(text[size], '#');
	}
	interval_release(&interval);
	judge_free(judge);
}
