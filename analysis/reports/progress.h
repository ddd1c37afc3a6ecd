#pragma once
#include <stddef.h>

#include "analysis/judge.h"

/*
 * Single lines while a run goes on, without a newline. Each writes at most
 * `size` bytes with the terminating zero into `text` and returns it. They speak
 * of one stream: judge_shown_stream.
 */

/* A slice that was just finished: number, verdict, figures; and why, unless it
 * passes. */
char *progress_slice(char *text, size_t size, const struct run_info *info,
		     const struct slice *slice);

/* The run at the end of `interval`: elapsed and remaining time, achieved and
 * planned rate and percentiles of the interval, share over the first threshold
 * of `current`, the slice under way (judge_current). */
char *progress_interval(char *text, size_t size, const struct run_info *info,
			const struct interval *interval, const struct summary *current);
