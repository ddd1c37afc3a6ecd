#include "analysis/act_message.h"

#include <string.h>

static bool holds(const char *line, size_t length, const char *word)
{
	return memmem(line, length, word, strlen(word)) != NULL;
}

static bool starts(const char *line, size_t length, const char *word)
{
	size_t size = strlen(word);

	return length >= size && !memcmp(line, word, size);
}

/* The device that stands in the line as a word of its own, not as the beginning of
 * another's name. */
static size_t named_device(const struct act_head *head, const char *line, size_t length)
{
	for (size_t i = 0; i < head->device_count; i++) {
		size_t size = strlen(head->devices[i]);
		const char *end = line + length;
		const char *at = line;

		while ((at = memmem(at, (size_t)(end - at), head->devices[i], size))) {
			bool begins = at == line || at[-1] == ' ';
			bool ends = at + size == end || strchr(" :,'\"", at[size]);

			if (begins && ends)
				return i;
			at++;
		}
	}
	return head->device_count;
}

/* "ERROR: reading /dev/sda: 5 'Input/output error'" and no other that begins so. */
static bool is_failed(const char *line, size_t length, const char *verb, bool names_device)
{
	return starts(line, length, verb) && (names_device || holds(line, length, "errno")) &&
	       !holds(line, length, "/sys/");
}

static bool classify(const char *line, size_t length, bool names_device, enum act_message_kind *ret)
{
	if (holds(line, length, "can't keep up") || holds(line, length, "test stopped"))
		*ret = ACT_MESSAGE_STOPPED;
	else if (is_failed(line, length, "ERROR: reading ", names_device) ||
		 starts(line, length, "ERROR: seek & read"))
		*ret = ACT_MESSAGE_READ_ERROR;
	else if (is_failed(line, length, "ERROR: writing ", names_device) ||
		 starts(line, length, "ERROR: seek & write"))
		*ret = ACT_MESSAGE_WRITE_ERROR;
	else if (starts(line, length, "ERROR") && holds(line, length, "/sys/"))
		*ret = ACT_MESSAGE_SETUP;
	else if (starts(line, length, "ERROR"))
		*ret = ACT_MESSAGE_OTHER;
	else
		return false;
	return true;
}

bool act_message_parse(const struct act_head *head, const char *line, size_t length,
		       struct act_message *message)
{
	size_t device;

	/* Nearly no line holds one of these; the first letters tell. */
	if (!starts(line, length, "ERROR") && !holds(line, length, "can't keep up") &&
	    !holds(line, length, "test stopped"))
		return false;
	device = named_device(head, line, length);
	if (!classify(line, length, device < head->device_count, &message->kind))
		return false;
	message->device = device;
	if (length >= sizeof(message->text))
		length = sizeof(message->text) - 1;
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)line[i];

		message->text[i] = (char)(byte < ' ' || byte >= 0x7f ? '?' : byte);
	}
	message->text[length] = '\0';
	return true;
}
