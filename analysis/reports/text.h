#pragma once
#include <stdio.h>

#include "analysis/judge.h"

/*
 * The end of a run for people, on a terminal of 100 columns: a table a stream
 * (judged ones also for each device that issues them when there are several; with phases
 * first a row a phase), the worst slice and
 * its reasons, and the verdict in one sentence. Printed as it is known so far
 * when the result is not complete. 0, or -EIO when `out` failed.
 */
int report_text(const struct result *result, FILE *out);
/* The same with other columns than those of response time: enum columns of
 * columns.h, or'ed. More than one group is wider than such a terminal. 0: as report_text,
 * which tells of phases that are one slice each in one table. */
int report_text_columns(const struct result *result, unsigned columns, FILE *out);

/* The last line alone: "FAIL: slice 3 (from 02:00:00): reads: 5.26 % over ..." */
int report_verdict_line(const struct result *result, FILE *out);
