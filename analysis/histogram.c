#include "analysis/histogram.h"

#include <assert.h>
#include <string.h>

#define HALF (HISTOGRAM_SUB_BUCKETS / 2)

void histogram_init(struct histogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
	histogram->min_ns = UINT64_MAX;
}

void histogram_clear(struct histogram *histogram)
{
	if (histogram->total) {
		uint32_t first = histogram_index(histogram->min_ns);
		uint32_t last = histogram_index(histogram->max_ns);

		memset(&histogram->counts[first], 0,
		       (last - first + 1) * sizeof(histogram->counts[0]));
	}
	histogram->total = 0;
	histogram->overflow = 0;
	histogram->min_ns = UINT64_MAX;
	histogram->max_ns = 0;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	if (!from->total)
		return;

	uint32_t last = histogram_index(from->max_ns);

	for (uint32_t i = histogram_index(from->min_ns); i <= last; i++)
		into->counts[i] += from->counts[i];
	into->total += from->total;
	into->overflow += from->overflow;
	if (from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

/* Buckets are 2^shift ns wide, HALF of them for each shift above the first. */
static uint32_t bucket_shift(uint32_t index)
{
	return index < HISTOGRAM_SUB_BUCKETS ? 0 : index / HALF - 1;
}

uint64_t histogram_bucket_low_ns(uint32_t index)
{
	uint32_t shift = bucket_shift(index);

	assert(index < HISTOGRAM_BUCKETS);
	return (uint64_t)(index - shift * HALF) << shift;
}

uint64_t histogram_bucket_high_ns(uint32_t index)
{
	uint64_t width = UINT64_C(1) << bucket_shift(index);

	return histogram_bucket_low_ns(index) + width - 1;
}

static uint64_t percentile_rank(uint64_t total, uint64_t num, uint64_t den)
{
	unsigned __int128 product = (unsigned __int128)total * num;
	uint64_t rank = (uint64_t)((product + den - 1) / den);

	return rank ? rank : 1;
}

uint64_t histogram_percentile_ns(const struct histogram *histogram, uint64_t num, uint64_t den)
{
	uint64_t value_ns;

	histogram_percentiles_ns(histogram, &num, den, 1, &value_ns);
	return value_ns;
}

void histogram_percentiles_ns(const struct histogram *histogram, const uint64_t *nums, uint64_t den,
			      size_t count, uint64_t *ret_ns)
{
	uint32_t last = histogram_index(histogram->max_ns);
	uint32_t bucket = histogram_index(histogram->min_ns);
	uint64_t seen = 0; /* in the buckets before */

	for (size_t i = 0; i < count; i++) {
		uint64_t rank = percentile_rank(histogram->total, nums[i], den);

		assert(nums[i] <= den);
		while (bucket < last && seen + histogram->counts[bucket] < rank)
			seen += histogram->counts[bucket++];
		/* Whatever the last bucket in use holds is at most the maximum;
		 * that of no samples is 0. */
		ret_ns[i] = bucket < last ? histogram_bucket_high_ns(bucket) : histogram->max_ns;
	}
}

uint64_t histogram_mean_ns(const struct histogram *histogram)
{
	unsigned __int128 sum = 0;

	if (histogram->total == 0)
		return 0;
	for (uint32_t i = histogram_index(histogram->min_ns);
	     i <= histogram_index(histogram->max_ns); i++)
		sum += (unsigned __int128)histogram->counts[i] *
		       (histogram_bucket_low_ns(i) + histogram_bucket_high_ns(i)) / 2;
	return (uint64_t)(sum / histogram->total);
}
