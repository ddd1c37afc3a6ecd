#include "act/run/worker_private.h"

/*
 * A stall must show in the interval in which it happens, not when it ends. So at
 * an interval's end each request that is due and not back counts by its age: once
 * for each threshold, never again when it comes back. Requests under way carry
 * what they were counted for; those that wait to be issued are counted by number.
 */

static void count_under_way(struct worker *worker, size_t stream, uint64_t upto_ns)
{
	const struct tally_scale *scale = worker->setup.scale;
	struct share *share = &worker->shares[stream];
	uint32_t next;

	/* Submitted in the order of their intended starts: the first young one ends it. */
	for (uint32_t i = share->oldest; i != SLOT_NONE; i = next) {
		struct slot *slot = &share->slots[i];

		next = slot->newer;
		if (upto_ns < slot->intended_ns + scale->threshold_ns[0])
			break;
		uint64_t at_ns = upto_ns > slot->submitted_ns ? upto_ns : slot->submitted_ns;
		struct timing timing =
		    slot->read_again ? share->checks[i].timing : worker_timing(worker, slot, at_ns);
		tally_pending(&worker->page->tallies[stream], scale, &timing, &slot->counted);
	}
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* How many requests are intended at age_ns or more before upto_ns. */
static uint64_t count_older(const struct share *share, uint64_t upto_ns, uint64_t age_ns)
{
	return upto_ns < age_ns ? 0 : schedule_count_before(&share->schedule, upto_ns - age_ns + 1);
}

/* The requests from the next one on wait. Those that are over the threshold count;
 * of them the device's are those that wait for a slot, and would be over it
 * without what the last hiccup left behind. */
static void count_waiting(struct worker *worker, size_t stream, uint64_t upto_ns)
{
	const struct tally_scale *scale = worker->setup.scale;
	struct share *share = &worker->shares[stream];
	struct tally *tally = &worker->page->tallies[stream];
	uint64_t next = share->schedule.next - 1;
	uint64_t held = share->held_from_ns == UINT64_MAX
			    ? UINT64_MAX
			    : schedule_count_before(&share->schedule, share->held_from_ns);

	for (size_t k = 0; k < scale->threshold_count; k++) {
		uint64_t below = count_older(share, upto_ns, scale->threshold_ns[k]);
		uint64_t without =
		    count_older(share, upto_ns, scale->threshold_ns[k] + worker->debt_ns);
		uint64_t from = most(share->counted_below[k], next);
		uint64_t device_from = most(most(share->device_below[k], held), next);

		if (below > from) {
			tally->over[k] += below - from;
			tally->hiccup_over[k] += below - least(below, most(without, from));
			tally->pending += k == 0 ? below - from : 0;
			share->counted_below[k] = below;
		}
		if (without > device_from) {
			tally->device_over[k] += without - device_from;
			share->device_below[k] = without;
		}
	}
}

void worker_count_pending(struct worker *worker, uint64_t upto_ns)
{
	uint64_t first_ns = worker->setup.scale->threshold_ns[0];

	if (worker->setup.scale->threshold_count == 0)
		return;
	worker_verify_count_pending(worker);
	for (size_t i = 0; i < worker->share_count; i++) {
		count_under_way(worker, i, upto_ns);
		if (worker->shares[i].next_ns + first_ns <= upto_ns)
			count_waiting(worker, i, upto_ns);
	}
}

struct counted worker_counted_waiting(const struct worker *worker, const struct share *share,
				      uint64_t n)
{
	struct counted counted = {0};
	size_t count = worker->setup.scale->threshold_count;

	while (counted.over < count && n < share->counted_below[counted.over])
		counted.over++;
	while (counted.device < count && n < share->device_below[counted.device])
		counted.device++;
	return counted;
}
