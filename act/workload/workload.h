#pragma once
#include "act/config/config.h"
#include "act/workload/stream.h"

/*
 * A config compiled to streams and phases. Each kind of workload is a function of its
 * own that turns one config, without a look at its phases, into streams (storage.h and
 * others); here it is called for each phase, and the streams of the same name are joined.
 */

/* Fills *ret; a usage error when a rate cannot be kept, or a stream that is judged is not
 * there. Pure. */
int workload_compile(const struct config *config, struct workload *ret, struct error *err);

/* The requests per second of a phase on its busiest device, all streams of it together. For
 * comparing. */
double workload_phase_rate(const struct workload *workload, const struct workload_phase *phase);

/* The config of the phase with the highest rate alone, for `duration_ns`; where there are no
 * phases, all of it. */
int workload_hardest_phase(const struct config *config, uint64_t duration_ns, struct config *ret,
			   struct error *err);
