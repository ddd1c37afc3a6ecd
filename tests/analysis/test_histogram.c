#include "analysis/histogram.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "act/base/clock.h"
#include "act/base/random.h"

static const uint64_t first_wide = HISTOGRAM_SUB_BUCKETS;

Test(histogram, mean_is_within_half_a_bucket)
{
	struct histogram histogram;

	histogram_init(&histogram);
	cr_assert(eq(u64, histogram_mean_ns(&histogram), 0));
	for (uint64_t i = 1; i <= 1000; i++)
		histogram_record(&histogram, i * 1000);
	uint64_t mean_ns = histogram_mean_ns(&histogram);
	cr_assert(mean_ns > 500500 * 0.996 && mean_ns < 500500 * 1.004, "%lu", mean_ns);
	histogram_init(&histogram);
	histogram_record(&histogram, 7);
	cr_assert(eq(u64, histogram_mean_ns(&histogram), 7));
}

Test(histogram, buckets_follow_each_other_without_gaps)
{
	cr_assert(eq(u64, histogram_bucket_low_ns(0), 0));
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t low = histogram_bucket_low_ns(i);
		uint64_t high = histogram_bucket_high_ns(i);

		cr_assert(le(u64, low, high));
		cr_assert(eq(u32, histogram_index(low), i));
		cr_assert(eq(u32, histogram_index(high), i));
		if (i + 1 < HISTOGRAM_BUCKETS)
			cr_assert(eq(u64, histogram_bucket_low_ns(i + 1), high + 1));
	}
	cr_assert(eq(u64, histogram_bucket_high_ns(HISTOGRAM_BUCKETS - 1), HISTOGRAM_MAX_NS));
	cr_assert(gt(u64, HISTOGRAM_MAX_NS, 100 * NS_PER_SEC));
}

Test(histogram, buckets_are_exact_below_256_ns_and_within_a_128th_above)
{
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t low = histogram_bucket_low_ns(i);
		uint64_t width = histogram_bucket_high_ns(i) - low + 1;

		if (low < first_wide)
			cr_assert(eq(u64, width, 1));
		else
			cr_assert(le(u64, width * 128, low));
	}
}

Test(histogram, longer_durations_are_counted_as_overflow)
{
	struct histogram histogram;

	histogram_init(&histogram);
	histogram_record(&histogram, HISTOGRAM_MAX_NS);
	cr_assert(eq(u64, histogram.overflow, 0));
	histogram_record(&histogram, HISTOGRAM_MAX_NS + 1);
	histogram_record(&histogram, UINT64_MAX - 1);
	cr_assert(eq(u64, histogram.total, 3));
	cr_assert(eq(u64, histogram.overflow, 2));
	cr_assert(eq(u64, histogram.counts[HISTOGRAM_BUCKETS - 1], 3));
	cr_assert(eq(u64, histogram.min_ns, HISTOGRAM_MAX_NS));
	cr_assert(eq(u64, histogram.max_ns, UINT64_MAX - 1));
	cr_assert(eq(u64, histogram_percentile_ns(&histogram, 1, 2), UINT64_MAX - 1));
}

Test(histogram, percentiles_are_bucket_ends_but_at_most_the_maximum)
{
	/* 100 samples: 50 of 10 ns, 49 of 1000 ns, one of 5001 ns. */
	static const struct {
		uint64_t num, den, expected_ns;
	} cases[] = {
	    {0, 1, 10},        {1, 100, 10},      {50, 100, 10},
	    {501, 1000, 1003}, {51, 100, 1003},   {99, 100, 1003},
	    {991, 1000, 5001}, {999, 1000, 5001}, {1, 1, 5001},
	};
	struct histogram histogram;

	histogram_init(&histogram);
	for (int i = 0; i < 50; i++)
		histogram_record(&histogram, 10);
	for (int i = 0; i < 49; i++)
		histogram_record(&histogram, 1000);
	histogram_record(&histogram, 5001);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect(eq(u64, histogram_percentile_ns(&histogram, cases[i].num, cases[i].den),
			     cases[i].expected_ns),
			  "%lu/%lu", cases[i].num, cases[i].den);
}

Test(histogram, of_nothing_has_no_percentile)
{
	struct histogram histogram;

	histogram_init(&histogram);
	cr_assert(eq(u64, histogram_percentile_ns(&histogram, 99, 100), 0));
	cr_assert(eq(u64, histogram.min_ns, UINT64_MAX));
	cr_assert(eq(u64, histogram.max_ns, 0));
}

Test(histogram, ranks_do_not_overflow)
{
	struct histogram histogram;

	histogram_init(&histogram);
	histogram_record(&histogram, 1);
	histogram_record(&histogram, 100);
	histogram.total = UINT64_MAX;
	histogram.counts[1] = UINT64_MAX / 4;
	histogram.counts[100] = UINT64_MAX - UINT64_MAX / 4;
	cr_assert(eq(u64, histogram_percentile_ns(&histogram, 24, 100), 1));
	cr_assert(eq(u64, histogram_percentile_ns(&histogram, 26, 100), 100));
}

static void fill(struct histogram *histogram, uint64_t seed, int count)
{
	struct random random;

	random_init(&random, seed, 0);
	for (int i = 0; i < count; i++)
		histogram_record(histogram, random_next(&random) >> (20 + i % 44));
}

Test(histogram, merging_equals_recording_in_one)
{
	struct histogram parts;
	struct histogram part;
	struct histogram whole;

	histogram_init(&parts);
	histogram_init(&whole);
	for (uint64_t seed = 0; seed < 5; seed++) {
		histogram_init(&part);
		fill(&part, seed, (int)seed * 100);
		fill(&whole, seed, (int)seed * 100);
		histogram_merge(&parts, &part);
	}
	cr_assert(eq(mem, ((struct cr_mem){&parts, sizeof(parts)}),
		     ((struct cr_mem){&whole, sizeof(whole)})));
}

Test(histogram, clearing_leaves_nothing)
{
	struct histogram used;
	struct histogram fresh;

	histogram_init(&used);
	histogram_init(&fresh);
	fill(&used, 1, 1000);
	histogram_record(&used, UINT64_MAX);
	histogram_clear(&used);
	cr_assert(eq(mem, ((struct cr_mem){&used, sizeof(used)}),
		     ((struct cr_mem){&fresh, sizeof(fresh)})));
	histogram_clear(&used);
	cr_assert(eq(mem, ((struct cr_mem){&used, sizeof(used)}),
		     ((struct cr_mem){&fresh, sizeof(fresh)})));
}
