#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The last writes of one worker: which places of the device were being written when. A
 * read that shows wrong data while one of these was under way may just have met it.
 *
 * The worker alone begins and ends writes; any thread asks. Neither ever waits. Times are
 * ns since the start of the run.
 */

struct recent_write {
	_Atomic uint64_t offset_bytes;
	_Atomic uint64_t length_bytes;
	_Atomic uint64_t begun_ns;
	_Atomic uint64_t ended_ns; /* UINT64_MAX: under way */
};

struct recent_writes {
	struct recent_write *entries;
	uint32_t capacity;
	uint32_t next;   /* the oldest, to be taken next (worker only, like the next two) */
	uint32_t failed; /* entries of writes that stay under way for ever */
	uint32_t under_way_max;
	/* Of writes that ended and are no longer in the entries: the latest end; UINT64_MAX
	 * when one was forgotten that has not ended. */
	_Atomic uint64_t forgotten_ns;
};

/* For at most `under_way_max` writes at a time; remembers several times as many. 0 or
 * -ENOMEM. */
int recent_writes_init(struct recent_writes *writes, uint32_t under_way_max);
/* Fine on a zeroed one. */
void recent_writes_release(struct recent_writes *writes);

/* Notes a write before it is handed to the device; returns what its end is told by. */
uint32_t recent_writes_begin(struct recent_writes *writes, uint64_t offset_bytes,
			     uint64_t length_bytes, uint64_t now_ns);
void recent_writes_end(struct recent_writes *writes, uint32_t entry, uint64_t now_ns);
/* The write failed or never came back: nobody knows when it touches the device, or did. */
void recent_writes_fail(struct recent_writes *writes, uint32_t entry);

/* Whether a write to any of these bytes was under way at any moment after `from_ns` and
 * up to `upto_ns`; also true when it cannot be told any more. */
bool recent_writes_may_overlap(const struct recent_writes *writes, uint64_t offset_bytes,
			       uint64_t length_bytes, uint64_t from_ns, uint64_t upto_ns);
