#pragma once
#include "act/config/config.h"
#include "act/run/targets.h"
#include "act/workload/stream.h"
#include "analysis/run_info.h"

/* Fills *ret with all that the log says of the run; free with run_info_release. */
int describe_run(const struct config *config, const struct workload *workload,
		 const struct targets *targets, const char *engine, uint64_t run_id,
		 struct run_info *ret, struct error *err);

/* All thresholds, those that only single streams have among them, and the unit of the older
 * tool's text. A usage error when there are more than THRESHOLDS_MAX. */
int describe_scale(const struct config *config, const struct workload *workload,
		   struct tally_scale *ret, struct error *err);
