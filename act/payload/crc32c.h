#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * CRC-32C (Castagnoli; RFC 3720 section 12.1, test vectors in its appendix
 * B.4). All functions are pure and thread-safe.
 */

/* The checksum of what `crc` stands for followed by `length` bytes at `data`;
 * start with crc = 0. By SSE4.2 where the processor has it. */
uint32_t crc32c(uint32_t crc, const void *data, size_t length);

/* The same, always by table. */
uint32_t crc32c_by_table(uint32_t crc, const void *data, size_t length);

/* Goes on with three checksums over `length` bytes (a multiple of 8) at each of three
 * places, which may be one and the same. The processor works on all three at once, so
 * that it takes hardly longer than one. */
void crc32c_three(uint32_t crc[3], const uint8_t *const data[3], size_t length);
/* The same, always by table. */
void crc32c_three_by_table(uint32_t crc[3], const uint8_t *const data[3], size_t length);

/*
 * Joins checksums of neighbours: going over `length` zero bytes is linear in
 * the checksum, so that its effect can be tabulated once for a fixed length.
 */
struct crc32c_join {
	uint32_t table[4][256];
};

/* Prepares for second parts of `length` bytes. */
void crc32c_join_init(struct crc32c_join *join, size_t length);

/* The checksum of two parts one after the other, from those of each. */
static inline uint32_t crc32c_join(const struct crc32c_join *join, uint32_t first, uint32_t second)
{
	return join->table[0][first & 0xff] ^ join->table[1][first >> 8 & 0xff] ^
	       join->table[2][first >> 16 & 0xff] ^ join->table[3][first >> 24] ^ second;
}
