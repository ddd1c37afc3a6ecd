#pragma once
#include "analysis/act_period.h"
#include "analysis/judge.h"
#include "analysis/rules.h"

/*
 * The rules of verdict.md, as far as an old log holds evidence, for one slice. Pure.
 */

/* Fills slice->all and slice->devices; adds reasons to lists[0] for all devices
 * together, lists[1 + d] for device d. */
void act_slice_judge(const struct act_period *period, struct slice *slice,
		     struct reason_list *lists);

/* Adds a reason for each thing that went wrong with the log or the requests. */
void act_slice_notes(const struct act_period *period, struct reason_list *lists);

/* Requests that failed and are counted with that stream: of device d, or of all
 * (device_count). */
uint64_t act_slice_failed(const struct act_period *period, size_t stream, size_t device);
