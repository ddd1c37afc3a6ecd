#pragma once
#include "act/config/config.h"
#include "act/workload/stream.h"

/* What the workloads that the older tool has, too, have in common. Pure. */

/* Appends the stream: one size, its size_min_bytes to size_max_bytes; the whole of each device.
 * It may rest (rate 0). `key` is the option that its rate comes from: a usage error when
 * that is too high. */
int model_add_stream(struct workload *workload, const struct stream *stream,
		     const struct config *config, const char *key, struct error *err);

/* Refuses rates that are no fractions of 64 bits. */
int model_refuse_rates(const struct config *config, struct error *err);

/* "yes" or "no", as the older tool writes. */
const char *model_yes_no(bool value);
