#include "analysis/summary.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/support/build_interval.h"

static struct tally *tally;

static void setup(void)
{
	tally = calloc(1, sizeof(*tally));
	build_total(tally, 0);
}

static void teardown(void)
{
	free(tally);
}

TestSuite(summary, .init = setup, .fini = teardown);

static const size_t same[] = {0, 1, 2};

Test(summary, missed_is_divided_between_device_and_host)
{
	static const struct {
		uint64_t planned, issued, before, after;
		uint64_t by_device, by_host;
	} cases[] = {
	    {100, 100, 0, 0, 0, 0},  {100, 90, 0, 10, 10, 0},  {100, 90, 0, 4, 4, 6},
	    {100, 90, 0, 30, 10, 0}, {100, 90, 20, 10, 0, 10}, {100, 90, 20, 25, 5, 5},
	    {100, 120, 20, 0, 0, 0}, {100, 120, 0, 5, 0, 0},
	};
	struct summary summary;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tally->planned = cases[i].planned;
		tally->issued = cases[i].issued;
		tally->backlog_device = cases[i].after;
		summary_take(&summary, tally, cases[i].before, same, 3);
		cr_expect_eq(summary.missed_device, cases[i].by_device, "case %zu", i);
		cr_expect_eq(summary.missed_host, cases[i].by_host, "case %zu", i);
	}
}

Test(summary, what_was_verified_is_taken_over)
{
	struct summary summary;

	tally->errors = 5;
	tally->verified_sectors = 30;
	tally->mismatches = 4;
	tally->torn = 2;
	tally->mismatch_offset_bytes = 1536;
	summary_take(&summary, tally, 0, same, 3);
	cr_expect_eq(summary.verified_sectors, 30);
	cr_expect_eq(summary.mismatches, 4);
	cr_expect_eq(summary.torn, 2);
	cr_expect_eq(summary.mismatch_offset_bytes, 1536);
	/* A log can say anything. */
	tally->mismatches = 6;
	summary_take(&summary, tally, 0, same, 3);
	cr_expect_eq(summary.mismatches, 5);
}

Test(summary, errors_are_over_all_thresholds)
{
	struct summary summary;

	build_total(tally, 1000);
	build_over(tally, 1, 30, 20);
	tally->errors = 7;
	summary_take(&summary, tally, 0, same, 3);
	cr_expect_eq(summary_total(&summary), 1007);
	cr_expect_eq(summary.over[0], 37);
	cr_expect_eq(summary.over[1], 37);
	cr_expect_eq(summary.over[2], 7);
	cr_expect_eq(summary.device_over[1], 27);
	cr_expect_eq(summary.service_over[1], 27);
}

Test(summary, thresholds_are_taken_by_their_index)
{
	static const size_t last[] = {2};
	struct summary summary;

	build_total(tally, 1000);
	build_over(tally, 1, 30, 20);
	summary_take(&summary, tally, 0, last, 1);
	cr_expect_eq(summary.over[0], 0);
	summary_take(&summary, tally, 0, &same[1], 1);
	cr_expect_eq(summary.over[0], 30);
}

Test(summary, percentiles_are_capped_by_the_exact_maximum)
{
	struct summary summary;

	build_total(tally, 1000);
	/* as the log's reader leaves it: the payload knows no maximum */
	tally->span[SPAN_RESPONSE].max_ns = HISTOGRAM_MAX_NS;
	summary_take(&summary, tally, 0, same, 3);
	cr_expect_eq(summary.p50_ns[SPAN_RESPONSE], 100000);
	cr_expect_eq(summary.p999_ns[SPAN_RESPONSE], 100000);
	cr_expect_eq(summary.max_ns[SPAN_RESPONSE], 100000);
	cr_expect_eq(summary.sampled, 1000);
}

Test(summary, without_histograms_only_counts_and_maxima_remain)
{
	struct summary summary;

	build_total(tally, 1000);
	for (int span = 0; span < SPAN_COUNT; span++)
		histogram_init(&tally->span[span]);
	summary_take(&summary, tally, 0, same, 3);
	cr_expect_eq(summary.completed, 1000);
	cr_expect_eq(summary.sampled, 0);
	cr_expect_eq(summary.p50_ns[SPAN_RESPONSE], 0);
	cr_expect_eq(summary.p999_ns[SPAN_RESPONSE], 0);
	cr_expect_eq(summary.max_ns[SPAN_RESPONSE], 100000);
}
