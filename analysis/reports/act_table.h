#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "act/base/error.h"
#include "analysis/act_log.h"

/*
 * The table that act_latency of the older tool (6.x) printed, for scripts that read
 * it: a row for each whole slice, whose last block stands at a multiple of the slice,
 * with the percentage of requests over 2^k units; then the average and the maximum of
 * the rows. All in the older tool's columns and its rounding: each figure to two
 * decimals, the average over the rounded ones.
 */

#define ACT_TABLE_BUCKETS     17 /* thresholds that can be shown: 2^0 to 2^16 units */
#define ACT_TABLE_COLUMNS_MAX 64 /* histograms */

struct act_table_options {
	const char *histograms[ACT_TABLE_COLUMNS_MAX]; /* names, or how names begin */
	size_t histogram_count;                        /* 0: all reads */
	uint64_t slice_sec;                            /* rounded up to whole intervals */
	unsigned start; /* first threshold, below ACT_TABLE_BUCKETS */
	unsigned count; /* thresholds, at least 1 */
	unsigned every; /* from one threshold to the next, at least 1 */
	bool extra;     /* a column of requests per second, too */
};

/* What was found beside the rows. */
struct act_table_notes {
	uint64_t slice_sec; /* as it was applied */
	uint64_t slices;    /* rows */
	/* Slices at whose end the log has no block: their requests are in the next row,
	 * whose rate is over all of its time. */
	uint64_t merged;
	uint64_t rest_sec; /* in no row, behind the last slice */
};

/*
 * Reads the log to its end (a log that grows, to what is there) and prints what
 * was configured and the table. A usage error when a histogram is not there or `out`
 * has no block at all; -EIO when `out` failed, other errors of act_log_next.
 */
int act_table_print(struct act_log *log, const struct act_table_options *options, FILE *out,
		    struct act_table_notes *ret_notes, struct error *err);
