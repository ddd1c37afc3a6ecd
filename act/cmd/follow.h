#pragma once
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "act/base/error.h"
#include "analysis/log_wait.h"

/*
 * A file or pipe that is still being written, as a stream that ends for the moment
 * where the data does. While one is open SIGINT, SIGTERM and SIGHUP are not delivered
 * to this thread but end the waiting.
 */
#define FOLLOW_HEAD_BYTES 4096

struct follow {
	struct log_wait wait; /* for the reader of `stream` */
	FILE *stream;
	int fd;
	bool grows;  /* a regular file, whose end is not final */
	bool ended;  /* the other end of the pipe was closed */
	int signal;  /* that ended the waiting; 0: none */
	bool ending; /* it is waited so often only: */
	uint64_t looks_left;
	size_t head_start; /* what was looked at, but not read, is head[start..end) */
	size_t head_end;
	char head[FOLLOW_HEAD_BYTES];
	sigset_t signals;
	sigset_t signals_before;
};

/* Opens `path`, or standard input where that is "-". `follow` must not move until
 * follow_close. A usage error when it cannot be opened; -ENOMEM. */
int follow_open(struct follow *follow, const char *path, struct error *err);
/* Waits for the beginning, before anything was read: 0, and whether it is that of a log of
 * the older tool. A usage error when it is that of no log, which would be waited for in
 * vain. */
int follow_recognise(struct follow *follow, const char *path, bool *ret_act, struct error *err);
/* For who reads without the stream: waits until there is something. The bytes put into
 * `buffer`; 0 at the end of all waiting; -errno. `follow` is a struct follow. */
ssize_t follow_read(void *follow, void *buffer, size_t size);
/* Closes the stream; signals are delivered as before. */
void follow_close(struct follow *follow);

/* From now on it is waited for `seconds` at most, all times together. */
void follow_end_within(struct follow *follow, uint64_t seconds);
/* The signal that came, 0 if none did. For when there is so much to read that
 * nothing is waited for. */
int follow_signal(struct follow *follow);
