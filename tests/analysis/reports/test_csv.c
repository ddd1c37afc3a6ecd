#include "analysis/reports/csv.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/build_interval.h"
#include "tests/support/capture.h"

static const struct run_end completed = {.reason = END_COMPLETED, .at_ns = 30 * NS_PER_SEC};

/* Slice 2: 60 of the second device's reads in each interval take 1 ms, 55 by its fault. */
static void late_reads(struct interval *interval, void *state)
{
	(void)state;
	if (interval->number / BUILD_SLICE_INTERVALS == 1)
		build_over(interval_tally(interval, 1, BUILD_READS), 0, 60, 55);
}

static char *report(const struct run_info *info, const char *log, size_t from)
{
	struct capture capture;
	struct judge *judge = build_judge(info, 25, late_reads, NULL);
	const struct result *result = judge_finish(judge, &completed);

	capture_start(&capture);
	if (from == 0)
		cr_expect_eq(report_csv(result, log, capture.stream), 0);
	else
		cr_expect_eq(report_csv_slices(result, log, from, capture.stream), 0);
	capture_end(&capture);
	judge_free(judge);
	return capture.text;
}

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void expect_in(const char *text, const char *part)
{
	cr_expect(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text);
}

Test(csv, a_row_for_each_slice_device_and_stream)
{
	struct run_info info;
	char *text;

	build_info(&info, 2, 3);
	text = report(&info, "run.log", 0);
	cr_expect_eq(count_lines(text), 1 + 3 * 3 * BUILD_STREAMS);
	cr_expect_eq(strncmp(text, "log,run_id,slice,", 17), 0);
	expect_in(text, ",bytes,total,over_1ms,over_8ms,over_64ms,service_over_1ms,");
	/* 10 s of 1000 reads/s. */
	expect_in(text,
		  ",1,,0,10,0,PASS,/dev/a,PASS,reads,1,10000,10000,10000,0,5120000,10000,0,0,0,");
	expect_in(text,
		  ",2,,10,10,0,FAIL,/dev/a,PASS,reads,1,10000,10000,10000,0,5120000,10000,0,0,0,");
	expect_in(text, ",2,,10,10,0,FAIL,/dev/"
			"b,FAIL,reads,1,10000,10000,10000,0,5120000,10000,600,0,0,550,0,0,");
	/* All together: 600 of 20000 are within the limit. */
	expect_in(
	    text,
	    ",2,,10,10,0,FAIL,,PASS,reads,1,20000,20000,20000,0,10240000,20000,600,0,0,550,0,0,");
	expect_in(text, ",3,,20,5,1,"); /* not whole */
	expect_in(text, ",/dev/b,PASS,large-block-writes,0,");
	free(text);
	run_info_release(&info);
}

Test(csv, phases_are_named_and_say_what_is_judged)
{
	static const struct build_phase phases[] = {{"ramp-up", 10, false},
						    {"10MB/s, 2", 15, true}};
	struct run_info info;
	char *text;

	build_info(&info, 2, 3);
	build_phases(&info, phases, 2);
	info.streams[BUILD_READS].devices = 1 << 1;
	text = report(&info, "run.log", 0);
	expect_in(text, ",1,ramp-up,0,10,0,PASS,/dev/b,PASS,reads,0,10000,");
	expect_in(text, ",2,\"10MB/s, 2\",10,10,0,FAIL,,PASS,reads,1,20000,");
	expect_in(text, ",2,\"10MB/s, 2\",10,10,0,FAIL,/dev/a,PASS,reads,0,10000,");
	expect_in(text, ",2,\"10MB/s, 2\",10,10,0,FAIL,/dev/b,FAIL,reads,1,10000,");
	expect_in(text, ",3,\"10MB/s, 2\",20,5,0,");
	free(text);
	run_info_release(&info);
}

Test(csv, later_slices_come_without_headings)
{
	struct run_info info;
	char *text;

	build_info(&info, 2, 3);
	text = report(&info, "run.log", 2);
	cr_expect_eq(count_lines(text), 3 * BUILD_STREAMS);
	cr_expect_eq(strncmp(text, "run.log,", 8), 0);
	cr_expect_null(strstr(text, "\nrun.log,,2,"));
	free(text);
	run_info_release(&info);
}

Test(csv, names_are_quoted_where_they_must_be)
{
	static const struct {
		const char *name;
		const char *field;
	} cases[] = {
	    {"plain name", "plain name,"},
	    {"a,b", "\"a,b\","},
	    {"say \"yes\"", "\"say \"\"yes\"\"\","},
	    {"two\nlines", "\"two\nlines\","},
	    {"\xff", "\\xff,"}, /* as in the log */
	};
	struct run_info info;

	build_info(&info, 2, 3);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(info.devices[0].name, sizeof(info.devices[0].name), "%s", cases[i].name);

		char *text = report(&info, cases[i].name, 2);

		cr_expect_eq(strncmp(text, cases[i].field, strlen(cases[i].field)), 0, "%s", text);
		expect_in(text + strlen(cases[i].field), cases[i].field);
		free(text);
	}
	run_info_release(&info);
}

Test(csv, a_full_disk_is_an_error)
{
	FILE *full = fopen("/dev/full", "w");
	struct run_info info;

	cr_assert_not_null(full);
	setbuf(full, NULL);
	build_info(&info, 2, 3);

	struct judge *judge = build_judge(&info, 10, NULL, NULL);

	cr_expect_eq(report_csv(judge_peek(judge), "log", full), -EIO);
	judge_free(judge);
	fclose(full);
	run_info_release(&info);
}
