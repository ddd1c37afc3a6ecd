#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * Quantities with their units, as people write them: "24h", "128KiB", "30x",
 * "5%". A unit is always required (a plain "0" is accepted nowhere). Fractions
 * are decimal ("0.5x", "99.95%") and kept exactly; a value that is not a whole
 * number of the base unit (1.5 ns) is refused with -EINVAL.
 *
 * All parse functions return 0, -EINVAL (not of the form) or -ERANGE (of the
 * form, but does not fit) and leave *ret untouched on failure. Blanks between
 * number and unit are allowed ("128 KiB"); anything else around them is not.
 */

/* An exact non-negative fraction num/den in lowest terms, den > 0. */
struct ratio {
	uint64_t num;
	uint64_t den;
};

/* Units ns us ms s m h d; several may follow each other, largest first ("1h30m"). */
int units_parse_duration(const char *text, uint64_t *ret_ns);
/* Units B KB MB GB TB (powers of 1000) and KiB MiB GiB TiB (powers of 1024). */
int units_parse_size(const char *text, uint64_t *ret_bytes);
/* Digits alone. */
int units_parse_count(const char *text, uint64_t *ret);
/* "30x": a multiple of the standard load; also "2/3x". */
int units_parse_load(const char *text, struct ratio *ret_load);
/* "5%" gives 1/20. */
int units_parse_percent(const char *text, struct ratio *ret_share);
/* "5000/s": so often per second. */
int units_parse_rate(const char *text, struct ratio *ret_per_sec);
/* "22.1": the one without a unit, for weights. */
int units_parse_weight(const char *text, struct ratio *ret_weight);

#define UNITS_TEXT_BYTES 48

/* Each writes a text that parses back to the same value and returns `text`
 * (at least UNITS_TEXT_BYTES large). A load that no decimal fraction equals is
 * written as "2/3x"; another value of that kind, which is none that was parsed, is
 * cut off after 19 decimals. */
char *units_format_duration(char text[static UNITS_TEXT_BYTES], uint64_t ns);
char *units_format_size(char text[static UNITS_TEXT_BYTES], uint64_t bytes);
char *units_format_load(char text[static UNITS_TEXT_BYTES], struct ratio load);
char *units_format_percent(char text[static UNITS_TEXT_BYTES], struct ratio share);
char *units_format_rate(char text[static UNITS_TEXT_BYTES], struct ratio per_sec);
char *units_format_weight(char text[static UNITS_TEXT_BYTES], struct ratio weight);

/* num/den in lowest terms; den must not be 0. */
struct ratio ratio_make(uint64_t num, uint64_t den);
/* Product and sum in lowest terms: 0, or -ERANGE when a term leaves 64 bits. */
int ratio_multiply(struct ratio a, struct ratio b, struct ratio *ret);
int ratio_add(struct ratio a, struct ratio b, struct ratio *ret);
/* a - b, which must not be negative, likewise. */
int ratio_subtract(struct ratio a, struct ratio b, struct ratio *ret);
/* <0, 0, >0 as a is less than, equal to or greater than b; exact. */
int ratio_compare(struct ratio a, struct ratio b);
/* For printing only. */
double ratio_to_double(struct ratio a);
