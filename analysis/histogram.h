#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Counts of durations in ns, log-linear: the bucket layout of HdrHistogram with
 * lowest discernible value 1, highest trackable value 2^37 - 1 ns (137 s) and 2
 * significant digits (256 sub-buckets; http://hdrhistogram.org): exact below
 * 256 ns, at most 1/128 relative width above. Longer durations are counted in
 * the last bucket and in `overflow`; minimum and maximum stay exact.
 *
 * Whatever was recorded lies in the buckets from that of min_ns to that of
 * max_ns, and total is the sum of all counts; functions look at no others.
 *
 * A plain value without pointers; copy it as you like. Not thread-safe: one
 * thread writes it, and hands it over before another reads it.
 */

#define HISTOGRAM_SUB_BUCKETS 256
#define HISTOGRAM_MAX_NS      ((UINT64_C(1) << 37) - 1)
#define HISTOGRAM_BUCKETS     (HISTOGRAM_SUB_BUCKETS + 29 * (HISTOGRAM_SUB_BUCKETS / 2))

struct histogram {
	uint64_t total;
	uint64_t overflow; /* longer than HISTOGRAM_MAX_NS; they are in total too */
	uint64_t min_ns;   /* UINT64_MAX when empty */
	uint64_t max_ns;   /* 0 when empty */
	uint64_t counts[HISTOGRAM_BUCKETS];
};

/* Makes an empty histogram of any memory. */
void histogram_init(struct histogram *histogram);

/* Empties a histogram that was in use; touches only the buckets that it used. */
void histogram_clear(struct histogram *histogram);

static inline uint32_t histogram_index(uint64_t ns)
{
	if (ns > HISTOGRAM_MAX_NS)
		return HISTOGRAM_BUCKETS - 1;
	if (ns < HISTOGRAM_SUB_BUCKETS)
		return (uint32_t)ns;
	uint32_t shift = 63U - 7U - (uint32_t)__builtin_clzll(ns);
	return shift * (HISTOGRAM_SUB_BUCKETS / 2) + (uint32_t)(ns >> shift);
}

static inline void histogram_record(struct histogram *histogram, uint64_t ns)
{
	histogram->total++;
	histogram->overflow += ns > HISTOGRAM_MAX_NS;
	if (ns < histogram->min_ns)
		histogram->min_ns = ns;
	if (ns > histogram->max_ns)
		histogram->max_ns = ns;
	histogram->counts[histogram_index(ns)]++;
}

/* Adds all of `from` to `into`. */
void histogram_merge(struct histogram *into, const struct histogram *from);

/* Lowest and highest value that the bucket counts (overflow left aside);
 * index < HISTOGRAM_BUCKETS. */
uint64_t histogram_bucket_low_ns(uint32_t index);
uint64_t histogram_bucket_high_ns(uint32_t index);

/* The value that num/den of the samples do not exceed (num <= den, den > 0): the
 * upper end of the bucket that holds the sample of rank ceil(total * num / den),
 * but never more than the true maximum. A sample in the last bucket is reported
 * as the true maximum when there was overflow. 0 when empty. */
uint64_t histogram_percentile_ns(const struct histogram *histogram, uint64_t num, uint64_t den);
/* The same for `count` shares nums[i] / den, which rise, in one pass. */
void histogram_percentiles_ns(const struct histogram *histogram, const uint64_t *nums, uint64_t den,
			      size_t count, uint64_t *ret_ns);

/* The mean, taking each sample as the middle of its bucket (within 0.4 %); what is
 * in `overflow` counts as HISTOGRAM_MAX_NS. 0 when empty. */
uint64_t histogram_mean_ns(const struct histogram *histogram);

/*
 * HdrHistogram V2 payload, compressed (zlib) and in base64, as in .hlog files
 * (https://github.com/HdrHistogram/HdrHistogram: cookies 0x1c849303 and
 * 0x1c849304, word-size nibble 1). Minimum, maximum and overflow are not part
 * of the format.
 */

/* Heap string, the caller frees it; NULL when memory is short. */
char *histogram_encode(const struct histogram *histogram);

/* Adds the payload's counts (and total) to `into`. Minimum and maximum are
 * widened to the ends of the outermost buckets; who knows them exactly sets them
 * afterwards. -EINVAL when it is not such a payload, is of another layout, or
 * counts in buckets that we do not have; -ENOMEM. `into` is unchanged on failure. */
int histogram_decode(struct histogram *into, const char *text, size_t length);
