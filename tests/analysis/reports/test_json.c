#include "analysis/reports/json.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "tests/support/build_interval.h"
#include "tests/support/capture.h"

static struct run_info info;
static const struct run_end completed = {.reason = END_COMPLETED, .at_ns = 30 * NS_PER_SEC};

static void setup(void)
{
	build_info(&info, 2, 3);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(json, .init = setup, .fini = teardown);

static void slow(struct interval *interval, void *state)
{
	(void)state;
	if (interval->number / BUILD_SLICE_INTERVALS == 1)
		build_over(interval_tally(interval, 1, BUILD_READS), 0, 60, 55);
}

static json_t *report(const struct result *result)
{
	struct capture capture;
	json_error_t error;

	capture_start(&capture);
	cr_assert_eq(report_json(result, capture.stream), 0);
	capture_end(&capture);

	json_t *json = json_loads(capture.text, JSON_REJECT_DUPLICATES, &error);

	cr_assert_not_null(json, "%s", error.text);
	free(capture.text);
	return json;
}

/* The value at a path as "slices/1/verdict"; it belongs to the document. */
static json_t *at(json_t *json, const char *path)
{
	char copy[128];
	char *rest = NULL;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *key = strtok_r(copy, "/", &rest); key; key = strtok_r(NULL, "/", &rest))
		json = json_is_array(json) ? json_array_get(json, (size_t)atoi(key))
					   : json_object_get(json, key);
	cr_assert_not_null(json, "%s", path);
	return json;
}

static void expect_text(json_t *json, const char *path, const char *want)
{
	cr_expect_str_eq(json_string_value(at(json, path)), want, "%s", path);
}

static void expect_count(json_t *json, const char *path, json_int_t want)
{
	cr_expect(json_is_integer(at(json, path)), "%s", path);
	cr_expect_eq(json_integer_value(at(json, path)), want, "%s: %lld", path,
		     (long long)json_integer_value(at(json, path)));
}

static void verify(struct interval *interval, void *state)
{
	struct tally *reads = interval_tally(interval, 1, BUILD_READS);

	(void)state;
	reads->verified_sectors = 3000;
	reads->torn = 1;
	if (interval->number == 7) {
		reads->errors = 2;
		reads->mismatches = 2;
		reads->mismatch_offset_bytes = 77 * 512;
	}
}

Test(json, holds_what_was_verified)
{
	info.devices[1].verified = true;
	snprintf(info.devices[0].not_verified, sizeof(info.devices[0].not_verified),
		 "verify = off");
	struct judge *judge = build_judge(&info, 30, verify, NULL);
	json_t *json = report(judge_finish(judge, &completed));

	cr_expect(json_is_true(at(json, "run/devices/1/verified")));
	cr_expect(json_is_false(at(json, "run/devices/0/verified")));
	expect_text(json, "run/devices/0/not_verified", "verify = off");
	expect_count(json, "streams/0/verified_sectors", 90000);
	expect_count(json, "streams/0/mismatches", 2);
	expect_count(json, "streams/0/mismatch_offset_bytes", 77 * 512);
	expect_count(json, "streams/0/torn", 30);
	expect_count(json, "exit_status", 4);
	cr_expect(json_is_null(at(json, "devices/0/streams/0/mismatch_offset_bytes")));
	expect_text(json, "slices/0/devices/1/reasons/0/text",
		    "2 of 10 002 reads returned wrong data, first at offset 39424");
	json_decref(json);
	judge_free(judge);
}

Test(json, holds_phases_masks_and_limits_of_streams)
{
	static const struct build_phase phases[] = {
	    {"ramp-up", 5, false}, {"steady", 15, true}, {"never", 20, true}};

	build_phases(&info, phases, 3);
	info.phases[0].per_sec[BUILD_READS].num = 0;
	info.streams[BUILD_READS].devices = 1 << 1;
	info.streams[BUILD_READS].criteria[0] = (struct info_criterion){NS_PER_MS, {1, 50}};
	info.streams[BUILD_READS].criterion_count = 1;

	struct judge *judge = build_judge(&info, 20, slow, NULL);
	json_t *json = report(judge_finish(judge, &(struct run_end){.reason = END_NONE}));

	expect_text(json, "first_failed_phase", "steady");
	cr_expect_eq(json_array_size(at(json, "phases")), 3);
	expect_text(json, "phases/0/name", "ramp-up");
	cr_expect(json_is_false(at(json, "phases/0/judged")));
	expect_count(json, "phases/0/planned/0/per_sec/num", 0);
	expect_text(json, "phases/1/verdict", "FAIL");
	expect_count(json, "phases/1/start_ns", 5000000000);
	expect_count(json, "phases/1/end_ns", 20000000000);
	expect_count(json, "phases/1/slices", 2);
	expect_count(json, "phases/1/first_slice", 2);
	expect_text(json, "phases/1/devices/1/verdict", "FAIL");
	expect_count(json, "phases/1/devices/1/streams/0/thresholds/0/over", 600);
	expect_count(json, "phases/1/streams/0/completed", 30000);
	expect_count(json, "phases/1/streams/0/sampled", 30000);
	expect_count(json, "phases/1/streams/0/response/max_ns", NS_PER_MS);
	cr_expect(json_is_null(at(json, "phases/2/verdict")));
	cr_expect(json_is_null(at(json, "phases/2/first_slice")));
	expect_text(json, "slices/0/phase", "ramp-up");
	cr_expect(json_is_false(at(json, "slices/0/judged")));
	cr_expect_eq(json_array_size(at(json, "run/streams/0/devices")), 1);
	expect_text(json, "run/streams/0/devices/0", "/dev/b");
	expect_count(json, "run/streams/0/criteria/0/limit/den", 50);
	expect_count(json, "slices/1/streams/0/thresholds/0/limit/den", 50);
	cr_expect(json_is_null(at(json, "slices/1/streams/0/thresholds/1/limit")));
	expect_count(json, "slices/1/streams/1/thresholds/1/limit/den", 100);
	json_decref(json);
	judge_free(judge);
}

Test(json, holds_verdicts_counts_and_reasons)
{
	struct judge *judge = build_judge(&info, 30, slow, NULL);
	json_t *json = report(judge_finish(judge, &completed));

	expect_count(json, "schema_version", 1);
	cr_expect(json_is_true(at(json, "complete")));
	expect_text(json, "verdict", "FAIL");
	expect_text(json, "reason",
		    "slice 2 (from 00:00:10): /dev/b: reads: 6.00 % over 1 ms, limit 5 %; "
		    "1 of 3 slices FAIL");
	expect_count(json, "exit_status", 1);
	expect_count(json, "worst_slice", 2);
	cr_expect(json_is_null(at(json, "first_failed_phase")));
	cr_expect_eq(json_array_size(at(json, "phases")), 0);
	cr_expect(json_is_null(at(json, "slices/1/phase")));
	expect_text(json, "end/reason", "completed");
	expect_count(json, "streams/0/planned", 60000);
	expect_count(json, "streams/0/issued", 60000);
	expect_count(json, "streams/0/completed", 60000);
	expect_count(json, "streams/0/errors", 0);
	cr_expect_eq(json_array_size(at(json, "slices")), 3);
	cr_expect_eq(json_number_value(at(json, "slices/1/start_s")), 10.0);
	cr_expect_eq(json_number_value(at(json, "slices/1/duration_s")), 10.0);
	cr_expect(json_is_false(at(json, "slices/1/partial")));
	expect_text(json, "slices/1/verdict", "FAIL");
	cr_expect_eq(json_array_size(at(json, "slices/1/reasons")), 0);
	expect_text(json, "slices/1/devices/0/verdict", "PASS");
	expect_text(json, "slices/1/devices/1/verdict", "FAIL");
	expect_text(json, "slices/1/devices/1/reasons/0/verdict", "FAIL");
	expect_text(json, "slices/1/devices/1/reasons/0/text",
		    "reads: 6.00 % over 1 ms, limit 5 %");
	expect_count(json, "slices/1/devices/1/streams/0/completed", 10000);
	expect_count(json, "slices/1/devices/1/streams/0/thresholds/0/threshold_ns", 1000000);
	expect_count(json, "slices/1/devices/1/streams/0/thresholds/0/limit/num", 1);
	expect_count(json, "slices/1/devices/1/streams/0/thresholds/0/limit/den", 20);
	expect_count(json, "slices/1/devices/1/streams/0/thresholds/0/over", 600);
	expect_count(json, "slices/1/devices/1/streams/0/thresholds/0/device_over", 550);
	expect_count(json, "slices/1/streams/0/response/max_ns", 1000000);
	expect_text(json, "devices/1/name", "/dev/b");
	expect_text(json, "devices/1/verdict", "FAIL");
	expect_text(json, "run/devices/0/model", "MODEL 1");
	expect_text(json, "run/judged/0", "reads");
	json_decref(json);
	judge_free(judge);
}

Test(json, says_that_a_run_is_under_way)
{
	struct judge *judge = build_judge(&info, 10, NULL, NULL);
	json_t *json = report(judge_peek(judge));

	cr_expect(json_is_false(at(json, "complete")));
	expect_text(json, "verdict", "INVALID");
	expect_text(json, "end/reason", "none");
	json_decref(json);
	judge_free(judge);
}

Test(json, names_signal_and_device_of_the_end)
{
	const struct run_end signal = {.reason = END_SIGNAL, .signal = 15, .at_ns = NS_PER_SEC};
	const struct run_end lost = {.reason = END_DEVICE_LOST, .device = 1, .at_ns = NS_PER_SEC};
	struct judge *judge = build_judge(&info, 5, NULL, NULL);
	json_t *json = report(judge_finish(judge, &signal));

	expect_count(json, "end/signal", 15);
	expect_count(json, "exit_status", 143);
	cr_expect(json_is_true(at(json, "slices/0/partial")));
	json_decref(json);
	judge_free(judge);

	judge = build_judge(&info, 0, NULL, NULL);
	json = report(judge_finish(judge, &lost));
	expect_text(json, "end/device", "/dev/b");
	cr_expect(json_is_null(at(json, "worst_slice")));
	json_decref(json);
	judge_free(judge);
}

static void no_histograms(struct interval *interval, void *state)
{
	(void)state;
	for (size_t i = 0; i < interval->device_count * interval->stream_count; i++)
		for (int span = 0; span < SPAN_COUNT; span++)
			histogram_init(&interval->tallies[i].span[span]);
}

Test(json, percentiles_that_are_not_known_are_null)
{
	struct judge *judge = build_judge(&info, 30, no_histograms, NULL);
	json_t *json = report(judge_finish(judge, &completed));

	expect_count(json, "streams/0/sampled", 0);
	cr_expect(json_is_null(at(json, "streams/0/response/p99_ns")));
	expect_count(json, "streams/0/response/max_ns", 100000);
	json_decref(json);
	judge_free(judge);
}

static void huge(struct interval *interval, void *state)
{
	(void)state;
	interval_tally(interval, 0, BUILD_LARGE_READS)->bytes =
	    interval->number == 0 ? UINT64_MAX : 0;
}

Test(json, any_name_and_any_count_can_be_written)
{
	strcpy(info.devices[0].name, "/tmp/\xff\xfe\"\n");

	struct judge *judge = build_judge(&info, 30, huge, NULL);
	json_t *json = report(judge_finish(judge, &completed));

	expect_count(json, "devices/0/streams/1/bytes", INT64_MAX);
	cr_expect(strstr(json_string_value(at(json, "devices/0/name")), "xff") != NULL);
	json_decref(json);
	judge_free(judge);
}

Test(json, a_file_is_replaced_whole)
{
	char folder[] = "/tmp/test_json.XXXXXX";
	char path[64];
	char temporary[sizeof(path) + 4];
	struct judge *judge = build_judge(&info, 10, NULL, NULL);
	const struct result *result = judge_peek(judge);
	struct error err;

	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/result.json", folder);
	snprintf(temporary, sizeof(temporary), "%s.tmp", path);
	cr_assert_eq(report_json_replace(path, result, &err), 0);
	cr_assert_eq(report_json_replace(path, result, &err), 0);
	cr_expect_neq(access(temporary, F_OK), 0);

	json_t *json = json_load_file(path, 0, NULL);

	cr_assert_not_null(json);
	json_decref(json);
	unlink(path);
	rmdir(folder);
	cr_expect_eq(report_json_replace(path, result, &err), -ENOENT);
	cr_expect_eq(err.status, EXIT_ENVIRONMENT);
	cr_expect(strstr(err.text, path) != NULL, "%s", err.text);
	judge_free(judge);
}

Test(json, a_full_disk_is_an_error)
{
	struct judge *judge = build_judge(&info, 10, NULL, NULL);
	FILE *full = fopen("/dev/full", "w");

	if (!full)
		cr_skip_test("there is no /dev/full");
	setvbuf(full, NULL, _IONBF, 0);
	cr_expect_eq(report_json(judge_peek(judge), full), -EIO);
	fclose(full);
	judge_free(judge);
}
