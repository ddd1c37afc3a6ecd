#pragma once
#include <stdint.h>

/*
 * xoshiro256++ seeded by splitmix64 (Blackman and Vigna,
 * https://prng.di.unimi.it/). Not for secrets. One generator belongs to one
 * thread at a time.
 */
struct random {
	uint64_t state[4];
};

/* Seeds are independent when (seed, stream) pairs differ. */
void random_init(struct random *random, uint64_t seed, uint64_t stream);

/* Finalizer of splitmix64: a fixed scrambling of all 64 bits. */
static inline uint64_t random_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static inline uint64_t random_rotate(uint64_t x, int bits)
{
	return (x << bits) | (x >> (64 - bits));
}

/* 64 random bits. */
static inline uint64_t random_next(struct random *random)
{
	uint64_t *s = random->state;
	uint64_t result = random_rotate(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = random_rotate(s[3], 45);
	return result;
}

/* Uniform in [0, bound); bound > 0. The bias is below bound / 2^64. */
static inline uint64_t random_below(struct random *random, uint64_t bound)
{
	return (uint64_t)(((unsigned __int128)random_next(random) * bound) >> 64);
}

/* Uniform in (0, 1], so that its logarithm is finite. */
static inline double random_unit(struct random *random)
{
	return ((double)(random_next(random) >> 11) + 1.0) * 0x1.0p-53;
}
