#include "analysis/reports/phase_table.h"

#include <inttypes.h>

#include "act/base/clock.h"
#include "analysis/figures.h"
#include "analysis/reports/columns.h"
#include "analysis/reports/section.h"
#include "analysis/reports/table.h"
#include "analysis/rules.h"

/* Where the bytes written are counted: of the section's device, or where it has no writes,
 * of its neighbours and it together. */
static size_t writing_judgement(const struct section *section)
{
	const struct run_info *info = section->result->info;
	size_t device = section->judgement ? section->judgement - 1 : info->device_count;

	for (size_t i = 0; i < info->stream_count; i++)
		if (info->streams[i].is_write &&
		    run_info_is_issued(info, info->phase_count, device, i))
			return section->judgement;
	return 0;
}

static void header_row(const struct section *section, struct table_row *row)
{
	table_cell(row, "phase");
	table_cell(row, "rate/s");
	table_cell(row, "%%");
	columns_headings(row, section->result->info, COLUMNS_SHARES);
	table_cell(row, "p50 ms");
	table_cell(row, "p99 ms");
	table_cell(row, "p99.9");
	table_cell(row, writing_judgement(section) == section->judgement ? "wr MB/s" : "all wr");
	table_cell(row, "errors");
	table_cell(row, "verdict");
}

/* Written by all streams together. */
static void written_cell(struct table_row *row, const struct section *section,
			 const struct phase_result *phase)
{
	const struct run_info *info = section->result->info;
	size_t judgement = writing_judgement(section);
	const struct judgement *of = judgement ? &phase->devices[judgement - 1] : &phase->all;
	uint64_t bytes = 0;

	for (size_t i = 0; i < info->stream_count; i++)
		if (info->streams[i].is_write)
			bytes += of->streams[i].bytes;
	if (phase->measured_ns == 0)
		table_cell(row, "-");
	else
		table_cell(row, "%.2f", (double)bytes * 1e3 / (double)phase->measured_ns);
}

static void phase_row(const struct section *section, size_t i, struct table_row *row)
{
	const struct run_info *info = section->result->info;
	const struct phase_result *phase = &section->result->phases[i];
	const struct summary *sums = section_sums(section, &phase->all, phase->devices);
	enum verdict verdict =
	    section->judgement ? phase->devices[section->judgement - 1].verdict : phase->verdict;
	struct column_figures figures = {0};
	char text[FIGURE_BYTES];

	columns_raise(&figures, sums, info->criterion_count);
	table_cell(row, "%.28s%s", info->phases[i].name, phase->partial ? "*" : "");
	table_cell(row, "%s", figure_rate(text, sums->completed, phase->measured_ns));
	table_cell(row, "%s",
		   figure_share(text, sums->completed, sums->planned, &rules_issued_min));
	columns_cells(row, info, section->stream, &figures, COLUMNS_SHARES);
	table_cell(row, "%s", figure_ms(text, sums->p50_ns[SPAN_RESPONSE]));
	table_cell(row, "%s", figure_ms(text, sums->p99_ns[SPAN_RESPONSE]));
	table_cell(row, "%s", figure_ms(text, sums->p999_ns[SPAN_RESPONSE]));
	written_cell(row, section, phase);
	table_cell(row, "%" PRIu64, sums->errors);
	table_cell(row, "%s", section_verdict(section, i, verdict));
}

/* Row 0 has the headings. False where there is nothing to tell: the phase was not reached. */
static bool take_row(const struct section *section, size_t i, struct table_row *row)
{
	row->count = 0;
	if (i > 0 && section->result->phases[i - 1].slice_count == 0)
		return false;
	if (i == 0)
		header_row(section, row);
	else
		phase_row(section, i - 1, row);
	return true;
}

static void print_table(const struct section *section, FILE *out)
{
	size_t rows = section->result->info->phase_count + 1;
	struct table table = {0};
	struct table_row row;

	section_print_title(section, out);
	for (size_t i = 0; i < rows; i++)
		if (take_row(section, i, &row))
			table_measure(&table, &row);
	for (size_t i = 0; i < rows; i++)
		if (take_row(section, i, &row))
			table_print(&table, &row, out);
}

void phase_table_print(const struct result *result, FILE *out)
{
	const struct run_info *info = result->info;
	size_t missing = 0;
	bool partial = false;

	if (info->phase_count == 0 || info->judged_count == 0)
		return;
	sections_print(result, true, 0, print_table, out);
	for (size_t i = 0; i < info->phase_count; i++) {
		bool measured = result->phases[i].slice_count > 0;

		missing += !measured;
		partial |= measured && result->phases[i].partial;
	}
	fputs("\nwr MB/s: written meanwhile (all wr: by all devices); verdict -: not judged", out);
	fputs(partial ? "; *: a phase that is not whole\n" : "\n", out);
	if (missing > 0)
		fprintf(out, "%zu of %zu phases were not measured\n", missing, info->phase_count);
}

bool phase_table_suffices(const struct result *result)
{
	const struct run_info *info = result->info;
	bool single = info->phase_count > 0 && info->judged_count > 0;

	for (size_t i = 0; single && i < info->phase_count; i++)
		single = result->phases[i].slice_count <= 1;
	return single;
}
