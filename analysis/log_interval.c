#include <errno.h>
#include <stdio.h>

#include "analysis/log_fields.h"
#include "analysis/log_format.h"

/* The "interval" line: when it was, and "counts" with one object for each device
 * and stream. */

static const struct field interval_fields[] = {
    FIELD(FIELD_U64, interval, number),
    FIELD(FIELD_U64, interval, start_ns),
    FIELD(FIELD_U64, interval, end_ns),
    FIELD(FIELD_I64, interval, clock_jump_ns),
    FIELD(FIELD_U64, interval, cpu_idle_ticks),
    FIELD(FIELD_U64, interval, cpu_total_ticks),
    FIELD(FIELD_COUNT, interval, queue_overflows),
    FIELD(FIELD_COUNT, interval, hiccups),
    FIELD(FIELD_COUNT, interval, hiccup_ns),
    FIELD(FIELD_COUNT, interval, hiccup_max_ns),
    FIELD(FIELD_COUNT, interval, steal_ticks),
    FIELD(FIELD_COUNT, interval, involuntary_switches),
    FIELD(FIELD_COUNT, interval, helper_threads),
    FIELD(FIELD_FLAG, interval, late),
};
static const struct field_table interval_table = FIELD_TABLE(interval_fields);

static const struct field tally_fields[] = {
    FIELD(FIELD_U64, tally, planned),
    FIELD(FIELD_U64, tally, issued),
    FIELD(FIELD_U64, tally, completed),
    FIELD(FIELD_U64, tally, errors),
    FIELD(FIELD_COUNT, tally, retries),
    FIELD(FIELD_U64, tally, bytes),
    FIELD(FIELD_COUNT, tally, backlog_device),
    FIELD(FIELD_COUNT, tally, backlog_host),
    FIELD(FIELD_COUNTS, tally, over),
    FIELD(FIELD_COUNTS, tally, service_over),
    FIELD(FIELD_COUNTS, tally, device_over),
    FIELD(FIELD_COUNTS, tally, power),
    FIELD(FIELD_COUNT, tally, pending),
    FIELD(FIELD_COUNT, tally, settled),
    FIELD(FIELD_COUNTS, tally, hiccup_over),
    FIELD(FIELD_COUNTS, tally, failed_over),
    FIELD(FIELD_COUNT, tally, verified_sectors),
    FIELD(FIELD_COUNT, tally, mismatches),
    FIELD(FIELD_COUNT, tally, torn),
    FIELD(FIELD_COUNT, tally, mismatch_offset_bytes),
};
static const struct field_table tally_table = FIELD_TABLE(tally_fields);

/* "response_ns", "service_ns", "lag_ns", "submit_ns" */
static const char *span_key(enum span span)
{
	static const char *const keys[SPAN_COUNT] = {"response_ns", "service_ns", "lag_ns",
						     "submit_ns"};

	return keys[span];
}

/* Percentiles are for people and other tools; only the maximum is read back. */
static json_t *encode_span(const struct tally *tally, enum span span)
{
	static const uint64_t per_mille[] = {500, 990, 999};
	uint64_t values_ns[3];
	json_t *object = json_object();
	int rc = 0;

	histogram_percentiles_ns(&tally->span[span], per_mille, 1000, 3, values_ns);
	rc |= json_object_set_new(object, "p50", fields_u64(values_ns[0]));
	rc |= json_object_set_new(object, "p99", fields_u64(values_ns[1]));
	rc |= json_object_set_new(object, "p999", fields_u64(values_ns[2]));
	rc |= json_object_set_new(object, "max", fields_u64(tally->max_ns[span]));
	if (rc) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *encode_tally(const struct run_info *info, const struct interval *interval,
			    size_t device, size_t stream)
{
	const struct tally *tally = interval_tally(interval, device, stream);
	json_t *object = log_encode_names(info, device, stream);
	json_t *counts = fields_encode(&tally_table, tally);
	int rc = json_object_update(object, counts);

	json_decref(counts);
	for (size_t i = 0; tally->completed && i < SPAN_COUNT; i++)
		rc |= json_object_set_new(object, span_key(i), encode_span(tally, i));
	if (rc) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *encode_thresholds(const struct run_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < info->criterion_count; i++) {
		if (json_array_append_new(array, fields_u64(info->criteria[i].threshold_ns)) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *log_encode_interval(const struct run_info *info, const struct interval *interval)
{
	json_t *object = fields_encode(&interval_table, interval);
	json_t *array = json_array();
	int rc = 0;

	for (size_t d = 0; d < interval->device_count; d++) {
		for (size_t s = 0; s < interval->stream_count; s++)
			rc |= json_array_append_new(array, encode_tally(info, interval, d, s));
	}
	rc |= json_object_set_new(object, "thresholds_ns", encode_thresholds(info));
	rc |= json_object_set_new(object, "power_unit_ns",
				  json_integer(info->microsecond_histograms ? 1000 : 1000000));
	rc |= json_object_set_new(object, "counts", array);
	if (rc) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int decode_max(const json_t *object, uint64_t *ret_ns)
{
	const json_t *max = json_object_get(object, "max");

	if (!object) {
		*ret_ns = 0;
		return 0;
	}
	if (!json_is_integer(max) || json_integer_value(max) < 0)
		return -EINVAL;
	*ret_ns = (uint64_t)json_integer_value(max);
	return 0;
}

static int decode_tally(const json_t *object, struct tally *tally)
{
	const char *key;
	int rc = fields_decode(&tally_table, object, tally, &key);

	for (size_t i = 0; rc == 0 && i < SPAN_COUNT; i++)
		rc = decode_max(json_object_get(object, span_key(i)), &tally->max_ns[i]);
	return rc;
}

/* One object for each device and stream, in the run line's order. */
static int decode_counts(const struct run_info *info, const json_t *array,
			 struct interval *interval)
{
	size_t count = interval->device_count * interval->stream_count;

	if (!json_is_array(array) || json_array_size(array) != count)
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		const json_t *object = json_array_get(array, i);
		size_t device;
		size_t stream;

		if (log_decode_names(info, object, &device, &stream) < 0 ||
		    device * interval->stream_count + stream != i ||
		    decode_tally(object, &interval->tallies[i]) < 0)
			return -EINVAL;
	}
	return 0;
}

int log_decode_interval(const struct run_info *info, const json_t *object,
			struct interval *interval)
{
	const char *key;

	if (fields_decode(&interval_table, object, interval, &key) < 0 ||
	    interval->start_ns > interval->end_ns ||
	    interval->end_ns > info->duration_ns + LOG_OVERTIME_NS ||
	    interval->number > interval->end_ns / info->interval_ns + 1)
		return -EINVAL;
	return decode_counts(info, json_object_get(object, "counts"), interval);
}
