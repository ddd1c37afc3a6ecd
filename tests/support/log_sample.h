#pragma once
#include "act/base/random.h"
#include "analysis/interval.h"
#include "analysis/run_info.h"

/*
 * A made-up run, for tests of what reads and writes logs: the streams of the
 * storage workload with commit-to-device, intervals of 1 s, slices of 5 s,
 * thresholds of 1, 8 and 64 ms.
 */

#define SAMPLE_STREAMS 4

/* Aborts when memory is short. To be released by run_info_release. */
void sample_info(struct run_info *info, size_t device_count);
struct tally_scale sample_scale(const struct run_info *info);

/* Fills a cleared or new interval with `requests` per device and stream; random
 * durations around 100 us with a long tail, a few errors. */
void sample_interval(struct interval *interval, const struct run_info *info, uint64_t number,
		     uint64_t requests, struct random *random);
