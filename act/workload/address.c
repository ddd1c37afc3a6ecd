#include "act/workload/address.h"

#include <errno.h>

static uint64_t round_up(uint64_t value, uint64_t step)
{
	return (value + step - 1) / step * step;
}

uint32_t address_length_max(const struct address *address)
{
	return (uint32_t)round_up(address->size_max_bytes, address->block_bytes);
}

int address_init(struct address *address, const struct stream *stream,
		 const struct address_range *range, uint32_t index, uint32_t stride, uint64_t seed,
		 struct error *err)
{
	uint64_t block_bytes = range->logical_block_bytes;
	struct address made = {
	    .sequential = stream->random.num == 0,
	    .align_bytes =
		round_up(stream->align_bytes ? stream->align_bytes : block_bytes, block_bytes),
	    .block_bytes = block_bytes,
	    .size_min_bytes = stream->size_min_bytes,
	    .size_max_bytes = stream->size_max_bytes,
	};

	made.first_bytes = round_up(range->first_bytes, made.align_bytes);
	if (made.first_bytes < range->end_bytes)
		made.room_bytes = range->end_bytes - made.first_bytes;
	if (address_length_max(&made) > made.room_bytes)
		return error_usage(err, EINVAL,
				   "%s of %u bytes do not fit into %llu bytes (of which the first "
				   "%llu are not used)",
				   stream->name, address_length_max(&made),
				   (unsigned long long)range->end_bytes,
				   (unsigned long long)range->first_bytes);
	made.position_bytes =
	    made.room_bytes / made.align_bytes * index / stride * made.align_bytes;
	random_init(&made.random, seed, index);
	*address = made;
	return 0;
}

static uint64_t next_sequential(struct address *address, uint64_t length)
{
	uint64_t offset = address->position_bytes;

	if (offset > address->room_bytes - length)
		offset = 0;
	address->position_bytes = round_up(offset + length, address->align_bytes);
	return offset;
}

void address_next(struct address *address, uint64_t *ret_offset_bytes, uint32_t *ret_length_bytes)
{
	uint64_t size = address->size_min_bytes;

	if (address->size_max_bytes > size)
		size += random_below(&address->random, address->size_max_bytes - size + 1);
	uint64_t length = round_up(size, address->block_bytes);

	if (address->sequential) {
		*ret_offset_bytes = address->first_bytes + next_sequential(address, length);
	} else {
		uint64_t places = (address->room_bytes - length) / address->align_bytes + 1;

		*ret_offset_bytes = address->first_bytes +
				    random_below(&address->random, places) * address->align_bytes;
	}
	*ret_length_bytes = (uint32_t)length;
}
