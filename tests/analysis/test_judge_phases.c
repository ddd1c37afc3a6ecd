#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/judge.h"
#include "analysis/judge_options.h"
#include "tests/support/build_interval.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct run_info info;
static const struct run_end completed = {.reason = END_COMPLETED};

/* 5 s without judgement, 25 s, and 10 s: slices of 5, 10, 10, 5 and 10 s. */
static const struct build_phase phases[] = {
    {"ramp-up", 5, false},
    {"steady", 25, true},
    {"pressure", 10, true},
};
#define INTERVALS 40

static void setup(void)
{
	build_info(&info, 2, 1);
	build_phases(&info, phases, COUNT(phases));
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(judge_phases, .init = setup, .fini = teardown);

static const struct reason *first_reason(const struct judgement *judgement)
{
	return judgement->reason_count > 0 ? &judgement->reasons[0] : NULL;
}

Test(judge_phases, slices_begin_anew_with_each_phase)
{
	static const struct {
		uint64_t start_s, duration_s;
		size_t phase;
	} want[] = {{0, 5, 0}, {5, 10, 1}, {15, 10, 1}, {25, 5, 1}, {30, 10, 2}};
	struct judge *judge = build_judge(&info, INTERVALS, NULL, NULL);
	const struct result *result = judge_finish(judge, &completed);

	cr_assert_eq(result->slice_count, COUNT(want));
	for (size_t i = 0; i < COUNT(want); i++) {
		const struct slice *slice = result->slices[i];

		cr_expect_eq(slice->number, i + 1);
		cr_expect_eq(slice->start_ns, want[i].start_s * NS_PER_SEC, "slice %zu", i);
		cr_expect_eq(slice->duration_ns, want[i].duration_s * NS_PER_SEC, "slice %zu", i);
		cr_expect_eq(slice->phase, want[i].phase, "slice %zu", i);
		cr_expect_eq(slice->judged, want[i].phase > 0, "slice %zu", i);
		cr_expect_not(slice->partial, "slice %zu", i);
	}
	cr_expect_eq(result->verdict, VERDICT_PASS, "%s", result->reason);
	cr_expect_eq(result->worst, 1); /* the first that is judged */
	cr_expect_eq(result->phases[1].slice_count, 3);
	cr_expect_eq(result->first_failed_phase, COUNT(phases));
	cr_expect_str_eq(
	    result->reason,
	    "4 slices in 2 phases (1 more was not judged) with the whole load, all latency limits "
	    "kept, no errors; nearest to a limit: 0.00 % of reads over 1 ms (limit 5 %), phase "
	    "'steady'");
	judge_free(judge);
}

/* What happens to one interval. */
struct trouble {
	const char *what;
	uint64_t at; /* interval */
	uint64_t over, errors, missed, overflows;
	int64_t clock_jump_ns;
	bool late, busy;
	enum verdict verdict; /* of the run */
	int exit_status;
};

static void suffer(struct interval *interval, void *state)
{
	const struct trouble *trouble = state;
	struct tally *tally = interval_tally(interval, 0, BUILD_READS);

	if (interval->number != trouble->at)
		return;
	if (trouble->over > 0)
		build_over(tally, 0, trouble->over, trouble->over);
	tally->completed -= trouble->errors;
	tally->errors = trouble->errors;
	tally->issued -= trouble->missed;
	tally->backlog_host = trouble->missed;
	interval->queue_overflows = trouble->overflows;
	interval->clock_jump_ns = trouble->clock_jump_ns;
	interval->late = trouble->late;
	if (trouble->busy)
		interval->cpu_idle_ticks = 0;
}

Test(judge_phases, only_errors_decide_where_nothing_is_judged)
{
	static const struct trouble cases[] = {
	    {"slow", 2, .over = 1000, .verdict = VERDICT_PASS},
	    {"slow, judged", 7, .over = 1000, .verdict = VERDICT_FAIL, .exit_status = 1},
	    {"missed", 2, .missed = 900, .verdict = VERDICT_PASS},
	    {"missed, judged", 7, .missed = 900, .verdict = VERDICT_INVALID, .exit_status = 5},
	    {"clock", 2, .clock_jump_ns = 1 << 30, .verdict = VERDICT_PASS},
	    {"clock, judged", 7, .clock_jump_ns = 1 << 30, .verdict = VERDICT_INVALID,
	     .exit_status = 5},
	    {"overflow", 2, .overflows = 1, .verdict = VERDICT_PASS},
	    {"errors", 2, .errors = 1, .verdict = VERDICT_FAIL, .exit_status = 4},
	    {"late", 2, .late = true, .verdict = VERDICT_INVALID, .exit_status = 5},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct trouble trouble = cases[i];
		struct judge *judge = build_judge(&info, INTERVALS, suffer, &trouble);
		const struct result *result = judge_finish(judge, &completed);

		cr_expect_eq(result->verdict, trouble.verdict, "%s: %s", trouble.what,
			     result->reason);
		cr_expect_eq(result->exit_status, trouble.exit_status, "%s", trouble.what);
		judge_free(judge);
	}
}

Test(judge_phases, a_run_without_a_judged_slice_does_not_pass)
{
	info.phases[1].judged = false;
	info.phases[2].judged = false;

	struct judge *judge = build_judge(&info, INTERVALS, NULL, NULL);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->verdict, VERDICT_INVALID);
	cr_expect(strstr(result->reason, "not one slice was judged"), "%s", result->reason);
	judge_free(judge);
}

/* Feeds all intervals but those from..upto. */
static const struct result *feed_without(uint64_t from, uint64_t upto, uint64_t count,
					 struct judge **ret)
{
	struct interval interval;

	cr_assert_eq(judge_new(&info, ret, NULL), 0);
	build_interval(&interval, 2, 0);
	for (uint64_t i = 0; i < count; i++) {
		build_interval_again(&interval, i);
		if (i < from || i > upto)
			judge_interval(*ret, &interval);
	}
	interval_release(&interval);
	return judge_finish(*ret, &completed);
}

Test(judge_phases, intervals_lost_at_a_border_are_lost_on_both_sides)
{
	struct judge *judge;
	const struct result *result = feed_without(3, 7, INTERVALS, &judge);

	cr_assert_eq(result->slice_count, 5);
	cr_expect_str_eq(first_reason(&result->slices[0]->all)->text,
			 "lost interval: 2 s of measurement are missing");
	cr_expect_str_eq(first_reason(&result->slices[1]->all)->text,
			 "lost interval: 3 s of measurement are missing");
	cr_expect(result->slices[0]->partial && result->slices[1]->partial);
	cr_expect_not(result->slices[2]->partial);
	cr_expect_eq(result->slices[2]->verdict, VERDICT_PASS);
	cr_expect_eq(result->slices[2]->start_ns, 15 * NS_PER_SEC);
	cr_expect_eq(result->verdict, VERDICT_INVALID);
	judge_free(judge);
}

/* The short last slice of a phase, and what is lost behind it. */
Test(judge_phases, a_lost_phase_is_told_in_the_next_one)
{
	struct judge *judge;
	const struct result *result = feed_without(27, 32, INTERVALS, &judge);

	cr_assert_eq(result->slice_count, 5);
	cr_expect_str_eq(first_reason(&result->slices[3]->all)->text,
			 "lost interval: 3 s of measurement are missing");
	cr_expect_str_eq(first_reason(&result->slices[4]->all)->text,
			 "lost interval: 3 s of measurement are missing");
	judge_free(judge);

	result = feed_without(5, 29, INTERVALS, &judge);
	cr_assert_eq(result->slice_count, 2);
	cr_expect_eq(result->slices[0]->verdict, VERDICT_PASS);
	cr_expect_not(result->slices[0]->partial);
	cr_expect_eq(result->slices[1]->number, 5);
	cr_expect_eq(result->slices[1]->phase, 2);
	cr_expect_eq(result->phases[1].slice_count, 0);
	cr_expect_str_eq(first_reason(&result->slices[1]->all)->text,
			 "lost interval: 25 s of measurement are missing");
	cr_expect_eq(result->verdict, VERDICT_INVALID);
	judge_free(judge);
}

Test(judge_phases, a_run_that_is_cut_short_ends_in_a_partial_slice)
{
	struct judge *judge;
	const struct result *result = feed_without(INTERVALS, INTERVALS, 27, &judge);

	cr_assert_eq(result->slice_count, 4);
	cr_expect(result->slices[3]->partial);
	cr_expect_eq(result->slices[3]->intervals, 2);
	cr_expect_eq(result->verdict, VERDICT_INVALID);
	cr_expect(strstr(result->reason, "13 s at the end are missing"), "%s", result->reason);
	judge_free(judge);
}

/* Sets what a log that knows nothing of a stream's rest would hold. */
static void rest(struct interval *interval, void *state)
{
	const struct trouble *trouble = state;

	for (size_t device = 0; device < interval->device_count; device++)
		if (interval->number >= trouble->at && (device == 1 || trouble->missed))
			build_total(interval_tally(interval, device, BUILD_READS), 0);
}

Test(judge_phases, a_stream_that_rests_is_not_missed)
{
	struct trouble pressure = {.at = 30, .missed = 1};
	struct judge *judge = build_judge(&info, INTERVALS, rest, &pressure);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->verdict, VERDICT_INVALID, "%s", result->reason);
	judge_free(judge);
	info.phases[2].per_sec[BUILD_READS] = (struct ratio){0, 1};
	judge = build_judge(&info, INTERVALS, rest, &pressure);
	result = judge_finish(judge, &completed);
	cr_expect_eq(result->verdict, VERDICT_PASS, "%s", result->reason);
	judge_free(judge);
}

Test(judge_phases, a_device_without_the_stream_does_not_miss_it)
{
	struct trouble second = {.at = 0};
	struct judge *judge = build_judge(&info, INTERVALS, rest, &second);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->device_totals[1].verdict, VERDICT_INVALID);
	judge_free(judge);
	info.streams[BUILD_READS].devices = 1;
	judge = build_judge(&info, INTERVALS, rest, &second);
	result = judge_finish(judge, &completed);
	cr_expect_eq(result->device_totals[1].verdict, VERDICT_PASS);
	cr_expect_eq(result->verdict, VERDICT_PASS, "%s", result->reason);
	judge_free(judge);
}

Test(judge_phases, the_first_phase_that_failed_is_told)
{
	struct trouble slow = {.at = 38, .over = 900};
	struct judge *judge = build_judge(&info, INTERVALS, suffer, &slow);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->first_failed_phase, 2);
	cr_expect_str_eq(
	    result->reason,
	    "first to fail: 'pressure' (slice 5, from 00:00:30): /dev/a: reads: 9.00 % over 1 ms, "
	    "limit 5 %; 1 phase before it passed; 1 of 3 phases FAIL");
	judge_free(judge);
}

/* Errors weigh more than where the first limit was broken. */
static void fail_twice(struct interval *interval, void *state)
{
	struct tally *tally = interval_tally(interval, 1, BUILD_READS);

	(void)state;
	if (interval->number == 20)
		build_over(tally, 1, 900, 900);
	if (interval->number == 35) {
		tally->completed--;
		tally->errors = 1;
	}
}

Test(judge_phases, errors_are_told_before_the_first_phase_that_failed)
{
	struct judge *judge = build_judge(&info, INTERVALS, fail_twice, NULL);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->first_failed_phase, 1);
	cr_expect_eq(result->exit_status, 4);
	cr_expect_str_eq(
	    result->reason,
	    "phase 'pressure' (slice 5, from 00:00:30): /dev/b: 1 of 10 000 reads failed; "
	    "first to fail: 'steady'; 2 of 3 phases FAIL");
	judge_free(judge);
}

/* Both devices in the third phase. */
static void slow_at_last(struct interval *interval, void *state)
{
	(void)state;
	if (interval->number >= 30) {
		build_over(interval_tally(interval, 0, BUILD_READS), 0, 80, 80);
		build_over(interval_tally(interval, 1, BUILD_READS), 0, 100, 100);
	}
}

/* The slow one of several readers is named, and that there are more. */
Test(judge_phases, devices_that_failed_are_named_and_counted)
{
	struct trouble one = {.at = 12, .over = 900};
	struct judge *judge = build_judge(&info, INTERVALS, suffer, &one);

	info.streams[BUILD_READS].devices = 1 << 0 | 1 << 1;
	cr_expect(strstr(judge_finish(judge, &completed)->reason,
			 "first to fail: 'steady' (slice 2, from 00:00:05): /dev/a: reads: "),
		  "%s", judge_peek(judge)->reason);
	judge_free(judge);
	info.phases[1].judged = false;
	judge = build_judge(&info, INTERVALS, slow_at_last, NULL);
	cr_expect_str_eq(judge_finish(judge, &completed)->reason,
			 "first to fail: 'pressure' (slice 5, from 00:00:30): /dev/a: reads: "
			 "8.00 % over 1 ms, limit 5 %; 2 of 2 devices FAIL; 1 of 3 phases FAIL");
	judge_free(judge);
}

/* Large-block reads are judged by a limit of their own, reads by those of the run. */
static void own_limit(struct run_info *to)
{
	struct info_stream *stream = &to->streams[BUILD_LARGE_READS];

	stream->criteria[0] = (struct info_criterion){8 * NS_PER_MS, {1, 2}};
	stream->criterion_count = 1;
	strcpy(to->judged[to->judged_count++], "large-block-reads");
}

struct own_case {
	const char *what;
	size_t stream, criterion;
	uint64_t over; /* of 1000 in each interval */
	enum verdict verdict;
	enum verdict again; /* by --threshold 1ms:5% */
};

static void exceed(struct interval *interval, void *state)
{
	const struct own_case *own = state;

	build_over(interval_tally(interval, 0, own->stream), own->criterion, own->over, own->over);
}

Test(judge_phases, streams_are_judged_by_their_own_limits)
{
	static const struct own_case cases[] = {
	    {"no limit at 1 ms", BUILD_LARGE_READS, 0, 1000, VERDICT_PASS, VERDICT_FAIL},
	    {"limit kept", BUILD_LARGE_READS, 1, 500, VERDICT_PASS, VERDICT_FAIL},
	    {"limit broken", BUILD_LARGE_READS, 1, 501, VERDICT_FAIL, VERDICT_FAIL},
	    {"the run's broken", BUILD_READS, 1, 20, VERDICT_FAIL, VERDICT_PASS},
	};
	struct judge_options options = {.criteria = {{1 * NS_PER_MS, {1, 20}}},
					.criterion_count = 1};

	own_limit(&info);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct own_case own = cases[i];
		struct judge *judge = build_judge(&info, INTERVALS, exceed, &own);
		struct interval interval;

		cr_expect_eq(judge_finish(judge, &completed)->verdict, own.verdict, "%s", own.what);
		judge_free(judge);
		cr_assert_eq(judge_new_as(&info, &options, &judge, NULL), 0);
		build_interval(&interval, 2, 0);
		for (uint64_t k = 0; k < INTERVALS; k++) {
			build_interval_again(&interval, k);
			exceed(&interval, &own);
			judge_interval(judge, &interval);
		}
		cr_expect_eq(judge_finish(judge, &completed)->verdict, own.again, "%s", own.what);
		interval_release(&interval);
		judge_free(judge);
	}
}

Test(judge_phases, a_threshold_without_a_limit_decides_nothing)
{
	struct own_case all = {"", BUILD_READS, 0, 1000, VERDICT_PASS, VERDICT_PASS};

	info.criteria[0].limit = (struct ratio){1, 1};

	struct judge *judge = build_judge(&info, INTERVALS, exceed, &all);
	const struct result *result = judge_finish(judge, &completed);

	cr_expect_eq(result->verdict, VERDICT_PASS, "%s", result->reason);
	cr_expect(strstr(result->reason, "over 8 ms (limit 1 %)"), "%s", result->reason);
	judge_free(judge);
}

Test(judge_phases, other_slices_are_cut_within_phases)
{
	static const uint64_t starts_s[] = {0, 5, 12, 19, 26, 30, 37};
	struct judge_options options = {.slice_ns = 7 * NS_PER_SEC};
	struct interval interval;
	struct judge *judge;

	cr_assert_eq(judge_new_as(&info, &options, &judge, NULL), 0);
	build_interval(&interval, 2, 0);
	for (uint64_t i = 0; i < INTERVALS; i++) {
		build_interval_again(&interval, i);
		judge_interval(judge, &interval);
	}

	const struct result *result = judge_finish(judge, &completed);

	cr_assert_eq(result->slice_count, COUNT(starts_s));
	for (size_t i = 0; i < COUNT(starts_s); i++) {
		cr_expect_eq(result->slices[i]->start_ns, starts_s[i] * NS_PER_SEC);
		cr_expect_not(result->slices[i]->partial);
	}
	interval_release(&interval);
	judge_free(judge);
}

Test(judge_phases, what_cannot_be_is_refused)
{
	for (int i = 0; i < 7; i++) {
		struct error err = {0};
		struct judge *judge = NULL;

		run_info_release(&info);
		setup();
		switch (i) {
		case 0:
			info.phases[1].start_ns++;
			break;
		case 1:
			info.phases[1].end_ns = info.phases[2].start_ns = 5 * NS_PER_SEC;
			break;
		case 2:
			info.phases[1].end_ns = info.phases[2].start_ns = 7 * NS_PER_SEC + 1;
			break;
		case 3:
			info.duration_ns += NS_PER_SEC;
			break;
		case 4:
			own_limit(&info);
			info.streams[BUILD_LARGE_READS].criteria[0].threshold_ns++;
			break;
		case 5:
			own_limit(&info);
			info.streams[BUILD_LARGE_READS].criteria[0].limit.den = 0;
			break;
		default:
			own_limit(&info);
			info.streams[BUILD_LARGE_READS].criterion_count = 2;
			break;
		}
		cr_expect_eq(judge_new(&info, &judge, &err), -EINVAL, "case %d", i);
		cr_expect_eq(err.status, EXIT_USAGE, "case %d", i);
	}
}
