#include "analysis/linearity_job.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/build_linearity.h"

#define SET(array, text) snprintf(array, sizeof(array), "%s", text)

/* Changes the run together, which had the same job as the one alone. */
typedef void change_job(struct run_info *together);

static void other_rate(struct run_info *together)
{
	together->streams[BUILD_READS].per_sec = (struct ratio){60000, 1};
}

static void other_rate_of_writes(struct run_info *together)
{
	together->streams[BUILD_LARGE_WRITES].per_sec = (struct ratio){2000, 3};
}

static void other_stream(struct run_info *together)
{
	SET(together->streams[BUILD_LARGE_WRITES].name, "writes");
}

static void other_operation(struct run_info *together)
{
	together->streams[BUILD_LARGE_READS].is_write = true;
}

static void not_on_the_second_device(struct run_info *together)
{
	together->streams[BUILD_LARGE_READS].devices = 1;
}

static void judged_writes(struct run_info *together)
{
	SET(together->judged[0], "large-block-writes");
}

static void stress(struct run_info *together)
{
	together->stress = true;
}

static void nothing(struct run_info *together)
{
	(void)together;
}

static void other_slice(struct run_info *together)
{
	together->slice_ns = 15 * NS_PER_SEC;
}

static void other_duration(struct run_info *together)
{
	together->duration_ns = 31 * NS_PER_SEC;
}

static void other_engine(struct run_info *together)
{
	SET(together->engine, "nop");
}

static void other_arrivals(struct run_info *together)
{
	SET(together->arrivals, "poisson");
}

static void other_host(struct run_info *together)
{
	SET(together->host, "elsewhere");
}

static void other_sizes(struct run_info *together)
{
	together->streams[BUILD_READS].size_min_bytes = 1024;
	together->streams[BUILD_READS].size_max_bytes = 4096;
}

static void other_limits(struct run_info *together)
{
	together->criterion_count = 1;
	together->criteria[0].limit = (struct ratio){1, 10};
}

static void own_limits(struct run_info *together)
{
	together->streams[BUILD_READS].criteria[0] = together->criteria[1];
	together->streams[BUILD_READS].criterion_count = 1;
}

static void verified(struct run_info *together)
{
	together->devices[1].verified = true;
}

/* The run alone stands for both devices of the run together. */
static int compare(change_job *change, struct build_run runs[2], struct linearity *ret,
		   struct error *err)
{
	struct linearity_run results[2];

	runs[0] = (struct build_run){.log = "a.log", .device_count = 1};
	runs[1] = (struct build_run){.log = "all.log", .device_count = 2};
	build_runs_init(runs, 2);
	change(&runs[1].info);
	build_runs_judge(runs, 2, results);
	return linearity_compare(results, 2, ret, err);
}

Test(linearity_job, another_job_is_refused)
{
	static const struct {
		change_job *change;
		const char *part;
	} cases[] = {
	    {other_rate, "reads: 1000/s and 60000/s for each device"},
	    {other_rate_of_writes, "large-block-writes: 1000/s and 666.6666667/s for each device"},
	    {other_stream, "writes: only the second has such a stream, on /dev/a"},
	    {other_operation, "large-block-reads: only the second has such a stream"},
	    {not_on_the_second_device, "large-block-reads: only the first has such a stream; not "
				       "the second on /dev/b"},
	    {judged_writes, "reads: judged in only one of them"},
	    {stress, "only the second is a stress run"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct linearity linearity = {.device_count = 77};
		struct build_run runs[2];
		struct error err = {.text = ""};

		cr_expect_lt(compare(cases[i].change, runs, &linearity, &err), 0, "case %zu", i);
		cr_expect_eq(err.status, EXIT_USAGE);
		cr_expect_eq(linearity.device_count, 77);
		cr_expect_eq(strncmp(err.text, "a.log and all.log did not have the same job: ", 45),
			     0, "%s", err.text);
		cr_expect_not_null(strstr(err.text, cases[i].part), "case %zu: %s", i, err.text);
		build_runs_release(runs, 2);
	}
}

Test(linearity_job, what_leaves_the_comparison_its_sense_is_told)
{
	static const struct {
		change_job *change;
		const char *what; /* NULL: nothing */
		const char *alone;
		const char *together;
	} cases[] = {
	    {nothing, NULL, NULL, NULL},
	    {other_slice, "slice", "10s", "15s"},
	    {other_duration, "duration", "30s", "31s"},
	    {other_engine, "engine", "null", "nop"},
	    {other_arrivals, "arrivals", "uniform", "poisson"},
	    {other_host, "host", "testhost", "elsewhere"},
	    {other_sizes, "sizes of reads", "1536B", "1KiB..4KiB"},
	    {other_limits, "limits", "5 % over 1ms, 1 % over 8ms, 0.1 % over 64ms",
	     "10 % over 1ms"},
	    {own_limits, "limits of reads", "none", "1 % over 8ms"},
	    {verified, "verification of /dev/b", "off", "on"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct linearity linearity;
		struct build_run runs[2];
		struct error err;

		cr_assert_eq(compare(cases[i].change, runs, &linearity, &err), 0, "%s", err.text);
		/* Once, although two devices have it. */
		cr_assert_eq(linearity.difference_count, cases[i].what != NULL, "case %zu: %zu", i,
			     linearity.difference_count);
		if (cases[i].what) {
			const struct linearity_difference *one = &linearity.differences[0];

			cr_expect_eq(one->alone, 0);
			cr_expect_str_eq(one->what, cases[i].what);
			cr_expect_str_eq(one->in_alone, cases[i].alone);
			cr_expect_str_eq(one->in_together, cases[i].together);
		}
		linearity_release(&linearity);
		build_runs_release(runs, 2);
	}
}

static struct ratio phase_rates[BUILD_STREAMS] = {{1, 1}, {1, 1}, {1, 1}};
static struct info_phase phase = {
    .name = "steady", .end_ns = NS_PER_SEC, .judged = true, .per_sec = phase_rates};

Test(linearity_job, phases_are_compared_one_by_one)
{
	static const struct {
		uint64_t end_ns;
		bool judged;
		struct ratio reads;
		size_t count;
		const char *part; /* NULL: the same */
	} cases[] = {
	    {NS_PER_SEC, true, {1, 1}, 1, NULL},
	    {2 * NS_PER_SEC, true, {1, 1}, 1, "phase 1 (steady, steady) has other times"},
	    {NS_PER_SEC, false, {1, 1}, 1, "phase 1 (steady, steady) has other times"},
	    {NS_PER_SEC, true, {5, 2}, 1, "steady: reads: 1/s and 2.5/s for each device"},
	    {NS_PER_SEC, true, {1, 1}, 0, "1 and 0 phases"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct build_run runs[2] = {{.log = "a.log", .device_count = 1},
					    {.log = "all.log", .device_count = 2}};
		struct ratio rates[BUILD_STREAMS] = {cases[i].reads, {1, 1}, {1, 1}};
		struct info_phase other = {"steady", 0, cases[i].end_ns, cases[i].judged, rates};
		struct linearity_run results[2];
		struct linearity linearity = {0};
		struct error err = {.text = ""};
		int rc;

		build_runs_init(runs, 2);
		build_runs_judge(runs, 2, results);

		/* Phases are not judged by here. */
		struct run_info infos[2] = {*results[0].result->info, *results[1].result->info};
		struct result copies[2] = {*results[0].result, *results[1].result};

		infos[0].phases = &phase;
		infos[1].phases = &other;
		for (size_t k = 0; k < 2; k++) {
			infos[k].phase_count = k == 0 ? 1 : cases[i].count;
			copies[k].info = &infos[k];
			results[k].result = &copies[k];
		}
		rc = linearity_compare(results, 2, &linearity, &err);
		cr_expect_eq(rc < 0, cases[i].part != NULL, "case %zu: %s", i, err.text);
		if (cases[i].part)
			cr_expect_not_null(strstr(err.text, cases[i].part), "case %zu: %s", i,
					   err.text);
		linearity_release(&linearity);
		build_runs_release(runs, 2);
	}
}
