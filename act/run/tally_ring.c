#include "act/run/tally_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void page_clear(struct tally_page *page, size_t stream_count)
{
	memset(page, 0, offsetof(struct tally_page, tallies));
	for (size_t i = 0; i < stream_count; i++)
		tally_clear(&page->tallies[i]);
}

int tally_ring_init(struct tally_ring *ring, size_t stream_count)
{
	ring->pages = calloc(RING_PAGES, sizeof(*ring->pages));
	if (!ring->pages)
		return -ENOMEM;
	for (size_t i = 0; i < RING_PAGES * stream_count; i++)
		tally_init(&ring->pages[i / stream_count].tallies[i % stream_count]);
	atomic_init(&ring->handed, 0);
	atomic_init(&ring->returned, 0);
	return 0;
}

void tally_ring_release(struct tally_ring *ring)
{
	free(ring->pages);
	ring->pages = NULL;
}

struct tally_page *tally_ring_page(struct tally_ring *ring)
{
	return &ring->pages[atomic_load_explicit(&ring->handed, memory_order_relaxed) % RING_PAGES];
}

bool tally_ring_hand_over(struct tally_ring *ring)
{
	uint64_t handed = atomic_load_explicit(&ring->handed, memory_order_relaxed);
	/* Pairs with the release in give_back: the page we turn to is empty. */
	uint64_t returned = atomic_load_explicit(&ring->returned, memory_order_acquire);
	bool final = ring->pages[handed % RING_PAGES].final;

	if (!final && handed + 1 - returned >= RING_PAGES)
		return false;
	atomic_store_explicit(&ring->handed, handed + 1, memory_order_release);
	return true;
}

struct tally_page *tally_ring_peek(struct tally_ring *ring)
{
	uint64_t returned = atomic_load_explicit(&ring->returned, memory_order_relaxed);

	if (atomic_load_explicit(&ring->handed, memory_order_acquire) == returned)
		return NULL;
	return &ring->pages[returned % RING_PAGES];
}

void tally_ring_give_back(struct tally_ring *ring, size_t stream_count)
{
	uint64_t returned = atomic_load_explicit(&ring->returned, memory_order_relaxed);

	page_clear(&ring->pages[returned % RING_PAGES], stream_count);
	atomic_store_explicit(&ring->returned, returned + 1, memory_order_release);
}
