#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "act/base/clock.h"
#include "act/io/engine.h"

/*
 * A clock that stands still until it is moved, and a device whose every answer
 * is scripted: exact tests of the worker in no time. One thread.
 */

/* What the device does with its n-th request (from 0). */
struct fake_answer {
	uint64_t service_ns;
	int32_t result;   /* bytes moved or -errno */
	bool never;       /* does not come back */
	uint64_t held_ns; /* the submission itself takes so long: moves the clock */
};

typedef struct fake_answer fake_script(void *state, uint64_t number,
				       const struct io_request *request);

struct fake_world {
	uint64_t now_ns;
	uint64_t boot_ahead_ns;
	struct clock clock;
	fake_script *script;
	void *script_state;
	uint64_t requests;           /* answered or not, so far */
	uint64_t next_completion_ns; /* UINT64_MAX when nothing is under way */
	uint64_t sleeps;             /* of the submitting thread: counted for held submissions */
	bool host_held; /* held submissions are this host's doing: no sleep is counted */
	uint64_t overflows;
};

/* The clock starts at an odd time, not at zero. */
void fake_world_init(struct fake_world *world, fake_script *script, void *script_state);

/* Opened with a clock of a fake_world. */
extern const struct io_engine_ops fake_engine;
