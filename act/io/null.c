#include <errno.h>
#include <stdlib.h>

#include "act/io/engine.h"

/* A ring of completions waiting to be reaped; never more than requests_max. */
struct io_engine {
	const struct clock *clock;
	uint32_t capacity;
	uint32_t head;
	uint32_t queued;    /* taken, not yet handed over */
	uint32_t completed; /* handed over, not yet reaped */
	struct io_completion completions[];
};

/* The place of the i-th completion from the head, i <= capacity. */
static uint32_t place_of(const struct io_engine *engine, uint32_t i)
{
	uint32_t place = engine->head + i;

	return place < engine->capacity ? place : place - engine->capacity;
}

static int null_probe(struct error *err)
{
	(void)err;
	return 0;
}

static int null_open(const struct io_setup *setup, struct io_engine **ret, struct error *err)
{
	struct io_engine *engine =
	    calloc(1, sizeof(*engine) + setup->requests_max * sizeof(struct io_completion));
	if (!engine)
		return error_environment(err, ENOMEM, "no memory for %u requests",
					 setup->requests_max);
	engine->clock = setup->clock;
	engine->capacity = setup->requests_max;
	*ret = engine;
	return 0;
}

static int null_queue(struct io_engine *engine, const struct io_request *request)
{
	uint32_t used = engine->completed + engine->queued;

	if (used == engine->capacity)
		return -EAGAIN;
	engine->completions[place_of(engine, used)] = (struct io_completion){
	    .tag = request->tag,
	    .result = (int32_t)request->length_bytes,
	};
	engine->queued++;
	return 0;
}

static int null_submit(struct io_engine *engine)
{
	engine->completed += engine->queued;
	engine->queued = 0;
	return 0;
}

static uint32_t null_reap(struct io_engine *engine, struct io_completion *completions, uint32_t max)
{
	uint32_t count = engine->completed < max ? engine->completed : max;

	for (uint32_t i = 0; i < count; i++)
		completions[i] = engine->completions[place_of(engine, i)];
	engine->head = place_of(engine, count);
	engine->completed -= count;
	return count;
}

static void null_wait(struct io_engine *engine, uint64_t until_ns)
{
	uint64_t now_ns = clock_now(engine->clock);

	if (engine->completed || until_ns <= now_ns)
		return;
	clock_sleep(until_ns - now_ns);
}

static uint64_t null_overflows(const struct io_engine *engine)
{
	(void)engine;
	return 0;
}

static const char *null_describe(const struct io_engine *engine)
{
	(void)engine;
	return "nothing is read or written: this measures the host, not a drive";
}

static void null_close(struct io_engine *engine)
{
	free(engine);
}

const struct io_engine_ops io_engine_null = {
    .name = "null",
    .needs_device = 0,
    .probe = null_probe,
    .open = null_open,
    .queue = null_queue,
    .submit = null_submit,
    .reap = null_reap,
    .wait = null_wait,
    .overflows = null_overflows,
    .describe = null_describe,
    .close = null_close,
};
