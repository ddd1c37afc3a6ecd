#pragma once
#include "act/config/config.h"
#include "act/run/worker.h"
#include "analysis/judge.h"
#include "analysis/log.h"
#include "tests/support/fake_world.h"

/*
 * A whole run of one worker in a fake world: worker, reporter, log and judge as
 * in a real one, but in one thread and in no time.
 */

#define FAKE_DATA_ID     42
#define FAKE_WORKERS_MAX 2

struct fake_run {
	struct fake_world world;
	struct config config;
	struct workload workload;
	struct device device;
	struct run_info info;
	struct tally_scale scale;
	struct worker_control control;
	struct run_end end; /* to be judged by */
	const struct result *result;
	FILE *log_file;              /* may be set: the log is written to it */
	uint64_t thread_pause_at_ns; /* the worker is not run from then on, ... */
	uint64_t thread_pause_ns;    /* ... for so long; 0: never */
	uint64_t intervals;
	/* Called for each interval, if set. */
	void (*on_interval)(struct fake_run *run, const struct interval *interval);
	void *user;           /* for on_interval */
	bool verify;          /* what is read is checked; data_id is FAKE_DATA_ID */
	uint32_t workers;     /* of the device, of which one is run; 0: one */
	uint32_t worker;      /* its number */
	size_t device_number; /* of its device among those of the config, which are all alike */
	struct recent_writes recent[FAKE_WORKERS_MAX]; /* the test makes those of others */
	struct judge *judge;                           /* private */
	struct payload_pool *pool;
};

/* Defaults, 1x reads and no writes, one made-up device of 1 GiB; change
 * `config` as you like before the start. */
void fake_run_init(struct fake_run *run, fake_script *script, void *script_state);
/* Runs to the end and judges. Aborts on an error. */
void fake_run_go(struct fake_run *run);
void fake_run_release(struct fake_run *run);
