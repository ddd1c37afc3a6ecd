#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/config/options.h"

/*
 * Lists of groups in a config: `streams` and `phases`. Which keys a group has stands in a
 * table of options of its own (streams.c, phases.c). Private to act/config.
 */

#define GROUP_PREFIX_BYTES 24

struct group_kind {
	enum option_kind option;
	const char *what; /* one of them, in errors */
	struct option_table members;
	size_t offset;       /* of the groups in struct config */
	size_t count_offset; /* of their number there */
	size_t size;         /* of one */
	size_t max;
	const void *blank; /* one of which nothing was said */
	/* A member was given where its text alone does not tell; may be NULL. */
	bool (*is_given)(const void *group, const struct option *member);
	/* What follows from several members, once all are set; bit i of `given`: the i-th
	 * member was. `group` is a setting without an option. */
	int (*finish)(const struct setting *group, uint64_t given, struct error *err);
};

extern const struct group_kind group_streams;
extern const struct group_kind group_phases;

/* Of an option that is a list of groups. */
const struct group_kind *group_kind_of(const struct option *option);
size_t group_count(const struct group_kind *kind, const struct config *config);
const void *group_at(const struct group_kind *kind, const struct config *config, size_t i);
/* Where a group's keys stand in errors: "streams[1].", from 1. */
void group_prefix(const struct group_kind *kind, size_t i, char prefix[static GROUP_PREFIX_BYTES]);

void group_clear(const struct setting *list);
/* Adds a blank one behind the others. Usage error: there is no room. */
int group_add(const struct setting *list, void **ret, struct error *err);
/* Usage error: a member that it must have is missing, and what else `finish` finds. */
int group_finish(const struct group_kind *kind, const struct setting *group, uint64_t given,
		 struct error *err);
/* The group differs in this member from a blank one. */
bool group_has(const struct group_kind *kind, const void *group, const struct option *member);
/* Refuses the group as a whole, or one key of it. */
int group_refuse(const struct setting *group, const char *key, const char *value,
		 const char *problem, const char *allowed, struct error *err);
/* "name, op, rate": the keys that it may have. */
void group_keys(const struct group_kind *kind, char text[static ALLOWED_BYTES]);
