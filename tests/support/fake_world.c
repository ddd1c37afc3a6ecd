#include "tests/support/fake_world.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_NS UINT64_C(1234567890123)

struct pending {
	uint64_t done_ns;
	struct io_completion completion;
};

struct io_engine {
	struct fake_world *world;
	uint32_t capacity;
	uint32_t count;   /* under way, a heap by done_ns */
	uint64_t held_ns; /* what the queued requests will hold the submission up */
	struct pending pending[];
};

static uint64_t fake_now(void *state)
{
	return ((struct fake_world *)state)->now_ns;
}

static uint64_t fake_boot(void *state)
{
	const struct fake_world *world = state;

	return world->now_ns + world->boot_ahead_ns;
}

void fake_world_init(struct fake_world *world, fake_script *script, void *script_state)
{
	*world = (struct fake_world){
	    .now_ns = FIRST_NS,
	    .clock = {.now_ns = fake_now, .boot_ns = fake_boot, .state = world},
	    .script = script,
	    .script_state = script_state,
	    .next_completion_ns = UINT64_MAX,
	};
}

static int fake_open(const struct io_setup *setup, struct io_engine **ret, struct error *err)
{
	struct io_engine *engine =
	    calloc(1, sizeof(*engine) + setup->requests_max * sizeof(struct pending));

	if (!engine)
		return error_environment(err, ENOMEM, "no memory");
	engine->world = setup->clock->state;
	engine->capacity = setup->requests_max;
	*ret = engine;
	return 0;
}

static void swap(struct pending *a, struct pending *b)
{
	struct pending c = *a;

	*a = *b;
	*b = c;
}

static void heap_push(struct io_engine *engine, struct pending pending)
{
	uint32_t i = engine->count++;

	engine->pending[i] = pending;
	while (i > 0 && engine->pending[(i - 1) / 2].done_ns > engine->pending[i].done_ns) {
		swap(&engine->pending[(i - 1) / 2], &engine->pending[i]);
		i = (i - 1) / 2;
	}
}

static void heap_pop(struct io_engine *engine)
{
	uint32_t i = 0;

	engine->pending[0] = engine->pending[--engine->count];
	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= engine->count)
			return;
		if (child + 1 < engine->count &&
		    engine->pending[child + 1].done_ns < engine->pending[child].done_ns)
			child++;
		if (engine->pending[i].done_ns <= engine->pending[child].done_ns)
			return;
		swap(&engine->pending[i], &engine->pending[child]);
		i = child;
	}
}

static int fake_queue(struct io_engine *engine, const struct io_request *request)
{
	struct fake_world *world = engine->world;

	if (engine->count == engine->capacity)
		abort(); /* the worker promised not to */
	struct fake_answer answer = world->script(world->script_state, world->requests++, request);
	engine->held_ns += answer.held_ns;
	heap_push(engine,
		  (struct pending){
		      .done_ns = answer.never ? UINT64_MAX : world->now_ns + answer.service_ns,
		      .completion = {.tag = request->tag, .result = answer.result},
		  });
	world->next_completion_ns = engine->pending[0].done_ns;
	return 0;
}

static int fake_submit(struct io_engine *engine)
{
	struct fake_world *world = engine->world;

	if (engine->held_ns && !world->host_held)
		world->sleeps++;
	world->now_ns += engine->held_ns;
	engine->held_ns = 0;
	return 0;
}

static uint32_t fake_reap(struct io_engine *engine, struct io_completion *completions, uint32_t max)
{
	uint32_t count = 0;

	while (count < max && engine->count > 0 &&
	       engine->pending[0].done_ns <= engine->world->now_ns) {
		completions[count++] = engine->pending[0].completion;
		heap_pop(engine);
	}
	engine->world->next_completion_ns = engine->count ? engine->pending[0].done_ns : UINT64_MAX;
	return count;
}

static void fake_wait(struct io_engine *engine, uint64_t until_ns)
{
	struct fake_world *world = engine->world;
	uint64_t next_ns =
	    world->next_completion_ns < until_ns ? world->next_completion_ns : until_ns;

	if (next_ns > world->now_ns)
		world->now_ns = next_ns;
}

static uint64_t fake_overflows(const struct io_engine *engine)
{
	return engine->world->overflows;
}

static const char *fake_describe(const struct io_engine *engine)
{
	(void)engine;
	return "fake";
}

static void fake_close(struct io_engine *engine)
{
	free(engine);
}

const struct io_engine_ops fake_engine = {
    .name = "fake",
    .open = fake_open,
    .queue = fake_queue,
    .submit = fake_submit,
    .reap = fake_reap,
    .wait = fake_wait,
    .overflows = fake_overflows,
    .describe = fake_describe,
    .close = fake_close,
};
