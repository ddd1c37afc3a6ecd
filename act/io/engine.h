#pragma once
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/clock.h"
#include "act/base/error.h"

/*
 * An engine moves requests between a worker and one device. A worker queues
 * requests, hands them over with submit, and reaps what came back; none of the
 * three waits for a completion. All memory is taken in open.
 *
 * One engine belongs to one thread: open, use and close it there.
 */

enum io_op { IO_READ, IO_WRITE, IO_WRITE_DSYNC };

struct io_request {
	enum io_op op;
	void *buffer; /* inside io_setup.buffers */
	uint32_t length_bytes;
	uint64_t offset_bytes;
	uint64_t tag; /* comes back with the completion */
};

struct io_completion {
	uint64_t tag;
	int32_t result; /* bytes moved or -errno */
};

struct io_setup {
	int fd;        /* the device, opened with O_DIRECT; -1 where the engine needs none */
	void *buffers; /* all request buffers, one region */
	size_t buffers_bytes;
	uint32_t requests_max; /* never more than this many requests are under way */
	const struct clock *clock;
	/* Where helper threads of the kernel may run (they would else inherit the
	 * CPU that the calling thread is bound to, and fight it); NULL: anywhere. */
	const cpu_set_t *helper_cpus;
};

struct io_engine;

struct io_engine_ops {
	const char *name;
	int needs_device; /* 0: nothing is opened, the device may not exist */
	/* Whether this host allows the engine at all; touches no device. Environment
	 * errors, here and below, name the limit and the remedy. */
	int (*probe)(struct error *err);
	int (*open)(const struct io_setup *setup, struct io_engine **ret, struct error *err);
	/* Takes the request; it may stay in the engine until submit. 0, or -EAGAIN
	 * when the queue is full: submit, then try again. */
	int (*queue)(struct io_engine *engine, const struct io_request *request);
	/* Hands over what was queued. 0, -EAGAIN when (part of) it stays queued for
	 * the next submit, or another -errno when the engine is broken. */
	int (*submit)(struct io_engine *engine);
	/* Up to `max` completions; returns how many, without waiting. */
	uint32_t (*reap)(struct io_engine *engine, struct io_completion *completions, uint32_t max);
	/* Waits until something can be reaped or the clock reaches until_ns. */
	void (*wait)(struct io_engine *engine, uint64_t until_ns);
	/* Completions that the kernel could not queue; 0 in a healthy run. */
	uint64_t (*overflows)(const struct io_engine *engine);
	/* One line on the set-up in use, for the plan ("single issuer, deferred task
	 * work, registered file and buffers"). */
	const char *(*describe)(const struct io_engine *engine);
	void (*close)(struct io_engine *engine);
};

extern const struct io_engine_ops io_engine_uring;
/* The same without interrupts: reap asks the device, and wait goes on asking while
 * something is under way. For block devices whose driver has poll queues; open reads
 * the first block and refuses others (environment). */
extern const struct io_engine_ops io_engine_polled;
/* Completes each request at once and whole, moving nothing: measures the harness. */
extern const struct io_engine_ops io_engine_null;
/* The same through a real ring: its requests are no-operations of the kernel. */
extern const struct io_engine_ops io_engine_nop;
