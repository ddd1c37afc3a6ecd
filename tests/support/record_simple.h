#pragma once
#include "analysis/interval.h"

/* A completed request without hiccups or earlier counts; `held`: issued late
 * because of the device. */
static inline void record_simple(struct tally *tally, const struct tally_scale *scale,
				 uint64_t lag_ns, uint64_t service_ns, bool held)
{
	const struct timing timing = {
	    .lag_ns = lag_ns,
	    .service_ns = service_ns,
	    .device_ns = held ? lag_ns + service_ns : service_ns,
	};

	tally_complete(tally, scale, &timing, (struct counted){0});
}
