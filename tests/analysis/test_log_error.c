/* The log's lines about verified reads: counts, errors with what was found, and why a
 * device is not verified. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/log.h"
#include "analysis/log_format.h"
#include "tests/support/log_sample.h"

static struct run_info info;

static void setup(void)
{
	sample_info(&info, 2);
}

static void teardown(void)
{
	run_info_release(&info);
}

TestSuite(log_error, .init = setup, .fini = teardown);

static struct request_error sample_error(enum wrong_kind kind)
{
	struct request_error error = {
	    .device = 1,
	    .stream = 3,
	    .at_ns = 5,
	    .offset_bytes = UINT64_C(1) << 40,
	    .length_bytes = 131072,
	    .code = 74,
	    .done_bytes = 131072,
	    .wrong =
		{
		    .kind = kind,
		    .offset_bytes = (UINT64_C(1) << 40) + 1024,
		    .data_id = UINT64_C(0xfedcba9876543210),
		},
	};

	for (size_t i = 0; i < WRONG_HEADER_BYTES; i++)
		error.wrong.header[i] = (uint8_t)(i * 37);
	if (kind == WRONG_MISPLACED || kind == WRONG_STALE) {
		error.wrong.found_offset_bytes = 512;
		error.wrong.found_data_id = UINT64_C(0x8000000000000001);
	}
	return error;
}

Test(log_error, every_kind_of_wrong_data_is_read_back)
{
	for (int kind = WRONG_NOT + 1; kind < WRONG_KINDS; kind++) {
		struct request_error error = sample_error((enum wrong_kind)kind);
		struct request_error again;
		json_t *object = log_encode_error(&info, &error);

		cr_assert_not_null(object);
		cr_expect_str_eq(json_string_value(json_object_get(object, "what")), "wrong data");
		cr_assert_eq(log_decode_error(&info, object, &again), 0);
		cr_expect_eq(again.offset_bytes, error.offset_bytes);
		cr_expect_eq(again.wrong.kind, error.wrong.kind);
		cr_expect_eq(again.wrong.offset_bytes, error.wrong.offset_bytes);
		cr_expect_eq(again.wrong.data_id, error.wrong.data_id);
		cr_expect_eq(again.wrong.found_offset_bytes, error.wrong.found_offset_bytes);
		cr_expect_eq(again.wrong.found_data_id, error.wrong.found_data_id);
		cr_expect_arr_eq(again.wrong.header, error.wrong.header, WRONG_HEADER_BYTES);
		json_decref(object);
	}
}

Test(log_error, other_errors_say_nothing_of_data)
{
	struct request_error error = {.code = 5};
	struct request_error again;
	json_t *object = log_encode_error(&info, &error);

	cr_expect_str_eq(json_string_value(json_object_get(object, "what")), "EIO");
	cr_expect_null(json_object_get(object, "wrong"));
	cr_assert_eq(log_decode_error(&info, object, &again), 0);
	cr_expect_eq(again.wrong.kind, WRONG_NOT);
	json_decref(object);
}

Test(log_error, a_damaged_description_is_refused)
{
	static const struct {
		const char *was, *is;
	} cases[] = {
	    {"stale", "odd"},
	    {"fedcba9876543210", "fedcba987654321"},
	    {"fedcba9876543210", "fedcba987654321G"},
	    {"\"header\": \"00254a", "\"header\": \"0025"},
	    {"\"header\"", "\"other\""},
	    {"\"found\"", "\"lost\""},
	    {"\"expected\"", "\"wanted\""},
	    {"\"expected\": {", "\"expected\": 7, \"x\": {"},
	};
	struct request_error error = sample_error(WRONG_STALE);
	json_t *object = log_encode_error(&info, &error);
	char *text = json_dumps(object, 0);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *place = strstr(text, cases[i].was);
		struct request_error again = {.at_ns = 99};
		char damaged[2048];

		cr_assert_not_null(place, "case %zu", i);
		snprintf(damaged, sizeof(damaged), "%.*s%s%s", (int)(place - text), text,
			 cases[i].is, place + strlen(cases[i].was));
		json_t *read = json_loads(damaged, 0, NULL);
		cr_assert_not_null(read, "case %zu: %s", i, damaged);
		cr_expect_lt(log_decode_error(&info, read, &again), 0, "case %zu", i);
		cr_expect_eq(again.at_ns, 99);
		json_decref(read);
	}
	free(text);
	json_decref(object);
}

Test(log_error, counts_of_verified_reads_are_read_back)
{
	struct interval interval, again;
	struct tally *tally;

	interval_init(&interval, info.device_count, info.stream_count);
	interval_init(&again, info.device_count, info.stream_count);
	interval.end_ns = info.interval_ns;
	tally = interval_tally(&interval, 1, 1);
	tally->verified_sectors = UINT64_C(1) << 40;
	tally->mismatches = 3;
	tally->torn = 2;
	tally->mismatch_offset_bytes = 12345;
	json_t *object = log_encode_interval(&info, &interval);
	cr_assert_eq(log_decode_interval(&info, object, &again), 0);
	tally = interval_tally(&again, 1, 1);
	cr_expect_eq(tally->verified_sectors, UINT64_C(1) << 40);
	cr_expect_eq(tally->mismatches, 3);
	cr_expect_eq(tally->torn, 2);
	cr_expect_eq(tally->mismatch_offset_bytes, 12345);
	cr_expect_eq(interval_tally(&again, 0, 1)->mismatches, 0);
	json_decref(object);
	interval_release(&interval);
	interval_release(&again);
}

Test(log_error, whether_a_device_is_verified_is_read_back)
{
	struct run_info again;
	const char *wrong = "";

	info.devices[0].verified = true;
	snprintf(info.devices[1].not_verified, sizeof(info.devices[1].not_verified),
		 "it is \"odd\"");
	json_t *object = log_encode_run(&info);
	cr_assert_eq(log_decode_run(object, &again, &wrong), 0, "%s", wrong);
	cr_expect(again.devices[0].verified);
	cr_expect_str_eq(again.devices[0].not_verified, "");
	cr_expect(!again.devices[1].verified);
	cr_expect_str_eq(again.devices[1].not_verified, "it is \"odd\"");
	json_decref(object);
	run_info_release(&again);
}
