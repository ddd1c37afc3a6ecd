#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/*
 * The bytes of a log, whatever wrote it: a file, a pipe or standard input,
 * gzipped or not, and perhaps still growing. Not thread-safe.
 */

struct log_input;

/* Reads from `fd`, which stays the caller's (its position moves): 0 or -ENOMEM. */
int log_input_new(int fd, struct log_input **ret);
void log_input_free(struct log_input *input);

/* Up to `size` bytes: their number; 0 when there are no more yet (a file that
 * grew can be asked again); -errno, -EBADMSG for damaged gzip. */
ssize_t log_input_read(struct log_input *input, void *buffer, size_t size);

/* Looks at the beginning without taking it; call it before the first read. */
enum log_kind { LOG_KIND_OWN, LOG_KIND_ACT };

/* By what a log's first lines say: that the older tool wrote it, or (anything else
 * included, whose reader says what is wrong) actcert. -errno as log_input_read. */
int log_input_kind(struct log_input *input, enum log_kind *ret);

/* The same bytes as a stream, which must be closed before the input is freed;
 * NULL when memory is short. */
FILE *log_input_stream(struct log_input *input);
