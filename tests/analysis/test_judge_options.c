#include "analysis/judge_options.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/build_interval.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct run_info info;

static void setup(void)
{
	build_info(&info, 1, 2);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(judge_options, .init = setup, .fini = teardown);

Test(judge_options, none_is_as_the_run_was_asked)
{
	const struct judge_options options = {0};
	struct run_info applied;
	size_t index[THRESHOLDS_MAX];

	cr_assert_eq(judge_options_apply(&options, &info, &applied, index, NULL), 0);
	cr_expect_eq(applied.slice_ns, info.slice_ns);
	cr_expect_eq(applied.criterion_count, info.criterion_count);
	cr_expect_eq(applied.judged_count, info.judged_count);
	cr_expect_eq(applied.devices, info.devices);
	cr_expect_eq(applied.streams, info.streams);
	for (size_t i = 0; i < info.criterion_count; i++)
		cr_assert_eq(index[i], i);
}

Test(judge_options, thresholds_are_sorted_and_mapped)
{
	struct judge_options options = {0};
	struct run_info applied;
	size_t index[THRESHOLDS_MAX];

	cr_assert_eq(judge_options_add_criterion(&options, "64ms:1%", NULL), 0);
	cr_assert_eq(judge_options_add_criterion(&options, "1ms:0.03%", NULL), 0);
	cr_assert_eq(judge_options_apply(&options, &info, &applied, index, NULL), 0);
	cr_assert_eq(applied.criterion_count, 2);
	cr_assert_eq(applied.criteria[0].threshold_ns, 1000000);
	cr_assert_eq(applied.criteria[0].limit.num, 3);
	cr_assert_eq(applied.criteria[0].limit.den, 10000);
	cr_assert_eq(applied.criteria[1].threshold_ns, 64000000);
	cr_assert_eq(index[0], 0);
	cr_assert_eq(index[1], 2);
}

Test(judge_options, a_threshold_that_was_not_counted_is_refused)
{
	struct judge_options options = {0};
	struct run_info applied;
	size_t index[THRESHOLDS_MAX];
	struct error err;

	cr_assert_eq(judge_options_add_criterion(&options, "2ms:5%", NULL), 0);
	cr_assert_lt(judge_options_apply(&options, &info, &applied, index, &err), 0);
	cr_assert_eq(err.status, EXIT_USAGE);
	cr_assert(strstr(err.text, "2ms"), "%s", err.text);
	cr_assert(strstr(err.text, "1ms, 8ms, 64ms"), "%s", err.text);
}

Test(judge_options, an_unknown_stream_is_refused)
{
	struct judge_options options = {0};
	struct run_info applied;
	size_t index[THRESHOLDS_MAX];
	struct error err;

	cr_assert_eq(judge_options_add_judged(&options, "writes", NULL), 0);
	cr_assert_lt(judge_options_apply(&options, &info, &applied, index, &err), 0);
	cr_assert_eq(err.status, EXIT_USAGE);
	cr_assert(strstr(err.text, "reads, large-block-reads, large-block-writes"), "%s", err.text);
}

Test(judge_options, slices_are_rounded_up_to_whole_intervals)
{
	static const struct {
		const char *text;
		uint64_t want_ns;
	} cases[] = {
	    {"7s", 7000000000},
	    {"1500ms", 2000000000},
	    {"1ns", 1000000000},
	    {"1h", 3600000000000},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct judge_options options = {0};
		struct run_info applied;
		size_t index[THRESHOLDS_MAX];

		cr_assert_eq(judge_options_set_slice(&options, cases[i].text, NULL), 0);
		cr_assert_eq(judge_options_apply(&options, &info, &applied, index, NULL), 0);
		cr_expect_eq(applied.slice_ns, cases[i].want_ns);
	}
}

Test(judge_options, wrong_arguments_are_refused)
{
	static const char *const slices[] = {"", "0s", "1", "3 x 60", "-1s"};
	static const char *const criteria[] = {"",      "1ms",  "1ms:",     ":5%",
					       "1ms:5", "1:5%", "1ms:5%:1%"};
	struct judge_options options = {0};
	struct error err;

	for (size_t i = 0; i < COUNT(slices); i++) {
		cr_expect_lt(judge_options_set_slice(&options, slices[i], &err), 0);
		cr_expect_eq(err.status, EXIT_USAGE);
	}
	for (size_t i = 0; i < COUNT(criteria); i++)
		cr_expect_lt(judge_options_add_criterion(&options, criteria[i], &err), 0, "%s",
			     criteria[i]);
	cr_expect_eq(options.criterion_count, 0);
	cr_expect_eq(judge_options_add_criterion(&options, "1ms:5%", &err), 0);
	cr_expect_lt(judge_options_add_criterion(&options, "1000us:4%", &err), 0);
	cr_expect_eq(judge_options_add_judged(&options, "reads", &err), 0);
	cr_expect_lt(judge_options_add_judged(&options, "reads", &err), 0);
}

Test(judge_options, at_most_as_many_as_there_is_room_for)
{
	struct judge_options options = {0};
	char text[32];

	for (int i = 1; i <= THRESHOLDS_MAX + 1; i++) {
		snprintf(text, sizeof(text), "%dms:5%%", i);
		cr_expect_eq(judge_options_add_criterion(&options, text, NULL) == 0,
			     i <= THRESHOLDS_MAX);
	}
	for (int i = 1; i <= INFO_JUDGED_MAX + 1; i++) {
		snprintf(text, sizeof(text), "stream-%d", i);
		cr_expect_eq(judge_options_add_judged(&options, text, NULL) == 0,
			     i <= INFO_JUDGED_MAX);
	}
}

Test(judge_options, what_cannot_be_judged_by_is_refused)
{
	const struct judge_options none = {0};
	struct run_info applied;
	size_t index[THRESHOLDS_MAX];

	for (int i = 0; i < 6; i++) {
		struct run_info wrong = info;

		if (i == 0)
			wrong.interval_ns = 0;
		if (i == 1)
			wrong.slice_ns = 0;
		if (i == 2)
			wrong.device_count = 0;
		if (i == 3)
			wrong.criteria[1].limit.den = 0;
		if (i == 4)
			wrong.criteria[1].threshold_ns = wrong.criteria[0].threshold_ns;
		if (i == 5)
			wrong.slice_ns = UINT64_MAX;
		cr_expect_lt(judge_options_apply(&none, &wrong, &applied, index, NULL), 0,
			     "case %d", i);
	}
}
