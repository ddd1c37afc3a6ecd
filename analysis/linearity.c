#include "analysis/linearity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/linearity_job.h"

static const struct run_info *info_of(const struct linearity *linearity, size_t run)
{
	return linearity->runs[run].result->info;
}

static bool same_serial(const struct info_device *a, const struct info_device *b)
{
	return a->serial[0] && strcmp(a->serial, b->serial) == 0 && strcmp(a->model, b->model) == 0;
}

/* Namespaces and partitions of one drive share its serial number. */
static bool is_unique(const struct run_info *together, size_t device)
{
	for (size_t i = 0; i < together->device_count; i++)
		if (i != device && same_serial(&together->devices[i], &together->devices[device]))
			return false;
	return true;
}

static bool is_alike(const struct info_device *a, const struct info_device *b)
{
	return a->is_file == b->is_file && strcmp(a->model, b->model) == 0 &&
	       (a->model[0] || a->size_bytes == b->size_bytes);
}

static enum linearity_match match(const struct run_info *together, size_t device,
				  const struct info_device *alone)
{
	const struct info_device *one = &together->devices[device];
	bool named = strcmp(one->name, alone->name) == 0;

	if (same_serial(one, alone) && (named || is_unique(together, device)))
		return LINEARITY_SERIAL;
	if (named && (!one->serial[0] || !alone->serial[0]))
		return LINEARITY_NAME;
	return is_alike(one, alone) ? LINEARITY_ALIKE : LINEARITY_NOT_COMPARED;
}

/* The best of all runs alone; among equals the first. */
static void match_device(struct linearity *linearity, size_t device)
{
	struct linearity_device *best = &linearity->devices[device];

	for (size_t i = 0; i < linearity->run_count; i++) {
		enum linearity_match found;

		if (i == linearity->together)
			continue;
		found = match(info_of(linearity, linearity->together), device,
			      &info_of(linearity, i)->devices[0]);
		if (found > best->match) {
			best->match = found;
			best->alone = i;
		}
	}
}

static enum linearity_outcome outcome_of(enum verdict alone, enum verdict together)
{
	if (alone == VERDICT_INVALID || together == VERDICT_INVALID)
		return LINEARITY_UNKNOWN;
	return alone == VERDICT_PASS && together == VERDICT_FAIL ? LINEARITY_LOST : LINEARITY_HOLDS;
}

static void conclude(struct linearity *linearity)
{
	const struct result *together = linearity->runs[linearity->together].result;

	linearity->outcome = LINEARITY_HOLDS;
	for (size_t i = 0; i < linearity->device_count; i++) {
		struct linearity_device *device = &linearity->devices[i];
		const struct result *alone = linearity->runs[device->alone].result;

		device->outcome = device->match == LINEARITY_NOT_COMPARED
				      ? LINEARITY_UNKNOWN
				      : outcome_of(alone->device_totals[0].verdict,
						   together->device_totals[i].verdict);
		if (device->outcome == LINEARITY_LOST ||
		    (device->outcome == LINEARITY_UNKNOWN && linearity->outcome != LINEARITY_LOST))
			linearity->outcome = device->outcome;
	}
}

/* Sets which run is the one together. */
static int sort_runs(struct linearity *linearity, struct error *err)
{
	const struct linearity_run *runs = linearity->runs;

	linearity->together = linearity->run_count;
	for (size_t i = 0; i < linearity->run_count; i++)
		if (info_of(linearity, i)->device_count > 1)
			linearity->together = i;
	if (linearity->together == linearity->run_count)
		return error_usage(err, EINVAL,
				   "%s: one device, as in each other log: --linearity needs a log "
				   "of several devices together",
				   runs[linearity->run_count - 1].log);
	for (size_t i = 0; i < linearity->run_count; i++)
		if (i != linearity->together && info_of(linearity, i)->device_count != 1)
			return error_usage(err, EINVAL,
					   "%s: %zu devices: --linearity compares logs of one "
					   "device each with %s",
					   runs[i].log, info_of(linearity, i)->device_count,
					   runs[linearity->together].log);
	if (linearity->run_count == 1)
		return error_usage(err, EINVAL, "%s: --linearity needs a log of one device, too",
				   runs[0].log);
	return 0;
}

/* A log that nothing is compared with was meant for something else. */
static int check_run(struct linearity *linearity, size_t alone, struct error *err)
{
	const struct info_device *device = &info_of(linearity, alone)->devices[0];

	for (size_t i = 0; i < linearity->device_count; i++)
		if (linearity->devices[i].match != LINEARITY_NOT_COMPARED &&
		    linearity->devices[i].alone == alone)
			return linearity_check_run(linearity, alone, err);
	return error_usage(err, EINVAL,
			   "%s: %s%s%s: no device of %s is this one or like it, or another log "
			   "given fits better",
			   linearity->runs[alone].log, device->name,
			   device->serial[0] ? ", serial number " : "", device->serial,
			   linearity->runs[linearity->together].log);
}

static int check(struct linearity *linearity, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < linearity->run_count; i++)
		if (i != linearity->together)
			rc = check_run(linearity, i, err);
	for (size_t i = 0; rc == 0 && i < linearity->device_count; i++)
		if (linearity->devices[i].match != LINEARITY_NOT_COMPARED)
			rc = linearity_check_device(linearity, i, err);
	return rc;
}

int linearity_compare(const struct linearity_run *runs, size_t run_count, struct linearity *ret,
		      struct error *err)
{
	struct linearity linearity = {.runs = runs, .run_count = run_count};
	int rc = sort_runs(&linearity, err);

	if (rc < 0)
		return rc;
	linearity.device_count = info_of(&linearity, linearity.together)->device_count;
	linearity.devices = calloc(linearity.device_count, sizeof(*linearity.devices));
	if (!linearity.devices)
		return error_environment(err, ENOMEM, "not enough memory to compare runs");
	for (size_t i = 0; i < linearity.device_count; i++)
		match_device(&linearity, i);
	rc = check(&linearity, err);
	if (rc < 0) {
		linearity_release(&linearity);
		return rc;
	}
	conclude(&linearity);
	*ret = linearity;
	return 0;
}

void linearity_release(struct linearity *linearity)
{
	free(linearity->devices);
	free(linearity->differences);
	*linearity = (struct linearity){0};
}

int linearity_exit_status(const struct linearity *linearity)
{
	static const int statuses[] = {[LINEARITY_HOLDS] = EXIT_PASS,
				       [LINEARITY_LOST] = EXIT_FAIL,
				       [LINEARITY_UNKNOWN] = EXIT_INVALID};

	return statuses[linearity->outcome];
}

static void take_thresholds(const struct run_info *alone, const struct run_info *together,
			    size_t stream, struct linearity_stream *ret)
{
	ret->threshold_count = 0;
	for (size_t i = 0; i < together->criterion_count; i++) {
		size_t n = ret->threshold_count;
		size_t k = 0;

		while (k < alone->criterion_count &&
		       alone->criteria[k].threshold_ns != together->criteria[i].threshold_ns)
			k++;
		if (k == alone->criterion_count ||
		    !judge_limit(together, stream, i, &ret->limit[n]))
			continue;
		ret->threshold_ns[n] = together->criteria[i].threshold_ns;
		ret->alone_over[n] = k;
		ret->together_over[n] = i;
		ret->threshold_count = n + 1;
	}
}

static struct linearity_side side_of(const struct result *result, size_t device, size_t stream)
{
	const struct judgement *total = &result->device_totals[device];

	return (struct linearity_side){&total->streams[stream], result->measured_ns,
				       total->verdict};
}

bool linearity_take_stream(const struct linearity *linearity, size_t device, size_t stream,
			   struct linearity_stream *ret)
{
	const struct linearity_device *one = &linearity->devices[device];
	const struct result *together = linearity->runs[linearity->together].result;
	const struct info_stream *info = &together->info->streams[stream];
	const struct result *alone;
	size_t other;

	if (one->match == LINEARITY_NOT_COMPARED || !judge_is_judged(together->info, stream) ||
	    !linearity_issues(together->info, device, stream))
		return false;
	alone = linearity->runs[one->alone].result;
	other = judge_find_stream(alone->info, info->name);
	ret->alone = side_of(alone, 0, other);
	ret->together = side_of(together, device, stream);
	take_thresholds(alone->info, together->info, stream, ret);
	return true;
}

bool linearity_rate_change(const struct linearity_stream *stream, double *ret_pct)
{
	const struct linearity_side *alone = &stream->alone;
	const struct linearity_side *together = &stream->together;

	if (alone->sums->completed == 0 || alone->measured_ns == 0 || together->measured_ns == 0)
		return false;
	*ret_pct = ((double)together->sums->completed * (double)alone->measured_ns /
			((double)alone->sums->completed * (double)together->measured_ns) -
		    1) *
		   100;
	return true;
}

bool linearity_share_change(const struct linearity_stream *stream, size_t i, double *ret_points)
{
	const struct summary *alone = stream->alone.sums;
	const struct summary *together = stream->together.sums;

	if (summary_total(alone) == 0 || summary_total(together) == 0)
		return false;
	*ret_points =
	    ((double)together->over[stream->together_over[i]] / (double)summary_total(together) -
	     (double)alone->over[stream->alone_over[i]] / (double)summary_total(alone)) *
	    100;
	return true;
}

bool linearity_times(uint64_t alone_ns, uint64_t together_ns, double *ret)
{
	if (alone_ns == 0 || together_ns == 0)
		return false;
	*ret = (double)together_ns / (double)alone_ns;
	return true;
}
