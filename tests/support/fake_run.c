#include "tests/support/fake_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/run/describe.h"
#include "act/run/reporter.h"
#include "act/workload/workload.h"

static struct fake_world *world_of_thread; /* for thread_sleeps, which has no argument */

static uint64_t fake_sleeps(void)
{
	return world_of_thread->sleeps;
}

static void must(int rc, const struct error *err)
{
	if (rc == 0)
		return;
	fprintf(stderr, "fake run: %s\n", err->text);
	abort();
}

void fake_run_init(struct fake_run *run, fake_script *script, void *script_state)
{
	struct error err = {0};

	memset(run, 0, sizeof(*run));
	fake_world_init(&run->world, script, script_state);
	config_defaults(&run->config);
	must(config_set(&run->config, "test", "write-load", "0x", &err), &err);
	must(config_add_device(&run->config, "test", "/dev/fake", &err), &err);
	run->config.seed = 1;
	run->device = (struct device){
	    .name = "/dev/fake",
	    .size_bytes = UINT64_C(1) << 30,
	    .logical_block_bytes = 512,
	    .physical_block_bytes = 512,
	    .fd = -1,
	};
	run->end.reason = END_COMPLETED;
}

static void collect(struct fake_run *run, struct reporter *reporter, struct log_writer *log)
{
	const struct interval *interval;
	const struct request_error *errors;

	while (reporter_collect(reporter, atomic_load(&run->control.end_ns), &interval)) {
		size_t count = reporter_errors(reporter, &errors);

		for (size_t i = 0; log && i < count; i++)
			log_write_error(log, &errors[i]);
		if (log)
			log_write_interval(log, interval);
		if (run->on_interval)
			run->on_interval(run, interval);
		judge_interval(run->judge, interval);
		run->intervals++;
	}
}

/* Waits as a worker's thread does; a pause comes on top of it. */
static void advance(struct fake_run *run, struct worker *worker, uint64_t start_ns,
		    uint64_t wake_ns)
{
	struct fake_world *world = &run->world;

	if (start_ns + wake_ns > world->now_ns)
		worker_wait(worker, wake_ns);
	else
		world->now_ns += 100; /* a round takes no time here, so something must */
	if (run->thread_pause_ns && world->now_ns >= start_ns + run->thread_pause_at_ns) {
		world->now_ns += run->thread_pause_ns;
		run->thread_pause_ns = 0;
	}
}

static void drive(struct fake_run *run, struct worker *worker, struct reporter *reporter,
		  struct log_writer *log)
{
	uint64_t start_ns = run->world.now_ns + 777;

	worker_start(worker, start_ns);
	run->world.now_ns = start_ns;
	while (!worker_done(worker)) {
		uint64_t wake_ns = worker_step(worker);

		collect(run, reporter, log);
		if (atomic_load(&run->control.lost_device) && run->end.reason == END_COMPLETED) {
			run->end.reason = END_DEVICE_LOST;
			atomic_store(&run->control.end_ns, run->world.now_ns - start_ns);
		}
		advance(run, worker, start_ns, wake_ns);
	}
	collect(run, reporter, log);
	run->end.at_ns = atomic_load(&run->control.end_ns);
}

static struct worker *make_worker(struct fake_run *run)
{
	struct error err = {0};
	struct worker *worker = NULL;
	struct targets targets = {.count = run->config.target_count};

	for (size_t i = 0; i < targets.count; i++)
		targets.devices[i] = run->device;
	must(config_check(&run->config, &err), &err);
	must(workload_compile(&run->config, &run->workload, &err), &err);
	must(describe_run(&run->config, &run->workload, &targets, "fake", 42, &run->info, &err),
	     &err);
	must(describe_scale(&run->config, &run->workload, &run->scale, &err), &err);
	must(payload_pool_new(run->config.compress, 1, &run->pool, &err), &err);
	run->control.duration_ns = run->config.duration_ns;
	atomic_store(&run->control.end_ns, run->config.duration_ns);
	const struct worker_setup setup = {
	    .config = &run->config,
	    .workload = &run->workload,
	    .device = &run->device,
	    .device_index = run->device_number,
	    .device_count = targets.count,
	    .index = run->worker,
	    .stride = run->workers ? run->workers : 1,
	    .ops = &fake_engine,
	    .clock = &run->world.clock,
	    .pool = run->pool,
	    .data_id = FAKE_DATA_ID,
	    .verify = run->verify,
	    .recent = run->recent,
	    .seed = 1,
	    .scale = &run->scale,
	    .control = &run->control,
	    .thread_sleeps = fake_sleeps,
	    .thread_preemptions = fake_sleeps,
	};
	must(worker_new(&setup, &worker, &err), &err);
	must(worker_open(worker, NULL, &err), &err);
	return worker;
}

static void unknown_ticks(struct host_ticks *ret)
{
	*ret = (struct host_ticks){0};
}

void fake_run_go(struct fake_run *run)
{
	struct error err = {0};
	struct reporter *reporter = NULL;
	struct log_writer *log = NULL;

	world_of_thread = &run->world;
	struct worker *worker = make_worker(run);
	const struct reporter_setup setup = {
	    .workers = &worker,
	    .worker_count = 1,
	    .device_count = run->config.target_count,
	    .stream_count = run->workload.stream_count,
	    .interval_ns = run->config.interval_ns,
	    .clock = &run->world.clock,
	    .cpu_ticks = unknown_ticks,
	};
	must(reporter_new(&setup, &reporter, &err), &err);
	must(judge_new(&run->info, &run->judge, &err), &err);
	if (run->log_file)
		must(log_writer_new(run->log_file, &run->info, &log, &err), &err);
	drive(run, worker, reporter, log);
	if (log)
		log_write_end(log, &run->end);
	run->result = judge_finish(run->judge, &run->end);
	log_writer_free(log);
	reporter_free(reporter);
	worker_close(worker);
	worker_free(worker);
}

void fake_run_release(struct fake_run *run)
{
	judge_free(run->judge);
	payload_pool_free(run->pool);
	run_info_release(&run->info);
}
