#pragma once
#include <stdint.h>

#include "act/base/random.h"
#include "act/workload/stream.h"

/* The part of a device that requests may go to. */
struct address_range {
	uint64_t first_bytes; /* nothing before it */
	uint64_t end_bytes;   /* nor from here on */
	uint32_t logical_block_bytes;
};

/*
 * Where and how long the requests of one worker's share of a stream are. Pure
 * but for its own random state; belongs to one thread.
 */
struct address {
	bool sequential;
	uint64_t first_bytes; /* the lowest offset */
	uint64_t room_bytes;  /* from there on */
	uint64_t align_bytes; /* of offsets */
	uint64_t block_bytes; /* sizes are rounded up to it */
	uint64_t size_min_bytes;
	uint64_t size_max_bytes;
	uint64_t position_bytes; /* sequential only: the next offset, from first_bytes */
	struct random random;
};

/* `index` of `stride` shares; sequential shares begin evenly apart. A usage error
 * when a request of the largest size does not fit into the range. */
int address_init(struct address *address, const struct stream *stream,
		 const struct address_range *range, uint32_t index, uint32_t stride, uint64_t seed,
		 struct error *err);

/* The next request: random offsets are uniform over all aligned places where it
 * fits whole. */
void address_next(struct address *address, uint64_t *ret_offset_bytes, uint32_t *ret_length_bytes);

/* The largest length that address_next gives. */
uint32_t address_length_max(const struct address *address);
