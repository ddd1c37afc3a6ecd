#include "act/config/list_group.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/config/rate.h"

#define SIZE_MAX_BYTES (UINT64_C(8) << 20)
/* Weights are exact when they are added and divided by their sum. */
#define WEIGHT_MAX      1000000
#define WEIGHT_DECIMALS 1000000

/* Copies the part of `text` up to `end`; false when it has no room. */
static bool copy_part(const char *text, const char *end, char part[static UNITS_TEXT_BYTES])
{
	if (end - text >= UNITS_TEXT_BYTES)
		return false;
	snprintf(part, UNITS_TEXT_BYTES, "%.*s", (int)(end - text), text);
	return true;
}

/* "4KiB" or "4KiB..8KiB" up to `end` */
static int parse_range(const char *text, const char *end, struct config_size *ret)
{
	const char *dots = strstr(text, "..");
	const char *min_end = dots && dots < end ? dots : end;
	char min[UNITS_TEXT_BYTES];
	char max[UNITS_TEXT_BYTES];

	if (!copy_part(text, min_end, min) ||
	    !copy_part(min_end < end ? min_end + 2 : text, end, max))
		return -EINVAL;
	int rc = units_parse_size(min, &ret->min_bytes);
	return rc != 0 ? rc : units_parse_size(max, &ret->max_bytes);
}

static bool parse_weight(const char *text, struct ratio *ret)
{
	return units_parse_weight(text, ret) == 0 && ret->num > 0 &&
	       WEIGHT_DECIMALS % ret->den == 0 &&
	       ratio_compare(*ret, ratio_make(WEIGHT_MAX, 1)) <= 0;
}

int sizes_add(const struct setting *setting, struct config_size *sizes, size_t *count,
	      struct error *err)
{
	const char *text = setting->text;
	const char *colon = strchr(text, ':');
	const char *end = colon ? colon : text + strlen(text);
	struct config_size size = {.weight = {0, 1}};

	int rc = parse_range(text, end, &size);
	if (rc == -EINVAL)
		return setting_refuse(setting, err, EINVAL, "not a size with a unit");
	if (rc != 0 || size.max_bytes > SIZE_MAX_BYTES)
		return setting_refuse(setting, err, ERANGE, "too large");
	if (size.min_bytes == 0)
		return setting_refuse(setting, err, ERANGE, "too small");
	if (size.max_bytes < size.min_bytes)
		return setting_refuse(setting, err, EINVAL, "largest size below the smallest");
	if (colon && !parse_weight(colon + 1, &size.weight))
		return setting_refuse(setting, err, EINVAL,
				      "not a weight above 0 to 1000000 of up to 6 decimals");
	if (*count > 0 && (size.weight.num == 0 || sizes[0].weight.num == 0))
		return setting_refuse(setting, err, EINVAL,
				      "one of several sizes, but not each has a weight");
	if (*count == CONFIG_SIZES_MAX)
		return setting_refuse(setting, err, ERANGE, "more than %d sizes", CONFIG_SIZES_MAX);
	sizes[(*count)++] = size;
	return 0;
}

void sizes_format(const struct config_size *size, size_t count, char text[static LIST_ITEM_BYTES])
{
	bool weighted = count > 1 || ratio_compare(size->weight, ratio_make(100, 1)) != 0;
	char min[UNITS_TEXT_BYTES];
	char max[UNITS_TEXT_BYTES];
	char weight[UNITS_TEXT_BYTES];
	size_t length;

	units_format_size(min, size->min_bytes);
	units_format_size(max, size->max_bytes);
	units_format_weight(weight, size->weight);
	length = (size_t)snprintf(text, LIST_ITEM_BYTES, "%s", min);
	if (size->max_bytes > size->min_bytes)
		length += (size_t)snprintf(text + length, LIST_ITEM_BYTES - length, "..%s", max);
	if (weighted)
		snprintf(text + length, LIST_ITEM_BYTES - length, ":%s", weight);
}

int issued_add(const struct setting *setting, struct config_phase_rate *issued, size_t *count,
	       struct error *err)
{
	const char *text = setting->text;
	size_t length = strcspn(text, ":");
	struct config_phase_rate made = {.rate = {.value = {0, 1}}};

	if (length >= sizeof(made.stream))
		return setting_refuse(setting, err, ERANGE, "longer than %d characters",
				      CONFIG_NAME_BYTES - 1);
	memcpy(made.stream, text, length);
	if (!option_is_name(made.stream, "-"))
		return setting_refuse(setting, err, EINVAL, "not the name of a stream");
	int rc =
	    text[length] == ':' ? rate_parse(text + length + 1, RATE_UNITS_ALL, &made.rate) : 0;
	if (rc == -ERANGE)
		return setting_refuse(setting, err, ERANGE, "too large");
	if (rc != 0)
		return setting_refuse(setting, err, EINVAL, "not a rate behind the name");
	for (size_t i = 0; i < *count; i++) {
		if (strcmp(issued[i].stream, made.stream) == 0)
			return setting_refuse(setting, err, EEXIST, "named twice");
	}
	if (*count == CONFIG_STREAMS_MAX)
		return setting_refuse(setting, err, ERANGE, "more than %d streams",
				      CONFIG_STREAMS_MAX);
	issued[(*count)++] = made;
	return 0;
}

void issued_format(const struct config_phase_rate *issued, char text[static LIST_ITEM_BYTES])
{
	char rate[UNITS_TEXT_BYTES];

	config_format_rate(rate, issued->rate);
	snprintf(text, LIST_ITEM_BYTES, "%s%s%s", issued->stream, *rate != '\0' ? ":" : "", rate);
}
