#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/io/engine.h"

/*
 * Moves blocks between memory and one device with a deep queue, as fast as the device
 * (or an asked limit) allows. It asks for the next place, has the buffer filled when it
 * writes, and tells when a block has been moved. Everything runs in the calling thread;
 * a pump belongs to the thread that opened it.
 */

#define PUMP_DEPTH       32
#define PUMP_BLOCK_BYTES (128u << 10)
/* With nothing coming back for so long, the device is taken for lost. */
#define PUMP_HANG_NS (60 * NS_PER_SEC)

struct pump_block {
	uint64_t offset_bytes;
	uint32_t length_bytes; /* at most PUMP_BLOCK_BYTES; a multiple of the logical block */
	void *buffer;
	uint32_t slot; /* below PUMP_DEPTH; always has the same buffer */
};

struct pump_job {
	enum io_op op;
	/* Fills offset and length of the next block; false when there are no more. */
	bool (*next)(void *state, struct pump_block *block);
	/* Fills the buffer that is to be written; NULL when reading. */
	void (*prepare)(void *state, const struct pump_block *block);
	/* The block has been moved in whole. -errno ends the job with that. */
	int (*done)(void *state, const struct pump_block *block);
	void *state;
	uint64_t bytes_per_sec; /* at most; 0: no limit */
};

struct pump;

/* Environment errors of the engine. `fd` is open with O_DIRECT; the caller keeps it. */
int pump_open(const struct io_engine_ops *ops, int fd, const struct clock *clock, struct pump **ret,
	      struct error *err);

/* Runs the job; when it returns, nothing is under way any more (but for -ETIMEDOUT: then the
 * device keeps the pump's memory). 0, what `done` returned, or -errno of the
 * request that failed, with its place in *ret_failed_bytes. */
int pump_run(struct pump *pump, const struct pump_job *job, uint64_t *ret_failed_bytes);

/* The lowest offset that is under way; UINT64_MAX: none is. For `done` and `next`. */
uint64_t pump_lowest(const struct pump *pump);
/* Whether any of these bytes is under way. */
bool pump_touches(const struct pump *pump, uint64_t offset_bytes, uint64_t length_bytes);

/* NULL is fine. */
void pump_close(struct pump *pump);
