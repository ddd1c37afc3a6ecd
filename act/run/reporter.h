#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/clock.h"
#include "act/run/host.h"
#include "act/run/worker.h"
#include "analysis/interval.h"
#include "analysis/run_info.h"

/*
 * Puts the pages of all workers together to the intervals of the run. It waits
 * for nobody: an interval is there when every worker has handed its page over.
 * One thread owns it.
 */

struct reporter;

struct reporter_setup {
	struct worker **workers; /* stay the caller's and must live as long */
	size_t worker_count;
	size_t device_count;
	size_t stream_count;
	uint64_t interval_ns;
	const struct clock *clock;
	/* CPU time of the host so far (host_cpu_ticks). */
	void (*cpu_ticks)(struct host_ticks *ret);
};

int reporter_new(const struct reporter_setup *setup, struct reporter **ret, struct error *err);
void reporter_free(struct reporter *reporter);

/* Takes the next interval if it is complete: then *ret_interval and the failed
 * requests that were described are valid until the next call. `end_ns` is the
 * end of the run as it stands now. */
bool reporter_collect(struct reporter *reporter, uint64_t end_ns,
		      const struct interval **ret_interval);
size_t reporter_errors(const struct reporter *reporter, const struct request_error **ret_errors);

/* True when all workers are done and all intervals were collected. */
bool reporter_finished(const struct reporter *reporter);
