#include "act/config/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/config/options.h"
#include "act/config/source.h"

#define READS_PER_SEC_1X  2000
#define WRITES_PER_SEC_1X 1000
/* What ACT 6 takes where nothing is said, and we do not. */
#define MAX_LAG_SEC 10
#define SLICE_NS    (3600 * NS_PER_SEC)
#define VALUE_SHOWN 24
#define LINE_BYTES  400

void import_say(const struct import *import, unsigned line, const char *format, ...)
{
	char text[LINE_BYTES];
	char place[16] = "";
	va_list args;

	if (line > 0)
		snprintf(place, sizeof(place), ":%u", line);
	int length = snprintf(text, sizeof(text), "%s%s: ", import->path, place);
	va_start(args, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format, args);
	va_end(args);
	if (import->notice)
		import->notice->say(import->notice->state, text);
}

int import_refuse(const struct import *import, unsigned line, const char *key, const char *value,
		  const char *problem, const char *allowed, struct error *err)
{
	char origin[CONFIG_ORIGIN_BYTES];

	snprintf(origin, sizeof(origin), "%.130s:%u", import->path, line);
	return option_refuse(err, EINVAL, origin, key, value, problem, allowed);
}

struct old_entry *import_entry(struct import *import, const char *name)
{
	return &import->entries[old_key_find(name, strlen(name)) - old_keys];
}

static bool is_given(struct import *import, const char *name)
{
	return import_entry(import, name)->line > 0;
}

static uint64_t number_of(struct import *import, const char *name, uint64_t otherwise)
{
	const struct old_entry *entry = import_entry(import, name);

	return entry->line > 0 ? entry->number : otherwise;
}

/* Sets one of our keys for an old one: "old.conf:3 (test-duration-sec: 5)" is what
 * errors name, also those found later. */
static void make_origin(struct import *import, const char *name, char origin[CONFIG_ORIGIN_BYTES])
{
	const struct old_entry *entry = import_entry(import, name);
	char shown[SHOWN_BYTES];

	if (entry->line == 0) {
		snprintf(origin, CONFIG_ORIGIN_BYTES, "%s (no %s)", import->path, name);
		return;
	}
	text_tame(entry->value, shown);
	snprintf(origin, CONFIG_ORIGIN_BYTES, "%s:%u (%s: %.*s)", import->path, entry->line, name,
		 VALUE_SHOWN, shown);
}

static int set(struct import *import, const char *name, const char *native, const char *value,
	       struct error *err)
{
	char origin[CONFIG_ORIGIN_BYTES];

	make_origin(import, name, origin);
	return config_set(import->config, origin, native, value, err);
}

static int set_duration(struct import *import, const char *name, const char *native, uint64_t ns,
			struct error *err)
{
	char text[UNITS_TEXT_BYTES];

	return set(import, name, native, units_format_duration(text, ns), err);
}

/* Nothing but cache-threads tells a config of act_index from one of act_storage. */
static int set_workload(struct import *import, struct error *err)
{
	static const char name[] = "cache-threads";
	static const char *const of_storage[] = {"large-block-ops-per-sec",
						 "read-req-num-512-blocks"};
	const struct old_entry *entry = import_entry(import, name);

	if (import->act == CONFIG_ACT_STORAGE && entry->line > 0)
		import_say(import, entry->line,
			   "%s is of act_index, and this is taken as the load of act_storage",
			   name);
	else if (entry->line > 0)
		import_say(import, entry->line,
			   "%s is of act_index: taken as the load of an index. The number has no "
			   "meaning here: %s",
			   name, old_key_find(name, strlen(name))->note);
	bool index = import->act == CONFIG_ACT_INDEX ||
		     (import->act == CONFIG_ACT_BY_CONTENT && entry->line > 0);
	for (size_t i = 0; index && i < sizeof(of_storage) / sizeof(of_storage[0]); i++) {
		entry = import_entry(import, of_storage[i]);
		if (entry->line > 0)
			return import_refuse(import, entry->line, of_storage[i], entry->value,
					     "is of the storage load, and this is that of an index",
					     "keys of act_index", err);
	}
	if (import->act == CONFIG_ACT_BY_CONTENT)
		return set(import, name, "workload", index ? "index" : "storage", err);
	return config_set(import->config, index ? "act_index" : "act_storage", "workload",
			  index ? "index" : "storage", err);
}

/* Those that need nothing but their own value. */
static int set_simple(struct import *import, const struct old_key *key, struct error *err)
{
	const struct old_entry *entry = &import->entries[key - old_keys];
	char text[UNITS_TEXT_BYTES];
	bool on = entry->number > 0;

	switch (key->kind) {
	case OLD_DURATION:
		units_format_duration(text, entry->number);
		break;
	case OLD_SIZE:
		units_format_size(text, entry->number);
		break;
	case OLD_SWITCH:
	case OLD_SWITCH_NOT:
		on = key->kind == OLD_SWITCH ? on : !on;
		snprintf(text, sizeof(text), "%s", on ? "true" : "false");
		break;
	default:
		snprintf(text, sizeof(text), "%" PRIu64 "%s", entry->number,
			 key->kind == OLD_PERCENT ? "%" : "");
	}
	return set(import, key->name, key->native, text, err);
}

static int set_all_simple(struct import *import, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < old_key_count; i++) {
		if (import->entries[i].line > 0 && old_keys[i].native)
			rc = set_simple(import, &old_keys[i], err);
	}
	return rc;
}

static int add_device(struct import *import, const char *path, struct error *err)
{
	uint64_t size_bytes = number_of(import, "file-size-mbytes", 0);
	char origin[CONFIG_ORIGIN_BYTES];
	char size[UNITS_TEXT_BYTES];
	char text[CONFIG_PATH_BYTES + 2 * UNITS_TEXT_BYTES];

	make_origin(import, "device-names", origin);
	if (size_bytes == 0)
		return config_add_device(import->config, origin, path, err);
	snprintf(text, sizeof(text), "%.300s:%s", path, units_format_size(size, size_bytes));
	return config_add_file(import->config, origin, text, err);
}

/* Blanks around names and a comma behind the last are left out. Blanks between absolute
 * paths separate them, too, as in the older tool's log. */
static int set_devices(struct import *import, struct error *err)
{
	const struct old_entry *entry = import_entry(import, "device-names");
	char *rest = entry->value;
	char *name;

	int rc = set(import, "device-names", "devices", "", err);
	if (rc == 0)
		rc = set(import, "device-names", "files", "", err);
	while (rc == 0 && entry->line > 0 && (name = strsep(&rest, ","))) {
		name += strspn(name, " \t");
		while (rc == 0 && *name != '\0') {
			size_t length = strcspn(name, " \t");
			size_t blanks = strspn(name + length, " \t");
			bool last = name[length + blanks] == '\0';

			if (!last && (*name != '/' || name[length + blanks] != '/'))
				return import_refuse(import, entry->line, "device-names", name,
						     "blank in a path",
						     "paths, separated by commas", err);
			name[length] = '\0';
			rc = add_device(import, name, err);
			name += length + blanks;
		}
	}
	return rc;
}

static int set_load(struct import *import, const char *name, const char *native, struct ratio total,
		    uint64_t per_sec_1x, struct error *err)
{
	const struct old_entry *entry = import_entry(import, name);
	uint64_t devices = import->config->target_count;
	char text[UNITS_TEXT_BYTES];
	struct ratio load;

	if (ratio_multiply(total, ratio_make(1, per_sec_1x * devices), &load) != 0)
		return import_refuse(import, entry->line, name, entry->value, "too large",
				     "up to 10000x per device", err);
	return set(import, name, native, units_format_load(text, load), err);
}

/* ACT 1 and 2 give the large reads and the large writes per second themselves. In our
 * model they follow from the writes: blocks/s times 2, at the default of defrag-lwm. */
static int set_large_blocks(struct import *import, struct error *err)
{
	static const char name[] = "large-block-ops-per-sec";
	static const char *const others[] = {
	    "write-reqs-per-sec", "record-bytes",   "record-bytes-range-max", "replication-factor",
	    "update-pct",         "defrag-lwm-pct", "commit-to-device"};
	const struct old_entry *entry = import_entry(import, name);
	const struct config *config = import->config;
	uint64_t stored_bytes = (config->record_bytes + 15) / 16 * 16;
	uint64_t records = config->large_block_bytes / stored_bytes;
	char problem[ALLOWED_BYTES];
	struct ratio total;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (!is_given(import, others[i]))
			continue;
		snprintf(problem, sizeof(problem), "is of ACT 1 and 2, but %s of ACT 3 and later",
			 others[i]);
		return import_refuse(import, entry->line, name, entry->value, problem,
				     "the keys of one version", err);
	}
	if (ratio_multiply(ratio_make(entry->number, 1), ratio_make(records, 2), &total) != 0)
		return import_refuse(import, entry->line, name, entry->value, "too large",
				     "up to 10000x per device", err);
	return set_load(import, name, "write-load", total, WRITES_PER_SEC_1X, err);
}

static int set_loads(struct import *import, struct error *err)
{
	struct ratio reads = ratio_make(number_of(import, "read-reqs-per-sec", 0), 1);
	struct ratio writes = ratio_make(number_of(import, "write-reqs-per-sec", 0), 1);
	int rc;

	if (import->config->target_count == 0)
		return error_usage(
		    err, EINVAL,
		    "%s: no device-names; allowed: at least one, as the rates are over "
		    "all devices together",
		    import->path);
	rc = set_load(import, "read-reqs-per-sec", "read-load", reads, READS_PER_SEC_1X, err);
	if (rc != 0)
		return rc;
	bool old = is_given(import, "large-block-ops-per-sec");
	rc = old ? set_large_blocks(import, err)
		 : set_load(import, "write-reqs-per-sec", "write-load", writes, WRITES_PER_SEC_1X,
			    err);
	if (rc == 0)
		import_tell_load(import, !old);
	return rc;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b > 0) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The published criterion is per hour; a shorter test is one slice. Reports that do
 * not divide the slices come more often, so that those wanted are among them. */
static int set_times(struct import *import, struct error *err)
{
	char text[UNITS_TEXT_BYTES];
	uint64_t duration_ns = import->config->duration_ns;
	uint64_t slice_ns = duration_ns < SLICE_NS ? duration_ns : SLICE_NS;
	uint64_t asked_ns = number_of(import, "report-interval-sec", NS_PER_SEC);
	uint64_t interval_ns = common_divisor(asked_ns, common_divisor(duration_ns, slice_ns));
	const struct old_entry *entry = import_entry(import, "report-interval-sec");

	if (!is_given(import, "test-duration-sec"))
		import_say(import, 0, "no test-duration-sec: %s",
			   units_format_duration(text, duration_ns));
	if (slice_ns < SLICE_NS)
		import_say(import, import_entry(import, "test-duration-sec")->line,
			   "shorter than an hour: judged as one slice of %s",
			   units_format_duration(text, slice_ns));
	if (asked_ns > 0 && interval_ns != asked_ns)
		import_say(import, entry->line,
			   "report-interval-sec: reported every %s, which slices and duration are "
			   "multiples of",
			   units_format_duration(text, interval_ns));
	int rc = set_duration(import, "test-duration-sec", "slice", slice_ns, err);
	return rc ? rc
		  : set_duration(import, "report-interval-sec", "interval",
				 asked_ns > 0 ? interval_ns : 0, err);
}

/* Without a pause the older tool reads as fast as the device can: no plan can say that. */
static int set_tomb_raider(struct import *import, struct error *err)
{
	static const char name[] = "tomb-raider-sleep-usec";

	if (!number_of(import, "tomb-raider", 0))
		return 0;
	if (is_given(import, name))
		return set_duration(import, name, "tomb-raider-sleep", number_of(import, name, 0),
				    err);
	import_say(import, import_entry(import, "tomb-raider")->line,
		   "no tomb-raider-sleep-usec: 1000, as the manual of ACT says");
	return set_duration(import, name, "tomb-raider-sleep", NS_PER_MS, err);
}

static int set_max_lag(struct import *import, struct error *err)
{
	return set_duration(import, "max-lag-sec", "max-lag",
			    number_of(import, "max-lag-sec", MAX_LAG_SEC * NS_PER_SEC), err);
}

static int check_versions(struct import *import, struct error *err)
{
	const struct old_entry *entry = import_entry(import, "read-req-num-512-blocks");

	if (entry->line > 0 && is_given(import, "record-bytes"))
		return import_refuse(import, entry->line, "read-req-num-512-blocks", entry->value,
				     "is of ACT 1 and 2, but record-bytes of ACT 3 and later",
				     "one of the two", err);
	return 0;
}

static int find_values(struct import *import, struct error *err)
{
	int rc = check_versions(import, err);

	for (size_t i = 0; rc == 0 && i < old_key_count; i++) {
		if (import->entries[i].line > 0)
			rc = import_value(import, &old_keys[i], &import->entries[i], err);
	}
	return rc;
}

static int import_text(struct import *import, char *text, struct error *err)
{
	static int (*const steps[])(struct import *, struct error *) = {
	    find_values, set_workload, set_all_simple,  set_devices,
	    set_loads,   set_times,    set_tomb_raider, set_max_lag,
	};
	int rc = import_lines(import, text, err);

	for (size_t i = 0; rc == 0 && i < sizeof(steps) / sizeof(steps[0]); i++)
		rc = steps[i](import, err);
	return rc;
}

int config_load_file(struct config *config, const char *path, enum config_act act,
		     const struct config_notice *notice, struct error *err)
{
	const char *slash = strrchr(path, '/');
	size_t length = strlen(path);
	struct import import = {
	    .config = config,
	    .path = length > 80 ? path + length - 80 : path,
	    .act = act,
	    .notice = notice,
	};
	char *text;

	int rc = source_read(path, &text, err);
	if (rc != 0)
		return rc;
	import_find_titles(&import, 0, slash ? slash + 1 : path);
	rc = import_recognise(text) ? import_text(&import, text, err)
				    : file_parse_text(config, path, text, err);
	free(text);
	return rc;
}
