/*
 * How fast one worker issues and reaps, histograms and log included:
 *
 *     bench_issue [FILE]
 *
 * asks the null engine, and io_uring on FILE if it is given, for more than any
 * core can do, and prints what was reached; then 600 000 reads/s with the lag
 * percentiles. FILE should be allocated and never written (--set fill-files=false
 * makes it): then its reads cost no device time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/run/run.h"

static void must(int rc, const struct error *err)
{
	if (rc == 0)
		return;
	fprintf(stderr, "bench_issue: %s\n", err->text);
	exit(1);
}

/* The second interval is whole, and without the start. */
static void note_second(void *state, const struct interval *interval, const struct judge *judge)
{
	(void)judge;
	if (interval->number == 1)
		*(uint64_t *)state = interval->tallies[0].completed;
}

static void measure(const char *file, const char *load)
{
	char folder[] = "bench-issue.XXXXXX";
	const char *const settings[][2] = {
	    {"engine", file ? "uring" : "null"},
	    {"read-load", load},
	    {"write-load", "0x"},
	    {"duration", "3s"},
	    {"slice", "3s"},
	    {"wait", "precise"},
	    {"fill-files", "false"},
	};
	struct config config;
	struct run *run = NULL;
	struct error err = {0};

	config_defaults(&config);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		must(config_set(&config, "bench", settings[i][0], settings[i][1], &err), &err);
	must(config_add_device(&config, "bench", file ? file : "null", &err), &err);
	if (!mkdtemp(folder))
		exit(1);
	const struct run_request request = {.config = &config, .out_dir = folder};
	must(run_new(&request, &run, &err), &err);
	must(run_open(run, &err), &err);
	uint64_t reached = 0;
	const struct run_observer observer = {.interval = note_second, .state = &reached};
	const struct result *result = run_execute(run, &observer);
	const struct summary *reads = &result->total.streams[0];
	printf("%-6s asked %8.0f/s  reached %8.0f/s  lag p50 %llu ns  p99 %llu ns  p99.9 %llu ns\n",
	       file ? "uring" : "null", (double)reads->planned / 3, (double)reached,
	       (unsigned long long)reads->p50_ns[SPAN_LAG],
	       (unsigned long long)reads->p99_ns[SPAN_LAG],
	       (unsigned long long)reads->p999_ns[SPAN_LAG]);
	run_free(run);

	static const char *const files[] = {"run.log", "config.cfg", "result.json"};
	char path[64];
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		remove(path);
	}
	remove(folder);
}

int main(int argc, char **argv)
{
	const char *file = argc > 1 ? argv[1] : NULL;

	measure(NULL, "10000x");
	measure(NULL, "300x");
	if (file) {
		measure(file, "10000x");
		measure(file, "300x");
	}
	return 0;
}
