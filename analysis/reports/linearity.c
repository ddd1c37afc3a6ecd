#include "analysis/reports/linearity.h"

#include <errno.h>
#include <string.h>

#include "analysis/figures.h"
#include "analysis/reports/linearity_words.h"
#include "analysis/reports/table.h"
#include "analysis/rules.h"

#define ROWS 4 /* headings, alone, together, lost */

static const struct linearity_report reports[] = {
    {"text", report_linearity_text},
    {"csv", report_linearity_csv},
    {"json", report_linearity_json},
};

const struct linearity_report *linearity_report_find(const char *name)
{
	for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
		if (strcmp(reports[i].name, name) == 0)
			return &reports[i];
	return NULL;
}

static void headings_row(const struct linearity_stream *stream, struct table_row *row)
{
	static const char *const before[] = {"", "rate/s", "planned", "%"};
	static const char *const after[] = {"p50 ms", "p99 ms", "p99.9", "max ms", "verdict"};
	char threshold[UNITS_TEXT_BYTES];

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		table_cell(row, "%s", before[i]);
	for (size_t i = 0; i < stream->threshold_count; i++)
		table_cell(row, "%%>%s", units_format_duration(threshold, stream->threshold_ns[i]));
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++)
		table_cell(row, "%s", after[i]);
}

/* `over` are the thresholds' indices in this run's sums. */
static void side_row(const struct linearity_stream *stream, const struct linearity_side *side,
		     const size_t *over, const char *name, struct table_row *row)
{
	const struct summary *sums = side->sums;
	char text[FIGURE_BYTES];

	table_cell(row, "%s", name);
	table_cell(row, "%s", figure_rate(text, sums->completed, side->measured_ns));
	table_cell(row, "%s", figure_rate(text, sums->planned, side->measured_ns));
	table_cell(row, "%s",
		   figure_share(text, sums->completed, sums->planned, &rules_issued_min));
	for (size_t i = 0; i < stream->threshold_count; i++)
		table_cell(row, "%s",
			   figure_share(text, sums->over[over[i]], summary_total(sums),
					&stream->limit[i]));
	table_cell(row, "%s", figure_ms(text, sums->p50_ns[SPAN_RESPONSE]));
	table_cell(row, "%s", figure_ms(text, sums->p99_ns[SPAN_RESPONSE]));
	table_cell(row, "%s", figure_ms(text, sums->p999_ns[SPAN_RESPONSE]));
	table_cell(row, "%s", figure_ms(text, sums->max_ns[SPAN_RESPONSE]));
	table_cell(row, "%s", verdict_name(side->verdict));
}

static void times_cell(struct table_row *row, const uint64_t *alone, const uint64_t *together)
{
	double times;

	if (linearity_times(alone[SPAN_RESPONSE], together[SPAN_RESPONSE], &times))
		table_cell(row, "x%.2f", times);
	else
		table_cell(row, "-");
}

static void change_row(const struct linearity_stream *stream, struct table_row *row)
{
	const struct summary *alone = stream->alone.sums;
	const struct summary *together = stream->together.sums;
	char text[FIGURE_BYTES];
	double change;

	table_cell(row, "change");
	if (linearity_rate_change(stream, &change))
		table_cell(row, "%s%%", linearity_signed(text, change));
	else
		table_cell(row, "-");
	table_cell(row, "%s", "");
	table_cell(row, "%s", "");
	for (size_t i = 0; i < stream->threshold_count; i++) {
		if (linearity_share_change(stream, i, &change))
			table_cell(row, "%s", linearity_signed(text, change));
		else
			table_cell(row, "-");
	}
	times_cell(row, alone->p50_ns, together->p50_ns);
	times_cell(row, alone->p99_ns, together->p99_ns);
	times_cell(row, alone->p999_ns, together->p999_ns);
	times_cell(row, alone->max_ns, together->max_ns);
}

static void print_stream(const struct linearity_stream *stream, const char *name, FILE *out)
{
	struct table_row rows[ROWS] = {0};
	struct table table = {0};

	headings_row(stream, &rows[0]);
	side_row(stream, &stream->alone, stream->alone_over, "alone", &rows[1]);
	side_row(stream, &stream->together, stream->together_over, "together", &rows[2]);
	change_row(stream, &rows[3]);
	for (size_t i = 0; i < ROWS; i++)
		table_measure(&table, &rows[i]);
	fprintf(out, "%s\n", name);
	for (size_t i = 0; i < ROWS; i++)
		table_print(&table, &rows[i], out);
}

static void print_device(const struct linearity *linearity, size_t device, FILE *out)
{
	const struct linearity_device *one = &linearity->devices[device];
	const struct run_info *info = linearity->runs[linearity->together].result->info;
	char text[LINEARITY_WORDS_BYTES];
	struct linearity_stream stream;

	fprintf(out, "\n%s", info->devices[device].name);
	if (one->match != LINEARITY_NOT_COMPARED)
		fprintf(out, ", alone in %s", linearity->runs[one->alone].log);
	fprintf(out, " (%s)\n", linearity_explain_match(text, linearity, device));
	for (size_t i = 0; i < info->stream_count; i++)
		if (linearity_take_stream(linearity, device, i, &stream))
			print_stream(&stream, info->streams[i].name, out);
}

static void print_run(const struct linearity *linearity, size_t run, FILE *out)
{
	const struct linearity_run *one = &linearity->runs[run];
	const struct run_info *info = one->result->info;
	char duration[FIGURE_BYTES];
	char slice[FIGURE_BYTES];

	fprintf(out, "%s: %s, run %s, %zu device%s, %s in slices of %s%s\n",
		run == linearity->together ? "together" : "alone", one->log, info->run_id,
		info->device_count, info->device_count == 1 ? "" : "s",
		figure_duration(duration, info->duration_ns, 3),
		figure_duration(slice, info->slice_ns, 3), info->stress ? ", stress" : "");
	fprintf(out, "  %s: %s\n", verdict_name(one->result->verdict), one->result->reason);
	if (info->caveat[0])
		fprintf(out, "  not a certification: %s\n", info->caveat);
}

static void print_differences(const struct linearity *linearity, FILE *out)
{
	for (size_t i = 0; i < linearity->difference_count; i++) {
		const struct linearity_difference *one = &linearity->differences[i];

		fprintf(out, "not the same: %s: %s in %s, %s together\n", one->what, one->in_alone,
			linearity->runs[one->alone].log, one->in_together);
	}
}

int report_linearity_text(const struct linearity *linearity, FILE *out)
{
	static const char *const words[] = {[LINEARITY_HOLDS] = "HOLDS",
					    [LINEARITY_LOST] = "LOST",
					    [LINEARITY_UNKNOWN] = "INVALID"};
	const struct run_info *info = linearity->runs[linearity->together].result->info;
	char text[LINEARITY_WORDS_BYTES];

	for (size_t i = 0; i < linearity->run_count; i++)
		if (i != linearity->together)
			print_run(linearity, i, out);
	print_run(linearity, linearity->together, out);
	print_differences(linearity, out);
	for (size_t i = 0; i < linearity->device_count; i++)
		print_device(linearity, i, out);
	fputs("\nchange: of the rate in percent, of shares in percentage points, of times as a "
	      "factor\n",
	      out);
	for (size_t i = 0; i < linearity->device_count; i++)
		fprintf(out, "%s: %s\n", info->devices[i].name,
			linearity_conclude_device(text, linearity, i));
	fprintf(out, "%s: %s\n", words[linearity->outcome], linearity_conclude(text, linearity));
	return ferror(out) ? -EIO : 0;
}
