#include "analysis/judge.h"

#include <criterion/criterion.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/judge_options.h"
#include "tests/support/build_interval.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct run_info info;
static const struct run_end completed = {.reason = END_COMPLETED};

static void setup(void)
{
	build_info(&info, 2, 3);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(judge, .init = setup, .fini = teardown);

/* What is done to the intervals from..to. */
struct change {
	uint64_t from, to;
	size_t device, stream;
	uint64_t over, device_over; /* of the first threshold, in each */
	uint64_t errors;
	bool late;
};

static void apply(struct interval *interval, void *state)
{
	const struct change *change = state;
	struct tally *tally = interval_tally(interval, change->device, change->stream);

	if (interval->number < change->from || interval->number > change->to)
		return;
	if (change->over > 0)
		build_over(tally, 0, change->over, change->device_over);
	tally->completed -= change->errors;
	tally->errors = change->errors;
	interval->late = change->late;
}

static const struct reason *first_reason(const struct judgement *judgement)
{
	return judgement->reason_count > 0 ? &judgement->reasons[0] : NULL;
}

Test(judge, a_good_run_passes)
{
	struct judge *judge = build_judge(&info, 30, NULL, NULL);
	const struct result *result = judge_finish(judge, &completed);

	cr_assert_eq(result->slice_count, 3);
	cr_expect_eq(result->verdict, VERDICT_PASS);
	cr_expect_eq(result->exit_status, 0);
	cr_expect_eq(result->measured_ns, 30 * NS_PER_SEC);
	cr_expect_eq(result->worst, 0);
	cr_expect_str_eq(result->reason,
			 "3 slices with the whole load, all latency limits kept, no errors; "
			 "nearest to a limit: 0.00 % of reads over 1 ms (limit 5 %)");
	for (size_t i = 0; i < 3; i++) {
		const struct slice *slice = result->slices[i];

		cr_expect_eq(slice->number, i + 1);
		cr_expect_eq(slice->start_ns, i * 10 * NS_PER_SEC);
		cr_expect_eq(slice->duration_ns, 10 * NS_PER_SEC);
		cr_expect_not(slice->partial);
		cr_expect_eq(slice->intervals, 10);
		cr_expect_eq(slice->all.streams[BUILD_READS].completed, 20 * BUILD_PLANNED);
		cr_expect_eq(slice->devices[1].streams[BUILD_READS].completed, 10 * BUILD_PLANNED);
	}
	cr_expect_eq(result->total.streams[BUILD_READS].completed, 60 * BUILD_PLANNED);
	cr_expect_eq(result->device_totals[0].streams[BUILD_READS].planned, 30 * BUILD_PLANNED);
	judge_free(judge);
}

Test(judge, slices_are_returned_when_they_end)
{
	struct interval interval;
	struct judge *judge;

	cr_assert_eq(judge_new(&info, &judge, NULL), 0);
	build_interval(&interval, 2, 0);
	for (uint64_t i = 0; i < 30; i++) {
		build_interval_again(&interval, i);

		const struct slice *slice = judge_interval(judge, &interval);

		cr_expect_eq(slice != NULL, i % 10 == 9, "interval %lu", (unsigned long)i);
		if (slice)
			cr_expect_eq(slice->number, i / 10 + 1);
	}
	interval_release(&interval);
	judge_free(judge);
}

/* The boundary of each threshold, counted over a whole slice of one device. */
Test(judge, limits_are_kept_to_the_request)
{
	static const struct {
		size_t criterion;
		uint64_t per_interval; /* of 1000, on one of two devices */
		uint64_t extra;        /* in the first interval */
		enum verdict verdict;
	} cases[] = {
	    {0, 50, 0, VERDICT_PASS}, {0, 49, 9, VERDICT_PASS}, {0, 50, 1, VERDICT_FAIL},
	    {1, 10, 0, VERDICT_PASS}, {1, 10, 1, VERDICT_FAIL}, {2, 1, 0, VERDICT_PASS},
	    {2, 1, 1, VERDICT_FAIL},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct interval interval;
		struct judge *judge;
		const struct slice *slice = NULL;

		cr_assert_eq(judge_new(&info, &judge, NULL), 0);
		build_interval(&interval, 2, 0);
		for (uint64_t k = 0; k < 10; k++) {
			uint64_t over = cases[i].per_interval + (k ? 0 : cases[i].extra);

			build_interval_again(&interval, k);
			build_over(interval_tally(&interval, 1, BUILD_READS), cases[i].criterion,
				   over, over);
			slice = judge_interval(judge, &interval);
		}
		cr_assert_not_null(slice);
		cr_expect_eq(slice->verdict, cases[i].verdict, "case %zu", i);
		cr_expect_eq(slice->devices[1].verdict, cases[i].verdict, "case %zu", i);
		cr_expect_eq(slice->devices[0].verdict, VERDICT_PASS, "case %zu", i);
		cr_expect_eq(slice->all.verdict, VERDICT_PASS, "case %zu", i);
		interval_release(&interval);
		judge_free(judge);
	}
}

Test(judge, one_device_fails_slice_and_run)
{
	struct change change = {10, 19, 1, BUILD_READS, 60, 60, 0, false};
	struct judge *judge = build_judge(&info, 30, apply, &change);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->verdict, VERDICT_FAIL);
	cr_expect_eq(result->exit_status, 1);
	cr_expect_eq(result->worst, 1);
	cr_expect_eq(result->slices[0]->verdict, VERDICT_PASS);
	cr_expect_eq(result->slices[1]->verdict, VERDICT_FAIL);
	cr_expect_eq(result->device_totals[0].verdict, VERDICT_PASS);
	cr_expect_eq(result->device_totals[1].verdict, VERDICT_FAIL);
	cr_expect_str_eq(result->reason,
			 "slice 2 (from 00:00:10): /dev/b: reads: 6.00 % over 1 ms, limit 5 %; "
			 "1 of 3 slices FAIL");
	judge_free(judge);
}

Test(judge, late_by_this_host_is_invalid)
{
	struct change change = {0, 9, 0, BUILD_READS, 200, 10, 0, false};
	struct judge *judge = build_judge(&info, 30, apply, &change);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->verdict, VERDICT_INVALID);
	cr_expect_eq(result->exit_status, 5);
	cr_expect(strstr(result->reason, "issued late by this host") != NULL, "%s", result->reason);
	judge_free(judge);
}

Test(judge, errors_end_with_the_device_status)
{
	struct change change = {12, 12, 0, BUILD_LARGE_WRITES, 0, 0, 3, false};
	struct judge *judge = build_judge(&info, 30, apply, &change);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->verdict, VERDICT_FAIL);
	cr_expect_eq(result->exit_status, 4);
	cr_expect(strstr(result->reason, "3 of 10 000 large-block-writes failed") != NULL, "%s",
		  result->reason);
	judge_free(judge);
}

Test(judge, a_late_interval_makes_all_of_its_slice_invalid)
{
	struct change change = {25, 25, 0, BUILD_READS, 0, 0, 0, true};
	struct judge *judge = build_judge(&info, 30, apply, &change);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->slices[1]->verdict, VERDICT_PASS);
	cr_expect_eq(result->slices[2]->verdict, VERDICT_INVALID);
	cr_expect_eq(result->slices[2]->devices[1].verdict, VERDICT_INVALID);
	cr_expect_eq(result->verdict, VERDICT_INVALID);
	judge_free(judge);
}

Test(judge, fail_is_graver_than_invalid)
{
	struct change change = {5, 25, 1, BUILD_READS, 900, 900, 0, true};
	struct judge *judge = build_judge(&info, 30, apply, &change);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->verdict, VERDICT_FAIL);
	cr_expect_eq(result->slices[1]->all.reasons[0].verdict, VERDICT_FAIL);
	cr_expect_eq(
	    result->slices[1]->all.reasons[result->slices[1]->all.reason_count - 1].verdict,
	    VERDICT_INVALID);
	judge_free(judge);
}

/* The backlog at the beginning of a slice is that at the end of the one before. */
static void hold_up(struct interval *interval, void *state)
{
	struct tally *tally = interval_tally(interval, 0, BUILD_LARGE_READS);

	(void)state;
	if (interval->number == 9) {
		tally->issued -= 100;
		tally->backlog_device = 100;
	}
	if (interval->number > 9 && interval->number < 15)
		tally->backlog_device = 100;
	if (interval->number == 15)
		tally->issued += 100;
	if (interval->number == 25) {
		tally->issued -= 100;
		tally->backlog_host = 100;
	}
	if (interval->number > 25)
		tally->backlog_host = 100;
}

Test(judge, shortfall_is_blamed_slice_by_slice)
{
	struct judge *judge = build_judge(&info, 30, hold_up, NULL);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->slices[0]->devices[0].verdict, VERDICT_FAIL);
	cr_expect_eq(result->slices[0]->devices[0].streams[BUILD_LARGE_READS].missed_device, 100);
	cr_expect_eq(result->slices[1]->verdict, VERDICT_PASS);
	cr_expect_eq(result->slices[2]->verdict, VERDICT_INVALID);
	cr_expect_eq(result->slices[2]->devices[0].streams[BUILD_LARGE_READS].missed_host, 100);
	cr_expect_eq(result->slices[2]->devices[0].streams[BUILD_LARGE_READS].missed_device, 0);
	cr_expect_eq(result->slices[2]->devices[1].verdict, VERDICT_PASS);
	judge_free(judge);
}

/* Feeds the intervals named, each of them whole. */
static const struct result *feed(const uint64_t *numbers, size_t count, struct judge **ret)
{
	struct interval interval;

	cr_assert_eq(judge_new(&info, ret, NULL), 0);
	build_interval(&interval, 2, 0);
	for (size_t i = 0; i < count; i++) {
		build_interval_again(&interval, numbers[i]);
		judge_interval(*ret, &interval);
	}
	interval_release(&interval);
	return judge_finish(*ret, &completed);
}

static size_t all_but(uint64_t from, uint64_t to, uint64_t numbers[30])
{
	size_t count = 0;

	for (uint64_t i = 0; i < 30; i++)
		if (i < from || i > to)
			numbers[count++] = i;
	return count;
}

Test(judge, missing_intervals_are_lost_where_they_lie)
{
	static const struct {
		uint64_t from, to;
		size_t slices;
		const char *texts[3]; /* of each slice; NULL: PASS */
		uint64_t partial;     /* a bit a slice */
	} cases[] = {
	    {4, 6, 3, {"3 s of measurement", NULL, NULL}, 1},
	    {0, 0, 3, {"1 s of measurement", NULL, NULL}, 1},
	    {9, 9, 3, {"1 s of measurement", NULL, NULL}, 1},
	    {10, 10, 3, {NULL, "1 s of measurement", NULL}, 2},
	    {8, 12, 3, {"2 s of measurement", "3 s of measurement", NULL}, 3},
	    {10, 19, 2, {NULL, "10 s of measurement", NULL}, 0},
	    {5, 24, 2, {"5 s of measurement", "15 s of measurement", NULL}, 3},
	    {0, 9, 2, {"10 s of measurement", NULL, NULL}, 0},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t numbers[30];
		size_t count = all_but(cases[i].from, cases[i].to, numbers);
		struct judge *judge;
		const struct result *result = feed(numbers, count, &judge);

		cr_expect_eq(result->verdict, VERDICT_INVALID, "case %zu", i);
		cr_assert_eq(result->slice_count, cases[i].slices, "case %zu", i);
		for (size_t k = 0; k < cases[i].slices; k++) {
			const struct slice *slice = result->slices[k];
			const struct reason *reason = first_reason(&slice->all);

			cr_expect_eq(reason != NULL, cases[i].texts[k] != NULL, "case %zu", i);
			if (reason && cases[i].texts[k])
				cr_expect(strstr(reason->text, cases[i].texts[k]) != NULL, "%s",
					  reason->text);
			cr_expect_eq(slice->partial, cases[i].partial >> k & 1, "case %zu %zu", i,
				     k);
		}
		judge_free(judge);
	}
}

Test(judge, the_end_must_be_there)
{
	uint64_t numbers[30];
	struct judge *judge;
	const struct result *result = feed(numbers, all_but(20, 29, numbers), &judge);

	cr_expect_eq(result->verdict, VERDICT_INVALID);
	cr_expect(strstr(result->reason, "10 s at the end are missing") != NULL, "%s",
		  result->reason);
	judge_free(judge);
}

Test(judge, times_and_numbers_that_do_not_go_on_are_lost)
{
	static const struct {
		uint64_t number, start_ns, end_ns;
		const char *text; /* NULL: fine */
	} cases[] = {
	    {1, 1 * NS_PER_SEC, 2 * NS_PER_SEC, NULL},
	    {1, 1 * NS_PER_SEC + 1, 2 * NS_PER_SEC, "1 ns of"},
	    {1, 1 * NS_PER_SEC - 1, 2 * NS_PER_SEC, "1 ns of"},
	    {0, 1 * NS_PER_SEC, 2 * NS_PER_SEC, "1 s of"},
	    {3, 1 * NS_PER_SEC, 2 * NS_PER_SEC, "2 s of"},
	    {1, 9 * NS_PER_SEC, 3 * NS_PER_SEC, "8 s of"},
	    {UINT64_MAX, 1 * NS_PER_SEC, 2 * NS_PER_SEC, "lost interval"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct judge *judge = build_judge(&info, 1, NULL, NULL);
		const struct run_end end = {.reason = END_COMPLETED};
		struct interval interval;

		build_interval(&interval, 2, cases[i].number);
		interval.start_ns = cases[i].start_ns;
		interval.end_ns = cases[i].end_ns;
		judge_interval(judge, &interval);
		interval_release(&interval);

		const struct result *result = judge_finish(judge, &end);
		const struct slice *slice = result->slices[result->slice_count - 1];
		const struct reason *reason = first_reason(&slice->all);

		cr_expect_eq(reason != NULL, cases[i].text != NULL, "case %zu", i);
		if (reason && cases[i].text)
			cr_expect(strstr(reason->text, cases[i].text) != NULL, "case %zu: %s", i,
				  reason->text);
		judge_free(judge);
	}
}

Test(judge, a_partial_last_slice_is_judged)
{
	struct change change = {20, 29, 0, BUILD_READS, 500, 500, 0, false};
	struct judge *judge = build_judge(&info, 23, apply, &change);
	const struct run_end end = {
	    .reason = END_SIGNAL, .signal = 15, .at_ns = 22 * NS_PER_SEC + NS_PER_SEC / 2};
	const struct result *result = judge_finish(judge, &end);

	cr_assert_eq(result->slice_count, 3);
	cr_expect(result->slices[2]->partial);
	cr_expect_eq(result->slices[2]->intervals, 3);
	cr_expect_eq(result->slices[2]->verdict, VERDICT_FAIL);
	cr_expect_eq(result->verdict, VERDICT_FAIL);
	cr_expect_eq(result->exit_status, 128 + 15);
	judge_free(judge);
}

Test(judge, odd_slices_are_rounded_and_counted)
{
	struct judge_options options = {0};
	struct interval interval;
	struct judge *judge;

	cr_assert_eq(judge_options_set_slice(&options, "6500ms", NULL), 0);
	cr_assert_eq(judge_options_add_criterion(&options, "8ms:3%", NULL), 0);
	cr_assert_eq(judge_options_add_judged(&options, "large-block-writes", NULL), 0);
	cr_assert_eq(judge_new_as(&info, &options, &judge, NULL), 0);
	build_interval(&interval, 2, 0);
	for (uint64_t i = 0; i < 30; i++) {
		build_interval_again(&interval, i);
		build_over(interval_tally(&interval, 0, BUILD_LARGE_WRITES), 1, i < 7 ? 31 : 30,
			   30);
		build_over(interval_tally(&interval, 0, BUILD_READS), 1, 1000, 1000);
		judge_interval(judge, &interval);
	}
	interval_release(&interval);

	const struct result *result = judge_finish(judge, &completed);

	cr_assert_eq(result->slice_count, 5);
	cr_expect_eq(result->info->slice_ns, 7 * NS_PER_SEC);
	cr_expect_eq(result->info->criterion_count, 1);
	cr_expect_eq(result->slices[0]->devices[0].streams[BUILD_LARGE_WRITES].over[0], 217);
	cr_expect_eq(result->slices[0]->verdict, VERDICT_INVALID);
	cr_expect_eq(result->slices[1]->verdict, VERDICT_PASS);
	cr_expect(result->slices[4]->partial);
	cr_expect_eq(result->slices[4]->intervals, 2);
	judge_free(judge);
}

Test(judge, current_and_peek_show_the_run_under_way)
{
	struct change change = {0, 9, 1, BUILD_READS, 60, 60, 0, false};
	struct judge *judge = build_judge(&info, 13, apply, &change);
	struct summary current;
	const struct result *result = judge_peek(judge);

	cr_expect_not(result->complete);
	cr_expect_eq(result->slice_count, 1);
	cr_expect_eq(result->verdict, VERDICT_FAIL);
	cr_expect_eq(result->exit_status, 1);
	judge_current(judge, BUILD_READS, &current);
	cr_expect_eq(current.completed, 6 * BUILD_PLANNED);
	cr_expect_eq(current.over[0], 0);

	result = judge_finish(judge, &completed);
	cr_expect(result->complete);
	cr_expect_eq(result->slice_count, 2);
	judge_free(judge);
}

Test(judge, a_run_under_way_never_passes)
{
	struct judge *judge = build_judge(&info, 20, NULL, NULL);
	const struct result *result = judge_peek(judge);

	cr_expect_eq(result->verdict, VERDICT_INVALID);
	cr_expect_str_eq(result->reason, "still under way after 20 s of 30 s; 2 of 2 slices PASS");
	judge_free(judge);
	judge = build_judge(&info, 0, NULL, NULL);
	result = judge_peek(judge);
	cr_expect_eq(result->verdict, VERDICT_INVALID);
	cr_expect_eq(result->worst, 0);
	judge_free(judge);
}

static void empty(struct interval *interval, void *state)
{
	(void)state;
	for (size_t i = 0; i < interval->device_count * interval->stream_count; i++)
		for (int span = 0; span < SPAN_COUNT; span++)
			histogram_init(&interval->tallies[i].span[span]);
}

Test(judge, counts_decide_without_histograms)
{
	struct judge *judge = build_judge(&info, 30, empty, NULL);
	const struct result *result = judge_finish(judge, &completed);
	const struct summary *reads = &result->slices[0]->all.streams[BUILD_READS];

	cr_expect_eq(result->verdict, VERDICT_PASS);
	cr_expect_eq(reads->completed, 20 * BUILD_PLANNED);
	cr_expect_eq(reads->sampled, 0);
	cr_expect_eq(reads->p99_ns[SPAN_RESPONSE], 0);
	cr_expect_eq(reads->max_ns[SPAN_RESPONSE], 100000);
	judge_free(judge);
}

Test(judge, a_wrong_info_is_refused)
{
	struct judge *judge = NULL;
	struct error err;

	strcpy(info.judged[0], "nothing");
	cr_expect_lt(judge_new(&info, &judge, &err), 0);
	cr_expect_eq(err.status, EXIT_USAGE);
	cr_expect_null(judge);
}
