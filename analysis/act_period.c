#include "analysis/act_period.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/share.h"

int act_period_init(struct act_period *period, const struct act_plan *plan,
		    const struct act_log *log)
{
	*period = (struct act_period){
	    .plan = plan,
	    .log = log,
	    .base = calloc(plan->histogram_count, sizeof(*period->base)),
	    .last = calloc(plan->histogram_count, sizeof(*period->last)),
	    .stalls = calloc(plan->info.stream_count, sizeof(*period->stalls)),
	    .failed = calloc(plan->info.device_count + 1, sizeof(*period->failed)),
	};
	return period->base && period->last && period->stalls && period->failed ? 0 : -ENOMEM;
}

void act_period_release(struct act_period *period)
{
	free(period->base);
	free(period->last);
	free(period->stalls);
	free(period->failed);
}

void act_period_restart(struct act_period *period)
{
	const struct run_info *info = &period->plan->info;

	memcpy(period->base, period->last, period->plan->histogram_count * sizeof(*period->base));
	memset(period->stalls, 0, info->stream_count * sizeof(*period->stalls));
	memset(period->failed, 0, (info->device_count + 1) * sizeof(*period->failed));
	memset(period->notes, 0, sizeof(period->notes));
	period->start_sec = period->last_sec;
	period->intervals = 0;
	period->lost_sec = 0;
}

__attribute__((format(printf, 3, 4))) static void
note(struct act_period *period, enum act_note_kind kind, const char *format, ...)
{
	struct act_note *note = &period->notes[kind];
	va_list args;

	if (note->count++ > 0)
		return;
	va_start(args, format);
	vsnprintf(note->first, sizeof(note->first), format, args);
	va_end(args);
}

bool act_period_accepts(struct act_period *period, const struct act_block *block)
{
	if (block->order == ACT_REPEATED || block->order == ACT_BACKWARDS ||
	    block->seconds <= period->last_sec)
		note(period, ACT_NOTE_ORDER, "line %" PRIu64 ": second %" PRIu64 " comes again",
		     block->line, block->seconds);
	else if (!block->complete)
		note(period, ACT_NOTE_CUT,
		     "line %" PRIu64 ": the block of second %" PRIu64
		     " is cut short, or its numbers do not add up",
		     block->line, block->seconds);
	else
		return true;
	return false;
}

static void add_histogram(struct act_period *period, const struct act_block *block,
			  const struct act_histogram *histogram, struct act_counts *last)
{
	size_t used = histogram->used > last->used ? histogram->used : last->used;
	bool lower = histogram->total < last->total;

	for (size_t i = 0; i < used; i++)
		lower |= histogram->buckets[i] < last->buckets[i];
	if (lower)
		note(period, ACT_NOTE_BACKWARDS,
		     "line %" PRIu64 ": counts of %.100s go backwards (%" PRIu64 " after %" PRIu64
		     ")",
		     block->line, histogram->name, histogram->total, last->total);
	memcpy(last->buckets, histogram->buckets, used * sizeof(last->buckets[0]));
	last->total = histogram->total;
	last->used = used;
}

/* Threads of which each can have a request under way, when a block is written. */
static uint64_t under_way(const struct act_period *period)
{
	uint64_t threads = act_log_head(period->log)->threads;

	return threads > 1 << 20 ? 1 << 20 : threads;
}

/* The histograms of a block are written one after another while the load goes on, so
 * they differ a little; by no more than what comes in a tenth of a second. */
static void check_sum(struct act_period *period, const struct act_block *block, size_t stream)
{
	const struct act_plan *plan = period->plan;
	const struct act_stream *the = &plan->streams[stream];
	size_t devices = plan->info.device_count;
	uint128 sum = 0;
	uint64_t total = period->last[the->histogram].total;
	uint64_t tolerated = 16 + under_way(period);

	for (size_t i = 0; i < devices; i++) {
		size_t own = plan->device[stream * devices + i];

		sum += own < plan->histogram_count ? period->last[own].total : 0;
	}
	tolerated += the->planned > 0 ? the->planned / 10000000 : total / 100;
	if (sum > (uint128)total + tolerated || sum + tolerated < total)
		note(period, ACT_NOTE_APART,
		     "line %" PRIu64 ": the devices have %" PRIu64 " of %" PRIu64 " %.63s",
		     block->line, (uint64_t)sum, total, plan->info.streams[stream].name);
}

/* Requests of a stream that are due by then, but did not come. */
static uint64_t backlog(uint64_t rate, uint64_t seconds, uint64_t came)
{
	uint64_t planned = act_planned(rate, seconds);

	return planned > came ? planned - came : 0;
}

/* When a thread of a closed loop is held up, it issues what is due meanwhile later, and
 * counts its time from then. What shows is that fewer came than planned. */
static void look_for_stall(struct act_period *period, const struct act_block *block, size_t stream)
{
	const struct act_plan *plan = period->plan;
	const struct act_stream *the = &plan->streams[stream];
	struct act_stall *stall = &period->stalls[stream];
	uint64_t rate = the->planned; /* millionths */
	uint64_t before = backlog(rate, period->last_sec, period->last[the->histogram].total);
	uint64_t now =
	    backlog(rate, block->seconds, act_log_histogram(period->log, the->histogram)->total);
	uint64_t usual =
	    under_way(period) + act_planned(rate, block->seconds - period->last_sec) / 100;
	uint64_t missing = now > before ? now - before : 0;
	bool counts = false;

	if (missing <= usual)
		return;
	for (size_t k = 0; k < plan->info.criterion_count; k++) {
		uint128 younger = (uint128)rate * plan->edges[k].shown_ns / 1000000000000000U;

		if (missing > younger) {
			stall->late[k] += missing - (uint64_t)younger;
			counts = true;
		}
	}
	stall->intervals += counts;
	if (counts && missing > stall->worst) {
		stall->worst = missing;
		stall->worst_sec = block->seconds;
	}
}

void act_period_add(struct act_period *period, const struct act_block *block)
{
	const struct act_plan *plan = period->plan;
	bool closed_loop = act_log_head(period->log)->grammar->closed_loop;

	for (size_t i = 0; i < plan->info.stream_count && closed_loop; i++)
		look_for_stall(period, block, i);
	for (size_t i = 0; i < plan->histogram_count; i++)
		add_histogram(period, block, act_log_histogram(period->log, i), &period->last[i]);
	for (size_t i = 0; i < plan->info.stream_count; i++)
		if (plan->streams[i].by_device &&
		    plan->streams[i].service == plan->streams[i].histogram)
			check_sum(period, block, i);
	period->intervals++;
	period->last_sec = block->seconds;
}

void act_period_message(struct act_period *period, const struct act_message *message)
{
	size_t devices = period->plan->info.device_count;
	size_t device = message->device < devices ? message->device : devices;
	enum act_note_kind kind = ACT_NOTE_ERROR;

	if (message->kind == ACT_MESSAGE_READ_ERROR)
		kind = ACT_NOTE_READ;
	if (message->kind == ACT_MESSAGE_WRITE_ERROR)
		kind = ACT_NOTE_WRITE;
	if (kind != ACT_NOTE_ERROR)
		period->failed[device][kind == ACT_NOTE_WRITE]++;
	note(period, kind, "line %" PRIu64 ": \"%.180s\"", message->line, message->text);
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

uint64_t act_period_total(const struct act_period *period, size_t histogram)
{
	return difference(period->last[histogram].total, period->base[histogram].total);
}

uint64_t act_period_over(const struct act_period *period, size_t histogram, size_t from)
{
	const struct act_counts *base = &period->base[histogram];
	const struct act_counts *last = &period->last[histogram];
	uint64_t over = 0;

	for (size_t i = from; i < last->used; i++)
		over += difference(last->buckets[i], base->buckets[i]);
	return over;
}
