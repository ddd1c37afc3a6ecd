#include "act/workload/schedule.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>

#include "act/base/clock.h"

#define DAY_NS (UINT64_C(86400) * NS_PER_SEC)

static struct schedule make(struct schedule_share share)
{
	struct schedule schedule;
	struct error err = {0};

	cr_assert_eq(schedule_init(&schedule, &share, &err), 0, "%s", err.text);
	return schedule;
}

static struct schedule_share uniform(uint64_t num, uint64_t den)
{
	return (struct schedule_share){.per_sec = ratio_make(num, den), .stride = 1};
}

Test(schedule, a_day_at_600000_per_second_is_exact_at_its_last_request)
{
	struct schedule schedule = make(uniform(600000, 1));
	uint64_t count = UINT64_C(600000) * 86400;

	cr_assert_eq(schedule_count_before(&schedule, DAY_NS), count);
	/* The last one is one period, 1666.66... ns, before the end. */
	cr_assert_eq(schedule_start_ns(&schedule, count - 1), DAY_NS - 1667);
	cr_assert_eq(schedule_start_ns(&schedule, count), DAY_NS);
	cr_assert_eq(schedule_start_ns(&schedule, 0), 0);
}

Test(schedule, large_blocks_of_30x_come_12000_in_17_seconds)
{
	struct schedule schedule = make(uniform(12000, 17));

	for (uint64_t i = 0; i < 10000; i++)
		cr_assert_eq(schedule_start_ns(&schedule, i * 12000), i * 17 * NS_PER_SEC);
	cr_assert_eq(schedule_count_before(&schedule, DAY_NS), UINT64_C(12000) * 86400 / 17 + 1);
}

Test(schedule, starts_rise_and_counts_agree_with_them)
{
	static const struct schedule_share shares[] = {
	    {.per_sec = {2000, 1}, .stride = 1},
	    {.per_sec = {12000, 17}, .stride = 3, .index = 2, .phase = 40503},
	    {.per_sec = {1, 1}, .stride = 1, .phase = 65535},
	    {.per_sec = {1000000, 1}, .stride = 2, .index = 1},
	    {.per_sec = {2000, 1}, .stride = 1, .arrivals = SCHEDULE_POISSON, .seed = 7},
	    {.per_sec = {12000, 17}, .stride = 3, .index = 1, .arrivals = SCHEDULE_POISSON},
	};

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		struct schedule schedule = make(shares[i]);
		uint64_t before = 0;

		for (uint64_t n = 0; n < 5000; n++) {
			uint64_t start = schedule_take_ns(&schedule);

			cr_assert_eq(start, schedule_start_ns(&schedule, n), "share %zu n %lu", i,
				     n);
			cr_assert_geq(start, before);
			if (n % 97 == 0 && start > before)
				cr_assert_eq(schedule_count_before(&schedule, start), n,
					     "share %zu n %lu", i, n);
			if (n % 97 == 0)
				cr_assert_geq(schedule_count_before(&schedule, start + 1), n + 1);
			before = start;
		}
		cr_assert_eq(schedule_count_before(&schedule, 0), 0);
		schedule_release(&schedule);
	}
}

Test(schedule, shares_of_a_stream_add_up_to_it_out_of_phase)
{
	struct schedule whole = make(uniform(12000, 17));
	struct schedule_share share = uniform(12000, 17);

	share.stride = 3;
	for (uint32_t i = 0; i < 3; i++) {
		share.index = i;
		struct schedule part = make(share);

		for (uint64_t n = 0; n < 1000; n++)
			cr_assert_eq(schedule_start_ns(&part, n),
				     schedule_start_ns(&whole, 3 * n + i));
	}
}

Test(schedule, poisson_keeps_its_mean_rate_from_1_to_1000000_per_second)
{
	static const uint64_t rates[] = {1, 10, 1000, 60000, 1000000};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct schedule_share share = uniform(rates[i], 1);

		share.arrivals = SCHEDULE_POISSON;
		share.seed = 1234 + i;
		struct schedule schedule = make(share);
		/* From 4096 requests on the count is within one block's end. */
		uint64_t n = UINT64_C(4096) * 1000;
		double mean = (double)n * 1e9 / (double)schedule_start_ns(&schedule, n);

		cr_assert_lt(fabs(mean / (double)rates[i] - 1), 0.001, "%lu: %f", rates[i], mean);
		schedule_release(&schedule);
	}
}

Test(schedule, poisson_gaps_are_exponential)
{
	struct schedule_share share = uniform(1000, 1);
	uint64_t before = 0;
	double over_mean = 0;
	double over_three_means = 0;
	const int count = 200000;

	share.arrivals = SCHEDULE_POISSON;
	share.seed = 99;
	struct schedule schedule = make(share);
	for (int n = 0; n < count; n++) {
		uint64_t start = schedule_take_ns(&schedule);

		over_mean += start - before > NS_PER_MS;
		over_three_means += start - before > 3 * NS_PER_MS;
		before = start;
	}
	cr_assert_lt(fabs(over_mean / count - exp(-1)), 0.01);
	cr_assert_lt(fabs(over_three_means / count - exp(-3)), 0.005);
	schedule_release(&schedule);
}

Test(schedule, poisson_differs_by_seed_and_share_only)
{
	struct schedule_share share = uniform(1000, 1);

	share.arrivals = SCHEDULE_POISSON;
	share.seed = 1;
	struct schedule a = make(share);
	struct schedule same = make(share);
	share.seed = 2;
	struct schedule other = make(share);
	share.seed = 1;
	share.stride = 2;
	struct schedule first = make(share);
	share.index = 1;
	struct schedule second = make(share);
	cr_assert_eq(schedule_start_ns(&a, 500), schedule_start_ns(&same, 500));
	cr_assert_neq(schedule_start_ns(&a, 500), schedule_start_ns(&other, 500));
	cr_assert_gt(
	    llabs((long long)(schedule_start_ns(&first, 500) - schedule_start_ns(&second, 500))),
	    1000000);
	schedule_release(&a);
	schedule_release(&same);
	schedule_release(&other);
	schedule_release(&first);
	schedule_release(&second);
}

Test(schedule, refuses_rates_that_cannot_be_kept_exactly)
{
	static const struct schedule_share shares[] = {
	    {.per_sec = {0, 1}, .stride = 1},
	    {.per_sec = {UINT64_MAX, 1}, .stride = 1},
	    {.per_sec = {1, UINT64_MAX}, .stride = 1},
	    {.per_sec = {1, 1}, .stride = 0},
	    {.per_sec = {1, 1}, .stride = 1, .index = 1},
	    {.per_sec = {1, 1}, .stride = 1, .phase = SCHEDULE_PHASES},
	};

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		struct schedule schedule;
		struct error err = {0};

		cr_assert_eq(schedule_init(&schedule, &shares[i], &err), -ERANGE, "share %zu", i);
		cr_assert_eq(err.status, EXIT_USAGE);
	}
}
