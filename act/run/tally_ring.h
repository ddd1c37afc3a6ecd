#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "act/workload/stream.h"
#include "analysis/interval.h"
#include "analysis/run_info.h"

/*
 * How a worker hands what it measured to the reporter: a ring of RING_PAGES
 * pages with one writer and one reader, without locks. The worker writes into
 * one page until an interval ends, then turns to the next one; a page that was
 * handed over is the reporter's alone until it gives it back. So each sample is
 * in exactly one page, and a page never changes while it is read.
 *
 * When the reporter is so late that no page is free, the worker goes on in the
 * page it has and says so in `late`.
 */

/* One less is how many intervals the log may take for one write. */
#define RING_PAGES  16
#define PAGE_ERRORS 100

struct tally_page {
	uint64_t first; /* numbers of the intervals it covers; more than one when the */
	uint64_t last;  /* worker did not run for that long: then all counts are of `first` */
	bool final;     /* the worker's last page */
	bool late;      /* the reporter left no free page */
	uint64_t queue_overflows;
	uint64_t hiccups; /* see struct interval */
	uint64_t hiccup_ns;
	uint64_t hiccup_max_ns;
	uint64_t involuntary_switches;
	uint32_t error_count; /* all failed requests; the first PAGE_ERRORS are described */
	struct request_error errors[PAGE_ERRORS];
	struct tally tallies[STREAMS_MAX];
};

struct tally_ring {
	_Atomic uint64_t handed;   /* pages handed over by the worker so far */
	_Atomic uint64_t returned; /* pages given back by the reporter so far */
	struct tally_page *pages;  /* [RING_PAGES] */
};

/* 0 or -ENOMEM. All pages start empty; the worker owns the first. */
int tally_ring_init(struct tally_ring *ring, size_t stream_count);
void tally_ring_release(struct tally_ring *ring);

/* Worker: the page it writes into. */
struct tally_page *tally_ring_page(struct tally_ring *ring);
/* Worker: hands the page over and turns to the next. False when none is free:
 * then nothing happens. A final page is handed over without turning. */
bool tally_ring_hand_over(struct tally_ring *ring);

/* Reporter: the oldest page handed over, or NULL; then give it back, which
 * empties its first `stream_count` tallies. */
struct tally_page *tally_ring_peek(struct tally_ring *ring);
void tally_ring_give_back(struct tally_ring *ring, size_t stream_count);
