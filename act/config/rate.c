#include "act/config/rate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* "850MB/s", of which the last two characters are known */
static int parse_bytes(const char *text, size_t length, struct ratio *ret)
{
	char size[UNITS_TEXT_BYTES];
	uint64_t bytes;

	if (length - 2 >= sizeof(size))
		return -EINVAL;
	snprintf(size, sizeof(size), "%.*s", (int)(length - 2), text);
	int rc = units_parse_size(size, &bytes);
	if (rc == 0)
		*ret = ratio_make(bytes, 1);
	return rc;
}

int rate_parse(const char *text, const char *units, struct config_rate *ret)
{
	static const struct ratio limits[] = {
	    [CONFIG_RATE_PER_SEC] = {100000000, 1},
	    [CONFIG_RATE_LOAD] = {10000, 1},
	    [CONFIG_RATE_SHARE] = {1, 1},
	    [CONFIG_RATE_BYTES] = {UINT64_C(1000000000000), 1},
	};
	size_t length = strlen(text);
	bool per_sec = length > 2 && strcmp(text + length - 2, "/s") == 0;
	bool bytes = per_sec && isalpha((unsigned char)text[length - 3]);
	char unit = length == 0 ? '?' : text[length - 1];
	struct config_rate rate = {.value = {0, 1}};
	int rc;

	unit = bytes ? 'B' : unit;
	if (unit == 's' && !per_sec)
		return -EINVAL;
	if (!strchr(units, unit))
		return -EINVAL;
	switch (unit) {
	case 'B':
		rate.unit = CONFIG_RATE_BYTES;
		rc = parse_bytes(text, length, &rate.value);
		break;
	case 'x':
		rate.unit = CONFIG_RATE_LOAD;
		rc = units_parse_load(text, &rate.value);
		break;
	case '%':
		rate.unit = CONFIG_RATE_SHARE;
		rc = units_parse_percent(text, &rate.value);
		break;
	default:
		rate.unit = CONFIG_RATE_PER_SEC;
		rc = units_parse_rate(text, &rate.value);
	}
	if (rc == 0 && ratio_compare(rate.value, limits[rate.unit]) > 0)
		rc = -ERANGE;
	if (rc == 0)
		*ret = rate;
	return rc;
}

char *config_format_rate(char text[static UNITS_TEXT_BYTES], struct config_rate rate)
{
	char size[UNITS_TEXT_BYTES];

	switch (rate.unit) {
	case CONFIG_RATE_PER_SEC:
		return units_format_rate(text, rate.value);
	case CONFIG_RATE_LOAD:
		return units_format_load(text, rate.value);
	case CONFIG_RATE_SHARE:
		return units_format_percent(text, rate.value);
	case CONFIG_RATE_BYTES:
		/* whole bytes, as they were parsed */
		units_format_size(size, rate.value.num / rate.value.den);
		snprintf(text, UNITS_TEXT_BYTES, "%.40s/s", size);
		return text;
	default:
		text[0] = '\0';
		return text;
	}
}
