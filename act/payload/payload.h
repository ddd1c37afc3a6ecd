#pragma once
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/base/random.h"
#include "act/base/units.h"
#include "act/payload/crc32c.h"

/*
 * What is written: sectors of 512 bytes, each of which says what and where it
 * is, so that a later read can be checked without any record of the write.
 *
 * A sector is a header of 32 bytes and 480 bytes of body: random bytes up to
 * the asked compressibility, then zeros. Numbers are little-endian. The last
 * three words of the header are stored XORed with random_mix() of the first three
 * words of the body: in plain they would make all data compressible by 4 %.
 *
 * Bodies come from a pool made once (16384 of them, checksums computed in
 * advance): each request takes consecutive ones from a random place on, so that
 * none repeats within 8 MiB. What makes every sector unique is its header.
 */

#define PAYLOAD_SECTOR_BYTES 512
#define PAYLOAD_VERSION      1

struct payload_header {
	uint8_t magic[3]; /* "ACS" */
	uint8_t version;
	uint32_t crc32c;       /* of all 512 bytes as stored, with this field as zero */
	uint64_t offset_bytes; /* of the sector on its device */
	uint64_t sequence;     /* of the write, unique in a run */
	uint64_t data_id;      /* of the preparation that the device's data belong to */
};
_Static_assert(sizeof(struct payload_header) == 32, "format on disk");

/* Shared by all workers, read-only once made. */
struct payload_pool;

/* `compress` is the size after compression as a share of the size (1 = random).
 * -ENOMEM with an environment error. Free with payload_pool_free. */
int payload_pool_new(struct ratio compress, uint64_t seed, struct payload_pool **ret,
		     struct error *err);
void payload_pool_free(struct payload_pool *pool);

/* Fills `length` bytes (a multiple of 512) at `buffer` for a write at
 * `offset_bytes`, and returns where in the pool their bodies are from. Thread-safe as long as
 * each thread has its own `random`. */
size_t payload_fill(const struct payload_pool *pool, struct random *random, void *buffer,
		    size_t length, uint64_t offset_bytes, uint64_t sequence, uint64_t data_id);

/* Makes what payload_fill, which returned `first`, has left in the buffer (at least so
 * much) that of another write: the bodies stay, which saves copying them. */
void payload_refill(const struct payload_pool *pool, size_t first, void *buffer, size_t length,
		    uint64_t offset_bytes, uint64_t sequence, uint64_t data_id);

/* What is wrong with a sector that was read. */
enum payload_fault {
	PAYLOAD_GOOD,
	PAYLOAD_FOREIGN,   /* none of ours: zeros, somebody else's data */
	PAYLOAD_CORRUPT,   /* begins like ours, but its checksum is wrong */
	PAYLOAD_MISPLACED, /* whole, but written for another offset */
	PAYLOAD_STALE,     /* whole and in its place, but of another preparation or device */
};

/* Judges the 512 bytes that were read at `offset_bytes` of a device whose data are
 * of `data_id`. *ret_found (may be NULL) is what its header says, in the host's byte
 * order; its numbers mean nothing in a sector that is foreign or corrupt. */
enum payload_fault payload_check_sector(const void *sector, uint64_t offset_bytes, uint64_t data_id,
					struct payload_header *ret_found);

/* Sectors are checked three at a time. */
#define PAYLOAD_GROUP_BYTES ((size_t)3 * PAYLOAD_SECTOR_BYTES)

/* Has the processor fetch the first group of what will be checked soon; more than
 * doubles the speed where data come from farther than the second-level cache. */
static inline void payload_prefetch(const void *data, size_t length)
{
	for (size_t at = 0; at < PAYLOAD_GROUP_BYTES && at < length; at += 64)
		__builtin_prefetch((const uint8_t *)data + at);
}

/* How many of the `length` bytes (a multiple of 512) that were read at `offset_bytes`
 * come before the first sector that is not good; `length` when all are. */
size_t payload_check(const void *data, size_t length, uint64_t offset_bytes, uint64_t data_id);
