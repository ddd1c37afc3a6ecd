#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/interval.h"
#include "analysis/judge.h"
#include "analysis/run_info.h"

/*
 * Runs made up for tests: intervals of 1 s, slices of 10 s, thresholds of 1 ms
 * (5 %), 8 ms (1 %) and 64 ms (0.1 %). Whatever fails here aborts the test.
 */

#define BUILD_SLICE_INTERVALS 10
#define BUILD_PLANNED         1000 /* requests per stream, device and interval */

enum build_stream { BUILD_READS, BUILD_LARGE_READS, BUILD_LARGE_WRITES, BUILD_STREAMS };

/* Devices "/dev/a", "/dev/b", ...; `reads` are judged. run_info_release frees. */
void build_info(struct run_info *info, size_t device_count, uint64_t slices);

/* Gives the run phases of so many intervals each, with the streams' own rates, and their
 * duration. */
struct build_phase {
	const char *name;
	uint64_t intervals;
	bool judged;
};
void build_phases(struct run_info *info, const struct build_phase *phases, size_t count);

/* Interval `number` in which all that was planned was issued and came back in
 * 100 us. interval_release frees. */
void build_interval(struct interval *interval, size_t device_count, uint64_t number);
/* The same in memory that is there. */
void build_interval_again(struct interval *interval, uint64_t number);

/* Sets a stream to `total` requests, all good. */
void build_total(struct tally *tally, uint64_t total);
/* Makes `over` of the tally's requests take exactly threshold `k` (and all
 * thresholds below); `device_over` of these by fault of the device. */
void build_over(struct tally *tally, size_t k, uint64_t over, uint64_t device_over);

/* A judge that was given `slices` whole slices of such intervals; `change` (may
 * be NULL) is called for each before it goes in. Returns the judge; judge_free. */
typedef void build_change(struct interval *interval, void *state);
struct judge *build_judge(const struct run_info *info, uint64_t intervals, build_change *change,
			  void *state);
