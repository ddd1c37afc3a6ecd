#pragma once
#include <stdbool.h>

#include "analysis/judge.h"

#define ACT_VIEW_BYTES 400

/*
 * One sentence, without a newline, on what a closed-loop tool would have said of the
 * judged streams: it counts from the submission, so that requests which a stall
 * kept from being issued are not in its figures. False, and no text, where that
 * makes no notable difference: where no share over a threshold reaches a tenth of
 * its limit and is at least a ninth larger than the share by service time (each
 * in its worst slice, of the worst device). Of several, the furthest beyond its
 * limit is told.
 */
bool act_view(const struct result *result, char text[static ACT_VIEW_BYTES]);
