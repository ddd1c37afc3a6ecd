#include "act/workload/address.h"

#include <criterion/criterion.h>
#include <stdbool.h>

static const struct stream records = {
    .name = "reads", .random = {1, 1}, .size_min_bytes = 1536, .size_max_bytes = 1536};
static const struct stream blocks = {.name = "large-block-reads",
				     .random = {1, 1},
				     .size_min_bytes = 131072,
				     .size_max_bytes = 131072,
				     .align_bytes = 131072};

static struct address make_in(const struct stream *stream, const struct address_range *range,
			      uint32_t index, uint32_t stride)
{
	struct address address;
	struct error err = {0};

	cr_assert_eq(address_init(&address, stream, range, index, stride, 5, &err), 0, "%s",
		     err.text);
	return address;
}

static struct address make(const struct stream *stream, uint64_t device_bytes, uint32_t block,
			   uint32_t index, uint32_t stride)
{
	const struct address_range range = {.end_bytes = device_bytes,
					    .logical_block_bytes = block};

	return make_in(stream, &range, index, stride);
}

Test(address, covers_64_tib_evenly_to_the_end)
{
	const uint64_t size = UINT64_C(64) << 40;
	struct address address = make(&records, size, 512, 0, 1);
	const int count = 640000;
	int hits[64] = {0};
	uint64_t highest = 0;

	for (int i = 0; i < count; i++) {
		uint64_t offset;
		uint32_t length;

		address_next(&address, &offset, &length);
		cr_assert_eq(offset % 512, 0);
		cr_assert_leq(offset + length, size);
		hits[offset >> 40]++;
		if (offset > highest)
			highest = offset;
	}
	/* 10 000 each, standard deviation 99 */
	for (int i = 0; i < 64; i++)
		cr_assert(hits[i] > 9500 && hits[i] < 10500, "TiB %d: %d", i, hits[i]);
	cr_assert_gt(highest, size - (UINT64_C(1) << 30));
}

Test(address, reaches_each_place_of_a_small_device_and_no_other)
{
	struct address address = make(&records, 4096, 512, 0, 1);
	int hits[8] = {0};

	for (int i = 0; i < 6000; i++) {
		uint64_t offset;
		uint32_t length;

		address_next(&address, &offset, &length);
		cr_assert_eq(length, 1536);
		hits[offset / 512]++;
	}
	for (int i = 0; i < 6; i++)
		cr_assert_gt(hits[i], 800);
	cr_assert_eq(hits[6] + hits[7], 0);
}

Test(address, rounds_to_the_logical_block)
{
	static const struct stream range = {
	    .name = "reads", .random = {1, 1}, .size_min_bytes = 1000, .size_max_bytes = 9000};
	struct address address = make(&range, 1 << 20, 4096, 0, 1);
	int lengths[4] = {0};

	for (int i = 0; i < 8000; i++) {
		uint64_t offset;
		uint32_t length;

		address_next(&address, &offset, &length);
		cr_assert_eq(offset % 4096, 0);
		cr_assert_eq(length % 4096, 0);
		lengths[length / 4096]++;
	}
	/* sizes are uniform: 1000-4096, 4097-8192, 8193-9000 */
	cr_assert(lengths[1] > 2800 && lengths[1] < 3400, "%d", lengths[1]);
	cr_assert(lengths[2] > 3800 && lengths[2] < 4400, "%d", lengths[2]);
	cr_assert(lengths[3] > 600 && lengths[3] < 1000, "%d", lengths[3]);
	cr_assert_eq(address_length_max(&address), 12288);
}

Test(address, large_blocks_lie_on_their_own_size)
{
	struct address address = make(&blocks, (1 << 20) + 65536, 512, 0, 1);

	for (int i = 0; i < 1000; i++) {
		uint64_t offset;
		uint32_t length;

		address_next(&address, &offset, &length);
		cr_assert_eq(offset % 131072, 0);
		cr_assert_leq(offset + length, 1 << 20);
	}
}

Test(address, sequential_shares_start_apart_and_wrap)
{
	struct stream sweep = blocks;

	sweep.random = ratio_make(0, 1);
	for (uint32_t index = 0; index < 2; index++) {
		struct address address = make(&sweep, 1 << 20, 512, index, 2);

		for (uint64_t i = 0; i < 20; i++) {
			uint64_t offset;
			uint32_t length;

			address_next(&address, &offset, &length);
			cr_assert_eq(offset, (index * 4 + i) % 8 * 131072, "share %u step %lu",
				     index, i);
		}
	}
}

Test(address, leaves_the_beginning_alone)
{
	static const struct address_range range = {
	    .first_bytes = 1000, .end_bytes = 131072 * 4, .logical_block_bytes = 512};
	struct stream sweep = blocks;

	sweep.random = ratio_make(0, 1);
	for (uint32_t index = 0; index < 3; index++) {
		struct address swept = make_in(&sweep, &range, index, 3);
		struct address random = make_in(&records, &range, 0, 1);
		bool lowest = false;

		for (uint64_t i = 0; i < 3000; i++) {
			uint64_t offset;
			uint32_t length;

			address_next(&swept, &offset, &length);
			cr_assert_eq(offset, ((index + i) % 3 + 1) * 131072);
			address_next(&random, &offset, &length);
			cr_assert_geq(offset, 1024);
			cr_assert_leq(offset + length, range.end_bytes);
			lowest = lowest || offset < 16384;
		}
		cr_assert(lowest);
	}
}

Test(address, refuses_a_device_smaller_than_a_request)
{
	static const struct address_range small = {.end_bytes = 131072 - 512,
						   .logical_block_bytes = 512};
	static const struct address_range taken = {
	    .first_bytes = 1 << 20, .end_bytes = 1 << 20, .logical_block_bytes = 512};
	struct address address;
	struct error err = {0};

	cr_assert_lt(address_init(&address, &blocks, &small, 0, 1, 1, &err), 0);
	cr_assert_eq(err.status, EXIT_USAGE);
	cr_assert_str_eq(err.text, "large-block-reads of 131072 bytes do not fit into 130560 bytes "
				   "(of which the first 0 are not used)");
	cr_assert_lt(address_init(&address, &records, &taken, 0, 1, 1, &err), 0);
}
