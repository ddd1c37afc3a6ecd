#pragma once
#include <stddef.h>
#include <stdint.h>

#include "act/base/clock.h"
#include "act/base/error.h"
#include "act/config/config.h"
#include "act/run/worker.h"

/*
 * The threads of the workers: one each, bound to a CPU where there are enough,
 * opened together, started on one start line, joined when all are done.
 */

struct crew;

/* Starts the threads and opens each worker in its own. Returns when all are
 * ready, or with the first error after all were stopped. The workers stay the
 * caller's. Until crew_join the calling thread keeps off their CPUs. */
int crew_open(struct worker **workers, size_t count, const struct config *config,
	      const struct clock *clock, struct crew **ret, struct error *err);

/* Lets all go at start_ns of the clock. */
void crew_start(struct crew *crew, uint64_t start_ns);

/* Waits until all workers are done, closes them and frees the crew. Without a
 * start, just stops the threads. */
void crew_join(struct crew *crew);

/* How the workers wait, for the plan ("auto: sleeps, then spins the last 60 us"). */
const char *crew_describe(const struct crew *crew);
