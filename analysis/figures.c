#include "analysis/figures.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/share.h"

#define DECIMALS_MIN 2
#define DECIMALS_MAX 16 /* more would leave 128 bits */

/* Whether `shown` (percent, in units of 1/scale) lies on the same side of the
 * mark as part/whole does, or both are equal to it. */
static bool same_side(uint128 shown, uint64_t scale, uint64_t part, uint64_t whole,
		      struct ratio mark)
{
	uint128 left = shown * mark.den;
	uint128 right = (uint128)mark.num * 100 * scale;

	return share_compare(part, whole, mark) == (left > right) - (left < right);
}

char *figure_share(char text[static FIGURE_BYTES], uint64_t part, uint64_t whole,
		   const struct ratio *limit)
{
	const struct ratio none = {0, 1};
	const struct ratio full = {1, 1};
	uint64_t scale = 100;
	int decimals = DECIMALS_MIN;
	uint128 shown;

	if (whole == 0) {
		snprintf(text, FIGURE_BYTES, "-");
		return text;
	}
	for (;; decimals++, scale *= 10) {
		shown = ((uint128)part * 200 * scale + whole) / ((uint128)whole * 2);
		if (decimals == DECIMALS_MAX)
			break;
		if (same_side(shown, scale, part, whole, none) &&
		    same_side(shown, scale, part, whole, full) &&
		    (!limit || same_side(shown, scale, part, whole, *limit)))
			break;
	}
	snprintf(text, FIGURE_BYTES, "%" PRIu64 ".%0*" PRIu64, (uint64_t)(shown / scale), decimals,
		 (uint64_t)(shown % scale));
	return text;
}

char *figure_limit(char text[static FIGURE_BYTES], struct ratio limit)
{
	char percent[UNITS_TEXT_BYTES];
	size_t length = strlen(units_format_percent(percent, limit));

	if (length > 0 && percent[length - 1] == '%')
		percent[length - 1] = '\0';
	snprintf(text, FIGURE_BYTES, "%s %%", percent);
	return text;
}

char *figure_count(char text[static FIGURE_BYTES], uint64_t count)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *out = text;

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*out++ = ' ';
		*out++ = digits[i];
	}
	*out = '\0';
	return text;
}

char *figure_duration(char text[static FIGURE_BYTES], uint64_t ns, int units_max)
{
	static const struct {
		const char *name;
		uint64_t ns;
		uint64_t from_ns;
	} units[] = {
	    {"d", 86400 * NS_PER_SEC, 172800 * NS_PER_SEC},
	    {"h", 3600 * NS_PER_SEC, 3600 * NS_PER_SEC},
	    {"min", 60 * NS_PER_SEC, 60 * NS_PER_SEC},
	    {"s", NS_PER_SEC, NS_PER_SEC},
	    {"ms", NS_PER_MS, NS_PER_MS},
	    {"us", NS_PER_US, NS_PER_US},
	    {"ns", 1, 1},
	};
	size_t used = 0;
	int room = units_max;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && room > 0; i++) {
		if (ns >= units[i].from_ns) {
			used +=
			    (size_t)snprintf(text + used, FIGURE_BYTES - used, "%s%" PRIu64 " %s",
					     used ? " " : "", ns / units[i].ns, units[i].name);
			ns %= units[i].ns;
		}
		if (used > 0)
			room--;
	}
	if (used == 0)
		snprintf(text, FIGURE_BYTES, "0 s");
	return text;
}

char *figure_clock(char text[static FIGURE_BYTES], uint64_t ns)
{
	uint64_t s = ns / NS_PER_SEC;

	snprintf(text, FIGURE_BYTES, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600,
		 s / 60 % 60, s % 60);
	return text;
}

char *figure_ms(char text[static FIGURE_BYTES], uint64_t ns)
{
	uint64_t us = ns / NS_PER_US + (ns % NS_PER_US >= NS_PER_US / 2);

	if (ns == 0)
		snprintf(text, FIGURE_BYTES, "-");
	else
		snprintf(text, FIGURE_BYTES, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
	return text;
}

char *figure_rate(char text[static FIGURE_BYTES], uint64_t count, uint64_t duration_ns)
{
	if (duration_ns == 0) {
		snprintf(text, FIGURE_BYTES, "-");
		return text;
	}
	uint64_t hundredths =
	    (uint64_t)(((uint128)count * 100 * NS_PER_SEC + duration_ns / 2) / duration_ns);

	if (hundredths < 100000)
		snprintf(text, FIGURE_BYTES, "%" PRIu64 ".%02" PRIu64, hundredths / 100,
			 hundredths % 100);
	else
		snprintf(text, FIGURE_BYTES, "%" PRIu64, (hundredths + 50) / 100);
	return text;
}

char *figure_bytes(char text[static FIGURE_BYTES], uint64_t bytes)
{
	static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
	uint64_t unit = 1000;
	size_t i = 0;

	if (bytes < unit) {
		snprintf(text, FIGURE_BYTES, "%" PRIu64 " B", bytes);
		return text;
	}
	/* 999 995 B round to 1.00 MB, not to 1000.00 kB. */
	while (bytes / (unit / 200) >= 199999 && i + 1 < sizeof(units) / sizeof(units[0])) {
		unit *= 1000;
		i++;
	}
	uint64_t hundredths = (bytes / (unit / 200) + 1) / 2;

	snprintf(text, FIGURE_BYTES, "%" PRIu64 ".%02" PRIu64 " %s", hundredths / 100,
		 hundredths % 100, units[i]);
	return text;
}
