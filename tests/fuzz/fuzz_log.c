#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/log.h"

/* Any bytes as a log: the reader must neither crash nor run on, and numbers of
 * intervals must rise. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(struct log_reader *reader)
{
	enum log_event event;
	struct error err;
	uint64_t next = 0;

	while (log_reader_next(reader, &event, &err) == 0 && event != LOG_FINISHED) {
		if (event != LOG_INTERVAL)
			continue;
		if (log_reader_interval(reader)->number < next)
			abort();
		next = log_reader_interval(reader)->number + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *stream = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
	struct log_reader *reader = NULL;
	struct error err;

	if (!stream)
		return 0;
	if (log_reader_new(stream, "fuzz", &reader, &err) == 0)
		read_all(reader);
	log_reader_free(reader);
	fclose(stream);
	return 0;
}
