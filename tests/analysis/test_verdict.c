#include <criterion/criterion.h>
#include <string.h>

#include "analysis/judge.h"
#include "tests/support/build_interval.h"

Test(verdict, fail_before_invalid_before_pass)
{
	const enum verdict rising[] = {VERDICT_PASS, VERDICT_INVALID, VERDICT_FAIL};

	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++)
			cr_expect_eq(verdict_gravest(rising[a], rising[b]), rising[a > b ? a : b]);
	cr_expect_str_eq(verdict_name(VERDICT_PASS), "PASS");
	cr_expect_str_eq(verdict_name(VERDICT_FAIL), "FAIL");
	cr_expect_str_eq(verdict_name(VERDICT_INVALID), "INVALID");
}

Test(verdict, streams_are_found_by_name)
{
	struct run_info info;

	build_info(&info, 1, 1);
	cr_expect_eq(judge_find_stream(&info, "large-block-reads"), BUILD_LARGE_READS);
	cr_expect_eq(judge_find_stream(&info, "large-block"), BUILD_STREAMS);
	cr_expect(judge_is_judged(&info, BUILD_READS));
	cr_expect_not(judge_is_judged(&info, BUILD_LARGE_READS));
	cr_expect_eq(judge_shown_stream(&info), BUILD_READS);
	strcpy(info.judged[0], "large-block-writes");
	cr_expect_eq(judge_shown_stream(&info), BUILD_LARGE_WRITES);
	info.judged_count = 0;
	cr_expect_eq(judge_shown_stream(&info), 0);
	run_info_release(&info);
}
