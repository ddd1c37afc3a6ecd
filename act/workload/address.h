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

/* So many consecutive requests of a stream have its shares exactly. */
#define ADDRESS_DECK 10000

/* One of the stream's sizes, and what follows from it. */
struct address_size {
	uint64_t min_bytes;
	uint64_t max_bytes;
	uint64_t length_bytes; /* of the largest, in whole blocks */
	uint64_t places;       /* where that fits whole */
	uint64_t step_bytes;   /* from one to the next in sequence */
};

/*
 * Where and how long the requests of one worker's share of a stream are. Pure
 * but for its own random state; belongs to one thread.
 *
 * Sizes with weights and the share of random places are dealt from a deck of cards, each of
 * which says a size and whether the place is random, in just the numbers asked for. It
 * is shuffled once, by the seed, and dealt again and again; the card of a request is that
 * of its number in the stream. So any ADDRESS_DECK requests of the stream that follow
 * each other have the shares exactly, those of all workers of a device together. A
 * share that is no multiple of 1 / ADDRESS_DECK is rounded to one.
 */
struct address {
	uint64_t first_bytes; /* the lowest offset */
	uint64_t room_bytes;  /* from there on */
	uint64_t align_bytes; /* of offsets */
	uint64_t block_bytes; /* sizes are rounded up to it; a power of 2 */
	struct address_size sizes[STREAM_SIZES_MAX];
	size_t size_count;
	uint64_t position_bytes; /* the next offset in sequence, from first_bytes */
	uint8_t *deck;           /* size and ADDRESS_RANDOM; NULL: all cards are alike, */
	uint8_t only_card;       /* this one */
	uint32_t card;           /* that of the next request, */
	uint32_t stride;         /* and so many further that of the one after it */
	struct random random;
};

/* A flag in a card. */
#define ADDRESS_RANDOM 0x80

/* `index` of `stride` shares of a stream, which have the same `seed`; sequential requests
 * begin evenly apart. A usage error when a request of the largest size does not fit into the
 * stream's region of the range. address_release frees. */
int address_init(struct address *address, const struct stream *stream,
		 const struct address_range *range, uint32_t index, uint32_t stride, uint64_t seed,
		 struct error *err);
void address_release(struct address *address);

/* What address_init would refuse, and how long its longest request would be. */
int address_check(const struct stream *stream, const struct address_range *range,
		  uint32_t *ret_length_max, struct error *err);

/* The next request: random offsets are uniform over all aligned places where it
 * fits whole; others go on where the last of that kind ended. */
void address_next(struct address *address, uint64_t *ret_offset_bytes, uint32_t *ret_length_bytes);

/* The largest length that address_next gives. */
uint32_t address_length_max(const struct address *address);
