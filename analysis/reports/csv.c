#include "analysis/reports/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/log_name.h"
#include "analysis/slice.h"

static void print_field(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

int csv_print_name(const char *name, FILE *out)
{
	char *escaped = log_name_escape(name);

	if (!escaped)
		return -ENOMEM;
	print_field(escaped, out);
	free(escaped);
	return 0;
}

static void print_headings(const struct run_info *info, FILE *out)
{
	static const char *const over[] = {"over", "service_over"};
	static const char *const span[] = {"service", "lag"};
	char threshold[UNITS_TEXT_BYTES];

	fputs(
	    "log,run_id,slice,phase,start_s,duration_s,partial,slice_verdict,device,device_verdict,"
	    "stream,judged,planned,issued,completed,errors,bytes,total",
	    out);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < info->criterion_count; i++)
			fprintf(out, ",%s_%s", over[k],
				units_format_duration(threshold, info->criteria[i].threshold_ns));
	fputs(",mean_ns,p50_ns,p99_ns,p999_ns,max_ns", out);
	for (size_t k = 0; k < 2; k++)
		fprintf(out, ",%s_p50_ns,%s_p99_ns,%s_p999_ns,%s_max_ns", span[k], span[k], span[k],
			span[k]);
	fputc('\n', out);
}

static void print_percentiles(const struct summary *sums, enum span span, FILE *out)
{
	if (sums->sampled > 0)
		fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, sums->p50_ns[span],
			sums->p99_ns[span], sums->p999_ns[span]);
	else
		fputs(",,,", out);
	if (sums->sampled > 0 || sums->max_ns[span] > 0)
		fprintf(out, ",%" PRIu64, sums->max_ns[span]);
	else
		fputc(',', out);
}

static void print_figures(const struct run_info *info, const struct summary *sums, FILE *out)
{
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
		sums->planned, sums->issued, sums->completed, sums->errors, sums->bytes,
		summary_total(sums));
	for (size_t i = 0; i < info->criterion_count; i++)
		fprintf(out, ",%" PRIu64, sums->over[i]);
	for (size_t i = 0; i < info->criterion_count; i++)
		fprintf(out, ",%" PRIu64, sums->service_over[i]);
	fputc(',', out);
	if (sums->sampled > 0)
		fprintf(out, "%" PRIu64, sums->mean_ns[SPAN_RESPONSE]);
	print_percentiles(sums, SPAN_RESPONSE, out);
	print_percentiles(sums, SPAN_SERVICE, out);
	print_percentiles(sums, SPAN_LAG, out);
	fputc('\n', out);
}

/* "3.000000000", without the zeros at the end */
static void print_seconds(uint64_t ns, FILE *out)
{
	uint64_t fraction = ns % 1000000000;
	int digits = 9;

	fprintf(out, ",%" PRIu64, ns / 1000000000);
	if (fraction == 0)
		return;
	for (; fraction % 10 == 0; fraction /= 10)
		digits--;
	fprintf(out, ".%0*" PRIu64, digits, fraction);
}

/* Whether the stream's latency decides there. */
static bool is_judged(const struct run_info *info, const struct slice *slice, size_t number,
		      size_t stream)
{
	size_t device = number > 0 ? number - 1 : info->device_count;

	return slice->judged && judge_is_judged(info, stream) &&
	       run_info_is_issued(info, slice->phase, device, stream);
}

/* Judgement 0 is that of all devices together, which have no name. */
static int print_row(const struct run_info *info, struct slice *slice, size_t number, size_t stream,
		     const char *log, FILE *out)
{
	const struct judgement *judgement = slice_judgement(slice, number);
	int rc = csv_print_name(log, out);

	fprintf(out, ",%s,%" PRIu64 ",", info->run_id, slice->number);
	if (rc == 0 && info->phase_count > 0)
		rc = csv_print_name(info->phases[slice->phase].name, out);
	print_seconds(slice->start_ns, out);
	print_seconds(slice->duration_ns, out);
	fprintf(out, ",%d,%s,", slice->partial, verdict_name(slice->verdict));
	if (rc == 0 && number > 0)
		rc = csv_print_name(info->devices[number - 1].name, out);
	fprintf(out, ",%s,", verdict_name(judgement->verdict));
	if (rc == 0)
		rc = csv_print_name(info->streams[stream].name, out);
	fprintf(out, ",%d", is_judged(info, slice, number, stream));
	print_figures(info, &judgement->streams[stream], out);
	return rc;
}

int report_csv_slices(const struct result *result, const char *log, size_t from, FILE *out)
{
	const struct run_info *info = result->info;
	int rc = 0;

	if (from == 0)
		print_headings(info, out);
	for (size_t i = from; i < result->slice_count; i++)
		for (size_t number = 0; number <= info->device_count; number++)
			for (size_t stream = 0; rc == 0 && stream < info->stream_count; stream++)
				rc = print_row(info, result->slices[i], number, stream, log, out);
	return rc == 0 && ferror(out) ? -EIO : rc;
}

int report_csv(const struct result *result, const char *log, FILE *out)
{
	return report_csv_slices(result, log, 0, out);
}
