#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/histogram.h"

/*
 * What was measured in one interval: the one currency between the workers, the
 * log, and the judge. All counts are of this interval alone, never cumulative.
 */

#define THRESHOLDS_MAX 8
#define POWERS         40 /* buckets of the older tool's text, enough for 2^38 us */

/* Submit: the part of the service time that the submission call took, shared with
 * the requests of its batch. */
enum span { SPAN_RESPONSE, SPAN_SERVICE, SPAN_LAG, SPAN_SUBMIT, SPAN_COUNT };

/* "response", "service", "lag", "submit" */
const char *span_name(enum span span);

/* One stream on one device (or one worker's part of it). Requests count in the
 * interval in which they were seen to be issued or completed. */
struct tally {
	uint64_t planned;   /* intended starts in the interval */
	uint64_t issued;    /* first submissions */
	uint64_t completed; /* came back whole and without error; the histograms hold these */
	uint64_t errors;    /* failed, short beyond retry, or never came back */
	uint64_t retries;   /* resubmissions after -EAGAIN or a short transfer */
	uint64_t bytes;     /* moved by the completed */
	/* Where reads are verified: sectors of the completed reads, each checked; reads that
	 * returned wrong data, which are among the errors; and reads that were read again
	 * because they met one of our own writes, and were good then. */
	uint64_t verified_sectors;
	uint64_t mismatches;
	uint64_t torn;
	uint64_t mismatch_offset_bytes; /* of the first of these: its first wrong sector */
	/* Requests that were due but not back at an interval's end, and older than the
	 * first threshold by then, count in over[] and its like at once, each threshold
	 * once. `pending` became so in this interval; `settled` had become so in an
	 * earlier one, and came back (or failed) in this. Until they do they are
	 * neither completed nor errors. */
	uint64_t pending;
	uint64_t settled;
	/* At the interval's end: due but not issued, because the device held the
	 * worker up (in-flight cap full, submission held), and for other reasons. */
	uint64_t backlog_device;
	uint64_t backlog_host;
	/* Completed and pending requests that took the run's i-th threshold or longer: */
	uint64_t over[THRESHOLDS_MAX];         /* in response time */
	uint64_t service_over[THRESHOLDS_MAX]; /* in service time */
	/* in response time, and not only because this host issued the request late
	 * or did not run the worker meanwhile */
	uint64_t device_over[THRESHOLDS_MAX];
	/* in response time, but not without the moments in which this host did not
	 * run the worker (hiccups) */
	uint64_t hiccup_over[THRESHOLDS_MAX];
	/* Of the errors: counted over it already, while they were pending. */
	uint64_t failed_over[THRESHOLDS_MAX];
	/* Response times as the older tool buckets them: [0] below one unit, [k]
	 * in [2^(k-1), 2^k) units; the unit is 1 ms or 1 us. */
	uint64_t power[POWERS];
	uint64_t max_ns[SPAN_COUNT]; /* exact, 0 when nothing completed */
	struct histogram span[SPAN_COUNT];
};

struct interval {
	uint64_t number;   /* from 0 */
	uint64_t start_ns; /* since the start of the run */
	uint64_t end_ns;
	/* Monotonic clock against boot clock: how much more the latter went on. */
	int64_t clock_jump_ns;
	/* CPU time of this host over all CPUs, in clock ticks. */
	uint64_t cpu_idle_ticks;
	uint64_t cpu_total_ticks;
	uint64_t queue_overflows; /* completion-queue overflows */
	/* Times in which this host did not run a worker that had work, over all
	 * workers; those below HICCUP_MIN_NS are not counted. */
	uint64_t hiccups;
	uint64_t hiccup_ns;
	uint64_t hiccup_max_ns;
	uint64_t steal_ticks;          /* of cpu_total_ticks: taken by the hypervisor */
	uint64_t involuntary_switches; /* of the workers: they were ready, another ran */
	/* Threads that the kernel keeps for requests that did not go out inline
	 * (io-wq), at the interval's end. */
	uint64_t helper_threads;
	/* The reporter could not keep up: counts of this and later intervals are mixed. */
	bool late;
	size_t device_count;
	size_t stream_count;
	struct tally *tallies; /* [device * stream_count + stream] */
};

/* Makes an empty tally of any memory. */
void tally_init(struct tally *tally);
/* Empties a tally that was in use; touches only what it used. */
void tally_clear(struct tally *tally);
/* Adds all of `from`, histograms included, to `into`. The backlogs are gauges
 * and add up over workers, so they must be merged for one moment only. */
void tally_merge(struct tally *into, const struct tally *from);

/* Takes memory for the tallies: 0 or -ENOMEM. */
int interval_init(struct interval *interval, size_t device_count, size_t stream_count);
void interval_release(struct interval *interval);
/* Sets all counts to nothing, keeps the memory. */
void interval_clear(struct interval *interval);

static inline struct tally *interval_tally(const struct interval *interval, size_t device,
					   size_t stream)
{
	return &interval->tallies[device * interval->stream_count + stream];
}

/* Shorter times in which this host did not run a worker are not looked at. */
#define HICCUP_MIN_NS UINT64_C(500000)

struct tally_scale {
	uint64_t threshold_ns[THRESHOLDS_MAX]; /* rising */
	size_t threshold_count;
	uint64_t power_unit_ns; /* 1 ms or 1 us */
};

/* One request, back or still out. */
struct timing {
	uint64_t lag_ns;
	uint64_t service_ns;
	uint64_t submit_ns;
	uint64_t device_ns; /* the part of the response time that is the device's */
	uint64_t hiccup_ns; /* the part in which this host did not run the worker */
};

/* How many thresholds were counted for a request while it was pending. */
struct counted {
	uint8_t over;
	uint8_t service;
	uint8_t device;
};

/* Records a completed request in all counts and histograms. */
void tally_complete(struct tally *tally, const struct tally_scale *scale,
		    const struct timing *timing, struct counted counted);
/* Records a failed request: it is over every threshold. */
void tally_fail(struct tally *tally, const struct tally_scale *scale, struct counted counted);
/* Records a request that is not back, with its times up to now; counts what was
 * not counted before and notes it in *counted. */
void tally_pending(struct tally *tally, const struct tally_scale *scale,
		   const struct timing *timing, struct counted *counted);
