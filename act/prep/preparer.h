#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "act/device/device.h"
#include "act/prep/prep.h"
#include "act/prep/pump.h"
#include "act/prep/state.h"
#include "act/prep/writer.h"

/*
 * The preparation of one device, from its plan to its report, in a thread of its own.
 * Private to act/prep.
 */

struct preparer {
	const struct prep_options *options;
	const struct io_engine_ops *ops;
	const volatile int *stop;
	/* A line on what happened, from the preparer's thread. */
	void (*notice)(void *state, const struct preparer *preparer, const char *text);
	void *notice_state;

	struct device device; /* open */
	struct state_plan plan;
	enum clean_method clean; /* chosen */
	bool works;              /* there is something to do: writing or verifying */

	pthread_mutex_t lock; /* of `status` */
	struct prep_status status;

	/* The thread's own, until it has ended. */
	struct pump *pump;
	struct payload_pool *pool;
	struct writer writer;
	uint64_t new_rounds;       /* of overwriting, since this began */
	struct prep_report report; /* with the label as it is being changed */
};

/* All of it; fills preparer->report. */
void preparer_work(struct preparer *preparer);

/* Any thread. */
struct prep_status preparer_status(struct preparer *preparer);
