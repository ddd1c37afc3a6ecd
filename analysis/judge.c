#include "analysis/judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge_options.h"
#include "analysis/phase_sums.h"
#include "analysis/rules.h"
#include "analysis/run_verdict.h"
#include "analysis/slice.h"
#include "analysis/slicing.h"
#include "analysis/sums.h"

struct judge {
	struct run_info info; /* as applied; its arrays are the caller's */
	/* But for the streams, where their own criteria are replaced. */
	struct info_stream *streams;
	size_t threshold[THRESHOLDS_MAX];

	struct sums slice_sums;
	struct sums run_sums;      /* finished slices only */
	struct phase_sums phases;  /* likewise */
	struct reason_list *lists; /* [1 + device_count] */

	bool open; /* a slice is under way */
	struct slice_place place;
	uint64_t slice_start_ns;
	uint64_t slice_measured_ns;
	uint64_t last_end_ns;
	uint64_t next_number; /* of the interval that should come next */
	struct slice_facts facts;

	struct result result;
	size_t slice_room;
	bool out_of_memory;
};

/* Sums and reasons of the run: taken once, filled at the end. */
static int allocate_totals(struct judge *judge)
{
	struct result *result = &judge->result;
	size_t devices = judge->info.device_count;

	result->device_totals = calloc(devices, sizeof(*result->device_totals));
	if (!result->device_totals)
		return -ENOMEM;
	for (size_t i = 0; i <= devices; i++) {
		struct judgement *total = i ? &result->device_totals[i - 1] : &result->total;

		total->streams = calloc(judge->info.stream_count, sizeof(*total->streams));
		total->reasons = calloc(REASONS_MAX, sizeof(*total->reasons));
		if (!total->streams || !total->reasons)
			return -ENOMEM;
	}
	return 0;
}

static int allocate(struct judge *judge)
{
	int rc = sums_init(&judge->slice_sums, &judge->info, judge->threshold);

	if (rc == 0)
		rc = sums_init(&judge->run_sums, &judge->info, judge->threshold);
	if (rc == 0)
		rc = phase_sums_init(&judge->phases, &judge->info, judge->threshold);
	if (rc < 0)
		return rc;
	judge->result.phases = judge->phases.results;
	judge->lists = calloc(judge->info.device_count + 1, sizeof(*judge->lists));
	return judge->lists ? allocate_totals(judge) : -ENOMEM;
}

/* Other criteria than the run's replace those of its streams, too. */
static int replace_own_criteria(struct judge *judge)
{
	size_t bytes = judge->info.stream_count * sizeof(*judge->streams);

	judge->streams = malloc(bytes);
	if (!judge->streams)
		return -ENOMEM;
	memcpy(judge->streams, judge->info.streams, bytes);
	for (size_t i = 0; i < judge->info.stream_count; i++)
		judge->streams[i].criterion_count = 0;
	judge->info.streams = judge->streams;
	return 0;
}

int judge_new_as(const struct run_info *info, const struct judge_options *options,
		 struct judge **ret, struct error *err)
{
	struct judge *judge = calloc(1, sizeof(*judge));
	int rc;

	if (!judge)
		return error_environment(err, ENOMEM, "not enough memory to judge a run");
	rc = judge_options_apply(options, info, &judge->info, judge->threshold, err);
	if (rc < 0)
		goto out;
	if (options->criterion_count > 0)
		rc = replace_own_criteria(judge);
	if (rc == 0)
		rc = allocate(judge);
	if (rc < 0) {
		error_environment(err, -rc, "not enough memory to judge a run");
		goto out;
	}
	judge->result.info = &judge->info;
	*ret = judge;
	judge = NULL;
out:
	judge_free(judge);
	return rc;
}

int judge_new(const struct run_info *info, struct judge **ret, struct error *err)
{
	const struct judge_options none = {0};

	return judge_new_as(info, &none, ret, err);
}

void judge_free(struct judge *judge)
{
	if (!judge)
		return;

	struct result *result = &judge->result;

	for (size_t i = 0; i < result->slice_count; i++)
		slice_free(result->slices[i]);
	free(result->slices);
	for (size_t i = 0; result->device_totals && i < judge->info.device_count; i++) {
		free(result->device_totals[i].streams);
		free(result->device_totals[i].reasons);
	}
	free(result->device_totals);
	free(result->total.streams);
	free(result->total.reasons);
	sums_release(&judge->slice_sums);
	sums_release(&judge->run_sums);
	phase_sums_release(&judge->phases);
	free(judge->lists);
	free(judge->streams);
	free(judge);
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* A log can hold times that run backwards. */
static uint64_t span_ns(uint64_t start_ns, uint64_t end_ns)
{
	return end_ns > start_ns ? end_ns - start_ns : 0;
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static void add_facts(struct slice_facts *facts, const struct interval *interval)
{
	facts->intervals++;
	facts->late_intervals += interval->late;
	if (magnitude(interval->clock_jump_ns) > magnitude(facts->clock_jump_ns))
		facts->clock_jump_ns = interval->clock_jump_ns;
	facts->queue_overflows += interval->queue_overflows;
	facts->hiccups += interval->hiccups;
	facts->cpu_idle_ticks += interval->cpu_idle_ticks;
	facts->cpu_total_ticks += interval->cpu_total_ticks;
}

static void judge_streams(struct judge *judge, struct slice *slice)
{
	const struct run_info *info = &judge->info;

	for (size_t i = 0; i <= info->device_count; i++) {
		struct summary *streams = slice_judgement(slice, i)->streams;

		for (size_t k = 0; k < info->stream_count; k++) {
			if (i == 0)
				sums_take_all(&judge->slice_sums, k, &streams[k]);
			else
				sums_take_device(&judge->slice_sums, i - 1, k, &streams[k]);
		}
		const struct rules_scope scope = {
		    .phase = slice->phase,
		    .judged = slice->judged,
		    .device = i == 0 ? info->device_count : i - 1,
		    .device_count = i == 0 ? info->device_count : 1,
		};

		judge->lists[i].count = 0;
		rules_streams(info, &judge->facts, streams, &scope, &judge->lists[i]);
		rules_measurement(&judge->facts, slice->judged, &judge->lists[i]);
	}
}

static int keep_slice(struct result *result, size_t *room, struct slice *slice)
{
	if (result->slice_count == *room) {
		size_t more = *room > 0 ? *room * 2 : 32;
		struct slice **slices = reallocarray(result->slices, more, sizeof(*slices));

		if (!slices)
			return -ENOMEM;
		result->slices = slices;
		*room = more;
	}
	result->slices[result->slice_count++] = slice;
	return 0;
}

/* NULL when memory is short. */
static const struct slice *store_slice(struct judge *judge)
{
	const struct slice_facts *facts = &judge->facts;
	struct slice *slice = slice_new(judge->info.device_count, judge->info.stream_count);

	if (!slice)
		return NULL;
	slice->number = judge->place.index + 1;
	slice->phase = judge->place.phase;
	slice->judged = !judge->info.phase_count || judge->info.phases[slice->phase].judged;
	slice->start_ns = judge->slice_start_ns;
	slice->duration_ns = span_ns(judge->slice_start_ns, judge->last_end_ns);
	slice->intervals = facts->intervals;
	slice->partial = facts->intervals < judge->place.end - judge->place.first;
	slice->cpu_idle_ticks = facts->cpu_idle_ticks;
	slice->cpu_total_ticks = facts->cpu_total_ticks;
	judge_streams(judge, slice);
	if (slice_set_reasons(slice, judge->lists, judge->info.device_count) < 0 ||
	    keep_slice(&judge->result, &judge->slice_room, slice) < 0) {
		slice_free(slice);
		return NULL;
	}
	return slice;
}

static const struct slice *close_slice(struct judge *judge)
{
	const struct slice *slice = store_slice(judge);

	if (!slice)
		judge->out_of_memory = true;
	sums_add(&judge->run_sums, &judge->slice_sums.total);
	phase_sums_add(&judge->phases, judge->place.phase, &judge->slice_sums.total,
		       judge->slice_measured_ns);
	sums_restart(&judge->slice_sums);
	memset(&judge->facts, 0, sizeof(judge->facts));
	judge->slice_measured_ns = 0;
	judge->open = false;
	return slice;
}

/* Measurement that should lie between the last interval and this one, or that
 * both cover. */
static uint64_t gap_ns(const struct judge *judge, const struct interval *interval)
{
	uint64_t last_ns = judge->last_end_ns;
	uint64_t gap = interval->start_ns > last_ns ? interval->start_ns - last_ns
						    : last_ns - interval->start_ns;
	uint64_t missing = interval->number > judge->next_number
			       ? interval->number - judge->next_number
			       : judge->next_number - interval->number;
	uint64_t missing_ns = times(missing, judge->info.interval_ns);

	return gap > missing_ns ? gap : missing_ns;
}

/* Closes the slice under way when the interval is of a later one. What the slice
 * lacks then is lost; the slice that begins is told of the rest. */
static const struct slice *leave_slice(struct judge *judge, uint64_t index, uint64_t *gap)
{
	if (!judge->open || index <= judge->place.index)
		return NULL;

	uint64_t lacking_ns = times(judge->place.end - judge->next_number, judge->info.interval_ns);

	judge->facts.lost_ns += lacking_ns;
	*gap = *gap > lacking_ns ? *gap - lacking_ns : 0;
	return close_slice(judge);
}

const struct slice *judge_interval(struct judge *judge, const struct interval *interval)
{
	uint64_t gap = gap_ns(judge, interval);
	struct slice_place place;

	slicing_find(&judge->info, interval->number, &place);

	const struct slice *cut = leave_slice(judge, place.index, &gap);

	if (!judge->open) {
		judge->open = true;
		judge->place = place;
		judge->slice_start_ns = interval->start_ns;
	}
	judge->facts.lost_ns += gap;
	add_facts(&judge->facts, interval);
	sums_add(&judge->slice_sums, interval);
	judge->last_end_ns = interval->end_ns;
	judge->next_number = interval->number + 1;
	judge->slice_measured_ns += span_ns(interval->start_ns, interval->end_ns);
	judge->result.measured_ns += span_ns(interval->start_ns, interval->end_ns);
	if (judge->next_number == place.end)
		return close_slice(judge);
	return cut;
}

void judge_current(const struct judge *judge, size_t stream, struct summary *ret)
{
	sums_take_all(&judge->slice_sums, stream, ret);
}

static void take_totals(struct judge *judge)
{
	struct result *result = &judge->result;

	for (size_t k = 0; k < judge->info.stream_count; k++) {
		sums_take_all(&judge->run_sums, k, &result->total.streams[k]);
		for (size_t i = 0; i < judge->info.device_count; i++)
			sums_take_device(&judge->run_sums, i, k,
					 &result->device_totals[i].streams[k]);
	}
}

/* After max-lag: whether what is still due waits for the device rather than for
 * this host. */
static bool device_is_behind(const struct judge *judge, size_t device)
{
	const struct result *result = &judge->result;
	uint64_t by_device = 0;
	uint64_t by_host = 0;

	if (device >= judge->info.device_count || result->slice_count == 0)
		return false;

	const struct slice *last = result->slices[result->slice_count - 1];

	if (rules_host_saturated(last->cpu_idle_ticks, last->cpu_total_ticks))
		return false;
	for (size_t k = 0; k < judge->info.stream_count; k++) {
		const struct tally *tally = interval_tally(&judge->run_sums.total, device, k);

		by_device += tally->backlog_device;
		by_host += tally->backlog_host;
	}
	return by_device > by_host || last->devices[device].verdict == VERDICT_FAIL;
}

static uint64_t missing_at_end_ns(const struct judge *judge)
{
	uint64_t planned = judge->info.duration_ns / judge->info.interval_ns;

	return planned > judge->next_number
		   ? times(planned - judge->next_number, judge->info.interval_ns)
		   : 0;
}

static void set_total(struct judgement *total, const struct reason_list *list)
{
	total->verdict = reason_verdict(list);
	total->reason_count = list->count;
	memcpy(total->reasons, list->items, list->count * sizeof(list->items[0]));
}

static const struct result *conclude(struct judge *judge, const struct run_end *end, bool complete)
{
	struct result *result = &judge->result;
	struct run_facts facts = {
	    .missing_ns = missing_at_end_ns(judge),
	    .device_is_behind = device_is_behind(judge, end->device),
	    .out_of_memory = judge->out_of_memory,
	};

	result->end = *end;
	result->complete = complete;
	take_totals(judge);
	for (size_t i = 0; i <= judge->info.device_count; i++)
		judge->lists[i].count = 0;
	run_reasons(result, &facts, judge->lists);
	for (size_t i = 0; i <= judge->info.device_count; i++) {
		struct judgement *total = i ? &result->device_totals[i - 1] : &result->total;

		set_total(total, &judge->lists[i]);
		for (size_t k = 0; k < result->slice_count; k++) {
			struct slice *slice = result->slices[k];
			enum verdict verdict = i ? slice->devices[i - 1].verdict : slice->verdict;

			total->verdict = verdict_gravest(total->verdict, verdict);
		}
	}
	result->verdict = result->total.verdict;
	run_find_worst(result);
	run_conclude(result);
	return result;
}

const struct result *judge_finish(struct judge *judge, const struct run_end *end)
{
	if (judge->open)
		close_slice(judge);
	return conclude(judge, end, true);
}

const struct result *judge_peek(struct judge *judge)
{
	const struct run_end none = {.reason = END_NONE};

	return conclude(judge, &none, false);
}
