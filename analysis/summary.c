#include "analysis/summary.h"

#include <string.h>

/* More issued than planned (catching up) is not missed, neither is a backlog
 * that shrank. */
static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void take_missed(struct summary *summary, const struct tally *tally,
			uint64_t backlog_device_before)
{
	uint64_t missed = difference(tally->planned, tally->issued);
	uint64_t held = difference(tally->backlog_device, backlog_device_before);

	summary->missed_device = held < missed ? held : missed;
	summary->missed_host = missed - summary->missed_device;
}

static void take_percentiles(struct summary *summary, struct tally *tally)
{
	for (int span = 0; span < SPAN_COUNT; span++) {
		struct histogram *histogram = &tally->span[span];

		summary->max_ns[span] = tally->max_ns[span];
		if (histogram->total == 0)
			continue;
		histogram->max_ns = tally->max_ns[span];
		summary->overflow[span] = histogram->overflow;
		summary->mean_ns[span] = histogram_mean_ns(histogram);
		summary->p50_ns[span] = histogram_percentile_ns(histogram, 50, 100);
		summary->p99_ns[span] = histogram_percentile_ns(histogram, 99, 100);
		summary->p999_ns[span] = histogram_percentile_ns(histogram, 999, 1000);
	}
	summary->sampled = tally->span[SPAN_RESPONSE].total;
}

void summary_take(struct summary *summary, struct tally *tally, uint64_t backlog_device_before,
		  const size_t *index, size_t threshold_count)
{
	memset(summary, 0, sizeof(*summary));
	summary->planned = tally->planned;
	summary->issued = tally->issued;
	summary->completed = tally->completed;
	summary->errors = tally->errors;
	summary->bytes = tally->bytes;
	summary->verified_sectors = tally->verified_sectors;
	/* Never more than the errors that they are among: a log can say anything. */
	summary->mismatches = tally->mismatches < tally->errors ? tally->mismatches : tally->errors;
	summary->torn = tally->torn;
	summary->mismatch_offset_bytes = tally->mismatch_offset_bytes;
	take_missed(summary, tally, backlog_device_before);
	summary->pending = tally->pending;
	/* Nor more settled than came back. */
	summary->settled = tally->settled < tally->completed + tally->errors
			       ? tally->settled
			       : tally->completed + tally->errors;
	for (size_t i = 0; i < threshold_count; i++) {
		size_t k = index[i];
		uint64_t failed = difference(tally->errors, tally->failed_over[k]);

		summary->over[i] = tally->over[k] + failed;
		summary->service_over[i] = tally->service_over[k] + failed;
		summary->device_over[i] = tally->device_over[k] + failed;
		summary->hiccup_over[i] = tally->hiccup_over[k];
	}
	take_percentiles(summary, tally);
}
