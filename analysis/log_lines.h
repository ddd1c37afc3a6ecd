#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/log_wait.h"

/*
 * A file line by line, with bounded memory whatever it holds. Private to the
 * log.
 */

#define LINE_BYTES_MAX ((size_t)16 << 20)

struct lines {
	FILE *stream;                /* the caller's */
	const struct log_wait *wait; /* NULL: what is there is all */
	char *buffer;
	size_t capacity;
	size_t start;    /* of the present line */
	size_t scanned;  /* no newline between start and here */
	size_t end;      /* of what was read */
	bool too_long;   /* the present line is being left out */
	uint64_t number; /* of the present line, from 1 */
};

struct line {
	const char *text; /* not terminated; may hold any bytes */
	size_t length;    /* without the newline */
};

/* 0 or -ENOMEM. */
int lines_init(struct lines *lines, FILE *stream);
void lines_release(struct lines *lines);

/* Looks at the next line: 1 and *ret, valid until the next call. 0 at the end (with
 * `wait`, when it says so); a last line without newline does not count. -E2BIG for each
 * LINE_BYTES_MAX of a longer line, which is left out (go on with the next call), -EIO, or -ENOMEM.
 */
int lines_peek(struct lines *lines, struct line *ret);
/* Steps over the line that lines_peek showed. */
void lines_advance(struct lines *lines, const struct line *line);
