#pragma once
#include <stdint.h>

#include "analysis/act_log.h"
#include "analysis/figures.h"
#include "analysis/judge_options.h"
#include "analysis/run_info.h"

#define ACT_STREAMS_MAX 32 /* no version writes more than six */

/* What an old log tells of its run, in the terms in which runs are judged. */

/* Where the buckets have a threshold. A log whose buckets have no such edge is shown with
 * the next one above, and keeps a limit only where the next one below does too. */
struct act_edge {
	uint64_t shown_ns; /* UINT64_MAX at most */
	size_t from;       /* requests of these buckets and above took shown_ns or longer */
	size_t from_below; /* the same by the edge below; `from` when the threshold is an edge */
};

/* What one stream of the info is in the log. Devices are told by those of one
 * device, whose indices are in device[]. */
struct act_stream {
	size_t histogram;
	size_t service; /* of the device calls of the same requests; `histogram` if none */
	/* Requests per second of all devices, in millionths, as the log plans them,
	 * rounded down; 0: not told. */
	uint64_t planned;
	bool by_device;
};

struct act_plan {
	struct run_info info;
	struct act_edge edges[THRESHOLDS_MAX]; /* of info.criteria */
	struct act_stream *streams;            /* [info.stream_count] */
	size_t *device;                        /* [stream * device_count + device]: histogram */
	size_t histogram_count;
};

/* To be called at the first block; histograms that come later count nothing. A
 * usage error when the options do not fit the log; -ENOMEM. act_plan_release is
 * fine either way. */
int act_plan_init(struct act_plan *plan, const struct act_log *log,
		  const struct judge_options *options, struct error *err);
void act_plan_release(struct act_plan *plan);

struct act_edge act_edge_find(uint64_t threshold_ns, bool microseconds);

/* "1 ms", "1.024 ms" */
char *act_threshold(char text[static FIGURE_BYTES], uint64_t ns);

/* Requests that a stream of that rate plans in so many seconds. */
uint64_t act_planned(uint64_t millionths_per_sec, uint64_t seconds);
uint64_t act_seconds_ns(uint64_t seconds);
