#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "act/payload/label.h"

/*
 * When random overwriting has reached a steady state. Over the last LABEL_ROUNDS
 * rounds, and with limits included:
 *
 *   - the range (largest less smallest speed) is at most 20 % of the average;
 *   - the line fitted by least squares changes over the window, from its first round to
 *     its last, by at most 10 % of the average.
 *
 * Decided in integers, so that the limits are exact. Pure.
 */

#define STEADY_RANGE_PCT 20
#define STEADY_SLOPE_PCT 10

/* For printing; rounded. */
struct steady_figures {
	uint64_t average; /* bytes per second, like the next two */
	uint64_t range;
	int64_t slope;    /* change of the fitted line over the window */
	double range_pct; /* of the average; 0 when that is 0 */
	double slope_pct;
};

/* Speeds of the rounds in their order, in bytes per second, below 2^56. Rounds in which
 * nothing moved are never steady. `ret_figures` may be NULL. */
bool steady_judge(const uint64_t rounds[static LABEL_ROUNDS], struct steady_figures *ret_figures);
