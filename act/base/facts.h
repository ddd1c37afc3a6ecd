#pragma once
#include <stddef.h>
#include <stdint.h>

/*
 * What is known about this host and about the devices under test, beside what
 * the program itself needs: pairs of key and value, as text, to be recorded with
 * a run. What is not known is not there.
 *
 * A zeroed struct is empty; facts_release frees it. Not thread-safe.
 */

#define FACT_KEY_BYTES   32
#define FACT_VALUE_BYTES 224
#define FACTS_MAX        4096

/* Whom a fact is about: the host, or the device of that index. */
#define FACTS_HOST      ((size_t)0)
#define FACTS_DEVICE(i) ((size_t)(i) + 1)

struct fact {
	size_t subject;
	char key[FACT_KEY_BYTES]; /* of a-z, 0-9 and _; unique for its subject */
	char value[FACT_VALUE_BYTES];
};

struct facts {
	struct fact *list; /* in the order of adding */
	size_t count;
};

/* Adds a fact, its value cut off if it must be. Does nothing when the value is
 * empty, the key is none or is there already, memory is short, or there are FACTS_MAX. */
void facts_add(struct facts *facts, size_t subject, const char *key, const char *value);
void facts_add_number(struct facts *facts, size_t subject, const char *key, uint64_t value);

/* The value, which belongs to `facts`; NULL when it is not known. */
const char *facts_get(const struct facts *facts, size_t subject, const char *key);

void facts_release(struct facts *facts);
