#pragma once
#include <stddef.h>
#include <stdio.h>

#include "analysis/interval.h"

/*
 * Right-aligned text tables of any number of rows without keeping them: show
 * each row to table_measure first, then print each.
 */

#define TABLE_COLUMNS_MAX (19 + 2 * THRESHOLDS_MAX)
#define TABLE_CELL_BYTES  32
#define TABLE_WIDTH       100 /* of the terminal that tables are made for */

struct table_row {
	char cells[TABLE_COLUMNS_MAX][TABLE_CELL_BYTES];
	size_t count;
};

struct table {
	size_t widths[TABLE_COLUMNS_MAX];
	size_t columns;
};

/* Appends a cell; what is too long for it is cut off. */
void table_cell(struct table_row *row, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void table_measure(struct table *table, const struct table_row *row);
/* Two blanks between columns, one where two would leave TABLE_WIDTH. */
void table_print(const struct table *table, const struct table_row *row, FILE *out);
