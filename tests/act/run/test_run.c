/* Whole runs in real time on the null engine: short, and without any claim on how
 * fast this machine is. */
#include "act/run/run.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/base/clock.h"
#include "tests/support/scratch.h"

static void configure(struct config *config, const char *const settings[][2])
{
	struct error err = {0};

	config_defaults(config);
	cr_assert_eq(config_set(config, "test", "engine", "null", &err), 0);
	cr_assert_eq(config_set(config, "test", "duration", "3s", &err), 0);
	cr_assert_eq(config_set(config, "test", "slice", "2s", &err), 0);
	for (; settings[0][0]; settings++)
		cr_assert_eq(config_set(config, "test", settings[0][0], settings[0][1], &err), 0,
			     "%s", err.text);
	cr_assert_eq(config_add_device(config, "test", "first", &err), 0);
	cr_assert_eq(config_add_device(config, "test", "second", &err), 0);
	cr_assert_eq(config_check(config, &err), 0, "%s", err.text);
}

static struct run *open_run(const struct config *config, const char *folder)
{
	const struct run_request request = {.config = config, .out_dir = folder};
	struct run *run = NULL;
	struct error err = {0};

	cr_assert_eq(run_new(&request, &run, &err), 0, "%s", err.text);
	cr_assert_eq(run_open(run, &err), 0, "%s", err.text);
	return run;
}

struct seen {
	size_t intervals;
	size_t slices;
	uint64_t issued;
};

static void see_interval(void *state, const struct interval *interval, const struct judge *judge)
{
	struct seen *seen = state;

	(void)judge;
	seen->intervals++;
	for (size_t i = 0; i < interval->device_count * interval->stream_count; i++)
		seen->issued += interval->tallies[i].issued;
}

static void see_slice(void *state, const struct result *so_far, const struct slice *slice)
{
	struct seen *seen = state;

	cr_assert_eq(slice->number, ++seen->slices);
	cr_assert(!so_far->complete);
}

static void expect_file(const char *folder, const char *name, const char *text)
{
	char path[SCRATCH_PATH_BYTES];
	size_t length;

	scratch_path(path, folder, name);
	char *content = scratch_read(path, &length);
	cr_assert_not_null(memmem(content, length, text, strlen(text)), "%s in %s", text, name);
	free(content);
}

Test(run, two_devices_with_two_workers_each_issue_the_whole_plan)
{
	static const char *const settings[][2] = {
	    {"load", "2x"}, {"workers-per-device", "2"}, {"arrivals", "poisson"}, {0}};
	char folder[SCRATCH_PATH_BYTES];
	char out[SCRATCH_PATH_BYTES];
	struct config config;
	struct seen seen = {0};
	const struct run_observer observer = {
	    .interval = see_interval, .slice = see_slice, .state = &seen};

	scratch_make(folder);
	scratch_path(out, folder, "deep/down");
	configure(&config, settings);
	struct run *run = open_run(&config, out);
	const struct result *result = run_execute(run, &observer);
	uint64_t issued = 0;
	for (size_t i = 0; i < 3; i++) {
		const struct summary *summary = &result->total.streams[i];

		cr_assert_eq(summary->issued, summary->planned);
		cr_assert_eq(summary->completed, summary->planned);
		issued += summary->issued;
	}
	/* 2 devices * 2x * 2000/s * 3 s, within a block's scatter at the end */
	cr_assert(result->total.streams[0].planned > 22000 &&
		  result->total.streams[0].planned < 26000);
	cr_assert_eq(result->device_totals[1].streams[1].planned > 0, 1);
	cr_assert_eq(seen.issued, issued);
	cr_assert_eq(seen.intervals, 3);
	cr_assert_eq(seen.slices, 1); /* the second, of 1 s, ends with the run */
	cr_assert_eq(result->slice_count, 2);
	cr_assert(result->complete);
	expect_file(out, "run.log", "after 3 sec:");
	expect_file(out, "config.cfg", "engine = \"null\"");
	expect_file(out, "result.json", "\"complete\": true");
	run_free(run);
	scratch_remove(folder);
}

Test(run, prints_its_plan)
{
	static const char *const settings[][2] = {{"load", "30x"}, {0}};
	char folder[SCRATCH_PATH_BYTES];
	struct config config;
	char *text = NULL;
	size_t size;

	scratch_make(folder);
	configure(&config, settings);
	struct run *run = open_run(&config, folder);
	FILE *out = open_memstream(&text, &size);
	run_print_plan(run, out);
	fclose(out);
	static const char *const parts[] = {
	    "first  1.10 TB  512-byte blocks  (made up)",
	    "30x reads, 30x writes per device (effective: 30x, 30x), uniform arrivals",
	    "large-block-writes           705.88        1411.76  131.07 kB      185.04 MB",
	    "555.13 MB will be written in total, each write O_DSYNC",
	    "reads: at most 5% over 1ms, 1% over 8ms, 0.1% over 64ms in each slice",
	    "3s in slices of 2s, until ",
	};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		cr_assert_not_null(strstr(text, parts[i]), "%s\nis not in\n%s", parts[i], text);
	free(text);
	run_free(run); /* never started */
	scratch_remove(folder);
}

Test(run, never_overwrites_a_log)
{
	static const char *const settings[][2] = {{0}};
	char folder[SCRATCH_PATH_BYTES];
	char path[SCRATCH_PATH_BYTES];
	struct config config;
	struct run *run = NULL;
	struct error err = {0};

	scratch_make(folder);
	scratch_path(path, folder, "run.log");
	scratch_write(path, "precious", 8);
	configure(&config, settings);
	const struct run_request request = {.config = &config, .out_dir = folder};
	cr_assert_eq(run_new(&request, &run, &err), -EEXIST);
	cr_assert_eq(err.status, EXIT_USAGE);
	expect_file(folder, "run.log", "precious");
	scratch_remove(folder);
}

Test(run, refuses_cpus_that_are_not_there)
{
	static const char *const settings[][2] = {{"cpus", "1020-1023"}, {0}};
	char folder[SCRATCH_PATH_BYTES];
	struct config config;
	struct run *run = NULL;
	struct error err = {0};

	scratch_make(folder);
	configure(&config, settings);
	const struct run_request request = {.config = &config, .out_dir = folder};
	cr_assert_eq(run_new(&request, &run, &err), 0);
	cr_assert_lt(run_open(run, &err), 0);
	cr_assert_eq(err.status, EXIT_USAGE);
	cr_assert_not_null(strstr(err.text, "cpus = 1020-1023"), "%s", err.text);
	run_free(run);
	scratch_remove(folder);
}

Test(run, refuses_an_in_flight_cap_that_no_memory_has)
{
	static const char *const settings[][2] = {{"in-flight-cap", "32768"}, {0}};
	char folder[SCRATCH_PATH_BYTES];
	struct config config;
	struct run *run = NULL;
	struct error err = {0};

	scratch_make(folder);
	configure(&config, settings);
	const struct run_request request = {.config = &config, .out_dir = folder};
	cr_assert_lt(run_new(&request, &run, &err), 0);
	cr_assert_eq(err.status, EXIT_USAGE);
	cr_assert_not_null(strstr(err.text, "in-flight-cap"), "%s", err.text);
	scratch_remove(folder);
}
