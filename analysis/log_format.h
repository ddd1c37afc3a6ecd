#pragma once
#include <jansson.h>
#include <stdio.h>

#include "analysis/interval.h"
#include "analysis/run_info.h"

/*
 * The lines of run.log, each in both directions. Private to log_*.c; described
 * for users in log_format.md.
 */

#define LOG_FORMAT_VERSION 1

#define LOG_JSON_PREFIX      "# {"
#define LOG_HISTOGRAM_PREFIX "# {\"histogram\":"

/* Payloads of the histograms are written at multiples of this. */
#define LOG_PAYLOAD_NS UINT64_C(30000000000)
/* Single errors that are listed; further ones are only counted. */
#define LOG_ERRORS_PER_INTERVAL 100
/* Samples of telemetry that wait for the next interval: more than the devices of a run. */
#define LOG_SAMPLES_PER_INTERVAL 128
/* Devices times streams: bounds the reader's memory (96 KiB each). */
#define LOG_TALLIES_MAX 4096
/* Phases of a run. */
#define LOG_PHASES_MAX 128
/* An interval that ends later than this after the planned end is no interval. */
#define LOG_OVERTIME_NS (UINT64_C(86400) * 1000000000)

/* What a histogram line tells beside the counts. */
struct log_payload {
	size_t device;
	size_t stream;
	size_t span;
	uint64_t interval; /* number of the last one that it covers */
	uint64_t from_ns;
	uint64_t to_ns;
};

/* Encoders return the value of the line's one member, NULL when memory is short.
 * Decoders return 0, -EINVAL (wrong), or -ENOMEM. */

/* An object with the members "device" and "stream", and back. */
json_t *log_encode_names(const struct run_info *info, size_t device, size_t stream);
int log_decode_names(const struct run_info *info, const json_t *object, size_t *ret_device,
		     size_t *ret_stream);
/* The member "device" alone. */
int log_decode_device(const struct run_info *info, const json_t *object, size_t *ret);

json_t *log_encode_run(const struct run_info *info);
/* *ret_wrong tells what is wrong on -EINVAL. `ret` is to be released on success only. */
int log_decode_run(const json_t *object, struct run_info *ret, const char **ret_wrong);

/* Parts of the run line. */
json_t *log_encode_criteria(const struct info_criterion *criteria, size_t count);
/* The member "criteria", at most THRESHOLDS_MAX of them. */
int log_decode_criteria(const json_t *object, struct info_criterion *criteria, size_t *ret_count,
			const char **ret_wrong);
json_t *log_encode_streams(const struct run_info *info);
/* Into info->streams, which has room for all. */
int log_decode_streams(const json_t *array, struct run_info *info, const char **ret_wrong);
json_t *log_encode_phases(const struct run_info *info);
/* The member "phases", if there is one; streams come first. */
int log_decode_phases(const json_t *object, struct run_info *info, const char **ret_wrong);

/* The facts of info->environment, and back, in place of those before. */
json_t *log_encode_environment(const struct run_info *info);
int log_decode_environment(const struct run_info *info, const json_t *object);

json_t *log_encode_sample(const struct run_info *info, const struct telemetry_sample *sample);
int log_decode_sample(const struct run_info *info, const json_t *object,
		      struct telemetry_sample *ret);

json_t *log_encode_interval(const struct run_info *info, const struct interval *interval);
/* Leaves the histograms alone. On failure the counts are anything. */
int log_decode_interval(const struct run_info *info, const json_t *object,
			struct interval *interval);

json_t *log_encode_histogram(const struct run_info *info, const struct log_payload *payload,
			     const struct histogram *histogram);
int log_decode_payload(const struct run_info *info, const json_t *object, struct log_payload *ret);
/* Into an empty histogram; it stays empty on failure. */
int log_decode_histogram(const json_t *object, struct histogram *ret);

json_t *log_encode_error(const struct run_info *info, const struct request_error *error);
int log_decode_error(const struct run_info *info, const json_t *object, struct request_error *ret);

json_t *log_encode_end(const struct run_info *info, const struct run_end *end);
int log_decode_end(const struct run_info *info, const json_t *object, struct run_end *ret);

/* The older tool's text of version 6. */

void log_text_banner(FILE *out, const struct run_info *info);
/* power: [tally][POWERS], cumulative. */
void log_text_block(FILE *out, const struct run_info *info, uint64_t seconds,
		    const uint64_t (*power)[POWERS]);
