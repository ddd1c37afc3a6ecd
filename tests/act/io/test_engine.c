/* The contract, for each engine alike. */
#include "act/io/engine.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/run/host.h"

#define REQUESTS 600 /* more than the engine's own queue holds */
#define LENGTH   4096

static const struct io_engine_ops *const engines[] = {&io_engine_uring, &io_engine_null,
						      &io_engine_nop, &io_engine_polled};

#define ENGINES (sizeof(engines) / sizeof(engines[0]))

/* Polling needs a drive with queues for it: one whose data may be destroyed is named
 * by the environment, or this engine is left out. */
static const char *polled_device(void)
{
	return getenv("ACTCERT_POLLED_DEVICE");
}

static size_t engine_count(void)
{
	return polled_device() ? ENGINES : ENGINES - 1;
}

struct bench {
	const struct io_engine_ops *ops;
	struct io_engine *engine;
	uint8_t *buffers;
	int fd;
};

static int make_file(void)
{
	char path[] = "engine-test.XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	return fd;
}

/* REQUESTS blocks, each filled with its own number. */
static int make_target(const struct io_engine_ops *ops)
{
	int fd = ops == &io_engine_polled
		     ? open(polled_device(), O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC)
		     : make_file();
	uint8_t *block = aligned_alloc(4096, LENGTH);

	cr_assert_geq(fd, 0);
	for (int i = 0; i < REQUESTS; i++) {
		memset(block, i % 251, LENGTH);
		cr_assert_eq(write(fd, block, LENGTH), LENGTH);
	}
	free(block);
	return fd;
}

static int set_up_on(struct bench *bench, const struct io_engine_ops *ops, int fd,
		     const cpu_set_t *helper_cpus)
{
	struct error err = {0};
	struct io_setup setup = {
	    .buffers_bytes = (size_t)REQUESTS * LENGTH,
	    .requests_max = REQUESTS,
	    .clock = clock_real(),
	};

	setup.helper_cpus = helper_cpus;
	bench->ops = ops;
	bench->fd = fd;
	bench->buffers = aligned_alloc(4096, setup.buffers_bytes);
	memset(bench->buffers, 0xee, setup.buffers_bytes);
	setup.fd = bench->fd;
	setup.buffers = bench->buffers;
	int rc = bench->ops->open(&setup, &bench->engine, &err);
	if (rc && err.status == EXIT_ENVIRONMENT)
		printf("[SKIP] %s: %s\n", ops->name, err.text);
	return rc;
}

static int set_up(struct bench *bench, const struct io_engine_ops *ops)
{
	return set_up_on(bench, ops, make_target(ops), NULL);
}

static void tear_down(struct bench *bench)
{
	if (bench->engine)
		bench->ops->close(bench->engine);
	free(bench->buffers);
	close(bench->fd);
}

static struct io_request request(const struct bench *bench, enum io_op op, uint64_t i)
{
	return (struct io_request){
	    .op = op,
	    .buffer = bench->buffers + i * LENGTH,
	    .length_bytes = LENGTH,
	    .offset_bytes = i * LENGTH,
	    .tag = 1000 + i,
	};
}

/* Issues all and reaps all; every tag must come back once with all its bytes. */
static void move_all(const struct bench *bench, enum io_op op)
{
	bool seen[REQUESTS] = {false};
	uint64_t deadline = clock_now(clock_real()) + 60 * NS_PER_SEC;
	int queued = 0;
	int reaped = 0;

	while (reaped < REQUESTS) {
		struct io_completion completions[50];

		while (queued < REQUESTS) {
			struct io_request next = request(bench, op, (uint64_t)queued);
			int rc = bench->ops->queue(bench->engine, &next);

			cr_assert(rc == 0 || rc == -EAGAIN);
			if (rc)
				break;
			queued++;
		}
		int rc = bench->ops->submit(bench->engine);
		cr_assert(rc == 0 || rc == -EAGAIN);
		bench->ops->wait(bench->engine, clock_now(clock_real()) + NS_PER_MS);
		uint32_t count = bench->ops->reap(bench->engine, completions, 50);
		cr_assert_leq(count, 50);
		for (uint32_t i = 0; i < count; i++) {
			cr_assert_eq(completions[i].result, LENGTH);
			cr_assert(!seen[completions[i].tag - 1000]);
			seen[completions[i].tag - 1000] = true;
			reaped++;
		}
		cr_assert_lt(clock_now(clock_real()), deadline);
	}
	cr_assert_eq(bench->ops->overflows(bench->engine), 0);
}

Test(engine, each_request_comes_back_once)
{
	for (size_t i = 0; i < engine_count(); i++) {
		struct bench bench = {0};

		if (set_up(&bench, engines[i]) == 0) {
			cr_assert_eq(bench.ops->probe(NULL), 0);
			move_all(&bench, IO_READ);
			move_all(&bench, IO_WRITE);
			move_all(&bench, IO_WRITE_DSYNC);
			cr_assert_gt(strlen(bench.ops->describe(bench.engine)), 0);
		}
		tear_down(&bench);
	}
}

/* Into its device and out of it. */
static void move_bytes(const struct io_engine_ops *ops)
{
	struct bench bench = {0};

	if (set_up(&bench, ops) == 0) {
		move_all(&bench, IO_READ);
		for (int i = 0; i < REQUESTS; i++) {
			cr_assert_eq(bench.buffers[i * LENGTH], i % 251);
			cr_assert_eq(bench.buffers[i * LENGTH + LENGTH - 1], i % 251);
		}
		memset(bench.buffers, 0x5a, (size_t)REQUESTS * LENGTH);
		move_all(&bench, IO_WRITE);
		uint8_t *block = aligned_alloc(4096, LENGTH);
		cr_assert_eq(pread(bench.fd, block, LENGTH, (off_t)(REQUESTS - 1) * LENGTH),
			     LENGTH);
		cr_assert_eq(block[LENGTH - 1], 0x5a);
		free(block);
	}
	tear_down(&bench);
}

Test(engine, uring_moves_the_bytes)
{
	move_bytes(&io_engine_uring);
	if (polled_device())
		move_bytes(&io_engine_polled);
}

/* A file that is not open for direct I/O takes none, on any kernel. */
Test(engine, polled_refuses_what_cannot_be_polled)
{
	uint8_t *buffers = aligned_alloc(4096, LENGTH);
	const struct io_setup setup = {
	    .fd = make_file(),
	    .buffers = buffers,
	    .buffers_bytes = LENGTH,
	    .requests_max = 1,
	    .clock = clock_real(),
	};
	struct io_engine *engine = NULL;
	struct error err = {0};

	if (io_engine_polled.probe(&err) == 0) {
		cr_expect_lt(io_engine_polled.open(&setup, &engine, &err), 0);
		cr_expect_eq(err.status, EXIT_ENVIRONMENT);
		cr_expect_not_null(strstr(err.text, "nvme.poll_queues=N"), "%s", err.text);
		cr_expect_null(engine);
	} else {
		printf("[SKIP] %s: %s\n", io_engine_polled.name, err.text);
	}
	close(setup.fd);
	free(buffers);
}

Test(engine, uring_tells_errors_and_the_end_of_the_file)
{
	struct bench bench = {0};

	if (set_up(&bench, &io_engine_uring) == 0) {
		struct io_request beyond = request(&bench, IO_READ, 0);
		struct io_completion completion = {0};

		beyond.offset_bytes = (uint64_t)REQUESTS * LENGTH;
		cr_assert_eq(bench.ops->queue(bench.engine, &beyond), 0);
		beyond.offset_bytes = UINT64_C(1) << 63; /* negative: refused by the kernel */
		beyond.tag = 7;
		cr_assert_eq(bench.ops->queue(bench.engine, &beyond), 0);
		cr_assert_eq(bench.ops->submit(bench.engine), 0);
		for (int count = 0; count < 2;) {
			bench.ops->wait(bench.engine, clock_now(clock_real()) + NS_PER_SEC);
			if (bench.ops->reap(bench.engine, &completion, 1) == 0)
				continue;
			if (completion.tag == 7)
				cr_assert_lt(completion.result, 0);
			else
				cr_assert_eq(completion.result, 0);
			count++;
		}
	}
	tear_down(&bench);
}

Test(engine, wait_ends_at_its_time)
{
	for (size_t i = 0; i < engine_count(); i++) {
		struct bench bench = {0};

		if (set_up(&bench, engines[i]) == 0) {
			uint64_t from = clock_now(clock_real());

			bench.ops->wait(bench.engine, from + 20 * NS_PER_MS);
			cr_assert_geq(clock_now(clock_real()) - from, 19 * NS_PER_MS, "%s",
				      engines[i]->name);
			/* A time that has passed does not wait. */
			bench.ops->wait(bench.engine, 0);
		}
		tear_down(&bench);
	}
}

/* How many of this process's threads are the kernel's helpers; each must be bound
 * to `cpu` alone. */
static int count_helpers(int cpu)
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *entry;
	int count = 0;

	while ((entry = readdir(tasks))) {
		char path[300];
		char name[32] = "";
		cpu_set_t set;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		FILE *file = fopen(path, "re");
		if (!file)
			continue;
		if (!fgets(name, sizeof(name), file))
			name[0] = '\0';
		fclose(file);
		if (strncmp(name, "iou-wrk", 7) != 0)
			continue;
		cr_assert_eq(sched_getaffinity(atoi(entry->d_name), sizeof(set), &set), 0);
		cr_assert(CPU_COUNT(&set) == 1 && CPU_ISSET((size_t)cpu, &set));
		count++;
	}
	closedir(tasks);
	return count;
}

/* A worker is bound to its CPU; helpers that inherited that would take its time and
 * a device without NOWAIT would look slow. */
Test(engine, helpers_of_the_kernel_run_where_they_are_told)
{
	struct bench bench = {0};
	cpu_set_t all;
	cpu_set_t own;
	cpu_set_t other;
	int last = CPU_SETSIZE - 1;
	int first = 0;

	cr_assert_eq(sched_getaffinity(0, sizeof(all), &all), 0);
	if (CPU_COUNT(&all) < 2)
		cr_skip_test("one CPU only");
	while (!CPU_ISSET((size_t)last, &all))
		last--;
	while (!CPU_ISSET((size_t)first, &all))
		first++;
	CPU_ZERO(&own);
	CPU_SET((size_t)last, &own);
	CPU_ZERO(&other);
	CPU_SET((size_t)first, &other);
	cr_assert_eq(sched_setaffinity(0, sizeof(own), &own), 0);

	/* Memory files take no NOWAIT, so that helpers are needed. */
	int fd = memfd_create("engine-test", MFD_CLOEXEC);
	cr_assert_eq(ftruncate(fd, (off_t)REQUESTS * LENGTH), 0);
	if (set_up_on(&bench, &io_engine_uring, fd, &other) == 0) {
		move_all(&bench, IO_WRITE);
		int helpers = count_helpers(first);

		cr_assert_eq((int)host_helper_threads(), helpers);
		if (helpers == 0)
			cr_log_warn("this kernel needed no helper");
	}
	tear_down(&bench);
}
