#include "act/workload/apportion.h"

#include <assert.h>

uint32_t apportion_part(uint32_t total, struct ratio share)
{
	unsigned __int128 twice = (unsigned __int128)share.num * total * 2;

	return (uint32_t)((twice + share.den) / share.den / 2);
}

void apportion(uint32_t total, const struct ratio *shares, size_t count, uint32_t *ret_counts)
{
	struct ratio rest[APPORTION_MAX];
	uint32_t left = total;

	assert(count <= APPORTION_MAX);
	for (size_t i = 0; i < count; i++) {
		unsigned __int128 due = (unsigned __int128)shares[i].num * total;

		ret_counts[i] = (uint32_t)(due / shares[i].den);
		rest[i] = (struct ratio){(uint64_t)(due % shares[i].den), shares[i].den};
		left -= ret_counts[i];
	}
	while (left > 0) {
		size_t most = 0;

		for (size_t i = 1; i < count; i++)
			if (ratio_compare(rest[i], rest[most]) > 0)
				most = i;
		ret_counts[most]++;
		rest[most].num = 0;
		left--;
	}
}
