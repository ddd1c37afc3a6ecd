#pragma once
#include "act/config/config.h"
#include "act/workload/stream.h"

/* How often a stream is issued, in requests per second and device. Pure. */

#define READS_PER_SEC_1X  2000
#define WRITES_PER_SEC_1X 1000
/* No device and no host comes near; above it rates would only be typing errors. */
#define STREAM_PER_SEC_MAX 100000000

/* The mean size of the stream's requests, before they are rounded to blocks: 0, or
 * -ERANGE when it is no fraction of 64 bits. */
int rate_mean_bytes(const struct stream *stream, struct ratio *ret);

/* What `rate` is for this stream, whose operation and sizes are known; shares are of the
 * config's `rate`, and the whole times its `scale`. A usage error when it cannot be kept. */
int rate_per_sec(const struct config *config, const struct config_rate *rate,
		 const struct stream *stream, struct ratio *ret, struct error *err);
