#pragma once
#include <stdbool.h>

#include "act/base/error.h"

/*
 * Copies a log to standard output while it grows, for those who keep what act_storage
 * prints. Who does not read a pipe does not hold up the run: while it goes on only as
 * much is copied as is taken at once. SIGPIPE is to be ignored.
 */

struct log_echo {
	int fd; /* -1: nothing is copied, or no more */
};

/* DIR/run.log, from its beginning. */
int log_echo_open(struct log_echo *echo, const char *dir, struct error *err);
/* What was added. False, once, when standard output takes nothing any more. */
bool log_echo_copy(struct log_echo *echo);
/* All the rest, however long that takes, and closes. */
bool log_echo_finish(struct log_echo *echo);
