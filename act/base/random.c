#include "act/base/random.h"

void random_init(struct random *random, uint64_t seed, uint64_t stream)
{
	uint64_t x = random_mix(seed) ^ random_mix(stream + UINT64_C(0x9e3779b97f4a7c15));

	for (int i = 0; i < 4; i++) {
		x += UINT64_C(0x9e3779b97f4a7c15);
		random->state[i] = random_mix(x);
	}
}
