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

enum span { SPAN_RESPONSE, SPAN_SERVICE, SPAN_LAG, SPAN_COUNT };

/* "response", "service", "lag" */
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
	/* At the interval's end: due but not issued, because the device held the
	 * worker up (in-flight cap full, submission held), and for other reasons. */
	uint64_t backlog_device;
	uint64_t backlog_host;
	/* Completed requests that took the run's i-th threshold or longer: */
	uint64_t over[THRESHOLDS_MAX];         /* in response time */
	uint64_t service_over[THRESHOLDS_MAX]; /* in service time */
	/* in response time, and either in service time too or issued late because
	 * the device held the worker up */
	uint64_t device_over[THRESHOLDS_MAX];
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

/* By what requests are counted, the same for a whole run. */
struct tally_scale {
	uint64_t threshold_ns[THRESHOLDS_MAX]; /* rising */
	size_t threshold_count;
	uint64_t power_unit_ns; /* 1 ms or 1 us */
};

/* Counts one completed request: `completed`, response (lag + service), service
 * and lag in the histograms and maxima, over[], service_over[], device_over[]
 * and power[]. A request that took exactly a threshold is over it. `held` says
 * that it was issued late because of the device. bytes, issued, planned, errors
 * and retries are the caller's to count. One thread at a time per tally. */
void tally_record(struct tally *tally, const struct tally_scale *scale, uint64_t lag_ns,
		  uint64_t service_ns, bool held);
