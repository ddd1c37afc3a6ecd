#pragma once
#include "analysis/linearity.h"
#include "tests/support/build_interval.h"

/*
 * Runs made up to be compared: up to BUILD_RUNS_MAX, of three slices each. Whatever fails
 * here aborts the test.
 */

#define BUILD_RUNS_MAX    4
#define BUILD_DEVICES_MAX 3

/* What befalls the reads of one device in every interval. */
struct build_fate {
	uint64_t over;        /* of BUILD_PLANNED: took 1 ms or longer, ... */
	uint64_t device_over; /* ... these of them by its own fault */
	uint64_t slower;      /* of BUILD_PLANNED: never issued, the device held them up */
};

struct build_run {
	const char *log;
	size_t device_count;
	struct build_fate fates[BUILD_DEVICES_MAX];
	struct run_info info; /* may be changed between build_runs_init and build_runs_judge */
	struct judge *judge;
};

/* Device i of all is "/dev/a" + i, serial number "S" and its letter; a run of one device has
 * /dev/a. */
void build_runs_init(struct build_run *runs, size_t count);
/* Sets ret[i] to the result of runs[i]. */
void build_runs_judge(struct build_run *runs, size_t count, struct linearity_run *ret);
void build_runs_release(struct build_run *runs, size_t count);
/* Names device `device` of the run as "/dev/LETTER", serial number "S" and the letter. */
void build_runs_name(struct build_run *run, size_t device, char letter);
