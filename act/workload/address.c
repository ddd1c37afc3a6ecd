#include "act/workload/address.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "act/workload/apportion.h"

static uint64_t round_up(uint64_t value, uint64_t step)
{
	return (value + step - 1) / step * step;
}

/* A part of the device, in whole blocks, so that regions that meet have no block in common. */
static uint64_t border_bytes(const struct address_range *range, struct ratio part)
{
	uint64_t bytes = (uint64_t)((unsigned __int128)range->end_bytes * part.num / part.den);

	return bytes / range->logical_block_bytes * range->logical_block_bytes;
}

uint32_t address_length_max(const struct address *address)
{
	uint64_t most = 0;

	for (size_t i = 0; i < address->size_count; i++)
		if (address->sizes[i].length_bytes > most)
			most = address->sizes[i].length_bytes;
	return (uint32_t)most;
}

static int choose_room(struct address *address, const struct stream *stream,
		       const struct address_range *range, struct error *err)
{
	uint64_t from = border_bytes(range, stream->region_from);
	uint64_t upto = border_bytes(range, stream->region_upto);
	uint64_t length = address_length_max(address);

	if (from < range->first_bytes)
		from = range->first_bytes;
	address->first_bytes = round_up(from, address->align_bytes);
	if (address->first_bytes < upto)
		address->room_bytes = upto - address->first_bytes;
	if (length <= address->room_bytes)
		return 0;
	return error_usage(err, EINVAL,
			   "%s of %llu bytes do not fit into %llu bytes (of which the first "
			   "%llu are not used); allowed: smaller sizes, or more room",
			   stream->name, (unsigned long long)length, (unsigned long long)upto,
			   (unsigned long long)from);
}

static void add_sizes(struct address *address, const struct stream *stream)
{
	for (size_t i = 0; i < stream->size_count; i++) {
		struct address_size *size = &address->sizes[address->size_count++];

		size->min_bytes = stream->sizes[i].min_bytes;
		size->max_bytes = stream->sizes[i].max_bytes;
		size->length_bytes = round_up(size->max_bytes, address->block_bytes);
		size->step_bytes = round_up(size->length_bytes, address->align_bytes);
	}
}

/* For as many requests as a deck has cards; exact for each of the two shares by itself, and
 * as near as can be for both together. */
static void write_cards(uint8_t deck[static ADDRESS_DECK], const struct stream *stream)
{
	struct ratio shares[STREAM_SIZES_MAX];
	uint32_t counts[STREAM_SIZES_MAX];
	uint32_t randoms[STREAM_SIZES_MAX];
	uint32_t card = 0;

	for (size_t i = 0; i < stream->size_count; i++)
		shares[i] = stream->sizes[i].share;
	apportion(ADDRESS_DECK, shares, stream->size_count, counts);
	for (size_t i = 0; i < stream->size_count; i++)
		shares[i] = ratio_make(counts[i], ADDRESS_DECK);
	apportion(apportion_part(ADDRESS_DECK, stream->random), shares, stream->size_count,
		  randoms);
	for (size_t i = 0; i < stream->size_count; i++)
		for (uint32_t j = 0; j < counts[i]; j++)
			deck[card++] = (uint8_t)(i | (j < randoms[i] ? ADDRESS_RANDOM : 0));
	assert(card == ADDRESS_DECK);
}

static int make_deck(struct address *address, const struct stream *stream, uint64_t seed,
		     struct error *err)
{
	struct random random;
	bool mixed = stream->random.num > 0 && stream->random.num < stream->random.den;

	address->only_card = stream->random.num == 0 ? 0 : ADDRESS_RANDOM;
	if (stream->size_count == 1 && !mixed)
		return 0;
	address->deck = malloc(ADDRESS_DECK);
	if (!address->deck)
		return error_environment(err, ENOMEM, "no memory for the sizes of %s",
					 stream->name);
	write_cards(address->deck, stream);
	random_init(&random, random_mix(seed), UINT64_MAX); /* the same for all shares */
	for (uint32_t i = ADDRESS_DECK - 1; i > 0; i--) {
		uint32_t j = (uint32_t)random_below(&random, i + 1);
		uint8_t card = address->deck[i];

		address->deck[i] = address->deck[j];
		address->deck[j] = card;
	}
	return 0;
}

static void begin(struct address *address, const struct stream *stream,
		  const struct address_range *range)
{
	uint64_t block_bytes = range->logical_block_bytes;

	assert((block_bytes & (block_bytes - 1)) == 0);
	*address = (struct address){
	    .align_bytes =
		round_up(stream->align_bytes ? stream->align_bytes : block_bytes, block_bytes),
	    .block_bytes = block_bytes,
	};
	add_sizes(address, stream);
}

int address_check(const struct stream *stream, const struct address_range *range,
		  uint32_t *ret_length_max, struct error *err)
{
	struct address address;

	begin(&address, stream, range);
	*ret_length_max = address_length_max(&address);
	return choose_room(&address, stream, range, err);
}

int address_init(struct address *address, const struct stream *stream,
		 const struct address_range *range, uint32_t index, uint32_t stride, uint64_t seed,
		 struct error *err)
{
	struct address made;

	begin(&made, stream, range);
	made.card = index % ADDRESS_DECK;
	made.stride = stride % ADDRESS_DECK;
	int rc = choose_room(&made, stream, range, err);
	if (rc == 0)
		rc = make_deck(&made, stream, seed, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < made.size_count; i++)
		made.sizes[i].places =
		    (made.room_bytes - made.sizes[i].length_bytes) / made.align_bytes + 1;
	made.position_bytes =
	    made.room_bytes / made.align_bytes * index / stride * made.align_bytes;
	random_init(&made.random, seed, index);
	*address = made;
	return 0;
}

void address_release(struct address *address)
{
	free(address->deck);
	address->deck = NULL;
}

static uint8_t take_card(struct address *address)
{
	if (!address->deck)
		return address->only_card;
	uint8_t card = address->deck[address->card];

	address->card += address->stride;
	if (address->card >= ADDRESS_DECK)
		address->card -= ADDRESS_DECK;
	return card;
}

static uint64_t next_sequential(struct address *address, uint64_t length, uint64_t step)
{
	uint64_t offset = address->position_bytes;

	if (offset > address->room_bytes - length)
		offset = 0;
	address->position_bytes = offset + step;
	return offset;
}

/* One out of a range of sizes: what fits where depends on it. */
static uint64_t draw_size(struct address *address, const struct address_size *size)
{
	uint64_t bytes =
	    size->min_bytes + random_below(&address->random, size->max_bytes - size->min_bytes + 1);

	return (bytes + address->block_bytes - 1) & ~(address->block_bytes - 1);
}

/* As address_next, one out of a range. Apart, because it divides. */
static __attribute__((noinline)) uint64_t next_of_range(struct address *address,
							const struct address_size *size,
							bool random, uint32_t *ret_length_bytes)
{
	uint64_t length = draw_size(address, size);

	*ret_length_bytes = (uint32_t)length;
	if (!random)
		return next_sequential(address, length, round_up(length, address->align_bytes));
	uint64_t places = (address->room_bytes - length) / address->align_bytes + 1;
	return random_below(&address->random, places) * address->align_bytes;
}

void address_next(struct address *address, uint64_t *ret_offset_bytes, uint32_t *ret_length_bytes)
{
	uint8_t card = take_card(address);
	const struct address_size *size = &address->sizes[card & ~ADDRESS_RANDOM];
	bool random = card & ADDRESS_RANDOM;
	uint64_t offset;

	*ret_length_bytes = (uint32_t)size->length_bytes;
	if (size->max_bytes > size->min_bytes)
		offset = next_of_range(address, size, random, ret_length_bytes);
	else if (random)
		offset = random_below(&address->random, size->places) * address->align_bytes;
	else
		offset = next_sequential(address, size->length_bytes, size->step_bytes);
	*ret_offset_bytes = address->first_bytes + offset;
}
