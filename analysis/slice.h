#pragma once
#include <stddef.h>

#include "analysis/judge.h"
#include "analysis/rules.h"

/*
 * Memory of a finished slice: counts, percentiles and the few reasons, in two
 * pieces, so that days of slices stay small.
 */

/* Zeroed, with room for all devices and streams; NULL when memory is short. */
struct slice *slice_new(size_t device_count, size_t stream_count);
void slice_free(struct slice *slice);

/* Keeps the reasons: lists[0] for all devices together, lists[1 + d] for device
 * d. Sets all verdicts by them. Without memory (-ENOMEM) the texts are lost, the
 * verdicts are not. */
int slice_set_reasons(struct slice *slice, const struct reason_list *lists, size_t device_count);

/* The first reason for that verdict, NULL when there is none. */
const struct reason *judgement_find_reason(const struct judgement *judgement, enum verdict verdict);

/* The first reason for the slice's verdict, empty for PASS. With several devices
 * rather one that is a single device's, with its name and how many have such ones. */
void slice_explain(const struct run_info *info, const struct slice *slice,
		   char text[static REASON_BYTES]);

/* The judgement of all devices together is number 0, that of device d 1 + d. */
struct judgement *slice_judgement(struct slice *slice, size_t number);
