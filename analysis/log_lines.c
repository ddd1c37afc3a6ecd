#include "analysis/log_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)64 << 10)

int lines_init(struct lines *lines, FILE *stream)
{
	char *buffer = malloc(FIRST_CAPACITY);

	if (!buffer)
		return -ENOMEM;
	*lines = (struct lines){
	    .stream = stream,
	    .buffer = buffer,
	    .capacity = FIRST_CAPACITY,
	    .number = 1,
	};
	return 0;
}

void lines_release(struct lines *lines)
{
	free(lines->buffer);
	lines->buffer = NULL;
}

static void step_over(struct lines *lines, size_t bytes)
{
	lines->start += bytes;
	lines->scanned = lines->start;
}

static int make_room(struct lines *lines)
{
	memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
	lines->end -= lines->start;
	lines->scanned -= lines->start;
	lines->start = 0;
	if (lines->end < lines->capacity)
		return 0;
	if (lines->capacity >= LINE_BYTES_MAX) {
		lines->too_long = true;
		lines->end = 0;
		lines->scanned = 0;
		return -E2BIG;
	}

	char *buffer = realloc(lines->buffer, 2 * lines->capacity);
	if (!buffer)
		return -ENOMEM;
	lines->buffer = buffer;
	lines->capacity *= 2;
	return 0;
}

static bool wait_for_more(const struct lines *lines)
{
	if (!lines->wait || !lines->wait->more(lines->wait->context))
		return false;
	clearerr(lines->stream);
	return true;
}

/* 1 when there is more, 0 at the end. */
static int read_more(struct lines *lines)
{
	if (lines->end == lines->capacity) {
		int rc = make_room(lines);
		if (rc < 0)
			return rc;
	}

	size_t got;

	do {
		got = fread(lines->buffer + lines->end, 1, lines->capacity - lines->end,
			    lines->stream);
	} while (!got && !ferror(lines->stream) && wait_for_more(lines));
	lines->end += got;
	if (got)
		return 1;
	return ferror(lines->stream) ? -EIO : 0;
}

int lines_peek(struct lines *lines, struct line *ret)
{
	for (;;) {
		char *newline =
		    memchr(lines->buffer + lines->scanned, '\n', lines->end - lines->scanned);
		if (newline) {
			ret->text = lines->buffer + lines->start;
			ret->length = (size_t)(newline - ret->text);
			if (!lines->too_long)
				return 1;
			lines->too_long = false;
			lines_advance(lines, ret);
			continue;
		}
		lines->scanned = lines->end;

		int rc = read_more(lines);
		if (rc <= 0)
			return rc;
	}
}

void lines_advance(struct lines *lines, const struct line *line)
{
	step_over(lines, line->length + 1);
	lines->number++;
}
