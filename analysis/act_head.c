#include "analysis/act_head.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/act_counts.h"

#define LINES_BYTES ((size_t)64 << 10)
#define MILLION     1000000U

int act_head_init(struct act_head *head)
{
	*head = (struct act_head){
	    .report_interval_sec = 1,
	    .configuration = calloc(1, LINES_BYTES),
	    .derived = calloc(1, LINES_BYTES),
	};
	return head->configuration && head->derived ? 0 : -ENOMEM;
}

void act_head_release(struct act_head *head)
{
	free(head->configuration);
	free(head->derived);
	free(head->devices);
	free(head->device_bytes);
}

static void append_line(char *lines, const char *line, size_t length)
{
	size_t used = strlen(lines);

	if (memchr(line, '\0', length) || length + 2 > LINES_BYTES - used)
		return;
	memcpy(lines + used, line, length);
	lines[used + length] = '\n';
	lines[used + length + 1] = '\0';
}

const char *act_head_value(const char *lines, const char *key, size_t *ret_length)
{
	size_t key_length = strlen(key);

	for (const char *line = lines; *line;) {
		const char *end = strchr(line, '\n');

		if ((size_t)(end - line) > key_length && line[key_length] == ':' &&
		    !memcmp(line, key, key_length)) {
			const char *value = line + key_length + 1;

			while (*value == ' ' || *value == '\t')
				value++;
			if (value > end)
				value = end;
			while (end > value && end[-1] == ' ')
				end--;
			*ret_length = (size_t)(end - value);
			return value;
		}
		line = end + 1;
	}
	return NULL;
}

bool act_head_number(const char *lines, const char *key, uint64_t *ret_millionths)
{
	size_t length;
	const char *value = act_head_value(lines, key, &length);
	uint64_t number = 0;
	uint64_t scale = 0; /* of the next decimal; 0: no point yet */

	if (!value || length == 0 || value[0] == '.')
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned digit = (unsigned)(value[i] - '0');

		if (value[i] == '.' && scale == 0) {
			scale = MILLION;
			continue;
		}
		if (digit > 9)
			return false;
		if (scale > 0) {
			scale /= 10;
			number += digit * scale;
			scale += scale == 0; /* further decimals count nothing */
			continue;
		}
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)digit * MILLION, &number))
			return false;
	}
	*ret_millionths = number;
	return true;
}

static uint64_t whole_number(const struct act_head *head, const char *key, uint64_t otherwise)
{
	uint64_t millionths;

	return act_head_number(head->configuration, key, &millionths) ? millionths / MILLION
								      : otherwise;
}

static bool is_yes(const struct act_head *head, const char *key)
{
	size_t length;
	const char *value = act_head_value(head->configuration, key, &length);

	return value && length == 3 && !memcmp(value, "yes", 3);
}

enum act_section act_head_title(struct act_head *head, const char *line, size_t length)
{
	static const char suffix[] = " CONFIGURATION";
	size_t tail = sizeof(suffix) - 1;

	if (length == strlen("HISTOGRAM NAMES") && !memcmp(line, "HISTOGRAM NAMES", length))
		return ACT_SECTION_NAMES;
	if (length <= tail || length >= sizeof(head->title) ||
	    memcmp(line + length - tail, suffix, tail) != 0)
		return ACT_SECTION_NONE;
	if (!memcmp(line, "DERIVED", strlen("DERIVED")))
		return ACT_SECTION_DERIVED;
	memcpy(head->title, line, length);
	head->title[length] = '\0';
	head->index = !strcmp(head->title, "ACT-INDEX CONFIGURATION");
	return ACT_SECTION_CONFIGURATION;
}

size_t act_head_find_device(const struct act_head *head, const char *name, size_t length)
{
	if (length >= ACT_NAME_BYTES)
		return head->device_count;
	for (size_t i = 0; i < head->device_count; i++)
		if (!strncmp(head->devices[i], name, length) && head->devices[i][length] == '\0')
			return i;
	return head->device_count;
}

static int make_room(struct act_head *head, size_t room)
{
	char(*names)[ACT_NAME_BYTES] = reallocarray(head->devices, room, sizeof(*names));
	uint64_t *bytes;

	if (!names)
		return -ENOMEM;
	head->devices = names;
	bytes = reallocarray(head->device_bytes, room, sizeof(*bytes));
	if (!bytes)
		return -ENOMEM;
	head->device_bytes = bytes;
	return 0;
}

int act_head_device(struct act_head *head, const char *name, size_t length, size_t *ret)
{
	size_t found;

	if (length == 0 || length >= ACT_NAME_BYTES || memchr(name, '\0', length))
		return -E2BIG;
	found = act_head_find_device(head, name, length);
	if (found < head->device_count) {
		*ret = found;
		return 0;
	}
	if (head->device_count == ACT_HISTOGRAMS_MAX)
		return -E2BIG;
	if ((head->device_count & (head->device_count + 1)) == 0) /* 0, 1, 3, 7, ...: full */
		if (make_room(head, 2 * head->device_count + 1) < 0)
			return -ENOMEM;
	head->device_bytes[head->device_count] = 0;
	memset(head->devices[head->device_count], 0, ACT_NAME_BYTES);
	memcpy(head->devices[head->device_count], name, length);
	*ret = head->device_count++;
	return 0;
}

/* The tool prints them with blanks between, people's copies have commas. */
static int take_devices(struct act_head *head)
{
	size_t length;
	const char *names = act_head_value(head->configuration, "device-names", &length);

	for (size_t at = 0; names && at < length;) {
		size_t end = at;
		size_t index;

		while (end < length && names[end] != ' ' && names[end] != ',')
			end++;
		if (end > at && act_head_device(head, names + at, end - at, &index) == -ENOMEM)
			return -ENOMEM;
		at = end + 1;
	}
	return 0;
}

int act_head_configuration(struct act_head *head, const char *line, size_t length)
{
	append_line(head->configuration, line, length);
	head->duration_sec = whole_number(head, "test-duration-sec", 0);
	head->report_interval_sec = whole_number(head, "report-interval-sec", 1);
	if (head->report_interval_sec == 0)
		head->report_interval_sec = 1;
	head->microseconds = is_yes(head, "microsecond-histograms");

	uint64_t per_queue = whole_number(head, "threads-per-queue", 0);
	uint64_t queues = whole_number(head, "num-queues", 0);

	if (__builtin_mul_overflow(per_queue, queues, &head->threads))
		head->threads = 0;
	if (head->threads == 0)
		head->threads = whole_number(head, "service-threads", 0);
	return take_devices(head);
}

void act_head_derived(struct act_head *head, const char *line, size_t length)
{
	append_line(head->derived, line, length);
}

void act_head_size(struct act_head *head, const char *line, size_t length)
{
	static const char word[] = " size = ";
	const char *at = memmem(line, length, word, sizeof(word) - 1);
	const char *number = at ? at + sizeof(word) - 1 : NULL;
	const char *end = number ? memchr(number, ' ', length - (size_t)(number - line)) : NULL;
	size_t device;

	if (!end)
		return;
	device = act_head_find_device(head, line, (size_t)(at - line));
	if (device < head->device_count)
		act_counts_number(number, (size_t)(end - number), &head->device_bytes[device]);
}
