#include <stdio.h>
#include <string.h>

#include "act/config/group.h"

#define AT(field) offsetof(struct config_stream, field)

/* clang-format off */
static const struct option members[] = {
{"name", OPTION_NAME, AT(name), NULL, "-", NULL,
 "Of the stream and of its histogram", NULL},
{"op", OPTION_EITHER, AT(is_write), NULL, "read write", NULL,
 "What it does", NULL},
{"rate", OPTION_RATE, AT(rate), NULL, "sx%B", NULL,
 "On each device; a share is of the key rate, bytes are divided by the mean size", NULL},
{"sizes", OPTION_SIZES, AT(sizes), NULL, NULL, NULL,
 "Sizes of its requests; uniform from MIN to MAX; weights count by their sum", NULL},
{"random", OPTION_PERCENT, AT(random), "100%", "0%", "100%",
 "Share of its requests at random places; the rest goes on in sequence", NULL},
{"region", OPTION_REGION, AT(region_from), "0%..100%", NULL, NULL,
 "Part of the device in which they are", NULL},
{"devices", OPTION_NUMBERS, AT(devices), "", NULL, NULL,
 "Numbers of its devices and files in their order; empty: all", NULL},
{"odsync", OPTION_OVERRIDE, AT(odsync), "", NULL, NULL,
 "As the key odsync, for this stream alone", NULL},
{"in-flight-cap", OPTION_COUNT, AT(in_flight_cap), "0", "0", "32768",
 "As the key in-flight-cap, for this stream alone; 0: as that", NULL},
{"judge", OPTION_OVERRIDE, AT(judge), "", NULL, NULL,
 "Its latency decides; reads do and writes do not where it is not said", NULL},
{"thresholds", OPTION_CRITERIA, AT(criteria), "", NULL, NULL,
 "Limits of its own instead of those of the key thresholds", NULL},
};
/* clang-format on */

static const struct config_stream blank = {
    .rate = {.value = {0, 1}},
    .random = {1, 1},
    .region_from = {0, 1},
    .region_upto = {1, 1},
};

/* A single size may have no weight; it is 100 then. */
static int finish_sizes(const struct setting *group, struct config_stream *stream,
			struct error *err)
{
	if (stream->size_count == 0)
		return group_refuse(group, "sizes", "", "none", "1 to 16 sizes", err);
	if (stream->size_count == 1 && stream->sizes[0].weight.num == 0)
		stream->sizes[0].weight = ratio_make(100, 1);
	return 0;
}

static int finish(const struct setting *group, uint64_t given, struct error *err)
{
	const struct config *config = group->config;
	struct config_stream *stream = group->group;

	(void)given;
	snprintf(stream->origin, sizeof(stream->origin), "%s", group->origin);
	if (strcmp(stream->name, "load") == 0 || strcmp(stream->name, "rate") == 0)
		return group_refuse(group, "name", stream->name, "has a meaning in steps",
				    "names but load and rate", err);
	for (const struct config_stream *other = config->streams; other < stream; other++) {
		if (strcmp(other->name, stream->name) == 0)
			return group_refuse(group, "name", stream->name, "named twice",
					    "names that differ", err);
	}
	if (!stream->is_write && stream->odsync != CONFIG_AS_DEFAULT)
		return group_refuse(group, "odsync",
				    stream->odsync == CONFIG_YES ? "true" : "false",
				    "of a stream that reads", "on streams that write", err);
	return finish_sizes(group, stream, err);
}

const struct group_kind group_streams = {
    .option = OPTION_STREAMS,
    .what = "stream",
    .members = {members, sizeof(members) / sizeof(members[0])},
    .offset = offsetof(struct config, streams),
    .count_offset = offsetof(struct config, stream_count),
    .size = sizeof(struct config_stream),
    .max = CONFIG_STREAMS_MAX,
    .blank = &blank,
    .finish = finish,
};
