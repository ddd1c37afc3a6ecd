#pragma once
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "act/base/error.h"
#include "analysis/log_wait.h"

/*
 * A file or pipe that is still being written, as a stream that ends for the moment
 * where the data does. While one is open SIGINT, SIGTERM and SIGHUP are not delivered
 * to this thread but end the waiting.
 */
struct follow {
	struct log_wait wait; /* for the reader of `stream` */
	FILE *stream;
	int fd;
	bool grows; /* a regular file, whose end is not final */
	bool ended; /* the other end of the pipe was closed */
	int signal; /* that ended the waiting; 0: none */
	sigset_t signals;
	sigset_t signals_before;
};

/* Opens `path`, or standard input where that is "-". `follow` must not move until
 * follow_close. A usage error when it cannot be opened; -ENOMEM. */
int follow_open(struct follow *follow, const char *path, struct error *err);
/* Closes the stream; signals are delivered as before. */
void follow_close(struct follow *follow);

/* The signal that came, 0 if none did. For when there is so much to read that
 * nothing is waited for. */
int follow_signal(struct follow *follow);
