#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/interval.h"
#include "analysis/judge.h"

/*
 * Sums the tally of a slice or a run up to the figures that are kept of it.
 *
 * `index[i]` is the tally's threshold that summary threshold i means, for
 * `threshold_count` of them. `backlog_device_before` is what was due but held up
 * by the device when the period began; the tally's own is that of its end. Of
 * planned - issued, at most the growth of that backlog is the device's, the rest
 * is this host's.
 *
 * The tally's histograms get its exact maximum, so that percentiles are the same
 * whether they were measured just now or read from a log.
 */
void summary_take(struct summary *summary, struct tally *tally, uint64_t backlog_device_before,
		  const size_t *index, size_t threshold_count);
