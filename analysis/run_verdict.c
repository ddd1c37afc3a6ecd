#include "analysis/run_verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "act/base/error.h"
#include "analysis/figures.h"
#include "analysis/slice.h"
#include "analysis/slicing.h"

#define ELAPSED_BYTES 88

void run_append(struct result *result, const char *format, ...)
{
	size_t used = strlen(result->reason);
	va_list args;

	va_start(args, format);
	vsnprintf(result->reason + used, sizeof(result->reason) - used, format, args);
	va_end(args);
}

/* "3 h 12 min of 24 h", with phases ", in phase 'steady'" */
static const char *elapsed(char text[static ELAPSED_BYTES], const struct result *result)
{
	const struct run_info *info = result->info;
	uint64_t at_ns = result->end.reason == END_NONE ? result->measured_ns : result->end.at_ns;
	char done[FIGURE_BYTES];
	char planned[FIGURE_BYTES];

	snprintf(text, ELAPSED_BYTES, "%.20s of %.20s%s%.30s%s", figure_duration(done, at_ns, 2),
		 figure_duration(planned, info->duration_ns, 2),
		 info->phase_count > 0 ? ", in phase '" : "",
		 info->phase_count > 0 ? info->phases[slicing_phase_at(info, at_ns)].name : "",
		 info->phase_count > 0 ? "'" : "");
	return text;
}

static const char *device_name(const struct result *result)
{
	size_t device = result->end.device;

	return device < result->info->device_count ? result->info->devices[device].name : "unknown";
}

/* The same reason for all devices together and each of them, but FAIL only for
 * the one that is at fault. */
static void add_for_all(const struct result *result, struct reason_list *lists,
			enum verdict verdict, const char *text)
{
	for (size_t i = 0; i <= result->info->device_count; i++) {
		bool innocent = i > 0 && i != result->end.device + 1;

		reason_add(&lists[i], innocent ? VERDICT_INVALID : verdict, "%s", text);
	}
}

static void end_reasons(const struct result *result, const struct run_facts *facts,
			struct reason_list *lists)
{
	const char *name = device_name(result);
	enum verdict verdict = VERDICT_INVALID;
	char after[ELAPSED_BYTES];
	char text[REASON_BYTES];

	elapsed(after, result);
	switch (result->end.reason) {
	case END_COMPLETED:
		return;
	case END_SIGNAL: {
		const char *signal = sigdescr_np(result->end.signal);

		snprintf(text, sizeof(text), "stopped by signal %d (%s) after %s",
			 result->end.signal, signal ? signal : "unknown", after);
		break;
	}
	case END_DEVICE_LOST:
		verdict = VERDICT_FAIL;
		snprintf(text, sizeof(text),
			 "device %.60s lost: it kept a request, or failed all, for the hang limit, "
			 "after %s",
			 name, after);
		break;
	case END_DEVICE_CHANGED:
		verdict = VERDICT_FAIL;
		snprintf(text, sizeof(text),
			 "device %.60s changed: it is gone, or another one is under its name, "
			 "after %s",
			 name, after);
		break;
	case END_MAX_LAG:
		verdict = facts->device_is_behind ? VERDICT_FAIL : VERDICT_INVALID;
		snprintf(text, sizeof(text),
			 "stopped after %s, further behind on %.60s than max-lag allows: %s", after,
			 name,
			 facts->device_is_behind ? "the device does not keep the load"
						 : "this host does not issue the load in time");
		break;
	default:
		if (result->complete)
			snprintf(text, sizeof(text), "the log ends without an end line after %s",
				 after);
		else
			snprintf(text, sizeof(text), "still under way after %s", after);
		break;
	}
	add_for_all(result, lists, verdict, text);
}

/* Whether latency could decide anything, or was not to. */
static bool any_judged(const struct result *result)
{
	const struct run_info *info = result->info;
	bool found = false;

	for (size_t i = 0; i < result->slice_count && !found; i++) {
		const struct slice *slice = result->slices[i];

		found = slice->judged && info->judged_count == 0;
		for (size_t k = 0; slice->judged && k < info->stream_count && !found; k++)
			found = judge_is_judged(info, k) &&
				run_info_is_issued(info, slice->phase, info->device_count, k);
	}
	return found;
}

void run_reasons(const struct result *result, const struct run_facts *facts,
		 struct reason_list *lists)
{
	char missing[FIGURE_BYTES];
	char text[REASON_BYTES];

	end_reasons(result, facts, lists);
	if (facts->missing_ns > 0 && result->end.reason == END_COMPLETED) {
		snprintf(text, sizeof(text), "lost interval: %s at the end are missing",
			 figure_duration(missing, facts->missing_ns, 2));
		add_for_all(result, lists, VERDICT_INVALID, text);
	}
	if (result->slice_count == 0 && result->complete)
		add_for_all(result, lists, VERDICT_INVALID, "not one interval was measured");
	if (result->slice_count > 0 && result->complete && !any_judged(result))
		add_for_all(result, lists, VERDICT_INVALID,
			    "not one slice was judged: there is nothing to pass");
	if (facts->out_of_memory)
		add_for_all(result, lists, VERDICT_INVALID,
			    "not enough memory to keep what was measured");
}

static size_t count_slices(const struct result *result, enum verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < result->slice_count; i++)
		count += result->slices[i]->verdict == verdict;
	return count;
}

/* "; 2 of 24 slices FAIL"; nothing for a single slice. */
static void append_count(struct result *result, enum verdict verdict)
{
	if (result->slice_count > 1)
		run_append(result, "; %zu of %zu slices %s", count_slices(result, verdict),
			   result->slice_count, verdict_name(verdict));
}

static void explain_slice(struct result *result)
{
	const struct slice *worst = result->slices[result->worst];
	char text[REASON_BYTES];
	char start[FIGURE_BYTES];

	slice_explain(result->info, worst, text);
	run_append(result, "slice %" PRIu64 " (from %s): %s", worst->number,
		   figure_clock(start, worst->start_ns), text);
	append_count(result, result->verdict);
}

/* ", at worst 1.23 % of reads over 1 ms, limit 5 %": the share nearest to its
 * limit. */
static void append_nearest(struct result *result)
{
	const struct run_info *info = result->info;
	struct slice *worst = result->slices[result->worst];
	struct nearest nearest = run_nearest(info, worst);
	struct info_criterion criterion = info->criteria[nearest.criterion];
	const struct summary *sums =
	    &slice_judgement(worst, nearest.judgement)->streams[nearest.stream];
	char share[FIGURE_BYTES];
	char threshold[FIGURE_BYTES];
	char limit[FIGURE_BYTES];

	if (!nearest.found ||
	    !judge_limit(info, nearest.stream, nearest.criterion, &criterion.limit))
		return;
	figure_share(share, sums->over[nearest.criterion], summary_total(sums), &criterion.limit);
	run_append(result, "; nearest to a limit: %s %% of %s over %s (limit %s)", share,
		   info->streams[nearest.stream].name,
		   figure_duration(threshold, criterion.threshold_ns, 7),
		   figure_limit(limit, criterion.limit));
	if (nearest.judgement > 0 && info->device_count > 1)
		run_append(result, " on %.60s", info->devices[nearest.judgement - 1].name);
	if (info->phase_count > 0)
		run_append(result, ", phase '%s'", info->phases[worst->phase].name);
}

/* "4 slices"; with phases "20 slices in 3 phases (1 more was not judged)" */
static void append_passed(struct result *result)
{
	size_t slices = 0;
	size_t phases = 0;
	size_t others = 0;

	for (size_t i = 0; i < result->slice_count; i++)
		slices += result->slices[i]->judged;
	for (size_t i = 0; i < result->info->phase_count; i++) {
		phases += result->info->phases[i].judged;
		others += !result->info->phases[i].judged;
	}
	run_append(result, "%zu slice%s", slices, slices == 1 ? "" : "s");
	if (result->info->phase_count > 0)
		run_append(result, " in %zu phase%s", phases, phases == 1 ? "" : "s");
	if (others > 0)
		run_append(result, " (%zu more %s not judged)", others,
			   others == 1 ? "was" : "were");
}

static void explain_pass(struct result *result)
{
	const struct run_info *info = result->info;
	bool limits = !info->stress && info->judged_count > 0 && info->criterion_count > 0;
	const char *how = limits         ? "all latency limits kept, no errors"
			  : info->stress ? "no errors (stress: latency limits do not decide)"
					 : "no errors (no latency limit was set)";

	append_passed(result);
	run_append(result, " with the whole load, %s", how);
	if (limits)
		append_nearest(result);
}

static bool any_errors(const struct result *result)
{
	for (size_t i = 0; i < result->info->stream_count; i++)
		if (result->total.streams[i].errors > 0)
			return true;
	return false;
}

static int exit_status(const struct result *result)
{
	if (result->end.reason == END_SIGNAL)
		return 128 + result->end.signal;
	if (result->verdict == VERDICT_INVALID)
		return EXIT_INVALID;
	if (result->verdict == VERDICT_PASS)
		return EXIT_PASS;
	return any_errors(result) || result->end.reason == END_DEVICE_LOST ||
		       result->end.reason == END_DEVICE_CHANGED
		   ? EXIT_DEVICE
		   : EXIT_FAIL;
}

void run_conclude(struct result *result)
{
	const struct reason *own = judgement_find_reason(&result->total, result->verdict);

	result->reason[0] = '\0';
	if (own) {
		run_append(result, "%s", own->text);
		append_count(result, VERDICT_PASS);
	} else if (result->verdict == VERDICT_PASS) {
		explain_pass(result);
	} else if (result->info->phase_count > 0) {
		run_explain_phases(result);
	} else {
		explain_slice(result);
	}
	result->exit_status = exit_status(result);
}
