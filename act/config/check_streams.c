#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "act/config/check.h"

static int refuse(const struct config_stream *stream, const struct config *config, const char *key,
		  const char *value, const char *problem, const char *allowed, struct error *err)
{
	char name[64];

	snprintf(name, sizeof(name), "streams[%zu].%s", (size_t)(stream - config->streams) + 1,
		 key);
	return option_refuse(err, EINVAL, stream->origin, name, value, problem, allowed);
}

static int check_devices(const struct config *config, const struct config_stream *stream,
			 struct error *err)
{
	unsigned highest = 64 - (unsigned)(stream->devices ? __builtin_clzll(stream->devices) : 64);
	char value[16];
	char allowed[ALLOWED_BYTES];

	if (highest <= config->target_count)
		return 0;
	snprintf(value, sizeof(value), "%u", highest);
	snprintf(allowed, sizeof(allowed), "the numbers of the devices and files, 1 to %zu",
		 config->target_count);
	return refuse(stream, config, "devices", value, "no such device", allowed, err);
}

/* The shares of a stream are of something in each phase. */
static int check_share(const struct config *config, const struct config_stream *stream,
		       struct error *err)
{
	char value[UNITS_TEXT_BYTES];

	if (stream->rate.unit != CONFIG_RATE_SHARE || config->rate.unit != CONFIG_RATE_NONE)
		return 0;
	/* where there are phases, check_phases looks at each */
	if (config->phase_count > 0)
		return 0;
	return refuse(stream, config, "rate", config_format_rate(value, stream->rate),
		      "a share, but the key rate is not set", "a rate, or rate = \"10000/s\"", err);
}

/* As sectors of a smaller region would hardly be random. */
static int check_room(const struct config *config, const struct config_stream *stream,
		      struct error *err)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < stream->size_count; i++)
		largest =
		    stream->sizes[i].max_bytes > largest ? stream->sizes[i].max_bytes : largest;
	for (size_t i = 0; i < config->target_count; i++) {
		char value[UNITS_TEXT_BYTES];
		char problem[ALLOWED_BYTES];

		if (!config->targets[i].is_file || config->targets[i].size_bytes / 16 >= largest)
			continue;
		snprintf(problem, sizeof(problem), "%.60s is smaller than 16 of them",
			 config->targets[i].path);
		return refuse(stream, config, "sizes", units_format_size(value, largest), problem,
			      "at most a sixteenth of each file", err);
	}
	return 0;
}

/* The log counts over so many thresholds at most. */
static int check_thresholds(const struct config *config, struct error *err)
{
	uint64_t known[CONFIG_CRITERIA_MAX * (CONFIG_STREAMS_MAX + 1)];
	size_t count = 0;

	for (; count < config->criterion_count; count++)
		known[count] = config->criteria[count].threshold_ns;
	for (size_t i = 0; i < config->stream_count; i++) {
		const struct config_stream *stream = &config->streams[i];

		for (size_t j = 0; j < stream->criterion_count; j++) {
			uint64_t threshold = stream->criteria[j].threshold_ns;
			char value[UNITS_TEXT_BYTES];
			size_t k = 0;

			while (k < count && known[k] != threshold)
				k++;
			if (k < count)
				continue;
			if (count == CONFIG_CRITERIA_MAX)
				return refuse(stream, config, "thresholds",
					      units_format_duration(value, threshold),
					      "a ninth threshold with those of the key thresholds "
					      "and of other streams",
					      "8 different ones in all", err);
			known[count++] = threshold;
		}
	}
	return 0;
}

int check_streams(const struct config *config, struct error *err)
{
	if (config->workload != CONFIG_WORKLOAD_CUSTOM)
		return config->stream_count == 0
			   ? 0
			   : check_refuse_pair(config, "streams", "workload",
					       "not a custom workload",
					       "streams with workload = \"custom\"", err);
	if (config->stream_count == 0)
		return check_refuse_pair(config, "streams", "workload", "no streams",
					 "1 to 8 streams", err);
	for (size_t i = 0; i < config->stream_count; i++) {
		const struct config_stream *stream = &config->streams[i];

		int rc = check_devices(config, stream, err);
		if (rc == 0)
			rc = check_share(config, stream, err);
		if (rc == 0)
			rc = check_room(config, stream, err);
		if (rc != 0)
			return rc;
	}
	return check_thresholds(config, err);
}
