#include "analysis/reports/run_json.h"

#include "analysis/judge.h"
#include "analysis/reports/json_value.h"

static json_t *encode_criteria(const struct info_criterion *criteria, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();

		json_put(&object, "threshold_ns", json_count(criteria[i].threshold_ns));
		json_put(&object, "limit", json_ratio(criteria[i].limit));
		json_add(&array, object);
	}
	return array;
}

static json_t *encode_device(const struct info_device *device)
{
	json_t *object = json_object();

	json_put(&object, "name", json_text(device->name));
	json_put(&object, "is_file", json_boolean(device->is_file));
	json_put(&object, "size_bytes", json_count(device->size_bytes));
	json_put(&object, "logical_block_bytes", json_count(device->logical_block_bytes));
	json_put(&object, "physical_block_bytes", json_count(device->physical_block_bytes));
	json_put(&object, "model", json_text(device->model));
	json_put(&object, "serial", json_text(device->serial));
	json_put(&object, "firmware", json_text(device->firmware));
	json_put(&object, "verified", json_boolean(device->verified));
	json_put(&object, "not_verified", json_text(device->not_verified));
	return object;
}

/* Names of those that issue the stream. */
static json_t *encode_stream_devices(const struct run_info *info, size_t stream)
{
	json_t *array = json_array();

	for (size_t i = 0; i < info->device_count; i++)
		if (run_info_is_issued(info, info->phase_count, i, stream))
			json_add(&array, json_text(info->devices[i].name));
	return array;
}

static json_t *encode_stream(const struct run_info *info, size_t number)
{
	const struct info_stream *stream = &info->streams[number];
	json_t *object = json_object();

	json_put(&object, "name", json_text(stream->name));
	json_put(&object, "is_write", json_boolean(stream->is_write));
	json_put(&object, "large_block", json_boolean(stream->large_block));
	json_put(&object, "per_sec", json_ratio(stream->per_sec));
	json_put(&object, "size_min_bytes", json_count(stream->size_min_bytes));
	json_put(&object, "size_max_bytes", json_count(stream->size_max_bytes));
	json_put(&object, "devices", encode_stream_devices(info, number));
	json_put(&object, "criteria", encode_criteria(stream->criteria, stream->criterion_count));
	return object;
}

json_t *run_json(const struct run_info *info)
{
	json_t *object = json_object();
	json_t *judged = json_array();
	json_t *devices = json_array();
	json_t *streams = json_array();

	for (size_t i = 0; i < info->judged_count; i++)
		json_add(&judged, json_text(info->judged[i]));
	for (size_t i = 0; i < info->device_count; i++)
		json_add(&devices, encode_device(&info->devices[i]));
	for (size_t i = 0; i < info->stream_count; i++)
		json_add(&streams, encode_stream(info, i));
	json_put(&object, "version", json_text(info->version));
	json_put(&object, "run_id", json_text(info->run_id));
	json_put(&object, "started", json_text(info->started));
	json_put(&object, "host", json_text(info->host));
	json_put(&object, "kernel", json_text(info->kernel));
	json_put(&object, "cpu", json_text(info->cpu));
	json_put(&object, "cpus", json_count(info->cpus));
	json_put(&object, "engine", json_text(info->engine));
	json_put(&object, "arrivals", json_text(info->arrivals));
	json_put(&object, "caveat", json_text(info->caveat));
	json_put(&object, "duration_s", json_seconds(info->duration_ns));
	json_put(&object, "slice_s", json_seconds(info->slice_ns));
	json_put(&object, "interval_s", json_seconds(info->interval_ns));
	json_put(&object, "stress", json_boolean(info->stress));
	json_put(&object, "criteria", encode_criteria(info->criteria, info->criterion_count));
	json_put(&object, "judged", judged);
	json_put(&object, "devices", devices);
	json_put(&object, "streams", streams);
	return object;
}
