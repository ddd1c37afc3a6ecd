#include "act/workload/address.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define ONE_SIZE(bytes) .sizes = {{bytes, bytes, {1, 1}}}, .size_count = 1
#define WHOLE           .region_from = {0, 1}, .region_upto = {1, 1}

static const struct stream records = {.name = "reads", .random = {1, 1}, ONE_SIZE(1536), WHOLE};
static const struct stream blocks = {
    .name = "large-block-reads", .random = {1, 1}, ONE_SIZE(131072), .align_bytes = 131072, WHOLE};

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
	static const struct stream range = {.name = "reads",
					    .random = {1, 1},
					    .sizes = {{1000, 9000, {1, 1}}},
					    .size_count = 1,
					    WHOLE};
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
	cr_assert_str_eq(err.text,
			 "large-block-reads of 131072 bytes do not fit into 130560 bytes "
			 "(of which the first 0 are not used); allowed: smaller sizes, or "
			 "more room");
	cr_assert_lt(address_init(&address, &records, &taken, 0, 1, 1, &err), 0);
}

/* Of the windows of the stream's requests that all `stride` shares have together, each. */
static void check_windows(const struct stream *stream, uint32_t stride, const uint32_t *counts,
			  uint32_t randoms)
{
	const struct address_range range = {.end_bytes = UINT64_C(1) << 40,
					    .logical_block_bytes = 512};
	enum { COUNT = 25000 };
	static uint8_t sizes[COUNT];
	static bool random[COUNT];
	struct address address[4];
	uint64_t ends[4] = {0}; /* where a request in sequence would go on */
	uint32_t found[STREAM_SIZES_MAX] = {0};
	uint32_t found_random = 0;

	for (uint32_t i = 0; i < stride; i++) {
		address[i] = make_in(stream, &range, i, stride);
		ends[i] = address[i].position_bytes;
	}
	for (uint32_t n = 0; n < COUNT; n++) {
		uint64_t offset;
		uint32_t length;
		uint8_t size = 0;

		address_next(&address[n % stride], &offset, &length);
		while (stream->sizes[size].max_bytes != length)
			size++;
		sizes[n] = size;
		random[n] = offset != ends[n % stride];
		if (!random[n])
			ends[n % stride] = offset + length;
		found[size]++;
		found_random += random[n];
		if (n >= ADDRESS_DECK) {
			found[sizes[n - ADDRESS_DECK]]--;
			found_random -= random[n - ADDRESS_DECK];
		}
		if (n + 1 < ADDRESS_DECK)
			continue;
		for (size_t i = 0; i < stream->size_count; i++)
			cr_assert_eq(found[i], counts[i], "stride %u n %u size %zu: %u", stride, n,
				     i, found[i]);
		cr_assert_eq(found_random, randoms, "stride %u n %u: %u", stride, n, found_random);
	}
	for (uint32_t i = 0; i < stride; i++)
		address_release(&address[i]);
}

Test(address, any_ten_thousand_requests_have_the_shares_exactly)
{
	/* 22.1, 37.3 and 19.12 of 78.52: 2814.57, 4750.38 and 2435.05 of 10000; 0 to 80 % of them
	 * random */
	static const struct stream oracle = {.name = "reads",
					     .random = {4, 5},
					     .sizes = {{4096, 4096, {2210, 7852}},
						       {8192, 8192, {3730, 7852}},
						       {16384, 16384, {1912, 7852}}},
					     .size_count = 3,
					     WHOLE};
	static const uint32_t counts[] = {2815, 4750, 2435};
	static const uint32_t all[] = {10000};
	static const struct {
		struct ratio random;
		uint32_t count;
	} randoms[] = {{{0, 1}, 0},    {{1, 10000}, 1},       {{1, 3}, 3333},
		       {{4, 5}, 8000}, {{9999, 10000}, 9999}, {{1, 1}, 10000}};

	for (uint32_t stride = 1; stride <= 4; stride++) {
		for (size_t i = 0; i < sizeof(randoms) / sizeof(randoms[0]); i++) {
			struct stream stream = oracle;

			stream.random = randoms[i].random;
			check_windows(&stream, stride, counts, randoms[i].count);
			stream.size_count = 1;
			stream.sizes[0].share = ratio_make(1, 1);
			check_windows(&stream, stride, all, randoms[i].count);
		}
	}
}

Test(address, sizes_and_places_are_mixed_evenly)
{
	static const struct stream halves = {
	    .name = "reads",
	    .random = {3, 10},
	    .sizes = {{4096, 4096, {1, 10}}, {8192, 8192, {9, 10}}},
	    .size_count = 2,
	    WHOLE};
	struct address address = make(&halves, UINT64_C(1) << 40, 512, 0, 1);
	uint32_t found[2] = {0};
	uint32_t longest = 0;
	uint32_t run = 0;

	for (uint32_t i = 0; i < ADDRESS_DECK; i++) {
		uint8_t card = address.deck[i];

		found[card & 1] += (card & ADDRESS_RANDOM) != 0;
		run = (card & 1) == 0 ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	cr_assert_eq(found[0], 300);
	cr_assert_eq(found[1], 2700);
	/* Shuffled: five of the rare size in a row are 1 in 10. */
	cr_assert_lt(longest, 12);
	address_release(&address);
}

Test(address, the_deck_is_that_of_the_seed)
{
	struct stream stream = records;
	const struct address_range range = {.end_bytes = 1 << 30, .logical_block_bytes = 512};
	struct address address[3];

	stream.random = ratio_make(1, 2);
	for (uint32_t i = 0; i < 3; i++)
		cr_assert_eq(address_init(&address[i], &stream, &range, i % 2, 2, 5 + i / 2, NULL),
			     0);
	cr_assert_arr_eq(address[0].deck, address[1].deck, ADDRESS_DECK);
	cr_assert(memcmp(address[0].deck, address[2].deck, ADDRESS_DECK) != 0);
	for (uint32_t i = 0; i < 3; i++)
		address_release(&address[i]);
}

Test(address, stays_in_its_region)
{
	const struct address_range range = {
	    .first_bytes = 65536, .end_bytes = 10000 * 512 + 100, .logical_block_bytes = 512};
	static const struct {
		struct ratio from;
		struct ratio upto;
		uint64_t first;
		uint64_t end;
	} regions[] = {
	    {{0, 1}, {1, 2}, 65536, 5000 * 512}, /* not the first bytes */
	    {{1, 2}, {1, 1}, 5000 * 512, 10000 * 512},    {{1, 3}, {2, 3}, 3333 * 512, 6666 * 512},
	    {{2, 3}, {1, 1}, 6666 * 512, 10000 * 512}, /* begins where that ends */
	    {{9, 10}, {91, 100}, 9000 * 512, 9100 * 512},
	};

	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
		struct stream stream = records;
		uint64_t lowest = UINT64_MAX;
		uint64_t highest = 0;

		stream.random = ratio_make(1, 2);
		stream.region_from = regions[i].from;
		stream.region_upto = regions[i].upto;
		struct address address = make_in(&stream, &range, 0, 1);

		for (int n = 0; n < 200000; n++) {
			uint64_t offset;
			uint32_t length;

			address_next(&address, &offset, &length);
			lowest = offset < lowest ? offset : lowest;
			highest = offset + length > highest ? offset + length : highest;
		}
		cr_assert_eq(lowest, regions[i].first, "%zu: %lu", i, lowest / 512);
		cr_assert(highest <= regions[i].end && highest > regions[i].end - 1536, "%zu: %lu",
			  i, highest);
		address_release(&address);
	}
}

Test(address, refuses_a_region_smaller_than_a_request)
{
	const struct address_range range = {
	    .first_bytes = 65536, .end_bytes = 1 << 20, .logical_block_bytes = 512};
	struct stream stream = records;
	struct address address;
	struct error err = {0};

	stream.region_upto = ratio_make(1, 16); /* which is not used */
	cr_assert_eq(address_init(&address, &stream, &range, 0, 1, 1, &err), -EINVAL);
	cr_assert_str_eq(err.text,
			 "reads of 1536 bytes do not fit into 65536 bytes (of which the "
			 "first 65536 are not used); allowed: smaller sizes, or more room");
}
