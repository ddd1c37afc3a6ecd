/* One thread fills pages and hands them over while another empties them: each
 * sample arrives, and arrives once. */
#include "act/run/tally_ring.h"
#include "tests/support/record_simple.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define STREAMS          2
#define SAMPLES          200000
#define SAMPLES_PER_PAGE 50

static const struct tally_scale scale = {
    .threshold_ns = {1000},
    .threshold_count = 1,
    .power_unit_ns = 1000,
};

static void *fill_pages(void *arg)
{
	struct tally_ring *ring = arg;

	for (uint64_t i = 0; i < SAMPLES; i++) {
		struct tally *tally = &tally_ring_page(ring)->tallies[i % STREAMS];

		tally->issued++;
		record_simple(tally, &scale, 0, i, false);
		if (i % SAMPLES_PER_PAGE == 0 && !tally_ring_hand_over(ring))
			tally_ring_page(ring)->late = true;
	}
	tally_ring_page(ring)->final = true;
	while (!tally_ring_hand_over(ring))
		sched_yield();
	return NULL;
}

static void empty_pages(struct tally_ring *ring, struct tally totals[static STREAMS])
{
	bool final = false;

	while (!final) {
		const struct tally_page *page = tally_ring_peek(ring);

		if (!page) {
			sched_yield();
			continue;
		}
		final = page->final;
		for (size_t i = 0; i < STREAMS; i++)
			tally_merge(&totals[i], &page->tallies[i]);
		tally_ring_give_back(ring, STREAMS);
	}
}

static int check(const struct tally *total, size_t stream)
{
	uint64_t expected = SAMPLES / STREAMS;
	uint64_t over = 0;

	for (uint64_t i = stream; i < SAMPLES; i += STREAMS)
		over += i >= scale.threshold_ns[0];
	if (total->issued == expected && total->completed == expected && total->over[0] == over)
		return 0;
	fprintf(stderr, "stream %zu: %" PRIu64 " issued, %" PRIu64 " completed, %" PRIu64 " over\n",
		stream, total->issued, total->completed, total->over[0]);
	return 1;
}

static int race(struct tally_ring *ring, struct tally totals[static STREAMS])
{
	pthread_t worker;
	int wrong = 0;

	for (size_t i = 0; i < STREAMS; i++)
		tally_init(&totals[i]);
	if (pthread_create(&worker, NULL, fill_pages, ring))
		return 2;
	empty_pages(ring, totals);
	pthread_join(worker, NULL);
	for (size_t i = 0; i < STREAMS; i++)
		wrong |= check(&totals[i], i);
	return wrong;
}

int main(void)
{
	struct tally_ring ring = {0};
	struct tally *totals = calloc(STREAMS, sizeof(*totals));
	int status = 2;

	if (totals && tally_ring_init(&ring, STREAMS) == 0)
		status = race(&ring, totals);
	tally_ring_release(&ring);
	free(totals);
	return status;
}
