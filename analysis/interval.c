#include "analysis/interval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *span_name(enum span span)
{
	static const char *const names[SPAN_COUNT] = {"response", "service", "lag", "submit"};

	return names[span];
}

/* All that stands before the histograms is counts, and 0 is their beginning. */
static void clear_counts(struct tally *tally)
{
	memset(tally, 0, offsetof(struct tally, span));
}

void tally_init(struct tally *tally)
{
	clear_counts(tally);
	for (int i = 0; i < SPAN_COUNT; i++)
		histogram_init(&tally->span[i]);
}

void tally_clear(struct tally *tally)
{
	clear_counts(tally);
	for (int i = 0; i < SPAN_COUNT; i++)
		histogram_clear(&tally->span[i]);
}

static void add_counts(uint64_t *into, const uint64_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		into[i] += from[i];
}

void tally_merge(struct tally *into, const struct tally *from)
{
	into->planned += from->planned;
	into->issued += from->issued;
	into->completed += from->completed;
	into->errors += from->errors;
	into->retries += from->retries;
	into->bytes += from->bytes;
	if (into->mismatches == 0)
		into->mismatch_offset_bytes = from->mismatch_offset_bytes;
	into->verified_sectors += from->verified_sectors;
	into->mismatches += from->mismatches;
	into->torn += from->torn;
	into->pending += from->pending;
	into->settled += from->settled;
	into->backlog_device += from->backlog_device;
	into->backlog_host += from->backlog_host;
	add_counts(into->over, from->over, THRESHOLDS_MAX);
	add_counts(into->service_over, from->service_over, THRESHOLDS_MAX);
	add_counts(into->device_over, from->device_over, THRESHOLDS_MAX);
	add_counts(into->hiccup_over, from->hiccup_over, THRESHOLDS_MAX);
	add_counts(into->failed_over, from->failed_over, THRESHOLDS_MAX);
	add_counts(into->power, from->power, POWERS);
	for (int i = 0; i < SPAN_COUNT; i++) {
		if (from->max_ns[i] > into->max_ns[i])
			into->max_ns[i] = from->max_ns[i];
		histogram_merge(&into->span[i], &from->span[i]);
	}
}

int interval_init(struct interval *interval, size_t device_count, size_t stream_count)
{
	size_t count = device_count * stream_count;
	struct tally *tallies = calloc(count ? count : 1, sizeof(*tallies));

	if (!tallies)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		tally_init(&tallies[i]);
	*interval = (struct interval){
	    .device_count = device_count,
	    .stream_count = stream_count,
	    .tallies = tallies,
	};
	return 0;
}

void interval_release(struct interval *interval)
{
	free(interval->tallies);
	*interval = (struct interval){0};
}

void interval_clear(struct interval *interval)
{
	for (size_t i = 0; i < interval->device_count * interval->stream_count; i++)
		tally_clear(&interval->tallies[i]);
	*interval = (struct interval){
	    .device_count = interval->device_count,
	    .stream_count = interval->stream_count,
	    .tallies = interval->tallies,
	};
}

/* Number of bits of value / unit, without the division: unit shifted up to as
 * many bits as value tells the two candidates apart. */
static size_t power_bucket(uint64_t value_ns, uint64_t unit_ns)
{
	if (value_ns < unit_ns)
		return 0;

	int shift = __builtin_clzll(unit_ns) - __builtin_clzll(value_ns);
	size_t power = (size_t)shift + (value_ns >= unit_ns << shift);

	return power < POWERS ? power : POWERS - 1;
}

/* Counts each threshold that the request is over and was not counted for. Apart,
 * because few requests get here. */
static __attribute__((noinline)) void count_over(struct tally *tally,
						 const struct tally_scale *scale,
						 const struct timing *timing,
						 struct counted *counted)
{
	uint64_t response_ns = timing->lag_ns + timing->service_ns;

	for (uint8_t i = 0; i < scale->threshold_count; i++) {
		uint64_t threshold_ns = scale->threshold_ns[i];

		if (response_ns < threshold_ns)
			break;
		if (i >= counted->over) {
			tally->over[i]++;
			tally->hiccup_over[i] += response_ns - timing->hiccup_ns < threshold_ns;
			counted->over = i + 1;
		}
		if (i >= counted->service && timing->service_ns >= threshold_ns) {
			tally->service_over[i]++;
			counted->service = i + 1;
		}
		if (i >= counted->device && timing->device_ns >= threshold_ns) {
			tally->device_over[i]++;
			counted->device = i + 1;
		}
	}
}

static inline void record_span(struct tally *tally, enum span span, uint64_t ns)
{
	histogram_record(&tally->span[span], ns);
	if (ns > tally->max_ns[span])
		tally->max_ns[span] = ns;
}

void tally_complete(struct tally *tally, const struct tally_scale *scale,
		    const struct timing *timing, struct counted counted)
{
	uint64_t response_ns = timing->lag_ns + timing->service_ns;

	tally->completed++;
	tally->settled += counted.over > 0;
	record_span(tally, SPAN_RESPONSE, response_ns);
	record_span(tally, SPAN_SERVICE, timing->service_ns);
	record_span(tally, SPAN_LAG, timing->lag_ns);
	record_span(tally, SPAN_SUBMIT, timing->submit_ns);
	tally->power[power_bucket(response_ns, scale->power_unit_ns)]++;
	if (response_ns >= scale->threshold_ns[0])
		count_over(tally, scale, timing, &counted);
}

void tally_fail(struct tally *tally, const struct tally_scale *scale, struct counted counted)
{
	tally->errors++;
	tally->settled += counted.over > 0;
	/* Whatever was counted is counted in full now, so that one correction,
	 * failed_over, holds for all. */
	for (uint8_t i = 0; i < counted.over && i < scale->threshold_count; i++) {
		tally->failed_over[i]++;
		tally->service_over[i] += i >= counted.service;
		tally->device_over[i] += i >= counted.device;
	}
}

void tally_pending(struct tally *tally, const struct tally_scale *scale,
		   const struct timing *timing, struct counted *counted)
{
	bool first = counted->over == 0;

	count_over(tally, scale, timing, counted);
	tally->pending += first && counted->over > 0;
}
