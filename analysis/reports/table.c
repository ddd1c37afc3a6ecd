#include "analysis/reports/table.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

void table_cell(struct table_row *row, const char *format, ...)
{
	va_list args;

	assert(row->count < TABLE_COLUMNS_MAX);
	va_start(args, format);
	vsnprintf(row->cells[row->count++], TABLE_CELL_BYTES, format, args);
	va_end(args);
}

void table_measure(struct table *table, const struct table_row *row)
{
	if (row->count > table->columns)
		table->columns = row->count;
	for (size_t i = 0; i < row->count; i++) {
		size_t length = strlen(row->cells[i]);

		if (length > table->widths[i])
			table->widths[i] = length;
	}
}

void table_print(const struct table *table, const struct table_row *row, FILE *out)
{
	size_t width = 0;

	for (size_t i = 0; i < table->columns; i++)
		width += table->widths[i] + (i ? 2 : 0);

	int gap = width <= TABLE_WIDTH ? 2 : 1;

	for (size_t i = 0; i < row->count; i++)
		fprintf(out, "%*s%*s", i ? gap : 0, "", (int)table->widths[i], row->cells[i]);
	fputc('\n', out);
}
