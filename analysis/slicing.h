#pragma once
#include <stddef.h>
#include <stdint.h>

#include "analysis/run_info.h"

/*
 * Which intervals make which slice. Slices have slice_ns each, rounded up to whole
 * intervals; each phase begins a new one, so that the last of a phase may be shorter.
 * Pure; `info` has passed run_info_check.
 */
struct slice_place {
	uint64_t index; /* of the slice, from 0, on through all phases */
	size_t phase;   /* index; 0 when the run has none */
	uint64_t first; /* number of its first interval */
	uint64_t end;   /* number of the first interval behind it */
};

/* The slice of an interval. What comes after the planned end is of the last phase, but in
 * slices of its own. */
void slicing_find(const struct run_info *info, uint64_t number, struct slice_place *ret);

/* How many slices are planned. */
uint64_t slicing_count(const struct run_info *info);

/* The phase of a moment of the run, in ns since its start; the last one behind its end. 0
 * when there are none. */
size_t slicing_phase_at(const struct run_info *info, uint64_t at_ns);
