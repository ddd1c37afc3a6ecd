#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "analysis/judge.h"

/*
 * Whether a device, beside its neighbours, still does what it did alone: runs of one
 * device each against one run of several. A pure comparison of results, which must stay
 * as long as it. Not thread-safe, like what it points to.
 */

struct linearity_run {
	const char *log; /* as the user named it */
	const struct result *result;
};

/* Why a run alone is taken for that of a device; the later, the better the reason. */
enum linearity_match {
	LINEARITY_NOT_COMPARED, /* no run alone is its */
	LINEARITY_ALIKE,        /* another device of the same model or, without one, size */
	LINEARITY_NAME,         /* the same name; not both tell a serial number */
	LINEARITY_SERIAL        /* the same serial number */
};

enum linearity_outcome {
	LINEARITY_HOLDS,  /* its verdict together is not worse than alone */
	LINEARITY_LOST,   /* PASS alone, FAIL together */
	LINEARITY_UNKNOWN /* INVALID alone or together, or not compared */
};

struct linearity_device {
	enum linearity_match match;
	enum linearity_outcome outcome;
	size_t alone; /* index of the run; with LINEARITY_NOT_COMPARED none */
};

/* In which the jobs of a run alone and of the one together are not the same. */
struct linearity_difference {
	size_t alone;   /* index of the run */
	char what[320]; /* "slice", "sizes of reads" */
	char in_alone[256];
	char in_together[256];
};

struct linearity {
	const struct linearity_run *runs;
	size_t run_count;
	size_t together;                  /* index of the run of several devices */
	struct linearity_device *devices; /* [device_count], those of that run */
	size_t device_count;
	struct linearity_difference *differences;
	size_t difference_count;
	enum linearity_outcome outcome; /* LOST when a device lost, else UNKNOWN before HOLDS */
};

/* Compares: the last of the runs with more than one device is the one together, and each
 * other must have one device. A usage error, which names the logs, when there is no such
 * run, a run alone belongs to no device, or two runs did not have the same job (streams,
 * rates for each device, phases, what is judged); -ENOMEM. `runs` must stay.
 * linearity_release frees. */
int linearity_compare(const struct linearity_run *runs, size_t run_count, struct linearity *ret,
		      struct error *err);
void linearity_release(struct linearity *linearity);

/* EXIT_PASS, EXIT_FAIL or EXIT_INVALID */
int linearity_exit_status(const struct linearity *linearity);

/* One run's view of one of its devices and streams, over the whole run. */
struct linearity_side {
	const struct summary *sums;
	uint64_t measured_ns;
	enum verdict verdict; /* of the device */
};

/* A judged stream of a device, alone and together. */
struct linearity_stream {
	struct linearity_side alone;
	struct linearity_side together;
	/* Those that both runs counted and this stream is judged by. */
	uint64_t threshold_ns[THRESHOLDS_MAX];
	struct ratio limit[THRESHOLDS_MAX]; /* together */
	size_t alone_over[THRESHOLDS_MAX];  /* index in summary.over */
	size_t together_over[THRESHOLDS_MAX];
	size_t threshold_count;
};

/* False when the stream (of the run together) is not judged, is not issued on the device,
 * or the device was not compared. */
bool linearity_take_stream(const struct linearity *linearity, size_t device, size_t stream,
			   struct linearity_stream *ret);

/* What changed from alone to together, for people: nothing is decided by it. Each is
 * false, and leaves *ret untouched, when it is not known. */
/* Of the completed requests per second, in percent: -25 when a quarter was lost. */
bool linearity_rate_change(const struct linearity_stream *stream, double *ret_pct);
/* Of the share over threshold `i`, in percentage points. */
bool linearity_share_change(const struct linearity_stream *stream, size_t i, double *ret_points);
/* How many times as long, of two durations of which 0 is not known. */
bool linearity_times(uint64_t alone_ns, uint64_t together_ns, double *ret);
