#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "analysis/act_info.h"
#include "analysis/act_log.h"

/*
 * What an old log counted in one slice, as differences of its cumulative numbers,
 * and what went wrong there.
 */

/* What can be wrong with a log or a run, told once a slice with its first case. */
enum act_note_kind {
	ACT_NOTE_CUT,       /* a block is cut short or damaged: left out */
	ACT_NOTE_ORDER,     /* a block of a second that was there already: left out */
	ACT_NOTE_BACKWARDS, /* numbers are lower than before */
	ACT_NOTE_APART,     /* devices do not add up to the whole */
	ACT_NOTE_READ,      /* lines of failed requests */
	ACT_NOTE_WRITE,
	ACT_NOTE_ERROR, /* other lines "ERROR" */
	ACT_NOTE_KINDS
};

struct act_note {
	uint64_t count;
	char first[224];
};

struct act_counts {
	uint64_t total;
	uint64_t buckets[ACT_BUCKETS];
	size_t used;
};

/* Requests of one stream that did not come when they were planned. */
struct act_stall {
	uint64_t intervals;
	uint64_t worst;                /* the most missing in one of them */
	uint64_t worst_sec;            /* and its second */
	uint64_t late[THRESHOLDS_MAX]; /* so many waited for each threshold or longer */
};

struct act_period {
	const struct act_plan *plan;
	const struct act_log *log;
	struct act_counts *base;  /* [histogram_count]: when the slice began */
	struct act_counts *last;  /* at the last block that counts */
	struct act_stall *stalls; /* [stream_count] */
	uint64_t (*failed)[2];    /* [device_count + 1]: reads, writes that failed; the last
				     are of no device */
	uint64_t start_sec;
	uint64_t last_sec;
	uint64_t intervals;
	uint64_t lost_sec;
	struct act_note notes[ACT_NOTE_KINDS];
};

int act_period_init(struct act_period *period, const struct act_plan *plan,
		    const struct act_log *log); /* 0 or -ENOMEM */
void act_period_release(struct act_period *period);
/* The next slice begins where the last block that counts ended. */
void act_period_restart(struct act_period *period);

/* Whether the block counts; when not, it is noted why. To be asked before the next. */
bool act_period_accepts(struct act_period *period, const struct act_block *block);
void act_period_add(struct act_period *period, const struct act_block *block);
/* One that is neither of the setup nor of the tool's stop. */
void act_period_message(struct act_period *period, const struct act_message *message);

/* Requests in the slice. */
uint64_t act_period_total(const struct act_period *period, size_t histogram);
/* Those in the bucket `from` and above. */
uint64_t act_period_over(const struct act_period *period, size_t histogram, size_t from);
