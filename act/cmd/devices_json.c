/* The list of devices for programs. */
#include <errno.h>
#include <inttypes.h>

#include "act/cmd/devices.h"
#include "analysis/reports/json_value.h"

#define KELVIN_OF_0_C 273

static json_t *known_text(const char *text)
{
	return text[0] ? json_text(text) : json_null();
}

static json_t *known_count(bool known, uint64_t value)
{
	return known ? json_count(value) : json_null();
}

static const char *preparation_name(const struct listed *item)
{
	switch (listed_preparation(item)) {
	case PREPARATION_NONE:
		return "none";
	case PREPARATION_INCOMPLETE:
		return "incomplete";
	case PREPARATION_OTHER_SIZE:
		return "other size";
	case PREPARATION_COMPLETE:
		return "complete";
	default:
		return "";
	}
}

static json_t *encode_preparation(const struct listed *item)
{
	const struct label *label = &item->device.label;
	bool has = item->device.labelled;
	json_t *object = json_object();
	char id[32];

	snprintf(id, sizeof(id), "%016" PRIx64, label->data_id);
	json_put(&object, "state", known_text(preparation_name(item)));
	json_put(&object, "data_id", has ? json_string(id) : json_null());
	json_put(&object, "stage", has ? json_text(label_stage_name(label->stage)) : json_null());
	json_put(&object, "stage_pct", known_count(has, listed_stage_pct(item)));
	json_put(&object, "begun_s", known_count(has, label->begun_s));
	json_put(&object, "finished_s", known_count(has && label->finished_s, label->finished_s));
	json_put(&object, "device_bytes", known_count(has, label->device_bytes));
	json_put(&object, "serial", known_text(has ? label->serial : ""));
	json_put(&object, "steady",
		 has && label->overwrite ? json_boolean(label->steady) : json_null());
	return object;
}

static json_t *encode(const struct listed *item)
{
	static const char *const states[] = {
	    [LISTED_FREE] = "free",
	    [LISTED_REFUSED] = "refused",
	    [LISTED_UNKNOWN] = "unknown",
	};
	const struct device *device = &item->device;
	bool has_temperature = item->smart_known && item->smart.temperature_k > 0;
	json_t *object = json_object();

	json_put(&object, "device", json_text(device->name));
	json_put(&object, "drive", known_text(item->drive));
	json_put(&object, "model", known_text(device->model));
	json_put(&object, "serial", known_text(device->serial));
	json_put(&object, "firmware", known_text(device->firmware));
	json_put(&object, "backing", known_text(item->backing));
	json_put(&object, "size_bytes", json_count(device->size_bytes));
	json_put(&object, "logical_block_bytes",
		 known_count(device->logical_block_bytes > 0, device->logical_block_bytes));
	json_put(&object, "physical_block_bytes",
		 known_count(device->physical_block_bytes > 0, device->physical_block_bytes));
	json_put(&object, "scheduler", known_text(item->scheduler));
	json_put(&object, "numa_node",
		 known_count(item->numa_node >= 0, (uint64_t)item->numa_node));
	json_put(&object, "used_pct", known_count(item->smart_known, item->smart.used_pct));
	json_put(&object, "temperature_c",
		 has_temperature ? json_integer(item->smart.temperature_k - KELVIN_OF_0_C)
				 : json_null());
	json_put(&object, "state", json_string(states[item->state]));
	json_put(&object, "reason", known_text(item->reason));
	json_put(&object, "preparation", encode_preparation(item));
	return object;
}

int devices_print_json(const struct device_list *list, FILE *out)
{
	json_t *root = json_object();
	json_t *array = json_array();
	int rc = -ENOMEM;

	for (size_t i = 0; i < list->count; i++)
		json_add(&array, encode(&list->items[i]));
	json_put(&root, "devices", array);
	if (root && json_dumpf(root, out, JSON_INDENT(2)) == 0) {
		fputc('\n', out);
		rc = 0;
	}
	json_decref(root);
	return rc;
}
