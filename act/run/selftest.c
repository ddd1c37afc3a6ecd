#include "act/run/selftest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "act/run/run.h"
#include "act/run/selftest_search.h"
#include "act/run/stop.h"
#include "act/workload/workload.h"
#include "analysis/figures.h"
#include "analysis/rules.h"
#include "analysis/share.h"

#define LEG_NS          NS_PER_SEC
#define LEG_OVERHEAD_NS (NS_PER_SEC / 5)
#define RATE_MIN        1000 /* requests/s; fewer have no 99.9th percentile in a leg */
#define READS_PER_LOAD  2000
#define LOAD_MAX        10000
#define HOST_SHARE      10 /* this host may take one part in so many of a limit */

struct selftest {
	const struct selftest_request *request;
	struct selftest_report *report;
	char directory[PATH_MAX];
	uint64_t end_ns; /* no leg begins that would last longer */
	struct error *err;
	int rc; /* of the leg that ended the search */
};

/* The leg is judged by its result as long as that lives. */
typedef void leg_judge(const struct result *result, void *state);

static uint64_t cpu_time_ns(void)
{
	struct rusage usage = {0};

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * NS_PER_SEC +
	       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * NS_PER_US;
}

static void take_leg(const struct result *result, struct selftest_leg *leg)
{
	const struct summary *shown = &result->total.streams[judge_shown_stream(result->info)];

	for (size_t i = 0; i < result->info->stream_count; i++) {
		leg->planned += result->total.streams[i].planned;
		leg->issued += result->total.streams[i].issued;
	}
	leg->lag_p50_ns = shown->p50_ns[SPAN_LAG];
	leg->lag_p99_ns = shown->p99_ns[SPAN_LAG];
	leg->lag_p999_ns = shown->p999_ns[SPAN_LAG];
	leg->lag_max_ns = shown->max_ns[SPAN_LAG];
}

static void add_hiccups(void *state, const struct interval *interval, const struct judge *judge)
{
	struct selftest_leg *leg = state;

	(void)judge;
	leg->hiccups += interval->hiccups;
	leg->hiccup_ns += interval->hiccup_ns;
	if (interval->hiccup_max_ns > leg->hiccup_max_ns)
		leg->hiccup_max_ns = interval->hiccup_max_ns;
}

static void empty_directory(const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		unlinkat(dirfd(directory), entry->d_name, 0);
	if (directory)
		closedir(directory);
}

static int run_leg(struct selftest *test, const struct config *config, struct selftest_leg *ret,
		   leg_judge *judge, void *state)
{
	const struct run_request request = {.config = config, .out_dir = test->directory};
	struct selftest_leg leg = {0};
	const struct run_observer observer = {.interval = add_hiccups, .state = &leg};
	struct run *run = NULL;
	int rc = run_new(&request, &run, test->err);

	if (rc == 0)
		rc = run_open(run, test->err);
	if (rc == 0) {
		uint64_t cpu_ns = cpu_time_ns();
		uint64_t from_ns = clock_now(clock_real());
		const struct result *result = run_execute(run, &observer);

		leg.elapsed_ns = clock_now(clock_real()) - from_ns;
		leg.cpu_ns = cpu_time_ns() - cpu_ns;
		take_leg(result, &leg);
		if (judge)
			judge(result, state);
		*ret = leg;
	}
	run_free(run);
	empty_directory(test->directory);
	return rc;
}

/* Reads alone, for all workers together; nothing of it depends on limits. */
static void rate_config(const struct config *asked, uint64_t per_worker, struct config *ret)
{
	*ret = *asked;
	ret->target_count = 1;
	ret->workload = CONFIG_WORKLOAD_STORAGE;
	ret->scale = ratio_make(1, 1);
	ret->phase_count = 0;
	ret->read_load = ratio_make(per_worker * asked->workers_per_device, READS_PER_LOAD);
	ret->write_load = (struct ratio){0, 1};
	ret->tomb_raider = false;
	ret->judged_count = 0;
	ret->duration_ns = LEG_NS;
	ret->slice_ns = LEG_NS;
	ret->interval_ns = LEG_NS;
}

/* 1 when the rate was issued exactly. Good ones come in rising order. */
static int take_measurement(struct selftest_report *report, uint64_t rate,
			    const struct selftest_leg *leg)
{
	bool exact = leg->lag_p999_ns <= SELFTEST_LAG_NS &&
		     share_compare(leg->issued, leg->planned, rules_issued_min) >= 0;
	bool nearer = report->legs == 0 || leg->lag_p999_ns < report->leg.lag_p999_ns;

	report->legs++;
	if (exact || (!report->exact && nearer)) {
		report->per_sec = rate;
		report->leg = *leg;
	}
	report->exact |= exact;
	return exact;
}

static int measure_rate(void *state, uint64_t rate)
{
	struct selftest *test = state;
	struct selftest_leg leg;
	struct config config;

	if (stop_signal() || clock_now(clock_real()) + LEG_NS + LEG_OVERHEAD_NS > test->end_ns)
		return -ETIME;
	rate_config(test->request->config, rate, &config);
	test->rc = run_leg(test, &config, &leg, NULL, NULL);
	if (test->rc)
		return test->rc;
	return take_measurement(test->report, rate, &leg);
}

static void judge_asked(const struct result *result, void *state)
{
	struct selftest_report *report = state;

	report->certifiable = selftest_judge(result, report->reason);
}

/* A third of the time, in whole intervals; of phases, the hardest. */
static int test_asked(struct selftest *test)
{
	struct config config;
	uint64_t seconds = test->request->duration_ns / 3 / NS_PER_SEC;
	int rc = workload_hardest_phase(test->request->config, (seconds ? seconds : 1) * NS_PER_SEC,
					&config, test->err);

	if (rc)
		return rc;
	config.slice_ns = config.duration_ns;
	config.interval_ns = NS_PER_SEC;
	config.max_lag_ns = 0;
	return run_leg(test, &config, &test->report->asked, judge_asked, test->report);
}

static void search_highest(struct selftest *test)
{
	const struct config *config = test->request->config;
	const struct selftest_leg *asked = &test->report->asked;
	uint64_t workers = config->workers_per_device * config->target_count;
	uint64_t seconds = asked->elapsed_ns / NS_PER_SEC;
	uint64_t start = asked->planned / (seconds ? seconds : 1) / workers;
	uint64_t max = (uint64_t)LOAD_MAX * READS_PER_LOAD / config->workers_per_device;
	const struct selftest_search search = {
	    .start = start < RATE_MIN ? RATE_MIN : (start > max ? max : start),
	    .min = RATE_MIN,
	    .max = max,
	    .measure = measure_rate,
	    .state = test,
	};

	selftest_search(&search);
}

int selftest(const struct selftest_request *request, struct selftest_report *ret, struct error *err)
{
	const char *folder = getenv("TMPDIR");
	struct selftest_report report = {0};
	struct selftest test = {.request = request, .report = &report, .err = err};

	snprintf(test.directory, sizeof(test.directory), "%s/actcert-selftest.XXXXXX",
		 folder && folder[0] ? folder : "/tmp");
	test.end_ns = clock_now(clock_real()) + request->duration_ns;
	if (!mkdtemp(test.directory))
		return error_environment(err, errno, "%s: cannot be made: %s", test.directory,
					 strerror(errno));
	test.rc = test_asked(&test);
	if (test.rc == 0)
		search_highest(&test);
	rmdir(test.directory);
	if (test.rc)
		return test.rc;
	report.signal = stop_signal();
	*ret = report;
	return 0;
}

/* Of a limit, what this host alone takes. */
struct part {
	size_t stream;
	size_t criterion;
	struct ratio limit;
	struct excess excess;
};

/* The largest, of all judged streams and their limits. */
static struct part largest_part(const struct result *result)
{
	const struct run_info *info = result->info;
	struct part largest = {
	    .stream = judge_shown_stream(info),
	    .limit = info->criteria[0].limit,
	    .excess = {0, 1},
	};

	for (size_t i = 0; i < info->stream_count; i++) {
		const struct summary *sums = &result->total.streams[i];

		for (size_t j = 0; judge_is_judged(info, i) && j < info->criterion_count; j++) {
			struct part part = {.stream = i, .criterion = j};

			if (!judge_limit(info, i, j, &part.limit))
				continue;
			part.excess = share_excess(sums->over[j], summary_total(sums), part.limit);
			if (excess_compare(part.excess, largest.excess) > 0)
				largest = part;
		}
	}
	return largest;
}

bool selftest_judge(const struct result *result, char ret_reason[static 2 * REASON_BYTES])
{
	const struct run_info *info = result->info;
	char share[FIGURE_BYTES];
	char threshold[FIGURE_BYTES];
	char limit[FIGURE_BYTES];
	const struct part part = largest_part(result);
	const struct summary *sums = &result->total.streams[part.stream];
	uint64_t threshold_ns = info->criteria[part.criterion].threshold_ns;
	bool good =
	    info->stress || excess_compare(part.excess, (struct excess){1, HOST_SHARE}) <= 0;

	if (result->verdict != VERDICT_PASS) {
		snprintf(ret_reason, 2 * REASON_BYTES, "without any I/O, %s", result->reason);
		return false;
	}
	if (info->stress) {
		snprintf(ret_reason, 2 * REASON_BYTES, "the whole load was issued");
		return true;
	}
	snprintf(ret_reason, 2 * REASON_BYTES,
		 "%sthis host alone puts %s %% of %s over %s, %s a tenth of the limit of %s",
		 good ? "the whole load was issued, and " : "",
		 figure_share(share, sums->over[part.criterion], summary_total(sums), NULL),
		 info->streams[part.stream].name, figure_duration(threshold, threshold_ns, 7),
		 good ? "at most" : "more than", figure_limit(limit, part.limit));
	return good;
}

void selftest_record(const struct selftest_report *report, struct facts *facts)
{
	const struct selftest_leg *asked = &report->asked;
	const struct {
		const char *key;
		uint64_t value;
	} numbers[] = {
	    {"selftest_certifiable", report->certifiable},
	    {"selftest_planned", asked->planned},
	    {"selftest_issued", asked->issued},
	    {"selftest_lag_p50_ns", asked->lag_p50_ns},
	    {"selftest_lag_p99_ns", asked->lag_p99_ns},
	    {"selftest_lag_p999_ns", asked->lag_p999_ns},
	    {"selftest_lag_max_ns", asked->lag_max_ns},
	    {"selftest_hiccups", asked->hiccups},
	    {"selftest_hiccup_max_ns", asked->hiccup_max_ns},
	    {"selftest_cpu_ns", asked->cpu_ns},
	    {"selftest_elapsed_ns", asked->elapsed_ns},
	    {"selftest_exact_per_sec", report->exact ? report->per_sec : 0},
	};

	facts_add(facts, FACTS_HOST, "selftest", report->reason);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		facts_add_number(facts, FACTS_HOST, numbers[i].key, numbers[i].value);
}
