#pragma once
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
 * uniform: start(n) = floor((n * stride + index + phase) / rate), exact in 128-bit integers, so
 * that nothing drifts however long the run.
 *
 * poisson: requests are dealt in blocks of SCHEDULE_BLOCK. A block's first and
 * last moment are those of the uniform schedule, exactly; within it the starts
 * are as those of a Poisson process under the condition that SCHEDULE_BLOCK
 * requests fall into it (normalized sums of exponential gaps). Each block is
 * drawn from (seed, number of the block) alone.
 */

#define SCHEDULE_BLOCK  1024
#define SCHEDULE_PHASES 65536

enum schedule_arrivals { SCHEDULE_UNIFORM, SCHEDULE_POISSON };

struct schedule_block {
	uint64_t number;
	double sum[SCHEDULE_BLOCK + 1]; /* running sums of the gaps; the last is the whole */
	uint32_t drawn;                 /* how many sums are there */
	struct random random;
};

struct schedule {
	enum schedule_arrivals arrivals;
	uint32_t index;
	uint32_t stride;
	uint32_t phase;
	/* The stream's period in ns is period_num / period_den * SCHEDULE_PHASES. */
	uint64_t period_num;
	uint64_t period_den;
	uint64_t seed;
	uint64_t next;                 /* number of the next request */
	struct schedule_block *block;  /* poisson: the one being dealt, */
	struct schedule_block *coming; /* and the one being drawn meanwhile */
};

struct schedule_share {
	struct ratio per_sec; /* of the whole stream, > 0 */
	uint32_t index;       /* this share, < stride */
	uint32_t stride;      /* number of shares */
	uint32_t phase; /* moves all starts by phase / SCHEDULE_PHASES of the stream's period */
	uint64_t seed;  /* poisson only */
	enum schedule_arrivals arrivals;
};

/* -ERANGE with text when the rate cannot be kept exactly in 128 bits. Allocates
 * for poisson only; schedule_release frees. */
int schedule_init(struct schedule *schedule, const struct schedule_share *share, struct error *err);
void schedule_release(struct schedule *schedule);

/* Intended start of request n. O(SCHEDULE_BLOCK) for poisson, O(1) for uniform. */
uint64_t schedule_start_ns(const struct schedule *schedule, uint64_t n);

/* Intended start of the next request in order: the same value as
 * schedule_start_ns(next), then counts on. O(1). */
uint64_t schedule_take_ns(struct schedule *schedule);

/* How many requests are intended before `end_ns`. */
uint64_t schedule_count_before(const struct schedule *schedule, uint64_t end_ns);
