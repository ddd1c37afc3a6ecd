#pragma once
#include <stdbool.h>

#include "act/config/options.h"

/*
 * Checks that no single key can make, for config_check. Private to act/config.
 */

/* A rule between two keys. It is reported at the place of `key`, or of `other`
 * where only that one was set. */
int check_refuse_pair(const struct config *config, const char *key, const char *other,
		      const char *problem, const char *allowed, struct error *err);

/* Keys that mean nothing to the workload (check_meaning.c). */
int check_meaning(const struct config *config, struct error *err);
/* The streams of a custom workload (check_streams.c). */
int check_streams(const struct config *config, struct error *err);
/* The phases (check_phases.c). */
int check_phases(const struct config *config, struct error *err);

/* A stream of this name can be there, whatever the rates are. */
bool check_is_stream(const struct config *config, const char *name);
/* "reads, writes": the streams that can be there. */
void check_stream_names(const struct config *config, char text[static ALLOWED_BYTES]);
/* Some of the run has reads, or writes. Storage and index only. */
bool check_has_reads(const struct config *config);
bool check_has_writes(const struct config *config);
