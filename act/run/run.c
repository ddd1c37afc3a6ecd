#include "act/run/run.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "act/device/smart.h"
#include "act/run/describe.h"
#include "act/run/environment.h"
#include "act/run/host.h"
#include "act/run/run_private.h"
#include "act/run/verification.h"
#include "act/workload/workload.h"

/* How often drives tell of their health. */
#define SAMPLE_EVERY_NS (60 * NS_PER_SEC)

/* A new engine is a line here. */
static const struct io_engine_ops *const engines[] = {
    [CONFIG_ENGINE_URING] = &io_engine_uring,
    [CONFIG_ENGINE_NULL] = &io_engine_null,
    [CONFIG_ENGINE_NOP] = &io_engine_nop,
};

static const struct io_engine_ops *choose_engine(const struct config *config)
{
	return config->polled ? &io_engine_polled : engines[config->engine];
}

static uint64_t random_number(void)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		number = random_mix(clock_now(clock_real()));
	return number ? number : 1;
}

static bool any_writes(const struct workload *workload, size_t device)
{
	for (size_t i = 0; i < workload->stream_count; i++)
		if (workload->streams[i].op == STREAM_WRITE &&
		    stream_is_on(&workload->streams[i], device))
			return true;
	return false;
}

/* What can be known before files are made. */
static int check_verification_early(const struct run *run, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < run->targets.count; i++)
		if (!run->config->targets[i].is_file || !run->config->fill_files)
			rc = verification_check(run->config, &run->targets.devices[i], err);
	return rc;
}

/* What makes no sense on a device of that size is told before anything is done to it. */
static int check_workers(const struct run *run, struct error *err)
{
	for (size_t i = 0; i < run->targets.count; i++) {
		const struct config_target *target = &run->config->targets[i];
		struct device device = run->targets.devices[i];
		const struct worker_setup setup = {
		    .config = run->config,
		    .workload = &run->workload,
		    .device = &device,
		    .device_index = i,
		    .stride = (uint32_t)run->config->workers_per_device,
		};

		if (target->is_file && run->config->fill_files)
			device.size_bytes = target->size_bytes; /* which it will have */
		int rc = worker_check(&setup, err);
		if (rc) {
			error_prefix(err, device.name);
			return rc;
		}
	}
	return 0;
}

int run_new(const struct run_request *request, struct run **ret, struct error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	int rc;

	if (!run)
		return error_environment(err, ENOMEM, "no memory for a run");
	run->request = *request;
	run->config = request->config;
	run->clock = clock_real();
	run->ops = choose_engine(run->config);
	run->run_id = random_number();
	run->seed = run->config->seed ? run->config->seed : random_number();
	rc = workload_compile(run->config, &run->workload, err);
	if (rc == 0)
		rc = describe_scale(run->config, &run->workload, &run->scale, err);
	if (rc)
		goto fail;
	for (size_t i = 0; i < run->config->target_count; i++)
		run->targets.writes[i] = any_writes(&run->workload, i);
	run->targets.destroy = request->destroy;
	run->targets.destroy_count = request->destroy_count;
	rc = record_check(request->out_dir, err);
	if (rc == 0)
		rc = targets_examine(&run->targets, run->config, run->ops->needs_device, err);
	if (rc == 0)
		rc = check_workers(run, err);
	if (rc == 0)
		rc = check_verification_early(run, err);
	if (rc == 0)
		rc = run->ops->probe(err);
	if (rc == 0)
		rc = payload_pool_new(run->config->compress, run->seed, &run->pool, err);
	if (rc)
		goto fail;
	*ret = run;
	return 0;
fail:
	run_free(run);
	return rc;
}

void run_free(struct run *run)
{
	if (!run || run->stuck)
		return;
	crew_join(run->crew);
	sampler_free(run->sampler);
	judge_free(run->judge);
	reporter_free(run->reporter);
	record_free(run->record);
	for (size_t i = 0; i < run->worker_count; i++)
		worker_free(run->workers[i]);
	free(run->workers);
	free(run->recent);
	targets_close(&run->targets);
	payload_pool_free(run->pool);
	run_info_release(&run->info);
	free(run);
}

bool run_missing_file(const struct run *run, size_t i, struct run_missing *ret)
{
	if (!run->ops->needs_device)
		return false;
	for (size_t j = 0; j < run->config->target_count; j++) {
		const struct config_target *target = &run->config->targets[j];

		if (!target->is_file || i-- > 0)
			continue;
		ret->path = target->path;
		ret->size_bytes = target->size_bytes;
		ret->pool = run->pool;
		ret->compress = run->config->compress;
		ret->data_id = random_number();
		return true;
	}
	return false;
}

static int make_workers(struct run *run, struct error *err)
{
	uint32_t stride = (uint32_t)run->config->workers_per_device;
	size_t count = run->targets.count * stride;

	assert(count > 0); /* config_check wants a target */
	run->workers = calloc(count, sizeof(struct worker *));
	run->recent = calloc(count, sizeof(*run->recent));
	if (!run->workers || !run->recent)
		return error_environment(err, ENOMEM, "no memory for %zu workers", count);
	for (size_t i = 0; i < count; i++) {
		const struct device *device = &run->targets.devices[i / stride];
		char not_verified[VERIFICATION_BYTES];

		verification_explain(run->config, device, not_verified);
		const struct worker_setup setup = {
		    .config = run->config,
		    .workload = &run->workload,
		    .device = device,
		    .device_index = i / stride,
		    .device_count = run->targets.count,
		    .index = (uint32_t)(i % stride),
		    .stride = stride,
		    .ops = run->ops,
		    .clock = run->clock,
		    .pool = run->pool,
		    .data_id = device->labelled ? device->label.data_id : run->run_id,
		    .verify = !not_verified[0],
		    .recent = &run->recent[i - i % stride],
		    .seed = run->seed,
		    .scale = &run->scale,
		    .control = &run->control,
		    .thread_sleeps = host_thread_sleeps,
		    .thread_preemptions = host_thread_preemptions,
		};
		int rc = worker_new(&setup, &run->workers[i], err);

		if (rc) {
			error_prefix(err, setup.device->name);
			return rc;
		}
		run->worker_count++;
	}
	return 0;
}

static int check_verification(const struct run *run, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < run->targets.count; i++)
		rc = verification_check(run->config, &run->targets.devices[i], err);
	return rc;
}

static int begin_record(struct run *run, struct error *err)
{
	struct config config = *run->config;
	int rc;

	config.seed = run->seed; /* to be had again */
	char *text = config_print(&config);
	if (!text)
		return error_environment(err, ENOMEM, "no memory for the config");
	rc = record_new(run->request.out_dir, &run->info, text, &run->record, err);
	free(text);
	return rc;
}

static int make_reporter(struct run *run, struct error *err)
{
	const struct reporter_setup setup = {
	    .workers = run->workers,
	    .worker_count = run->worker_count,
	    .device_count = run->targets.count,
	    .stream_count = run->workload.stream_count,
	    .interval_ns = run->config->interval_ns,
	    .clock = run->clock,
	    .cpu_ticks = host_cpu_ticks,
	};

	return reporter_new(&setup, &run->reporter, err);
}

/* After the crew, so that its thread keeps off the workers' CPUs, too. */
static int make_sampler(struct run *run, struct error *err)
{
	const struct sampler_setup setup = {
	    .devices = run->targets.devices,
	    .device_count = run->targets.count,
	    .clock = run->clock,
	    .ask = sampler_ask_drive,
	    .open = smart_open,
	    .period_ns = SAMPLE_EVERY_NS,
	};

	return sampler_new(&setup, &run->sampler, err);
}

static void record_environment(struct run *run)
{
	const struct facts *more = run->request.facts;

	environment_record(&run->targets, run->info.environment);
	for (size_t i = 0; more && i < more->count; i++)
		facts_add(run->info.environment, more->list[i].subject, more->list[i].key,
			  more->list[i].value);
}

int run_open(struct run *run, struct error *err)
{
	int rc = 0;

	run->control.duration_ns = run->config->duration_ns;
	atomic_store(&run->control.end_ns, run->config->duration_ns);
	if (run->ops->needs_device)
		rc = targets_open(&run->targets, run->config, err);
	if (rc == 0)
		rc = check_verification(run, err);
	if (rc == 0)
		rc = make_workers(run, err);
	if (rc == 0)
		rc = crew_open(run->workers, run->worker_count, run->config, run->clock, &run->crew,
			       err);
	if (rc)
		return rc;
	run->engine_text = worker_describe_engine(run->workers[0]);
	rc = describe_run(run->config, &run->workload, &run->targets, run->ops->name, run->run_id,
			  &run->info, err);
	if (rc == 0)
		record_environment(run);
	if (rc == 0)
		rc = make_sampler(run, err);
	if (rc == 0)
		rc = judge_new(&run->info, &run->judge, err);
	if (rc == 0)
		rc = make_reporter(run, err);
	if (rc == 0)
		rc = begin_record(run, err);
	return rc;
}

const struct run_info *run_info(const struct run *run)
{
	return &run->info;
}
