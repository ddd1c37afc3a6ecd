#include "act/payload/label.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "act/payload/crc32c.h"

static struct label sample(void)
{
	return (struct label){
	    .generation = 7,
	    .data_id = UINT64_C(0x1122334455667788),
	    .device_bytes = UINT64_C(1) << 40,
	    .begun_s = 1000,
	    .finished_s = 2000,
	    .stage = LABEL_DONE,
	    .passes = 2,
	    .pass = 1,
	    .position_bytes = 12345 * 4096,
	    .compress = {1, 2},
	    .overwrite = 1,
	    .steady = 1,
	    .rounds = 9,
	    .round_bytes_per_sec = {1, 2, 3, 4, 5},
	    .serial = "S1234",
	};
}

Test(label, comes_back_as_it_was)
{
	struct label label = sample(), back;
	uint8_t block[LABEL_BYTES];

	label_encode(&label, block);
	cr_assert(eq(int, label_decode(block, &back), 0));
	cr_expect(memcmp(&label, &back, sizeof(label)) == 0);
}

/* The format as bytes: what is written today must be readable for ever. */
Test(label, on_disk)
{
	static const uint8_t head[] = "actcert label\n\0\0\1\0\0\0";
	struct label label = sample();
	uint8_t block[LABEL_BYTES];

	label_encode(&label, block);
	cr_expect(memcmp(block, head, 20) == 0);
	cr_expect(eq(u8, block[24], 7)); /* generation */
	cr_expect(eq(u8, block[32], 0x88));
	cr_expect(eq(u8, block[39], 0x11));
	cr_expect(eq(u8, block[24 + 18 * 8], 5)); /* the last round */
	cr_expect(memcmp(block + 24 + 19 * 8, "S1234", 6) == 0);
}

Test(label, any_flipped_bit_is_found)
{
	struct label label = sample(), back = {.generation = 99};
	uint8_t block[LABEL_BYTES];

	label_encode(&label, block);
	for (size_t i = 0; i < LABEL_BYTES; i++) {
		block[i] ^= 0x10;
		cr_assert(lt(int, label_decode(block, &back), 0), "byte %zu", i);
		block[i] ^= 0x10;
	}
	cr_expect(eq(u64, back.generation, 99));
}

Test(label, refuses_values_that_cannot_be)
{
	struct label label = sample(), back;
	uint8_t block[LABEL_BYTES];

	label.stage = LABEL_STAGES;
	label_encode(&label, block);
	cr_expect(lt(int, label_decode(block, &back), 0));
	label = sample();
	label.compress.den = 0;
	label_encode(&label, block);
	cr_expect(lt(int, label_decode(block, &back), 0));
}

Test(label, the_newer_copy_counts)
{
	static uint8_t area[LABEL_COPIES * LABEL_BYTES];
	struct label label = sample(), newest;

	cr_expect(eq(int, label_newest(area, &newest), 0));
	label_encode(&label, area + LABEL_BYTES);
	cr_assert(label_newest(area, &newest));
	cr_expect(eq(u64, newest.generation, 7));
	label.generation = 8;
	label_encode(&label, area);
	cr_assert(label_newest(area, &newest));
	cr_expect(eq(u64, newest.generation, 8));
	area[100] ^= 1; /* torn while it was being written: the older one is still there */
	cr_assert(label_newest(area, &newest));
	cr_expect(eq(u64, newest.generation, 7));
}

Test(label, complete_only_for_its_own_size)
{
	struct label label = sample();

	cr_expect(label_is_complete(&label, label.device_bytes));
	cr_expect(not(label_is_complete(&label, label.device_bytes + 512)));
	label.stage = LABEL_OVERWRITE; /* filled before that */
	cr_expect(label_is_complete(&label, label.device_bytes));
	label.stage = LABEL_FILL;
	cr_expect(not(label_is_complete(&label, label.device_bytes)));
}

/* Whatever stands behind the end of a text is not part of the label. */
Test(label, forgets_what_stands_behind_a_text)
{
	static const uint8_t zeros[4];
	struct label label = sample(), back;
	uint8_t block[LABEL_BYTES];

	label_encode(&label, block);
	block[24 + 19 * 8 + 7] = 'x';
	uint32_t crc = crc32c(crc32c(crc32c(0, block, 20), zeros, 4), block + 24, LABEL_BYTES - 24);
	for (size_t i = 0; i < 4; i++)
		block[20 + i] = (uint8_t)(crc >> 8 * i);
	cr_assert(eq(int, label_decode(block, &back), 0));
	cr_expect(memcmp(&label, &back, sizeof(label)) == 0);
}
