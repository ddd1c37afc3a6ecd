#include <errno.h>

#include "analysis/log_fields.h"
#include "analysis/log_format.h"

/* What the run line says of criteria, streams and phases. */

#define MASK_DEVICES 64 /* that have a bit in info_stream.devices */

static const struct field criterion_fields[] = {
    FIELD(FIELD_U64, info_criterion, threshold_ns),
    FIELD(FIELD_RATIO, info_criterion, limit),
};
static const struct field_table criterion_table = FIELD_TABLE(criterion_fields);

static const struct field stream_fields[] = {
    FIELD(FIELD_TEXT, info_stream, name),          FIELD(FIELD_BOOL, info_stream, is_write),
    FIELD(FIELD_BOOL, info_stream, large_block),   FIELD(FIELD_RATIO, info_stream, per_sec),
    FIELD(FIELD_U64, info_stream, size_min_bytes), FIELD(FIELD_U64, info_stream, size_max_bytes),
};
static const struct field_table stream_table = FIELD_TABLE(stream_fields);

static const struct field phase_fields[] = {
    FIELD(FIELD_TEXT, info_phase, name),
    FIELD(FIELD_U64, info_phase, start_ns),
    FIELD(FIELD_U64, info_phase, end_ns),
    FIELD(FIELD_BOOL, info_phase, judged),
};
static const struct field_table phase_table = FIELD_TABLE(phase_fields);

/* Puts `value` at the end of the array; NULL, and no array any more, when that fails. */
static json_t *append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) == 0)
		return array;
	json_decref(array);
	return NULL;
}

json_t *log_encode_criteria(const struct info_criterion *criteria, size_t count)
{
	return fields_encode_array(&criterion_table, criteria, sizeof(*criteria), count);
}

int log_decode_criteria(const json_t *object, struct info_criterion *criteria, size_t *ret_count,
			const char **ret_wrong)
{
	const json_t *array = json_object_get(object, "criteria");

	*ret_wrong = "criteria";
	if (!json_is_array(array) || json_array_size(array) > THRESHOLDS_MAX)
		return -EINVAL;
	if (fields_decode_array(&criterion_table, array, criteria, sizeof(*criteria), ret_wrong) <
	    0)
		return -EINVAL;
	*ret_count = json_array_size(array);
	for (size_t i = 1; i < *ret_count; i++)
		if (criteria[i].threshold_ns <= criteria[i - 1].threshold_ns)
			return -EINVAL;
	return 0;
}

/* Indexes of the bits that are set. */
static json_t *encode_mask(uint64_t mask)
{
	json_t *array = json_array();

	for (int i = 0; array && i < MASK_DEVICES; i++)
		if (mask >> i & 1)
			array = append(array, json_integer(i));
	return array;
}

static int decode_mask(const json_t *array, uint64_t *ret)
{
	uint64_t mask = 0;

	if (!json_is_array(array) || json_array_size(array) > MASK_DEVICES)
		return -EINVAL;
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *item = json_array_get(array, i);
		json_int_t device = json_integer_value(item);

		if (!json_is_integer(item) || device < 0 || device >= MASK_DEVICES)
			return -EINVAL;
		mask |= UINT64_C(1) << device;
	}
	*ret = mask;
	return 0;
}

static json_t *encode_stream(const struct info_stream *stream)
{
	json_t *object = fields_encode(&stream_table, stream);
	int rc = object ? 0 : -1;

	if (rc == 0 && stream->devices)
		rc = json_object_set_new(object, "devices", encode_mask(stream->devices));
	if (rc == 0 && stream->criterion_count > 0)
		rc = json_object_set_new(
		    object, "criteria",
		    log_encode_criteria(stream->criteria, stream->criterion_count));
	if (rc == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *log_encode_streams(const struct run_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < info->stream_count; i++)
		array = append(array, encode_stream(&info->streams[i]));
	return array;
}

static int decode_stream(const json_t *object, struct info_stream *stream, const char **ret_wrong)
{
	const json_t *devices = json_object_get(object, "devices");

	if (fields_decode(&stream_table, object, stream, ret_wrong) < 0)
		return -EINVAL;
	if (devices && decode_mask(devices, &stream->devices) < 0) {
		*ret_wrong = "streams: devices";
		return -EINVAL;
	}
	if (!json_object_get(object, "criteria"))
		return 0;
	return log_decode_criteria(object, stream->criteria, &stream->criterion_count, ret_wrong);
}

int log_decode_streams(const json_t *array, struct run_info *info, const char **ret_wrong)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < info->stream_count; i++)
		rc = decode_stream(json_array_get(array, i), &info->streams[i], ret_wrong);
	return rc;
}

static json_t *encode_phase(const struct run_info *info, const struct info_phase *phase)
{
	json_t *object = fields_encode(&phase_table, phase);
	json_t *rates = json_array();

	for (size_t i = 0; rates && i < info->stream_count; i++)
		rates = append(rates, fields_encode_ratio(phase->per_sec[i]));
	if (json_object_set_new(object, "per_sec", rates) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *log_encode_phases(const struct run_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < info->phase_count; i++)
		array = append(array, encode_phase(info, &info->phases[i]));
	return array;
}

static int decode_phase(const json_t *object, size_t stream_count, struct info_phase *phase,
			const char **ret_wrong)
{
	const json_t *rates = json_object_get(object, "per_sec");

	if (fields_decode(&phase_table, object, phase, ret_wrong) < 0)
		return -EINVAL;
	*ret_wrong = "phases: per_sec";
	if (!json_is_array(rates) || json_array_size(rates) != stream_count)
		return -EINVAL;
	for (size_t i = 0; i < stream_count; i++)
		if (fields_decode_ratio(json_array_get(rates, i), &phase->per_sec[i]) < 0)
			return -EINVAL;
	return 0;
}

int log_decode_phases(const json_t *object, struct run_info *info, const char **ret_wrong)
{
	const json_t *array = json_object_get(object, "phases");
	size_t count = json_array_size(array);
	int rc = 0;

	if (!array)
		return 0;
	*ret_wrong = "phases";
	if (count == 0 || count > LOG_PHASES_MAX)
		return -EINVAL;
	if (run_info_add_phases(info, count) < 0)
		return -ENOMEM;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = decode_phase(json_array_get(array, i), info->stream_count, &info->phases[i],
				  ret_wrong);
	return rc;
}
