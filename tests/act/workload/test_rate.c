#include "act/workload/rate.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

/* 4 KiB, or 8 to 16 KiB three times as often: mean (4096 + 3 * 12288) / 4 = 10240 */
static const struct stream reads = {
    .name = "reads",
    .op = STREAM_READ,
    .sizes = {{4096, 4096, {1, 4}}, {8192, 16384, {3, 4}}},
    .size_count = 2,
};

static struct config make_config(struct ratio rate, struct ratio scale)
{
	struct config config;

	config_defaults(&config);
	config.scale = scale;
	if (rate.den)
		config.rate = (struct config_rate){CONFIG_RATE_PER_SEC, rate};
	return config;
}

Test(rate, the_mean_is_that_of_all_sizes)
{
	static const struct stream odd = {.sizes = {{1, 2, {1, 1}}}, .size_count = 1};
	/* two primes */
	static const struct stream wild = {.sizes = {{1, 1, {1, UINT64_C(4294967291)}},
						     {1, 1, {1, UINT64_C(18446744073709551557)}}},
					   .size_count = 2};
	struct ratio mean = {7, 7};

	cr_expect_eq(rate_mean_bytes(&reads, &mean), 0);
	cr_expect_eq(ratio_compare(mean, ratio_make(10240, 1)), 0);
	cr_expect_eq(rate_mean_bytes(&odd, &mean), 0);
	cr_expect_eq(ratio_compare(mean, ratio_make(3, 2)), 0);
	cr_expect_eq(rate_mean_bytes(&wild, &mean), -ERANGE);
	cr_expect_eq(ratio_compare(mean, ratio_make(3, 2)), 0);
}

static const struct {
	struct config_rate rate;
	struct ratio common; /* den 0: none */
	struct ratio scale;
	struct ratio per_sec;
} cases[] = {
    {{CONFIG_RATE_PER_SEC, {5000, 1}}, {0, 0}, {1, 1}, {5000, 1}},
    {{CONFIG_RATE_PER_SEC, {5000, 1}}, {9, 1}, {1, 3}, {5000, 3}},
    {{CONFIG_RATE_LOAD, {1, 3}}, {0, 0}, {1, 1}, {2000, 3}},
    {{CONFIG_RATE_SHARE, {4157, 5000}}, {10000, 1}, {1, 1}, {8314, 1}},
    {{CONFIG_RATE_SHARE, {4157, 5000}}, {10000, 1}, {2, 1}, {16628, 1}}, /* scaled once */
    {{CONFIG_RATE_BYTES, {1000000, 1}}, {0, 0}, {1, 1}, {3125, 32}},     /* 10^6 / 10240 */
    {{CONFIG_RATE_PER_SEC, {0, 1}}, {0, 0}, {1, 1}, {0, 1}},
    {{CONFIG_RATE_PER_SEC, {STREAM_PER_SEC_MAX, 1}}, {0, 0}, {1, 1}, {STREAM_PER_SEC_MAX, 1}},
};

Test(rate, is_exact)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct config config = make_config(cases[i].common, cases[i].scale);
		struct ratio per_sec = {0, 1};
		struct error err = {0};

		cr_expect_eq(rate_per_sec(&config, &cases[i].rate, &reads, &per_sec, &err), 0,
			     "%zu: %s", i, err.text);
		cr_expect_eq(per_sec.num, cases[i].per_sec.num, "%zu", i);
		cr_expect_eq(per_sec.den, cases[i].per_sec.den, "%zu", i);
	}
}

static const struct {
	struct config_rate rate;
	struct ratio scale;
	const char *text;
} refused[] = {
    {{CONFIG_RATE_SHARE, {1, 2}},
     {1, 1},
     "reads: its rate is a share of the key rate, which is not given; allowed: rate = "
     "\"10000/s\" and the like"},
    {{CONFIG_RATE_PER_SEC, {STREAM_PER_SEC_MAX + 1, 1}},
     {1, 1},
     "reads: 100000001 per second and device cannot be kept; allowed: up to 100000000 per second"},
    {{CONFIG_RATE_LOAD, {30000, 1}},
     {2, 1},
     "reads: 120000000 per second and device cannot be kept; allowed: up to 100000000 per second"},
    {{CONFIG_RATE_PER_SEC, {UINT64_C(18446744073709551557), UINT64_C(18446744073709551533)}},
     {1, 7},
     "leaves the range of exact fractions; allowed: rounder rates, sizes and weights"},
};

Test(rate, refuses_what_cannot_be_kept)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct config config = make_config((struct ratio){0, 0}, refused[i].scale);
		struct ratio per_sec = {1, 1};
		struct error err = {0};

		cr_expect_lt(rate_per_sec(&config, &refused[i].rate, &reads, &per_sec, &err), 0);
		cr_expect_eq(err.status, EXIT_USAGE);
		cr_expect_not_null(strstr(err.text, refused[i].text), "%s", err.text);
		cr_expect_eq(per_sec.num, 1);
	}
}
