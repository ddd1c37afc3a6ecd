#include "tests/support/act_text.h"

#include <string.h>

static ssize_t read_text(void *context, void *buffer, size_t size)
{
	struct act_text *text = context;
	size_t length = text->length - text->at;

	length = length > size ? size : length;
	length = length > text->piece ? text->piece : length;
	memcpy(buffer, text->text + text->at, length);
	text->at += length;
	return (ssize_t)length;
}

struct act_text act_text(const char *text)
{
	return (struct act_text){.text = text, .length = strlen(text), .piece = 7};
}

struct act_source act_text_source(struct act_text *text)
{
	return (struct act_source){read_text, text};
}
