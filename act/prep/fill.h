#pragma once
#include <stdint.h>

#include "act/base/error.h"
#include "act/io/engine.h"
#include "act/payload/label.h"
#include "act/payload/payload.h"

/* Called about twice a second and at the end. */
typedef void fill_progress(void *state, uint64_t done_bytes, uint64_t total_bytes);

/*
 * Makes a regular file of exactly size_bytes at `path`, ready for a run. It
 * checks first that the file system has the room (and 5 % or 64 MiB more,
 * whichever is more). If the path exists, the caller has had device_examine agree
 * to its being written; here only what is no regular file is refused. With
 * `fill`, every sector behind the label's area is written through O_DIRECT with
 * payload; a file of this size whose label says that it is full is kept as it is, and one
 * whose filling with the same `compress` was cut short is gone on with, and keeps its data_id.
 * Without `fill`, the room is only allocated and the label written, so that the file
 * can be known as ours; the rest was never written, and reading it does no device I/O.
 * Errors: usage (bad size, no such folder, not a regular file), environment (no
 * room, no O_DIRECT, no permission), device (write failed). A file that could not be finished is
 * removed if it was made here. `stop` may be NULL; filling ends with -EINTR when *stop becomes
 * non-zero.
 */
struct fill_request {
	const char *path;
	uint64_t size_bytes; /* multiple of 4096, more than LABEL_AREA_BYTES */
	int fill;
	const struct io_engine_ops *ops; /* what writes */
	const struct payload_pool *pool;
	struct ratio compress; /* of the pool */
	uint64_t data_id;      /* of a new filling */
	const volatile int *stop;
	fill_progress *progress; /* may be NULL */
	void *progress_state;
};
int fill_file(const struct fill_request *request, struct error *err);
