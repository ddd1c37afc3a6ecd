#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "act/io/uring_private.h"

/* Requests that do nothing, through a real ring. They complete with result 0, so what
 * the worker asked for is kept here and told as moved. */

static void free_engine(struct io_engine *engine)
{
	free(engine->free_nops);
	free(engine->nops);
	free(engine);
}

static int nop_open(const struct io_setup *setup, struct io_engine **ret, struct error *err)
{
	struct io_engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return error_environment(err, ENOMEM, "no memory for a ring");
	engine->clock = setup->clock;
	engine->nops = calloc(setup->requests_max, sizeof(*engine->nops));
	engine->free_nops = calloc(setup->requests_max, sizeof(*engine->free_nops));
	if (!engine->nops || !engine->free_nops) {
		free_engine(engine);
		return error_environment(err, ENOMEM, "no memory for %u requests",
					 setup->requests_max);
	}
	int rc = uring_create_ring(engine, setup->requests_max, 0, err);
	if (rc) {
		free_engine(engine);
		return rc;
	}
	for (uint32_t i = 0; i < setup->requests_max; i++)
		engine->free_nops[i] = i;
	engine->free_count = setup->requests_max;
	io_uring_register_ring_fd(&engine->ring); /* as in uring.c */
	snprintf(engine->description, sizeof(engine->description),
		 "io_uring that moves nothing: this measures the host, not a drive");
	*ret = engine;
	return 0;
}

static int nop_queue(struct io_engine *engine, const struct io_request *request)
{
	struct io_uring_sqe *sqe = engine->free_count > 0 ? io_uring_get_sqe(&engine->ring) : NULL;

	if (!sqe)
		return -EAGAIN;
	uint32_t place = engine->free_nops[--engine->free_count];

	engine->nops[place] = (struct nop_request){request->tag, request->length_bytes};
	io_uring_prep_nop(sqe);
	io_uring_sqe_set_data64(sqe, place);
	engine->in_flight++;
	return 0;
}

static uint32_t nop_reap(struct io_engine *engine, struct io_completion *completions, uint32_t max)
{
	uint32_t count = uring_reap(engine, completions, max);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t place = (uint32_t)completions[i].tag;

		completions[i].tag = engine->nops[place].tag;
		if (completions[i].result == 0)
			completions[i].result = (int32_t)engine->nops[place].length_bytes;
		engine->free_nops[engine->free_count++] = place;
	}
	return count;
}

static void nop_close(struct io_engine *engine)
{
	io_uring_queue_exit(&engine->ring);
	free_engine(engine);
}

const struct io_engine_ops io_engine_nop = {
    .name = "nop",
    .needs_device = 0,
    .probe = uring_probe,
    .open = nop_open,
    .queue = nop_queue,
    .submit = uring_submit,
    .reap = nop_reap,
    .wait = uring_wait,
    .overflows = uring_overflows,
    .describe = uring_describe,
    .close = nop_close,
};
