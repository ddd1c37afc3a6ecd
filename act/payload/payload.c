#include "act/payload/payload.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BODY_BYTES    (PAYLOAD_SECTOR_BYTES - sizeof(struct payload_header))
#define BODIES        16384
#define CACHE_LINE    64
#define RANDOM_STREAM UINT64_C(0x7061796c6f6164) /* apart from other uses of the same seed */

static const uint8_t magic[3] = {'A', 'C', 'S'};

struct payload_pool {
	uint8_t bodies[BODIES][BODY_BYTES];
	uint32_t crc32c[BODIES]; /* of each body alone */
	struct crc32c_join join; /* of a header and a body */
};

/* The header counts as random, so that a whole sector shrinks to `compress`. */
static size_t random_bytes(struct ratio compress)
{
	unsigned __int128 bytes =
	    ((unsigned __int128)PAYLOAD_SECTOR_BYTES * compress.num + compress.den / 2) /
	    compress.den;

	if (bytes <= sizeof(struct payload_header))
		return 0;
	bytes -= sizeof(struct payload_header);
	return bytes < BODY_BYTES ? (size_t)bytes : BODY_BYTES;
}

static void fill_body(uint8_t *body, size_t length, struct random *random)
{
	memset(body + length, 0, BODY_BYTES - length);
	while (length) {
		uint64_t word = htole64(random_next(random));
		size_t part = length < sizeof(word) ? length : sizeof(word);

		memcpy(body, &word, part);
		body += part;
		length -= part;
	}
}

int payload_pool_new(struct ratio compress, uint64_t seed, struct payload_pool **ret,
		     struct error *err)
{
	struct payload_pool *pool =
	    aligned_alloc(CACHE_LINE, (sizeof(*pool) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
	struct random random;
	size_t length = random_bytes(compress);

	if (!pool)
		return error_environment(
		    err, ENOMEM, "no memory for the data to be written (%zu bytes)", sizeof(*pool));
	random_init(&random, seed, RANDOM_STREAM);
	for (size_t i = 0; i < BODIES; i++) {
		fill_body(pool->bodies[i], length, &random);
		pool->crc32c[i] = crc32c(0, pool->bodies[i], BODY_BYTES);
	}
	crc32c_join_init(&pool->join, BODY_BYTES);
	*ret = pool;
	return 0;
}

void payload_pool_free(struct payload_pool *pool)
{
	free(pool);
}

/* Both ways: XOR is its own inverse. */
static inline void mask(struct payload_header *header, const uint8_t *body)
{
	uint64_t words[3];

	memcpy(words, body, sizeof(words));
	header->offset_bytes ^= htole64(random_mix(le64toh(words[0])));
	header->sequence ^= htole64(random_mix(le64toh(words[1])));
	header->data_id ^= htole64(random_mix(le64toh(words[2])));
}

/* In front of a body: that of `place` in the pool, of which `body` is any copy. */
static inline void put_header(const struct payload_pool *pool, size_t place, const uint8_t *body,
			      const struct payload_header *plain, uint8_t *sector)
{
	struct payload_header header = {
	    .magic = {magic[0], magic[1], magic[2]},
	    .version = PAYLOAD_VERSION,
	    .offset_bytes = htole64(plain->offset_bytes),
	    .sequence = htole64(plain->sequence),
	    .data_id = htole64(plain->data_id),
	};

	mask(&header, body);
	header.crc32c = htole32(
	    crc32c_join(&pool->join, crc32c(0, &header, sizeof(header)), pool->crc32c[place]));
	memcpy(sector, &header, sizeof(header));
}

size_t payload_fill(const struct payload_pool *pool, struct random *random, void *buffer,
		    size_t length, uint64_t offset_bytes, uint64_t sequence, uint64_t data_id)
{
	struct payload_header header = {
	    .offset_bytes = offset_bytes, .sequence = sequence, .data_id = data_id};
	uint8_t *sector = buffer;
	uint8_t *end = sector + length;
	size_t first = random_below(random, BODIES);

	for (size_t place = first; sector < end; sector += PAYLOAD_SECTOR_BYTES) {
		put_header(pool, place, pool->bodies[place], &header, sector);
		memcpy(sector + sizeof(header), pool->bodies[place], BODY_BYTES);
		header.offset_bytes += PAYLOAD_SECTOR_BYTES;
		place = (place + 1) % BODIES;
	}
	return first;
}

void payload_refill(const struct payload_pool *pool, size_t first, void *buffer, size_t length,
		    uint64_t offset_bytes, uint64_t sequence, uint64_t data_id)
{
	struct payload_header header = {
	    .offset_bytes = offset_bytes, .sequence = sequence, .data_id = data_id};
	uint8_t *sector = buffer;
	uint8_t *end = sector + length;

	for (size_t place = first; sector < end; sector += PAYLOAD_SECTOR_BYTES) {
		put_header(pool, place, sector + sizeof(header), &header, sector);
		header.offset_bytes += PAYLOAD_SECTOR_BYTES;
		place = (place + 1) % BODIES;
	}
}

enum payload_fault payload_check_sector(const void *sector, uint64_t offset_bytes, uint64_t data_id,
					struct payload_header *ret_found)
{
	const uint8_t *body = (const uint8_t *)sector + sizeof(struct payload_header);
	struct payload_header header, plain;
	uint32_t expected;

	memcpy(&header, sector, sizeof(header));
	plain = header;
	mask(&plain, body);
	plain.crc32c = le32toh(plain.crc32c);
	plain.offset_bytes = le64toh(plain.offset_bytes);
	plain.sequence = le64toh(plain.sequence);
	plain.data_id = le64toh(plain.data_id);
	if (ret_found)
		*ret_found = plain;
	if (memcmp(header.magic, magic, sizeof(magic)) != 0 || header.version != PAYLOAD_VERSION)
		return PAYLOAD_FOREIGN;
	expected = plain.crc32c;
	header.crc32c = 0;
	if (crc32c(crc32c(0, &header, sizeof(header)), body, BODY_BYTES) != expected)
		return PAYLOAD_CORRUPT;
	if (plain.offset_bytes != offset_bytes)
		return PAYLOAD_MISPLACED;
	return plain.data_id == data_id ? PAYLOAD_GOOD : PAYLOAD_STALE;
}

_Static_assert(offsetof(struct payload_header, crc32c) == 4, "the second half of a word");

/* The first word of a sector without the checksum in it. */
static inline uint64_t first_word(const uint8_t *sector)
{
	uint64_t word;

	memcpy(&word, sector, sizeof(word));
	return word & htole64(UINT32_MAX);
}

/* All but the checksum. */
static inline bool header_is_good(const uint8_t *sector, uint64_t offset_bytes, uint64_t data_id)
{
	const uint8_t *body = sector + sizeof(struct payload_header);
	struct payload_header header;
	uint64_t words[3];

	memcpy(&header, sector, sizeof(header));
	memcpy(words, body, sizeof(words));
	return memcmp(header.magic, magic, sizeof(magic)) == 0 &&
	       header.version == PAYLOAD_VERSION &&
	       (le64toh(header.offset_bytes) ^ random_mix(le64toh(words[0]))) == offset_bytes &&
	       (le64toh(header.data_id) ^ random_mix(le64toh(words[2]))) == data_id;
}

static inline uint32_t stored_crc32c(const uint8_t *sector)
{
	uint32_t crc;

	memcpy(&crc, sector + offsetof(struct payload_header, crc32c), sizeof(crc));
	return le32toh(crc);
}

/* Whether the sectors at three places, each of which may be one of the others, are all
 * good. */
static bool three_are_good(const uint8_t *const sectors[3], const uint64_t offset_bytes[3],
			   uint64_t data_id)
{
	const uint64_t words[3] = {first_word(sectors[0]), first_word(sectors[1]),
				   first_word(sectors[2])};
	const uint8_t *const first[3] = {(const uint8_t *)&words[0], (const uint8_t *)&words[1],
					 (const uint8_t *)&words[2]};
	const uint8_t *const rest[3] = {sectors[0] + 8, sectors[1] + 8, sectors[2] + 8};
	uint32_t crc[3] = {0};
	bool good = true;

	crc32c_three(crc, first, 8);
	crc32c_three(crc, rest, PAYLOAD_SECTOR_BYTES - 8);
	for (int i = 0; i < 3; i++)
		good &= crc[i] == stored_crc32c(sectors[i]) &&
			header_is_good(sectors[i], offset_bytes[i], data_id);
	return good;
}

static size_t first_bad(const uint8_t *data, size_t at, size_t upto, uint64_t offset_bytes,
			uint64_t data_id)
{
	while (at < upto &&
	       payload_check_sector(data + at, offset_bytes + at, data_id, NULL) == PAYLOAD_GOOD)
		at += PAYLOAD_SECTOR_BYTES;
	return at;
}

size_t payload_check(const void *data, size_t length, uint64_t offset_bytes, uint64_t data_id)
{
	const uint8_t *bytes = data;

	for (size_t at = 0; at < length; at += PAYLOAD_GROUP_BYTES) {
		const uint8_t *sectors[3];
		uint64_t offsets[3];
		size_t upto = at + PAYLOAD_GROUP_BYTES;

		if (upto + PAYLOAD_GROUP_BYTES < length)
			payload_prefetch(bytes + upto + PAYLOAD_GROUP_BYTES,
					 length - upto - PAYLOAD_GROUP_BYTES);
		for (size_t i = 0; i < 3; i++) {
			size_t place = at + i * PAYLOAD_SECTOR_BYTES;

			if (place >= length)
				place = at;
			sectors[i] = bytes + place;
			offsets[i] = offset_bytes + place;
		}
		if (!three_are_good(sectors, offsets, data_id))
			return first_bad(bytes, at, upto < length ? upto : length, offset_bytes,
					 data_id);
	}
	return length;
}
