#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "act/base/error.h"
#include "analysis/interval.h"
#include "analysis/run_info.h"

/*
 * Intervals -> slices -> verdict. The live run and `actcert analyze` feed the
 * same functions the same values, so their results are equal to the last digit.
 * The rules stand in verdict.md.
 *
 * Not thread-safe: one thread owns a judge. Memory does not grow with the
 * number of intervals; a finished slice keeps counts and percentiles only.
 */

/* From the least to the gravest: PASS, INVALID, FAIL (see verdict_gravest). */
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_INVALID };

/* "PASS", "FAIL", "INVALID" */
const char *verdict_name(enum verdict verdict);
/* FAIL before INVALID before PASS. */
enum verdict verdict_gravest(enum verdict a, enum verdict b);

#define REASON_BYTES   256
#define SENTENCE_BYTES 400
#define REASONS_MAX    6

struct reason {
	enum verdict verdict; /* what it leads to: FAIL or INVALID */
	char text[REASON_BYTES];
};

/* One stream, of one device or of all together, over one slice or the run. */
struct summary {
	uint64_t planned;
	uint64_t issued;
	uint64_t completed;
	uint64_t errors;
	uint64_t bytes;
	uint64_t verified_sectors;      /* see struct tally, like the next three */
	uint64_t mismatches;            /* among the errors */
	uint64_t torn;                  /* no errors */
	uint64_t mismatch_offset_bytes; /* of the first, where there is any */
	uint64_t missed_host;   /* planned, but not issued by the end, because of this host */
	uint64_t missed_device; /* likewise, because the device held the worker up */
	/* Requests that were not back at the end of an interval and counted by their
	 * age then; and those of before that came back (or failed) in this period. */
	uint64_t pending;
	uint64_t settled;
	/* Over each threshold of result->info, pending ones and errors included (a
	 * failed request is over all of them). */
	uint64_t over[THRESHOLDS_MAX];
	uint64_t service_over[THRESHOLDS_MAX];
	uint64_t device_over[THRESHOLDS_MAX];
	uint64_t hiccup_over[THRESHOLDS_MAX]; /* not without this host's hiccups */
	/* Of the completed requests whose histograms were there: in a log that was
	 * cut off, or cut into other slices than those of the run, `sampled` can
	 * differ from `completed`. Percentiles of no samples are 0. */
	uint64_t sampled;
	uint64_t mean_ns[SPAN_COUNT];
	uint64_t p50_ns[SPAN_COUNT];
	uint64_t p99_ns[SPAN_COUNT];
	uint64_t p999_ns[SPAN_COUNT];
	uint64_t max_ns[SPAN_COUNT]; /* exact, of all completed */
	/* Sampled ones longer than HISTOGRAM_MAX_NS: no percentile reaches them. */
	uint64_t overflow[SPAN_COUNT];
};

/* Requests that count in the shares, each once: those that came back or failed,
 * in the period in which they were first counted. */
static inline uint64_t summary_total(const struct summary *summary)
{
	return summary->completed + summary->errors + summary->pending - summary->settled;
}

struct judgement {
	enum verdict verdict;
	struct reason *reasons; /* gravest first, at most REASONS_MAX; none when it passes */
	size_t reason_count;
	struct summary *streams; /* [stream_count] */
};

struct slice {
	uint64_t number; /* from 1 */
	size_t phase;    /* index; 0 when the run has none */
	bool judged;     /* false: of its phase, only errors and lost intervals decide */
	uint64_t start_ns;
	uint64_t duration_ns;
	bool partial;              /* it lacks intervals of the slice asked for */
	uint64_t intervals;        /* that were there */
	uint64_t cpu_idle_ticks;   /* of this host, over the slice */
	uint64_t cpu_total_ticks;  /* 0: not known */
	enum verdict verdict;      /* the gravest of what follows */
	struct judgement all;      /* all devices together */
	struct judgement *devices; /* [device_count] */
};

/* What became of a phase. */
struct phase_result {
	enum verdict verdict; /* the gravest of its slices; without slices it says nothing */
	size_t slice_count;   /* that there are */
	size_t first;         /* index of its first slice */
	size_t worst;         /* index of its worst slice */
	bool partial;         /* one of its slices is, or it lacks slices */
	uint64_t measured_ns;
	/* Sums over the phase. Verdicts are the gravest of its slices'; reasons stand there. */
	struct judgement all;
	struct judgement *devices; /* [device_count] */
};

struct result {
	const struct run_info *info; /* criteria, judged streams and slice as they were applied */
	bool complete;               /* false: the run is still under way (judge_peek) */
	struct run_end end;
	struct slice **slices;
	size_t slice_count;
	struct judgement total;          /* over the whole run: sums, and the run's own reasons */
	struct judgement *device_totals; /* [device_count]; verdict: the gravest of its slices */
	uint64_t measured_ns;
	enum verdict verdict;        /* the same as total.verdict */
	char reason[SENTENCE_BYTES]; /* the verdict in one sentence, without the word itself */
	size_t worst;                /* index of the worst slice; slice_count when there is none */
	struct phase_result *phases; /* [info->phase_count] */
	size_t first_failed_phase;   /* index; info->phase_count when none failed */
	int exit_status;             /* what the program ends with: 128 + n on a signal */
};

struct judge;
struct judge_options; /* judge_options.h */

/* Judges by what `info` says; `info` must stay as long as the judge. A usage
 * error when it cannot be judged by (a judged stream that is not there, no
 * interval length, ...); -ENOMEM. Free with judge_free. */
int judge_new(const struct run_info *info, struct judge **ret, struct error *err);
/* The same by other slices, criteria or judged streams than the run's own: a
 * usage error when the log does not count a threshold. `options` may go. */
int judge_new_as(const struct run_info *info, const struct judge_options *options,
		 struct judge **ret, struct error *err);
void judge_free(struct judge *judge);

/* Takes the next interval. Returns the slice that it finished (the later one
 * if, behind a gap, it finished two), or NULL; the slice belongs to the judge. Requests under way
 * at the end of a run belong in its last interval, not in one of their own after it. */
const struct slice *judge_interval(struct judge *judge, const struct interval *interval);

/* The slice under way, for progress lines: sums so far of one stream over all
 * devices. */
void judge_current(const struct judge *judge, size_t stream, struct summary *ret);

/* Ends the last slice and judges the run. Call it once, after the last interval.
 * The result belongs to the judge. */
const struct result *judge_finish(struct judge *judge, const struct run_end *end);

/* The result so far (for result.json at each slice): what it would be if the run
 * stopped dead now, therefore never PASS. Valid until the next call. */
const struct result *judge_peek(struct judge *judge);

/* Index of the stream of that name; info->stream_count when there is none. */
size_t judge_find_stream(const struct run_info *info, const char *name);
bool judge_is_judged(const struct run_info *info, size_t stream);
/* The limit that a stream has by the run's criterion: its own where it has any of its own,
 * otherwise the run's. Returns false, and leaves *ret, when it has none by that one. */
bool judge_limit(const struct run_info *info, size_t stream, size_t criterion, struct ratio *ret);
/* The stream that one-line displays speak of: the first judged, or stream 0. */
size_t judge_shown_stream(const struct run_info *info);
/* The same of those that the phase issues; phase_count (or a run without phases): of all. */
size_t judge_shown_in_phase(const struct run_info *info, size_t phase);
