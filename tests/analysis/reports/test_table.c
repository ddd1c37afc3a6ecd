#include "analysis/reports/table.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/capture.h"

static char *print(struct table_row *rows, size_t count)
{
	struct capture capture;
	struct table table = {0};

	capture_start(&capture);
	for (size_t i = 0; i < count; i++)
		table_measure(&table, &rows[i]);
	for (size_t i = 0; i < count; i++)
		table_print(&table, &rows[i], capture.stream);
	capture_end(&capture);
	return capture.text;
}

Test(table, columns_are_aligned_to_the_right)
{
	struct table_row rows[2] = {0};

	table_cell(&rows[0], "slice");
	table_cell(&rows[0], "%d", 5);
	table_cell(&rows[0], "errors");
	table_cell(&rows[1], "1");
	table_cell(&rows[1], "12345");

	char *text = print(rows, 2);

	cr_expect_str_eq(text, "slice      5  errors\n"
			       "    1  12345\n");
	free(text);
}

Test(table, a_wide_table_is_drawn_closer)
{
	struct table_row rows[1] = {0};

	/* 10 columns of 9 with 9 gaps: 108 with two blanks, 99 with one */
	for (int i = 0; i < 10; i++)
		table_cell(&rows[0], "123456789");

	char *text = print(rows, 1);

	cr_expect_eq(strlen(text), 99 + 1);
	free(text);
}

Test(table, a_long_cell_is_cut_off)
{
	struct table_row rows[1] = {0};

	table_cell(&rows[0], "%050d", 1);

	char *text = print(rows, 1);

	cr_expect_eq(strlen(text), TABLE_CELL_BYTES - 1 + 1);
	free(text);
}
