#include "analysis/run_verdict.h"

#include <criterion/criterion.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/build_interval.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct run_info info;

static void setup(void)
{
	build_info(&info, 2, 3);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(run_verdict, .init = setup, .fini = teardown);

/* How a run without any fault in its slices ends. */
Test(run_verdict, the_end_decides)
{
	static const struct {
		struct run_end end;
		uint64_t intervals;
		enum verdict verdict;
		enum verdict device_a;
		int exit_status;
		const char *text;
	} cases[] = {
	    {{.reason = END_COMPLETED}, 30, VERDICT_PASS, VERDICT_PASS, 0, "3 slices"},
	    {{.reason = END_COMPLETED}, 29, VERDICT_INVALID, VERDICT_INVALID, 5, "1 s at the end"},
	    {{.reason = END_COMPLETED}, 0, VERDICT_INVALID, VERDICT_INVALID, 5, "lost interval"},
	    {{.reason = END_NONE},
	     12,
	     VERDICT_INVALID,
	     VERDICT_INVALID,
	     5,
	     "the log ends without an end line after 12 s of 30 s; 2 of 2 slices PASS"},
	    {{.reason = END_NONE}, 0, VERDICT_INVALID, VERDICT_INVALID, 5, "the log ends"},
	    {{.reason = END_SIGNAL, .signal = 2, .at_ns = 25 * NS_PER_SEC},
	     25,
	     VERDICT_INVALID,
	     VERDICT_INVALID,
	     130,
	     "stopped by signal 2 (Interrupt) after 25 s of 30 s; 3 of 3 slices PASS"},
	    {{.reason = END_SIGNAL, .signal = 15, .at_ns = NS_PER_SEC},
	     0,
	     VERDICT_INVALID,
	     VERDICT_INVALID,
	     143,
	     "stopped by signal 15 (Terminated)"},
	    {{.reason = END_DEVICE_LOST, .device = 1, .at_ns = 12 * NS_PER_SEC},
	     12,
	     VERDICT_FAIL,
	     VERDICT_INVALID,
	     4,
	     "device /dev/b lost: it kept a request, or failed all, for the hang limit, "
	     "after 12 s of 30 s"},
	    {{.reason = END_DEVICE_LOST, .device = 0, .at_ns = 12 * NS_PER_SEC},
	     12,
	     VERDICT_FAIL,
	     VERDICT_FAIL,
	     4,
	     "device /dev/a lost"},
	    {{.reason = END_DEVICE_CHANGED, .device = 1, .at_ns = 30 * NS_PER_SEC},
	     30,
	     VERDICT_FAIL,
	     VERDICT_INVALID,
	     4,
	     "device /dev/b changed: it is gone, or another one is under its name, after 30 s of "
	     "30 s"},
	    {{.reason = END_MAX_LAG, .device = 0, .at_ns = 12 * NS_PER_SEC},
	     12,
	     VERDICT_INVALID,
	     VERDICT_INVALID,
	     5,
	     "this host does not issue the load in time"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct judge *judge = build_judge(&info, cases[i].intervals, NULL, NULL);
		const struct result *result = judge_finish(judge, &cases[i].end);

		cr_expect_eq(result->verdict, cases[i].verdict, "case %zu", i);
		cr_expect_eq(result->device_totals[0].verdict, cases[i].device_a, "case %zu", i);
		cr_expect_eq(result->exit_status, cases[i].exit_status, "case %zu: %d", i,
			     result->exit_status);
		cr_expect(strstr(result->reason, cases[i].text) != NULL, "case %zu: %s", i,
			  result->reason);
		judge_free(judge);
	}
}

/* At the end something is due on device 0, waiting for whom? */
struct behind {
	uint64_t backlog_device, backlog_host;
	uint64_t slow; /* requests over the first threshold by fault of the device */
	bool saturated;
};

static void fall_behind(struct interval *interval, void *state)
{
	const struct behind *behind = state;
	struct tally *tally = interval_tally(interval, 0, BUILD_READS);

	build_over(tally, 0, behind->slow, behind->slow);
	tally->backlog_device = behind->backlog_device;
	tally->backlog_host = behind->backlog_host;
	if (behind->saturated)
		interval->cpu_idle_ticks = 0;
}

Test(run_verdict, max_lag_is_blamed_by_what_is_due)
{
	static const struct {
		struct behind behind;
		enum verdict verdict;
	} cases[] = {
	    {{100, 0, 0, false}, VERDICT_FAIL},      {{100, 99, 0, false}, VERDICT_FAIL},
	    {{100, 100, 0, false}, VERDICT_INVALID}, {{0, 100, 0, false}, VERDICT_INVALID},
	    {{0, 100, 60, false}, VERDICT_FAIL},     {{0, 100, 50, false}, VERDICT_INVALID},
	    {{100, 0, 60, true}, VERDICT_INVALID},
	};
	const struct run_end end = {.reason = END_MAX_LAG, .at_ns = 5 * NS_PER_SEC};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct behind behind = cases[i].behind;
		struct judge *judge = build_judge(&info, 5, fall_behind, &behind);

		cr_expect_eq(judge_finish(judge, &end)->verdict, cases[i].verdict, "case %zu", i);
		judge_free(judge);
	}
}

/* Reads over the first threshold in each interval of each slice. */
struct slow_slices {
	uint64_t over[3];
	size_t criterion[3];
	uint64_t errors[3];
	bool late[3];
};

static void slow_down(struct interval *interval, void *state)
{
	const struct slow_slices *slow = state;
	size_t slice = interval->number / BUILD_SLICE_INTERVALS;

	build_over(interval_tally(interval, 1, BUILD_READS), slow->criterion[slice],
		   slow->over[slice], slow->over[slice]);
	interval_tally(interval, 0, BUILD_LARGE_WRITES)->errors = slow->errors[slice];
	interval->late = slow->late[slice];
}

Test(run_verdict, the_worst_slice)
{
	static const struct {
		struct slow_slices slow;
		bool stress;
		size_t worst;
	} cases[] = {
	    {{.over = {0, 0, 0}}, false, 0},
	    {{.over = {10, 20, 15}}, false, 1},
	    {{.over = {20, 20, 15}}, false, 0},
	    /* 8 of 1000 over 8 ms are 0.8 times the limit, 30 over 1 ms 0.6 times */
	    {{.over = {30, 30, 8}, .criterion = {0, 0, 1}}, false, 2},
	    {{.over = {30, 30, 8}, .criterion = {0, 0, 1}}, true, 0},
	    {{.over = {0, 50, 0}, .late = {false, false, true}}, false, 2},
	    {{.over = {51, 0, 0}, .late = {false, false, true}}, false, 0},
	    {{.over = {60, 0, 70}}, false, 2},
	    /* errors, of whatever stream, are worse than any latency */
	    {{.over = {60, 0, 70}, .errors = {0, 1, 0}}, false, 1},
	    {{.over = {60, 0, 70}, .errors = {1, 1, 0}}, false, 0},
	};
	const struct run_end end = {.reason = END_COMPLETED};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct slow_slices slow = cases[i].slow;

		info.stress = cases[i].stress;

		struct judge *judge = build_judge(&info, 30, slow_down, &slow);

		cr_expect_eq(judge_finish(judge, &end)->worst, cases[i].worst, "case %zu", i);
		judge_free(judge);
	}
}

Test(run_verdict, a_pass_says_what_came_nearest_to_a_limit)
{
	struct slow_slices slow = {.over = {40, 8, 0}, .criterion = {0, 1, 0}};
	const struct run_end end = {.reason = END_COMPLETED};
	struct judge *judge = build_judge(&info, 30, slow_down, &slow);

	cr_expect_str_eq(judge_finish(judge, &end)->reason,
			 "3 slices with the whole load, all latency limits kept, no errors; "
			 "nearest to a limit: 4.00 % of reads over 1 ms (limit 5 %) on /dev/b");
	judge_free(judge);

	info.stress = true;
	judge = build_judge(&info, 30, slow_down, &slow);
	cr_expect_str_eq(judge_finish(judge, &end)->reason,
			 "3 slices with the whole load, no errors "
			 "(stress: latency limits do not decide)");
	judge_free(judge);
}
