#pragma once
#include "act/config/config.h"
#include "act/workload/stream.h"

/*
 * A workload of the streams that the config names, in its order. Weights of sizes are
 * normalized to shares of 1; a rate in bytes is over the exact mean size. Reads are judged
 * unless they say otherwise, writes are if they say so; all writes, where there is nothing
 * else and none says anything.
 *
 * Fills *ret as workload_storage does; a usage error when the groups do not go together, or a
 * rate cannot be kept. Pure.
 */
int workload_custom(const struct config *config, struct workload *ret, struct error *err);

/* Fills in, when all streams and their highest rates are known, the older tool's text, and the
 * effective loads. */
void workload_custom_describe(const struct config *config, struct workload *workload);
