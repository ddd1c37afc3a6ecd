#include "act/run/reporter.h"

#include <errno.h>
#include <stdlib.h>

#define ERRORS_MAX 100 /* described per interval, over all workers; the log takes no more */

/* What the reporter knows of one worker. */
struct source {
	struct worker *worker;
	uint64_t covered; /* intervals below this number are collected */
	bool final;
	uint64_t planned[STREAMS_MAX]; /* intended before the last collected interval's end */
	uint64_t backlog_device[STREAMS_MAX];
	uint64_t backlog_host[STREAMS_MAX];
};

struct reporter {
	struct reporter_setup setup;
	struct source *sources; /* [setup.worker_count] */
	uint64_t next;          /* number of the next interval */
	struct interval interval;
	struct request_error errors[ERRORS_MAX];
	size_t error_count;
	struct host_ticks ticks; /* at the last interval's end */
	uint64_t boot_ahead_ns;  /* boot clock minus monotonic clock, likewise */
};

int reporter_new(const struct reporter_setup *setup, struct reporter **ret, struct error *err)
{
	struct reporter *reporter = calloc(1, sizeof(*reporter));

	if (reporter)
		reporter->sources = calloc(setup->worker_count, sizeof(*reporter->sources));
	if (!reporter || !reporter->sources ||
	    interval_init(&reporter->interval, setup->device_count, setup->stream_count)) {
		reporter_free(reporter);
		return error_environment(err, ENOMEM, "no memory for the reporter");
	}
	reporter->setup = *setup;
	for (size_t i = 0; i < setup->worker_count; i++)
		reporter->sources[i].worker = setup->workers[i];
	reporter->boot_ahead_ns = clock_boot(setup->clock) - clock_now(setup->clock);
	setup->cpu_ticks(&reporter->ticks);
	*ret = reporter;
	return 0;
}

void reporter_free(struct reporter *reporter)
{
	if (!reporter)
		return;
	interval_release(&reporter->interval);
	free(reporter->sources);
	free(reporter);
}

static bool all_handed_over(const struct reporter *reporter)
{
	for (size_t i = 0; i < reporter->setup.worker_count; i++) {
		const struct source *source = &reporter->sources[i];

		if (!source->final && source->covered <= reporter->next &&
		    !tally_ring_peek(worker_ring(source->worker)))
			return false;
	}
	return true;
}

static void take_errors(struct reporter *reporter, const struct tally_page *page)
{
	uint32_t described = page->error_count < PAGE_ERRORS ? page->error_count : PAGE_ERRORS;

	for (uint32_t i = 0; i < described && reporter->error_count < ERRORS_MAX; i++)
		reporter->errors[reporter->error_count++] = page->errors[i];
}

static void take_page(struct reporter *reporter, struct source *source)
{
	struct tally_ring *ring = worker_ring(source->worker);
	const struct tally_page *page = tally_ring_peek(ring);
	size_t device = worker_device(source->worker);

	for (size_t i = 0; i < reporter->setup.stream_count; i++) {
		struct tally *tally = interval_tally(&reporter->interval, device, i);

		tally_merge(tally, &page->tallies[i]);
		source->backlog_device[i] = page->tallies[i].backlog_device;
		source->backlog_host[i] = page->tallies[i].backlog_host;
	}
	reporter->interval.queue_overflows += page->queue_overflows;
	reporter->interval.late |= page->late;
	reporter->interval.hiccups += page->hiccups;
	reporter->interval.hiccup_ns += page->hiccup_ns;
	if (page->hiccup_max_ns > reporter->interval.hiccup_max_ns)
		reporter->interval.hiccup_max_ns = page->hiccup_max_ns;
	reporter->interval.involuntary_switches += page->involuntary_switches;
	take_errors(reporter, page);
	source->covered = page->last + 1;
	source->final = page->final;
	tally_ring_give_back(ring, reporter->setup.stream_count);
}

/* What was planned follows from the schedule alone; the backlogs are those that
 * the worker's last page told. */
static void add_plan(struct reporter *reporter, struct source *source, uint64_t upto_ns, bool taken)
{
	size_t device = worker_device(source->worker);

	for (size_t i = 0; i < reporter->setup.stream_count; i++) {
		struct tally *tally = interval_tally(&reporter->interval, device, i);
		uint64_t planned = worker_planned_before(source->worker, i, upto_ns);

		tally->planned += planned - source->planned[i];
		source->planned[i] = planned;
		if (!taken) {
			tally->backlog_device += source->backlog_device[i];
			tally->backlog_host += source->backlog_host[i];
		}
	}
}

static void add_host(struct reporter *reporter)
{
	struct interval *interval = &reporter->interval;
	struct host_ticks ticks;
	uint64_t ahead_ns = clock_boot(reporter->setup.clock) - clock_now(reporter->setup.clock);

	reporter->setup.cpu_ticks(&ticks);
	interval->cpu_idle_ticks = ticks.idle - reporter->ticks.idle;
	interval->cpu_total_ticks = ticks.total - reporter->ticks.total;
	interval->steal_ticks = ticks.steal - reporter->ticks.steal;
	interval->clock_jump_ns = (int64_t)(ahead_ns - reporter->boot_ahead_ns);
	interval->helper_threads = host_helper_threads();
	reporter->ticks = ticks;
	reporter->boot_ahead_ns = ahead_ns;
}

bool reporter_collect(struct reporter *reporter, uint64_t end_ns,
		      const struct interval **ret_interval)
{
	struct interval *interval = &reporter->interval;

	if (reporter_finished(reporter) || !all_handed_over(reporter))
		return false;
	interval_clear(interval);
	reporter->error_count = 0;
	interval->number = reporter->next;
	interval->start_ns = reporter->next * reporter->setup.interval_ns;
	interval->end_ns = interval->start_ns + reporter->setup.interval_ns;
	if (interval->end_ns > end_ns)
		interval->end_ns = end_ns > interval->start_ns ? end_ns : interval->start_ns;
	for (size_t i = 0; i < reporter->setup.worker_count; i++) {
		struct source *source = &reporter->sources[i];
		bool take = !source->final && source->covered <= reporter->next;

		if (take)
			take_page(reporter, source);
		add_plan(reporter, source, interval->end_ns, take);
	}
	add_host(reporter);
	reporter->next++;
	*ret_interval = interval;
	return true;
}

size_t reporter_errors(const struct reporter *reporter, const struct request_error **ret_errors)
{
	*ret_errors = reporter->errors;
	return reporter->error_count;
}

bool reporter_finished(const struct reporter *reporter)
{
	for (size_t i = 0; i < reporter->setup.worker_count; i++)
		if (!reporter->sources[i].final || reporter->sources[i].covered > reporter->next)
			return false;
	return true;
}
