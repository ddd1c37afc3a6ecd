#pragma once
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/payload/payload.h"
#include "act/prep/pump.h"

/*
 * Reads back all that a preparation has written, with a deep queue, and checks each
 * sector. A verification belongs to one thread.
 */

#define VERIFY_SHOWN 16

struct verify_bad {
	uint64_t offset_bytes;
	enum payload_fault fault;
	struct payload_header found;                 /* what it says, see payload_check_sector */
	uint8_t head[sizeof(struct payload_header)]; /* its first bytes, as read */
};

struct verify_report {
	uint64_t sectors; /* read and judged */
	uint64_t bad;
	struct verify_bad first[VERIFY_SHOWN]; /* the first ones of the bad, in their order */
	size_t shown;
};

struct verify_request {
	const char *name; /* for texts */
	uint64_t device_bytes;
	uint64_t data_id; /* of the preparation */
	struct pump *pump;
	const volatile int *stop;                           /* may be NULL */
	uint64_t bytes_per_sec;                             /* at most; 0: no limit */
	void (*progress)(void *state, uint64_t done_bytes); /* may be NULL */
	void *progress_state;
};

/* Everything behind the label's area. 0, also when sectors are bad; -EINTR when stopped;
 * or -errno with a device error. *ret tells of what was read in any case. */
int verify_run(const struct verify_request *request, struct verify_report *ret, struct error *err);

/* "missing", "corrupt", "misplaced", "stale" */
const char *verify_fault_name(enum payload_fault fault);

#define VERIFY_TEXT_BYTES 320

/* One line on a bad sector: what was expected there and what was found. Returns `text`. */
char *verify_describe(char text[static VERIFY_TEXT_BYTES], const struct verify_bad *bad,
		      uint64_t data_id);
