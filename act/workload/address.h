#pragma once
#include <stdint.h>

#include "act/base/random.h"
#include "act/workload/stream.h"

/*
 * Where and how long the requests of one worker's share of a stream are. Pure
 * but for its own random state; belongs to one thread.
 */
struct address {
	enum stream_pattern pattern;
	uint64_t device_bytes;
	uint64_t align_bytes; /* of offsets */
	uint64_t block_bytes; /* sizes are rounded up to it */
	uint64_t size_min_bytes;
	uint64_t size_max_bytes;
	uint64_t position_bytes; /* sequential only: the next offset */
	struct random random;
};

/* `index` of `stride` shares; sequential shares begin evenly apart. A usage error
 * when a request of the largest size does not fit into the device. */
int address_init(struct address *address, const struct stream *stream, uint64_t device_bytes,
		 uint32_t logical_block_bytes, uint32_t index, uint32_t stride, uint64_t seed,
		 struct error *err);

/* The next request: random offsets are uniform over all aligned places where it
 * fits whole. */
void address_next(struct address *address, uint64_t *ret_offset_bytes, uint32_t *ret_length_bytes);

/* The largest length that address_next gives. */
uint32_t address_length_max(const struct address *address);
