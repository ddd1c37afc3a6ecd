#include "act/run/worker_private.h"

/* What is due before `upto_ns` but not issued, split by who is to blame. */
static void note_backlog(struct worker *worker, uint64_t upto_ns)
{
	for (size_t i = 0; i < worker->share_count; i++) {
		const struct share *share = &worker->shares[i];
		struct tally *tally = &worker->page->tallies[i];

		tally->backlog_device = 0;
		tally->backlog_host = 0;
		if (share->next_ns >= upto_ns)
			continue;
		/* The schedule has given out next_ns already, so it is one ahead. */
		uint64_t waiting =
		    schedule_count_before(&share->schedule, upto_ns) + 1 - share->schedule.next;
		/* Those that became due before a slot was missing, or are no later than
		 * the last hiccup made them, are this host's. */
		uint64_t issued = share->schedule.next - 1;
		uint64_t held_ns = share->held_from_ns;
		uint64_t device_ns = upto_ns > worker->debt_ns ? upto_ns - worker->debt_ns : 0;
		uint64_t first = held_ns == UINT64_MAX
				     ? UINT64_MAX
				     : schedule_count_before(&share->schedule, held_ns);
		uint64_t last = schedule_count_before(&share->schedule, device_ns);
		if (first < issued)
			first = issued;
		tally->backlog_device = last > first ? last - first : 0;
		tally->backlog_host = waiting - tally->backlog_device;
	}
}

static void hand_over(struct worker *worker, uint64_t last, uint64_t upto_ns, bool final)
{
	struct tally_page *page = worker->page;
	uint64_t overflows = worker->setup.ops->overflows(worker->engine);
	uint64_t preemptions = worker->setup.thread_preemptions();

	note_backlog(worker, upto_ns);
	if (!final)
		worker_count_pending(worker, upto_ns);
	page->involuntary_switches += preemptions - worker->preemptions;
	worker->preemptions = preemptions;
	page->last = last;
	page->final = final;
	page->queue_overflows += overflows - worker->overflows;
	worker->overflows = overflows;
	if (!tally_ring_hand_over(&worker->ring)) {
		page->late = true;
		return;
	}
	worker->page = tally_ring_page(&worker->ring);
	if (!final)
		worker->page->first = last + 1;
}

/* A device that gives nothing back, or a worker that is hopelessly behind, is told
 * to the run. */
static void check_progress(struct worker *worker, uint64_t now_ns)
{
	const struct config *config = worker->setup.config;
	struct worker_control *control = worker->setup.control;
	int device = (int)worker->setup.device_index + 1;

	if (now_ns < worker->next_check_ns)
		return;
	worker->next_check_ns = now_ns + CHECK_EVERY_NS;
	atomic_store_explicit(&worker->alive_ns, now_ns, memory_order_relaxed);
	/* After a long pause of this host all looks old: it gets another second. */
	bool paused = worker->hiccup_ns - worker->checked_hiccup_ns >= CHECK_EVERY_NS;
	worker->checked_hiccup_ns = worker->hiccup_ns;
	if (paused)
		return;

	bool failing = worker->failing_since_ns != UINT64_MAX &&
		       now_ns - worker->failing_since_ns >= config->hang_limit_ns;
	if (failing || worker_oldest_ns(worker, now_ns) >= config->hang_limit_ns)
		atomic_store_explicit(&control->lost_device, device, memory_order_relaxed);
	for (size_t i = 0; config->max_lag_ns > 0 && i < worker->share_count; i++)
		if (worker->shares[i].next_ns + config->max_lag_ns < now_ns)
			atomic_store_explicit(&control->lagging_device, device,
					      memory_order_relaxed);
}

/* Apart, because it is rare and divides. */
static __attribute__((noinline)) void end_intervals(struct worker *worker, uint64_t within_ns)
{
	uint64_t length_ns = worker->setup.config->interval_ns;
	uint64_t number = within_ns / length_ns;

	hand_over(worker, number - 1, number * length_ns, false);
	worker->interval = number;
}

static uint64_t interval_end_ns(const struct worker *worker)
{
	return (worker->interval + 1) * worker->setup.config->interval_ns;
}

static bool all_issued(const struct worker *worker, uint64_t end_ns)
{
	for (size_t i = 0; i < worker->share_count; i++)
		if (worker->shares[i].next_ns < end_ns)
			return false;
	return true;
}

/* After the end: waits for what is under way, but not for ever. Returns when to
 * come again. */
static uint64_t finish(struct worker *worker, uint64_t end_ns)
{
	uint64_t now_ns = worker_now(worker);
	uint64_t patience_ns = worker->setup.config->hang_limit_ns;

	/* Of a lost device, only what is on its way back at this moment is waited for. */
	if (atomic_load(&worker->setup.control->lost_device) ==
		(int)worker->setup.device_index + 1 &&
	    patience_ns > END_GRACE_NS)
		patience_ns = END_GRACE_NS;
	bool out_of_time = now_ns >= end_ns + patience_ns;

	if (worker_may_issue(worker, end_ns, now_ns) && !all_issued(worker, end_ns))
		return 0;
	worker_verify_all(worker);
	if (worker->doubtful.count > 0 && !out_of_time)
		return now_ns + NS_PER_MS;
	worker_wrong_give_up(worker);
	if (worker->in_flight > 0 && !out_of_time)
		return now_ns + NS_PER_MS;
	worker_give_up(worker, now_ns);
	hand_over(worker, worker->interval, end_ns, true);
	worker->done = true;
	atomic_store_explicit(&worker->alive_ns, UINT64_MAX, memory_order_relaxed);
	return 0;
}

static uint64_t next_wake(const struct worker *worker, uint64_t end_ns)
{
	uint64_t wake_ns = interval_end_ns(worker);

	if (worker->unsubmitted || worker->retry_count || worker->unchecked.count)
		return 0;
	if (end_ns < wake_ns)
		wake_ns = end_ns;
	if (worker_wrong_again_ns(worker) < wake_ns)
		wake_ns = worker_wrong_again_ns(worker);
	if (worker->next_check_ns < wake_ns)
		wake_ns = worker->next_check_ns;
	for (size_t i = 0; i < worker->share_count; i++) {
		const struct share *share = &worker->shares[i];

		if (share->next_ns < wake_ns && share->free_count > 0)
			wake_ns = share->next_ns;
	}
	return wake_ns;
}

uint64_t worker_step(struct worker *worker)
{
	uint64_t end_ns =
	    atomic_load_explicit(&worker->setup.control->end_ns, memory_order_relaxed);
	uint64_t now_ns = worker_tick(worker);

	uint64_t within_ns = now_ns < end_ns ? now_ns : end_ns - 1;
	if (within_ns >= interval_end_ns(worker))
		end_intervals(worker, within_ns);
	worker_verify_for_room(worker);
	worker_wrong_read_again(worker, now_ns);
	worker_resubmit(worker);
	worker_issue(worker, end_ns);
	worker_reap(worker);
	now_ns = worker->ran_ns;        /* no older than the step */
	check_progress(worker, now_ns); /* what is back was taken */
	if (now_ns >= end_ns)
		return finish(worker, end_ns);
	worker_settle_debt(worker, now_ns);
	worker_verify_some(worker, now_ns);
	worker_prepare_writes(worker);
	return next_wake(worker, end_ns);
}
