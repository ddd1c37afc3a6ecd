#pragma once
#include "act/config/config.h"
#include "act/run/targets.h"
#include "act/workload/stream.h"
#include "analysis/run_info.h"

/* Fills *ret with all that the log says of the run; free with run_info_release. */
int describe_run(const struct config *config, const struct workload *workload,
		 const struct targets *targets, const char *engine, uint64_t run_id,
		 struct run_info *ret, struct error *err);

/* The judged streams' thresholds and the unit of the older tool's text. */
void describe_scale(const struct config *config, struct tally_scale *ret);
