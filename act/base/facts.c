#include "act/base/facts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The list grows by so many. */
#define STEP 32

static bool is_key(const char *key)
{
	size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return length > 0 && length < FACT_KEY_BYTES && !key[length];
}

static bool make_room(struct facts *facts)
{
	struct fact *list;

	if (facts->count % STEP != 0)
		return true;
	if (facts->count >= FACTS_MAX)
		return false;
	list = realloc(facts->list, (facts->count + STEP) * sizeof(*list));
	if (!list)
		return false;
	facts->list = list;
	return true;
}

void facts_add(struct facts *facts, size_t subject, const char *key, const char *value)
{
	if (!value[0] || !is_key(key) || facts_get(facts, subject, key) || !make_room(facts))
		return;

	struct fact *fact = &facts->list[facts->count++];

	fact->subject = subject;
	snprintf(fact->key, sizeof(fact->key), "%s", key);
	snprintf(fact->value, sizeof(fact->value), "%s", value);
}

void facts_add_number(struct facts *facts, size_t subject, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	facts_add(facts, subject, key, text);
}

const char *facts_get(const struct facts *facts, size_t subject, const char *key)
{
	for (size_t i = 0; i < facts->count; i++)
		if (facts->list[i].subject == subject && !strcmp(facts->list[i].key, key))
			return facts->list[i].value;
	return NULL;
}

void facts_release(struct facts *facts)
{
	free(facts->list);
	*facts = (struct facts){0};
}
