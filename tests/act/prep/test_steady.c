#include "act/prep/steady.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* Limits are included: one byte per second beyond them decides. */
static const struct row {
	const char *what;
	uint64_t rounds[LABEL_ROUNDS];
	bool steady;
} rows[] = {
    {"all alike", {1000, 1000, 1000, 1000, 1000}, true},
    {"nothing moved", {0, 0, 0, 0, 0}, false},
    {"noise, no trend", {1000, 1080, 960, 1040, 1000}, true},
    /* Average 1000, range 200. */
    {"range at its limit", {1000, 900, 1100, 1000, 1000}, true},
    {"range above its limit", {1000, 899, 1101, 1000, 1000}, false},
    {"one slow round", {1000, 1000, 700, 1000, 1000}, false},
    {"one fast round", {1000, 1000, 1300, 1000, 1000}, false},
    /* A line: it changes by what the ends differ. */
    {"rising at the limit", {950, 975, 1000, 1025, 1050}, true},
    {"falling at the limit", {1050, 1025, 1000, 975, 950}, true},
    {"rising by a little more", {949, 975, 1000, 1025, 1050}, false},
    {"falling by a little more", {1050, 1025, 1000, 975, 949}, false},
    {"rising within the range", {910, 950, 1000, 1050, 1090}, false},
    {"falling as after filling", {2000, 1500, 1200, 1100, 1050}, false},
    {"large",
     {UINT64_MAX >> 9, UINT64_MAX >> 9, UINT64_MAX >> 9, UINT64_MAX >> 9, UINT64_MAX >> 9},
     true},
    {"stopped in between", {1000, 0, 1000, 1000, 1000}, false},
};

Test(steady, rule)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect(eq(int, steady_judge(rows[i].rounds, NULL), rows[i].steady), "%s",
			  rows[i].what);
}

/* By hand: average 1000; the fitted slope is (-2*950 - 1000 + 1010 + 2*1060) / 10 = 23 a
 * round, 92 over four. */
Test(steady, figures)
{
	static const uint64_t rounds[] = {950, 1000, 980, 1010, 1060};
	struct steady_figures figures;

	cr_expect(steady_judge(rounds, &figures));
	cr_expect(eq(u64, figures.average, 1000));
	cr_expect(eq(u64, figures.range, 110));
	cr_expect(eq(i64, figures.slope, 92));
	cr_expect(ieee_ulp_eq(dbl, figures.range_pct, 11.0, 4));
	cr_expect(ieee_ulp_eq(dbl, figures.slope_pct, 9.2, 4));
}

Test(steady, figures_of_nothing)
{
	static const uint64_t rounds[LABEL_ROUNDS] = {0};
	struct steady_figures figures;

	cr_expect(not(steady_judge(rounds, &figures)));
	cr_expect(eq(u64, figures.average, 0));
	cr_expect(ieee_ulp_eq(dbl, figures.range_pct, 0.0, 0));
}
