#include <errno.h>
#include <string.h>

#include "analysis/log_fields.h"
#include "analysis/log_format.h"
#include "analysis/log_name.h"

/* The "run" line: all of struct run_info but the older tool's text. */

static const struct field run_fields[] = {
    FIELD(FIELD_TEXT, run_info, version),
    FIELD(FIELD_TEXT, run_info, run_id),
    FIELD(FIELD_TEXT, run_info, started),
    FIELD(FIELD_TEXT, run_info, host),
    FIELD(FIELD_TEXT, run_info, kernel),
    FIELD(FIELD_TEXT, run_info, cpu),
    FIELD(FIELD_U64, run_info, cpus),
    FIELD(FIELD_TEXT, run_info, engine),
    FIELD(FIELD_TEXT, run_info, arrivals),
    FIELD(FIELD_TEXT, run_info, caveat),
    FIELD(FIELD_U64, run_info, duration_ns),
    FIELD(FIELD_U64, run_info, slice_ns),
    FIELD(FIELD_U64, run_info, interval_ns),
    FIELD(FIELD_BOOL, run_info, stress),
    FIELD(FIELD_BOOL, run_info, microsecond_histograms),
};
static const struct field_table run_table = FIELD_TABLE(run_fields);

static const struct field device_fields[] = {
    FIELD(FIELD_TEXT, info_device, name),
    FIELD(FIELD_BOOL, info_device, is_file),
    FIELD(FIELD_U64, info_device, size_bytes),
    FIELD(FIELD_U64, info_device, logical_block_bytes),
    FIELD(FIELD_U64, info_device, physical_block_bytes),
    FIELD(FIELD_TEXT, info_device, model),
    FIELD(FIELD_TEXT, info_device, serial),
    FIELD(FIELD_TEXT, info_device, firmware),
    FIELD(FIELD_FLAG, info_device, verified),
    FIELD(FIELD_NOTE, info_device, not_verified),
};
static const struct field_table device_table = FIELD_TABLE(device_fields);

static json_t *encode_judged(const struct run_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < info->judged_count; i++) {
		char *name = log_name_escape(info->judged[i]);
		json_t *string = name ? json_string(name) : NULL;

		free(name);
		if (json_array_append_new(array, string) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *log_encode_run(const struct run_info *info)
{
	json_t *object = json_object();
	json_t *fields = fields_encode(&run_table, info);
	int rc = json_object_set_new(object, "format", json_integer(LOG_FORMAT_VERSION));

	rc |= json_object_update(object, fields);
	json_decref(fields);
	rc |= json_object_set_new(object, "criteria",
				  log_encode_criteria(info->criteria, info->criterion_count));
	rc |= json_object_set_new(object, "judged", encode_judged(info));
	rc |=
	    json_object_set_new(object, "devices",
				fields_encode_array(&device_table, info->devices,
						    sizeof(info->devices[0]), info->device_count));
	rc |= json_object_set_new(object, "streams", log_encode_streams(info));
	if (info->phase_count > 0)
		rc |= json_object_set_new(object, "phases", log_encode_phases(info));
	if (rc) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* -EINVAL unless the member is an array of 1 to max elements. */
static int get_array(const json_t *object, const char *key, size_t max, const json_t **ret_array,
		     size_t *ret_count, const char **ret_wrong)
{
	const json_t *array = json_object_get(object, key);

	if (!json_is_array(array) || !json_array_size(array) || json_array_size(array) > max) {
		*ret_wrong = key;
		return -EINVAL;
	}
	*ret_array = array;
	*ret_count = json_array_size(array);
	return 0;
}

static int decode_judged(const json_t *object, struct run_info *info, const char **ret_wrong)
{
	const json_t *array = json_object_get(object, "judged");

	*ret_wrong = "judged";
	if (!json_is_array(array) || json_array_size(array) > INFO_JUDGED_MAX)
		return -EINVAL;
	info->judged_count = json_array_size(array);
	for (size_t i = 0; i < info->judged_count; i++) {
		const json_t *name = json_array_get(array, i);

		if (!json_is_string(name) ||
		    log_name_unescape(json_string_value(name), info->judged[i],
				      sizeof(info->judged[i])) < 0)
			return -EINVAL;
	}
	return 0;
}

static int decode_into(const json_t *object, const json_t *devices, const json_t *streams,
		       struct run_info *info, const char **ret_wrong)
{
	if (fields_decode(&run_table, object, info, ret_wrong) < 0 ||
	    log_decode_criteria(object, info->criteria, &info->criterion_count, ret_wrong) < 0 ||
	    decode_judged(object, info, ret_wrong) < 0 ||
	    fields_decode_array(&device_table, devices, info->devices, sizeof(info->devices[0]),
				ret_wrong) < 0 ||
	    log_decode_streams(streams, info, ret_wrong) < 0)
		return -EINVAL;

	*ret_wrong = "duration_ns, slice_ns or interval_ns";
	if (!info->interval_ns || !info->slice_ns || !info->duration_ns ||
	    info->duration_ns > INT64_MAX - LOG_OVERTIME_NS)
		return -EINVAL;

	int rc = log_decode_phases(object, info, ret_wrong);
	const char *wrong = rc == 0 ? run_info_check(info) : NULL;

	if (wrong)
		*ret_wrong = wrong;
	return wrong ? -EINVAL : rc;
}

int log_decode_run(const json_t *object, struct run_info *ret, const char **ret_wrong)
{
	const json_t *devices;
	const json_t *streams;
	size_t device_count;
	size_t stream_count;
	struct run_info info;

	if (json_integer_value(json_object_get(object, "format")) != LOG_FORMAT_VERSION) {
		*ret_wrong = "format: another version is needed to read it";
		return -EINVAL;
	}

	int rc = get_array(object, "devices", LOG_TALLIES_MAX, &devices, &device_count, ret_wrong);
	if (rc < 0)
		return rc;
	rc = get_array(object, "streams", LOG_TALLIES_MAX / device_count, &streams, &stream_count,
		       ret_wrong);
	if (rc < 0)
		return rc;
	rc = run_info_init(&info, device_count, stream_count);
	if (rc < 0)
		return rc;
	rc = decode_into(object, devices, streams, &info, ret_wrong);
	if (rc < 0)
		run_info_release(&info);
	else
		*ret = info;
	return rc;
}
