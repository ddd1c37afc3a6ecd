#include "analysis/reports/act_table.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/capture.h"

#define HEAD                                                                                       \
	"ACT version 6.6\nStorage device IO test\n\n"                                              \
	"ACT-STORAGE CONFIGURATION\ndevice-names: /dev/a /dev/ab\nreport-interval-sec: 2\n"        \
	"microsecond-histograms: no\n\nDERIVED CONFIGURATION\nx: 1\n\n"                            \
	"HISTOGRAM NAMES\nreads\n/dev/a-reads\n/dev/ab-reads\n\n"

#define BLOCK(seconds, reads, a, ab)                                                               \
	"after " seconds " sec:\nreads " reads "/dev/a-reads " a "/dev/ab-reads " ab "\n"

/* 1 of 3 over 1 ms is 33.33 %; 2 of 3 are 66.67 %. */
static const char log_text[] =
    HEAD BLOCK("2", "(3 total)\n (00: 2) (01: 1)\n", "(3 total)\n (00: 2) (01: 1)\n", "(0 total)\n")
	BLOCK("4", "(6 total)\n (00: 3) (01: 3)\n", "(3 total)\n (00: 2) (01: 1)\n",
	      "(3 total)\n (00: 1) (01: 2)\n")
	    BLOCK("6", "(6 total)\n (00: 3) (01: 3)\n", "(3 total)\n (00: 2) (01: 1)\n",
		  "(3 total)\n (00: 1) (01: 2)\n");

struct text {
	const char *at;
};

static ssize_t read_text(void *context, void *buffer, size_t size)
{
	struct text *text = context;
	size_t length = strnlen(text->at, size);

	memcpy(buffer, text->at, length);
	text->at += length;
	return (ssize_t)length;
}

static struct act_table_options options_of(const char *first, const char *second, uint64_t slice)
{
	struct act_table_options options = {.slice_sec = slice, .count = 2, .every = 1};

	options.histograms[0] = first;
	options.histograms[1] = second;
	options.histogram_count = (first != NULL) + (second != NULL);
	return options;
}

/* The table without what was configured; the caller frees it. */
static char *print(const char *log_of, const struct act_table_options *options,
		   struct act_table_notes *notes)
{
	struct text text = {log_of};
	struct capture capture;
	struct act_log *log;
	char *table;

	cr_assert_eq(act_log_new((struct act_source){read_text, &text}, "log", &log, NULL), 0);
	capture_start(&capture);
	cr_expect_eq(act_table_print(log, options, capture.stream, notes, NULL), 0);
	capture_end(&capture);
	act_log_free(log);
	table = strstr(capture.text, "\n        ");
	table = strdup(table ? table + 1 : "");
	free(capture.text);
	return table;
}

Test(act_table, rows_average_and_maximum)
{
	struct act_table_options options = options_of(NULL, NULL, 2);
	struct act_table_notes notes;

	options.extra = true;

	char *table = print(log_text, &options, &notes);

	cr_expect_str_eq(table, "        reads                   \n"
				"        %>(ms)                  \n"
				"slice        1      2       rate\n"
				"-----   ------ ------ ----------\n"
				"    1    33.33   0.00        1.5\n"
				"    2    66.67   0.00        1.5\n"
				"    3     0.00   0.00        0.0\n"
				"-----   ------ ------ ----------\n"
				"  avg    33.33   0.00        1.0\n"
				"  max    66.67   0.00        1.5\n");
	cr_expect_eq(notes.slices, 3);
	cr_expect_eq(notes.rest_sec, 0);
	cr_expect_eq(notes.merged, 0);
	free(table);
}

Test(act_table, a_wide_name_moves_the_next_column)
{
	struct act_table_options options = options_of("/dev/ab-reads", "/dev/a", 3);
	struct act_table_notes notes;

	options.count = 1;

	/* Rounded up to 4 s; the second name is the beginning of one, and it is not
	 * the histogram of the other device, which begins so, too. */
	char *table = print(log_text, &options, &notes);

	cr_expect_str_eq(table, "        /dev/ab-reads   /dev/a\n"
				"        %>(ms)          %>(ms)\n"
				"slice        1               1\n"
				"-----   ------          ------\n"
				"    1    66.67           33.33\n"
				"-----   ------          ------\n"
				"  avg    66.67           33.33\n"
				"  max    66.67           33.33\n");
	cr_expect_eq(notes.slice_sec, 4);
	cr_expect_eq(notes.slices, 1);
	cr_expect_eq(notes.rest_sec, 2);
	free(table);
}

Test(act_table, a_slice_without_its_end_is_in_the_next_row)
{
	static const char gap[] = HEAD BLOCK("2", "(2 total)\n (00: 2)\n", "(2 total)\n (00: 2)\n",
					     "(0 total)\n")
	    BLOCK("6", "(10 total)\n (00: 8) (01: 2)\n", "(10 total)\n (00: 10)\n", "(0 total)\n");
	struct act_table_options options = options_of("reads", NULL, 2);
	struct act_table_notes notes;

	options.extra = true;

	char *table = print(gap, &options, &notes);

	cr_expect_not_null(strstr(table, "\n    1     0.00   0.00        1.0\n"
					 "    3    25.00   0.00        2.0\n-"),
			   "%s", table);
	cr_expect_eq(notes.slices, 2);
	cr_expect_eq(notes.merged, 1);
	free(table);
}

Test(act_table, a_log_shorter_than_a_slice_has_no_rows)
{
	struct act_table_options options = options_of("reads", NULL, 60);
	struct act_table_notes notes;
	char *table = print(log_text, &options, &notes);

	cr_expect_str_eq(strrchr(table, '-'), "-\n");
	cr_expect_eq(notes.slices, 0);
	cr_expect_eq(notes.rest_sec, 6);
	free(table);
}

Test(act_table, all_reads_are_shown_whatever_they_are_called)
{
	static const char index_of_5[] =
	    "ACT version 5.3\n\nACT-INDEX CONFIGURATION\nreport-interval-sec: 1\n\n"
	    "DERIVED CONFIGURATION\nx: 1\n\nHISTOGRAM NAMES\ndevice-reads\ntrans-reads\n\n"
	    "after 1 sec:\nrequests-queued: 0\ndevice-reads (4 total)\n (00: 4)\n"
	    "trans-reads (4 total)\n (00: 1) (01: 3)\n\n";
	struct act_table_options options = options_of(NULL, NULL, 1);
	struct act_table_notes notes;
	char *table = print(index_of_5, &options, &notes);

	cr_expect_eq(strncmp(table, "        trans-reads  \n", 22), 0, "%s", table);
	cr_expect_not_null(strstr(table, "\n    1    75.00   0.00\n"), "%s", table);
	free(table);
}

Test(act_table, counts_that_go_back_look_wrong)
{
	static const char back[] =
	    HEAD BLOCK("2", "(9 total)\n (00: 9)\n", "(9 total)\n (00: 9)\n", "(0 total)\n")
		BLOCK("4", "(5 total)\n (00: 4) (01: 1)\n", "(5 total)\n (00: 5)\n", "(0 total)\n");
	struct act_table_options options = options_of("reads", NULL, 2);
	struct act_table_notes notes;

	options.extra = true;

	char *table = print(back, &options, &notes);

	cr_expect_not_null(strstr(table, "\n    2   -25.00  -0.00       -2.0\n"), "%s", table);
	free(table);
}

Test(act_table, thresholds_end_where_the_older_tool_had_none)
{
	struct act_table_options options = options_of("reads", NULL, 2);
	struct act_table_notes notes;

	options.start = 13;
	options.count = 40;
	options.every = 3;

	char *table = print(log_text, &options, &notes);

	cr_expect_not_null(strstr(table, "\nslice     8192  65536\n"), "%s", table);
	free(table);
}

Test(act_table, what_is_not_there_is_refused)
{
	static const struct {
		const char *log;
		const char *histogram;
		const char *part;
	} cases[] = {
	    {log_text, "writes", "\"writes\": there are reads, /dev/a-reads, /dev/ab-reads"},
	    {HEAD, "reads", "not one block"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct act_table_options options = options_of(cases[i].histogram, NULL, 2);
		struct text text = {cases[i].log};
		struct act_table_notes notes = {.slices = 77};
		struct capture capture;
		struct act_log *log;
		struct error err;

		cr_assert_eq(act_log_new((struct act_source){read_text, &text}, "log", &log, &err),
			     0);
		capture_start(&capture);
		cr_expect_lt(act_table_print(log, &options, capture.stream, &notes, &err), 0);
		capture_end(&capture);
		cr_expect_eq(err.status, EXIT_USAGE);
		cr_expect_not_null(strstr(err.text, cases[i].part), "%s", err.text);
		cr_expect_eq(notes.slices, 77);
		free(capture.text);
		act_log_free(log);
	}
}
