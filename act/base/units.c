#include "act/base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "act/base/clock.h"

typedef unsigned __int128 uint128_t;

#define DECIMALS_MAX 19 /* 10^19 is the largest power of ten in 64 bits */

struct unit {
	const char *name;
	uint64_t factor;
};

/* largest first: parts of a duration must follow in this order */
static const struct unit durations[] = {
    {"d", 86400 * NS_PER_SEC},
    {"h", 3600 * NS_PER_SEC},
    {"m", 60 * NS_PER_SEC},
    {"s", NS_PER_SEC},
    {"ms", NS_PER_MS},
    {"us", NS_PER_US},
    {"ns", 1},
};

static const struct unit sizes[] = {
    {"B", 1},
    {"KB", UINT64_C(1000)},
    {"KiB", UINT64_C(1) << 10},
    {"MB", UINT64_C(1000000)},
    {"MiB", UINT64_C(1) << 20},
    {"GB", UINT64_C(1000000000)},
    {"GiB", UINT64_C(1) << 30},
    {"TB", UINT64_C(1000000000000)},
    {"TiB", UINT64_C(1) << 40},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint128_t greatest_common_divisor(uint128_t a, uint128_t b)
{
	while (b != 0) {
		uint128_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

static int ratio_fit(uint128_t num, uint128_t den, struct ratio *ret)
{
	uint128_t common = greatest_common_divisor(num, den);

	num /= common;
	den /= common;
	if (num > UINT64_MAX || den > UINT64_MAX)
		return -ERANGE;
	*ret = (struct ratio){.num = (uint64_t)num, .den = (uint64_t)den};
	return 0;
}

struct ratio ratio_make(uint64_t num, uint64_t den)
{
	struct ratio ratio = {0, 1};

	ratio_fit(num, den, &ratio);
	return ratio;
}

int ratio_multiply(struct ratio a, struct ratio b, struct ratio *ret)
{
	return ratio_fit((uint128_t)a.num * b.num, (uint128_t)a.den * b.den, ret);
}

int ratio_add(struct ratio a, struct ratio b, struct ratio *ret)
{
	uint64_t common = (uint64_t)greatest_common_divisor(a.den, b.den);
	uint128_t sum;

	if (__builtin_add_overflow((uint128_t)a.num * (b.den / common),
				   (uint128_t)b.num * (a.den / common), &sum))
		return -ERANGE;
	return ratio_fit(sum, (uint128_t)a.den * (b.den / common), ret);
}

int ratio_subtract(struct ratio a, struct ratio b, struct ratio *ret)
{
	uint64_t common = (uint64_t)greatest_common_divisor(a.den, b.den);
	uint128_t from = (uint128_t)a.num * (b.den / common);
	uint128_t less = (uint128_t)b.num * (a.den / common);

	if (less > from)
		return -ERANGE;
	return ratio_fit(from - less, (uint128_t)a.den * (b.den / common), ret);
}

int ratio_compare(struct ratio a, struct ratio b)
{
	uint128_t left = (uint128_t)a.num * b.den;
	uint128_t right = (uint128_t)b.num * a.den;

	return (left > right) - (left < right);
}

double ratio_to_double(struct ratio a)
{
	return (double)a.num / (double)a.den;
}

/* Digits at *text, and moves behind them: -EINVAL when there are none. */
static int parse_digits(const char **text, uint64_t *value, unsigned *ret_count)
{
	unsigned count = 0;

	for (; isdigit((unsigned char)**text); (*text)++, count++) {
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(**text - '0'), value))
			return -ERANGE;
	}
	*ret_count = count;
	return count > 0 ? 0 : -EINVAL;
}

static void drop_trailing_zeros(struct ratio *decimal, unsigned decimals)
{
	for (; decimals > 0 && decimal->num % 10 == 0; decimals--)
		decimal->num /= 10;
	for (; decimals > 0; decimals--)
		decimal->den *= 10;
}

/* "12" or "12.50" at *text and blanks behind it; moves behind them. */
static int parse_decimal(const char **text, struct ratio *ret)
{
	struct ratio decimal = {.num = 0, .den = 1};
	unsigned digits;
	unsigned decimals = 0;

	int rc = parse_digits(text, &decimal.num, &digits);
	if (rc == 0 && **text == '.') {
		(*text)++;
		rc = parse_digits(text, &decimal.num, &decimals);
	}
	if (rc == 0 && decimals > DECIMALS_MAX)
		rc = -ERANGE;
	if (rc != 0)
		return rc;
	drop_trailing_zeros(&decimal, decimals);
	*text += strspn(*text, " ");
	*ret = decimal;
	return 0;
}

/* The unit at *text, at or after `first` in the table; moves behind it. */
static const struct unit *parse_unit(const char **text, const struct unit *first,
				     const struct unit *end)
{
	size_t length = 0;

	while (isalpha((unsigned char)(*text)[length]))
		length++;
	for (const struct unit *unit = first; unit < end; unit++) {
		if (strlen(unit->name) == length && strncmp(unit->name, *text, length) == 0) {
			*text += length;
			return unit;
		}
	}
	return NULL;
}

/* value * factor as a whole number */
static int scale(struct ratio value, uint64_t factor, uint64_t *ret)
{
	uint128_t product = (uint128_t)value.num * factor;

	if (product % value.den != 0)
		return -EINVAL;
	if (product / value.den > UINT64_MAX)
		return -ERANGE;
	*ret = (uint64_t)(product / value.den);
	return 0;
}

int units_parse_duration(const char *text, uint64_t *ret_ns)
{
	const struct unit *unit = durations;
	struct ratio number = {.num = 0, .den = 1};
	uint64_t sum = 0;
	uint64_t part;

	do {
		if (number.den != 1)
			return -EINVAL; /* only the last part may have a fraction */
		int rc = parse_decimal(&text, &number);
		if (rc != 0)
			return rc;
		unit = parse_unit(&text, unit, durations + COUNT(durations));
		if (!unit)
			return -EINVAL;
		rc = scale(number, unit->factor, &part);
		if (rc != 0)
			return rc;
		if (__builtin_add_overflow(sum, part, &sum))
			return -ERANGE;
		unit++;
	} while (*text != '\0');
	*ret_ns = sum;
	return 0;
}

int units_parse_size(const char *text, uint64_t *ret_bytes)
{
	struct ratio number;

	int rc = parse_decimal(&text, &number);
	if (rc != 0)
		return rc;
	const struct unit *unit = parse_unit(&text, sizes, sizes + COUNT(sizes));
	if (!unit || *text != '\0')
		return -EINVAL;
	return scale(number, unit->factor, ret_bytes);
}

static int parse_ratio(const char *text, const char *unit, uint64_t den, struct ratio *ret)
{
	struct ratio number;

	int rc = parse_decimal(&text, &number);
	if (rc != 0)
		return rc;
	if (strcmp(text, unit) != 0)
		return -EINVAL;
	return ratio_multiply(number, ratio_make(1, den), ret);
}

/* "2/3x": for loads that no decimal fraction equals */
static int parse_fraction(const char *text, struct ratio *ret)
{
	struct ratio fraction = {.num = 0, .den = 0};
	unsigned digits;

	int rc = parse_digits(&text, &fraction.num, &digits);
	if (rc == 0 && *text++ != '/')
		rc = -EINVAL;
	if (rc == 0)
		rc = parse_digits(&text, &fraction.den, &digits);
	if (rc != 0)
		return rc;
	if (fraction.den == 0 || strcmp(text, "x") != 0)
		return -EINVAL;
	*ret = ratio_make(fraction.num, fraction.den);
	return 0;
}

int units_parse_count(const char *text, uint64_t *ret)
{
	uint64_t value = 0;

	if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
		return -EINVAL;
	for (; *text != '\0'; text++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return -ERANGE;
	}
	*ret = value;
	return 0;
}

int units_parse_load(const char *text, struct ratio *ret_load)
{
	if (strchr(text, '/'))
		return parse_fraction(text, ret_load);
	return parse_ratio(text, "x", 1, ret_load);
}

int units_parse_percent(const char *text, struct ratio *ret_share)
{
	return parse_ratio(text, "%", 100, ret_share);
}

int units_parse_rate(const char *text, struct ratio *ret_per_sec)
{
	return parse_ratio(text, "/s", 1, ret_per_sec);
}

int units_parse_weight(const char *text, struct ratio *ret_weight)
{
	return parse_ratio(text, "", 1, ret_weight);
}

/* num/den as a decimal number with its unit */
static void format_decimal(char text[static UNITS_TEXT_BYTES], uint128_t num, uint64_t den,
			   const char *unit)
{
	char digits[UNITS_TEXT_BYTES];
	size_t count = 0;
	char *end = text;

	for (uint128_t whole = num / den; count == 0 || whole > 0; whole /= 10)
		digits[count++] = (char)('0' + (int)(whole % 10));
	while (count > 0)
		*end++ = digits[--count];
	num %= den;
	if (num > 0)
		*end++ = '.';
	for (int i = 0; num > 0 && i < DECIMALS_MAX; i++) {
		*end++ = (char)('0' + (int)(num * 10 / den));
		num = num * 10 % den;
	}
	snprintf(end, UNITS_TEXT_BYTES - (size_t)(end - text), "%s", unit);
}

/* Hours, minutes and the rest in seconds, or one number of the largest unit
 * below a second. */
char *units_format_duration(char text[static UNITS_TEXT_BYTES], uint64_t ns)
{
	const struct unit *unit = &durations[1];
	size_t length = 0;

	for (; unit->factor > NS_PER_SEC && ns >= NS_PER_SEC; unit++) {
		if (ns < unit->factor)
			continue;
		length += (size_t)snprintf(text + length, UNITS_TEXT_BYTES - length,
					   "%" PRIu64 "%s", ns / unit->factor, unit->name);
		ns %= unit->factor;
	}
	if (ns == 0 && length > 0)
		return text;
	unit = &durations[3];
	while (length == 0 && ns > 0 && ns < unit->factor)
		unit++;
	char rest[UNITS_TEXT_BYTES];
	format_decimal(rest, ns, unit->factor, unit->name);
	snprintf(text + length, UNITS_TEXT_BYTES - length, "%.24s", rest);
	return text;
}

/* A whole number of the largest unit that divides it. */
char *units_format_size(char text[static UNITS_TEXT_BYTES], uint64_t bytes)
{
	const struct unit *best = &sizes[0];

	for (size_t i = 0; i < COUNT(sizes) && bytes > 0; i++) {
		if (bytes % sizes[i].factor == 0 && sizes[i].factor > best->factor)
			best = &sizes[i];
	}
	snprintf(text, UNITS_TEXT_BYTES, "%" PRIu64 "%s", bytes / best->factor, best->name);
	return text;
}

/* A decimal fraction that parse_decimal takes equals it. */
static bool is_decimal(struct ratio value)
{
	uint64_t power = 1;

	for (int i = 0; i < DECIMALS_MAX && power % value.den != 0; i++)
		power *= 10;
	return power % value.den == 0 && (uint128_t)value.num * (power / value.den) <= UINT64_MAX;
}

char *units_format_load(char text[static UNITS_TEXT_BYTES], struct ratio load)
{
	if (is_decimal(load))
		format_decimal(text, load.num, load.den, "x");
	else
		snprintf(text, UNITS_TEXT_BYTES, "%" PRIu64 "/%" PRIu64 "x", load.num, load.den);
	return text;
}

char *units_format_percent(char text[static UNITS_TEXT_BYTES], struct ratio share)
{
	format_decimal(text, (uint128_t)share.num * 100, share.den, "%");
	return text;
}

char *units_format_rate(char text[static UNITS_TEXT_BYTES], struct ratio per_sec)
{
	format_decimal(text, per_sec.num, per_sec.den, "/s");
	return text;
}

char *units_format_weight(char text[static UNITS_TEXT_BYTES], struct ratio weight)
{
	format_decimal(text, weight.num, weight.den, "");
	return text;
}
