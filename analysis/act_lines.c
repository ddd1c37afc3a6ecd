#include "analysis/act_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY ((size_t)1 << 20)

int act_lines_init(struct act_lines *lines, struct act_source source)
{
	*lines = (struct act_lines){.source = source, .buffer = malloc(CAPACITY), .number = 1};
	return lines->buffer ? 0 : -ENOMEM;
}

void act_lines_release(struct act_lines *lines)
{
	free(lines->buffer);
}

static size_t without_return(const char *line, size_t length)
{
	return length > 0 && line[length - 1] == '\r' ? length - 1 : length;
}

/* 1 when there is more, 0 when not, or -errno. */
static int read_more(struct act_lines *lines)
{
	size_t held = lines->end - lines->start;

	if (held == CAPACITY) {
		lines->too_long += !lines->skipping;
		lines->skipping = true;
		held = 0;
	}
	if (lines->start > 0)
		memmove(lines->buffer, lines->buffer + lines->start, held);
	lines->scanned = held;
	lines->start = 0;
	lines->end = held;

	ssize_t got =
	    lines->source.read(lines->source.context, lines->buffer + held, CAPACITY - held);

	if (got < 0)
		return (int)got;
	lines->end += (size_t)got;
	return got > 0;
}

int act_lines_peek(struct act_lines *lines, const char **ret, size_t *ret_length)
{
	for (;;) {
		char *line = lines->buffer + lines->start;
		char *newline =
		    memchr(lines->buffer + lines->scanned, '\n', lines->end - lines->scanned);

		if (!newline) {
			int rc = read_more(lines);

			if (rc <= 0)
				return rc;
			continue;
		}
		lines->scanned = (size_t)(newline - lines->buffer);
		if (!lines->skipping) {
			*ret = line;
			*ret_length = without_return(line, (size_t)(newline - line));
			return 1;
		}
		lines->skipping = false;
		act_lines_advance(lines);
	}
}

void act_lines_advance(struct act_lines *lines)
{
	lines->start = ++lines->scanned;
	lines->number++;
}

bool act_lines_rest(struct act_lines *lines, const char **ret, size_t *ret_length)
{
	size_t held = lines->end - lines->start;

	*ret = lines->buffer + lines->start;
	*ret_length = without_return(*ret, held);
	lines->start = lines->scanned = lines->end;
	return held > 0 && !lines->skipping;
}
