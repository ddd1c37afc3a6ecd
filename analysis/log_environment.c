#include <errno.h>

#include "analysis/log_fields.h"
#include "analysis/log_format.h"
#include "analysis/log_name.h"

/* The lines "environment" and "telemetry": what the run ran on. */

static const struct field sample_fields[] = {
    FIELD(FIELD_U64, telemetry_sample, at_ns),
    FIELD(FIELD_COUNT, telemetry_sample, critical_warning),
    FIELD(FIELD_COUNT, telemetry_sample, temperature_k),
    FIELD(FIELD_COUNT, telemetry_sample, spare_pct),
    FIELD(FIELD_COUNT, telemetry_sample, spare_threshold_pct),
    FIELD(FIELD_COUNT, telemetry_sample, used_pct),
    FIELD(FIELD_COUNT, telemetry_sample, read_bytes),
    FIELD(FIELD_COUNT, telemetry_sample, written_bytes),
    FIELD(FIELD_COUNT, telemetry_sample, power_cycles),
    FIELD(FIELD_COUNT, telemetry_sample, power_on_hours),
    FIELD(FIELD_COUNT, telemetry_sample, unsafe_shutdowns),
    FIELD(FIELD_COUNT, telemetry_sample, media_errors),
    FIELD(FIELD_COUNT, telemetry_sample, error_log_entries),
    FIELD(FIELD_COUNT, telemetry_sample, warm_min),
    FIELD(FIELD_COUNT, telemetry_sample, hot_min),
    FIELD(FIELD_COUNT, telemetry_sample, light_throttles),
    FIELD(FIELD_COUNT, telemetry_sample, heavy_throttles),
    FIELD(FIELD_COUNT, telemetry_sample, light_throttled_s),
    FIELD(FIELD_COUNT, telemetry_sample, heavy_throttled_s),
};
static const struct field_table sample_table = FIELD_TABLE(sample_fields);

/* Members with the facts about one subject; NULL when memory is short. */
static json_t *encode_facts(const struct facts *facts, size_t subject)
{
	json_t *object = json_object();

	for (size_t i = 0; object && i < facts->count; i++) {
		const struct fact *fact = &facts->list[i];

		if (fact->subject == subject &&
		    fields_set_name(object, fact->key, fact->value) < 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

json_t *log_encode_environment(const struct run_info *info)
{
	json_t *object = json_object();
	json_t *devices = json_array();
	int rc = json_object_set_new(object, "host", encode_facts(info->environment, FACTS_HOST));

	for (size_t i = 0; rc == 0 && i < info->device_count; i++)
		rc = json_array_append_new(devices,
					   encode_facts(info->environment, FACTS_DEVICE(i)));
	rc |= json_object_set_new(object, "devices", devices);
	if (rc) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int decode_facts(json_t *object, size_t subject, struct facts *facts)
{
	char text[FACT_VALUE_BYTES];
	void *member;

	if (!json_is_object(object))
		return -EINVAL;
	for (member = json_object_iter(object); member;
	     member = json_object_iter_next(object, member)) {
		const json_t *value = json_object_iter_value(member);

		if (!json_is_string(value) ||
		    log_name_unescape(json_string_value(value), text, sizeof(text)) < 0)
			return -EINVAL;
		facts_add(facts, subject, json_object_iter_key(member), text);
	}
	return 0;
}

int log_decode_environment(const struct run_info *info, const json_t *object)
{
	const json_t *devices = json_object_get(object, "devices");
	struct facts facts = {0};
	int rc = decode_facts(json_object_get(object, "host"), FACTS_HOST, &facts);

	if (!json_is_array(devices) || json_array_size(devices) != info->device_count)
		rc = -EINVAL;
	for (size_t i = 0; rc == 0 && i < info->device_count; i++)
		rc = decode_facts(json_array_get(devices, i), FACTS_DEVICE(i), &facts);
	if (rc < 0) {
		facts_release(&facts);
		return rc;
	}
	facts_release(info->environment);
	*info->environment = facts;
	return 0;
}

json_t *log_encode_sample(const struct run_info *info, const struct telemetry_sample *sample)
{
	json_t *object = json_object();
	json_t *fields = fields_encode(&sample_table, sample);

	if (fields_set_name(object, "device", info->devices[sample->device].name) < 0 || !fields ||
	    json_object_update(object, fields) < 0) {
		json_decref(object);
		object = NULL;
	}
	json_decref(fields);
	return object;
}

int log_decode_sample(const struct run_info *info, const json_t *object,
		      struct telemetry_sample *ret)
{
	struct telemetry_sample sample;
	const char *key;
	int rc = log_decode_device(info, object, &sample.device);

	if (rc == 0)
		rc = fields_decode(&sample_table, object, &sample, &key);
	if (rc == 0)
		*ret = sample;
	return rc;
}
