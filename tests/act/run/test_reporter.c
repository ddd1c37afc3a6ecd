/* Pages handed over by hand: workers that never run. */
#include "act/run/reporter.h"

#include <criterion/criterion.h>
#include <errno.h>

#include "act/base/clock.h"
#include "act/workload/workload.h"
#include "tests/support/fake_world.h"

#define WORKERS 2

struct scene {
	struct fake_world world;
	struct config config;
	struct workload workload;
	struct device device;
	struct tally_scale scale;
	struct worker_control control;
	struct worker *workers[WORKERS];
	struct reporter *reporter;
	uint64_t end_ns;
};

static void some_ticks(struct host_ticks *ret)
{
	*ret = (struct host_ticks){.idle = 50, .total = 200};
}

static uint64_t no_sleeps(void)
{
	return 0;
}

/* Two workers share 1x reads on one device. */
static void scene_init(struct scene *scene)
{
	struct error err = {0};

	*scene = (struct scene){
	    .device = {.name = "/dev/fake", .size_bytes = 1 << 30, .logical_block_bytes = 512},
	    .scale = {.power_unit_ns = NS_PER_MS},
	    .end_ns = 100 * NS_PER_SEC,
	};
	fake_world_init(&scene->world, NULL, NULL);
	config_defaults(&scene->config);
	cr_assert_eq(config_set(&scene->config, "test", "write-load", "0x", &err), 0);
	cr_assert_eq(workload_compile(&scene->config, &scene->workload, &err), 0);
	for (uint32_t i = 0; i < WORKERS; i++) {
		const struct worker_setup setup = {
		    .config = &scene->config,
		    .workload = &scene->workload,
		    .device = &scene->device,
		    .device_count = 1,
		    .index = i,
		    .stride = WORKERS,
		    .ops = &fake_engine,
		    .clock = &scene->world.clock,
		    .scale = &scene->scale,
		    .control = &scene->control,
		    .thread_sleeps = no_sleeps,
		    .thread_preemptions = no_sleeps,
		};
		cr_assert_eq(worker_new(&setup, &scene->workers[i], &err), 0, "%s", err.text);
	}
	const struct reporter_setup setup = {
	    .workers = scene->workers,
	    .worker_count = WORKERS,
	    .device_count = 1,
	    .stream_count = 1,
	    .interval_ns = NS_PER_SEC,
	    .clock = &scene->world.clock,
	    .cpu_ticks = some_ticks,
	};
	cr_assert_eq(reporter_new(&setup, &scene->reporter, &err), 0);
}

static void scene_release(struct scene *scene)
{
	reporter_free(scene->reporter);
	for (size_t i = 0; i < WORKERS; i++)
		worker_free(scene->workers[i]);
}

/* The worker's page of these intervals, with so many requests issued. */
static struct tally_page *hand_over(struct scene *scene, size_t worker, uint64_t first,
				    uint64_t last, uint64_t issued)
{
	struct tally_ring *ring = worker_ring(scene->workers[worker]);
	struct tally_page *page = tally_ring_page(ring);

	page->first = first;
	page->last = last;
	page->tallies[0].issued = issued;
	cr_assert(tally_ring_hand_over(ring));
	return page;
}

static const struct interval *collect(struct scene *scene)
{
	const struct interval *interval = NULL;

	return reporter_collect(scene->reporter, scene->end_ns, &interval) ? interval : NULL;
}

Test(reporter, waits_for_all_workers_and_adds_them_up)
{
	struct scene scene;

	scene_init(&scene);
	cr_assert_null(collect(&scene));
	hand_over(&scene, 0, 0, 0, 700);
	cr_assert_null(collect(&scene));
	hand_over(&scene, 1, 0, 0, 1300);
	const struct interval *interval = collect(&scene);
	cr_assert_not_null(interval);
	cr_assert_eq(interval->number, 0);
	cr_assert_eq(interval->end_ns, NS_PER_SEC);
	cr_assert_eq(interval_tally(interval, 0, 0)->issued, 2000);
	cr_assert_eq(interval_tally(interval, 0, 0)->planned, 2000);
	cr_assert(!interval->late);
	cr_assert_null(collect(&scene));
	cr_assert(!reporter_finished(scene.reporter));
	scene_release(&scene);
}

Test(reporter, a_worker_that_did_not_run_leaves_empty_intervals)
{
	struct scene scene;

	scene_init(&scene);
	for (uint64_t k = 0; k < 3; k++)
		hand_over(&scene, 0, k, k, 1000);
	/* It was stopped in interval 0 and came back in interval 3. */
	hand_over(&scene, 1, 0, 2, 400)->tallies[0].backlog_host = 2600;
	static const uint64_t issued[] = {1400, 1000, 1000};
	for (uint64_t k = 0; k < 3; k++) {
		const struct interval *interval = collect(&scene);

		cr_assert_not_null(interval);
		cr_assert_eq(interval->number, k);
		cr_assert_eq(interval_tally(interval, 0, 0)->issued, issued[k]);
		cr_assert_eq(interval_tally(interval, 0, 0)->planned, 2000);
		cr_assert_eq(interval_tally(interval, 0, 0)->backlog_host, 2600);
	}
	cr_assert_null(collect(&scene));
	scene_release(&scene);
}

Test(reporter, ends_with_the_final_pages_at_the_end_of_the_run)
{
	struct scene scene;

	scene_init(&scene);
	scene.end_ns = NS_PER_SEC / 4;
	for (size_t i = 0; i < WORKERS; i++) {
		tally_ring_page(worker_ring(scene.workers[i]))->final = true;
		hand_over(&scene, i, 0, 0, 250);
	}
	const struct interval *interval = collect(&scene);
	cr_assert_not_null(interval);
	cr_assert_eq(interval->end_ns, scene.end_ns);
	cr_assert_eq(interval_tally(interval, 0, 0)->planned, 500);
	cr_assert(reporter_finished(scene.reporter));
	cr_assert_null(collect(&scene));
	scene_release(&scene);
}

Test(reporter, tells_late_pages_overflows_errors_and_jumps_of_the_clock)
{
	struct scene scene;
	const struct request_error *errors;

	scene_init(&scene);
	struct tally_page *page = tally_ring_page(worker_ring(scene.workers[0]));
	page->late = true;
	page->queue_overflows = 3;
	page->error_count = 2 * PAGE_ERRORS;
	page->errors[PAGE_ERRORS - 1].code = EIO;
	hand_over(&scene, 0, 0, 0, 1);
	hand_over(&scene, 1, 0, 0, 1);
	scene.world.boot_ahead_ns = 5 * NS_PER_SEC; /* suspended meanwhile */
	const struct interval *interval = collect(&scene);
	cr_assert_not_null(interval);
	cr_assert(interval->late);
	cr_assert_eq(interval->queue_overflows, 3);
	cr_assert_eq(interval->clock_jump_ns, 5 * (int64_t)NS_PER_SEC);
	cr_assert_eq(interval->cpu_total_ticks, 0); /* the difference of two looks */
	cr_assert_eq(reporter_errors(scene.reporter, &errors), PAGE_ERRORS);
	cr_assert_eq(errors[PAGE_ERRORS - 1].code, EIO);
	hand_over(&scene, 0, 1, 1, 1);
	hand_over(&scene, 1, 1, 1, 1);
	interval = collect(&scene);
	cr_assert_not_null(interval);
	cr_assert(!interval->late);
	cr_assert_eq(interval->clock_jump_ns, 0);
	cr_assert_eq(reporter_errors(scene.reporter, &errors), 0);
	scene_release(&scene);
}
