#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/options.h"

/* A number of any kind; the whole ones have the denominator 1. */
static int parse_number(enum option_kind kind, const char *text, struct ratio *ret)
{
	struct ratio whole = {.den = 1};
	int rc;

	switch (kind) {
	case OPTION_LOAD:
	case OPTION_BOTH:
		return units_parse_load(text, ret);
	case OPTION_PERCENT:
		return units_parse_percent(text, ret);
	case OPTION_DURATION:
		rc = units_parse_duration(text, &whole.num);
		break;
	case OPTION_SIZE:
		rc = units_parse_size(text, &whole.num);
		break;
	default:
		rc = units_parse_count(text, &whole.num);
	}
	if (rc == 0)
		*ret = whole;
	return rc;
}

static int refuse_form(const struct setting *setting, struct error *err)
{
	static const char *const forms[] = {
	    [OPTION_COUNT] = "not a whole number", [OPTION_DURATION] = "not a duration",
	    [OPTION_SIZE] = "not a size",          [OPTION_LOAD] = "not a load",
	    [OPTION_BOTH] = "not a load",          [OPTION_PERCENT] = "not a percentage",
	};
	const char *text = setting->text;
	enum option_kind kind = setting->option->kind;

	if (kind != OPTION_COUNT && *text != '\0' && text[strspn(text, "0123456789.")] == '\0')
		return setting_refuse(setting, err, EINVAL, "%.30s has no unit", text);
	return setting_refuse(setting, err, EINVAL, "%s", forms[kind]);
}

static int set_number(const struct setting *setting, struct error *err)
{
	const struct option *option = setting->option;
	struct ratio value = {0, 1};
	struct ratio min = {0, 1};
	struct ratio max = {0, 1};

	parse_number(option->kind, option->min, &min);
	parse_number(option->kind, option->max, &max);
	int rc = parse_number(option->kind, setting->text, &value);
	if (rc == -EINVAL)
		return refuse_form(setting, err);
	if (rc == -ERANGE || ratio_compare(value, max) > 0)
		return setting_refuse(setting, err, ERANGE, "too large");
	if (ratio_compare(value, min) < 0)
		return setting_refuse(setting, err, ERANGE, "too small");
	bool is_whole = option->kind <= OPTION_SIZE;
	if (is_whole)
		*(uint64_t *)setting_field(setting) = value.num;
	else
		*(struct ratio *)setting_field(setting) = value;
	if (option->kind == OPTION_BOTH)
		((struct ratio *)setting_field(setting))[1] = value;
	return 0;
}

static int set_switch(const struct setting *setting, struct error *err)
{
	bool on = strcmp(setting->text, "true") == 0;

	if (!on && strcmp(setting->text, "false") != 0)
		return setting_refuse(setting, err, EINVAL, "not a switch");
	*(bool *)setting_field(setting) = on;
	return 0;
}

/* Finds the i-th of words separated by blanks; its length in *ret_length. */
static const char *nth_word(const char *words, unsigned i, size_t *ret_length)
{
	for (; i > 0 && *words != '\0'; i--) {
		words += strcspn(words, " ");
		words += strspn(words, " ");
	}
	*ret_length = strcspn(words, " ");
	return words;
}

static int set_choice(const struct setting *setting, struct error *err)
{
	size_t length;

	for (unsigned i = 0;; i++) {
		const char *word = nth_word(setting->option->min, i, &length);
		if (length == 0)
			return setting_refuse(setting, err, EINVAL, "no such choice");
		if (strlen(setting->text) == length && strncmp(word, setting->text, length) == 0) {
			if (setting->option->kind == OPTION_EITHER)
				*(bool *)setting_field(setting) = i > 0;
			else
				*(unsigned *)setting_field(setting) = i;
			return 0;
		}
	}
}

/* A CPU number of up to four digits at *text; moves behind it. */
static bool take_cpu(const char **text, unsigned long *ret)
{
	size_t digits = strspn(*text, "0123456789");

	if (digits == 0 || digits > 4)
		return false;
	*ret = strtoul(*text, NULL, 10);
	*text += digits;
	return true;
}

/* "2-5,8" */
static bool is_cpu_list(const char *text)
{
	for (;; text++) {
		unsigned long first;
		unsigned long last;
		if (!take_cpu(&text, &first))
			return false;
		if (*text == '-') {
			text++;
			if (!take_cpu(&text, &last) || last < first)
				return false;
		}
		if (*text != ',')
			return *text == '\0';
	}
}

static int set_cpus(const struct setting *setting, struct error *err)
{
	const char *text = setting->text;

	if (strlen(text) >= sizeof(setting->config->cpus))
		return setting_refuse(setting, err, ERANGE, "longer than 63 characters");
	if (strcmp(text, "auto") != 0 && strcmp(text, "none") != 0 && !is_cpu_list(text))
		return setting_refuse(setting, err, EINVAL, "not a list of CPUs");
	snprintf(setting->config->cpus, sizeof(setting->config->cpus), "%s", text);
	return 0;
}

int value_set(const struct setting *setting, struct error *err)
{
	switch (setting->option->kind) {
	case OPTION_SWITCH:
		return set_switch(setting, err);
	case OPTION_CHOICE:
	case OPTION_EITHER:
		return set_choice(setting, err);
	case OPTION_CPUS:
		return set_cpus(setting, err);
	default:
		return setting->option->kind < OPTION_RATE ? set_number(setting, err)
							   : value_set_of_group(setting, err);
	}
}

char *value_format(const struct option *option, const void *owner, char text[static VALUE_BYTES])
{
	const void *at = (const char *)owner + option->offset;
	const char *word;
	size_t length;

	switch (option->kind) {
	case OPTION_SWITCH:
		snprintf(text, VALUE_BYTES, "%s", *(const bool *)at ? "true" : "false");
		return text;
	case OPTION_CHOICE:
		word = nth_word(option->min, *(const unsigned *)at, &length);
		snprintf(text, VALUE_BYTES, "%.*s", (int)length, word);
		return text;
	case OPTION_EITHER:
		word = nth_word(option->min, *(const bool *)at, &length);
		snprintf(text, VALUE_BYTES, "%.*s", (int)length, word);
		return text;
	case OPTION_CPUS:
		snprintf(text, VALUE_BYTES, "%s", (const char *)at);
		return text;
	case OPTION_DURATION:
		return units_format_duration(text, *(const uint64_t *)at);
	case OPTION_SIZE:
		return units_format_size(text, *(const uint64_t *)at);
	case OPTION_LOAD:
	case OPTION_BOTH:
		return units_format_load(text, *(const struct ratio *)at);
	case OPTION_PERCENT:
		return units_format_percent(text, *(const struct ratio *)at);
	case OPTION_COUNT:
		snprintf(text, VALUE_BYTES, "%" PRIu64, *(const uint64_t *)at);
		return text;
	default:
		return value_format_of_group(option, owner, text);
	}
}
