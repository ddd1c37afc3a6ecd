/* What the run ran on: the same in the log, and in the reports made from it. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/log.h"
#include "analysis/reports/json.h"
#include "analysis/reports/text.h"
#include "tests/support/build_interval.h"
#include "tests/support/capture.h"

static const struct run_end completed = {.reason = END_COMPLETED, .at_ns = 30 * NS_PER_SEC};

static struct run_info info;

static void setup(void)
{
	struct facts *facts;

	build_info(&info, 2, 3);
	facts = info.environment;
	facts_add(facts, FACTS_HOST, "governor", "powersave");
	facts_add(facts, FACTS_HOST, "machine", "back\\slash, \"quotes\", \xff and (brackets)");
	facts_add(facts, FACTS_DEVICE(1), "scheduler", "bfq");
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(log_environment, .init = setup, .fini = teardown);

static struct telemetry_sample sample_at(uint64_t at_ns)
{
	return (struct telemetry_sample){
	    .device = 1,
	    .at_ns = at_ns,
	    .critical_warning = at_ns ? 1 : 0,
	    .temperature_k = 300 + at_ns / NS_PER_SEC,
	    .spare_pct = 100,
	    .spare_threshold_pct = 10,
	    .used_pct = 2,
	    .read_bytes = INT64_MAX,
	    .written_bytes = 1000 * at_ns,
	    .power_cycles = 3,
	    .power_on_hours = 4,
	    .unsafe_shutdowns = 5,
	    .media_errors = 6 + at_ns / NS_PER_SEC,
	    .error_log_entries = 7,
	    .warm_min = 8,
	    .hot_min = 9,
	    .light_throttles = 10,
	    .heavy_throttles = 11,
	    .light_throttled_s = 12,
	    .heavy_throttled_s = 13,
	};
}

static void tell(struct log_writer *writer, uint64_t at_ns)
{
	struct telemetry_sample sample = sample_at(at_ns);

	log_write_sample(writer, &sample);
	telemetry_add(info.telemetry, &sample);
}

/* A log of three slices, with samples at its start, in the middle and at its end;
 * *ret_live is the live report. */
static char *write_log(int (*report)(const struct result *, FILE *), char **ret_live)
{
	struct capture log;
	struct capture live;
	struct log_writer *writer = NULL;
	struct judge *judge = NULL;
	struct interval interval;
	struct error err;

	capture_start(&log);
	cr_assert(eq(int, log_writer_new(log.stream, &info, &writer, &err), 0));
	cr_assert(eq(int, judge_new(&info, &judge, &err), 0));
	build_interval(&interval, info.device_count, 0);
	for (uint64_t i = 0; i < 30; i++) {
		build_interval_again(&interval, i);
		if (i % 13 == 0)
			tell(writer, interval.start_ns);
		log_write_interval(writer, &interval);
		judge_interval(judge, &interval);
	}
	tell(writer, completed.at_ns);
	log_write_end(writer, &completed);
	capture_start(&live);
	cr_assert(eq(int, report(judge_finish(judge, &completed), live.stream), 0));
	capture_end(&live);
	*ret_live = live.text;
	interval_release(&interval);
	judge_free(judge);
	log_writer_free(writer);
	capture_end(&log);
	return log.text;
}

static char *report_log(char *log, int (*report)(const struct result *, FILE *))
{
	FILE *in = fmemopen(log, strlen(log), "r");
	struct run_end end = {.reason = END_NONE};
	struct log_reader *reader = NULL;
	struct judge *judge = NULL;
	struct capture capture;
	struct error err;
	enum log_event event;

	cr_assert(eq(int, log_reader_new(in, "run.log", &reader, &err), 0));
	cr_assert(eq(int, judge_new(log_reader_info(reader), &judge, &err), 0));
	do {
		cr_assert(eq(int, log_reader_next(reader, &event, &err), 0));
		if (event == LOG_INTERVAL)
			judge_interval(judge, log_reader_interval(reader));
		if (event == LOG_END)
			end = *log_reader_end(reader);
	} while (event != LOG_FINISHED);
	cr_expect(eq(u64, log_reader_damaged_lines(reader), 0));
	capture_start(&capture);
	cr_assert(eq(int, report(judge_finish(judge, &end), capture.stream), 0));
	capture_end(&capture);
	judge_free(judge);
	log_reader_free(reader);
	fclose(in);
	return capture.text;
}

Test(log_environment, gives_the_same_json_live_and_from_the_log)
{
	char *live;
	char *log = write_log(report_json, &live);
	char *again = report_log(log, report_json);

	cr_expect(eq(int, strcmp(live, again), 0), "%s\n%s", live, again);
	cr_expect_not_null(strstr(live, "\"scheduler\": \"bfq\""));
	cr_expect_not_null(strstr(live, "\"samples\": 4"));
	cr_expect_not_null(strstr(live, "\"temperature_max_k\": 330"));
	free(log);
	free(live);
	free(again);
}

Test(log_environment, gives_the_same_text_live_and_from_the_log)
{
	char *live;
	char *log = write_log(report_text, &live);
	char *again = report_log(log, report_text);

	cr_expect(eq(int, strcmp(live, again), 0), "%s\n%s", live, again);
	cr_expect_not_null(
	    strstr(live, "\nenvironment: CPU frequency governor powersave, not performance; "
			 "/dev/b: I/O scheduler bfq delays requests\n"),
	    "%s", live);
	cr_expect_not_null(strstr(live, "\n/dev/b: 27 to 57 C, no throttling, 30 new media errors, "
					"30.0 TB written, critical warning 0x01\n"),
			   "%s", live);
	cr_expect_null(strstr(live, "\n/dev/a: 27"));
	free(log);
	free(live);
	free(again);
}

Test(log_environment, samples_stand_before_the_interval_they_were_taken_in)
{
	char *live;
	char *log = write_log(report_text, &live);
	char *environment =
	    strstr(log, "\n# {\"environment\":{\"host\":{\"governor\":\"powersave\"");
	char *first = strstr(log, "\n# {\"telemetry\":{\"device\":\"/dev/b\",\"at_ns\":0,");
	char *second =
	    strstr(log, "\n# {\"telemetry\":{\"device\":\"/dev/b\",\"at_ns\":13000000000,");

	cr_assert(environment && first && second);
	cr_expect(environment < first && first < strstr(log, "\n# {\"interval\":{\"number\":0,"));
	cr_expect(strstr(log, "\n# {\"interval\":{\"number\":12,") < second);
	cr_expect(second < strstr(log, "\n# {\"interval\":{\"number\":13,"));
	free(log);
	free(live);
}

Test(log_environment, a_run_that_knows_nothing_logs_nothing)
{
	char *live;
	char *log;

	facts_release(info.environment);
	log = write_log(report_text, &live);
	cr_expect_null(strstr(log, "\"environment\""));
	cr_expect_null(strstr(live, "environment"));
	free(log);
	free(live);
}

Test(log_environment, at_most_so_many_samples_wait)
{
	struct log_writer *writer = NULL;
	struct capture capture;
	struct error err;
	size_t count = 0;

	capture_start(&capture);
	cr_assert(eq(int, log_writer_new(capture.stream, &info, &writer, &err), 0));
	for (uint64_t i = 0; i < 200; i++)
		tell(writer, i);
	log_write_end(writer, &completed);
	log_writer_free(writer);
	capture_end(&capture);
	for (char *at = capture.text; (at = strstr(at, "\"telemetry\"")); at++)
		count++;
	cr_expect(eq(sz, count, 128));
	free(capture.text);
}
