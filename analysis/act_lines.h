#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/act_log.h"

/* Lines out of a source that may still grow. Their ends, "\n" or "\r\n", are cut off. */
struct act_lines {
	struct act_source source;
	char *buffer;
	size_t start; /* what is not taken yet is buffer[start..end) */
	size_t end;
	size_t scanned;  /* no newline in buffer[start..scanned) */
	uint64_t number; /* of the line at `start`, from 1 */
	uint64_t too_long;
	bool skipping; /* the rest of a line that is too long */
};

int act_lines_init(struct act_lines *lines, struct act_source source); /* 0 or -ENOMEM */
void act_lines_release(struct act_lines *lines);

/* The next line, not taken yet, valid until the next call: 1; 0 when no whole line is
 * there; -errno of the source. Lines of more than 1 MiB are left out and counted. */
int act_lines_peek(struct act_lines *lines, const char **ret, size_t *ret_length);
/* Takes the line just peeked. */
void act_lines_advance(struct act_lines *lines);
/* What there is of a line that has no end, and takes it: false when there is nothing. */
bool act_lines_rest(struct act_lines *lines, const char **ret, size_t *ret_length);
