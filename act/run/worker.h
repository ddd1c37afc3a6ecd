#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "act/config/config.h"
#include "act/device/device.h"
#include "act/io/engine.h"
#include "act/payload/payload.h"
#include "act/run/recent_writes.h"
#include "act/run/tally_ring.h"
#include "act/workload/schedule.h"
#include "act/workload/stream.h"

/*
 * A worker issues its share of the streams of one device, open loop, and tallies
 * what comes back. All times are ns since the start of the run.
 *
 * Memory is taken in worker_new and worker_open. After that, worker_step
 * allocates, locks and prints nothing and never waits for a completion.
 * One thread opens, steps and closes a worker; other threads may use its ring
 * as reporter, worker_planned_before, and the atomics of worker_control.
 */

/* Shared by all workers of a run. */
struct worker_control {
	_Atomic uint64_t end_ns;    /* nothing is intended at or after it */
	uint64_t duration_ns;       /* the planned end */
	_Atomic int lost_device;    /* 1 + index of a device that is lost; 0: none */
	_Atomic int lagging_device; /* 1 + index of a device that is behind by max-lag */
};

struct worker_setup {
	const struct config *config;
	const struct workload *workload;
	const struct device *device;
	size_t device_index;
	size_t device_count;
	uint32_t index;  /* of this worker among the device's */
	uint32_t stride; /* workers of the device */
	const struct io_engine_ops *ops;
	const struct clock *clock;
	const struct payload_pool *pool; /* may be NULL when nothing is written */
	uint64_t data_id;                /* of the device's data, in what is written */
	bool verify;                     /* check what is read */
	/* With `verify`: of all workers of the device, this one's (which worker_new makes, and
	 * worker_free releases) is [index]. Zeroed before the first worker is made. */
	struct recent_writes *recent; /* [stride] */
	uint64_t seed;
	const struct tally_scale *scale;
	struct worker_control *control;
	/* How often the calling thread has slept of its own accord, and how often it
	 * was interrupted while it was ready: tells a submission that the device
	 * held from one that this host interrupted. */
	uint64_t (*thread_sleeps)(void);
	uint64_t (*thread_preemptions)(void);
};

struct worker;

/* Refuses requests that do not fit onto the device, and buffers that would take too much
 * memory, as worker_new does, but before anything is opened. Looks at config, workload, device,
 * device_index and stride alone. */
int worker_check(const struct worker_setup *setup, struct error *err);

/* Takes memory and computes schedules. Everything that `setup` points at must
 * stay until worker_free. */
int worker_new(const struct worker_setup *setup, struct worker **ret, struct error *err);
void worker_free(struct worker *worker);

/* Sets the engine up, in the thread that will step. `helper_cpus` are for threads
 * of the kernel (see io_setup); may be NULL. */
int worker_open(struct worker *worker, const cpu_set_t *helper_cpus, struct error *err);
void worker_close(struct worker *worker);
const char *worker_describe_engine(const struct worker *worker);

/* The start line, in the clock's time; before the first step. */
void worker_start(struct worker *worker, uint64_t start_ns);

/* One round: issues what is due, reaps what is done, ends intervals. Returns the
 * time at which it has something to do by itself again (completions apart); 0:
 * at once. */
uint64_t worker_step(struct worker *worker);

/* True when all that was intended is issued and back (or given up), and the last
 * page is handed over. */
bool worker_done(const struct worker *worker);

/* Now, in ns since the start. */
uint64_t worker_now(const struct worker *worker);
/* Waits in the engine until a completion or until_ns. */
void worker_wait(struct worker *worker, uint64_t until_ns);
/* Sleeps for so long, whatever completes. */
void worker_sleep(struct worker *worker, uint64_t ns);
uint64_t worker_in_flight(const struct worker *worker);
/* When the worker last said that it runs, about once a second (any thread);
 * UINT64_MAX once it is done. */
uint64_t worker_alive_ns(const struct worker *worker);

struct tally_ring *worker_ring(struct worker *worker);
/* Requests of this worker's share of a stream that are intended before end_ns. */
uint64_t worker_planned_before(const struct worker *worker, size_t stream, uint64_t end_ns);
size_t worker_device(const struct worker *worker);
