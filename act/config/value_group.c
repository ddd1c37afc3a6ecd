#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/options.h"
#include "act/config/rate.h"

/* Single values that groups have, and the rate that the config has as they do. */

#define NUMBER_MAX 64

static bool is_blank(const struct setting *setting)
{
	return setting->text[0] == '\0' && setting->option->initial &&
	       setting->option->initial[0] == '\0';
}

static int set_rate(const struct setting *setting, struct error *err)
{
	struct config_rate *rate = setting_field(setting);
	const char *text = setting->text;

	if (is_blank(setting)) {
		*rate = (struct config_rate){.value = {0, 1}};
		return 0;
	}
	int rc = rate_parse(text, setting->option->min, rate);
	if (rc == -ERANGE)
		return setting_refuse(setting, err, ERANGE, "too large");
	if (rc != 0 && *text != '\0' && text[strspn(text, "0123456789.")] == '\0')
		return setting_refuse(setting, err, EINVAL, "%.30s has no unit", text);
	if (rc != 0)
		return setting_refuse(setting, err, EINVAL, "not a rate");
	return 0;
}

static int set_override(const struct setting *setting, struct error *err)
{
	enum config_choice *choice = setting_field(setting);

	if (strcmp(setting->text, "true") != 0 && strcmp(setting->text, "false") != 0)
		return setting_refuse(setting, err, EINVAL, "not a switch");
	*choice = setting->text[0] == 't' ? CONFIG_YES : CONFIG_NO;
	return 0;
}

static int set_name(const struct setting *setting, struct error *err)
{
	const char *text = setting->text;
	size_t length = strlen(text);
	char *name = setting_field(setting);

	if (length == 0)
		return setting_refuse(setting, err, EINVAL, "empty");
	if (length >= CONFIG_NAME_BYTES)
		return setting_refuse(setting, err, ERANGE, "longer than %d characters",
				      CONFIG_NAME_BYTES - 1);
	if (!option_is_name(text, setting->option->min))
		return setting_refuse(setting, err, EINVAL, "not a name");
	memcpy(name, text, length + 1);
	return 0;
}

/* "0%..50%" */
static int set_region(const struct setting *setting, struct error *err)
{
	struct ratio *region = setting_field(setting);
	const char *dots = strstr(setting->text, "..");
	char from[UNITS_TEXT_BYTES];
	struct ratio parsed[2];

	size_t length = dots ? (size_t)(dots - setting->text) : sizeof(from);
	if (length >= sizeof(from))
		return setting_refuse(setting, err, EINVAL, "not of the form FROM..UPTO");
	snprintf(from, sizeof(from), "%.*s", (int)length, setting->text);
	if (units_parse_percent(from, &parsed[0]) != 0 ||
	    units_parse_percent(dots + 2, &parsed[1]) != 0)
		return setting_refuse(setting, err, EINVAL, "not two percentages");
	if (ratio_compare(parsed[1], ratio_make(1, 1)) > 0)
		return setting_refuse(setting, err, ERANGE, "ends behind the device");
	if (ratio_compare(parsed[0], parsed[1]) >= 0)
		return setting_refuse(setting, err, EINVAL, "nothing between the two");
	memcpy(region, parsed, sizeof(parsed));
	return 0;
}

/* A number from 1 to 64 at *text; moves behind it. 0: there is none. */
static unsigned take_number(const char **text)
{
	size_t digits = strspn(*text, "0123456789");
	unsigned long number = digits > 0 && digits <= 2 ? strtoul(*text, NULL, 10) : 0;

	*text += digits;
	return number <= NUMBER_MAX ? (unsigned)number : 0;
}

/* "1-3,5" */
static int set_numbers(const struct setting *setting, struct error *err)
{
	const char *text = setting->text;
	uint64_t set = 0;

	for (bool more = !is_blank(setting); more; text++) {
		unsigned first = take_number(&text);
		unsigned last = first;

		if (*text == '-') {
			text++;
			last = take_number(&text);
		}
		more = *text == ',';
		if (first == 0 || last < first || (!more && *text != '\0'))
			return setting_refuse(setting, err, EINVAL, "not a list of numbers");
		for (unsigned i = first; i <= last; i++) {
			if (set >> (i - 1) & 1)
				return setting_refuse(setting, err, EEXIST, "%u named twice", i);
			set |= UINT64_C(1) << (i - 1);
		}
	}
	*(uint64_t *)setting_field(setting) = set;
	return 0;
}

static void format_numbers(uint64_t set, char text[static VALUE_BYTES])
{
	size_t length = 0;

	text[0] = '\0';
	for (unsigned first = 0; first < NUMBER_MAX; first++) {
		unsigned last = first;

		if (!(set >> first & 1))
			continue;
		while (last + 1 < NUMBER_MAX && (set >> (last + 1) & 1))
			last++;
		length += (size_t)snprintf(text + length, VALUE_BYTES - length, "%s%u",
					   length > 0 ? "," : "", first + 1);
		if (last > first)
			length +=
			    (size_t)snprintf(text + length, VALUE_BYTES - length, "-%u", last + 1);
		first = last;
	}
}

static int set_steps(const struct setting *setting, struct error *err)
{
	struct config_phase *phase = setting->group;
	const char *problem;

	if (is_blank(setting)) {
		phase->steps_of[0] = '\0';
		return 0;
	}
	problem = steps_parse(setting->text, phase);
	return problem ? setting_refuse(setting, err, EINVAL, "%s", problem) : 0;
}

int value_set_of_group(const struct setting *setting, struct error *err)
{
	switch (setting->option->kind) {
	case OPTION_RATE:
		return set_rate(setting, err);
	case OPTION_OVERRIDE:
		return set_override(setting, err);
	case OPTION_NAME:
		return set_name(setting, err);
	case OPTION_REGION:
		return set_region(setting, err);
	case OPTION_NUMBERS:
		return set_numbers(setting, err);
	default:
		return set_steps(setting, err);
	}
}

char *value_format_of_group(const struct option *option, const void *owner,
			    char text[static VALUE_BYTES])
{
	static const char *const choices[] = {
	    [CONFIG_AS_DEFAULT] = "", [CONFIG_NO] = "false", [CONFIG_YES] = "true"};
	const void *at = (const char *)owner + option->offset;
	char from[UNITS_TEXT_BYTES];
	char upto[UNITS_TEXT_BYTES];

	switch (option->kind) {
	case OPTION_RATE:
		return config_format_rate(text, *(const struct config_rate *)at);
	case OPTION_OVERRIDE:
		snprintf(text, VALUE_BYTES, "%s", choices[*(const enum config_choice *)at]);
		return text;
	case OPTION_NAME:
		snprintf(text, VALUE_BYTES, "%s", (const char *)at);
		return text;
	case OPTION_REGION:
		snprintf(text, VALUE_BYTES, "%s..%s",
			 units_format_percent(from, ((const struct ratio *)at)[0]),
			 units_format_percent(upto, ((const struct ratio *)at)[1]));
		return text;
	case OPTION_NUMBERS:
		format_numbers(*(const uint64_t *)at, text);
		return text;
	default:
		steps_format(owner, text, VALUE_BYTES);
		return text;
	}
}
