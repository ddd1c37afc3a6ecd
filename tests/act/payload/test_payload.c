#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "act/payload/payload.h"

#define BLOCK_BYTES (128u << 10)
#define ID          34
#define SECTORS     (BLOCK_BYTES / PAYLOAD_SECTOR_BYTES)

static const struct ratio incompressible = {1, 1};

static struct payload_pool *new_pool(struct ratio compress)
{
	struct payload_pool *pool = NULL;
	struct error err;

	cr_assert(eq(int, payload_pool_new(compress, 42, &pool, &err), 0));
	return pool;
}

static uint8_t *fill_new(struct ratio compress, size_t length, uint64_t offset_bytes)
{
	struct payload_pool *pool = new_pool(compress);
	struct random random;
	uint8_t *data = malloc(length);

	cr_assert(data != NULL);
	random_init(&random, 7, 0);
	payload_fill(pool, &random, data, length, offset_bytes, 12, ID);
	payload_pool_free(pool);
	return data;
}

static int fault(const void *sector, uint64_t offset_bytes, uint64_t data_id)
{
	return (int)payload_check_sector(sector, offset_bytes, data_id, NULL);
}

Test(payload, every_sector_tells_what_it_is)
{
	static const struct ratio shares[] = {{1, 1}, {1, 2}, {1, 10}, {1, 100}, {0, 1}};
	uint64_t offset_bytes = UINT64_C(0x123456789a00);

	for (size_t s = 0; s < sizeof(shares) / sizeof(shares[0]); s++) {
		uint8_t *data = fill_new(shares[s], BLOCK_BYTES, offset_bytes);

		for (size_t i = 0; i < BLOCK_BYTES; i += PAYLOAD_SECTOR_BYTES) {
			cr_assert(eq(int, fault(data + i, offset_bytes + i, ID), PAYLOAD_GOOD));
			cr_assert(eq(int, fault(data + i, offset_bytes + i + 512, ID),
				     PAYLOAD_MISPLACED));
			cr_assert(
			    eq(int, fault(data + i, offset_bytes + i, ID + 1), PAYLOAD_STALE));
		}
		free(data);
	}
}

Test(payload, bodies_serve_again)
{
	struct payload_pool *pool = new_pool(incompressible);
	struct payload_header found;
	uint8_t *data = malloc(BLOCK_BYTES);
	uint8_t *before = malloc(BLOCK_BYTES);
	struct random random;

	cr_assert(data != NULL && before != NULL);
	random_init(&random, 7, 0);
	for (int round = 0; round < 200; round++) { /* also bodies from the end of the pool */
		size_t first = payload_fill(pool, &random, data, BLOCK_BYTES, 0, 1, ID);

		memcpy(before, data, BLOCK_BYTES);
		payload_refill(pool, first, data, BLOCK_BYTES - 512, 1 << 20, 2, ID + 1);
		for (size_t i = 0; i < BLOCK_BYTES - 512; i += PAYLOAD_SECTOR_BYTES) {
			cr_assert(eq(
			    int, (int)payload_check_sector(data + i, (1 << 20) + i, ID + 1, &found),
			    PAYLOAD_GOOD));
			cr_assert(eq(u64, found.sequence, 2));
			cr_assert(memcmp(data + i + 32, before + i + 32, 480) == 0);
		}
		cr_assert(
		    eq(int, fault(data + BLOCK_BYTES - 512, BLOCK_BYTES - 512, ID), PAYLOAD_GOOD));
	}
	free(before);
	free(data);
	payload_pool_free(pool);
}

static uint64_t load_le64(const uint8_t *bytes)
{
	uint64_t word = 0;

	for (int i = 7; i >= 0; i--)
		word = word << 8 | bytes[i];
	return word;
}

/* The format as bytes: what is written today must be readable for ever. */
Test(payload, header_on_disk)
{
	static const uint64_t expected[] = {0x0102030405060200, 12, 34};
	uint8_t *data = fill_new(incompressible, 2 * PAYLOAD_SECTOR_BYTES, 0x0102030405060000);
	const uint8_t *second = data + PAYLOAD_SECTOR_BYTES;

	cr_expect(memcmp(second, "ACS\001", 4) == 0);
	for (size_t i = 0; i < 3; i++)
		cr_expect(
		    eq(u64,
		       load_le64(second + 8 + 8 * i) ^ random_mix(load_le64(second + 32 + 8 * i)),
		       expected[i]),
		    "word %zu", i);
	free(data);
}

Test(payload, checksum_covers_the_sector_with_its_field_as_zero)
{
	uint8_t *data = fill_new(incompressible, PAYLOAD_SECTOR_BYTES, 4096);
	uint32_t found = (uint32_t)data[4] | (uint32_t)data[5] << 8 | (uint32_t)data[6] << 16 |
			 (uint32_t)data[7] << 24;

	memset(data + 4, 0, 4);
	cr_expect(eq(u32, crc32c_by_table(0, data, PAYLOAD_SECTOR_BYTES), found));
	free(data);
}

Test(payload, any_flipped_bit_is_found)
{
	uint8_t *data = fill_new((struct ratio){1, 2}, PAYLOAD_SECTOR_BYTES, 4096);

	for (unsigned bit = 0; bit < 8 * PAYLOAD_SECTOR_BYTES; bit++) {
		data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		cr_assert(
		    eq(int, fault(data, 4096, ID), bit < 32 ? PAYLOAD_FOREIGN : PAYLOAD_CORRUPT),
		    "bit %u", bit);
		data[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	cr_expect(eq(int, fault(data, 4096, ID), PAYLOAD_GOOD));
	free(data);
}

Test(payload, foreign_sectors_are_not_ours)
{
	static uint8_t zeros[PAYLOAD_SECTOR_BYTES];
	static uint8_t ones[PAYLOAD_SECTOR_BYTES];

	memset(ones, 0xff, sizeof(ones));
	cr_expect(eq(int, fault(zeros, 0, 0), PAYLOAD_FOREIGN));
	cr_expect(eq(int, fault(ones, 0, 0), PAYLOAD_FOREIGN));
}

Test(payload, finds_the_first_bad_sector)
{
	static const size_t bad[] = {0, 1, 2, 3, 100, SECTORS - 1};
	uint8_t *data = fill_new(incompressible, BLOCK_BYTES, 1 << 20);

	cr_expect(eq(sz, payload_check(data, BLOCK_BYTES, 1 << 20, ID), BLOCK_BYTES));
	for (size_t i = sizeof(bad) / sizeof(bad[0]); i-- > 0;) {
		data[bad[i] * PAYLOAD_SECTOR_BYTES + 300] ^= 1;
		cr_expect(eq(sz, payload_check(data, BLOCK_BYTES, 1 << 20, ID),
			     bad[i] * PAYLOAD_SECTOR_BYTES));
	}
	cr_expect(eq(sz, payload_check(data, BLOCK_BYTES, 1 << 20, ID + 1), 0));
	cr_expect(eq(sz, payload_check(data, 0, 1 << 20, ID), 0));
	free(data);
}

/* Sectors are checked three at a time: every length and every place, byte by byte. */
Test(payload, finds_each_flipped_byte_in_reads_of_any_length)
{
	for (size_t sectors = 1; sectors <= 7; sectors++) {
		size_t length = sectors * PAYLOAD_SECTOR_BYTES;
		uint8_t *data = fill_new(incompressible, length, 3 << 20);

		for (size_t at = 0; at < length; at++) {
			data[at] ^= 0x10;
			cr_assert(eq(sz, payload_check(data, length, 3 << 20, ID),
				     at / PAYLOAD_SECTOR_BYTES * PAYLOAD_SECTOR_BYTES),
				  "byte %zu of %zu", at, length);
			data[at] ^= 0x10;
		}
		cr_assert(eq(sz, payload_check(data, length, 3 << 20, ID), length));
		cr_assert(eq(sz, payload_check(data, length, 4 << 20, ID), 0));
		free(data);
	}
}

Test(payload, the_header_is_told)
{
	uint8_t *data = fill_new((struct ratio){1, 2}, PAYLOAD_SECTOR_BYTES, 4096);
	struct payload_header found;

	cr_expect(eq(int, payload_check_sector(data, 512, ID, &found), PAYLOAD_MISPLACED));
	cr_expect(eq(u64, found.offset_bytes, 4096));
	cr_expect(eq(u64, found.sequence, 12));
	cr_expect(eq(u64, found.data_id, ID));
	free(data);
}

Test(payload, compresses_to_the_asked_share)
{
	static const struct {
		unsigned asked;
		double low, high;
	} rows[] = {{100, 99.5, 101}, {90, 88, 92}, {75, 73, 77}, {50, 48, 52},
		    {25, 23, 27},     {10, 8, 12},  {5, 2, 8},    {1, 0, 4}};
	static uint8_t packed[2 * BLOCK_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t *data = fill_new((struct ratio){rows[i].asked, 100}, BLOCK_BYTES, 1 << 30);
		uLongf length = sizeof(packed);
		double percent;

		cr_assert(compress2(packed, &length, data, BLOCK_BYTES, 6) == Z_OK);
		percent = 100.0 * (double)length / BLOCK_BYTES;
		cr_expect(percent >= rows[i].low && percent <= rows[i].high,
			  "asked for %u %%, got %.2f %%", rows[i].asked, percent);
		free(data);
	}
}

static int compare_bodies(const void *a, const void *b)
{
	const uint8_t *const *x = a;
	const uint8_t *const *y = b;

	return memcmp(*x + sizeof(struct payload_header), *y + sizeof(struct payload_header),
		      PAYLOAD_SECTOR_BYTES - sizeof(struct payload_header));
}

/* Not even the bodies alone repeat within the largest block, 8 MiB. */
Test(payload, nothing_repeats_in_a_block)
{
	size_t count = (8u << 20) / PAYLOAD_SECTOR_BYTES;
	uint8_t *data = fill_new(incompressible, 8u << 20, 0);
	uint8_t **sectors = malloc(count * sizeof(*sectors));

	cr_assert(sectors != NULL);
	for (size_t i = 0; i < count; i++)
		sectors[i] = data + i * PAYLOAD_SECTOR_BYTES;
	qsort(sectors, count, sizeof(*sectors), compare_bodies);
	for (size_t i = 1; i < count; i++)
		cr_assert(compare_bodies(&sectors[i - 1], &sectors[i]) != 0);
	free(sectors);
	free(data);
}

/* Two writes of one place differ in each sector, even with bodies of zeros only. */
Test(payload, rewrites_differ)
{
	static uint8_t first[BLOCK_BYTES], second[BLOCK_BYTES];
	struct payload_pool *pool = new_pool((struct ratio){0, 1});
	struct random random;

	random_init(&random, 7, 0);
	payload_fill(pool, &random, first, BLOCK_BYTES, 0, 1, 1);
	payload_fill(pool, &random, second, BLOCK_BYTES, 0, 2, 1);
	for (size_t i = 0; i < SECTORS; i++)
		cr_assert(memcmp(first + i * PAYLOAD_SECTOR_BYTES,
				 second + i * PAYLOAD_SECTOR_BYTES, PAYLOAD_SECTOR_BYTES) != 0);
	payload_pool_free(pool);
}

Test(payload, writes_its_length_and_nothing_more)
{
	static uint8_t data[3 * PAYLOAD_SECTOR_BYTES];
	struct payload_pool *pool = new_pool(incompressible);
	struct random random;

	memset(data, 0xee, sizeof(data));
	random_init(&random, 7, 0);
	payload_fill(pool, &random, data + PAYLOAD_SECTOR_BYTES, PAYLOAD_SECTOR_BYTES, 0, 1, 1);
	for (size_t i = 0; i < PAYLOAD_SECTOR_BYTES; i++) {
		cr_assert(eq(u8, data[i], 0xee));
		cr_assert(eq(u8, data[2 * PAYLOAD_SECTOR_BYTES + i], 0xee));
	}
	cr_expect(eq(int, fault(data + PAYLOAD_SECTOR_BYTES, 0, 1), PAYLOAD_GOOD));
	payload_pool_free(pool);
}

Test(payload, same_seed_same_data)
{
	uint8_t *a = fill_new(incompressible, BLOCK_BYTES, 0);
	uint8_t *b = fill_new(incompressible, BLOCK_BYTES, 0);

	cr_expect(memcmp(a, b, BLOCK_BYTES) == 0);
	free(a);
	free(b);
}
