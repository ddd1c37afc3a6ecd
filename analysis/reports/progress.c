#include "analysis/reports/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/figures.h"
#include "analysis/slice.h"
#include "analysis/slicing.h"

static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

/* "  %>1ms 1.23" */
static void append_share(char *text, size_t size, const struct run_info *info, size_t stream,
			 size_t criterion, const struct summary *sums)
{
	struct ratio limit;
	bool limited = judge_limit(info, stream, criterion, &limit);
	char threshold[UNITS_TEXT_BYTES];
	char share[FIGURE_BYTES];

	append(text, size, "  %%>%s %s",
	       units_format_duration(threshold, info->criteria[criterion].threshold_ns),
	       figure_share(share, sums->over[criterion], summary_total(sums),
			    limited ? &limit : NULL));
}

/* "  'pressure 210MB/s'" */
static void append_phase(char *text, size_t size, const struct run_info *info, size_t phase)
{
	if (info->phase_count > 0)
		append(text, size, "  '%s'", info->phases[phase].name);
}

char *progress_slice(char *text, size_t size, const struct run_info *info,
		     const struct slice *slice)
{
	size_t stream = judge_shown_in_phase(info, slice->phase);
	const struct summary *sums = &slice->all.streams[stream];
	char rate[FIGURE_BYTES];
	char done[FIGURE_BYTES];
	char reason[REASON_BYTES];

	snprintf(text, size, "slice %" PRIu64 "/%" PRIu64, slice->number, slicing_count(info));
	append_phase(text, size, info, slice->phase);
	append(text, size, " %s  %s %s/s, %s %%",
	       slice->judged || slice->verdict != VERDICT_PASS ? verdict_name(slice->verdict)
							       : "not judged",
	       info->streams[stream].name, figure_rate(rate, sums->completed, slice->duration_ns),
	       figure_share(done, sums->completed, sums->planned, NULL));
	for (size_t i = 0; i < info->criterion_count; i++)
		append_share(text, size, info, stream, i, sums);
	append(text, size, "  p99 %s", figure_ms(rate, sums->p99_ns[SPAN_RESPONSE]));
	append(text, size, " max %s ms", figure_ms(rate, sums->max_ns[SPAN_RESPONSE]));
	if (slice->verdict == VERDICT_PASS)
		return text;
	slice_explain(info, slice, reason);
	append(text, size, ": %s", reason);
	return text;
}

static void append_percentiles(char *text, size_t size, const struct histogram *histogram,
			       uint64_t max_ns)
{
	char ms[FIGURE_BYTES];

	append(text, size, "  p50 %s", figure_ms(ms, histogram_percentile_ns(histogram, 50, 100)));
	append(text, size, " p99 %s", figure_ms(ms, histogram_percentile_ns(histogram, 99, 100)));
	append(text, size, " p99.9 %s",
	       figure_ms(ms, histogram_percentile_ns(histogram, 999, 1000)));
	append(text, size, " max %s ms", figure_ms(ms, max_ns));
}

char *progress_interval(char *text, size_t size, const struct run_info *info,
			const struct interval *interval, const struct judge *judge)
{
	size_t phase = slicing_phase_at(info, interval->start_ns);
	size_t stream = judge_shown_in_phase(info, phase);
	uint64_t now_ns = interval->end_ns;
	uint64_t left_ns = info->duration_ns > now_ns ? info->duration_ns - now_ns : 0;
	uint64_t length_ns = now_ns > interval->start_ns ? now_ns - interval->start_ns : 0;
	uint64_t planned = 0;
	uint64_t completed = 0;
	uint64_t max_ns = 0;
	struct summary current;
	struct histogram response;
	char texts[4][FIGURE_BYTES];

	histogram_init(&response);
	for (size_t device = 0; device < interval->device_count; device++) {
		const struct tally *tally = interval_tally(interval, device, stream);

		planned += tally->planned;
		completed += tally->completed;
		if (tally->max_ns[SPAN_RESPONSE] > max_ns)
			max_ns = tally->max_ns[SPAN_RESPONSE];
		histogram_merge(&response, &tally->span[SPAN_RESPONSE]);
	}
	snprintf(text, size, "%s, %s left", figure_clock(texts[0], now_ns),
		 figure_clock(texts[1], left_ns));
	append_phase(text, size, info, phase);
	append(text, size, "  %s/%s/s", figure_rate(texts[2], completed, length_ns),
	       figure_rate(texts[3], planned, length_ns));
	append_percentiles(text, size, &response, max_ns);
	judge_current(judge, stream, &current);
	if (info->criterion_count > 0)
		append_share(text, size, info, stream, 0, &current);
	return text;
}
