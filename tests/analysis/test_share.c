#include "analysis/share.h"

#include <criterion/criterion.h>

static int sign(int value)
{
	return (value > 0) - (value < 0);
}

Test(share, compares_with_a_limit_exactly)
{
	static const struct {
		uint64_t part, whole;
		struct ratio limit;
		int want;
	} cases[] = {
	    {4999, 100000, {1, 20}, -1},
	    {5000, 100000, {1, 20}, 0},
	    {5001, 100000, {1, 20}, 1},
	    {0, 0, {1, 20}, 0},
	    {0, 10, {0, 1}, 0},
	    {1, 10, {0, 1}, 1},
	    {UINT64_MAX, UINT64_MAX, {1, 1}, 0},
	    {UINT64_MAX - 1, UINT64_MAX, {UINT64_MAX - 1, UINT64_MAX}, 0},
	    {UINT64_MAX - 2, UINT64_MAX, {UINT64_MAX - 1, UINT64_MAX}, -1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(sign(share_compare(cases[i].part, cases[i].whole, cases[i].limit)),
			     cases[i].want, "case %zu", i);
}

Test(share, orders_excesses_exactly)
{
	const struct ratio huge = {UINT64_MAX - 1, UINT64_MAX};
	const struct {
		struct excess a, b;
		int want;
	} cases[] = {
	    {share_excess(1, 10, (struct ratio){1, 20}), share_excess(2, 10, (struct ratio){1, 10}),
	     0},
	    {share_excess(1, 3, (struct ratio){1, 1}),
	     share_excess(333, 1000, (struct ratio){1, 1}), 1},
	    {share_excess(2, 3, (struct ratio){1, 1}),
	     share_excess(667, 1000, (struct ratio){1, 1}), -1},
	    {share_excess(0, 0, (struct ratio){1, 20}), share_excess(0, 5, (struct ratio){0, 1}),
	     0},
	    {share_excess(1, 5, (struct ratio){0, 1}), share_excess(5, 5, (struct ratio){1, 1000}),
	     1},
	    {share_excess(1, 5, (struct ratio){0, 1}), share_excess(2, 5, (struct ratio){0, 1}), 0},
	    {share_excess(UINT64_MAX, UINT64_MAX - 1, huge),
	     share_excess(UINT64_MAX - 1, UINT64_MAX - 2, huge), -1},
	    {share_excess(0, 7, huge), share_excess(1, UINT64_MAX, huge), -1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cr_expect_eq(sign(excess_compare(cases[i].a, cases[i].b)), cases[i].want,
			     "case %zu", i);
		cr_expect_eq(sign(excess_compare(cases[i].b, cases[i].a)), -cases[i].want,
			     "case %zu reversed", i);
	}
}
