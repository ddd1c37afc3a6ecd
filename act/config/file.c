#include <errno.h>
#include <inttypes.h>
#include <libconfig.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/config.h"
#include "act/config/options.h"
#include "act/config/source.h"

#define LONG_LONG_DIGITS 19

struct file {
	struct config *config;
	const char *path; /* its end only, when it is long */
	config_t parsed;
};

static void make_origin(const char *path, unsigned line, char origin[static CONFIG_ORIGIN_BYTES])
{
	snprintf(origin, CONFIG_ORIGIN_BYTES, "%.130s:%u", path, line);
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
	default:
		snprintf(text, LIST_ITEM_BYTES, "(...)");
		return "a list";
	}
}

/* libconfig's type is one that the option takes */
static bool type_fits(const struct option *option, const config_setting_t *item)
{
	int type = config_setting_type(item);

	if (option->kind == OPTION_SWITCH)
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

	if (option_is_list(setting->option))
		return setting_refuse(setting, err, EINVAL, "%s in a list of strings", description);
	if (has_unit && config_setting_is_number(item))
		return setting_refuse(setting, err, EINVAL, "%.30s has no unit", setting->text);
	if (kind == OPTION_SWITCH && config_setting_type(item) == CONFIG_TYPE_STRING)
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
		make_origin(file->path, config_setting_source_line(item), origin);
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
		make_origin(file->path, config_setting_source_line(item), origin);
		describe(item, text);
		return option_refuse_unknown(origin, key, text, err);
	}
	return 0;
}

/* In the order of the table, in which "load" stands before "read-load". */
static int set_options(const struct file *file, struct error *err)
{
	const config_setting_t *root = config_root_setting(&file->parsed);
	char origin[CONFIG_ORIGIN_BYTES];

	for (size_t i = 0; i < option_count; i++) {
		struct setting setting = {file->config, origin, &options[i], ""};
		const config_setting_t *item = config_setting_get_member(root, options[i].key);
		if (!item)
			continue;
		make_origin(file->path, config_setting_source_line(item), origin);
		int rc = option_is_list(&options[i]) ? set_list(file, &setting, item, err)
						     : set_single(&setting, item, err);
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
