#include "analysis/interval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *span_name(enum span span)
{
	static const char *const names[SPAN_COUNT] = {"response", "service", "lag"};

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
	into->backlog_device += from->backlog_device;
	into->backlog_host += from->backlog_host;
	add_counts(into->over, from->over, THRESHOLDS_MAX);
	add_counts(into->service_over, from->service_over, THRESHOLDS_MAX);
	add_counts(into->device_over, from->device_over, THRESHOLDS_MAX);
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

/* Apart, because few requests get here. */
static __attribute__((noinline)) void count_over(struct tally *tally,
						 const struct tally_scale *scale,
						 uint64_t response_ns, uint64_t service_ns,
						 bool held)
{
	for (size_t i = 0; i < scale->threshold_count; i++) {
		if (response_ns < scale->threshold_ns[i])
			break;

		bool service_over = service_ns >= scale->threshold_ns[i];

		tally->over[i]++;
		tally->service_over[i] += service_over;
		tally->device_over[i] += service_over || held;
	}
}

static inline void record_span(struct tally *tally, enum span span, uint64_t ns)
{
	histogram_record(&tally->span[span], ns);
	if (ns > tally->max_ns[span])
		tally->max_ns[span] = ns;
}

void tally_record(struct tally *tally, const struct tally_scale *scale, uint64_t lag_ns,
		  uint64_t service_ns, bool held)
{
	uint64_t response_ns = lag_ns + service_ns;

	tally->completed++;
	record_span(tally, SPAN_RESPONSE, response_ns);
	record_span(tally, SPAN_SERVICE, service_ns);
	record_span(tally, SPAN_LAG, lag_ns);
	tally->power[power_bucket(response_ns, scale->power_unit_ns)]++;
	if (response_ns >= scale->threshold_ns[0])
		count_over(tally, scale, response_ns, service_ns, held);
}
