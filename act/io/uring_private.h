#pragma once
#include <liburing.h>

#include "act/io/engine.h"

/* Shared by uring.c and nop.c; nobody else includes it. The functions are those of
 * io_engine_ops, but for uring_create_ring. */

struct nop_request {
	uint64_t tag;
	uint32_t length_bytes;
};

struct io_engine {
	struct io_uring ring;
	const struct clock *clock;
	char description[128];
	/* nop.c alone: what is under way, and a stack of the free places in it. */
	struct nop_request *nops;
	uint32_t *free_nops;
	uint32_t free_count;
};

/* The best kind of ring that this kernel has, described in engine->description. */
int uring_create_ring(struct io_engine *engine, uint32_t requests_max, struct error *err);

int uring_probe(struct error *err);
int uring_submit(struct io_engine *engine);
uint32_t uring_reap(struct io_engine *engine, struct io_completion *completions, uint32_t max);
void uring_wait(struct io_engine *engine, uint64_t until_ns);
uint64_t uring_overflows(const struct io_engine *engine);
const char *uring_describe(const struct io_engine *engine);
