#include <errno.h>
#include <inttypes.h>

#include "act/base/units.h"
#include "analysis/reports/csv.h"
#include "analysis/reports/linearity.h"
#include "analysis/reports/linearity_words.h"

/* Devices can be judged by other thresholds each, so the columns are all of the run
 * together, and a field is empty where a threshold is none of the stream's. */
static void print_headings(const struct run_info *info, FILE *out)
{
	static const char *const sides[] = {"alone", "together"};
	char threshold[UNITS_TEXT_BYTES];

	fputs("device,serial,match,log_alone,log_together,outcome,stream", out);
	for (size_t k = 0; k < 2; k++) {
		const char *side = sides[k];

		fprintf(out,
			",%s_verdict,%s_measured_ns,%s_planned,%s_completed,%s_errors,%s_total",
			side, side, side, side, side, side);
		for (size_t i = 0; i < info->criterion_count; i++)
			fprintf(out, ",%s_over_%s", side,
				units_format_duration(threshold, info->criteria[i].threshold_ns));
		fprintf(out, ",%s_p50_ns,%s_p99_ns,%s_p999_ns,%s_max_ns", side, side, side, side);
	}
	fputc('\n', out);
}

/* 0 is not known. */
static void print_ns(uint64_t ns, FILE *out)
{
	if (ns > 0)
		fprintf(out, ",%" PRIu64, ns);
	else
		fputc(',', out);
}

/* `over[i]` is the index in the side's sums of the stream's threshold i. */
static void print_side(const struct run_info *together, const struct linearity_stream *stream,
		       const struct linearity_side *side, const size_t *over, FILE *out)
{
	const struct summary *sums = side->sums;

	fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
		verdict_name(side->verdict), side->measured_ns, sums->planned, sums->completed,
		sums->errors, summary_total(sums));
	for (size_t i = 0, k = 0; i < together->criterion_count; i++) {
		if (k < stream->threshold_count && stream->together_over[k] == i)
			fprintf(out, ",%" PRIu64, sums->over[over[k++]]);
		else
			fputc(',', out);
	}
	print_ns(sums->p50_ns[SPAN_RESPONSE], out);
	print_ns(sums->p99_ns[SPAN_RESPONSE], out);
	print_ns(sums->p999_ns[SPAN_RESPONSE], out);
	print_ns(sums->max_ns[SPAN_RESPONSE], out);
}

static int print_names(const struct linearity *linearity, size_t device, FILE *out)
{
	const struct linearity_device *one = &linearity->devices[device];
	const struct linearity_run *together = &linearity->runs[linearity->together];
	const struct info_device *info = &together->result->info->devices[device];
	int rc = csv_print_name(info->name, out);

	fputc(',', out);
	if (rc == 0)
		rc = csv_print_name(info->serial, out);
	fprintf(out, ",%s,", linearity_match_name(one->match));
	if (rc == 0 && one->match != LINEARITY_NOT_COMPARED)
		rc = csv_print_name(linearity->runs[one->alone].log, out);
	fputc(',', out);
	if (rc == 0)
		rc = csv_print_name(together->log, out);
	fprintf(out, ",%s,", linearity_outcome_name(one->outcome));
	return rc;
}

/* A device without a stream to compare has a row, too, which ends in empty fields. */
static int print_bare(const struct linearity *linearity, size_t device, FILE *out)
{
	const struct run_info *info = linearity->runs[linearity->together].result->info;
	size_t fields = 2 * (6 + info->criterion_count + 4);
	int rc = print_names(linearity, device, out);

	for (size_t i = 0; i < fields; i++)
		fputc(',', out);
	fputc('\n', out);
	return rc;
}

static int print_device(const struct linearity *linearity, size_t device, FILE *out)
{
	const struct run_info *info = linearity->runs[linearity->together].result->info;
	struct linearity_stream stream;
	size_t rows = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < info->stream_count; i++) {
		if (!linearity_take_stream(linearity, device, i, &stream))
			continue;
		rc = print_names(linearity, device, out);
		if (rc == 0)
			rc = csv_print_name(info->streams[i].name, out);
		print_side(info, &stream, &stream.alone, stream.alone_over, out);
		print_side(info, &stream, &stream.together, stream.together_over, out);
		fputc('\n', out);
		rows++;
	}
	return rc == 0 && rows == 0 ? print_bare(linearity, device, out) : rc;
}

int report_linearity_csv(const struct linearity *linearity, FILE *out)
{
	int rc = 0;

	print_headings(linearity->runs[linearity->together].result->info, out);
	for (size_t i = 0; rc == 0 && i < linearity->device_count; i++)
		rc = print_device(linearity, i, out);
	return rc == 0 && ferror(out) ? -EIO : rc;
}
