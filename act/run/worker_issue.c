#include <errno.h>

#include "act/run/worker_private.h"

bool worker_may_issue(const struct worker *worker, uint64_t end_ns, uint64_t now_ns)
{
	/* A stop ends issuing at once; the planned end lets what is due go out. */
	if (now_ns < end_ns)
		return true;
	return end_ns == worker->setup.control->duration_ns && now_ns < end_ns + END_GRACE_NS;
}

/* The share whose next request is due first among those that have an idle slot. */
static struct share *earliest_due(struct worker *worker, uint64_t end_ns, uint64_t now_ns)
{
	struct share *earliest = NULL;
	uint64_t before_ns = now_ns < end_ns ? now_ns : end_ns - 1;

	for (size_t i = 0; i < worker->share_count; i++) {
		struct share *share = &worker->shares[i];

		if (share->free_count == 0)
			continue;
		if (share->next_ns > before_ns)
			share->held_from_ns = UINT64_MAX; /* caught up */
		else if (!earliest || share->next_ns < earliest->next_ns)
			earliest = share;
	}
	return earliest;
}

static struct slot *next_slot(const struct share *share)
{
	return &share->slots[share->free[share->free_count - 1]];
}

/* Gives the next slot its address and, for a write, up to so much of its payload. */
static void prepare(struct worker *worker, struct share *share, uint32_t most_bytes)
{
	struct slot *slot = next_slot(share);

	if (!share->prepared) {
		address_next(&share->address, &slot->offset_bytes, &slot->length_bytes);
		share->prepared = true;
		share->filled_bytes = 0;
		share->sequence = ++worker->sequence;
	}
	if (share->op == IO_READ)
		return;
	uint32_t length = slot->length_bytes - share->filled_bytes;
	if (length > most_bytes)
		length = most_bytes;
	payload_fill(worker->setup.pool, &worker->random, slot->buffer + share->filled_bytes,
		     length, slot->offset_bytes + share->filled_bytes, share->sequence,
		     worker->setup.data_id);
	share->filled_bytes += length;
}

static bool is_ready(const struct share *share)
{
	return share->op == IO_READ ||
	       (share->prepared && share->filled_bytes == next_slot(share)->length_bytes);
}

static int queue_slot(struct worker *worker, const struct share *share, uint32_t index)
{
	const struct slot *slot = &share->slots[index];
	const struct io_request request = {
	    .op = share->op,
	    .buffer = slot->buffer + slot->done_bytes,
	    .length_bytes = slot->length_bytes - slot->done_bytes,
	    .offset_bytes = slot->offset_bytes + slot->done_bytes,
	    .tag = tag_make((size_t)(share - worker->shares), index),
	};
	int rc = worker->setup.ops->queue(worker->engine, &request);

	if (rc == 0)
		worker->unsubmitted++;
	return rc;
}

static void take_slot(struct worker *worker, struct share *share, uint32_t index)
{
	struct slot *slot = &share->slots[index];

	slot->busy = true;
	slot->read_again = false;
	/* Before it is submitted, which queueing alone does not. */
	if (worker->recent && share->op != IO_READ)
		slot->recent_write = recent_writes_begin(worker->recent, slot->offset_bytes,
							 slot->length_bytes, slot->submitted_ns);
	worker_put_under_way(worker, share, index);
	share->free_count--;
	share->prepared = false;
}

/* Queues the share's next request. False when the engine takes no more. */
static bool issue_one(struct worker *worker, struct share *share)
{
	prepare(worker, share, UINT32_MAX);

	uint32_t index = share->free[share->free_count - 1];
	struct slot *slot = &share->slots[index];
	slot->intended_ns = share->next_ns;
	slot->done_bytes = 0;
	slot->held = share->next_ns >= share->held_from_ns;
	slot->submitted_ns = worker_tick(worker);
	slot->submit_ns = 0;
	slot->hiccups_before_ns = worker->hiccup_ns;
	slot->debt_ns = worker->debt_ns;
	if (queue_slot(worker, share, index))
		return false;
	slot->counted = worker_counted_waiting(worker, share, share->schedule.next - 1);
	take_slot(worker, share, index);
	worker->page->tallies[share - worker->shares].issued++;
	share->next_ns = schedule_take_ns(&share->schedule);
	/* No slot is left: what is due from the next one on waits for the device, unless it
	 * has given one back that we are about to verify. */
	if (share->free_count == 0 && share->checking_count == 0 &&
	    share->held_from_ns == UINT64_MAX)
		share->held_from_ns = share->next_ns;
	return true;
}

/* A submission took long: when the thread slept in it, the device held it, and
 * all that became due meanwhile is late because of the device; otherwise this host
 * did not run it. */
static void note_long_submission(struct worker *worker, uint64_t from_ns, uint64_t upto_ns)
{
	uint64_t sleeps = worker->setup.thread_sleeps();

	if (sleeps == worker->sleeps) {
		worker_note_hiccup(worker, from_ns, upto_ns);
		return;
	}
	worker->sleeps = sleeps;
	for (size_t i = 0; i < worker->share_count; i++)
		if (worker->shares[i].held_from_ns > from_ns)
			worker->shares[i].held_from_ns = from_ns;
}

/* All that was issued since then was in this call. */
static void note_submit_time(struct worker *worker, uint64_t from_ns, uint64_t took_ns)
{
	for (size_t i = 0; i < worker->share_count; i++) {
		struct share *share = &worker->shares[i];

		for (uint32_t j = share->newest; j != SLOT_NONE; j = share->slots[j].older) {
			if (share->slots[j].submitted_ns < from_ns)
				break;
			share->slots[j].submit_ns += took_ns;
		}
	}
}

static void submit(struct worker *worker, uint64_t since_ns)
{
	uint64_t from_ns = worker->ran_ns; /* the last request's stamp */

	if (worker->setup.ops->submit(worker->engine) == 0)
		worker->unsubmitted = 0;
	uint64_t upto_ns = worker_resume(worker);
	note_submit_time(worker, since_ns, upto_ns - from_ns);
	if (upto_ns - from_ns >= SUBMIT_HELD_NS)
		note_long_submission(worker, from_ns, upto_ns);
}

void worker_resubmit(struct worker *worker)
{
	while (worker->retry_count > 0) {
		uint64_t tag = worker->retries[worker->retry_count - 1];

		if (queue_slot(worker, &worker->shares[tag >> 32], (uint32_t)tag))
			return;
		worker->retry_count--;
	}
}

void worker_issue(struct worker *worker, uint64_t end_ns)
{
	uint64_t batch = worker->setup.config->batch;
	uint64_t now_ns = worker->ran_ns;

	if (worker_may_issue(worker, end_ns, now_ns)) {
		for (uint64_t i = 0; i < batch; i++) {
			struct share *share = earliest_due(worker, end_ns, now_ns);

			if (!share || !issue_one(worker, share))
				break;
			/* Far behind, bigger batches help to catch up. */
			if (i + 1 == batch && now_ns > share->next_ns + HOST_LATE_NS &&
			    batch == worker->setup.config->batch)
				batch *= 4;
		}
	}
	if (worker->unsubmitted)
		submit(worker, now_ns);
}

void worker_prepare_writes(struct worker *worker)
{
	uint64_t now_ns = worker->ran_ns;
	struct share *bare = NULL;

	for (size_t i = 0; i < worker->share_count; i++) {
		struct share *share = &worker->shares[i];

		if (share->next_ns < now_ns + PREPARE_NS)
			return; /* something is due soon */
		if (share->free_count > 0 && !is_ready(share) &&
		    (!bare || share->next_ns < bare->next_ns))
			bare = share;
	}
	if (bare)
		prepare(worker, bare, PREPARE_BYTES);
}
