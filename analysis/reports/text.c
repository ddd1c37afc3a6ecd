#include "analysis/reports/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/figures.h"
#include "analysis/reports/act_view.h"
#include "analysis/reports/columns.h"
#include "analysis/reports/environment.h"
#include "analysis/reports/table.h"
#include "analysis/reports/verification.h"
#include "analysis/rules.h"
#include "analysis/slice.h"

/* One stream of all devices together (judgement 0) or of device judgement - 1. */
struct section {
	const struct result *result;
	size_t judgement;
	size_t stream;
	unsigned columns; /* enum columns */
};

static const struct summary *section_total(const struct section *section)
{
	const struct result *result = section->result;
	const struct judgement *total =
	    section->judgement ? &result->device_totals[section->judgement - 1] : &result->total;

	return &total->streams[section->stream];
}

static const struct summary *section_slice(const struct section *section, size_t i)
{
	struct slice *slice = section->result->slices[i];

	return &slice_judgement(slice, section->judgement)->streams[section->stream];
}

static void header_row(const struct section *section, struct table_row *row)
{
	static const char *const before[] = {"slice", "start", "rate/s", "planned", "%"};
	static const char *const after[] = {"errors", "verdict"};

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		table_cell(row, "%s", before[i]);
	columns_headings(row, section->result->info, section->columns);
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++)
		table_cell(row, "%s", after[i]);
}

static void rate_cells(struct table_row *row, const struct summary *sums, uint64_t duration_ns)
{
	char text[FIGURE_BYTES];

	table_cell(row, "%s", figure_rate(text, sums->completed, duration_ns));
	table_cell(row, "%s", figure_rate(text, sums->planned, duration_ns));
	table_cell(row, "%s",
		   figure_share(text, sums->completed, sums->planned, &rules_issued_min));
}

static void latency_cells(struct table_row *row, const struct section *section,
			  const struct column_figures *figures)
{
	columns_cells(row, section->result->info, figures, section->columns);
	table_cell(row, "%" PRIu64, figures->errors);
}

static void summary_cells(struct table_row *row, const struct section *section,
			  const struct summary *sums)
{
	struct column_figures figures = {0};

	columns_raise(&figures, sums, section->result->info->criterion_count);
	latency_cells(row, section, &figures);
}

/* The verdict is that of the slice (or of the device in it), and stands only
 * where the stream takes part in it. */
static void slice_row(const struct section *section, size_t i, struct table_row *row)
{
	const struct run_info *info = section->result->info;
	struct slice *slice = section->result->slices[i];
	const struct summary *sums = section_slice(section, i);
	enum verdict verdict =
	    section->judgement ? slice->devices[section->judgement - 1].verdict : slice->verdict;
	char start[FIGURE_BYTES];

	table_cell(row, "%" PRIu64 "%s", slice->number, slice->partial ? "*" : "");
	table_cell(row, "%s", figure_clock(start, slice->start_ns));
	rate_cells(row, sums, slice->duration_ns);
	summary_cells(row, section, sums);
	table_cell(row, "%s", judge_is_judged(info, section->stream) ? verdict_name(verdict) : "-");
}

static void average_row(const struct section *section, struct table_row *row)
{
	const struct summary *sums = section_total(section);

	table_cell(row, "avg");
	table_cell(row, "%s", "");
	rate_cells(row, sums, section->result->measured_ns);
	summary_cells(row, section, sums);
}

static void maximum_row(const struct section *section, struct table_row *row)
{
	struct column_figures most = {0};

	for (size_t i = 0; i < section->result->slice_count; i++)
		columns_raise(&most, section_slice(section, i),
			      section->result->info->criterion_count);
	table_cell(row, "max");
	for (int i = 0; i < 4; i++)
		table_cell(row, "%s", "");
	latency_cells(row, section, &most);
}

static void section_row(const struct section *section, size_t i, struct table_row *row)
{
	size_t slices = section->result->slice_count;

	row->count = 0;
	if (i == 0)
		header_row(section, row);
	else if (i <= slices)
		slice_row(section, i - 1, row);
	else if (i == slices + 1)
		average_row(section, row);
	else
		maximum_row(section, row);
}

/* "5 % over 1 ms, 1 % over 8 ms" */
static void print_limits(const struct run_info *info, FILE *out)
{
	char limit[FIGURE_BYTES];
	char threshold[FIGURE_BYTES];

	for (size_t i = 0; i < info->criterion_count; i++)
		fprintf(out, "%s%s over %s", i ? ", " : "",
			figure_limit(limit, info->criteria[i].limit),
			figure_duration(threshold, info->criteria[i].threshold_ns, 7));
}

static void print_section(const struct section *section, FILE *out)
{
	const struct run_info *info = section->result->info;
	const char *device = section->judgement       ? info->devices[section->judgement - 1].name
			     : info->device_count > 1 ? "all devices"
						      : info->devices[0].name;
	struct table table = {0};
	struct table_row row;

	fprintf(out, "\n%s, %s (", info->streams[section->stream].name, device);
	if (!judge_is_judged(info, section->stream))
		fputs("not judged", out);
	else if (info->stress)
		fputs("stress: latency is shown, not judged", out);
	else
		print_limits(info, out);
	fputs(")\n", out);
	for (size_t i = 0; i < section->result->slice_count + 3; i++) {
		section_row(section, i, &row);
		table_measure(&table, &row);
	}
	for (size_t i = 0; i < section->result->slice_count + 3; i++) {
		section_row(section, i, &row);
		table_print(&table, &row, out);
	}
}

static void print_sections(const struct result *result, unsigned columns, FILE *out)
{
	const struct run_info *info = result->info;
	size_t devices = info->device_count > 1 ? info->device_count : 0;

	for (int judged = 1; judged >= 0; judged--) {
		for (size_t stream = 0; stream < info->stream_count; stream++) {
			if (judge_is_judged(info, stream) != judged)
				continue;
			for (size_t i = 0; i <= (judged ? devices : 0); i++) {
				struct section section = {result, i, stream, columns};

				print_section(&section, out);
			}
		}
	}
}

static void print_notes(const struct result *result, FILE *out)
{
	bool partial = false;

	for (size_t i = 0; i < result->slice_count; i++)
		partial |= result->slices[i]->partial;
	fputs("\navg: over the whole run; max: the largest of any slice", out);
	fputs(partial ? "; *: a slice that is not whole\n" : "\n", out);
}

static void print_overflow(const struct result *result, FILE *out)
{
	const struct run_info *info = result->info;
	char count[FIGURE_BYTES];

	for (size_t i = 0; i < info->stream_count; i++) {
		uint64_t overflow = result->total.streams[i].overflow[SPAN_RESPONSE];

		if (overflow > 0)
			fprintf(out,
				"%s %s took longer than 137 s: max tells, percentiles do not\n",
				figure_count(count, overflow), info->streams[i].name);
	}
}

static void print_reasons(const char *whose, const struct judgement *judgement, FILE *out)
{
	for (size_t i = 0; i < judgement->reason_count; i++)
		fprintf(out, "  %s: %s: %s\n", whose, verdict_name(judgement->reasons[i].verdict),
			judgement->reasons[i].text);
}

static void print_worst(const struct result *result, FILE *out)
{
	const struct run_info *info = result->info;
	const struct slice *worst = result->slices[result->worst];
	char start[FIGURE_BYTES];

	fprintf(out, "worst slice: %" PRIu64 " (from %s), %s\n", worst->number,
		figure_clock(start, worst->start_ns), verdict_name(worst->verdict));
	print_reasons(info->device_count > 1 ? "all devices" : info->devices[0].name, &worst->all,
		      out);
	for (size_t i = 0; i < info->device_count && info->device_count > 1; i++)
		print_reasons(info->devices[i].name, &worst->devices[i], out);
}

static void print_head(const struct result *result, FILE *out)
{
	const struct run_info *info = result->info;
	char size[FIGURE_BYTES];
	char duration[FIGURE_BYTES];
	char slice[FIGURE_BYTES];

	if (info->run_id[0])
		fprintf(out, "actcert %s, run %s, started %s on %s (Linux %s)\n", info->version,
			info->run_id, info->started, info->host, info->kernel);
	else
		fprintf(out, "a run of %s, %s\n", info->version, info->title);
	for (size_t i = 0; i < info->device_count; i++) {
		const struct info_device *device = &info->devices[i];

		fprintf(out, "%s: %s bytes%s%s%s%s\n", device->name,
			device->size_bytes ? figure_count(size, device->size_bytes) : "unknown",
			device->is_file ? ", a file" : "", device->model[0] ? ", " : "",
			device->model, device->logical_block_bytes == 4096 ? ", 4 KiB blocks" : "");
	}
	fprintf(out, "%s in slices of %s%s\n", figure_duration(duration, info->duration_ns, 3),
		figure_duration(slice, info->slice_ns, 3), info->stress ? ", stress" : "");
	if (info->caveat[0])
		fprintf(out, "not a certification: %s\n", info->caveat);
}

static void print_act_view(const struct result *result, FILE *out)
{
	char text[ACT_VIEW_BYTES];

	if (act_view(result, text))
		fprintf(out, "%s\n", text);
}

int report_verdict_line(const struct result *result, FILE *out)
{
	fprintf(out, "%s: %s\n", verdict_name(result->verdict), result->reason);
	return ferror(out) ? -EIO : 0;
}

int report_text_columns(const struct result *result, unsigned columns, FILE *out)
{
	print_head(result, out);
	if (result->slice_count > 0) {
		print_sections(result, columns, out);
		print_notes(result, out);
		print_overflow(result, out);
		print_worst(result, out);
		print_act_view(result, out);
	}
	verification_print(result, out);
	environment_print(result->info, out);
	print_reasons("run", &result->total, out);
	if (result->end.log_disk_full)
		fputs("parts of the log could not be written: its file system is full\n", out);
	return report_verdict_line(result, out);
}

int report_text(const struct result *result, FILE *out)
{
	return report_text_columns(result, COLUMNS_RESPONSE, out);
}
