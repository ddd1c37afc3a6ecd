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
#define STREAM_SIZES_MAX  16
#define PHASES_MAX        128
/* `devices` of a stream that is issued on each of them. */
#define STREAM_ALL_DEVICES UINT64_MAX

enum stream_op { STREAM_READ, STREAM_WRITE };

/* Sizes are uniform over [min, max], then rounded up to the device's logical block. */
struct stream_size {
	uint64_t min_bytes;
	uint64_t max_bytes;
	struct ratio share; /* of the stream's requests */
};

/* As analysis/run_info.h has it; limits of the stream's own. */
struct stream_criterion {
	uint64_t threshold_ns;
	struct ratio limit;
};

struct stream {
	char name[STREAM_NAME_BYTES]; /* also its histogram's name */
	enum stream_op op;
	bool large_block;     /* shown once for all devices in the older tool's text */
	bool dsync;           /* each write is durable when it completes */
	struct ratio per_sec; /* requests per second and device; of all phases the highest */
	struct stream_size sizes[STREAM_SIZES_MAX]; /* their shares add up to 1 */
	size_t size_count;
	uint64_t size_min_bytes; /* of all sizes */
	uint64_t size_max_bytes;
	uint64_t align_bytes;     /* offsets are multiples of it; 0: of the logical block */
	struct ratio random;      /* share of the requests at random places; the rest in sequence */
	struct ratio region_from; /* of the device, 0 to 1 */
	struct ratio region_upto;
	uint64_t devices;                    /* bit i: it is issued on device i */
	uint64_t in_flight_cap;              /* per worker; 0: as the config says */
	struct stream_criterion criteria[8]; /* none: those of the config */
	size_t criterion_count;
};

/* Streams on devices beyond the bits of the mask are on all of them. */
static inline bool stream_is_on(const struct stream *stream, size_t device)
{
	return device >= 64 || (stream->devices >> device & 1);
}

/* A part of the run in which the rates stay the same. */
struct workload_phase {
	char name[STREAM_NAME_BYTES]; /* empty for the only phase of a run without phases */
	size_t group;                 /* of the config's phases, from 0 */
	uint64_t start_ns;            /* since the start of the run */
	uint64_t end_ns;
	bool judged;                       /* by latency */
	struct ratio per_sec[STREAMS_MAX]; /* 0: the stream rests */
};

struct workload {
	struct stream streams[STREAMS_MAX];
	size_t stream_count;
	struct workload_phase phases[PHASES_MAX]; /* one behind the other; the last ends the run */
	size_t phase_count;                       /* at least 1 */
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
