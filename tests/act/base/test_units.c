#include "act/base/units.h"

#include <criterion/criterion.h>
#include <errno.h>

#include "act/base/random.h"

#define UNTOUCHED UINT64_C(0x1234567)

struct whole_case {
	const char *text;
	int rc;
	uint64_t value;
};

#define SECOND UINT64_C(1000000000)

static const struct whole_case durations[] = {
    {"24h", 0, 86400 * SECOND},
    {"1h30m", 0, 5400 * SECOND},
    {"1d1h1m1s1ms1us1ns", 0, 90061 * SECOND + 1001001},
    {"90s", 0, 90 * SECOND},
    {"0s", 0, 0},
    {"1.5s", 0, 1500000000},
    {"0.1us", 0, 100},
    {"1h0.5s", 0, 3600 * SECOND + SECOND / 2},
    {"1.000000000s", 0, SECOND},
    {"100 us", 0, 100000},
    {"18446744073709551615ns", 0, UINT64_MAX},
    {"5124095h34m33.709551615s", 0, UINT64_MAX},
    {"5124095h34m33.709551616s", -ERANGE, 0},
    {"18446744073709551616ns", -ERANGE, 0},
    {"99999999999999h", -ERANGE, 0},
    {"0.00000000000000000001s", -ERANGE, 0},
    {"1.5ns", -EINVAL, 0},
    {"0.0000000001s", -EINVAL, 0},
    {"", -EINVAL, 0},
    {"0", -EINVAL, 0},
    {"24", -EINVAL, 0},
    {"h", -EINVAL, 0},
    {"-1h", -EINVAL, 0},
    {"+1h", -EINVAL, 0},
    {" 1h", -EINVAL, 0},
    {"1h ", -EINVAL, 0},
    {"1h 30m", -EINVAL, 0},
    {"1\th", -EINVAL, 0},
    {"30m1h", -EINVAL, 0},
    {"1h1h", -EINVAL, 0},
    {"1.5h30m", -EINVAL, 0},
    {"1H", -EINVAL, 0},
    {"1hours", -EINVAL, 0},
    {"1h30", -EINVAL, 0},
    {".5s", -EINVAL, 0},
    {"5.s", -EINVAL, 0},
    {"1..5s", -EINVAL, 0},
    {"1e3s", -EINVAL, 0},
    {"0x10s", -EINVAL, 0},
    {"3 x 60", -EINVAL, 0},
};

static const struct whole_case sizes[] = {
    {"0B", 0, 0},
    {"1536B", 0, 1536},
    {"128KiB", 0, 131072},
    {"128 KiB", 0, 131072},
    {"1KB", 0, 1000},
    {"7.68TB", 0, UINT64_C(7680000000000)},
    {"1.5KiB", 0, 1536},
    {"64TiB", 0, UINT64_C(64) << 40},
    {"1MB", 0, 1000000},
    {"2MiB", 0, 2 << 20},
    {"3GB", 0, UINT64_C(3000000000)},
    {"3GiB", 0, UINT64_C(3) << 30},
    {"18446744073709551615B", 0, UINT64_MAX},
    {"16777215TiB", 0, UINT64_C(16777215) << 40},
    {"16777216TiB", -ERANGE, 0},
    {"0.5B", -EINVAL, 0},
    {"1.0001KB", -EINVAL, 0},
    {"128", -EINVAL, 0},
    {"128K", -EINVAL, 0},
    {"128kb", -EINVAL, 0},
    {"128KiBs", -EINVAL, 0},
    {"1KiB1B", -EINVAL, 0},
    {"128 KiB ", -EINVAL, 0},
};

typedef int parse_whole(const char *text, uint64_t *ret);

static void check_whole(parse_whole *parse, const struct whole_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = UNTOUCHED;
		int rc = parse(cases[i].text, &value);
		cr_expect_eq(rc, cases[i].rc, "%s: %d", cases[i].text, rc);
		cr_expect_eq(value, cases[i].rc == 0 ? cases[i].value : UNTOUCHED, "%s: %lu",
			     cases[i].text, value);
	}
}

Test(units, durations)
{
	check_whole(units_parse_duration, durations, sizeof(durations) / sizeof(durations[0]));
}

Test(units, sizes)
{
	check_whole(units_parse_size, sizes, sizeof(sizes) / sizeof(sizes[0]));
}

Test(units, counts)
{
	static const struct whole_case counts[] = {
	    {"0", 0, 0},
	    {"007", 0, 7},
	    {"18446744073709551615", 0, UINT64_MAX},
	    {"18446744073709551616", -ERANGE, 0},
	    {"", -EINVAL, 0},
	    {"-1", -EINVAL, 0},
	    {" 1", -EINVAL, 0},
	    {"1s", -EINVAL, 0},
	};

	check_whole(units_parse_count, counts, sizeof(counts) / sizeof(counts[0]));
}

struct ratio_case {
	const char *text;
	int rc;
	struct ratio value;
};

static const struct ratio_case loads[] = {
    {"30x", 0, {30, 1}},
    {"0.5x", 0, {1, 2}},
    {"0x", 0, {0, 1}},
    {"0.000x", 0, {0, 1}},
    {"007.50 x", 0, {15, 2}},
    {"18446744073709551615x", 0, {UINT64_MAX, 1}},
    {"0.0000000000000000003x", 0, {3, UINT64_C(10000000000000000000)}},
    {"18446744073709551616x", -ERANGE, {0, 0}},
    {"0.00000000000000000001x", -ERANGE, {0, 0}},
    {"30", -EINVAL, {0, 0}},
    {"x", -EINVAL, {0, 0}},
    {"30X", -EINVAL, {0, 0}},
    {"30xx", -EINVAL, {0, 0}},
    {"30x ", -EINVAL, {0, 0}},
    {"1,5x", -EINVAL, {0, 0}},
    {"1/3x", 0, {1, 3}},
    {"4/6x", 0, {2, 3}},
    {"0/5x", 0, {0, 1}},
    {"18446744073709551615/2x", 0, {UINT64_MAX, 2}},
    {"1/0x", -EINVAL, {0, 0}},
    {"1/3", -EINVAL, {0, 0}},
    {"1/x", -EINVAL, {0, 0}},
    {"/3x", -EINVAL, {0, 0}},
    {"1.5/3x", -EINVAL, {0, 0}},
    {"1/3xx", -EINVAL, {0, 0}},
    {"1/99999999999999999999x", -ERANGE, {0, 0}},
};

static const struct ratio_case percents[] = {
    {"5%", 0, {1, 20}},
    {"99.95%", 0, {1999, 2000}},
    {"0.1%", 0, {1, 1000}},
    {"100%", 0, {1, 1}},
    {"250%", 0, {5, 2}},
    {"0.0000000000000000001%", -ERANGE, {0, 0}},
    {"5", -EINVAL, {0, 0}},
    {"5%%", -EINVAL, {0, 0}},
    {"5percent", -EINVAL, {0, 0}},
};

typedef int parse_fraction(const char *text, struct ratio *ret);

static void check_fraction(parse_fraction *parse, const struct ratio_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct ratio value = {UNTOUCHED, 1};
		struct ratio expected = cases[i].rc == 0 ? cases[i].value : value;
		int rc = parse(cases[i].text, &value);
		cr_expect_eq(rc, cases[i].rc, "%s: %d", cases[i].text, rc);
		cr_expect(value.num == expected.num && value.den == expected.den, "%s: %lu/%lu",
			  cases[i].text, value.num, value.den);
	}
}

Test(units, loads)
{
	check_fraction(units_parse_load, loads, sizeof(loads) / sizeof(loads[0]));
}

Test(units, percents)
{
	check_fraction(units_parse_percent, percents, sizeof(percents) / sizeof(percents[0]));
}

Test(units, formatted_as_people_write_them)
{
	static const struct whole_case times[] = {
	    {"0s", 0, 0},
	    {"1ns", 0, 1},
	    {"1.5ms", 0, 1500000},
	    {"100us", 0, 100000},
	    {"999.999999ms", 0, 999999999},
	    {"10s", 0, 10 * SECOND},
	    {"1m30s", 0, 90 * SECOND},
	    {"24h", 0, 86400 * SECOND},
	    {"1h0.000000001s", 0, 3600 * SECOND + 1},
	    {"5124095h34m33.709551615s", 0, UINT64_MAX},
	};
	static const struct whole_case bytes[] = {
	    {"0B", 0, 0},
	    {"1536B", 0, 1536},
	    {"128KiB", 0, 131072},
	    {"10GB", 0, UINT64_C(10000000000)},
	    {"1025B", 0, 1025},
	    {"64TiB", 0, UINT64_C(64) << 40},
	    {"18446744073709551615B", 0, UINT64_MAX},
	};
	char text[UNITS_TEXT_BYTES];

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		cr_expect_str_eq(units_format_duration(text, times[i].value), times[i].text, "%s",
				 text);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
		cr_expect_str_eq(units_format_size(text, bytes[i].value), bytes[i].text, "%s",
				 text);
	cr_expect_str_eq(units_format_load(text, ratio_make(30, 1)), "30x");
	cr_expect_str_eq(units_format_load(text, ratio_make(1, 8)), "0.125x");
	cr_expect_str_eq(units_format_load(text, ratio_make(2, 3)), "2/3x");
	cr_expect_str_eq(units_format_load(text, ratio_make(UINT64_MAX, 2)),
			 "18446744073709551615/2x");
	cr_expect_str_eq(units_format_percent(text, ratio_make(1999, 2000)), "99.95%");
	cr_expect_str_eq(units_format_percent(text, ratio_make(1, 3)), "33.3333333333333333333%");
	cr_expect_str_eq(units_format_percent(text, ratio_make(UINT64_MAX, 1)),
			 "1844674407370955161500%");
}

Test(units, what_is_formatted_parses_back)
{
	static const uint64_t dens[] = {1, 2, 5, 1000, UINT64_C(1) << 18, 10000000000000000};
	struct random random;
	char text[UNITS_TEXT_BYTES];

	random_init(&random, 7, 0);
	for (int i = 0; i < 20000; i++) {
		uint64_t value = random_next(&random) >> random_below(&random, 64);
		uint64_t back = UNTOUCHED;
		struct ratio ratio = ratio_make(value >> 4, dens[i % 6]);
		struct ratio again;

		cr_assert_eq(units_parse_duration(units_format_duration(text, value), &back), 0);
		cr_assert_eq(back, value, "%s", text);
		cr_assert_eq(units_parse_size(units_format_size(text, value), &back), 0);
		cr_assert_eq(back, value, "%s", text);
		if (ratio.num > UINT64_MAX / 10000000000000000 && ratio.den > 1)
			continue; /* more digits than 64 bits hold */
		cr_assert_eq(units_parse_load(units_format_load(text, ratio), &again), 0, "%s",
			     text);
		cr_assert_eq(ratio_compare(ratio, again), 0, "%s", text);
		cr_assert_eq(again.den, ratio.den);
	}
}

Test(ratio, arithmetic_is_exact_and_in_lowest_terms)
{
	struct ratio result = {0, 1};

	result = ratio_make(6, 4);
	cr_expect(result.num == 3 && result.den == 2);
	result = ratio_make(0, 7);
	cr_expect(result.num == 0 && result.den == 1);
	cr_expect_eq(ratio_multiply(ratio_make(UINT64_MAX, 2), ratio_make(2, UINT64_MAX), &result),
		     0);
	cr_expect(result.num == 1 && result.den == 1);
	cr_expect_eq(ratio_add(ratio_make(1, 6), ratio_make(1, 3), &result), 0);
	cr_expect(result.num == 1 && result.den == 2);
	cr_expect_eq(ratio_add(ratio_make(1, UINT64_MAX), ratio_make(1, UINT64_MAX), &result), 0);
	cr_expect(result.num == 2 && result.den == UINT64_MAX);
	cr_expect_float_eq(ratio_to_double(ratio_make(1, 8)), 0.125, 0.0);
}

Test(ratio, overflow_is_told_and_leaves_the_result)
{
	struct ratio result = {7, 1};

	cr_expect_eq(ratio_multiply(ratio_make(UINT64_MAX, 1), ratio_make(2, 1), &result), -ERANGE);
	cr_expect_eq(ratio_multiply(ratio_make(1, UINT64_MAX), ratio_make(1, 2), &result), -ERANGE);
	cr_expect_eq(ratio_add(ratio_make(UINT64_MAX, 1), ratio_make(1, 1), &result), -ERANGE);
	/* terms of 128 bits */
	cr_expect_eq(ratio_add(ratio_make(UINT64_MAX, UINT64_MAX - 1),
			       ratio_make(UINT64_MAX - 2, UINT64_MAX - 4), &result),
		     -ERANGE);
	cr_expect(result.num == 7 && result.den == 1);
}

Test(ratio, compare_does_not_round)
{
	struct ratio below = ratio_make(UINT64_MAX - 1, UINT64_MAX);
	struct ratio one = ratio_make(1, 1);

	cr_expect_lt(ratio_compare(below, one), 0);
	cr_expect_gt(ratio_compare(one, below), 0);
	cr_expect_eq(ratio_compare(ratio_make(2, 4), ratio_make(1, 2)), 0);
	cr_expect_lt(ratio_compare(ratio_make(UINT64_MAX - 2, UINT64_MAX - 1), below), 0);
}
