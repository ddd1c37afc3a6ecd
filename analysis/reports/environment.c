#include "analysis/reports/environment.h"

#include <stdbool.h>
#include <string.h>

#include "analysis/reports/json_value.h"

/* Begins the line, or goes on with it, before another remark. */
static void begin_remark(bool *begun, FILE *out)
{
	fputs(*begun ? "; " : "environment: ", out);
	*begun = true;
}

/* Others are read through slow hardware. */
static bool is_fast_clock(const char *source)
{
	static const char *const fast[] = {"tsc", "arch_sys_counter", "kvm-clock",
					   "hyperv_clocksource_tsc_page"};

	for (size_t i = 0; i < sizeof(fast) / sizeof(fast[0]); i++)
		if (!strcmp(source, fast[i]))
			return true;
	return false;
}

static void print_remarks(const struct run_info *info, FILE *out)
{
	const char *governor = facts_get(info->environment, FACTS_HOST, "governor");
	const char *clock_source = facts_get(info->environment, FACTS_HOST, "clock_source");
	bool begun = false;

	if (governor && strcmp(governor, "performance") != 0) {
		begin_remark(&begun, out);
		fprintf(out, "CPU frequency governor %s, not performance", governor);
	}
	if (clock_source && !is_fast_clock(clock_source)) {
		begin_remark(&begun, out);
		fprintf(out, "clock source %s is slow to read", clock_source);
	}
	for (size_t i = 0; i < info->device_count; i++) {
		const char *scheduler = facts_get(info->environment, FACTS_DEVICE(i), "scheduler");

		if (scheduler && !strcmp(scheduler, "bfq")) {
			begin_remark(&begun, out);
			fprintf(out, "%s: I/O scheduler bfq delays requests",
				info->devices[i].name);
		}
	}
	if (begun)
		fputc('\n', out);
}

void environment_print(const struct run_info *info, FILE *out)
{
	const struct telemetry *telemetry = info->telemetry;

	print_remarks(info, out);
	for (size_t i = 0; i < telemetry->count; i++) {
		if (telemetry->devices[i].samples == 0)
			continue;
		fprintf(out, "%s: ", info->devices[i].name);
		telemetry_print(&telemetry->devices[i], out);
		fputc('\n', out);
	}
}

static json_t *encode_facts(const struct facts *facts, size_t subject)
{
	json_t *object = json_object();

	for (size_t i = 0; i < facts->count; i++)
		if (facts->list[i].subject == subject)
			json_put(&object, facts->list[i].key, json_text(facts->list[i].value));
	return object;
}

json_t *environment_json(const struct run_info *info)
{
	json_t *object = json_object();
	json_t *devices = json_array();

	for (size_t i = 0; i < info->device_count; i++) {
		json_t *device = json_object();

		json_put(&device, "name", json_text(info->devices[i].name));
		json_put(&device, "facts", encode_facts(info->environment, FACTS_DEVICE(i)));
		json_add(&devices, device);
	}
	json_put(&object, "host", encode_facts(info->environment, FACTS_HOST));
	json_put(&object, "devices", devices);
	return object;
}

static json_t *encode_sample(const struct telemetry_sample *sample)
{
	const struct {
		const char *key;
		uint64_t value;
	} members[] = {
	    {"at_ns", sample->at_ns},
	    {"critical_warning", sample->critical_warning},
	    {"temperature_k", sample->temperature_k},
	    {"spare_pct", sample->spare_pct},
	    {"spare_threshold_pct", sample->spare_threshold_pct},
	    {"used_pct", sample->used_pct},
	    {"read_bytes", sample->read_bytes},
	    {"written_bytes", sample->written_bytes},
	    {"power_cycles", sample->power_cycles},
	    {"power_on_hours", sample->power_on_hours},
	    {"unsafe_shutdowns", sample->unsafe_shutdowns},
	    {"media_errors", sample->media_errors},
	    {"error_log_entries", sample->error_log_entries},
	    {"warm_min", sample->warm_min},
	    {"hot_min", sample->hot_min},
	    {"light_throttles", sample->light_throttles},
	    {"heavy_throttles", sample->heavy_throttles},
	    {"light_throttled_s", sample->light_throttled_s},
	    {"heavy_throttled_s", sample->heavy_throttled_s},
	};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		json_put(&object, members[i].key, json_count(members[i].value));
	return object;
}

json_t *environment_telemetry_json(const struct run_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; i < info->telemetry->count; i++) {
		const struct telemetry_device *device = &info->telemetry->devices[i];
		json_t *object;

		if (device->samples == 0)
			continue;
		object = json_object();
		json_put(&object, "name", json_text(info->devices[i].name));
		json_put(&object, "samples", json_count(device->samples));
		json_put(&object, "temperature_min_k", json_count(device->temperature_min_k));
		json_put(&object, "temperature_max_k", json_count(device->temperature_max_k));
		json_put(&object, "critical_warning", json_count(device->critical_warning));
		json_put(&object, "first", encode_sample(&device->first));
		json_put(&object, "last", encode_sample(&device->last));
		json_add(&array, object);
	}
	return array;
}
