#pragma once
#include "act/config/config.h"
#include "act/workload/stream.h"

/*
 * The phases of a config, steps and all, as configs of one phase each. What a phase says of
 * loads and of the common rate is in the config's own keys then; what it says of single
 * streams is for phases_apply. Pure.
 */

struct phase_cursor {
	size_t group; /* of the config's phases */
	size_t step;
};

/* The phase at the cursor, which it moves on: 1, 0 when there are no more, or a usage error.
 * *ret has this one as its only phase, without steps of more than one value; `ret_name` is
 * "NAME", or "NAME VALUE" for one of several steps. */
int phases_next(const struct config *config, struct phase_cursor *cursor, struct config *ret,
		char ret_name[static STREAM_NAME_BYTES], struct error *err);

/* Lets the streams rest that the only phase of `config` does not have, and gives those their
 * rate of which it has one. Usage errors: names that no stream has; rates that cannot be
 * kept. */
int phases_apply(const struct config *config, struct workload *workload, struct error *err);
