#include "act/prep/pump.h"

#include <errno.h>
#include <stdlib.h>

#define ALIGN_BYTES  4096
#define SUBMIT_BATCH 4 /* requests that are prepared before the device gets them */
#define WAIT_NS      NS_PER_SEC

struct slot {
	struct pump_block block;
	uint32_t moved_bytes;
};

struct pump {
	const struct io_engine_ops *ops;
	struct io_engine *engine;
	const struct clock *clock;
	uint8_t *buffers;
	struct slot slots[PUMP_DEPTH];
	uint32_t idle[PUMP_DEPTH]; /* a stack of the slots that are free */
	uint32_t idle_count;
	bool busy[PUMP_DEPTH];
	bool lost; /* the device may still use our memory */
};

/* One call of pump_run. */
struct stroke {
	struct pump *pump;
	const struct pump_job *job;
	uint64_t begun_ns;
	uint64_t issued_bytes;
	uint64_t last_back_ns;
	bool over; /* nothing more is asked for */
	int rc;
	uint64_t failed_bytes;
};

int pump_open(const struct io_engine_ops *ops, int fd, const struct clock *clock, struct pump **ret,
	      struct error *err)
{
	struct pump *pump = calloc(1, sizeof(*pump));
	size_t bytes = (size_t)PUMP_DEPTH * PUMP_BLOCK_BYTES;
	uint8_t *buffers = aligned_alloc(ALIGN_BYTES, bytes);
	struct io_setup setup = {
	    .fd = fd,
	    .buffers = buffers,
	    .buffers_bytes = bytes,
	    .requests_max = PUMP_DEPTH,
	    .clock = clock,
	};
	int rc;

	if (!pump || !buffers) {
		rc = error_environment(err, ENOMEM, "no memory for %zu bytes of requests", bytes);
		goto fail;
	}
	rc = ops->open(&setup, &pump->engine, err);
	if (rc < 0)
		goto fail;
	pump->ops = ops;
	pump->clock = clock;
	pump->buffers = buffers;
	pump->idle_count = PUMP_DEPTH;
	for (uint32_t i = 0; i < PUMP_DEPTH; i++) {
		pump->idle[i] = PUMP_DEPTH - 1 - i;
		pump->slots[i].block.slot = i;
		pump->slots[i].block.buffer = buffers + (size_t)i * PUMP_BLOCK_BYTES;
	}
	*ret = pump;
	return 0;
fail:
	free(buffers);
	free(pump);
	return rc;
}

void pump_close(struct pump *pump)
{
	if (!pump || pump->lost)
		return;
	pump->ops->close(pump->engine);
	free(pump->buffers);
	free(pump);
}

uint64_t pump_lowest(const struct pump *pump)
{
	uint64_t lowest = UINT64_MAX;

	for (uint32_t i = 0; i < PUMP_DEPTH; i++)
		if (pump->busy[i] && pump->slots[i].block.offset_bytes < lowest)
			lowest = pump->slots[i].block.offset_bytes;
	return lowest;
}

bool pump_touches(const struct pump *pump, uint64_t offset_bytes, uint64_t length_bytes)
{
	for (uint32_t i = 0; i < PUMP_DEPTH; i++) {
		const struct pump_block *block = &pump->slots[i].block;

		if (pump->busy[i] && block->offset_bytes < offset_bytes + length_bytes &&
		    offset_bytes < block->offset_bytes + block->length_bytes)
			return true;
	}
	return false;
}

static void fail(struct stroke *stroke, int rc, uint64_t offset_bytes)
{
	stroke->over = true;
	if (stroke->rc == 0) {
		stroke->rc = rc;
		stroke->failed_bytes = offset_bytes;
	}
}

/* -EAGAIN is the engine's way to say: not all at once. */
static void submit(struct stroke *stroke)
{
	int rc = stroke->pump->ops->submit(stroke->pump->engine);

	if (rc < 0 && rc != -EAGAIN) {
		fail(stroke, rc, pump_lowest(stroke->pump));
		stroke->pump->lost = true;
	}
}

static void queue(struct stroke *stroke, uint32_t index)
{
	struct pump *pump = stroke->pump;
	struct slot *slot = &pump->slots[index];
	const struct io_request request = {
	    .op = stroke->job->op,
	    .buffer = (uint8_t *)slot->block.buffer + slot->moved_bytes,
	    .length_bytes = slot->block.length_bytes - slot->moved_bytes,
	    .offset_bytes = slot->block.offset_bytes + slot->moved_bytes,
	    .tag = index,
	};

	while (!pump->lost && pump->ops->queue(pump->engine, &request) == -EAGAIN)
		submit(stroke);
}

/* When the next block may be issued, so that the limit is kept on average. */
static uint64_t due_ns(const struct stroke *stroke)
{
	uint64_t limit = stroke->job->bytes_per_sec;

	return limit == 0 ? 0
			  : stroke->begun_ns + (uint64_t)((unsigned __int128)stroke->issued_bytes *
							  NS_PER_SEC / limit);
}

static void issue(struct stroke *stroke, uint64_t now_ns)
{
	struct pump *pump = stroke->pump;
	const struct pump_job *job = stroke->job;
	unsigned queued = 0;

	while (!stroke->over && pump->idle_count > 0 && due_ns(stroke) <= now_ns) {
		uint32_t index = pump->idle[pump->idle_count - 1];
		struct slot *slot = &pump->slots[index];

		if (!job->next(job->state, &slot->block)) {
			stroke->over = true;
			break;
		}
		if (job->prepare)
			job->prepare(job->state, &slot->block);
		slot->moved_bytes = 0;
		pump->idle_count--;
		pump->busy[index] = true;
		stroke->issued_bytes += slot->block.length_bytes;
		queue(stroke, index);
		if (++queued % SUBMIT_BATCH == 0)
			submit(stroke);
	}
	if (!pump->lost)
		submit(stroke);
}

static void take_back(struct stroke *stroke, const struct io_completion *completion)
{
	struct pump *pump = stroke->pump;
	uint32_t index = (uint32_t)completion->tag;
	struct slot *slot = &pump->slots[index];
	uint32_t left_bytes = slot->block.length_bytes - slot->moved_bytes;
	int rc = 0;

	if (completion->result == -EAGAIN || completion->result == -EINTR ||
	    (completion->result > 0 && (uint32_t)completion->result < left_bytes)) {
		if (completion->result > 0)
			slot->moved_bytes += (uint32_t)completion->result;
		queue(stroke, index);
		return;
	}
	pump->busy[index] = false;
	pump->idle[pump->idle_count++] = index;
	if (completion->result <= 0)
		rc = completion->result ? completion->result : -EIO;
	else if (stroke->rc == 0)
		rc = stroke->job->done(stroke->job->state, &slot->block);
	if (rc < 0)
		fail(stroke, rc, slot->block.offset_bytes);
}

static void reap(struct stroke *stroke)
{
	struct pump *pump = stroke->pump;
	struct io_completion completions[PUMP_DEPTH];
	uint32_t count = pump->ops->reap(pump->engine, completions, PUMP_DEPTH);

	for (uint32_t i = 0; i < count; i++)
		take_back(stroke, &completions[i]);
	/* Not the time before `done`: it may have synced for long. */
	if (count > 0)
		stroke->last_back_ns = clock_now(pump->clock);
}

int pump_run(struct pump *pump, const struct pump_job *job, uint64_t *ret_failed_bytes)
{
	uint64_t now_ns = clock_now(pump->clock);
	struct stroke stroke = {
	    .pump = pump,
	    .job = job,
	    .begun_ns = now_ns,
	    .last_back_ns = now_ns,
	};

	while (!pump->lost && !(stroke.over && pump->idle_count == PUMP_DEPTH)) {
		uint64_t until_ns = now_ns + WAIT_NS;

		issue(&stroke, now_ns);
		if (pump->idle_count == PUMP_DEPTH) { /* held back by the limit alone */
			stroke.last_back_ns = now_ns;
			if (!stroke.over && due_ns(&stroke) < until_ns)
				until_ns = due_ns(&stroke);
		} else if (!stroke.over && pump->idle_count > 0 && due_ns(&stroke) < until_ns) {
			until_ns = due_ns(&stroke);
		}
		if (!(stroke.over && pump->idle_count == PUMP_DEPTH) && !pump->lost)
			pump->ops->wait(pump->engine, until_ns);
		reap(&stroke);
		now_ns = clock_now(pump->clock);
		if (pump->idle_count < PUMP_DEPTH && now_ns > stroke.last_back_ns + PUMP_HANG_NS) {
			fail(&stroke, -ETIMEDOUT, pump_lowest(pump));
			pump->lost = true;
		}
	}
	if (stroke.rc < 0)
		*ret_failed_bytes = stroke.failed_bytes;
	return stroke.rc;
}
