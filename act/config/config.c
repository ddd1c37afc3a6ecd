#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/config.h"
#include "act/config/options.h"

void text_tame(const char *text, char shown[static SHOWN_BYTES])
{
	size_t length = 0;

	for (; text[length] != '\0' && length < SHOWN_BYTES - 4; length++) {
		unsigned char c = (unsigned char)text[length];
		shown[length] = (char)(c < ' ' || c == 0x7f ? '?' : c);
	}
	memcpy(shown + length, text[length] != '\0' ? "..." : "", text[length] != '\0' ? 4 : 1);
}

int option_refuse(struct error *err, int code, const char *origin, const char *key,
		  const char *value, const char *problem, const char *allowed)
{
	char shown_key[SHOWN_BYTES];
	char shown[SHOWN_BYTES];

	text_tame(key, shown_key);
	text_tame(value, shown);
	return error_usage(err, code, "%s: %s =%s%s: %s; allowed: %s", origin, shown_key,
			   *shown != '\0' ? " " : "", shown, problem, allowed);
}

int setting_refuse(const struct setting *setting, struct error *err, int code, const char *format,
		   ...)
{
	char problem[ALLOWED_BYTES];
	char shown[SHOWN_BYTES];
	char allowed[ALLOWED_BYTES];
	char key[SHOWN_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(problem, sizeof(problem), format, args);
	va_end(args);
	text_tame(problem, shown);
	option_allowed(setting->option, allowed);
	snprintf(key, sizeof(key), "%.30s%.48s", setting->prefix ? setting->prefix : "",
		 setting->option->key);
	return option_refuse(err, code, setting->origin, key, setting->text, shown, allowed);
}

int config_refuse(const struct config *config, const char *key, const char *problem,
		  const char *allowed, struct error *err)
{
	const struct option *option = option_find(key);
	const char *origin = config->origins[option - options];
	char value[SHOWN_BYTES];

	option_show(option, config, value);
	return option_refuse(err, EINVAL, *origin != '\0' ? origin : "default", key, value, problem,
			     allowed);
}

int option_refuse_unknown(const char *origin, const char *key, const char *value, struct error *err)
{
	const struct option_table table = {options, option_count};
	const struct option *nearest = option_nearest(table, key);
	char problem[ALLOWED_BYTES] = "unknown key";

	if (nearest)
		snprintf(problem, sizeof(problem), "unknown key, the nearest is %s", nearest->key);
	return option_refuse(err, EINVAL, origin, key, value, problem,
			     "the keys listed by actcert run --help");
}

static void note_origin(struct config *config, const struct option *option, const char *origin)
{
	snprintf(config->origins[option - options], CONFIG_ORIGIN_BYTES, "%s", origin);
}

void setting_note_origin(const struct setting *setting)
{
	if (setting->option->kind == OPTION_BOTH) {
		note_origin(setting->config, option_find("read-load"), setting->origin);
		note_origin(setting->config, option_find("write-load"), setting->origin);
	}
	note_origin(setting->config, setting->option, setting->origin);
}

/* One item after the other of a comma-separated list */
static int set_list(const struct setting *setting, struct error *err)
{
	char item[LIST_ITEM_BYTES];
	struct setting one = *setting;
	const char *text = setting->text;

	list_clear(setting);
	one.text = item;
	while (*text != '\0') {
		size_t length = strcspn(text, ",");
		if (length >= sizeof(item))
			return setting_refuse(setting, err, ERANGE, "item too long");
		memcpy(item, text, length);
		item[length] = '\0';
		int rc = list_add(&one, err);
		if (rc != 0)
			return rc;
		text += length + (text[length] == ',');
		text += strspn(text, " ");
	}
	return 0;
}

static int set_option(const struct setting *setting, struct error *err)
{
	int rc;

	if (option_is_groups(setting->option))
		rc = file_set_groups(setting, err);
	else
		rc = option_is_list(setting->option) ? set_list(setting, err)
						     : value_set(setting, err);
	if (rc == 0)
		setting_note_origin(setting);
	return rc;
}

int config_set(struct config *config, const char *origin, const char *key, const char *value,
	       struct error *err)
{
	struct setting setting = {config, origin, option_find(key), value, NULL, NULL};

	if (!setting.option)
		return option_refuse_unknown(origin, key, value, err);
	return set_option(&setting, err);
}

static int add(struct config *config, const char *origin, const char *key, const char *item,
	       struct error *err)
{
	struct setting setting = {config, origin, option_find(key), item, NULL, NULL};

	int rc = list_add(&setting, err);
	if (rc == 0)
		setting_note_origin(&setting);
	return rc;
}

int config_add_device(struct config *config, const char *origin, const char *path,
		      struct error *err)
{
	return add(config, origin, "devices", path, err);
}

int config_add_file(struct config *config, const char *origin, const char *path_and_size,
		    struct error *err)
{
	return add(config, origin, "files", path_and_size, err);
}

void config_defaults(struct config *config)
{
	*config = (struct config){.scale = {1, 1}};
	for (size_t i = 0; i < option_count; i++) {
		struct setting setting = {config, "", &options[i], options[i].initial, NULL, NULL};
		if (set_option(&setting, NULL) != 0)
			abort(); /* a default in the table is not what it says is allowed */
	}
}
