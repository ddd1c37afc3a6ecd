#include "analysis/reports/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/figures.h"
#include "analysis/reports/act_view.h"
#include "analysis/reports/columns.h"
#include "analysis/reports/environment.h"
#include "analysis/reports/phase_table.h"
#include "analysis/reports/section.h"
#include "analysis/reports/table.h"
#include "analysis/reports/verification.h"
#include "analysis/rules.h"

static const struct summary *slice_sums(const struct section *section, size_t i)
{
	const struct slice *slice = section->result->slices[i];

	return section_sums(section, &slice->all, slice->devices);
}

static void header_row(const struct section *section, struct table_row *row)
{
	static const char *const before[] = {"start", "rate/s", "planned", "%"};
	static const char *const after[] = {"errors", "verdict"};

	table_cell(row, "slice");
	if (section->result->info->phase_count > 0)
		table_cell(row, "phase");
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
	columns_cells(row, section->result->info, section->stream, figures, section->columns);
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
	const struct slice *slice = section->result->slices[i];
	const struct summary *sums = slice_sums(section, i);
	enum verdict verdict =
	    section->judgement ? slice->devices[section->judgement - 1].verdict : slice->verdict;
	char start[FIGURE_BYTES];

	table_cell(row, "%" PRIu64 "%s", slice->number, slice->partial ? "*" : "");
	if (info->phase_count > 0)
		table_cell(row, "%.28s", info->phases[slice->phase].name);
	table_cell(row, "%s", figure_clock(start, slice->start_ns));
	rate_cells(row, sums, slice->duration_ns);
	summary_cells(row, section, sums);
	table_cell(row, "%s", section_verdict(section, slice->phase, verdict));
}

static void average_row(const struct section *section, struct table_row *row)
{
	const struct result *result = section->result;
	const struct summary *sums = section_sums(section, &result->total, result->device_totals);

	table_cell(row, "avg");
	for (int i = result->info->phase_count > 0 ? 0 : 1; i < 2; i++)
		table_cell(row, "%s", "");
	rate_cells(row, sums, result->measured_ns);
	summary_cells(row, section, sums);
}

static void maximum_row(const struct section *section, struct table_row *row)
{
	struct column_figures most = {0};

	for (size_t i = 0; i < section->result->slice_count; i++)
		columns_raise(&most, slice_sums(section, i),
			      section->result->info->criterion_count);
	table_cell(row, "max");
	for (int i = section->result->info->phase_count > 0 ? 0 : 1; i < 5; i++)
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

static void print_section(const struct section *section, FILE *out)
{
	struct table table = {0};
	struct table_row row;

	section_print_title(section, out);
	for (size_t i = 0; i < section->result->slice_count + 3; i++) {
		section_row(section, i, &row);
		table_measure(&table, &row);
	}
	for (size_t i = 0; i < section->result->slice_count + 3; i++) {
		section_row(section, i, &row);
		table_print(&table, &row, out);
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

/* Of phases that are one slice each, the tables of slices would say the same again. */
static void print_tables(const struct result *result, unsigned columns, FILE *out)
{
	phase_table_print(result, out);
	if (columns == 0 && phase_table_suffices(result)) {
		fputs("all streams, slice by slice: analyze --columns response\n", out);
		return;
	}
	columns = columns > 0 ? columns : COLUMNS_RESPONSE;
	sections_print(result, true, columns, print_section, out);
	sections_print(result, false, columns, print_section, out);
	print_notes(result, out);
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

	fprintf(out, "worst slice: %" PRIu64 " (from %s", worst->number,
		figure_clock(start, worst->start_ns));
	if (info->phase_count > 0)
		fprintf(out, ", phase '%s'", info->phases[worst->phase].name);
	fprintf(out, "), %s\n", verdict_name(worst->verdict));
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
	fprintf(out, "%s in slices of %s", figure_duration(duration, info->duration_ns, 3),
		figure_duration(slice, info->slice_ns, 3));
	if (info->phase_count > 0)
		fprintf(out, ", %zu phase%s", info->phase_count, info->phase_count == 1 ? "" : "s");
	fprintf(out, "%s\n", info->stress ? ", stress" : "");
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
		print_tables(result, columns, out);
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
	return report_text_columns(result, 0, out);
}
