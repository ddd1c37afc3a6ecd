#include "analysis/linearity_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/units.h"
#include "analysis/figures.h"

#define DESCRIPTION_BYTES 256

/* The devices of a run: one of it alone, and one of the run together. */
struct pair {
	struct linearity *linearity;
	size_t alone_run;
	const struct run_info *alone;
	const struct run_info *together;
	size_t device; /* in the run together */
	struct error *err;
};

static struct pair pair_of(struct linearity *linearity, size_t alone, size_t device,
			   struct error *err)
{
	return (struct pair){linearity,
			     alone,
			     linearity->runs[alone].result->info,
			     linearity->runs[linearity->together].result->info,
			     device,
			     err};
}

bool linearity_issues(const struct run_info *info, size_t device, size_t stream)
{
	return run_info_is_issued(info, info->phase_count, device, stream);
}

static int refuse(const struct pair *pair, const char *what)
{
	const struct linearity *linearity = pair->linearity;

	return error_usage(pair->err, EINVAL, "%s and %s did not have the same job: %s",
			   linearity->runs[pair->alone_run].log,
			   linearity->runs[linearity->together].log, what);
}

/* Several devices can have the same to tell of one run alone. */
static bool is_noted(const struct pair *pair, const char *what, const char *in_together)
{
	const struct linearity *linearity = pair->linearity;

	for (size_t i = 0; i < linearity->difference_count; i++)
		if (linearity->differences[i].alone == pair->alone_run &&
		    strcmp(linearity->differences[i].what, what) == 0 &&
		    strcmp(linearity->differences[i].in_together, in_together) == 0)
			return true;
	return false;
}

/* Only when they differ. */
static int note(const struct pair *pair, const char *what, const char *in_alone,
		const char *in_together)
{
	struct linearity *linearity = pair->linearity;
	size_t count = linearity->difference_count;
	struct linearity_difference *more;

	if (strcmp(in_alone, in_together) == 0 || is_noted(pair, what, in_together))
		return 0;
	more = reallocarray(linearity->differences, count + 1, sizeof(*more));
	if (!more)
		return error_environment(pair->err, ENOMEM, "not enough memory to compare runs");
	more[count].alone = pair->alone_run;
	snprintf(more[count].what, sizeof(more[count].what), "%s", what);
	snprintf(more[count].in_alone, sizeof(more[count].in_alone), "%s", in_alone);
	snprintf(more[count].in_together, sizeof(more[count].in_together), "%s", in_together);
	linearity->differences = more;
	linearity->difference_count = count + 1;
	return 0;
}

static int note_duration(const struct pair *pair, const char *what, uint64_t alone_ns,
			 uint64_t together_ns)
{
	char in_alone[UNITS_TEXT_BYTES];
	char in_together[UNITS_TEXT_BYTES];

	return note(pair, what, units_format_duration(in_alone, alone_ns),
		    units_format_duration(in_together, together_ns));
}

/* "5 % over 1ms, 1 % over 8ms" */
static void describe_criteria(char text[static DESCRIPTION_BYTES],
			      const struct info_criterion *criteria, size_t count)
{
	char limit[FIGURE_BYTES];
	char threshold[UNITS_TEXT_BYTES];
	size_t used = 0;

	snprintf(text, DESCRIPTION_BYTES, "none");
	for (size_t i = 0; i < count && used < DESCRIPTION_BYTES; i++)
		used +=
		    (size_t)snprintf(text + used, DESCRIPTION_BYTES - used, "%s%s over %s",
				     i ? ", " : "", figure_limit(limit, criteria[i].limit),
				     units_format_duration(threshold, criteria[i].threshold_ns));
}

static int note_criteria(const struct pair *pair)
{
	char in_alone[DESCRIPTION_BYTES];
	char in_together[DESCRIPTION_BYTES];

	describe_criteria(in_alone, pair->alone->criteria, pair->alone->criterion_count);
	describe_criteria(in_together, pair->together->criteria, pair->together->criterion_count);
	return note(pair, "limits", in_alone, in_together);
}

static int check_phases(const struct pair *pair)
{
	const struct run_info *alone = pair->alone;
	const struct run_info *together = pair->together;
	char what[256];

	if (alone->phase_count != together->phase_count) {
		snprintf(what, sizeof(what), "%zu and %zu phases", alone->phase_count,
			 together->phase_count);
		return refuse(pair, what);
	}
	for (size_t i = 0; i < alone->phase_count; i++) {
		const struct info_phase *a = &alone->phases[i];
		const struct info_phase *b = &together->phases[i];

		if (a->start_ns == b->start_ns && a->end_ns == b->end_ns && a->judged == b->judged)
			continue;
		snprintf(what, sizeof(what),
			 "phase %zu (%.60s, %.60s) has other times, or is judged in one of them",
			 i + 1, a->name, b->name);
		return refuse(pair, what);
	}
	return 0;
}

int linearity_check_run(struct linearity *linearity, size_t alone, struct error *err)
{
	const struct pair pair = pair_of(linearity, alone, 0, err);
	const struct run_info *a = pair.alone;
	const struct run_info *b = pair.together;
	int rc = 0;

	if (a->stress != b->stress)
		rc = refuse(&pair, a->stress ? "only the first is a stress run, in which no "
					       "latency decides"
					     : "only the second is a stress run, in which no "
					       "latency decides");
	if (rc == 0)
		rc = check_phases(&pair);
	if (rc == 0)
		rc = note_criteria(&pair);
	if (rc == 0)
		rc = note_duration(&pair, "slice", a->slice_ns, b->slice_ns);
	if (rc == 0)
		rc = note_duration(&pair, "duration", a->duration_ns, b->duration_ns);
	if (rc == 0)
		rc = note(&pair, "engine", a->engine, b->engine);
	if (rc == 0)
		rc = note(&pair, "arrivals", a->arrivals, b->arrivals);
	if (rc == 0)
		rc = note(&pair, "host", a->host, b->host);
	if (rc == 0)
		rc = note(&pair, "kernel", a->kernel, b->kernel);
	if (rc == 0)
		rc = note(&pair, "actcert", a->version, b->version);
	return rc;
}

/* "2000/s", and as much behind the point as it takes to tell two apart, within reason. */
static void describe_rate(char text[static UNITS_TEXT_BYTES], struct ratio per_sec)
{
	snprintf(text, UNITS_TEXT_BYTES, "%.10g/s", ratio_to_double(per_sec));
}

static int check_rate(const struct pair *pair, const char *stream, const char *phase,
		      struct ratio alone, struct ratio together)
{
	char in_alone[UNITS_TEXT_BYTES];
	char in_together[UNITS_TEXT_BYTES];
	char what[512];

	if (ratio_compare(alone, together) == 0)
		return 0;
	describe_rate(in_alone, alone);
	describe_rate(in_together, together);
	snprintf(what, sizeof(what), "%s%s%.64s: %s and %s for each device", phase,
		 phase[0] ? ": " : "", stream, in_alone, in_together);
	return refuse(pair, what);
}

static int check_rates(const struct pair *pair, size_t alone, size_t together)
{
	const char *name = pair->together->streams[together].name;
	int rc = check_rate(pair, name, "", pair->alone->streams[alone].per_sec,
			    pair->together->streams[together].per_sec);

	for (size_t i = 0; rc == 0 && i < pair->together->phase_count; i++)
		rc = check_rate(pair, name, pair->together->phases[i].name,
				pair->alone->phases[i].per_sec[alone],
				pair->together->phases[i].per_sec[together]);
	return rc;
}

static void describe_sizes(char text[static DESCRIPTION_BYTES], const struct info_stream *stream)
{
	char least[UNITS_TEXT_BYTES];
	char most[UNITS_TEXT_BYTES];

	units_format_size(least, stream->size_min_bytes);
	units_format_size(most, stream->size_max_bytes);
	if (stream->size_min_bytes == stream->size_max_bytes)
		snprintf(text, DESCRIPTION_BYTES, "%s", least);
	else
		snprintf(text, DESCRIPTION_BYTES, "%s..%s", least, most);
}

static int note_stream(const struct pair *pair, const struct info_stream *alone,
		       const struct info_stream *together)
{
	char what[96];
	char in_alone[DESCRIPTION_BYTES];
	char in_together[DESCRIPTION_BYTES];
	int rc;

	snprintf(what, sizeof(what), "sizes of %s", together->name);
	describe_sizes(in_alone, alone);
	describe_sizes(in_together, together);
	rc = note(pair, what, in_alone, in_together);
	if (rc < 0)
		return rc;
	snprintf(what, sizeof(what), "limits of %s", together->name);
	describe_criteria(in_alone, alone->criteria, alone->criterion_count);
	describe_criteria(in_together, together->criteria, together->criterion_count);
	return note(pair, what, in_alone, in_together);
}

/* A stream of the run together that the device has. */
static int check_stream(const struct pair *pair, size_t stream)
{
	const struct info_stream *together = &pair->together->streams[stream];
	size_t other = judge_find_stream(pair->alone, together->name);
	const struct info_stream *alone = &pair->alone->streams[other];
	const char *device = pair->together->devices[pair->device].name;
	char what[512];
	int rc;

	if (other == pair->alone->stream_count || !linearity_issues(pair->alone, 0, other) ||
	    alone->is_write != together->is_write)
		snprintf(what, sizeof(what), "%s: only the second has such a stream, on %s",
			 together->name, device);
	else if (judge_is_judged(pair->alone, other) != judge_is_judged(pair->together, stream))
		snprintf(what, sizeof(what), "%s: judged in only one of them", together->name);
	else
		what[0] = '\0';
	if (what[0])
		return refuse(pair, what);
	rc = check_rates(pair, other, stream);
	return rc == 0 ? note_stream(pair, alone, together) : rc;
}

/* A stream of the run alone: whether the device has it together with the others, too. */
static int check_reverse(const struct pair *pair, size_t stream)
{
	const struct info_stream *alone = &pair->alone->streams[stream];
	size_t other = judge_find_stream(pair->together, alone->name);
	char what[512];

	if (!linearity_issues(pair->alone, 0, stream) ||
	    (other < pair->together->stream_count &&
	     linearity_issues(pair->together, pair->device, other)))
		return 0;
	snprintf(what, sizeof(what), "%s: only the first has such a stream; not the second on %s",
		 alone->name, pair->together->devices[pair->device].name);
	return refuse(pair, what);
}

static int note_verified(const struct pair *pair)
{
	const struct info_device *alone = &pair->alone->devices[0];
	const struct info_device *together = &pair->together->devices[pair->device];
	char what[sizeof(together->name) + 32];

	snprintf(what, sizeof(what), "verification of %s", together->name);
	return note(pair, what, alone->verified ? "on" : "off", together->verified ? "on" : "off");
}

int linearity_check_device(struct linearity *linearity, size_t device, struct error *err)
{
	const struct pair pair = pair_of(linearity, linearity->devices[device].alone, device, err);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < pair.together->stream_count; i++)
		if (linearity_issues(pair.together, device, i))
			rc = check_stream(&pair, i);
	for (size_t i = 0; rc == 0 && i < pair.alone->stream_count; i++)
		rc = check_reverse(&pair, i);
	return rc == 0 ? note_verified(&pair) : rc;
}
