#pragma once
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "analysis/interval.h"
#include "analysis/judge.h"

/*
 * The tallies of a period, slice or run, as they add up interval by interval.
 * Takes all its memory in sums_init.
 */
struct sums {
	struct interval total;
	/* [device * stream_count + stream]: the device's backlog when the period
	 * began */
	uint64_t *backlog_before;
	struct tally *scratch;
	const size_t *index; /* see summary_take */
	size_t threshold_count;
};

/* An empty period at the start of a run, for devices, streams and criteria of
 * `info`; `index` must stay. 0 or -ENOMEM; sums_release is fine either way. */
int sums_init(struct sums *sums, const struct run_info *info, const size_t *index);
void sums_release(struct sums *sums);

void sums_add(struct sums *sums, const struct interval *interval);
/* Begins the next period where this one ended. */
void sums_restart(struct sums *sums);

/* One stream on one device, or on all devices together. */
void sums_take_device(const struct sums *sums, size_t device, size_t stream, struct summary *ret);
void sums_take_all(const struct sums *sums, size_t stream, struct summary *ret);
