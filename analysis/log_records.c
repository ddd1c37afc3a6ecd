#include <errno.h>
#include <string.h>

#include "analysis/log_fields.h"
#include "analysis/log_format.h"

/* The lines of a run under way: histogram and end, and what names device and
 * stream in others. */

static const struct field payload_fields[] = {
    FIELD(FIELD_U64, log_payload, interval),
    FIELD(FIELD_U64, log_payload, from_ns),
    FIELD(FIELD_U64, log_payload, to_ns),
};
static const struct field_table payload_table = FIELD_TABLE(payload_fields);

static const struct field histogram_fields[] = {
    FIELD(FIELD_U64, histogram, total),
    FIELD(FIELD_COUNT, histogram, overflow),
    FIELD(FIELD_U64, histogram, min_ns),
    FIELD(FIELD_U64, histogram, max_ns),
};
static const struct field_table histogram_table = FIELD_TABLE(histogram_fields);

static const struct field end_fields[] = {
    FIELD(FIELD_INT, run_end, signal),
    FIELD(FIELD_U64, run_end, at_ns),
    FIELD(FIELD_BOOL, run_end, log_disk_full),
};
static const struct field_table end_table = FIELD_TABLE(end_fields);

static const char *const end_names[END_REASONS] = {
    [END_NONE] = "none",       [END_COMPLETED] = "completed",
    [END_SIGNAL] = "signal",   [END_DEVICE_LOST] = "device lost",
    [END_MAX_LAG] = "max lag", [END_DEVICE_CHANGED] = "device changed",
};

static int find_device(const struct run_info *info, const char *name, size_t *ret)
{
	for (size_t i = 0; i < info->device_count; i++) {
		if (!strcmp(info->devices[i].name, name)) {
			*ret = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int find_stream(const struct run_info *info, const char *name, size_t *ret)
{
	for (size_t i = 0; i < info->stream_count; i++) {
		if (!strcmp(info->streams[i].name, name)) {
			*ret = i;
			return 0;
		}
	}
	return -EINVAL;
}

json_t *log_encode_names(const struct run_info *info, size_t device, size_t stream)
{
	json_t *object = json_object();

	if (fields_set_name(object, "device", info->devices[device].name) < 0 ||
	    fields_set_name(object, "stream", info->streams[stream].name) < 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

int log_decode_device(const struct run_info *info, const json_t *object, size_t *ret)
{
	char name[sizeof(info->devices->name)];

	if (fields_get_name(object, "device", name, sizeof(name)) < 0)
		return -EINVAL;
	return find_device(info, name, ret);
}

int log_decode_names(const struct run_info *info, const json_t *object, size_t *ret_device,
		     size_t *ret_stream)
{
	char stream[sizeof(info->streams->name)];

	if (fields_get_name(object, "stream", stream, sizeof(stream)) < 0 ||
	    log_decode_device(info, object, ret_device) < 0)
		return -EINVAL;
	return find_stream(info, stream, ret_stream);
}

json_t *log_encode_histogram(const struct run_info *info, const struct log_payload *payload,
			     const struct histogram *histogram)
{
	json_t *object = log_encode_names(info, payload->device, payload->stream);
	char *text = histogram_encode(histogram);

	if (!object || !text ||
	    json_object_set_new(object, "span", json_string(span_name(payload->span))) < 0 ||
	    fields_add(object, fields_encode(&payload_table, payload)) < 0 ||
	    fields_add(object, fields_encode(&histogram_table, histogram)) < 0 ||
	    json_object_set_new(object, "hdr", json_string(text)) < 0) {
		json_decref(object);
		object = NULL;
	}
	free(text);
	return object;
}

static int decode_span(const json_t *value, size_t *ret)
{
	const char *name = json_string_value(value);

	for (size_t i = 0; name && i < SPAN_COUNT; i++) {
		if (!strcmp(name, span_name(i))) {
			*ret = i;
			return 0;
		}
	}
	return -EINVAL;
}

int log_decode_payload(const struct run_info *info, const json_t *object, struct log_payload *ret)
{
	struct log_payload payload;
	const char *key;

	if (log_decode_names(info, object, &payload.device, &payload.stream) < 0 ||
	    decode_span(json_object_get(object, "span"), &payload.span) < 0 ||
	    fields_decode(&payload_table, object, &payload, &key) < 0)
		return -EINVAL;
	*ret = payload;
	return 0;
}

/* The line's own figures must agree with the counts. */
static bool is_consistent(const struct histogram *told, const struct histogram *counted)
{
	return counted->total && told->total == counted->total &&
	       histogram_index(told->min_ns) == histogram_index(counted->min_ns) &&
	       histogram_index(told->max_ns) == histogram_index(counted->max_ns) &&
	       told->min_ns <= told->max_ns &&
	       told->overflow <= counted->counts[HISTOGRAM_BUCKETS - 1] &&
	       (told->overflow > 0) == (told->max_ns > HISTOGRAM_MAX_NS);
}

int log_decode_histogram(const json_t *object, struct histogram *ret)
{
	const json_t *text = json_object_get(object, "hdr");
	struct histogram told;
	const char *key;

	if (!json_is_string(text) || fields_decode(&histogram_table, object, &told, &key) < 0)
		return -EINVAL;

	int rc = histogram_decode(ret, json_string_value(text), json_string_length(text));
	if (rc < 0)
		return rc;
	if (!is_consistent(&told, ret)) {
		histogram_clear(ret);
		return -EINVAL;
	}
	ret->overflow = told.overflow;
	ret->min_ns = told.min_ns;
	ret->max_ns = told.max_ns;
	return 0;
}

json_t *log_encode_end(const struct run_info *info, const struct run_end *end)
{
	json_t *object = json_object();

	if (json_object_set_new(object, "reason", json_string(end_names[end->reason])) < 0 ||
	    (run_end_names_device(end->reason) &&
	     fields_set_name(object, "device", info->devices[end->device].name) < 0) ||
	    fields_add(object, fields_encode(&end_table, end)) < 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int decode_reason(const json_t *value, enum end_reason *ret)
{
	const char *name = json_string_value(value);

	for (size_t i = 0; name && i < END_REASONS; i++) {
		if (!strcmp(name, end_names[i])) {
			*ret = (enum end_reason)i;
			return 0;
		}
	}
	return -EINVAL;
}

int log_decode_end(const struct run_info *info, const json_t *object, struct run_end *ret)
{
	struct run_end end = {0};
	const char *key;

	if (decode_reason(json_object_get(object, "reason"), &end.reason) < 0 ||
	    fields_decode(&end_table, object, &end, &key) < 0)
		return -EINVAL;
	if (run_end_names_device(end.reason) && log_decode_device(info, object, &end.device) < 0)
		return -EINVAL;
	*ret = end;
	return 0;
}
