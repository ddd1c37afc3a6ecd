#pragma once

/*
 * A small parent process, so that the exit status reaches the caller even when
 * the kernel never gives a request back: a process with such a request cannot
 * end, not even by SIGKILL. The work is done in a child; the parent waits for its
 * status, passes SIGINT, SIGTERM and SIGHUP on to it, and does not wait for its
 * end for longer than a moment. When the parent dies, the child is killed.
 */

struct guardian;

/* Runs work(argument, guardian) in a child and returns what it returned, or what
 * it gave to guardian_report; 128 + n when signal n killed it. Works in this
 * process where there can be no other. Call it before there are threads. */
int guardian_run(int (*work)(void *argument, struct guardian *guardian), void *argument);

/* In the child: all is written, and this is the status. */
void guardian_report(struct guardian *guardian, int status);
