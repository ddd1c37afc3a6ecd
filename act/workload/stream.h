#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/base/units.h"

/*
 * What a workload compiles to. Nothing below knows the words storage or index.
 */

#define STREAM_NAME_BYTES 48
#define STREAMS_MAX       8

enum stream_op { STREAM_READ, STREAM_WRITE };
enum stream_pattern { STREAM_RANDOM, STREAM_SEQUENTIAL };

struct stream {
	char name[STREAM_NAME_BYTES]; /* also its histogram's name */
	enum stream_op op;
	enum stream_pattern pattern;
	bool large_block;        /* shown once for all devices in the older tool's text */
	bool dsync;              /* each write is durable when it completes */
	struct ratio per_sec;    /* requests per second and device */
	uint64_t size_min_bytes; /* sizes are uniform over [min, max], then rounded up to the */
	uint64_t size_max_bytes; /* device's logical block */
	uint64_t align_bytes;    /* offsets are multiples of it; 0: of the logical block */
};

struct workload {
	struct stream streams[STREAMS_MAX];
	size_t stream_count;
	/* The streams that are judged when the config does not say. */
	char judged[STREAMS_MAX][STREAM_NAME_BYTES];
	size_t judged_count;
	/* The older tool's name and its config lines "key: value", for the log. */
	char title[32];    /* "ACT-STORAGE" */
	char subtitle[48]; /* "Storage device IO test" */
	char configuration[2048];
	char derived[512];
	double effective_load_read;  /* reads/s and device over 2000 */
	double effective_load_write; /* client writes/s and device over 1000 */
};
