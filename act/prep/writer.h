#pragma once
#include <stdint.h>

#include "act/base/error.h"
#include "act/base/random.h"
#include "act/payload/label.h"
#include "act/payload/payload.h"
#include "act/prep/pump.h"

/*
 * Writes verified sectors over one device or file, and keeps its label true
 * meanwhile. A writer belongs to one thread; what it points to is the caller's.
 */

/* What is in one of the pump's buffers. */
struct writer_slot {
	size_t bodies;    /* see payload_fill */
	uint32_t refills; /* that may still be made of it; 0: it is to be filled */
};

struct writer {
	const char *name; /* for texts */
	int fd;           /* open for writing, with O_DIRECT */
	struct label *label;
	const struct payload_pool *pool;
	struct pump *pump;
	const struct clock *clock;
	struct random random;
	uint64_t sequence; /* of the last write; numbers are unique in a writer */
	struct writer_slot slots[PUMP_DEPTH];
	const volatile int *stop; /* may be NULL; non-zero: end in good order */
	uint64_t bytes_per_sec;   /* at most; 0: no limit */
	/* After each block, and at the beginning: what is done of the pass or round. May
	 * be NULL. */
	void (*progress)(void *state, uint64_t done_bytes);
	void *progress_state;
};

/* Fills from label->position_bytes to the end of the device. About twice a second,
 * and at the end, what was written is made durable and then the label says so. 0;
 * -EINTR when stopped; or -errno. Each with an error (a device error unless it was
 * stopped), and, where the device still takes it, with a true label. */
int writer_fill(struct writer *writer, struct error *err);

/* How long a round of overwriting is: until either is reached. */
struct writer_round {
	uint64_t bytes;
	uint64_t ns;
};

/* Writes blocks at random places, none twice at a time, and syncs. *ret_bytes_per_sec is
 * how fast it was. Does not touch the label; errors as above. */
int writer_overwrite(struct writer *writer, const struct writer_round *limits,
		     uint64_t *ret_bytes_per_sec, struct error *err);
