#include "analysis/slicing.h"

#include <criterion/criterion.h>

#include "act/base/clock.h"
#include "tests/support/build_interval.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct run_info info;

static void setup(void)
{
	static const struct build_phase phases[] = {
	    {"one", 4, true}, {"two", 25, true}, {"three", 1, true}};

	build_info(&info, 1, 1);
	build_phases(&info, phases, COUNT(phases));
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(slicing, .init = setup, .fini = teardown);

struct place_case {
	uint64_t number;
	struct slice_place want;
};

static void expect_places(const struct place_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct slice_place *want = &cases[i].want;
		struct slice_place place;

		slicing_find(&info, cases[i].number, &place);
		cr_expect_eq(place.index, want->index, "case %zu", i);
		cr_expect_eq(place.phase, want->phase, "case %zu", i);
		cr_expect_eq(place.first, want->first, "case %zu", i);
		cr_expect_eq(place.end, want->end, "case %zu", i);
	}
}

Test(slicing, slices_end_with_their_phase)
{
	static const struct place_case cases[] = {
	    {0, {0, 0, 0, 4}},    {3, {0, 0, 0, 4}},    {4, {1, 1, 4, 14}},
	    {13, {1, 1, 4, 14}},  {14, {2, 1, 14, 24}}, {28, {3, 1, 24, 29}},
	    {29, {4, 2, 29, 30}}, {30, {5, 2, 30, 40}}, {40, {6, 2, 40, 50}},
	};

	expect_places(cases, COUNT(cases));
	cr_expect_eq(slicing_count(&info), 5);
}

Test(slicing, the_planned_end_can_lie_within_an_interval)
{
	static const struct place_case cases[] = {{29, {4, 2, 29, 31}}, {30, {4, 2, 29, 31}}};

	info.phases[2].end_ns += NS_PER_SEC / 2;
	info.duration_ns += NS_PER_SEC / 2;
	cr_expect_null(run_info_check(&info));
	expect_places(cases, COUNT(cases));
}

Test(slicing, a_run_without_phases_is_one)
{
	static const struct place_case cases[] = {
	    {9, {0, 0, 0, 10}},
	    {10, {1, 0, 10, 20}},
	    {UINT64_MAX - 6, {(UINT64_MAX - 6) / 10, 0, UINT64_MAX - 15, UINT64_MAX - 5}},
	};

	info.phase_count = 0;
	expect_places(cases, COUNT(cases));
	cr_expect_eq(slicing_count(&info), 3);
	info.phase_count = 3;
}

Test(slicing, moments_are_found_in_their_phase)
{
	cr_expect_eq(slicing_phase_at(&info, 0), 0);
	cr_expect_eq(slicing_phase_at(&info, 4 * NS_PER_SEC - 1), 0);
	cr_expect_eq(slicing_phase_at(&info, 4 * NS_PER_SEC), 1);
	cr_expect_eq(slicing_phase_at(&info, 99 * NS_PER_SEC), 2);
}
