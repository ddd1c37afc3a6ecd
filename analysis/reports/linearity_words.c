#include "analysis/reports/linearity_words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/figures.h"
#include "analysis/slice.h"

/* What is told as lost; below, two runs of the same drive differ as much. */
#define RATE_LOST_PCT     0.005
#define SHARE_LOST_POINTS 0.005
#define TIMES_LOST        1.05

const char *linearity_outcome_name(enum linearity_outcome outcome)
{
	static const char *const names[] = {"holds", "lost", "invalid"};

	return names[outcome];
}

const char *linearity_match_name(enum linearity_match match)
{
	static const char *const names[] = {"none", "alike", "name", "serial"};

	return names[match];
}

__attribute__((format(printf, 2, 3))) static void append(char text[static LINEARITY_WORDS_BYTES],
							 const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, LINEARITY_WORDS_BYTES - used, format, args);
	va_end(args);
}

static const struct info_device *device_of(const struct linearity *linearity, size_t device)
{
	return &linearity->runs[linearity->together].result->info->devices[device];
}

char *linearity_explain_match(char text[static LINEARITY_WORDS_BYTES],
			      const struct linearity *linearity, size_t device)
{
	const struct linearity_device *one = &linearity->devices[device];
	const struct info_device *info = device_of(linearity, device);
	const struct info_device *alone;

	text[0] = '\0';
	if (one->match == LINEARITY_NOT_COMPARED) {
		append(text, "no log has it, or a device like it, alone");
		return text;
	}
	alone = &linearity->runs[one->alone].result->info->devices[0];
	if (one->match == LINEARITY_SERIAL)
		append(text, "the same serial number, %s", info->serial);
	else if (one->match == LINEARITY_NAME)
		append(text, "the same name");
	else if (info->model[0])
		append(text, "compared with another drive of the same model, %s", alone->name);
	else
		append(text, "compared with another %s of the same size%s, %s",
		       info->is_file ? "file" : "device", info->is_file ? "" : ", model unknown",
		       alone->name);
	return text;
}

char *linearity_signed(char text[static FIGURE_BYTES], double change)
{
	bool zero = change > -0.005 && change < 0.005;

	snprintf(text, FIGURE_BYTES, zero ? "%.2f" : "%+.2f", zero ? 0.0 : change);
	return text;
}

/* The gravest reason of the device, with its slice. */
static void append_reason(char text[static LINEARITY_WORDS_BYTES], const char *before,
			  const struct result *result, size_t device)
{
	const struct judgement *total = &result->device_totals[device];
	const struct reason *reason = judgement_find_reason(total, total->verdict);
	char start[FIGURE_BYTES];

	if (reason) {
		append(text, "%s: %s", before, reason->text);
		return;
	}
	for (size_t i = 0; i < result->slice_count; i++) {
		const struct slice *slice = result->slices[i];

		reason = judgement_find_reason(&slice->devices[device], total->verdict);
		if (!reason)
			continue;
		append(text, "%s: slice %" PRIu64 " (from %s): %s", before, slice->number,
		       figure_clock(start, slice->start_ns), reason->text);
		return;
	}
}

/* "; reads: rate -25.00 %, +5.88 points over 1 ms, p99.9 x10.20" */
static void append_losses(char text[static LINEARITY_WORDS_BYTES],
			  const struct linearity_stream *stream, const char *name)
{
	char part[LINEARITY_WORDS_BYTES] = "";
	char threshold[FIGURE_BYTES];
	double change;

	if (linearity_rate_change(stream, &change) && change <= -RATE_LOST_PCT)
		append(part, ", rate %+.2f %%", change);
	for (size_t i = 0; i < stream->threshold_count; i++)
		if (linearity_share_change(stream, i, &change) && change >= SHARE_LOST_POINTS)
			append(part, ", %+.2f points over %s", change,
			       figure_duration(threshold, stream->threshold_ns[i], 7));
	if (linearity_times(stream->alone.sums->p999_ns[SPAN_RESPONSE],
			    stream->together.sums->p999_ns[SPAN_RESPONSE], &change) &&
	    change >= TIMES_LOST)
		append(part, ", p99.9 x%.2f", change);
	if (part[0])
		append(text, "; %s: %s", name, part + 2);
}

char *linearity_conclude_device(char text[static LINEARITY_WORDS_BYTES],
				const struct linearity *linearity, size_t device)
{
	const struct linearity_device *one = &linearity->devices[device];
	const struct result *together = linearity->runs[linearity->together].result;
	const struct result *alone;
	struct linearity_stream stream;
	enum verdict before;
	enum verdict after;

	text[0] = '\0';
	if (one->match == LINEARITY_NOT_COMPARED) {
		append(text, "not compared: no log has it, or a device like it, alone");
		return text;
	}
	alone = linearity->runs[one->alone].result;
	before = alone->device_totals[0].verdict;
	after = together->device_totals[device].verdict;
	if (one->outcome == LINEARITY_LOST) {
		append(text, "lost: PASS alone, FAIL together");
		append_reason(text, "", together, device);
		for (size_t i = 0; i < together->info->stream_count; i++)
			if (linearity_take_stream(linearity, device, i, &stream))
				append_losses(text, &stream, together->info->streams[i].name);
	} else if (one->outcome == LINEARITY_UNKNOWN) {
		append(text, "no statement: %s alone, %s together", verdict_name(before),
		       verdict_name(after));
		if (before == VERDICT_INVALID)
			append_reason(text, "; alone", alone, 0);
		else
			append_reason(text, "; together", together, device);
	} else if (before == VERDICT_PASS) {
		append(text, "holds: PASS alone and together");
	} else {
		append(text, "not worse than alone: FAIL alone, %s together", verdict_name(after));
	}
	return text;
}

static void append_names(char text[static LINEARITY_WORDS_BYTES], const struct linearity *linearity,
			 enum linearity_outcome outcome)
{
	const char *before = ": ";

	for (size_t i = 0; i < linearity->device_count; i++) {
		if (linearity->devices[i].outcome != outcome)
			continue;
		append(text, "%s%s", before, device_of(linearity, i)->name);
		before = ", ";
	}
}

static size_t count(const struct linearity *linearity, enum linearity_outcome outcome)
{
	size_t sum = 0;

	for (size_t i = 0; i < linearity->device_count; i++)
		sum += linearity->devices[i].outcome == outcome;
	return sum;
}

char *linearity_conclude(char text[static LINEARITY_WORDS_BYTES], const struct linearity *linearity)
{
	size_t devices = linearity->device_count;

	text[0] = '\0';
	switch (linearity->outcome) {
	case LINEARITY_HOLDS:
		append(text, "none of %zu devices did worse beside its neighbours than alone",
		       devices);
		break;
	case LINEARITY_LOST:
		append(text, "%zu of %zu devices did worse beside the others than alone",
		       count(linearity, LINEARITY_LOST), devices);
		append_names(text, linearity, LINEARITY_LOST);
		if (count(linearity, LINEARITY_UNKNOWN) > 0) {
			append(text, "; nothing can be said of %zu",
			       count(linearity, LINEARITY_UNKNOWN));
			append_names(text, linearity, LINEARITY_UNKNOWN);
		}
		break;
	case LINEARITY_UNKNOWN:
		append(text, "nothing can be said of %zu of %zu devices",
		       count(linearity, LINEARITY_UNKNOWN), devices);
		append_names(text, linearity, LINEARITY_UNKNOWN);
		break;
	}
	return text;
}
