/*
 * What the loop of a worker does for a request, in figures that do not depend on how busy
 * the host is:
 *
 *     bench_loop null|uring LOAD MIX [FILE]
 *
 * steps one worker through REQUESTS requests of read-load LOAD and write-load MIX, such as
 * 300x and 0x, and prints how often it stepped and read the clock. Time is made up: it goes
 * on with each reading, and to the next request where the worker would wait. So each run does
 * the same, and callgrind can count the instructions in worker_step (see loop-budget). uring
 * reads FILE, of 64 MiB, which should be allocated and never written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/run/describe.h"
#include "act/run/host.h"
#include "act/run/worker.h"
#include "act/workload/workload.h"

#define REQUESTS   20000
#define READING_NS 100 /* from one reading of the clock to the next */
#define FILE_BYTES (UINT64_C(1) << 26)

static void must(int rc, const struct error *err)
{
	if (rc == 0)
		return;
	fprintf(stderr, "bench_loop: %s\n", err->text);
	exit(1);
}

struct steady_clock {
	uint64_t now_ns;
	uint64_t readings;
};

static uint64_t steady_now(void *state)
{
	struct steady_clock *steady = state;

	steady->readings++;
	return steady->now_ns += READING_NS;
}

/* All that a worker stands on. */
struct bench {
	struct config config;
	struct workload workload;
	struct device device;
	struct tally_scale scale;
	struct worker_control control;
	struct steady_clock steady;
	struct clock clock;
	struct payload_pool *pool;
	struct worker *worker;
};

static void configure(struct bench *bench, const char *load, const char *mix)
{
	const char *const settings[][2] = {
	    {"read-load", load},
	    {"write-load", mix},
	};
	struct error err = {0};

	config_defaults(&bench->config);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		must(config_set(&bench->config, "bench", settings[i][0], settings[i][1], &err),
		     &err);
	must(config_add_device(&bench->config, "bench", "bench", &err), &err);
	must(config_check(&bench->config, &err), &err);
	must(workload_compile(&bench->config, &bench->workload, &err), &err);
	must(describe_scale(&bench->config, &bench->workload, &bench->scale, &err), &err);
	must(payload_pool_new(bench->config.compress, 1, &bench->pool, &err), &err);
}

static void open_worker(struct bench *bench, const struct io_engine_ops *ops)
{
	const struct worker_setup setup = {
	    .config = &bench->config,
	    .workload = &bench->workload,
	    .device = &bench->device,
	    .device_count = 1,
	    .stride = 1,
	    .ops = ops,
	    .clock = &bench->clock,
	    .pool = bench->pool,
	    .data_id = 1,
	    .seed = 1,
	    .scale = &bench->scale,
	    .control = &bench->control,
	    .thread_sleeps = host_thread_sleeps,
	    .thread_preemptions = host_thread_preemptions,
	};
	struct error err = {0};

	must(worker_new(&setup, &bench->worker, &err), &err);
	must(worker_open(bench->worker, NULL, &err), &err);
}

static uint64_t planned(const struct bench *bench, uint64_t end_ns)
{
	uint64_t count = 0;

	for (size_t i = 0; i < bench->workload.stream_count; i++)
		count += worker_planned_before(bench->worker, i, end_ns);
	return count;
}

/* Returns the number of steps. */
static uint64_t drive(struct bench *bench)
{
	uint64_t start_ns = bench->steady.now_ns;
	uint64_t steps = 0;

	worker_start(bench->worker, start_ns);
	for (; !worker_done(bench->worker); steps++) {
		uint64_t wake_ns = start_ns + worker_step(bench->worker);

		if (wake_ns > bench->steady.now_ns)
			bench->steady.now_ns = wake_ns;
	}
	return steps;
}

int main(int argc, char **argv)
{
	static struct bench bench;
	const struct io_engine_ops *ops = NULL;

	if (argc >= 4 && strcmp(argv[1], "null") == 0)
		ops = &io_engine_null;
	if (argc == 5 && strcmp(argv[1], "uring") == 0)
		ops = &io_engine_uring;
	if (!ops) {
		fprintf(stderr, "usage: bench_loop null|uring LOAD MIX [FILE]\n");
		return 2;
	}
	bench.steady.now_ns = NS_PER_SEC;
	bench.clock = (struct clock){steady_now, steady_now, &bench.steady};
	bench.device = (struct device){
	    .name = "bench",
	    .size_bytes = FILE_BYTES,
	    .logical_block_bytes = 512,
	    .physical_block_bytes = 512,
	    .fd = argc == 5 ? open(argv[4], O_RDONLY | O_DIRECT) : -1,
	};
	if (argc == 5 && bench.device.fd < 0) {
		fprintf(stderr, "bench_loop: %s: %s\n", argv[4], strerror(errno));
		return 1;
	}
	configure(&bench, argv[2], argv[3]);
	open_worker(&bench, ops);

	/* The time that holds so many requests. */
	uint64_t end_ns = NS_PER_SEC * REQUESTS / planned(&bench, NS_PER_SEC);
	bench.control.duration_ns = end_ns;
	atomic_store(&bench.control.end_ns, end_ns);
	uint64_t requests = planned(&bench, end_ns);
	bench.steady.readings = 0;
	uint64_t steps = drive(&bench);
	printf("requests %llu steps %llu readings %llu\n", (unsigned long long)requests,
	       (unsigned long long)steps, (unsigned long long)bench.steady.readings);
	worker_close(bench.worker);
	worker_free(bench.worker);
	payload_pool_free(bench.pool);
	return 0;
}
