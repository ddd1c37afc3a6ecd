#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/config/config.h"

/*
 * Configs of ACT 1.x to 6.6: lines "KEY: VALUE", comments that begin with #. Each
 * key sets keys of ours as config_set does, with the line it comes from as origin,
 * so that nothing beyond act/config knows of them. Private to act/config.
 *
 * A value that the older tool misread is taken as what it says where that can be
 * only one thing ("24h" is 24 hours, "Yes" is yes), which is told, and refused where
 * it cannot ("3 x 60").
 */

enum old_kind {
	OLD_DURATION, /* a number of units */
	OLD_SIZE,
	OLD_COUNT,
	OLD_PERCENT,
	OLD_SWITCH,
	OLD_SWITCH_NOT, /* sets the opposite */
	OLD_DEVICES,
	OLD_INDEX, /* of act_index alone */
	OLD_DEAD,  /* has no meaning here */
};

struct old_key {
	const char *name;
	enum old_kind kind;
	const char *native; /* what it sets all by itself; NULL: see import.c */
	uint64_t unit;      /* of OLD_DURATION in ns, of OLD_SIZE in bytes */
	const char *note;   /* of OLD_DEAD and OLD_INDEX: why; of the others: what is allowed */
};

#define OLD_KEYS_MAX 40
extern const struct old_key old_keys[];
extern const size_t old_key_count;

/* By its name, whatever its case, also with _ for -; NULL when there is none. */
const struct old_key *old_key_find(const char *name, size_t length);
/* The nearest to a name that is none; NULL when none is near. */
const struct old_key *old_key_nearest(const char *name);

struct old_entry {
	unsigned line;   /* 0: not given */
	char *value;     /* without comment and blanks around it; borrowed from the text */
	uint64_t number; /* in ns or bytes where it has a unit; 1: yes */
};

/* What a comment, a line of prose or the file's name says of the load. */
#define TITLES_MAX 8
struct old_title {
	unsigned line; /* 0: the name */
	struct ratio load;
};

struct import {
	struct config *config;
	const char *path; /* its end only, when it is long */
	enum config_act act;
	const struct config_notice *notice;
	struct old_entry entries[OLD_KEYS_MAX]; /* in the order of old_keys */
	struct old_title titles[TITLES_MAX];
	size_t title_count;
};

/* The entry of a key, which must be one of the table. */
struct old_entry *import_entry(struct import *import, const char *name);
/* Tells "FILE:LINE: ..." (without LINE when it is 0). */
void import_say(const struct import *import, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Stores "FILE:LINE: KEY = VALUE: problem; allowed: ..." and returns -code. */
int import_refuse(const struct import *import, unsigned line, const char *key, const char *value,
		  const char *problem, const char *allowed, struct error *err);

/* Whether a text is one of the old format (import_lines.c). */
bool import_recognise(const char *text);
/* Takes a text apart, in place, into entries and titles. */
int import_lines(struct import *import, char *text, struct error *err);
/* Finds the number of an entry, or refuses its value (import_value.c). */
int import_value(const struct import *import, const struct old_key *key, struct old_entry *entry,
		 struct error *err);
/* Adds the loads that a text speaks of, as "32x" (import_title.c). */
void import_find_titles(struct import *import, unsigned line, const char *text);
/* Tells the load that came of it, and where the titles say otherwise. `write_exact`:
 * the write load was given as such. */
void import_tell_load(const struct import *import, bool write_exact);
