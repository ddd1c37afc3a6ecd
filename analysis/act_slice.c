#include "analysis/act_slice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/figures.h"
#include "analysis/share.h"
#include "analysis/slice.h"

/* The stream in which a failed read (or write) is counted: the message does not say
 * which it was. */
static size_t failed_stream(const struct act_period *period, int writes)
{
	const struct run_info *info = &period->plan->info;

	for (size_t i = 0; i < info->stream_count; i++)
		if (judge_is_judged(info, i) && info->streams[i].is_write == (writes != 0))
			return i;
	for (size_t i = 0; i < info->stream_count; i++)
		if (info->streams[i].is_write == (writes != 0))
			return i;
	return 0;
}

uint64_t act_slice_failed(const struct act_period *period, size_t stream, size_t device)
{
	size_t devices = period->plan->info.device_count;
	uint64_t failed = 0;

	for (int writes = 0; writes < 2; writes++) {
		if (failed_stream(period, writes) != stream)
			continue;
		if (device < devices)
			failed += period->failed[device][writes];
		for (size_t i = 0; device == devices && i <= devices; i++)
			failed += period->failed[i][writes];
	}
	return failed;
}

/* What share of the requests the device alone held for so long, as a number of
 * them: its own histogram can have a few more or less. */
static uint64_t scaled(uint64_t part, uint64_t whole, uint64_t to)
{
	uint128 number = whole ? (uint128)part * to / whole : 0;

	return number > to ? to : (uint64_t)number;
}

static void summarize(const struct act_period *period, size_t histogram, size_t service,
		      uint64_t failed, struct summary *ret)
{
	const struct act_plan *plan = period->plan;
	uint64_t total = act_period_total(period, histogram);
	uint64_t calls = act_period_total(period, service);

	*ret = (struct summary){.completed = total, .errors = failed};
	ret->issued = total + failed;
	for (size_t k = 0; k < plan->info.criterion_count; k++) {
		size_t from = plan->edges[k].from;
		uint64_t over = act_period_over(period, histogram, from);
		uint64_t held = scaled(act_period_over(period, service, from), calls, total);

		if (histogram == service)
			held = over;
		ret->over[k] = over + failed;
		ret->service_over[k] = held + failed;
		ret->device_over[k] = held + failed;
	}
}

/* The plan is one for all devices; which of them gets a request is left to chance. */
static void take_planned(const struct act_period *period, size_t stream, uint64_t share,
			 struct summary *sums)
{
	uint64_t rate = period->plan->streams[stream].planned;

	sums->planned = act_planned(rate, period->last_sec - period->start_sec) / share;
	if (rate == 0)
		sums->planned = sums->issued;
}

static bool is_told(const struct act_plan *plan, size_t stream, size_t device)
{
	return plan->device[stream * plan->info.device_count + device] < plan->histogram_count;
}

static void fill_summaries(const struct act_period *period, struct slice *slice)
{
	const struct act_plan *plan = period->plan;
	size_t devices = plan->info.device_count;

	for (size_t i = 0; i < plan->info.stream_count; i++) {
		const struct act_stream *stream = &plan->streams[i];

		summarize(period, stream->histogram, stream->service,
			  act_slice_failed(period, i, devices), &slice->all.streams[i]);
		take_planned(period, i, 1, &slice->all.streams[i]);
		for (size_t d = 0; d < devices; d++) {
			struct summary *sums = &slice->devices[d].streams[i];
			size_t own = plan->device[i * devices + d];

			if (is_told(plan, i, d))
				summarize(period, own, devices == 1 ? stream->service : own,
					  act_slice_failed(period, i, d), sums);
			else
				sums->errors = sums->issued = act_slice_failed(period, i, d);
			for (size_t k = 0; k < plan->info.criterion_count && !is_told(plan, i, d);
			     k++)
				sums->over[k] = sums->device_over[k] = sums->errors;
			take_planned(period, i, devices, sums);
		}
	}
}

/* Sets aside what the shared rules would blame this host for; the queues that held
 * the requests up were those of the older tool. */
static void judge_queued(const struct run_info *info, size_t stream, struct summary *sums,
			 struct reason_list *list)
{
	for (size_t k = 0; k < info->criterion_count; k++) {
		const struct info_criterion *by = &info->criteria[k];
		uint64_t total = summary_total(sums);
		char share[FIGURE_BYTES];
		char held[FIGURE_BYTES];
		char threshold[FIGURE_BYTES];
		char limit[FIGURE_BYTES];

		if (share_compare(sums->over[k], total, by->limit) <= 0 ||
		    share_compare(sums->device_over[k], total, by->limit) > 0)
			continue;
		reason_add(list, VERDICT_INVALID,
			   "%s: %s %% over %s (limit %s), but only %s %% in the device: what held "
			   "them up in the tool's queues, the log does not tell",
			   info->streams[stream].name,
			   figure_share(share, sums->over[k], total, &by->limit),
			   act_threshold(threshold, by->threshold_ns),
			   figure_limit(limit, by->limit),
			   figure_share(held, sums->device_over[k], total, &by->limit));
		sums->over[k] = sums->device_over[k];
	}
}

/* A limit that is kept by the edge above the threshold may not be kept by the
 * threshold itself: only the edge below is proof. */
static void judge_edges(const struct act_period *period, size_t stream, size_t histogram,
			const struct summary *sums, struct reason_list *list)
{
	const struct act_plan *plan = period->plan;
	uint64_t total = summary_total(sums);

	for (size_t k = 0; k < plan->info.criterion_count; k++) {
		const struct info_criterion *by = &plan->info.criteria[k];
		const struct act_edge *edge = &plan->edges[k];
		uint64_t most = act_period_over(period, histogram, edge->from_below) + sums->errors;
		char above[FIGURE_BYTES];
		char below[FIGURE_BYTES];
		char shown[FIGURE_BYTES];
		char limit[FIGURE_BYTES];

		if (edge->from == edge->from_below ||
		    share_compare(sums->over[k], total, by->limit) > 0 ||
		    share_compare(most, total, by->limit) <= 0)
			continue;
		reason_add(list, VERDICT_INVALID,
			   "%s: %s %% over %s, but %s %% over the next edge of the log's buckets "
			   "below: whether the limit of %s is kept between, it does not tell",
			   plan->info.streams[stream].name,
			   figure_share(above, sums->over[k], total, &by->limit),
			   act_threshold(shown, edge->shown_ns),
			   figure_share(below, most, total, &by->limit),
			   figure_limit(limit, by->limit));
	}
}

static void judge_stall(const struct act_period *period, size_t stream, const struct summary *sums,
			struct reason_list *list)
{
	const struct run_info *info = &period->plan->info;
	const struct act_stall *stall = &period->stalls[stream];

	for (size_t k = 0; k < info->criterion_count; k++) {
		const struct info_criterion *by = &info->criteria[k];
		uint64_t total = summary_total(sums);
		uint64_t over = sums->over[k] + stall->late[k];
		char worst[FIGURE_BYTES];
		char share[FIGURE_BYTES];
		char threshold[FIGURE_BYTES];

		over = over > total ? total : over;
		if (share_compare(sums->over[k], total, by->limit) > 0 ||
		    share_compare(over, total, by->limit) <= 0)
			continue;
		reason_add(list, VERDICT_INVALID,
			   "%s held up in %" PRIu64 " interval%s (second %" PRIu64
			   ": %s fewer than planned): the log counts no delay before a request is "
			   "issued, with it %s %% would be over %s",
			   info->streams[stream].name, stall->intervals,
			   stall->intervals == 1 ? "" : "s", stall->worst_sec,
			   figure_count(worst, stall->worst),
			   figure_share(share, over, total, &by->limit),
			   act_threshold(threshold, by->threshold_ns));
		return;
	}
}

static void judge_shortfall(const struct act_period *period, size_t stream,
			    const struct summary *sums, struct reason_list *list)
{
	uint64_t threads = act_log_head(period->log)->threads;
	uint64_t came = sums->issued + threads; /* so many can be under way */
	char share[FIGURE_BYTES];
	char done[FIGURE_BYTES];
	char planned[FIGURE_BYTES];

	if (came < threads || share_compare(came, sums->planned, rules_issued_min) >= 0)
		return;
	reason_add(list, VERDICT_INVALID,
		   "only %s %% of the planned %s came back (%s of %s): the load was not reached",
		   figure_share(share, sums->issued, sums->planned, &rules_issued_min),
		   period->plan->info.streams[stream].name, figure_count(done, sums->issued),
		   figure_count(planned, sums->planned));
}

/* Judges all devices together (device_count), or one, by the streams that the log tells
 * of them. Returns how many of the judged ones those are. */
static size_t judge_one(const struct act_period *period, struct judgement *judgement, size_t device,
			const struct slice_facts *facts, struct reason_list *list)
{
	const struct act_plan *plan = period->plan;
	bool all = device == plan->info.device_count;
	struct run_info info = plan->info; /* the judged ones that are told */
	struct summary streams[ACT_STREAMS_MAX];

	info.judged_count = 0;
	memcpy(streams, judgement->streams, info.stream_count * sizeof(streams[0]));
	for (size_t i = 0; i < info.stream_count; i++) {
		size_t own = plan->streams[i].histogram;

		if (!judge_is_judged(&plan->info, i))
			continue;
		if (!all && !is_told(plan, i, device)) {
			if (plan->streams[i].by_device) /* others are told */
				reason_add(list, VERDICT_INVALID,
					   "the log has no histogram of the %s of this device",
					   info.streams[i].name);
			continue;
		}
		memcpy(info.judged[info.judged_count++], info.streams[i].name,
		       sizeof(info.judged[0]));
		if (!all)
			own = plan->device[i * info.device_count + device];
		judge_queued(&info, i, &streams[i], list);
		judge_edges(period, i, own, &judgement->streams[i], list);
		if (all || info.device_count == 1)
			judge_stall(period, i, &judgement->streams[i], list);
	}
	if (act_log_head(period->log)->grammar->whole_milliseconds)
		info.criterion_count = 0;
	const struct rules_scope scope = {.judged = true, .device = device, .device_count = 1};

	rules_streams(&info, facts, streams, &scope, list);
	rules_measurement(facts, true, list);
	return info.judged_count;
}

static void add_for_all(const struct act_period *period, struct reason_list *lists,
			const char *text)
{
	for (size_t i = 0; i <= period->plan->info.device_count; i++)
		reason_add(&lists[i], VERDICT_INVALID, "%s", text);
}

/* The first of a kind, and how many more there were. */
static const char *note_text(char text[static REASON_BYTES], const struct act_note *note)
{
	char more[FIGURE_BYTES];

	if (note->count > 1)
		snprintf(text, REASON_BYTES, "%s (and %s more)", note->first,
			 figure_count(more, note->count - 1));
	else
		snprintf(text, REASON_BYTES, "%s", note->first);
	return text;
}

void act_slice_notes(const struct act_period *period, struct reason_list *lists)
{
	size_t devices = period->plan->info.device_count;
	char text[REASON_BYTES];

	for (size_t kind = 0; kind < ACT_NOTE_KINDS; kind++) {
		const struct act_note *note = &period->notes[kind];
		int writes = kind == ACT_NOTE_WRITE;

		if (note->count == 0)
			continue;
		note_text(text, note);
		if (kind != ACT_NOTE_READ && kind != ACT_NOTE_WRITE) {
			add_for_all(period, lists, text);
			continue;
		}
		reason_add(&lists[0], VERDICT_FAIL, "%s", text);
		for (size_t i = 0; i < devices; i++)
			if (period->failed[i][writes] > 0)
				reason_add(&lists[1 + i], VERDICT_FAIL, "%s", text);
	}
}

void act_slice_judge(const struct act_period *period, struct slice *slice,
		     struct reason_list *lists)
{
	const struct run_info *info = &period->plan->info;
	struct slice_facts facts = {
	    .intervals = period->intervals,
	    .lost_ns = act_seconds_ns(period->lost_sec),
	};

	fill_summaries(period, slice);
	act_slice_notes(period, lists);
	if (act_log_head(period->log)->grammar->whole_milliseconds)
		add_for_all(period, lists,
			    "latencies of ACT 1.x are differences of whole milliseconds: they are "
			    "shown, but certify nothing");
	judge_one(period, &slice->all, info->device_count, &facts, &lists[0]);
	for (size_t i = 0; i < info->stream_count; i++)
		judge_shortfall(period, i, &slice->all.streams[i], &lists[0]);
	for (size_t d = 0; d < info->device_count; d++) {
		size_t told = judge_one(period, &slice->devices[d], d, &facts, &lists[1 + d]);

		if (told == 0 && reason_verdict(&lists[0]) != VERDICT_PASS &&
		    reason_verdict(&lists[1 + d]) == VERDICT_PASS)
			reason_add(&lists[1 + d], VERDICT_INVALID,
				   "the log does not tell devices apart here: %.180s",
				   lists[0].items[0].text);
	}
}
