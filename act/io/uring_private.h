#pragma once
#include <liburing.h>

#include "act/io/engine.h"

/* Shared by uring.c, polled.c and nop.c; nobody else includes it. The functions are
 * those of io_engine_ops, but for the first two. */

struct nop_request {
	uint64_t tag;
	uint32_t length_bytes;
};

struct io_engine {
	struct io_uring ring;
	const struct clock *clock;
	char description[128];
	uint32_t in_flight; /* queued and not reaped */
	/* nop.c alone: what is under way, and a stack of the free places in it. */
	struct nop_request *nops;
	uint32_t *free_nops;
	uint32_t free_count;
};

/* The best kind of ring that this kernel has, with further set-up `flags`, described
 * in engine->description. */
int uring_create_ring(struct io_engine *engine, uint32_t requests_max, unsigned flags,
		      struct error *err);
/* uring_open with further set-up flags. */
int uring_open_ring(const struct io_setup *setup, unsigned flags, struct io_engine **ret,
		    struct error *err);

int uring_probe(struct error *err);
int uring_queue(struct io_engine *engine, const struct io_request *request);
int uring_submit(struct io_engine *engine);
uint32_t uring_reap(struct io_engine *engine, struct io_completion *completions, uint32_t max);
void uring_wait(struct io_engine *engine, uint64_t until_ns);
uint64_t uring_overflows(const struct io_engine *engine);
const char *uring_describe(const struct io_engine *engine);
void uring_close(struct io_engine *engine);
