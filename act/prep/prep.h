#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "act/base/units.h"
#include "act/io/engine.h"
#include "act/payload/label.h"
#include "act/prep/clean.h"
#include "act/prep/steady.h"
#include "act/prep/verify.h"

/*
 * Prepares devices and files, all at the same time: cleans them, fills them with
 * verified sectors, overwrites them at random until their speed is steady, reads them
 * back. How far each is stands in its label, so that after a crash the same call
 * goes on where it was. The functions belong to one thread.
 */

#define PREP_TARGETS_MAX 64
#define PREP_PASSES_MAX  100
#define PREP_ROUNDS_MAX  1000

struct prep_target {
	const char *path;
	uint64_t size_bytes; /* of a file that is made when it is missing; 0: it is there */
};

struct prep_options {
	enum clean_method clean;
	uint64_t passes;       /* 0: as the label says, or 1 */
	struct ratio compress; /* den = 0: as the label says, or 100 % */
	bool overwrite;        /* at random, until the speed is steady */
	uint64_t round_ns;     /* a round is a tenth of the device, or so long */
	uint64_t rounds_max;   /* at least LABEL_ROUNDS; then it is not steady */
	bool verify;
	bool restart;           /* whatever the labels say */
	uint64_t bytes_per_sec; /* of each device, at most; 0: no limit */
};

struct prep_request {
	const struct prep_target *targets; /* at most PREP_TARGETS_MAX */
	size_t target_count;
	struct prep_options options;
	const char *const *destroy; /* as in struct device_use */
	size_t destroy_count;
	const struct io_engine_ops *ops;
	const volatile int *stop; /* non-zero: all end in good order; may be NULL */
};

enum prep_activity {
	PREP_WAITS,
	PREP_CLEANS,
	PREP_FILLS,
	PREP_OVERWRITES,
	PREP_VERIFIES,
	PREP_ENDED
};

/* "waiting", "cleaning", "filling", "overwriting", "verifying", "ended" */
const char *prep_activity_name(enum prep_activity activity);

struct prep_status {
	enum prep_activity activity;
	uint64_t number;  /* of the pass or the round, from 1; 0: has none */
	uint64_t numbers; /* of them in all; 0: not known */
	uint64_t begun_ns;
	uint64_t begun_bytes; /* what was done already when it began */
	uint64_t done_bytes;
	uint64_t total_bytes;
};

enum prep_outcome {
	PREP_PREPARED,   /* by this call */
	PREP_READY,      /* was so before; perhaps verified now */
	PREP_NOT_STEADY, /* prepared, but its speed did not become steady */
	PREP_MISMATCH,   /* what was read is not what was written */
	PREP_FAILED,
	PREP_STOPPED,
	PREP_HANGS, /* nothing is known: its thread did not come back */
};

struct prep_report {
	const char *name;
	uint64_t device_bytes;
	enum prep_outcome outcome;
	struct error err;      /* of PREP_FAILED */
	struct label label;    /* as it is now */
	uint64_t filled_bytes; /* by this call, in fill_ns */
	uint64_t fill_ns;
	uint64_t rounds;               /* of overwriting, by this call */
	struct steady_figures figures; /* of the last window, when there was one */
	bool verified;
	struct verify_report verify;
	uint64_t verify_ns;
};

struct prep_observer {
	/* About twice a second: how far each device is. */
	void (*progress)(void *state, const struct prep_status *statuses, size_t count);
	/* One line about a device, from any thread; never two calls of the observer at a time. */
	void (*notice)(void *state, const char *name, const char *text);
	void *state;
};

struct prep;

/* Examines all targets and decides what each needs. Nothing is opened for writing before
 * all are agreed to. Then makes files that are missing and opens everything. `request` and what
 * it points to must outlive the prep. Errors are of the first target that has one. */
int prep_new(const struct prep_request *request, struct prep **ret, struct error *err);

size_t prep_count(const struct prep *prep);
const char *prep_name(const struct prep *prep, size_t i);
/* Why it is begun, gone on with or left alone; empty when there is nothing to say. */
const char *prep_reason(const struct prep *prep, size_t i);

/* Runs until every device is ready, has failed or was stopped. A device that does not
 * even stop is given up after a while (PREP_HANGS). */
void prep_run(struct prep *prep, const struct prep_observer *observer);

/* After prep_run. Belongs to the prep. */
const struct prep_report *prep_report(const struct prep *prep, size_t i);

/* NULL is fine. What a thread that did not come back may still use, stays. */
void prep_free(struct prep *prep);
