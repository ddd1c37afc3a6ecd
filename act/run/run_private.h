#pragma once
#include "act/run/crew.h"
#include "act/run/record.h"
#include "act/run/reporter.h"
#include "act/run/run.h"
#include "act/run/sampler.h"
#include "act/run/targets.h"
#include "act/run/worker.h"

/* Shared by run.c, execute.c and plan.c; nobody else includes it. */

struct run {
	struct run_request request;
	const struct config *config;
	const struct clock *clock;
	const struct io_engine_ops *ops;
	struct workload workload;
	struct targets targets;
	struct tally_scale scale;
	struct payload_pool *pool;
	uint64_t run_id;
	uint64_t seed;
	struct run_info info;
	struct worker_control control;
	struct worker **workers;
	size_t worker_count;
	struct recent_writes *recent; /* [device * workers-per-device + worker] */
	const char *engine_text;
	struct crew *crew;
	struct record *record;
	struct reporter *reporter;
	struct judge *judge;
	bool stuck; /* a worker's thread never comes back: nothing of the run can be freed */
	struct sampler *sampler; /* NULL: no device tells of its health */
};
