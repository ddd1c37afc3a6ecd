#include "analysis/rules.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "act/base/clock.h"
#include "analysis/figures.h"
#include "analysis/share.h"

#define CLOCK_JUMP_MAX_NS ((int64_t)NS_PER_MS)

const struct ratio rules_issued_min = {999, 1000};
/* The rest of it: at most this share may be missing. */
static const struct ratio MISSED_MAX = {1, 1000};
/* CPUs busier than this leave nothing to say about a device. */
static const struct ratio BUSY_MAX = {95, 100};

void reason_add(struct reason_list *list, enum verdict verdict, const char *format, ...)
{
	size_t place = list->count;
	va_list args;

	while (place > 0 && verdict == VERDICT_FAIL &&
	       list->items[place - 1].verdict != VERDICT_FAIL)
		place--;
	if (place == REASONS_MAX)
		return;
	if (list->count < REASONS_MAX)
		list->count++;
	for (size_t i = list->count - 1; i > place; i--)
		list->items[i] = list->items[i - 1];
	list->items[place].verdict = verdict;
	va_start(args, format);
	vsnprintf(list->items[place].text, REASON_BYTES, format, args);
	va_end(args);
}

enum verdict reason_verdict(const struct reason_list *list)
{
	return list->count > 0 ? list->items[0].verdict : VERDICT_PASS;
}

int rules_host_saturated(uint64_t idle_ticks, uint64_t total_ticks)
{
	uint64_t busy = idle_ticks < total_ticks ? total_ticks - idle_ticks : 0;

	return share_compare(busy, total_ticks, BUSY_MAX) > 0;
}

void rules_measurement(const struct slice_facts *facts, bool judged, struct reason_list *list)
{
	char text[FIGURE_BYTES];
	char of[FIGURE_BYTES];
	int64_t jump_ns = facts->clock_jump_ns;

	if (facts->lost_ns > 0)
		reason_add(list, VERDICT_INVALID, "lost interval: %s of measurement are missing",
			   figure_duration(text, facts->lost_ns, 2));
	if (facts->late_intervals > 0)
		reason_add(list, VERDICT_INVALID,
			   "lost interval: the counts of %s of %s intervals are mixed with others, "
			   "this host collected them late",
			   figure_count(text, facts->late_intervals),
			   figure_count(of, facts->intervals));
	if (!judged)
		return;
	if (jump_ns > CLOCK_JUMP_MAX_NS || jump_ns < -CLOCK_JUMP_MAX_NS)
		reason_add(
		    list, VERDICT_INVALID,
		    "clock jump: the clock of this host stood still or was set, by %s",
		    figure_duration(text, jump_ns < 0 ? -(uint64_t)jump_ns : (uint64_t)jump_ns, 2));
	if (facts->queue_overflows > 0)
		reason_add(list, VERDICT_INVALID,
			   "completion queue overflow: %s completions came late",
			   figure_count(text, facts->queue_overflows));
}

/* One stream under the rules. */
struct subject {
	const char *name;
	const struct summary *sums;
	size_t device_count;
	/* "this host's CPUs were 99.1 % busy: it cannot carry this load; ", when
	 * they were; otherwise empty. */
	const char *busy;
	uint64_t hiccups;
	struct reason_list *list;
};

static enum verdict blame_device(const struct subject *subject)
{
	return subject->busy[0] ? VERDICT_INVALID : VERDICT_FAIL;
}

static void judge_errors(const struct subject *subject)
{
	const struct summary *sums = subject->sums;
	uint64_t failed = sums->errors - sums->mismatches;
	char count[FIGURE_BYTES];
	char total[FIGURE_BYTES];

	if (sums->mismatches > 0)
		reason_add(subject->list, VERDICT_FAIL,
			   "%s of %s %s returned wrong data, first at offset %" PRIu64,
			   figure_count(count, sums->mismatches),
			   figure_count(total, summary_total(sums)), subject->name,
			   sums->mismatch_offset_bytes);
	if (failed > 0)
		reason_add(subject->list, VERDICT_FAIL, "%s of %s %s failed",
			   figure_count(count, failed), figure_count(total, summary_total(sums)),
			   subject->name);
}

/* Where a period ends, a request that is just due may not be issued yet: one for
 * each device is never missed. */
static int too_many_missed(const struct subject *subject, uint64_t missed)
{
	return missed > subject->device_count &&
	       share_compare(missed, subject->sums->planned, MISSED_MAX) > 0;
}

static const char *issued_share(char text[static FIGURE_BYTES], const struct subject *subject,
				uint64_t missed)
{
	uint64_t planned = subject->sums->planned;

	return figure_share(text, planned - missed, planned, &rules_issued_min);
}

/* Whether the device alone is at fault that requests are missing. */
static int judge_shortfall(const struct subject *subject)
{
	uint64_t by_host = subject->sums->missed_host;
	uint64_t by_device = subject->sums->missed_device;
	int host = too_many_missed(subject, by_host);
	int device = too_many_missed(subject, by_device);
	char text[FIGURE_BYTES];

	if (device)
		reason_add(subject->list, blame_device(subject),
			   "%sthe device%s kept only %s %% of the planned %s", subject->busy,
			   subject->device_count > 1 ? "s" : "",
			   issued_share(text, subject, by_device), subject->name);
	if (host)
		reason_add(subject->list, VERDICT_INVALID,
			   "only %s %% of the planned %s were issued: "
			   "this host cannot issue the load",
			   issued_share(text, subject, by_host), subject->name);
	if (!host && !device && too_many_missed(subject, by_host + by_device))
		reason_add(subject->list, VERDICT_INVALID,
			   "only %s %% of the planned %s were issued, "
			   "partly for reasons of this host",
			   issued_share(text, subject, by_host + by_device), subject->name);
	return device;
}

/* The texts of one criterion that was not kept. */
struct excess_text {
	char share[FIGURE_BYTES];
	char threshold[FIGURE_BYTES];
	char limit[FIGURE_BYTES];
	char hiccups[128]; /* "; 12 % of these in 41 hiccups of this host" */
};

static void describe_excess(struct excess_text *text, const struct subject *subject,
			    const struct info_criterion *criterion, size_t k)
{
	const struct summary *sums = subject->sums;
	char share[FIGURE_BYTES];
	char count[FIGURE_BYTES];

	figure_share(text->share, sums->over[k], summary_total(sums), &criterion->limit);
	figure_duration(text->threshold, criterion->threshold_ns, 7);
	figure_limit(text->limit, criterion->limit);
	text->hiccups[0] = '\0';
	if (subject->hiccups > 0 && sums->hiccup_over[k] > 0)
		snprintf(text->hiccups, sizeof(text->hiccups),
			 "; %.20s %% of these in %.20s hiccups of this host",
			 figure_share(share, sums->hiccup_over[k], sums->over[k], NULL),
			 figure_count(count, subject->hiccups));
}

/* Too many requests are over the threshold, but not because of the device. */
static void blame_host(const struct subject *subject, const struct info_criterion *criterion,
		       size_t k, const struct excess_text *text)
{
	const struct summary *sums = subject->sums;
	uint64_t total = summary_total(sums);
	/* A log can say anything. */
	uint64_t rest =
	    sums->over[k] > sums->hiccup_over[k] ? sums->over[k] - sums->hiccup_over[k] : 0;
	char without[FIGURE_BYTES];

	if (text->hiccups[0] && share_compare(rest, total, criterion->limit) <= 0)
		reason_add(subject->list, VERDICT_INVALID,
			   "%s: %s %% over %s, limit %s%s, without them %s %%", subject->name,
			   text->share, text->threshold, text->limit, text->hiccups,
			   figure_share(without, rest, total, &criterion->limit));
	else
		reason_add(subject->list, VERDICT_INVALID,
			   "%s: %s %% over %s (limit %s), but only %s %% because of the device: "
			   "requests were issued late by this host",
			   subject->name, text->share, text->threshold, text->limit,
			   figure_share(without, sums->device_over[k], total, &criterion->limit));
}

static void judge_criterion(const struct subject *subject, const struct info_criterion *criterion,
			    size_t k)
{
	const struct summary *sums = subject->sums;
	uint64_t total = summary_total(sums);
	struct excess_text text;

	if (share_compare(sums->over[k], total, criterion->limit) <= 0)
		return;
	describe_excess(&text, subject, criterion, k);
	if (share_compare(sums->device_over[k], total, criterion->limit) <= 0)
		blame_host(subject, criterion, k, &text);
	else if (subject->busy[0])
		reason_add(subject->list, VERDICT_INVALID, "%s%s %% of %s over %s, limit %s%s",
			   subject->busy, text.share, subject->name, text.threshold, text.limit,
			   text.hiccups);
	else
		reason_add(subject->list, VERDICT_FAIL, "%s: %s %% over %s, limit %s%s",
			   subject->name, text.share, text.threshold, text.limit, text.hiccups);
}

/* `judged`: its latency decides. */
static void judge_stream(const struct run_info *info, const struct subject *subject, size_t stream,
			 bool judged)
{
	int device_short = judge_shortfall(subject);

	if (!judged)
		return;
	if (summary_total(subject->sums) == 0 && !device_short)
		reason_add(subject->list, VERDICT_INVALID,
			   "not one of the %s came back or failed: there is nothing to judge",
			   subject->name);
	for (size_t i = 0; i < info->criterion_count && !info->stress; i++) {
		struct info_criterion criterion = info->criteria[i];

		if (judge_limit(info, stream, i, &criterion.limit))
			judge_criterion(subject, &criterion, i);
	}
}

void rules_streams(const struct run_info *info, const struct slice_facts *facts,
		   const struct summary *streams, const struct rules_scope *scope,
		   struct reason_list *list)
{
	uint64_t idle = facts->cpu_idle_ticks;
	uint64_t total = facts->cpu_total_ticks;
	char share[FIGURE_BYTES];
	char busy[128] = "";

	if (rules_host_saturated(idle, total))
		snprintf(busy, sizeof(busy),
			 "this host's CPUs were %s %% busy: it cannot carry this load; ",
			 figure_share(share, total - idle, total, &BUSY_MAX));
	/* Failed requests and wrong data come first: nothing else matters as much. */
	for (int errors_only = 1; errors_only >= 0; errors_only--) {
		for (size_t i = 0; i < info->stream_count; i++) {
			const struct subject subject = {
			    .name = info->streams[i].name,
			    .sums = &streams[i],
			    .device_count = scope->device_count,
			    .busy = busy,
			    .hiccups = facts->hiccups,
			    .list = list,
			};
			/* Where a stream is not to be issued, nothing is missed, and what is
			 * still out from the phase before was counted there. */
			bool judged = judge_is_judged(info, i) &&
				      run_info_is_issued(info, scope->phase, scope->device, i);

			if (errors_only)
				judge_errors(&subject);
			else if (scope->judged)
				judge_stream(info, &subject, i, judged);
		}
	}
}
