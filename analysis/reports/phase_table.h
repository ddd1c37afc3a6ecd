#pragma once
#include <stdio.h>

#include "analysis/judge.h"

/*
 * A run with phases at a glance: for each judged stream a table with one row a phase, also
 * for each device that issues it. The rows tell what was reached, percentiles, shares and
 * the verdict, and what was written meanwhile.
 */
void phase_table_print(const struct result *result, FILE *out);

/* Whether these tables say as much as those of slices: each phase was one slice, and
 * something is judged. */
bool phase_table_suffices(const struct result *result);
