#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "act/config/import.h"
#include "act/config/options.h"

static int refuse(const struct import *import, const struct old_key *key,
		  const struct old_entry *entry, const char *problem, struct error *err)
{
	return import_refuse(import, entry->line, key->name, entry->value, problem, key->note, err);
}

/* What says yes or no in only one way. The older tool knew but "yes" and took all
 * else as no. */
static int parse_switch(const struct import *import, const struct old_key *key,
			struct old_entry *entry, struct error *err)
{
	static const char *const words[][2] = {
	    {"no", "yes"}, {"false", "true"}, {"off", "on"}, {"n", "y"}, {"0", "1"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		for (unsigned on = 0; on < 2; on++) {
			if (strcasecmp(entry->value, words[i][on]) != 0)
				continue;
			entry->number = on;
			if (on && strcmp(entry->value, "yes") != 0)
				import_say(import, entry->line,
					   "%s: %s is taken as yes (ACT took it as no)", key->name,
					   entry->value);
			return 0;
		}
	}
	return refuse(import, key, entry, "not a switch", err);
}

/* "12KB": 1000 or 1024? */
static bool is_ambiguous_size(const char *text)
{
	size_t length = strlen(text);

	return length >= 2 && text[length - 1] == 'B' && isalpha((unsigned char)text[length - 2]) &&
	       text[length - 2] != 'i';
}

static int parse_with_unit(const struct old_key *key, const char *text, uint64_t *ret)
{
	struct ratio share;

	switch (key->kind) {
	case OLD_DURATION:
		return units_parse_duration(text, ret);
	case OLD_SIZE:
		return is_ambiguous_size(text) ? -EINVAL : units_parse_size(text, ret);
	case OLD_PERCENT:
		if (units_parse_percent(text, &share) != 0 || 100 % share.den != 0)
			return -EINVAL;
		*ret = share.num * (100 / share.den);
		return 0;
	default:
		return -EINVAL;
	}
}

static int parse_number(const struct import *import, const struct old_key *key,
			struct old_entry *entry, struct error *err)
{
	uint64_t unit = key->unit > 0 ? key->unit : 1;

	int rc = units_parse_count(entry->value, &entry->number);
	if (rc == 0 && __builtin_mul_overflow(entry->number, unit, &entry->number))
		rc = -ERANGE;
	if (rc == -EINVAL) {
		rc = parse_with_unit(key, entry->value, &entry->number);
		if (rc == 0 && key->kind != OLD_PERCENT)
			import_say(import, entry->line,
				   "%s: %s is taken with its unit (ACT read the digits alone)",
				   key->name, entry->value);
	}
	if (rc == -ERANGE)
		return refuse(import, key, entry, "too large", err);
	return rc == 0 ? 0 : refuse(import, key, entry, "not one whole number", err);
}

int import_value(const struct import *import, const struct old_key *key, struct old_entry *entry,
		 struct error *err)
{
	if (key->kind != OLD_DEAD && key->kind != OLD_INDEX && entry->value[0] == '\0')
		return refuse(import, key, entry, "no value", err);
	switch (key->kind) {
	case OLD_DEAD:
		import_say(import, entry->line, "%s has no meaning here: %s", key->name, key->note);
		return 0;
	case OLD_DEVICES:
	case OLD_INDEX:
		return 0;
	case OLD_SWITCH:
	case OLD_SWITCH_NOT:
		return parse_switch(import, key, entry, err);
	default:
		return parse_number(import, key, entry, err);
	}
}
