#pragma once
#include "act/config/config.h"
#include "act/workload/stream.h"

/*
 * A config compiled to streams and phases. Each kind of workload is a function of its
 * own that turns one config, without a look at its phases, into streams (storage.h and
 * others); here it is called for each phase.
 */

/* Fills *ret; a usage error when a rate cannot be kept, or a stream that is judged is not
 * there. Pure. */
int workload_compile(const struct config *config, struct workload *ret, struct error *err);
