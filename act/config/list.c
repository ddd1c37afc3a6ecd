#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/config/options.h"

static size_t device_count(const struct config *config)
{
	size_t count = 0;

	while (count < config->target_count && !config->targets[count].is_file)
		count++;
	return count;
}

void list_clear(const struct setting *setting)
{
	struct config *config = setting->config;
	size_t devices = device_count(config);

	switch (setting->option->kind) {
	case OPTION_DEVICES:
		config->target_count -= devices;
		memmove(config->targets, config->targets + devices,
			config->target_count * sizeof(config->targets[0]));
		break;
	case OPTION_FILES:
		config->target_count = devices;
		break;
	case OPTION_CRITERIA:
		config->criterion_count = 0;
		break;
	default:
		config->judged_count = 0;
	}
}

/* Inserts at `index`, so that devices stay in front of files. */
static int add_target(const struct setting *setting, size_t index,
		      const struct config_target *target, struct error *err)
{
	struct config *config = setting->config;

	if (target->path[0] == '\0')
		return setting_refuse(setting, err, EINVAL, "empty path");
	for (const char *c = target->path; *c != '\0'; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return setting_refuse(setting, err, EINVAL, "control character in path");
	}
	for (size_t i = 0; i < config->target_count; i++) {
		if (strcmp(config->targets[i].path, target->path) == 0)
			return setting_refuse(setting, err, EEXIST, "named twice");
	}
	if (config->target_count == CONFIG_DEVICES_MAX)
		return setting_refuse(setting, err, ERANGE, "too many devices and files");
	struct config_target *place = &config->targets[index];
	memmove(place + 1, place, (config->target_count - index) * sizeof(*place));
	*place = *target;
	config->target_count++;
	return 0;
}

static int add_device(const struct setting *setting, struct error *err)
{
	struct config_target target = {.is_file = false};

	if (strlen(setting->text) >= sizeof(target.path))
		return setting_refuse(setting, err, ERANGE, "path longer than 255 bytes");
	memcpy(target.path, setting->text, strlen(setting->text));
	return add_target(setting, device_count(setting->config), &target, err);
}

static int add_file(const struct setting *setting, struct error *err)
{
	struct config_target target = {.is_file = true};
	const char *colon = strrchr(setting->text, ':');

	if (!colon)
		return setting_refuse(setting, err, EINVAL, "no size");
	size_t length = (size_t)(colon - setting->text);
	if (length >= sizeof(target.path))
		return setting_refuse(setting, err, ERANGE, "path longer than 255 bytes");
	memcpy(target.path, setting->text, length);
	int rc = units_parse_size(colon + 1, &target.size_bytes);
	if (rc == -ERANGE)
		return setting_refuse(setting, err, ERANGE, "size too large");
	if (rc != 0)
		return setting_refuse(setting, err, EINVAL, "%.30s is not a size with a unit",
				      colon + 1);
	if (target.size_bytes == 0 || target.size_bytes % 4096 != 0)
		return setting_refuse(setting, err, EINVAL, "size is not a multiple of 4096 bytes");
	return add_target(setting, setting->config->target_count, &target, err);
}

static int add_criterion(const struct setting *setting, struct error *err)
{
	struct config *config = setting->config;
	size_t count = config->criterion_count;
	char threshold[UNITS_TEXT_BYTES];
	struct config_criterion criterion;
	size_t length = strcspn(setting->text, ":");

	if (setting->text[length] == '\0' || length >= sizeof(threshold))
		return setting_refuse(setting, err, EINVAL, "not of the form TIME:SHARE");
	memcpy(threshold, setting->text, length);
	threshold[length] = '\0';
	if (units_parse_duration(threshold, &criterion.threshold_ns) != 0 ||
	    criterion.threshold_ns == 0)
		return setting_refuse(setting, err, EINVAL, "%s is not a time above zero",
				      threshold);
	if (units_parse_percent(setting->text + length + 1, &criterion.limit) != 0 ||
	    ratio_compare(criterion.limit, ratio_make(1, 1)) > 0)
		return setting_refuse(setting, err, EINVAL,
				      "%.30s is not a share from 0%% to 100%%",
				      setting->text + length + 1);
	if (count == CONFIG_CRITERIA_MAX)
		return setting_refuse(setting, err, ERANGE, "more than %d thresholds",
				      CONFIG_CRITERIA_MAX);
	if (count > 0 && criterion.threshold_ns <= config->criteria[count - 1].threshold_ns)
		return setting_refuse(setting, err, EINVAL, "not above the threshold before it");
	config->criteria[config->criterion_count++] = criterion;
	return 0;
}

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (; *words != '\0'; words += strspn(words, " ")) {
		size_t next = strcspn(words, " ");
		if (next == length && strncmp(words, word, length) == 0)
			return true;
		words += next;
	}
	return false;
}

static int add_stream(const struct setting *setting, struct error *err)
{
	struct config *config = setting->config;

	if (!has_word(setting->option->min, setting->text))
		return setting_refuse(setting, err, EINVAL, "no such stream");
	for (size_t i = 0; i < config->judged_count; i++) {
		if (strcmp(config->judged[i], setting->text) == 0)
			return setting_refuse(setting, err, EEXIST, "named twice");
	}
	/* there are fewer names than places */
	snprintf(config->judged[config->judged_count++], sizeof(config->judged[0]), "%s",
		 setting->text);
	return 0;
}

int list_add(const struct setting *setting, struct error *err)
{
	switch (setting->option->kind) {
	case OPTION_DEVICES:
		return add_device(setting, err);
	case OPTION_FILES:
		return add_file(setting, err);
	case OPTION_CRITERIA:
		return add_criterion(setting, err);
	default:
		return add_stream(setting, err);
	}
}

static void format_file(const struct config_target *target, char text[static LIST_ITEM_BYTES])
{
	char size[UNITS_TEXT_BYTES];

	units_format_size(size, target->size_bytes);
	snprintf(text, LIST_ITEM_BYTES, "%s:%s", target->path, size);
}

static void format_criterion(const struct config_criterion *criterion,
			     char text[static LIST_ITEM_BYTES])
{
	char threshold[UNITS_TEXT_BYTES];
	char limit[UNITS_TEXT_BYTES];

	units_format_duration(threshold, criterion->threshold_ns);
	units_format_percent(limit, criterion->limit);
	snprintf(text, LIST_ITEM_BYTES, "%s:%s", threshold, limit);
}

bool list_item(const struct option *option, const struct config *config, size_t i,
	       char text[static LIST_ITEM_BYTES])
{
	size_t devices = device_count(config);

	switch (option->kind) {
	case OPTION_DEVICES:
		if (i < devices)
			snprintf(text, LIST_ITEM_BYTES, "%s", config->targets[i].path);
		return i < devices;
	case OPTION_FILES:
		if (i < config->target_count - devices)
			format_file(&config->targets[devices + i], text);
		return i < config->target_count - devices;
	case OPTION_CRITERIA:
		if (i < config->criterion_count)
			format_criterion(&config->criteria[i], text);
		return i < config->criterion_count;
	default:
		if (i < config->judged_count)
			snprintf(text, LIST_ITEM_BYTES, "%s", config->judged[i]);
		return i < config->judged_count;
	}
}
