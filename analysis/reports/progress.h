#pragma once
#include <stddef.h>

#include "analysis/judge.h"

/*
 * Single lines while a run goes on, without a newline. Each writes at most
 * `size` bytes with the terminating zero into `text` and returns it. They speak
 * of one stream: judge_shown_in_phase.
 */

/* A slice that was just finished: number, phase, verdict, figures; and why, unless it
 * passes. */
char *progress_slice(char *text, size_t size, const struct run_info *info,
		     const struct slice *slice);

/* The run at the end of `interval`: elapsed and remaining time, phase, achieved and
 * planned rate and percentiles of the interval, share over the first threshold
 * in the slice under way. */
char *progress_interval(char *text, size_t size, const struct run_info *info,
			const struct interval *interval, const struct judge *judge);
