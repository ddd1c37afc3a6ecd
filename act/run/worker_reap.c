#include <errno.h>

#include "act/run/worker_private.h"

static void free_slot(struct worker *worker, struct share *share, uint32_t index)
{
	worker_take_back(worker, share, index);
	worker_free_slot(share, index);
}

void worker_note_error(struct worker *worker, size_t stream, const struct slot *slot,
		       const struct request_error *what)
{
	struct tally_page *page = worker->page;

	tally_fail(&page->tallies[stream], worker->setup.scale, slot->counted);
	if (page->error_count < PAGE_ERRORS) {
		struct request_error *error = &page->errors[page->error_count];

		*error = *what;
		error->device = worker->setup.device_index;
		error->stream = stream;
		error->offset_bytes = slot->offset_bytes;
		error->length_bytes = slot->length_bytes;
		error->done_bytes = slot->done_bytes;
	}
	page->error_count++;
}

static void fail_slot(struct worker *worker, size_t stream, uint32_t index, int code,
		      uint64_t now_ns)
{
	struct share *share = &worker->shares[stream];
	const struct slot *slot = &share->slots[index];
	const struct request_error error = {.at_ns = now_ns, .code = code};

	worker_note_error(worker, stream, slot, &error);
	if (worker->recent && share->op != IO_READ)
		recent_writes_fail(worker->recent, slot->recent_write);
	if (worker->failing_since_ns == UINT64_MAX)
		worker->failing_since_ns = now_ns;
	free_slot(worker, share, index);
}

struct timing worker_timing(const struct worker *worker, const struct slot *slot, uint64_t now_ns)
{
	uint64_t hiccup_ns = worker->hiccup_ns - slot->hiccups_before_ns;
	struct timing timing = {
	    .lag_ns = slot->submitted_ns - slot->intended_ns,
	    .service_ns = now_ns - slot->submitted_ns,
	    .submit_ns = slot->submit_ns,
	};

	uint64_t response_ns = timing.lag_ns + timing.service_ns;
	if (hiccup_ns > timing.service_ns)
		hiccup_ns = timing.service_ns;
	timing.device_ns = (slot->held ? response_ns : timing.service_ns) - hiccup_ns;
	timing.hiccup_ns = hiccup_ns + slot->debt_ns;
	if (timing.hiccup_ns > response_ns)
		timing.hiccup_ns = response_ns;
	if (slot->debt_ns > 0 && timing.device_ns > response_ns - timing.hiccup_ns)
		timing.device_ns = response_ns - timing.hiccup_ns;
	return timing;
}

static void finish_slot(struct worker *worker, size_t stream, uint32_t index, uint64_t now_ns)
{
	struct share *share = &worker->shares[stream];
	const struct slot *slot = &share->slots[index];
	struct tally *tally = &worker->page->tallies[stream];

	tally->bytes += slot->length_bytes;
	const struct timing timing = worker_timing(worker, slot, now_ns);
	tally_complete(tally, worker->setup.scale, &timing, slot->counted);
	if (worker->recent && share->op != IO_READ)
		recent_writes_end(worker->recent, slot->recent_write, now_ns);
	free_slot(worker, share, index);
}

static void take_whole(struct worker *worker, size_t stream, uint32_t index, uint64_t now_ns)
{
	worker->failing_since_ns = UINT64_MAX;
	if (worker->shares[stream].checks)
		worker_verify_later(worker, stream, index, now_ns);
	else
		finish_slot(worker, stream, index, now_ns);
}

static void retry_slot(struct worker *worker, size_t stream, uint32_t index)
{
	worker->page->tallies[stream].retries++;
	worker->retries[worker->retry_count++] = tag_make(stream, index);
}

static void take_completion(struct worker *worker, const struct io_completion *completion,
			    uint64_t now_ns)
{
	size_t stream = (size_t)(completion->tag >> 32);
	uint32_t index = (uint32_t)completion->tag;
	struct slot *slot = &worker->shares[stream].slots[index];
	int32_t result = completion->result;

	if (result == -EAGAIN || result == -EINTR) {
		if (now_ns - slot->submitted_ns < worker->setup.config->hang_limit_ns)
			retry_slot(worker, stream, index);
		else
			fail_slot(worker, stream, index, -result, now_ns);
		return;
	}
	if (result < 0) {
		fail_slot(worker, stream, index, -result, now_ns);
		return;
	}
	slot->done_bytes += (uint32_t)result;
	if (slot->done_bytes == slot->length_bytes)
		take_whole(worker, stream, index, now_ns);
	else if (result == 0 || slot->done_bytes > slot->length_bytes ||
		 (slot->done_bytes & (worker->setup.device->logical_block_bytes - 1)))
		fail_slot(worker, stream, index, 0, now_ns);
	else
		retry_slot(worker, stream, index);
}

void worker_reap(struct worker *worker)
{
	struct io_completion completions[REAP_MAX];
	uint32_t count;

	do {
		count = worker->setup.ops->reap(worker->engine, completions, REAP_MAX);
		if (count == 0)
			return;
		uint64_t now_ns = worker_tick(worker);
		for (uint32_t i = 0; i < count; i++)
			take_completion(worker, &completions[i], now_ns);
	} while (count == REAP_MAX);
}

void worker_give_up(struct worker *worker, uint64_t now_ns)
{
	worker->retry_count = 0;
	for (size_t i = 0; i < worker->share_count; i++)
		for (uint32_t j = 0; j < worker->shares[i].slot_count; j++)
			if (worker->shares[i].slots[j].busy) /* none waits to be verified */
				fail_slot(worker, i, j, ETIMEDOUT, now_ns);
}

uint64_t worker_oldest_ns(const struct worker *worker, uint64_t now_ns)
{
	uint64_t oldest_ns = 0;

	for (size_t i = 0; i < worker->share_count; i++) {
		const struct share *share = &worker->shares[i];

		if (share->oldest == SLOT_NONE)
			continue;
		uint64_t age_ns = now_ns - share->slots[share->oldest].submitted_ns;
		if (age_ns > oldest_ns)
			oldest_ns = age_ns;
	}
	return oldest_ns;
}
