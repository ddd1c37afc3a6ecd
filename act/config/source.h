#pragma once
#include <stddef.h>

#include "act/base/error.h"

/*
 * The text of a config file, made safe for libconfig 1.5, which silently wraps
 * integers beyond 32 bits unless they end in L, cuts strings at a NUL byte,
 * refuses a comment that ends with the file, leaks strings that it does not
 * expect, and ends the program when @include names a directory. Private to
 * act/config.
 */

#define SOURCE_BYTES_MAX (1 << 20)

/* Reads all of `path`, a regular file or a pipe, into a heap string that ends
 * in a newline; the caller frees it. Usage errors: not there, too long, a NUL byte in it. */
int source_read(const char *path, char **ret_text, struct error *err);

/* Copies `text` to `ret` (2 * strlen(text) + 1 bytes) with an L behind every
 * integer. Returns 0, or the number of the first line with one of the mistakes
 * that libconfig does not find or puts on the wrong line; *ret_problem says which. */
unsigned source_protect(const char *text, char *ret, const char **ret_problem);

/* Copies line `number` (from 1) for an error text: no blanks around it, no
 * control characters in it, cut off to `size`. */
void source_line(const char *text, unsigned number, char *ret, size_t size);
