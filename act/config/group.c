#include "act/config/group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct group_kind *group_kind_of(const struct option *option)
{
	return option->kind == OPTION_STREAMS ? &group_streams : &group_phases;
}

static size_t *count_of(const struct group_kind *kind, struct config *config)
{
	return (size_t *)(void *)((char *)config + kind->count_offset);
}

size_t group_count(const struct group_kind *kind, const struct config *config)
{
	return *(const size_t *)(const void *)((const char *)config + kind->count_offset);
}

const void *group_at(const struct group_kind *kind, const struct config *config, size_t i)
{
	return (const char *)config + kind->offset + i * kind->size;
}

void group_prefix(const struct group_kind *kind, size_t i, char prefix[static GROUP_PREFIX_BYTES])
{
	snprintf(prefix, GROUP_PREFIX_BYTES, "%ss[%zu].", kind->what, i + 1);
}

void group_clear(const struct setting *list)
{
	*count_of(group_kind_of(list->option), list->config) = 0;
}

int group_add(const struct setting *list, void **ret, struct error *err)
{
	const struct group_kind *kind = group_kind_of(list->option);
	size_t *count = count_of(kind, list->config);

	if (*count == kind->max)
		return setting_refuse(list, err, ERANGE, "more than %zu", kind->max);
	*ret = (char *)list->config + kind->offset + *count * kind->size;
	memcpy(*ret, kind->blank, kind->size);
	(*count)++;
	return 0;
}

int group_refuse(const struct setting *group, const char *key, const char *value,
		 const char *problem, const char *allowed, struct error *err)
{
	char name[2 * GROUP_PREFIX_BYTES];

	snprintf(name, sizeof(name), "%s%.22s", group->prefix, key);
	if (*key == '\0')
		name[strlen(name) - 1] = '\0'; /* the point behind streams[1] */
	return option_refuse(err, EINVAL, group->origin, name, value, problem, allowed);
}

void group_keys(const struct group_kind *kind, char text[static ALLOWED_BYTES])
{
	size_t length = 0;

	for (size_t i = 0; i < kind->members.count && length < ALLOWED_BYTES; i++)
		length += (size_t)snprintf(text + length, ALLOWED_BYTES - length, "%s%s",
					   i > 0 ? ", " : "", kind->members.options[i].key);
}

int group_finish(const struct group_kind *kind, const struct setting *group, uint64_t given,
		 struct error *err)
{
	char problem[ALLOWED_BYTES];
	char allowed[ALLOWED_BYTES];

	for (size_t i = 0; i < kind->members.count; i++) {
		const struct option *member = &kind->members.options[i];

		if (member->initial || (given >> i & 1))
			continue;
		snprintf(problem, sizeof(problem), "no %s", member->key);
		option_allowed(member, allowed);
		/* both kinds of groups begin with their name */
		return group_refuse(group, "", group->group, problem, allowed, err);
	}
	return kind->finish(group, given, err);
}

bool group_has(const struct group_kind *kind, const void *group, const struct option *member)
{
	char item[LIST_ITEM_BYTES];

	if (kind->is_given && !kind->is_given(group, member))
		return false;
	if (member->kind == OPTION_BOTH)
		return false;
	if (option_is_list(member))
		return list_item(member, group, 0, item);
	return !member->initial || strcmp(value_format(member, group, item), member->initial) != 0;
}
