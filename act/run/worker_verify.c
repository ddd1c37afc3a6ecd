#include <errno.h>
#include <stdlib.h>

#include "act/run/worker_private.h"

/*
 * What is read is verified apart from the load: when a read is back, its times are taken
 * and it is put in a queue, which is worked off piece by piece.
 */

/* A piece when something is due soon, and when there is time. */
#define PIECE_BYTES      4096
#define IDLE_PIECE_BYTES 16384
/* At least this part of what is left in each step, so that it does not grow for ever. */
#define QUEUE_SHARE 8
/* Between two looks at the clock when all must be verified at once. */
#define DRAIN_PIECE_BYTES ((uint64_t)256 << 10)
static int queue_init(struct tag_queue *queue, uint32_t least_size)
{
	while (queue->mask + 1 < least_size)
		queue->mask = queue->mask * 2 + 1;
	queue->tags = calloc((size_t)queue->mask + 1, sizeof(*queue->tags));
	return queue->tags ? 0 : -ENOMEM;
}

static int make_room(struct worker *worker)
{
	if (queue_init(&worker->unchecked, worker->slots_total) ||
	    queue_init(&worker->doubtful, worker->slots_total))
		return -ENOMEM;
	for (size_t i = 0; i < worker->share_count; i++) {
		struct share *share = &worker->shares[i];

		if (share->op != IO_READ)
			continue;
		share->checks = calloc(share->slot_count, sizeof(*share->checks));
		if (!share->checks)
			return -ENOMEM;
	}
	return 0;
}

int worker_verify_init(struct worker *worker, struct error *err)
{
	uint32_t writes = 0;

	if (!worker->setup.verify)
		return 0;
	struct recent_writes *recent = &worker->setup.recent[worker->setup.index];
	for (size_t i = 0; i < worker->share_count; i++)
		if (worker->shares[i].op != IO_READ)
			writes += worker->shares[i].slot_count;
	if (recent_writes_init(recent, writes) || make_room(worker))
		return error_environment(err, ENOMEM, "no memory for verifying what is read");
	worker->recent = recent;
	return 0;
}

void worker_verify_release(struct worker *worker)
{
	for (size_t i = 0; i < worker->share_count; i++)
		free(worker->shares[i].checks);
	free(worker->unchecked.tags);
	free(worker->doubtful.tags);
	if (worker->setup.verify)
		recent_writes_release(&worker->setup.recent[worker->setup.index]);
}

void worker_verify_later(struct worker *worker, size_t stream, uint32_t index, uint64_t now_ns)
{
	struct share *share = &worker->shares[stream];
	struct slot *slot = &share->slots[index];
	struct check *check = &share->checks[index];

	if (!slot->read_again)
		*check = (struct check){
		    .timing = worker_timing(worker, slot, now_ns),
		    .completed_ns = now_ns,
		};
	check->read_from_ns = slot->submitted_ns;
	check->read_upto_ns = now_ns;
	check->checked_bytes = 0;
	check->times_read++;
	payload_prefetch(slot->buffer, slot->length_bytes);
	worker_take_back(worker, share, index);
	share->checking_count++;
	worker->unchecked_bytes += slot->length_bytes;
	queue_push(&worker->unchecked, tag_make(stream, index));
}

static void finish(struct worker *worker, size_t stream, uint32_t index)
{
	struct share *share = &worker->shares[stream];
	const struct slot *slot = &share->slots[index];
	const struct check *check = &share->checks[index];
	struct tally *tally = &worker->page->tallies[stream];

	tally->bytes += slot->length_bytes;
	tally->verified_sectors += slot->length_bytes / PAYLOAD_SECTOR_BYTES;
	tally->torn += check->times_read > 1;
	tally_complete(tally, worker->setup.scale, &check->timing, slot->counted);
	worker_free_slot(share, index);
}

/* Goes on with the first in the queue for at most so many bytes (whole sectors, at least
 * one); returns how many they were. */
static uint64_t check_piece(struct worker *worker, uint64_t most_bytes)
{
	uint64_t tag = queue_at(&worker->unchecked, 0);
	size_t stream = (size_t)(tag >> 32);
	uint32_t index = (uint32_t)tag;
	struct share *share = &worker->shares[stream];
	const struct slot *slot = &share->slots[index];
	struct check *check = &share->checks[index];
	uint32_t left_bytes = slot->length_bytes - check->checked_bytes;
	size_t length = most_bytes < left_bytes ? (size_t)most_bytes : left_bytes;
	size_t good =
	    payload_check(slot->buffer + check->checked_bytes, length,
			  slot->offset_bytes + check->checked_bytes, worker->setup.data_id);

	check->checked_bytes += (uint32_t)good;
	if (good == length && check->checked_bytes < slot->length_bytes) {
		worker->unchecked_bytes -= length;
		payload_prefetch(slot->buffer + check->checked_bytes, left_bytes - length);
		return length;
	}
	queue_drop_first(&worker->unchecked);
	worker->unchecked_bytes -= left_bytes;
	share->checking_count--;
	if (good == length)
		finish(worker, stream, index);
	else
		worker_wrong_data(worker, stream, index);
	return length;
}

static void check_bytes(struct worker *worker, uint64_t bytes)
{
	while (bytes > 0 && worker->unchecked.count > 0) {
		uint64_t piece = check_piece(worker, bytes);

		bytes -= piece < bytes ? piece : bytes;
	}
}

static bool is_due_soon(const struct worker *worker, uint64_t now_ns)
{
	for (size_t i = 0; i < worker->share_count; i++)
		if (worker->shares[i].next_ns < now_ns + PREPARE_NS)
			return true;
	return false;
}

void worker_verify_some(struct worker *worker, uint64_t now_ns)
{
	if (worker->unchecked.count == 0)
		return;
	uint64_t bytes = is_due_soon(worker, now_ns) ? PIECE_BYTES : IDLE_PIECE_BYTES;
	uint64_t part = worker->unchecked_bytes / QUEUE_SHARE;

	if (part > bytes)
		bytes = part - part % PAYLOAD_SECTOR_BYTES;
	check_bytes(worker, bytes);
	worker_tick(worker);
}

void worker_verify_all(struct worker *worker)
{
	while (worker->unchecked.count > 0) {
		check_bytes(worker, DRAIN_PIECE_BYTES);
		worker_tick(worker);
	}
}

void worker_verify_for_room(struct worker *worker)
{
	if (worker->unchecked.count == 0)
		return;
	for (size_t i = 0; i < worker->share_count; i++) {
		struct share *share = &worker->shares[i];

		if (share->free_count > 0 || share->slot_count == 0)
			continue;
		worker_verify_all(worker);
		if (share->free_count == 0 && share->held_from_ns == UINT64_MAX)
			share->held_from_ns = share->next_ns; /* all are read again */
	}
}

static void count_pending(struct worker *worker, const struct tag_queue *queue)
{
	for (uint32_t i = 0; i < queue->count; i++) {
		uint64_t tag = queue_at(queue, i);

		tally_pending(&worker->page->tallies[tag >> 32], worker->setup.scale,
			      &find_check(worker, tag)->timing,
			      &worker->shares[tag >> 32].slots[(uint32_t)tag].counted);
	}
}

void worker_verify_count_pending(struct worker *worker)
{
	count_pending(worker, &worker->unchecked);
	count_pending(worker, &worker->doubtful);
}
