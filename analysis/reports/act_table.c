#include "analysis/reports/act_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_WIDTH 7
#define RATE_WIDTH  11

struct figures {
	double over[ACT_TABLE_BUCKETS];
	double rate;
};

/* One histogram of the table. */
struct column {
	const char *name; /* as it was asked for */
	const struct act_histogram *source;
	uint64_t total_before; /* at the last slice's end */
	uint64_t within_before[ACT_TABLE_BUCKETS];
	struct figures slice;
	struct figures sum;
	struct figures most;
	int indent; /* because the name of the column before is wide */
};

struct table {
	const struct act_table_options *options;
	FILE *out;
	size_t count;
	struct column columns[ACT_TABLE_COLUMNS_MAX];
	uint64_t last_sec; /* end of the last row */
	uint64_t seen_sec; /* of the last block */
	struct act_table_notes notes;
};

static unsigned threshold_count(const struct act_table_options *options)
{
	unsigned room = (ACT_TABLE_BUCKETS - 1 - options->start) / options->every + 1;

	return options->count < room ? options->count : room;
}

static unsigned threshold(const struct act_table_options *options, unsigned i)
{
	return options->start + i * options->every;
}

static int table_width(const struct act_table_options *options)
{
	return LABEL_WIDTH * (int)threshold_count(options) + (options->extra ? RATE_WIDTH : 0);
}

/* The nearest number with so many decimals, as printing it and reading it back. */
static double rounded(double value, int decimals)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*f", decimals, value);
	return strtod(text, NULL);
}

/* By its name, or else the first whose name begins so. */
static const struct act_histogram *find(const struct act_log *log, const char *name)
{
	const struct act_histogram *histogram = act_log_find(log, name);

	for (size_t i = 0; !histogram && i < act_log_histogram_count(log); i++) {
		const struct act_histogram *candidate = act_log_histogram(log, i);

		if (!strncmp(candidate->name, name, strlen(name)) ||
		    !strncmp(candidate->tag, name, strlen(name)))
			histogram = candidate;
	}
	return histogram;
}

/* What is shown when nothing was asked for: all reads, whatever the version calls
 * them. */
static const struct act_histogram *find_reads(const struct act_log *log)
{
	for (size_t i = 0; i < act_log_histogram_count(log); i++)
		if (act_log_histogram(log, i)->kind == ACT_READS)
			return act_log_histogram(log, i);
	return NULL;
}

static int missing(const struct act_log *log, const char *name, struct error *err)
{
	char names[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < act_log_histogram_count(log) && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
					 act_log_histogram(log, i)->name);
	return error_usage(err, EINVAL, "histogram \"%s\": there are %s", name, names);
}

static int choose_columns(struct table *table, const struct act_log *log, struct error *err)
{
	const struct act_table_options *options = table->options;
	size_t asked = options->histogram_count;

	table->count = asked ? asked : 1;
	for (size_t i = 0; i < table->count; i++) {
		struct column *column = &table->columns[i];
		int width = table_width(options);

		column->name = asked ? options->histograms[i] : "reads";
		column->source = asked ? find(log, column->name) : find_reads(log);
		if (!column->source)
			return missing(log, column->name, err);
		if (!asked)
			column->name = column->source->name;
		if (i > 0 && 1 + (int)strlen(column[-1].name) > width)
			column->indent = 1 + (int)strlen(column[-1].name) - width;
	}
	return 0;
}

/* "HEADING", its lines, and an empty one. */
static void print_lines(const char *heading, const char *lines, FILE *out)
{
	fprintf(out, "%s\n%s\n", heading, lines ? lines : "");
}

static void print_head(const struct table *table, const struct act_log *log)
{
	const struct act_head *head = act_log_head(log);

	if (table->notes.slice_sec != table->options->slice_sec)
		fprintf(table->out, "analyzing time slices of %" PRIu64 " seconds\n",
			table->notes.slice_sec);
	print_lines(head->title, head->configuration, table->out);
	print_lines("DERIVED CONFIGURATION", head->derived, table->out);
	fputs("HISTOGRAM NAMES\n", table->out);
	for (size_t i = 0; i < act_log_histogram_count(log); i++)
		fprintf(table->out, "%s\n", act_log_histogram(log, i)->name);
	fputc('\n', table->out);
}

static void print_names(const struct table *table)
{
	fputs("     ", table->out);
	for (size_t i = 0; i < table->count; i++)
		fprintf(table->out, "   %-*s", table_width(table->options) - 1,
			table->columns[i].name);
	fputc('\n', table->out);
}

static void print_units(const struct table *table, bool microseconds)
{
	fputs("     ", table->out);
	for (size_t i = 0; i < table->count; i++)
		fprintf(table->out, "  %*s%-*s", table->columns[i].indent, "",
			table_width(table->options), microseconds ? " %>(us)" : " %>(ms)");
	fputc('\n', table->out);
}

static void print_thresholds(const struct table *table)
{
	const struct act_table_options *options = table->options;

	fputs("slice", table->out);
	for (size_t k = 0; k < table->count; k++) {
		fprintf(table->out, "  %*s", table->columns[k].indent, "");
		for (unsigned i = 0; i < threshold_count(options); i++)
			fprintf(table->out, "%*u", LABEL_WIDTH, 1U << threshold(options, i));
		if (options->extra)
			fprintf(table->out, "%*s", RATE_WIDTH, "rate");
	}
	fputc('\n', table->out);
}

static void print_rule(const struct table *table)
{
	const struct act_table_options *options = table->options;

	fputs("-----", table->out);
	for (size_t k = 0; k < table->count; k++) {
		fprintf(table->out, "  %*s", table->columns[k].indent, "");
		for (unsigned i = 0; i < threshold_count(options); i++)
			fputs(" ------", table->out);
		if (options->extra)
			fputs(" ----------", table->out);
	}
	fputc('\n', table->out);
}

static void print_figures(const struct table *table, const struct column *column,
			  const struct figures *figures)
{
	const struct act_table_options *options = table->options;

	fprintf(table->out, "  %*s", column->indent, "");
	for (unsigned i = 0; i < threshold_count(options); i++)
		fprintf(table->out, "%*.2f", LABEL_WIDTH, figures->over[threshold(options, i)]);
	if (options->extra)
		fprintf(table->out, "%*.1f", RATE_WIDTH, figures->rate);
}

/* Figures of the slice that ends with the histogram's present values, `seconds`
 * after the one before. Counts that go back give what they gave in the older tool:
 * figures that nobody takes for good ones. */
static void take_slice(struct column *column, uint64_t seconds)
{
	const struct act_histogram *source = column->source;
	int64_t total = (int64_t)(source->total - column->total_before);
	uint64_t within = 0;

	for (unsigned i = 0; i < ACT_TABLE_BUCKETS; i++) {
		double *over = &column->slice.over[i];
		int64_t count;

		within += source->buckets[i];
		count = (int64_t)((uint64_t)total - (within - column->within_before[i]));
		*over = total ? rounded((double)count * 100.0 / (double)total, 2) : 0;
		column->within_before[i] = within;
		column->sum.over[i] += *over;
		if (*over > column->most.over[i])
			column->most.over[i] = *over;
	}
	column->total_before = source->total;
	column->slice.rate = rounded((double)total / (double)seconds, 1);
	column->sum.rate += column->slice.rate;
	if (column->slice.rate > column->most.rate)
		column->most.rate = column->slice.rate;
}

static void print_slice(struct table *table, uint64_t number, uint64_t seconds)
{
	fprintf(table->out, "%5" PRIu64, number);
	for (size_t i = 0; i < table->count; i++) {
		take_slice(&table->columns[i], seconds);
		print_figures(table, &table->columns[i], &table->columns[i].slice);
	}
	fputc('\n', table->out);
}

static void print_aggregates(const struct table *table)
{
	double slices = (double)table->notes.slices;

	print_rule(table);
	fputs("  avg", table->out);
	for (size_t k = 0; k < table->count; k++) {
		struct figures average;

		for (unsigned i = 0; i < ACT_TABLE_BUCKETS; i++)
			average.over[i] = table->columns[k].sum.over[i] / slices;
		average.rate = table->columns[k].sum.rate / slices;
		print_figures(table, &table->columns[k], &average);
	}
	fputs("\n  max", table->out);
	for (size_t k = 0; k < table->count; k++)
		print_figures(table, &table->columns[k], &table->columns[k].most);
	fputc('\n', table->out);
}

/* Before the first row, when it is known which histograms there are. */
static int begin(struct table *table, const struct act_log *log, struct error *err)
{
	const struct act_head *head = act_log_head(log);
	uint64_t interval = head->report_interval_sec ? head->report_interval_sec : 1;
	uint64_t intervals = (table->options->slice_sec - 1) / interval + 1;
	int rc = choose_columns(table, log, err);

	if (rc < 0)
		return rc;
	if (__builtin_mul_overflow(intervals, interval, &table->notes.slice_sec))
		return error_usage(err, ERANGE, "slice is too long");
	print_head(table, log);
	print_names(table);
	print_units(table, head->microseconds);
	print_thresholds(table);
	print_rule(table);
	return 0;
}

static int take_block(struct table *table, const struct act_log *log, struct error *err)
{
	const struct act_block *block = act_log_block(log);
	uint64_t slice_sec;
	int rc = table->count ? 0 : begin(table, log, err);

	if (rc < 0 || block->seconds <= table->seen_sec)
		return rc;
	table->seen_sec = block->seconds;
	slice_sec = table->notes.slice_sec;
	if (block->seconds % slice_sec > 0 || !block->complete)
		return 0;
	print_slice(table, block->seconds / slice_sec, block->seconds - table->last_sec);
	table->notes.slices++;
	table->notes.merged += (block->seconds - table->last_sec) / slice_sec - 1;
	table->last_sec = block->seconds;
	return 0;
}

static int read_blocks(struct table *table, struct act_log *log, struct error *err)
{
	enum act_event event = ACT_BLOCK;
	int rc = 0;

	while (rc == 0 && event != ACT_NO_MORE) {
		rc = act_log_next(log, &event, err);
		if (rc == 0 && event == ACT_BLOCK)
			rc = take_block(table, log, err);
	}
	if (rc == 0 && act_log_last_block(log))
		rc = take_block(table, log, err);
	return rc;
}

int act_table_print(struct act_log *log, const struct act_table_options *options, FILE *out,
		    struct act_table_notes *ret_notes, struct error *err)
{
	struct table *table = calloc(1, sizeof(*table));
	int rc;

	if (!table)
		return error_environment(err, ENOMEM, "not enough memory");
	table->options = options;
	table->out = out;
	rc = read_blocks(table, log, err);
	if (rc == 0 && table->count == 0)
		rc = error_usage(err, ENODATA, "there is not one block of histograms");
	if (rc == 0) {
		if (table->notes.slices > 0)
			print_aggregates(table);
		table->notes.rest_sec = table->seen_sec - table->last_sec;
		*ret_notes = table->notes;
	}
	if (rc == 0 && ferror(out))
		rc = error_environment(err, EIO, "stdout: cannot be written");
	free(table);
	return rc;
}
