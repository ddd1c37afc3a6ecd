#pragma once
#include "act/config/config.h"
#include "act/workload/stream.h"

/*
 * The storage model: what a database does to its data device. Formulas (per
 * device; r and w are the load multipliers, R the record rounded up to 16 bytes,
 * A its average, B the large block, f the replication factor, u the update share
 * and d the defragmentation low-water mark):
 *
 *   reads/s             = 2000 r + 1000 w u
 *   client writes/s     = 1000 w f
 *   blocks/s            = client writes/s / floor(B / A)
 *   amplification       = 1 / (1 - d)
 *   large-block writes/s = blocks/s * amplification, with commit-to-device
 *                          blocks/s * (amplification - 1) and the client writes singly
 *   large-block reads/s = blocks/s * amplification, none without defrag-reads
 *
 * The tomb raider reads the device in sequence, one large block each
 * tomb-raider-sleep. The config's scale multiplies all rates.
 *
 * Fills *ret but for its phases, with all streams, of which some may rest (rate 0), and with
 * those that are judged by default, whether they are there or not; a usage error when a rate
 * cannot be kept. Pure.
 */
int workload_storage(const struct config *config, struct workload *ret, struct error *err);
