#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "analysis/judge.h"
#include "analysis/rules.h"
#include "analysis/share.h"

/*
 * The rules of verdict.md for the run: from judged slices to verdict, sentence,
 * worst slice and exit status. Pure.
 */

/* What the slices do not tell. */
struct run_facts {
	uint64_t missing_ns;   /* of measurement between the last interval and the planned end */
	bool device_is_behind; /* END_MAX_LAG: it was the device that did not keep up */
	bool out_of_memory;    /* a slice could not be kept */
};

/* Adds the reasons that lie in how the run ended: lists[0] for all devices
 * together, lists[1 + d] for device d. */
void run_reasons(const struct result *result, const struct run_facts *facts,
		 struct reason_list *lists);

/* The judged share of a slice that is the largest multiple of its limit, over all
 * devices together and each; in stress mode the largest share over the first
 * threshold. */
struct nearest {
	struct excess excess; /* 0 when nothing is over any threshold */
	size_t judgement;     /* 0: all devices together, 1 + d: device d */
	size_t stream;
	size_t criterion;
	bool found; /* false: nothing is judged by a limit */
};
struct nearest run_nearest(const struct run_info *info, struct slice *slice);

bool run_slice_has_errors(const struct run_info *info, const struct slice *slice);

/* Sets result->worst: gravest verdict first, then errors, then judged ones, then the largest
 * `nearest`, then the earliest; and likewise what is to be said of each phase. */
void run_find_worst(struct result *result);

/* Appends to result->reason; what is too long for it is cut off. */
void run_append(struct result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* For a run with phases whose verdict lies in its slices and is not PASS: the sentence. */
void run_explain_phases(struct result *result);

/* Sets result->reason and exit_status by verdict, reasons, slices and worst. */
void run_conclude(struct result *result);
