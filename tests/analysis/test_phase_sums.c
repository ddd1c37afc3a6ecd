#include "analysis/phase_sums.h"

#include <criterion/criterion.h>

#include "act/base/clock.h"
#include "tests/support/build_interval.h"

static struct run_info info;

/* Slices of 5, 10, 10, 5 and 10 s. */
static void setup(void)
{
	static const struct build_phase phases[] = {
	    {"ramp-up", 5, false}, {"steady", 25, true}, {"pressure", 10, true}};

	build_info(&info, 2, 1);
	build_phases(&info, phases, 3);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(phase_sums, .init = setup, .fini = teardown);

/* In the last 10 s of the second phase, and in the third; both devices there. */
static void slow_twice(struct interval *interval, void *state)
{
	(void)state;
	if (interval->number >= 20)
		build_over(interval_tally(interval, 1, BUILD_READS), 1, 100, 100);
	if (interval->number >= 30)
		build_over(interval_tally(interval, 0, BUILD_READS), 0, 80, 80);
}

Test(phase_sums, sums_are_those_of_the_whole_phase)
{
	struct judge *judge = build_judge(&info, 40, slow_twice, NULL);
	const struct result *result =
	    judge_finish(judge, &(struct run_end){.reason = END_COMPLETED});
	const struct phase_result *ramp = &result->phases[0];
	const struct phase_result *steady = &result->phases[1];
	const struct phase_result *pressure = &result->phases[2];

	cr_expect_eq(ramp->all.streams[BUILD_READS].completed, 2 * 5 * BUILD_PLANNED);
	cr_expect_eq(ramp->measured_ns, 5 * NS_PER_SEC);
	cr_expect_eq(steady->all.streams[BUILD_READS].completed, 2 * 25 * BUILD_PLANNED);
	cr_expect_eq(steady->all.streams[BUILD_READS].sampled, 2 * 25 * BUILD_PLANNED);
	cr_expect_eq(steady->all.streams[BUILD_READS].over[1], 10 * 100);
	cr_expect_eq(steady->devices[0].streams[BUILD_READS].over[0], 0);
	cr_expect_eq(steady->devices[1].streams[BUILD_READS].over[0], 10 * 100);
	/* 4 % of 25 s are slow, 10 % of 10 s. */
	cr_expect_lt(steady->devices[1].streams[BUILD_READS].p50_ns[SPAN_RESPONSE], NS_PER_MS);
	cr_expect_geq(steady->devices[1].streams[BUILD_READS].p99_ns[SPAN_RESPONSE], 8 * NS_PER_MS);
	cr_expect_eq(steady->measured_ns, 25 * NS_PER_SEC);
	cr_expect_eq(steady->slice_count, 3);
	cr_expect_eq(steady->first, 1);
	cr_expect_eq(steady->verdict, VERDICT_FAIL);
	cr_expect_eq(steady->devices[0].verdict, VERDICT_PASS);
	cr_expect_eq(steady->devices[1].verdict, VERDICT_FAIL);
	cr_expect_eq(pressure->devices[0].verdict, VERDICT_FAIL);
	cr_expect_eq(pressure->devices[0].streams[BUILD_READS].over[0], 10 * 80);
	cr_expect_eq(result->total.streams[BUILD_READS].completed, 2 * 40 * BUILD_PLANNED);
	cr_expect_not(steady->partial);
	judge_free(judge);
}

Test(phase_sums, a_log_that_just_stops_names_the_phase)
{
	const struct run_end none = {.reason = END_NONE};
	struct judge *judge = build_judge(&info, 27, NULL, NULL);
	const struct result *result = judge_finish(judge, &none);

	cr_expect_eq(result->exit_status, 5);
	cr_expect_str_eq(result->reason, "the log ends without an end line after 27 s of 40 s, in "
					 "phase 'steady'; 4 of 4 slices PASS");
	cr_expect_not(result->phases[0].partial);
	cr_expect(result->phases[1].partial);
	cr_expect_eq(result->phases[1].measured_ns, 22 * NS_PER_SEC);
	cr_expect_eq(result->phases[2].slice_count, 0);
	judge_free(judge);
}
