#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/payload/label.h"

/*
 * How a preparation goes on from what the device's label says, and the label from stage
 * to stage. Pure: no clock, no I/O.
 */

struct state_wish {
	uint64_t device_bytes;
	const char *serial; /* of the device; "" when it has none */
	uint64_t data_id;   /* for a new preparation */
	uint64_t now_s;
	bool restart;
	/* What is not given (0) is as the label says or else one pass, 100 %. */
	uint64_t passes;
	struct ratio compress; /* given when den > 0 */
	bool overwrite;
};

enum state_decision {
	STATE_BEGIN,  /* a new preparation */
	STATE_RESUME, /* goes on with the one that the label tells of */
	STATE_READY,  /* nothing is left to be done */
};

#define STATE_REASON_BYTES 128

struct state_plan {
	enum state_decision decision;
	struct label label;              /* to go on with */
	char reason[STATE_REASON_BYTES]; /* of the decision, to be shown; empty: an empty device */
};

/* `old` is what the device carries, NULL: no label. */
void state_decide(const struct state_wish *wish, const struct label *old, struct state_plan *ret);

/* The stage, or the pass of filling, is over: on to what comes next. */
void state_advance(struct label *label, uint64_t now_s);

/* A round of overwriting is over. */
void state_take_round(struct label *label, uint64_t bytes_per_sec);

/* The last LABEL_ROUNDS rounds in their order; false while there are fewer. */
bool state_window(const struct label *label, uint64_t ret_rounds[static LABEL_ROUNDS]);
