#pragma once
#include <stddef.h>

#include "analysis/judge.h"
#include "analysis/sums.h"

/*
 * The sums of each phase, as its slices are finished. For a run without phases there is
 * nothing, and nothing is done.
 */
struct phase_sums {
	struct sums sums; /* of the phase under way */
	size_t phase;
	bool begun;
	const struct run_info *info;
	struct phase_result *results; /* [info->phase_count], owned */
};

/* `info` and `index` (see summary_take) must stay. 0 or -ENOMEM; phase_sums_release is fine
 * either way. */
int phase_sums_init(struct phase_sums *phases, const struct run_info *info, const size_t *index);
void phase_sums_release(struct phase_sums *phases);

/* Takes a slice's sums, of the phase and of `measured_ns`. Phases come in their order. */
void phase_sums_add(struct phase_sums *phases, size_t phase, const struct interval *slice,
		    uint64_t measured_ns);
