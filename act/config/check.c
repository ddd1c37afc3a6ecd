#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/config/check.h"

int check_refuse_pair(const struct config *config, const char *key, const char *other,
		      const char *problem, const char *allowed, struct error *err)
{
	const struct option *first = option_find(key);
	const struct option *second = option_find(other);
	char value[SHOWN_BYTES];
	char text[2 * ALLOWED_BYTES];

	if (config->origins[first - options][0] == '\0') {
		const struct option *swap = first;
		first = second;
		second = swap;
	}
	const char *origin = config->origins[second - options];
	option_show(second, config, value);
	snprintf(text, sizeof(text), "%s, as %s =%s%s (%s)", problem, second->key,
		 *value != '\0' ? " " : "", value, *origin != '\0' ? origin : "default");
	return config_refuse(config, first->key, text, allowed, err);
}

static bool is_storage(const struct config *config)
{
	return config->workload == CONFIG_WORKLOAD_STORAGE;
}

static int check_targets(const struct config *config, struct error *err)
{
	if (config->target_count == 0)
		return error_usage(err, EINVAL,
				   "nothing to test; allowed: --device PATH, --file PATH:SIZE, or "
				   "devices or files in the config");
	for (size_t i = 0; i < config->target_count && is_storage(config); i++) {
		if (config->targets[i].is_file &&
		    config->targets[i].size_bytes / 16 < config->large_block_bytes)
			return check_refuse_pair(config, "files", "large-block",
						 "file smaller than 16 large blocks",
						 "at least 16 large blocks", err);
	}
	return 0;
}

static uint64_t round_up_16(uint64_t bytes)
{
	return (bytes + 15) / 16 * 16;
}

static int check_sizes(const struct config *config, struct error *err)
{
	uint64_t block = config->large_block_bytes;

	if (!is_storage(config))
		return 0;
	if ((block & (block - 1)) != 0)
		return config_refuse(config, "large-block", "not a power of 2",
				     "powers of 2 from 4KiB to 8MiB", err);
	if (round_up_16(config->record_bytes) > block)
		return check_refuse_pair(config, "record-size", "large-block",
					 "record larger than a large block",
					 "records of at most one large block", err);
	if (config->record_max_bytes == 0)
		return 0;
	if (round_up_16(config->record_max_bytes) > block)
		return check_refuse_pair(config, "record-size-max", "large-block",
					 "record larger than a large block",
					 "records of at most one large block", err);
	if (config->record_max_bytes < config->record_bytes)
		return check_refuse_pair(config, "record-size-max", "record-size",
					 "largest record below the smallest",
					 "at least record-size, or 0B", err);
	return 0;
}

static bool is_set(const struct config *config, const char *key)
{
	return config->origins[option_find(key) - options][0] != '\0';
}

static int check_times(const struct config *config, struct error *err)
{
	if (config->interval_ns % UINT64_C(1000000000) != 0)
		return config_refuse(config, "interval", "not whole seconds",
				     "whole seconds from 1s to 1h", err);
	if (config->slice_ns % config->interval_ns != 0)
		return check_refuse_pair(config, "slice", "interval",
					 "slice is not a multiple of interval",
					 "multiples of interval", err);
	/* that of all phases is a multiple if theirs are */
	bool of_phases = config->phase_count > 0 && !is_set(config, "duration");
	if (config->duration_ns % config->interval_ns != 0 && !of_phases)
		return check_refuse_pair(config, "duration", "interval",
					 "duration is not a multiple of interval",
					 "multiples of interval", err);
	/* slices end with their phase, and so may be shorter */
	if (config->duration_ns < config->slice_ns && config->phase_count == 0)
		return check_refuse_pair(config, "duration", "slice",
					 "duration shorter than a slice", "at least one slice",
					 err);
	if (config->criterion_count == 0)
		return config_refuse(config, "thresholds", "none", "1 to 8 thresholds", err);
	return 0;
}

static int check_load(const struct config *config, struct error *err)
{
	if (config->workload == CONFIG_WORKLOAD_CUSTOM || check_has_reads(config) ||
	    check_has_writes(config))
		return 0;
	if (config->phase_count == 0)
		return check_refuse_pair(config, "read-load", "write-load", "no load at all",
					 "one of the two above 0x", err);
	return config_refuse(config, "phases", "no load in any of them", "one with a load", err);
}

static const char storage_streams[] =
    "reads writes large-block-reads large-block-writes tomb-raider-reads";
static const char index_streams[] = "reads writes";

void check_stream_names(const struct config *config, char text[static ALLOWED_BYTES])
{
	size_t length = 0;

	if (config->workload != CONFIG_WORKLOAD_CUSTOM) {
		option_list_words(is_storage(config) ? storage_streams : index_streams, text);
		return;
	}
	text[0] = '\0';
	for (size_t i = 0; i < config->stream_count && length < ALLOWED_BYTES; i++)
		length += (size_t)snprintf(text + length, ALLOWED_BYTES - length, "%s%s",
					   i > 0 ? ", " : "", config->streams[i].name);
}

bool check_is_stream(const struct config *config, const char *name)
{
	const char *words = is_storage(config) ? storage_streams : index_streams;

	if (config->workload != CONFIG_WORKLOAD_CUSTOM)
		return option_has_word(words, name);
	for (size_t i = 0; i < config->stream_count; i++) {
		if (strcmp(config->streams[i].name, name) == 0)
			return true;
	}
	return false;
}

/* Which setting keeps a stream from being there; NULL when nothing does. */
static const char *missing_for(const struct config *config, const char *stream)
{
	bool reads = check_has_reads(config);
	bool writes = check_has_writes(config);

	if (config->workload == CONFIG_WORKLOAD_CUSTOM)
		return NULL;
	if (config->workload == CONFIG_WORKLOAD_INDEX)
		return writes || (reads && strcmp(stream, "reads") == 0) ? NULL : "write-load";
	if (strcmp(stream, "reads") == 0)
		return reads || (writes && config->update_share.num > 0) ? NULL : "read-load";
	if (strcmp(stream, "tomb-raider-reads") == 0)
		return config->tomb_raider ? NULL : "tomb-raider";
	if (!writes)
		return "write-load";
	if (strcmp(stream, "writes") == 0)
		return config->commit_to_device ? NULL : "commit-to-device";
	if (strcmp(stream, "large-block-reads") == 0)
		return config->defrag_reads ? NULL : "defrag-reads";
	return NULL;
}

static int check_judged(const struct config *config, struct error *err)
{
	char problem[ALLOWED_BYTES];
	char names[ALLOWED_BYTES];

	for (size_t i = 0; i < config->judged_count; i++) {
		const char *missing = missing_for(config, config->judged[i]);
		if (!check_is_stream(config, config->judged[i])) {
			check_stream_names(config, names);
			snprintf(problem, sizeof(problem), "no such stream as %s",
				 config->judged[i]);
			return config_refuse(config, "judge", problem, names, err);
		}
		if (!missing)
			continue;
		snprintf(problem, sizeof(problem), "this load has no %s", config->judged[i]);
		return check_refuse_pair(config, "judge", missing, problem, "streams of this load",
					 err);
	}
	return 0;
}

static int check_polled(const struct config *config, struct error *err)
{
	if (config->polled && config->engine != CONFIG_ENGINE_URING)
		return check_refuse_pair(config, "polled", "engine", "nothing to poll",
					 "engine uring", err);
	return 0;
}

int config_check(const struct config *config, struct error *err)
{
	static int (*const checks[])(const struct config *, struct error *) = {
	    check_targets, check_meaning, check_sizes,  check_times,  check_streams,
	    check_phases,  check_load,    check_judged, check_polled,
	};

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		int rc = checks[i](config, err);
		if (rc != 0)
			return rc;
	}
	return 0;
}
