#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/config/list_group.h"
#include "act/config/options.h"

/* Where a list is an array with its count behind it. */
static const struct {
	size_t item_bytes;
	size_t max;
} arrays[] = {
    [OPTION_CRITERIA] = {sizeof(struct config_criterion), CONFIG_CRITERIA_MAX},
    [OPTION_NAMES] = {CONFIG_NAME_BYTES, CONFIG_JUDGED_MAX},
    [OPTION_SIZES] = {sizeof(struct config_size), CONFIG_SIZES_MAX},
    [OPTION_ISSUED] = {sizeof(struct config_phase_rate), CONFIG_STREAMS_MAX},
};

#define COUNT_IS_BEHIND(type, array, count)                                                        \
	_Static_assert(offsetof(struct type, count) ==                                             \
			   offsetof(struct type, array) + sizeof(((struct type *)0)->array),       \
		       "a list's count is behind it")
COUNT_IS_BEHIND(config, criteria, criterion_count);
COUNT_IS_BEHIND(config, judged, judged_count);
COUNT_IS_BEHIND(config_stream, criteria, criterion_count);
COUNT_IS_BEHIND(config_stream, sizes, size_count);
COUNT_IS_BEHIND(config_phase, streams, stream_count);

static size_t count_offset(const struct option *option)
{
	return option->offset + arrays[option->kind].item_bytes * arrays[option->kind].max;
}

/* Of lists but the targets */
static size_t *count_of(const struct setting *setting)
{
	char *owner = (char *)(setting->group ? setting->group : setting->config);

	return (size_t *)(void *)(owner + count_offset(setting->option));
}

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
	default:
		*count_of(setting) = 0;
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
	struct config_criterion *criteria = setting_field(setting);
	size_t *count = count_of(setting);
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
	if (*count == CONFIG_CRITERIA_MAX)
		return setting_refuse(setting, err, ERANGE, "more than %d thresholds",
				      CONFIG_CRITERIA_MAX);
	if (*count > 0 && criterion.threshold_ns <= criteria[*count - 1].threshold_ns)
		return setting_refuse(setting, err, EINVAL, "not above the threshold before it");
	criteria[(*count)++] = criterion;
	return 0;
}

static int add_name(const struct setting *setting, struct error *err)
{
	char(*names)[CONFIG_NAME_BYTES] = setting_field(setting);
	size_t *count = count_of(setting);

	if (strlen(setting->text) >= CONFIG_NAME_BYTES || !option_is_name(setting->text, "-"))
		return setting_refuse(setting, err, EINVAL, "not a name");
	for (size_t i = 0; i < *count; i++) {
		if (strcmp(names[i], setting->text) == 0)
			return setting_refuse(setting, err, EEXIST, "named twice");
	}
	if (*count == CONFIG_JUDGED_MAX)
		return setting_refuse(setting, err, ERANGE, "more than %d names",
				      CONFIG_JUDGED_MAX);
	snprintf(names[(*count)++], CONFIG_NAME_BYTES, "%s", setting->text);
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
	case OPTION_SIZES:
		return sizes_add(setting, setting_field(setting), count_of(setting), err);
	case OPTION_ISSUED:
		return issued_add(setting, setting_field(setting), count_of(setting), err);
	default:
		return add_name(setting, err);
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

static bool target_item(const struct option *option, const struct config *config, size_t i,
			char text[static LIST_ITEM_BYTES])
{
	size_t devices = device_count(config);

	if (option->kind == OPTION_DEVICES) {
		if (i < devices)
			snprintf(text, LIST_ITEM_BYTES, "%s", config->targets[i].path);
		return i < devices;
	}
	if (i < config->target_count - devices)
		format_file(&config->targets[devices + i], text);
	return i < config->target_count - devices;
}

bool list_item(const struct option *option, const void *owner, size_t i,
	       char text[static LIST_ITEM_BYTES])
{
	const char *at = (const char *)owner + option->offset;

	if (option->kind < OPTION_CRITERIA)
		return target_item(option, owner, i, text);
	size_t count = *(const size_t *)(const void *)((const char *)owner + count_offset(option));
	if (i >= count)
		return false;
	at += i * arrays[option->kind].item_bytes;
	switch (option->kind) {
	case OPTION_CRITERIA:
		format_criterion((const void *)at, text);
		break;
	case OPTION_SIZES:
		sizes_format((const void *)at, count, text);
		break;
	case OPTION_ISSUED:
		issued_format((const void *)at, text);
		break;
	default:
		snprintf(text, LIST_ITEM_BYTES, "%s", at);
	}
	return true;
}
