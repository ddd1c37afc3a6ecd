#pragma once
#include "act/workload/stream.h"

/*
 * The compiled plan as comment lines of a config: each stream, and for each phase how often
 * it is issued on each of its devices. Sizes and places as they are dealt (address.h). The
 * same plan always gives the same text. Heap string, the caller frees it; NULL when memory
 * is short.
 */
char *workload_format_plan(const struct workload *workload);

#define PLAN_TEXT_BYTES 512

/* Parts of it, for a terminal, too; each returns `text`, cut off if it must be. */
char *plan_sizes(char text[static PLAN_TEXT_BYTES], const struct stream *stream);
char *plan_places(char text[static PLAN_TEXT_BYTES], const struct stream *stream);
char *plan_region(char text[static PLAN_TEXT_BYTES], const struct stream *stream);
/* "all" or "1-3,5" */
char *plan_devices(char text[static PLAN_TEXT_BYTES], const struct stream *stream);
