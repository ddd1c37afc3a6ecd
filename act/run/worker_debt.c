#include "act/run/worker_private.h"

/*
 * What a hiccup of this host leaves behind. The worker issues all that became due
 * at once: those requests are late, the burst makes the device's queue long, and
 * what comes after waits behind it. All that is this host's doing, up to the
 * length of the hiccup; a device that cannot keep the load falls behind further
 * than that, and for the rest it is to blame. The debt is settled when nothing is
 * late any more and the requests of the burst are back.
 */

void worker_note_hiccup(struct worker *worker, uint64_t from_ns, uint64_t upto_ns)
{
	uint64_t length_ns = upto_ns - from_ns;
	struct tally_page *page = worker->page;

	worker->hiccup_ns += length_ns;
	worker->debt_ns += length_ns;
	worker->caught_up_ns = UINT64_MAX;
	page->hiccups++;
	page->hiccup_ns += length_ns;
	if (length_ns > page->hiccup_max_ns)
		page->hiccup_max_ns = length_ns;
}

static bool any_late(const struct worker *worker, uint64_t now_ns)
{
	for (size_t i = 0; i < worker->share_count; i++)
		if (worker->shares[i].next_ns <= now_ns)
			return true;
	return false;
}

static bool all_back_since(const struct worker *worker, uint64_t since_ns)
{
	for (size_t i = 0; i < worker->share_count; i++) {
		const struct share *share = &worker->shares[i];

		if (share->oldest != SLOT_NONE &&
		    share->slots[share->oldest].submitted_ns < since_ns)
			return false;
	}
	return true;
}

void worker_settle_debt(struct worker *worker, uint64_t now_ns)
{
	if (worker->debt_ns == 0)
		return;
	if (worker->caught_up_ns == UINT64_MAX) {
		if (!any_late(worker, now_ns))
			worker->caught_up_ns = now_ns;
	} else if (all_back_since(worker, worker->caught_up_ns)) {
		worker->debt_ns = 0;
	}
}
