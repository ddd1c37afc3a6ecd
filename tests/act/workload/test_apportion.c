#include "act/workload/apportion.h"

#include <criterion/criterion.h>

#include "act/base/random.h"

/* By hand: what is due rounded down, and what is left over to the largest remainders. */
static const struct {
	const char *what;
	uint32_t total;
	struct ratio shares[5];
	uint32_t counts[5];
} cases[] = {
    {"all to one", 10000, {{1, 1}}, {10000}},
    {"even", 10000, {{1, 4}, {3, 4}}, {2500, 7500}},
    /* 3333.33 each: the first of equals */
    {"thirds", 10000, {{1, 3}, {1, 3}, {1, 3}}, {3334, 3333, 3333}},
    /* 6666.67 and 3333.33 */
    {"two thirds", 10000, {{2, 3}, {1, 3}}, {6667, 3333}},
    /* Oracle: 2814.57, 4750.38, 2435.05 */
    {"Oracle", 10000, {{2210, 7852}, {3730, 7852}, {1912, 7852}}, {2815, 4750, 2435}},
    /* virtual desktops: 4977.86, 2083.49, 1311.83, 1626.82: up the first, the third, the fourth */
    {"desktops",
     10000,
     {{3935, 7905}, {1647, 7905}, {1037, 7905}, {1286, 7905}},
     {4978, 2083, 1312, 1627}},
    {"a share of nothing", 10, {{0, 1}, {1, 1}}, {0, 10}},
    {"nothing of shares", 0, {{1, 2}, {1, 2}}, {0, 0}},
    /* 0.5 each */
    {"too few", 1, {{1, 2}, {1, 2}}, {1, 0}},
};

Test(apportion, by_the_largest_remainders)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t counts[5] = {0};
		size_t count = 0;

		while (count < 5 && cases[i].shares[count].den)
			count++;
		apportion(cases[i].total, cases[i].shares, count, counts);
		for (size_t j = 0; j < count; j++)
			cr_expect_eq(counts[j], cases[i].counts[j], "%s, %zu: %u", cases[i].what, j,
				     counts[j]);
	}
}

/* Whatever the shares: the whole, and nobody more than one from what is due. */
Test(apportion, keeps_the_whole)
{
	struct random random;

	random_init(&random, 3, 0);
	for (int i = 0; i < 2000; i++) {
		struct ratio shares[APPORTION_MAX];
		uint32_t counts[APPORTION_MAX];
		uint64_t weights[APPORTION_MAX];
		size_t count = 1 + random_below(&random, APPORTION_MAX);
		uint64_t sum = 0;
		uint32_t given = 0;

		for (size_t j = 0; j < count; j++)
			sum += weights[j] = 1 + random_below(&random, i < 1000 ? 10 : 1000000007);
		for (size_t j = 0; j < count; j++)
			shares[j] = ratio_make(weights[j], sum);
		apportion(10000, shares, count, counts);
		for (size_t j = 0; j < count; j++) {
			double due = 10000 * ratio_to_double(shares[j]);

			cr_assert(counts[j] > due - 1 && counts[j] < due + 1, "%u of %g", counts[j],
				  due);
			given += counts[j];
		}
		cr_assert_eq(given, 10000);
	}
}

Test(apportion, parts_are_rounded_to_the_nearest)
{
	cr_expect_eq(apportion_part(10000, ratio_make(4, 5)), 8000);
	cr_expect_eq(apportion_part(10000, ratio_make(1, 3)), 3333);
	cr_expect_eq(apportion_part(10000, ratio_make(2, 3)), 6667);
	cr_expect_eq(apportion_part(10000, ratio_make(0, 1)), 0);
	cr_expect_eq(apportion_part(10000, ratio_make(1, 1)), 10000);
	cr_expect_eq(apportion_part(1, ratio_make(1, 2)), 1);
	cr_expect_eq(apportion_part(UINT32_MAX, ratio_make(UINT64_MAX - 1, UINT64_MAX)),
		     UINT32_MAX);
}
