#pragma once
#include <jansson.h>
#include <stdio.h>

#include "analysis/run_info.h"

/*
 * What the run ran on, and what its drives said of themselves, in reports.
 */

/* Prints at most one line of what in this environment commonly spoils latency, and
 * one line for each device with telemetry. */
void environment_print(const struct run_info *info, FILE *out);

/* Values for result.json; NULL when memory is short. */
json_t *environment_json(const struct run_info *info);
json_t *environment_telemetry_json(const struct run_info *info);
