#include <errno.h>
#include <inttypes.h>
#include <libconfig.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/config.h"
#include "act/config/group.h"
#include "act/config/options.h"
#include "act/config/source.h"

#define LONG_LONG_DIGITS 19

struct file {
	struct config *config;
	const char *path;   /* its end only, when it is long */
	const char *origin; /* of all in it, where it is no file but a text; NULL */
	config_t parsed;
};

static void make_origin(const struct file *file, const config_setting_t *item,
			char origin[static CONFIG_ORIGIN_BYTES])
{
	if (file->origin)
		snprintf(origin, CONFIG_ORIGIN_BYTES, "%s", file->origin);
	else
		snprintf(origin, CONFIG_ORIGIN_BYTES, "%.130s:%u", file->path,
			 config_setting_source_line(item));
}

/* What a setting is, and its value as text in `text` if it is a single one. */
static const char *describe(const config_setting_t *item, char text[static LIST_ITEM_BYTES])
{
	switch (config_setting_type(item)) {
	case CONFIG_TYPE_INT64: /* never CONFIG_TYPE_INT: see source.h */
		/* the largest one stands for all that do not fit */
		snprintf(text, LIST_ITEM_BYTES, "%lld%s", config_setting_get_int64(item),
			 config_setting_get_int64(item) == LLONG_MAX ? " or more" : "");
		return "a number";
	case CONFIG_TYPE_FLOAT:
		snprintf(text, LIST_ITEM_BYTES, "%.15g", config_setting_get_float(item));
		return "a fraction";
	case CONFIG_TYPE_BOOL:
		snprintf(text, LIST_ITEM_BYTES, "%s",
			 config_setting_get_bool(item) ? "true" : "false");
		return "a switch";
	case CONFIG_TYPE_STRING:
		snprintf(text, LIST_ITEM_BYTES, "%s", config_setting_get_string(item));
		return "a string";
	case CONFIG_TYPE_GROUP:
		snprintf(text, LIST_ITEM_BYTES, "{...}");
		return "a group";
	default:
		snprintf(text, LIST_ITEM_BYTES, "(...)");
		return "a list";
	}
}

/* libconfig's type is one that the option takes */
static bool type_fits(const struct option *option, const config_setting_t *item)
{
	int type = config_setting_type(item);

	if (option->kind == OPTION_SWITCH || option->kind == OPTION_OVERRIDE)
		return type == CONFIG_TYPE_BOOL;
	/* a string is the only form of a count that 63 bits do not hold */
	return type == CONFIG_TYPE_STRING ||
	       (option->kind == OPTION_COUNT && type == CONFIG_TYPE_INT64);
}

static int refuse_type(const struct setting *setting, const config_setting_t *item,
		       const char *description, struct error *err)
{
	enum option_kind kind = setting->option->kind;
	bool has_unit = kind > OPTION_COUNT && kind < OPTION_CHOICE;
	bool is_switch = kind == OPTION_SWITCH || kind == OPTION_OVERRIDE;

	if (option_is_list(setting->option))
		return setting_refuse(setting, err, EINVAL, "%s in a list of strings", description);
	if (has_unit && config_setting_is_number(item))
		return setting_refuse(setting, err, EINVAL, "%.30s has no unit", setting->text);
	if (is_switch && config_setting_type(item) == CONFIG_TYPE_STRING)
		description = "in quotes";
	return setting_refuse(setting, err, EINVAL, "is %s", description);
}

static int set_single(const struct setting *setting, const config_setting_t *item,
		      struct error *err)
{
	char text[LIST_ITEM_BYTES];
	struct setting single = *setting;

	const char *description = describe(item, text);
	single.text = text;
	if (!type_fits(setting->option, item))
		return refuse_type(&single, item, description, err);
	if (config_setting_type(item) == CONFIG_TYPE_INT64 &&
	    config_setting_get_int64(item) == LLONG_MAX)
		return setting_refuse(&single, err, ERANGE,
				      strlen(setting->option->max) < LONG_LONG_DIGITS
					  ? "too large"
					  : "too large without quotes");
	return option_is_list(setting->option) ? list_add(&single, err) : value_set(&single, err);
}

static int set_list(const struct file *file, const struct setting *setting,
		    const config_setting_t *list, struct error *err)
{
	char text[LIST_ITEM_BYTES];
	char origin[CONFIG_ORIGIN_BYTES];
	struct setting one = *setting;

	if (!config_setting_is_array(list) && !config_setting_is_list(list)) {
		const char *description = describe(list, text);
		one.text = text;
		return setting_refuse(&one, err, EINVAL, "%s, not a list as [\"A\", \"B\"]",
				      description);
	}
	list_clear(setting);
	one.origin = origin;
	for (int i = 0; i < config_setting_length(list); i++) {
		const config_setting_t *item = config_setting_get_elem(list, (unsigned)i);
		make_origin(file, item, origin);
		int rc = set_single(&one, item, err);
		if (rc != 0)
			return rc;
	}
	return 0;
}

static int refuse_unknown_keys(const struct file *file, struct error *err)
{
	const config_setting_t *root = config_root_setting(&file->parsed);
	char origin[CONFIG_ORIGIN_BYTES];
	char text[LIST_ITEM_BYTES];

	for (int i = 0; i < config_setting_length(root); i++) {
		const config_setting_t *item = config_setting_get_elem(root, (unsigned)i);
		const char *key = config_setting_name(item);
		if (option_find(key))
			continue;
		make_origin(file, item, origin);
		describe(item, text);
		return option_refuse_unknown(origin, key, text, err);
	}
	return 0;
}

static int refuse_unknown_members(const struct file *file, const struct group_kind *kind,
				  const struct setting *group, const config_setting_t *parsed,
				  struct error *err)
{
	char origin[CONFIG_ORIGIN_BYTES];
	char text[LIST_ITEM_BYTES];
	char allowed[ALLOWED_BYTES];
	char problem[ALLOWED_BYTES] = "unknown key";
	struct setting unknown = *group;

	unknown.origin = origin;
	for (int i = 0; i < config_setting_length(parsed); i++) {
		const config_setting_t *item = config_setting_get_elem(parsed, (unsigned)i);
		const char *key = config_setting_name(item);
		if (option_find_in(kind->members, key))
			continue;
		const struct option *nearest = option_nearest(kind->members, key);
		if (nearest)
			snprintf(problem, sizeof(problem), "unknown key, the nearest is %s",
				 nearest->key);
		make_origin(file, item, origin);
		describe(item, text);
		group_keys(kind, allowed);
		return group_refuse(&unknown, key, text, problem, allowed, err);
	}
	return 0;
}

static int set_value(const struct file *file, const struct setting *setting,
		     const config_setting_t *item, struct error *err)
{
	return option_is_list(setting->option) ? set_list(file, setting, item, err)
					       : set_single(setting, item, err);
}

/* In the order of the table, in which "load" stands before "read-load", and the name before
 * all else. */
static int set_group(const struct file *file, const struct group_kind *kind,
		     const struct setting *group, const config_setting_t *parsed, struct error *err)
{
	char origin[CONFIG_ORIGIN_BYTES];
	struct setting member = *group;
	uint64_t given = 0;

	int rc = refuse_unknown_members(file, kind, group, parsed, err);
	member.origin = origin;
	for (size_t i = 0; rc == 0 && i < kind->members.count; i++) {
		member.option = &kind->members.options[i];
		const config_setting_t *item =
		    config_setting_get_member(parsed, member.option->key);
		if (!item)
			continue;
		make_origin(file, item, origin);
		rc = set_value(file, &member, item, err);
		given |= UINT64_C(1) << i;
	}
	return rc != 0 ? rc : group_finish(kind, group, given, err);
}

static int set_groups(const struct file *file, const struct setting *setting,
		      const config_setting_t *list, struct error *err)
{
	const struct group_kind *kind = group_kind_of(setting->option);
	char text[LIST_ITEM_BYTES];
	char origin[CONFIG_ORIGIN_BYTES];
	char prefix[GROUP_PREFIX_BYTES];
	struct setting one = *setting;
	int rc = 0;

	one.text = text;
	if (!config_setting_is_array(list) && !config_setting_is_list(list)) {
		const char *description = describe(list, text);
		return setting_refuse(&one, err, EINVAL, "%s, not a list", description);
	}
	group_clear(setting);
	one.origin = origin;
	for (int i = 0; rc == 0 && i < config_setting_length(list); i++) {
		const config_setting_t *parsed = config_setting_get_elem(list, (unsigned)i);
		const char *description = describe(parsed, text);
		make_origin(file, parsed, origin);
		if (!config_setting_is_group(parsed))
			return setting_refuse(&one, err, EINVAL, "%s in a list of groups",
					      description);
		struct setting group = one;
		rc = group_add(&one, &group.group, err);
		if (rc != 0)
			return rc;
		group_prefix(kind, (size_t)i, prefix);
		group.prefix = prefix;
		rc = set_group(file, kind, &group, parsed, err);
	}
	return rc;
}

/* In the order of the table, in which "load" stands before "read-load". */
static int set_options(const struct file *file, struct error *err)
{
	const config_setting_t *root = config_root_setting(&file->parsed);
	char origin[CONFIG_ORIGIN_BYTES];

	for (size_t i = 0; i < option_count; i++) {
		struct setting setting = {file->config, origin, &options[i], "", NULL, NULL};
		const config_setting_t *item = config_setting_get_member(root, options[i].key);
		if (!item)
			continue;
		make_origin(file, item, origin);
		int rc = option_is_groups(&options[i]) ? set_groups(file, &setting, item, err)
						       : set_value(file, &setting, item, err);
		if (rc != 0)
			return rc;
		setting_note_origin(&setting);
	}
	return 0;
}

static int refuse_syntax(const struct file *file, const char *text, unsigned number,
			 const char *problem, struct error *err)
{
	char line[61];

	source_line(text, number, line, sizeof(line));
	return error_usage(err, EINVAL,
			   "%.130s:%u: %s%s%s; allowed: KEY = VALUE lines, each key once, "
			   "values with a unit in quotes (load = \"30x\")",
			   file->path, number, line, *line != '\0' ? ": " : "", problem);
}

static int parse(struct file *file, const char *text, char *safe, struct error *err)
{
	const char *problem;

	unsigned line = source_protect(text, safe, &problem);
	if (line > 0)
		return refuse_syntax(file, text, line, problem, err);
	if (config_read_string(&file->parsed, safe) != CONFIG_TRUE) {
		char found[80];
		snprintf(found, sizeof(found), "%s, here or above",
			 config_error_text(&file->parsed));
		return refuse_syntax(file, text, (unsigned)config_error_line(&file->parsed), found,
				     err);
	}
	int rc = refuse_unknown_keys(file, err);
	return rc != 0 ? rc : set_options(file, err);
}

int file_parse_text(struct config *config, const char *path, const char *text, struct error *err)
{
	size_t length = strlen(path);
	struct file file = {.config = config, .path = length > 120 ? path + length - 120 : path};
	int rc;

	config_init(&file.parsed);
	char *safe = malloc(2 * strlen(text) + 1);
	if (safe)
		rc = parse(&file, text, safe, err);
	else
		rc = error_environment(err, ENOMEM, "out of memory");
	config_destroy(&file.parsed);
	free(safe);
	return rc;
}

static int parse_groups(struct file *file, const struct setting *setting, const char *text,
			char *safe, struct error *err)
{
	const char *problem;

	if (source_protect(text, safe, &problem) > 0)
		return setting_refuse(setting, err, EINVAL, "%s", problem);
	if (config_read_string(&file->parsed, safe) != CONFIG_TRUE)
		return setting_refuse(setting, err, EINVAL, "%s", config_error_text(&file->parsed));
	const config_setting_t *root = config_root_setting(&file->parsed);
	if (config_setting_length(root) != 1)
		return setting_refuse(setting, err, EINVAL, "more than a list of groups");
	return set_groups(file, setting, config_setting_get_elem(root, 0), err);
}

int file_set_groups(const struct setting *setting, struct error *err)
{
	struct file file = {.config = setting->config, .path = "", .origin = setting->origin};
	char *text = NULL;
	char *safe = NULL;
	int rc;

	if (setting->text[0] == '\0') {
		group_clear(setting);
		return 0;
	}
	config_init(&file.parsed);
	if (asprintf(&text, "%s = %s\n", setting->option->key, setting->text) < 0)
		text = NULL;
	else
		safe = malloc(2 * strlen(text) + 1);
	if (safe)
		rc = parse_groups(&file, setting, text, safe, err);
	else
		rc = error_environment(err, ENOMEM, "out of memory");
	config_destroy(&file.parsed);
	free(text);
	free(safe);
	return rc;
}

int config_parse_file(struct config *config, const char *path, struct error *err)
{
	char *text;

	int rc = source_read(path, &text, err);
	if (rc != 0)
		return rc;
	rc = file_parse_text(config, path, text, err);
	free(text);
	return rc;
}
