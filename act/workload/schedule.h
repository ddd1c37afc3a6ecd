#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/base/random.h"
#include "act/base/units.h"

/*
 * When the n-th request of one worker's share of a stream is to be issued.
 * Pure: no clock, no I/O. Times are ns since the start of the run.
 *
 * A share is every `stride`-th request of the stream, from request `index` on;
 * together the shares issue exactly the stream's rate, evenly out of phase.
 *
 * The run is a list of segments, each with a rate of its own; in one of rate 0 nothing
 * is issued. Each is anchored at its begin, as if the run began there: the requests
 * before it do not matter, so that there is neither silence nor burst at the border, and
 * the number of requests in it is exact. The last segment never ends.
 *
 * uniform: start(k) = begin + floor((k * stride + i + phase) / rate), exact in 128-bit
 * integers, so that nothing drifts however long the segment. i is `index` less the requests of
 * all shares before the segment, modulo stride: the shares take turns across borders, too.
 *
 * poisson: requests are dealt in blocks of SCHEDULE_BLOCK. A block's first and
 * last moment are those of the uniform schedule, exactly; within it the starts
 * are as those of a Poisson process under the condition that SCHEDULE_BLOCK
 * requests fall into it (normalized sums of exponential gaps). Each block is
 * drawn from (seed, segment, number of the block) alone. Blocks begin anew in each
 * segment; the last one has the requests that are left, up to the segment's end, so that a
 * segment has as many as with the uniform schedule.
 */

#define SCHEDULE_BLOCK  1024
#define SCHEDULE_PHASES 65536
/* The start of requests that never come. Other times may be added to it. */
#define SCHEDULE_NEVER (UINT64_MAX / 2)

enum schedule_arrivals { SCHEDULE_UNIFORM, SCHEDULE_POISSON };

/* Segments lie one behind the other, the first from 0 on. */
struct schedule_segment {
	uint64_t begin_ns;
	uint64_t end_ns;      /* of the last it does not matter */
	struct ratio per_sec; /* of the whole stream; 0: silence */
};

struct schedule_block {
	uint64_t segment; /* its number; that of no segment: there is no such block */
	uint64_t number;  /* within the segment */
	uint64_t size;    /* so many requests: the last one of a segment has the rest */
	uint64_t from_ns; /* it begins */
	uint64_t upto_ns; /* and ends */
	double sum[SCHEDULE_BLOCK + 1]; /* running sums of the gaps; the last is the whole */
	uint32_t drawn;                 /* how many sums are there */
	struct random random;
};

/* A segment as this share sees it. */
struct schedule_part {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t first; /* number of the first request in it, */
	uint64_t upto;  /* and of the first one behind it */
	/* The stream's period in ns is period_num / period_den * SCHEDULE_PHASES. */
	uint64_t period_num;
	uint64_t period_den; /* 0: silence */
	/* From one request of the share to its next: step_ns + step_rest / period_den ns. */
	uint64_t step_ns;
	uint64_t step_rest;
	uint32_t index; /* its first request's among those of all shares in it */
	uint64_t seed;
};

struct schedule {
	enum schedule_arrivals arrivals;
	uint32_t stride;
	uint32_t phase;
	uint64_t next;               /* number of the next request */
	struct schedule_part *parts; /* [part_count] */
	size_t part_count;
	const struct schedule_part *now; /* the next request is in it, or in one behind it */
	/* uniform: the next request in it starts start_rest / period_den ns after start_ns. The
	 * rest is kept whole, so that this is the formula's start however many steps it took. */
	uint64_t start_ns;
	uint64_t start_rest;           /* < period_den */
	struct schedule_block *block;  /* poisson: the one being dealt, */
	struct schedule_block *coming; /* and the one being drawn meanwhile, */
	uint32_t pace;                 /* by so many gaps for each request */
};

struct schedule_share {
	const struct schedule_segment *segments; /* not kept */
	size_t segment_count;                    /* at least 1 */
	uint32_t index;                          /* this share, < stride */
	uint32_t stride;                         /* number of shares */
	uint32_t phase; /* moves all starts by phase / SCHEDULE_PHASES of the stream's period */
	uint64_t seed;  /* poisson only */
	enum schedule_arrivals arrivals;
};

/* Whether its multiples stay exact in 128 bits. */
bool schedule_keeps(struct ratio per_sec);

/* -ERANGE with text when a rate cannot be kept exactly in 128 bits. All memory is
 * taken here; schedule_release frees it. */
int schedule_init(struct schedule *schedule, const struct schedule_share *share, struct error *err);
void schedule_release(struct schedule *schedule);

/* Intended start of request n; SCHEDULE_NEVER from the number on that is not reached.
 * O(log segments), and O(SCHEDULE_BLOCK) for poisson. */
uint64_t schedule_start_ns(const struct schedule *schedule, uint64_t n);

/* Intended start of the next request in order: the same value as
 * schedule_start_ns(next), then counts on. O(1) but for silent segments, which it goes
 * past one by one. */
uint64_t schedule_take_ns(struct schedule *schedule);

/* How many requests are intended before `end_ns`. Any thread may ask, whoever takes. Of a
 * zeroed schedule, none. */
uint64_t schedule_count_before(const struct schedule *schedule, uint64_t end_ns);
