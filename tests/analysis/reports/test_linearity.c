#include "analysis/reports/linearity.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/reports/linearity_words.h"
#include "tests/support/build_linearity.h"
#include "tests/support/capture.h"
#include "tests/support/scratch.h"

/* Two devices alone, and three together: the first holds, the second loses a quarter of
 * its rate and is late, and the third, for which the first stands, is hidden by the host. */
struct sample {
	struct build_run runs[3];
	struct linearity_run results[3];
	struct linearity linearity;
};

static void sample_init(struct sample *sample)
{
	struct error err = {.text = ""};
	struct build_run *runs = sample->runs;

	memset(sample, 0, sizeof(*sample));
	runs[0] = (struct build_run){
	    .log = "a.log", .device_count = 1, .fates = {{.over = 10, .device_over = 10}}};
	runs[1] = (struct build_run){.log = "b,1.log", .device_count = 1};
	runs[2] = (struct build_run){.log = "all.log",
				     .device_count = 3,
				     .fates = {{.over = 12, .device_over = 12},
					       {.over = 75, .device_over = 75, .slower = 250},
					       {.over = 60, .device_over = 0}}};
	build_runs_init(runs, 3);
	build_runs_name(&runs[1], 0, 'b');
	runs[2].info.slice_ns = 15 * NS_PER_SEC;
	build_runs_judge(runs, 3, sample->results);
	cr_assert_eq(linearity_compare(sample->results, 3, &sample->linearity, &err), 0, "%s",
		     err.text);
}

static void sample_release(struct sample *sample)
{
	linearity_release(&sample->linearity);
	build_runs_release(sample->runs, 3);
}

static char *report(const char *format)
{
	const struct linearity_report *found = linearity_report_find(format);
	struct capture capture;
	struct sample sample;

	sample_init(&sample);
	capture_start(&capture);
	cr_assert_not_null(found);
	cr_expect_eq(found->write(&sample.linearity, capture.stream), 0);
	capture_end(&capture);
	sample_release(&sample);
	return capture.text;
}

Test(report_linearity, the_text_is_the_golden_one)
{
	size_t length;
	char *data = scratch_read(TESTS_DIR "/golden/linearity.txt", &length);
	char *golden = strndup(data, length);
	char *text = report("text");

	cr_expect_str_eq(text, golden);
	free(text);
	free(golden);
	free(data);
}

Test(report_linearity, no_table_is_wider_than_the_terminal)
{
	char *text = report("text");

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (strstr(line, "alone ") == line + strspn(line, " "))
			cr_expect(strlen(line) <= 100 || strchr(line, ':'), "%s", line);
	free(text);
}

static size_t count_fields(const char *row)
{
	bool quoted = false;
	size_t count = 1;

	for (; *row; row++) {
		quoted ^= *row == '"';
		count += *row == ',' && !quoted;
	}
	return count;
}

Test(report_linearity, csv_has_a_row_for_each_device_and_stream)
{
	char *text = report("csv");
	char *lines[5] = {NULL};
	size_t count = 0;

	for (char *line = strtok(text, "\n"); line && count < 5; line = strtok(NULL, "\n"))
		lines[count++] = line;
	cr_assert_eq(count, 4);
	cr_expect_not_null(strstr(lines[0], ",together_over_1ms,together_over_8ms,"));
	for (size_t i = 1; i < count; i++)
		cr_expect_eq(count_fields(lines[i]), count_fields(lines[0]), "%s", lines[i]);
	cr_expect_eq(strncmp(lines[2],
			     "/dev/b,Sb,serial,\"b,1.log\",all.log,lost,reads,PASS,30000000000,"
			     "30000,30000,0,30000,0,0,0,",
			     87),
		     0, "%s", lines[2]);
	cr_expect_not_null(strstr(lines[2], ",FAIL,30000000000,30000,22500,0,22500,2250,0,0,"),
			   "%s", lines[2]);
	cr_expect_not_null(strstr(lines[3], "/dev/c,Sc,alike,a.log,"), "%s", lines[3]);
	free(text);
}

Test(report_linearity, json_says_the_same)
{
	char *text = report("json");
	json_t *json = json_loads(text, 0, NULL);
	json_t *device = json_array_get(json_object_get(json, "devices"), 1);
	json_t *stream = json_array_get(json_object_get(device, "streams"), 0);
	json_t *threshold = json_array_get(json_object_get(stream, "thresholds"), 0);

	cr_assert_not_null(json);
	cr_expect_eq(json_integer_value(json_object_get(json, "exit_status")), EXIT_FAIL);
	cr_expect_str_eq(json_string_value(json_object_get(json, "outcome")), "lost");
	cr_expect_eq(json_array_size(json_object_get(json, "alone")), 2);
	cr_expect_eq(json_array_size(json_object_get(json, "differences")), 2);
	cr_expect_eq(json_array_size(json_object_get(json, "devices")), 3);
	cr_expect_str_eq(json_string_value(json_object_get(device, "name")), "/dev/b");
	cr_expect_str_eq(json_string_value(json_object_get(device, "log_alone")), "b,1.log");
	cr_expect_str_eq(json_string_value(json_object_get(device, "verdict_alone")), "PASS");
	cr_expect_str_eq(json_string_value(json_object_get(device, "verdict_together")), "FAIL");
	cr_expect_float_eq(json_real_value(json_object_get(stream, "rate_change_pct")), -25, 1e-9);
	cr_expect_float_eq(json_real_value(json_object_get(threshold, "change_points")), 10, 1e-9);
	cr_expect_eq(json_integer_value(json_object_get(threshold, "over_together")), 2250);
	json_decref(json);
	free(text);
}

Test(report_linearity, a_full_disk_is_an_error)
{
	static const char *const formats[] = {"text", "csv", "json"};
	struct sample sample;

	sample_init(&sample);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		FILE *full = fopen("/dev/full", "w");

		cr_assert_not_null(full);
		setvbuf(full, NULL, _IONBF, 0);
		cr_expect_eq(linearity_report_find(formats[i])->write(&sample.linearity, full),
			     -EIO, "%s", formats[i]);
		fclose(full);
	}
	cr_expect_null(linearity_report_find("xml"));
	sample_release(&sample);
}

Test(linearity_words, each_outcome_has_its_sentence)
{
	static const struct {
		struct build_fate alone;
		struct build_fate together[2];
		bool other_model; /* the second is not compared */
		const char *first;
		const char *all;
	} cases[] = {
	    {{0},
	     {{0}, {0}},
	     false,
	     "holds: PASS alone and together",
	     "none of 2 devices did worse beside its neighbours than alone"},
	    {{60, 60, 0},
	     {{60, 60, 0}, {0}},
	     false,
	     "not worse than alone: FAIL alone, FAIL together",
	     "none of 2 devices did worse beside its neighbours than alone"},
	    {{60, 60, 0},
	     {{0}, {0}},
	     false,
	     "not worse than alone: FAIL alone, PASS together",
	     "none of 2 devices did worse beside its neighbours than alone"},
	    {{0},
	     {{60, 60, 0}, {0}},
	     true,
	     "lost: PASS alone, FAIL together: slice 1 (from 00:00:00): ",
	     "1 of 2 devices did worse beside the others than alone: /dev/a; "
	     "nothing can be said of 1: /dev/b"},
	    {{60, 0, 0},
	     {{0}, {0}},
	     false,
	     "no statement: INVALID alone, PASS together; alone: slice 1 (from 00:00:00): ",
	     "nothing can be said of 2 of 2 devices: /dev/a, /dev/b"},
	    {{0},
	     {{60, 0, 0}, {0}},
	     false,
	     "no statement: PASS alone, INVALID together; together: slice 1 (from 00:00:00): ",
	     "nothing can be said of 1 of 2 devices: /dev/a"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build_run runs[2] = {
		    {.log = "a.log", .device_count = 1, .fates = {cases[i].alone}},
		    {.log = "all.log",
		     .device_count = 2,
		     .fates = {cases[i].together[0], cases[i].together[1]}}};
		struct linearity_run results[2];
		struct linearity linearity;
		char text[LINEARITY_WORDS_BYTES];

		build_runs_init(runs, 2);
		if (cases[i].other_model)
			runs[1].info.devices[1].model[0] = 'X';
		build_runs_judge(runs, 2, results);
		cr_assert_eq(linearity_compare(results, 2, &linearity, NULL), 0);
		linearity_conclude_device(text, &linearity, 0);
		cr_expect_eq(strncmp(text, cases[i].first, strlen(cases[i].first)), 0, "%s", text);
		cr_expect_str_eq(linearity_conclude(text, &linearity), cases[i].all);
		linearity_conclude_device(text, &linearity, 1);
		cr_expect_eq(strncmp(text, "not compared: ", 14) == 0, cases[i].other_model, "%s",
			     text);
		linearity_release(&linearity);
		build_runs_release(runs, 2);
	}
}

Test(linearity_words, changes_have_a_sign_unless_they_show_as_zero)
{
	static const struct {
		double change;
		const char *text;
	} cases[] = {
	    {0, "0.00"},     {-0.0, "0.00"},  {-0.004, "0.00"},  {0.004, "0.00"},
	    {0.25, "+0.25"}, {-25, "-25.00"}, {-0.006, "-0.01"},
	};
	char text[FIGURE_BYTES];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_str_eq(linearity_signed(text, cases[i].change), cases[i].text);
}
