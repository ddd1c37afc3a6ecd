/* The list of devices as tables for people. */
#include <errno.h>
#include <inttypes.h>
#include <libsmartcols/libsmartcols.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "act/cmd/devices.h"
#include "analysis/figures.h"

#define CELL_BYTES (ERROR_TEXT_BYTES + 16)
/* Cells with sentences are not made narrower than this. */
#define SENTENCE_MIN 24

#define GAP_BYTES 2

#define KELVIN_OF_0_C 273

struct column {
	const char *title;
	int flags;
	/* Writes the cell. */
	void (*format)(char cell[static CELL_BYTES], const struct listed *item);
};

static void format_known(char cell[static CELL_BYTES], const char *text)
{
	snprintf(cell, CELL_BYTES, "%s", text[0] ? text : "-");
}

static void format_device(char cell[static CELL_BYTES], const struct listed *item)
{
	format_known(cell, item->device.name);
}

static void format_size(char cell[static CELL_BYTES], const struct listed *item)
{
	char size[FIGURE_BYTES];

	format_known(cell, figure_bytes(size, item->device.size_bytes));
}

/* "complete, made 2026-11-30 18:38", and what else is worth knowing. */
static void format_complete(char cell[static CELL_BYTES], const struct listed *item)
{
	const struct label *label = &item->device.label;
	time_t finished = (time_t)label->finished_s;
	char made[32] = "";
	struct tm local;

	if (label->stage != LABEL_DONE) {
		snprintf(cell, CELL_BYTES, "complete, overwriting is not finished");
		return;
	}
	if (finished && localtime_r(&finished, &local))
		strftime(made, sizeof(made), ", made %Y-%m-%d %H:%M", &local);
	snprintf(cell, CELL_BYTES, "complete%s%s", made,
		 !label->overwrite ? ""
		 : label->steady   ? ", steady"
				   : ", not steady");
}

static void format_preparation(char cell[static CELL_BYTES], const struct listed *item)
{
	const struct label *label = &item->device.label;
	const char *serial = item->device.serial;
	char size[FIGURE_BYTES];

	switch (listed_preparation(item)) {
	case PREPARATION_UNKNOWN:
		snprintf(cell, CELL_BYTES, "unknown");
		return;
	case PREPARATION_NONE:
		snprintf(cell, CELL_BYTES, "none");
		return;
	case PREPARATION_INCOMPLETE:
		snprintf(cell, CELL_BYTES, "%s %u %%", label_stage_name(label->stage),
			 listed_stage_pct(item));
		break;
	case PREPARATION_OTHER_SIZE:
		snprintf(cell, CELL_BYTES, "made for another size, %s",
			 figure_bytes(size, label->device_bytes));
		break;
	case PREPARATION_COMPLETE:
		format_complete(cell, item);
		break;
	}
	if (label->serial[0] && serial[0] && strcmp(label->serial, serial) != 0) {
		size_t used = strlen(cell);

		snprintf(cell + used, CELL_BYTES - used, ", label of drive %s", label->serial);
	}
}

static void format_state(char cell[static CELL_BYTES], const struct listed *item)
{
	static const char *const names[] = {
	    [LISTED_FREE] = "free",
	    [LISTED_REFUSED] = "refused",
	    [LISTED_UNKNOWN] = "unknown",
	};

	snprintf(cell, CELL_BYTES, "%s%s%s", names[item->state], item->reason[0] ? ": " : "",
		 item->reason);
}

static void format_model(char cell[static CELL_BYTES], const struct listed *item)
{
	if (!item->device.model[0] && item->backing[0])
		snprintf(cell, CELL_BYTES, "(%s)", item->backing);
	else
		format_known(cell, item->device.model);
}

static void format_serial(char cell[static CELL_BYTES], const struct listed *item)
{
	format_known(cell, item->device.serial);
}

static void format_firmware(char cell[static CELL_BYTES], const struct listed *item)
{
	format_known(cell, item->device.firmware);
}

static void format_block(char cell[static CELL_BYTES], const struct listed *item)
{
	snprintf(cell, CELL_BYTES, "%" PRIu32 "/%" PRIu32, item->device.logical_block_bytes,
		 item->device.physical_block_bytes);
}

static void format_scheduler(char cell[static CELL_BYTES], const struct listed *item)
{
	format_known(cell, item->scheduler);
}

static void format_node(char cell[static CELL_BYTES], const struct listed *item)
{
	if (item->numa_node < 0)
		format_known(cell, "");
	else
		snprintf(cell, CELL_BYTES, "%d", item->numa_node);
}

static void format_used(char cell[static CELL_BYTES], const struct listed *item)
{
	if (!item->smart_known)
		format_known(cell, "");
	else
		snprintf(cell, CELL_BYTES, "%u %%", item->smart.used_pct);
}

static void format_temperature(char cell[static CELL_BYTES], const struct listed *item)
{
	if (!item->smart_known || item->smart.temperature_k == 0)
		format_known(cell, "");
	else
		snprintf(cell, CELL_BYTES, "%d C", item->smart.temperature_k - KELVIN_OF_0_C);
}

static const struct column state_columns[] = {
    {"DEVICE", 0, format_device},
    {"SIZE", SCOLS_FL_RIGHT, format_size},
    {"PREPARATION", 0, format_preparation},
    {"STATE", SCOLS_FL_WRAP, format_state},
};

static const struct column drive_columns[] = {
    {"DEVICE", 0, format_device},
    {"MODEL", SCOLS_FL_TRUNC, format_model},
    {"SERIAL", 0, format_serial},
    {"FIRMWARE", 0, format_firmware},
    {"BLOCK", 0, format_block},
    {"SCHED", 0, format_scheduler},
    {"NUMA", SCOLS_FL_RIGHT, format_node},
    {"USED", SCOLS_FL_RIGHT, format_used},
    {"TEMP", SCOLS_FL_RIGHT, format_temperature},
};

struct layout {
	const struct column *columns;
	size_t count;
	bool partitions; /* shown, too */
	bool sentences;  /* in the last column */
};

#define COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))

static const struct layout states = {state_columns, COUNT(state_columns), true, true};
static const struct layout drives = {drive_columns, COUNT(drive_columns), false, false};

static bool is_shown(const struct layout *layout, const struct listed *item)
{
	return layout->partitions || !item->drive[0];
}

/* Puts the ends of lines where blanks were, so that none is longer than `width`
 * if words allow. */
static void break_lines(char *text, size_t width)
{
	char *start = text;

	while (strlen(start) > width) {
		char *blank = start + width;

		while (blank > start && *blank != ' ')
			blank--;
		if (blank == start)
			blank = strchr(start, ' ');
		if (!blank)
			return;
		*blank = '\n';
		start = blank + 1;
	}
}

/* How wide the first `count` columns are together, without gaps. */
static size_t width_of(const struct device_list *list, const struct layout *layout, size_t count)
{
	size_t width = 0;
	char cell[CELL_BYTES];

	for (size_t i = 0; i < count; i++) {
		size_t widest = strlen(layout->columns[i].title);

		for (size_t j = 0; j < list->count; j++) {
			layout->columns[i].format(cell, &list->items[j]);
			if (is_shown(layout, &list->items[j]) && strlen(cell) > widest)
				widest = strlen(cell);
		}
		width += widest;
	}
	return width;
}

/* What the other columns leave of the terminal's width to the sentences. */
static size_t sentence_width(const struct device_list *list, const struct layout *layout,
			     size_t width)
{
	size_t others = layout->count - 1;
	size_t used = width_of(list, layout, others) + GAP_BYTES * others;

	return used + SENTENCE_MIN < width ? width - used : SENTENCE_MIN;
}

static int add_columns(struct libscols_table *table, const struct layout *layout)
{
	for (size_t i = 0; i < layout->count; i++) {
		int flags = layout->columns[i].flags;
		struct libscols_column *column =
		    scols_table_new_column(table, layout->columns[i].title, 0, flags);

		if (!column)
			return -ENOMEM;
		if (flags & SCOLS_FL_WRAP &&
		    (scols_column_set_safechars(column, "\n") != 0 ||
		     scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
					       scols_wrapnl_nextchunk, NULL) != 0))
			return -ENOMEM;
	}
	return 0;
}

/* Sentences get lines of at most `wrap_at`; 0: one line. */
static int add_line(struct libscols_table *table, const struct layout *layout, size_t wrap_at,
		    const struct listed *item)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char cell[CELL_BYTES];

	if (!line)
		return -ENOMEM;
	for (size_t i = 0; i < layout->count; i++) {
		layout->columns[i].format(cell, item);
		if (wrap_at && layout->columns[i].flags & SCOLS_FL_WRAP)
			break_lines(cell, wrap_at);
		if (scols_line_set_data(line, i, cell) != 0)
			return -ENOMEM;
	}
	return 0;
}

static int print_table(const struct device_list *list, const struct layout *layout, FILE *out)
{
	struct libscols_table *table = scols_new_table();
	size_t wrap_at = 0;
	bool narrow = false;
	int rc = -ENOMEM;

	if (!table || scols_table_set_stream(table, out) != 0)
		goto out;
	if (isatty(fileno(out))) {
		size_t width = scols_table_get_termwidth(table);

		if (layout->sentences)
			wrap_at = sentence_width(list, layout, width);
		else
			narrow = width_of(list, layout, layout->count) +
				     GAP_BYTES * (layout->count - 1) >
				 width;
	}
	if (scols_table_set_column_separator(table, narrow ? " " : "  ") != 0)
		goto out;
	rc = add_columns(table, layout);
	for (size_t i = 0; rc == 0 && i < list->count; i++)
		if (is_shown(layout, &list->items[i]))
			rc = add_line(table, layout, wrap_at, &list->items[i]);
	if (rc == 0)
		rc = scols_print_table(table);
out:
	scols_unref_table(table);
	return rc;
}

int devices_print_table(const struct device_list *list, FILE *out)
{
	bool any_drive = false;
	int rc = print_table(list, &states, out);

	for (size_t i = 0; i < list->count; i++)
		any_drive |= is_shown(&drives, &list->items[i]);
	if (rc == 0 && any_drive) {
		fputc('\n', out);
		rc = print_table(list, &drives, out);
	}
	return rc;
}
