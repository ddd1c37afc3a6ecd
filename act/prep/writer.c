#include "act/prep/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "act/device/label_io.h"

#define SAVE_NS (NS_PER_SEC / 2)
/* So often a random place is looked for that no write is under way to. */
#define TRIES 64
/* Of the same bodies, before others are taken. */
#define REFILLS 7

struct filling {
	struct writer *writer;
	uint64_t next_bytes; /* all before this has been issued */
	uint64_t save_at_ns;
	struct error *err;
	bool label_failed; /* *err tells */
};

static bool stopped(const struct writer *writer)
{
	return writer->stop && *writer->stop;
}

static void report(const struct writer *writer, uint64_t done_bytes)
{
	if (writer->progress)
		writer->progress(writer->progress_state, done_bytes);
}

/* Copying bodies takes most of the time, so that they are used several times. What makes
 * each sector another one is its header. */
static void prepare_block(struct writer *writer, const struct pump_block *block)
{
	struct writer_slot *slot = &writer->slots[block->slot];

	writer->sequence++;
	if (slot->refills > 0 && block->length_bytes == PUMP_BLOCK_BYTES) {
		slot->refills--;
		payload_refill(writer->pool, slot->bodies, block->buffer, block->length_bytes,
			       block->offset_bytes, writer->sequence, writer->label->data_id);
		return;
	}
	slot->bodies =
	    payload_fill(writer->pool, &writer->random, block->buffer, block->length_bytes,
			 block->offset_bytes, writer->sequence, writer->label->data_id);
	slot->refills = block->length_bytes == PUMP_BLOCK_BYTES ? REFILLS : 0;
}

/* Nobody knows what the pump was used for before. */
static void forget_buffers(struct writer *writer)
{
	memset(writer->slots, 0, sizeof(writer->slots));
}

static int explain(const struct writer *writer, int rc, uint64_t offset_bytes, struct error *err)
{
	if (rc == -ETIMEDOUT)
		return error_device(err, ETIMEDOUT,
				    "%s: hangs: of the writes under way none came back for %" PRIu64
				    " s",
				    writer->name, PUMP_HANG_NS / NS_PER_SEC);
	return error_device(err, -rc, "%s: writing at %" PRIu64 " failed: %s", writer->name,
			    offset_bytes, strerror(-rc));
}

static int explain_stop(const struct writer *writer, struct error *err)
{
	return error_environment(err, EINTR, "%s: interrupted while it was being written",
				 writer->name);
}

/* What has been written up to `position_bytes` is made durable, then the label says so. */
static int save(struct writer *writer, uint64_t position_bytes, struct error *err)
{
	if (fdatasync(writer->fd) < 0)
		return error_device(err, errno, "%s: syncing it failed: %s", writer->name,
				    strerror(errno));
	writer->label->position_bytes = position_bytes;
	return label_write(writer->name, writer->fd, writer->label, err);
}

static bool next_in_order(void *state, struct pump_block *block)
{
	struct filling *filling = state;
	uint64_t left_bytes = filling->writer->label->device_bytes - filling->next_bytes;

	if (left_bytes == 0 || stopped(filling->writer))
		return false;
	block->offset_bytes = filling->next_bytes;
	block->length_bytes =
	    left_bytes < PUMP_BLOCK_BYTES ? (uint32_t)left_bytes : PUMP_BLOCK_BYTES;
	filling->next_bytes += block->length_bytes;
	return true;
}

static void prepare_in_order(void *state, const struct pump_block *block)
{
	struct filling *filling = state;

	prepare_block(filling->writer, block);
}

/* All before this has been written. */
static uint64_t written_bytes(const struct filling *filling)
{
	uint64_t lowest = pump_lowest(filling->writer->pump);

	return lowest < filling->next_bytes ? lowest : filling->next_bytes;
}

static int done_in_order(void *state, const struct pump_block *block)
{
	struct filling *filling = state;
	struct writer *writer = filling->writer;

	(void)block;
	report(writer, written_bytes(filling) - LABEL_AREA_BYTES);
	if (clock_now(writer->clock) < filling->save_at_ns)
		return 0;
	int rc = save(writer, written_bytes(filling), filling->err);
	filling->label_failed = rc < 0;
	filling->save_at_ns = clock_now(writer->clock) + SAVE_NS;
	return rc;
}

int writer_fill(struct writer *writer, struct error *err)
{
	struct filling filling = {
	    .writer = writer,
	    .next_bytes = writer->label->position_bytes,
	    .save_at_ns = clock_now(writer->clock) + SAVE_NS,
	    .err = err,
	};
	const struct pump_job job = {
	    .op = IO_WRITE,
	    .next = next_in_order,
	    .prepare = prepare_in_order,
	    .done = done_in_order,
	    .state = &filling,
	    .bytes_per_sec = writer->bytes_per_sec,
	};
	uint64_t failed_bytes = 0;

	forget_buffers(writer);
	report(writer, filling.next_bytes - LABEL_AREA_BYTES);
	int rc = pump_run(writer->pump, &job, &failed_bytes);
	if (filling.label_failed)
		return rc;
	if (rc < 0)
		return explain(writer, rc, failed_bytes, err);
	rc = save(writer, filling.next_bytes, err);
	if (rc == 0 && filling.next_bytes < writer->label->device_bytes)
		rc = explain_stop(writer, err);
	return rc;
}

struct overwriting {
	struct writer *writer;
	uint64_t blocks; /* whole ones on the device */
	uint64_t left_bytes;
	uint64_t end_ns;
	uint64_t done_bytes;
};

static bool next_at_random(void *state, struct pump_block *block)
{
	struct overwriting *over = state;
	struct writer *writer = over->writer;

	if (stopped(writer) || over->left_bytes == 0 || clock_now(writer->clock) >= over->end_ns)
		return false;
	block->length_bytes = PUMP_BLOCK_BYTES;
	/* Two writes to one place at a time could leave a mixture of both. */
	for (int i = 0; i < TRIES; i++) {
		block->offset_bytes =
		    LABEL_AREA_BYTES +
		    random_below(&writer->random, over->blocks) * PUMP_BLOCK_BYTES;
		if (pump_touches(writer->pump, block->offset_bytes, PUMP_BLOCK_BYTES))
			continue;
		over->left_bytes -=
		    over->left_bytes < PUMP_BLOCK_BYTES ? over->left_bytes : PUMP_BLOCK_BYTES;
		return true;
	}
	return false;
}

static void prepare_at_random(void *state, const struct pump_block *block)
{
	struct overwriting *over = state;

	prepare_block(over->writer, block);
}

static int done_at_random(void *state, const struct pump_block *block)
{
	struct overwriting *over = state;

	over->done_bytes += block->length_bytes;
	report(over->writer, over->done_bytes);
	return 0;
}

int writer_overwrite(struct writer *writer, const struct writer_round *limits,
		     uint64_t *ret_bytes_per_sec, struct error *err)
{
	uint64_t begun_ns = clock_now(writer->clock);
	struct overwriting over = {
	    .writer = writer,
	    .blocks = (writer->label->device_bytes - LABEL_AREA_BYTES) / PUMP_BLOCK_BYTES,
	    .left_bytes = limits->bytes,
	    .end_ns = begun_ns + limits->ns,
	};
	const struct pump_job job = {
	    .op = IO_WRITE,
	    .next = next_at_random,
	    .prepare = prepare_at_random,
	    .done = done_at_random,
	    .state = &over,
	    .bytes_per_sec = writer->bytes_per_sec,
	};
	uint64_t failed_bytes = 0;

	if (over.blocks == 0)
		return error_usage(err, EINVAL, "%s: too small to be overwritten at random",
				   writer->name);
	forget_buffers(writer);
	report(writer, 0);
	int rc = pump_run(writer->pump, &job, &failed_bytes);
	if (rc < 0)
		return explain(writer, rc, failed_bytes, err);
	uint64_t elapsed_ns = clock_now(writer->clock) - begun_ns;
	if (fdatasync(writer->fd) < 0)
		return error_device(err, errno, "%s: syncing it failed: %s", writer->name,
				    strerror(errno));
	if (stopped(writer))
		return explain_stop(writer, err);
	*ret_bytes_per_sec =
	    elapsed_ns ? (uint64_t)((unsigned __int128)over.done_bytes * NS_PER_SEC / elapsed_ns)
		       : 0;
	return 0;
}
