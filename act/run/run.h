#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "act/base/error.h"
#include "act/base/facts.h"
#include "act/config/config.h"
#include "act/payload/payload.h"
#include "analysis/interval.h"
#include "analysis/judge.h"

/*
 * A run from its checked beginning to its verdict. The steps are to be called in
 * this order; each returns 0 or -errno with text:
 *
 *   run_new      compiles the workload, examines all targets; changes nothing
 *   run_open     opens the devices, sets the workers up, begins DIR/run.log
 *   run_execute  issues the load for the planned duration, or until it is stopped
 *   run_free
 *
 * Files that do not exist yet must be made (prep/fill.h) between run_new and
 * run_open; run_missing_file tells which.
 */

struct run;

struct run_request {
	const struct config *config; /* stays the caller's, must live as long as the run */
	const char *out_dir;
	const char *const *destroy; /* devices whose content may be destroyed */
	size_t destroy_count;
	/* Of the host, to be recorded beside what run_open finds out; may be NULL,
	 * and change until run_open. */
	const struct facts *facts;
};

int run_new(const struct run_request *request, struct run **ret, struct error *err);
/* Frees nothing when a worker's thread is stuck in the kernel for ever. */
void run_free(struct run *run);

/* The i-th file that has to be made, and with what; false when there are no
 * more. `size_bytes` as configured. */
struct run_missing {
	const char *path;
	uint64_t size_bytes;
	const struct payload_pool *pool;
	struct ratio compress;
	uint64_t data_id;
};
bool run_missing_file(const struct run *run, size_t i, struct run_missing *ret);

int run_open(struct run *run, struct error *err);

/* Valid after run_open. */
const struct run_info *run_info(const struct run *run);

/* The plan, for people: devices, rates, bytes, criteria, end. After run_open. */
void run_print_plan(const struct run *run, FILE *out);

/* Called by run_execute, in its thread. Any may be NULL, and so may the whole. */
struct run_observer {
	void (*interval)(void *state, const struct interval *interval, const struct judge *judge);
	void (*slice)(void *state, const struct result *so_far, const struct slice *slice);
	void (*notice)(void *state, const char *text); /* one line that people should see */
	void *state;
};

/* Cannot fail: whatever happens is in the result, which belongs to the run. */
const struct result *run_execute(struct run *run, const struct run_observer *observer);
