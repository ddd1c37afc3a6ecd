#include "analysis/slice.h"

#include <criterion/criterion.h>

#include "tests/support/build_interval.h"

static struct run_info info;
static struct slice *slice;
static struct reason_list lists[3]; /* all devices, /dev/a, /dev/b */

static void setup(void)
{
	build_info(&info, 2, 1);
	slice = slice_new(2, BUILD_STREAMS);
	cr_assert_not_null(slice);
	for (int i = 0; i < 3; i++)
		lists[i].count = 0;
}

static void teardown(void)
{
	slice_free(slice);
	run_info_release(&info);
}

TestSuite(slice, .init = setup, .fini = teardown);

static void expect_explained(enum verdict verdict, const char *want)
{
	char text[REASON_BYTES];

	cr_assert_eq(slice_set_reasons(slice, lists, 2), 0);
	cr_expect_eq(slice->verdict, verdict);
	slice_explain(&info, slice, text);
	cr_expect_str_eq(text, want);
}

Test(slice, each_judgement_has_its_own_room)
{
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < BUILD_STREAMS; k++)
			slice_judgement(slice, i)->streams[k].planned = i * BUILD_STREAMS + k;
	for (size_t k = 0; k < BUILD_STREAMS; k++) {
		cr_expect_eq(slice->all.streams[k].planned, k);
		cr_expect_eq(slice->devices[0].streams[k].planned, BUILD_STREAMS + k);
		cr_expect_eq(slice->devices[1].streams[k].planned, 2 * BUILD_STREAMS + k);
	}
	slice_free(NULL);
}

Test(slice, without_reasons_it_passes)
{
	expect_explained(VERDICT_PASS, "");
	cr_expect_eq(slice->all.reason_count, 0);
}

Test(slice, a_device_is_named_rather_than_all)
{
	reason_add(&lists[0], VERDICT_FAIL, "slow");
	reason_add(&lists[2], VERDICT_INVALID, "late");
	reason_add(&lists[2], VERDICT_FAIL, "very slow");
	expect_explained(VERDICT_FAIL, "/dev/b: very slow");
	cr_expect_eq(slice->devices[0].verdict, VERDICT_PASS);
	cr_expect_eq(slice->devices[1].verdict, VERDICT_FAIL);
	cr_expect_eq(slice->devices[1].reason_count, 2);
	cr_expect_str_eq(slice->devices[1].reasons[1].text, "late");
}

Test(slice, what_holds_for_all_names_none)
{
	for (int i = 0; i < 3; i++)
		reason_add(&lists[i], VERDICT_INVALID, "clock jump");
	expect_explained(VERDICT_INVALID, "clock jump");
}

Test(slice, reasons_of_devices_alone_count)
{
	reason_add(&lists[1], VERDICT_INVALID, "late");
	expect_explained(VERDICT_INVALID, "/dev/a: late");
	cr_expect_eq(slice->all.verdict, VERDICT_PASS);
	cr_expect_null(judgement_find_reason(&slice->all, VERDICT_INVALID));
}
