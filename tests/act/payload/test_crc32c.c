#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "act/base/random.h"
#include "act/payload/crc32c.h"

/* RFC 3720 appendix B.4, and the usual check value. */
Test(crc32c, known_values)
{
	static const struct {
		const char *data;
		size_t length;
		uint32_t crc;
	} rows[] = {
	    {"", 0, 0},
	    {"123456789", 9, 0xE3069283},
	    {"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, 0x8A9136AA},
	    {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
	     "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
	     32, 0x62A8AB43},
	    {"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"
	     "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f",
	     32, 0x46DD794E},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_expect(eq(u32, crc32c(0, rows[i].data, rows[i].length), rows[i].crc), "%zu", i);
		cr_expect(eq(u32, crc32c_by_table(0, rows[i].data, rows[i].length), rows[i].crc),
			  "%zu", i);
	}
}

static void fill_random(struct random *random, uint8_t *data, size_t length)
{
	for (size_t i = 0; i < length; i++)
		data[i] = (uint8_t)random_next(random);
}

Test(crc32c, hardware_equals_table_at_any_length_and_alignment)
{
	struct random random;
	uint8_t data[1024];

	random_init(&random, 1, 1);
	fill_random(&random, data, sizeof(data));
	for (int i = 0; i < 5000; i++) {
		size_t start = random_below(&random, 16);
		size_t length = random_below(&random, sizeof(data) - 16);
		uint32_t crc = (uint32_t)random_next(&random);

		cr_assert(eq(u32, crc32c(crc, data + start, length),
			     crc32c_by_table(crc, data + start, length)));
	}
}

Test(crc32c, three_at_once_equal_one_after_the_other)
{
	struct random random;
	uint8_t data[1024];

	random_init(&random, 3, 1);
	fill_random(&random, data, sizeof(data));
	for (int i = 0; i < 5000; i++) {
		size_t length = random_below(&random, 65) * 8;
		const uint8_t *places[3];
		uint32_t crc[3], by_table[3];

		for (int k = 0; k < 3; k++) {
			places[k] = data + random_below(&random, sizeof(data) - length + 1);
			by_table[k] = crc[k] = (uint32_t)random_next(&random);
		}
		crc32c_three(crc, places, length);
		crc32c_three_by_table(by_table, places, length);
		cr_assert(memcmp(crc, by_table, sizeof(crc)) == 0);
	}
}

Test(crc32c, goes_on_from_a_first_part)
{
	static const char digits[] = "123456789";
	uint32_t whole = crc32c(0, digits, 9);

	for (size_t cut = 0; cut <= 9; cut++)
		cr_expect(eq(u32, crc32c(crc32c(0, digits, cut), &digits[cut], 9 - cut), whole));
}

Test(crc32c, join_equals_the_whole)
{
	static const size_t lengths[] = {0, 1, 7, 480, 512, 4096};
	static uint8_t data[32 + 4096];
	struct crc32c_join join;
	struct random random;

	random_init(&random, 2, 1);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t length = lengths[i];

		fill_random(&random, data, 32 + length);
		crc32c_join_init(&join, length);
		cr_expect(eq(u32,
			     crc32c_join(&join, crc32c(0, data, 32), crc32c(0, data + 32, length)),
			     crc32c(0, data, 32 + length)),
			  "second part of %zu", length);
	}
}
