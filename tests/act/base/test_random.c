#include "act/base/random.h"

#include <criterion/criterion.h>

/* xoshiro256++ from the state 1, 2, 3, 4; computed by hand for the first two. */
Test(random, is_xoshiro256_plus_plus)
{
	struct random random = {.state = {1, 2, 3, 4}};

	/* rotl(1 + 4, 23) + 1 */
	cr_expect_eq(random_next(&random), (UINT64_C(5) << 23) + 1);
	/* the state is now 1 ^ 2 ^ 4, 2 ^ 3 ^ 1, 3 ^ 1 ^ (2 << 17), rotl(4 ^ 2, 45) */
	cr_expect_eq(random.state[0], 7);
	cr_expect_eq(random.state[1], 0);
	cr_expect_eq(random.state[2], 2 ^ (UINT64_C(2) << 17));
	cr_expect_eq(random.state[3], UINT64_C(6) << 45);
	/* rotl(7 + (6 << 45), 23) + 7 */
	cr_expect_eq(random_next(&random), random_rotate(7 + (UINT64_C(6) << 45), 23) + 7);
}

Test(random, mix_is_the_finalizer_of_splitmix64)
{
	/* first output of splitmix64 for the seed 0 */
	cr_expect_eq(random_mix(UINT64_C(0x9e3779b97f4a7c15)), UINT64_C(0xe220a8397b1dcdaf));
	cr_expect_eq(random_mix(0), 0);
}

Test(random, same_seed_and_stream_give_the_same)
{
	struct random a;
	struct random b;

	random_init(&a, 42, 3);
	random_init(&b, 42, 3);
	for (int i = 0; i < 1000; i++)
		cr_assert_eq(random_next(&a), random_next(&b));
}

Test(random, pairs_of_seed_and_stream_differ)
{
	uint64_t first[16][16];

	for (uint64_t seed = 0; seed < 16; seed++) {
		for (uint64_t stream = 0; stream < 16; stream++) {
			struct random random;
			random_init(&random, seed, stream);
			first[seed][stream] = random_next(&random);
		}
	}
	const uint64_t *all = &first[0][0];
	for (int i = 0; i < 256; i++) {
		for (int j = 0; j < i; j++)
			cr_assert_neq(all[i], all[j]);
	}
}

Test(random, below_is_uniform)
{
	struct random random;
	unsigned counts[10] = {0};

	random_init(&random, 1, 0);
	for (int i = 0; i < 100000; i++)
		counts[random_below(&random, 10)]++;
	/* 10000 with a standard deviation of 95; the seed is fixed */
	for (int i = 0; i < 10; i++)
		cr_expect(counts[i] > 9500 && counts[i] < 10500, "%d: %u", i, counts[i]);
	for (int i = 0; i < 100; i++)
		cr_assert_eq(random_below(&random, 1), 0);
	cr_expect_gt(random_below(&random, UINT64_MAX), 0);
}

Test(random, unit_is_above_zero_and_at_most_one)
{
	struct random random;
	struct random extreme = {.state = {0, 0, 0, 0}};
	double sum = 0;

	cr_expect_gt(random_unit(&extreme), 0.0);
	random_init(&random, 1, 0);
	for (int i = 0; i < 100000; i++) {
		double value = random_unit(&random);
		cr_assert(value > 0.0 && value <= 1.0);
		sum += value;
	}
	cr_expect_float_eq(sum / 100000, 0.5, 0.005);
}
