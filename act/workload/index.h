#pragma once
#include "act/config/config.h"
#include "act/workload/stream.h"

/*
 * The index model: what a database does to a device that holds its index and not its
 * data. All requests have 4 KiB, at random places. Formulas (per device; r and w are the
 * load multipliers, f the replication factor and d the defragmentation low-water mark):
 *
 *   transactions/s  = 2000 r + 1000 w f reads: each write has to find its record first
 *   cache/s         = 1000 w f * amplification reads, and as many writes
 *   amplification   = 1 / (1 - d)
 *
 * Both kinds of reads are one stream, `reads`, and are judged together; the others are
 * `writes`. The config's scale multiplies all rates.
 *
 * Fills *ret as workload_storage does. Pure.
 */
int workload_index(const struct config *config, struct workload *ret, struct error *err);
