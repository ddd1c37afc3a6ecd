#include "analysis/act_judge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/act_period.h"
#include "analysis/act_slice.h"
#include "analysis/figures.h"
#include "analysis/run_verdict.h"
#include "analysis/slice.h"

#define EARLY_MAX 16

struct act_judge {
	const struct act_log *log;
	struct judge_options options;
	bool ready; /* `plan` and `period` are there, `open` and what follows hold */
	struct act_plan plan;
	struct act_period period;
	struct reason_list *lists; /* [1 + device_count] */
	bool open;                 /* a slice is under way */
	uint64_t slice_sec;
	uint64_t slice_index;
	/* Messages before the log has told its histograms. */
	struct act_message early[EARLY_MAX];
	size_t early_count;
	char stopped[REASON_BYTES]; /* why the tool stopped, empty when it did not say */
	bool by_device;             /* it said that it was for the devices */
	bool changed;               /* histograms came later than the first block */
	struct result result;
	size_t slice_room;
};

static int no_memory(struct error *err)
{
	return error_environment(err, ENOMEM, "not enough memory to judge a log");
}

int act_judge_new(const struct act_log *log, const struct judge_options *options,
		  struct act_judge **ret, struct error *err)
{
	struct act_judge *judge = calloc(1, sizeof(*judge));

	if (!judge)
		return no_memory(err);
	judge->log = log;
	judge->options = *options;
	*ret = judge;
	return 0;
}

void act_judge_free(struct act_judge *judge)
{
	if (!judge)
		return;

	struct result *result = &judge->result;

	for (size_t i = 0; i < result->slice_count; i++)
		slice_free(result->slices[i]);
	free(result->slices);
	for (size_t i = 0; result->device_totals && i < judge->plan.info.device_count; i++) {
		free(result->device_totals[i].streams);
		free(result->device_totals[i].reasons);
	}
	free(result->device_totals);
	free(result->total.streams);
	free(result->total.reasons);
	free(judge->lists);
	act_period_release(&judge->period);
	act_plan_release(&judge->plan);
	free(judge);
}

static int allocate(struct act_judge *judge)
{
	struct result *result = &judge->result;
	size_t devices = judge->plan.info.device_count;

	if (act_period_init(&judge->period, &judge->plan, judge->log) < 0)
		return -ENOMEM;
	judge->lists = calloc(devices + 1, sizeof(*judge->lists));
	result->device_totals = calloc(devices, sizeof(*result->device_totals));
	if (!judge->lists || !result->device_totals)
		return -ENOMEM;
	for (size_t i = 0; i <= devices; i++) {
		struct judgement *total = i ? &result->device_totals[i - 1] : &result->total;

		total->streams = calloc(judge->plan.info.stream_count, sizeof(*total->streams));
		total->reasons = calloc(REASONS_MAX, sizeof(*total->reasons));
		if (!total->streams || !total->reasons)
			return -ENOMEM;
	}
	return 0;
}

/* To be called when the log has told its histograms. */
static int prepare(struct act_judge *judge, struct error *err)
{
	int rc = act_plan_init(&judge->plan, judge->log, &judge->options, err);

	if (rc < 0)
		return rc;
	if (allocate(judge) < 0)
		return no_memory(err);
	judge->slice_sec = judge->plan.info.slice_ns / NS_PER_SEC;
	judge->result.info = &judge->plan.info;
	judge->ready = true;
	for (size_t i = 0; i < judge->early_count; i++)
		act_period_message(&judge->period, &judge->early[i]);
	return 0;
}

static int keep_slice(struct act_judge *judge, struct slice *slice)
{
	struct result *result = &judge->result;

	if (result->slice_count == judge->slice_room) {
		size_t room = judge->slice_room > 0 ? judge->slice_room * 2 : 32;
		struct slice **slices = reallocarray(result->slices, room, sizeof(*slices));

		if (!slices)
			return -ENOMEM;
		result->slices = slices;
		judge->slice_room = room;
	}
	result->slices[result->slice_count++] = slice;
	return 0;
}

static void add_up(struct summary *into, const struct summary *from, size_t criteria)
{
	into->planned += from->planned;
	into->issued += from->issued;
	into->completed += from->completed;
	into->errors += from->errors;
	for (size_t k = 0; k < criteria; k++) {
		into->over[k] += from->over[k];
		into->service_over[k] += from->service_over[k];
		into->device_over[k] += from->device_over[k];
	}
}

static void add_to_totals(struct act_judge *judge, struct slice *slice)
{
	const struct run_info *info = &judge->plan.info;
	struct result *result = &judge->result;

	for (size_t i = 0; i <= info->device_count; i++) {
		struct judgement *total = i ? &result->device_totals[i - 1] : &result->total;

		for (size_t k = 0; k < info->stream_count; k++)
			add_up(&total->streams[k], &slice_judgement(slice, i)->streams[k],
			       info->criterion_count);
	}
	result->measured_ns += slice->duration_ns;
}

static int close_slice(struct act_judge *judge)
{
	const struct run_info *info = &judge->plan.info;
	struct act_period *period = &judge->period;
	struct slice *slice = slice_new(info->device_count, info->stream_count);

	if (!slice)
		return -ENOMEM;
	slice->number = judge->slice_index + 1;
	slice->judged = true;
	slice->start_ns = act_seconds_ns(period->start_sec);
	slice->duration_ns = act_seconds_ns(period->last_sec - period->start_sec);
	slice->intervals = period->intervals;
	slice->partial = slice->duration_ns < info->slice_ns || period->lost_sec > 0;
	for (size_t i = 0; i <= info->device_count; i++)
		judge->lists[i].count = 0;
	act_slice_judge(period, slice, judge->lists);
	if (slice_set_reasons(slice, judge->lists, info->device_count) < 0 ||
	    keep_slice(judge, slice) < 0) {
		slice_free(slice);
		return -ENOMEM;
	}
	add_to_totals(judge, slice);
	act_period_restart(period);
	judge->open = false;
	return 0;
}

/* Closes the slice under way when the block is of a later one; both lack what is missing
 * of them. */
static int leave_slice(struct act_judge *judge, uint64_t index, uint64_t *missing_sec)
{
	struct act_period *period = &judge->period;
	uint64_t end = (judge->slice_index + 1) * judge->slice_sec;

	if (!judge->open || index <= judge->slice_index)
		return 0;
	period->lost_sec += end - period->last_sec;
	*missing_sec =
	    *missing_sec > end - period->last_sec ? *missing_sec - (end - period->last_sec) : 0;
	return close_slice(judge);
}

int act_judge_block(struct act_judge *judge, struct error *err)
{
	const struct act_block *block = act_log_block(judge->log);
	uint64_t step = act_log_head(judge->log)->report_interval_sec;
	struct act_period *period = &judge->period;
	int rc = judge->ready ? 0 : prepare(judge, err);

	if (rc < 0)
		return rc;
	judge->changed |= act_log_histogram_count(judge->log) != judge->plan.histogram_count;
	if (!act_period_accepts(period, block))
		return 0;

	uint64_t index = (block->seconds - 1) / judge->slice_sec;
	uint64_t gap = block->seconds - period->last_sec;
	uint64_t missing_sec = gap > step ? gap - step : 0;

	if (leave_slice(judge, index, &missing_sec) < 0)
		return no_memory(err);
	judge->open = true;
	judge->slice_index = index;
	period->lost_sec += missing_sec;
	act_period_add(period, block);
	if (block->seconds % judge->slice_sec == 0 && close_slice(judge) < 0)
		return no_memory(err);
	return 0;
}

int act_judge_message(struct act_judge *judge, struct error *err)
{
	const struct act_message *message = act_log_message(judge->log);
	int rc;

	if (message->kind == ACT_MESSAGE_STOPPED) {
		if (!judge->stopped[0])
			snprintf(judge->stopped, sizeof(judge->stopped),
				 "the tool gave up: line %" PRIu64 ": \"%.200s\"", message->line,
				 message->text);
		judge->by_device |= strstr(message->text, "drive") != NULL;
		return 0;
	}
	if (message->kind == ACT_MESSAGE_SETUP)
		return 0;
	if (!judge->ready && act_log_histogram_count(judge->log) > 0) {
		rc = prepare(judge, err);
		if (rc < 0)
			return rc;
	}
	if (judge->ready)
		act_period_message(&judge->period, message);
	else if (judge->early_count < EARLY_MAX)
		judge->early[judge->early_count++] = *message;
	return 0;
}

static void add_for_all(struct act_judge *judge, enum verdict verdict, const char *text)
{
	for (size_t i = 0; i <= judge->plan.info.device_count; i++)
		reason_add(&judge->lists[i], verdict, "%s", text);
}

/* Whether the devices made the tool stop: it says so, or they were too slow before. */
static bool device_is_behind(const struct act_judge *judge)
{
	const struct result *result = &judge->result;

	return judge->by_device ||
	       (result->slice_count > 0 &&
		result->slices[result->slice_count - 1]->verdict == VERDICT_FAIL);
}

/* Why the run is none, beyond its slices. */
static void run_reasons_of(struct act_judge *judge)
{
	struct result *result = &judge->result;
	const struct run_info *info = &judge->plan.info;
	uint64_t last_ns = act_seconds_ns(judge->period.last_sec);
	char text[REASON_BYTES];
	char done[FIGURE_BYTES];
	char planned[FIGURE_BYTES];

	result->end = (struct run_end){
	    .reason = END_COMPLETED, .device = info->device_count, .at_ns = last_ns};
	if (judge->stopped[0]) {
		result->end.reason = END_MAX_LAG;
		add_for_all(judge, device_is_behind(judge) ? VERDICT_FAIL : VERDICT_INVALID,
			    judge->stopped);
	}
	if (last_ns < info->duration_ns) {
		if (!judge->stopped[0])
			result->end.reason = END_NONE;
		snprintf(text, sizeof(text), "the log ends after %.60s of %.60s",
			 figure_duration(done, last_ns, 2),
			 figure_duration(planned, info->duration_ns, 2));
		add_for_all(judge, VERDICT_INVALID, text);
	}
	if (result->slice_count == 0)
		add_for_all(judge, VERDICT_INVALID, "not one interval was measured");
	if (judge->changed)
		add_for_all(judge, VERDICT_INVALID,
			    "histograms come that the first block did not have");
}

/* What was noted after the last slice belongs to the run. */
static void take_rest(struct act_judge *judge)
{
	const struct run_info *info = &judge->plan.info;
	struct result *result = &judge->result;

	act_slice_notes(&judge->period, judge->lists);
	for (size_t i = 0; i <= info->device_count; i++) {
		struct judgement *total = i ? &result->device_totals[i - 1] : &result->total;
		size_t device = i ? i - 1 : info->device_count;

		for (size_t k = 0; k < info->stream_count; k++) {
			uint64_t failed = act_slice_failed(&judge->period, k, device);

			total->streams[k].errors += failed;
			total->streams[k].issued += failed;
			for (size_t j = 0; j < info->criterion_count; j++)
				total->streams[k].over[j] += failed;
		}
	}
}

static void conclude(struct act_judge *judge, bool complete)
{
	struct result *result = &judge->result;

	for (size_t i = 0; i <= judge->plan.info.device_count; i++) {
		struct judgement *total = i ? &result->device_totals[i - 1] : &result->total;
		const struct reason_list *list = &judge->lists[i];

		total->verdict = reason_verdict(list);
		total->reason_count = list->count;
		memcpy(total->reasons, list->items, list->count * sizeof(list->items[0]));
		for (size_t k = 0; k < result->slice_count; k++) {
			struct slice *slice = result->slices[k];

			total->verdict = verdict_gravest(
			    total->verdict, i ? slice->devices[i - 1].verdict : slice->verdict);
		}
	}
	result->verdict = result->total.verdict;
	result->complete = complete;
	run_find_worst(result);
	run_conclude(result);
}

const struct result *act_judge_peek(struct act_judge *judge)
{
	uint64_t last_ns = act_seconds_ns(judge->period.last_sec);
	char text[REASON_BYTES];
	char after[FIGURE_BYTES];

	if (!judge->ready)
		return NULL;
	judge->result.end = (struct run_end){
	    .reason = END_NONE, .device = judge->plan.info.device_count, .at_ns = last_ns};
	for (size_t i = 0; i <= judge->plan.info.device_count; i++)
		judge->lists[i].count = 0;
	snprintf(text, sizeof(text), "still under way after %s",
		 figure_duration(after, last_ns, 2));
	add_for_all(judge, VERDICT_INVALID, text);
	conclude(judge, false);
	return &judge->result;
}

int act_judge_finish(struct act_judge *judge, const struct result **ret, struct error *err)
{
	int rc = judge->ready ? 0 : prepare(judge, err);

	if (rc < 0)
		return rc;
	if (judge->open && close_slice(judge) < 0)
		return no_memory(err);
	/* A log that does not tell how long it was to be is taken as it is. */
	if (judge->plan.info.duration_ns == 0)
		judge->plan.info.duration_ns = act_seconds_ns(judge->period.last_sec);
	for (size_t i = 0; i <= judge->plan.info.device_count; i++)
		judge->lists[i].count = 0;
	run_reasons_of(judge);
	take_rest(judge);
	conclude(judge, true);
	*ret = &judge->result;
	return 0;
}

int act_judge_log(struct act_log *log, struct act_judge *judge, const struct result **ret,
		  struct error *err)
{
	enum act_event event = ACT_BLOCK;
	int rc = 0;

	while (rc == 0 && event != ACT_NO_MORE) {
		rc = act_log_next(log, &event, err);
		if (rc == 0 && event == ACT_BLOCK)
			rc = act_judge_block(judge, err);
		if (rc == 0 && event == ACT_MESSAGE)
			rc = act_judge_message(judge, err);
	}
	if (rc == 0 && act_log_last_block(log))
		rc = act_judge_block(judge, err);
	return rc < 0 ? rc : act_judge_finish(judge, ret, err);
}
