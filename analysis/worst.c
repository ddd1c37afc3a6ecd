#include "analysis/run_verdict.h"

#include <stdbool.h>

#include "analysis/share.h"
#include "analysis/slice.h"

/* Judged criteria of one stream; in stress mode only the first threshold, as a
 * multiple of all requests. */
static void look_at(struct nearest *nearest, const struct run_info *info,
		    const struct summary *sums, size_t judgement, size_t stream)
{
	size_t count = info->stress && info->criterion_count > 1 ? 1 : info->criterion_count;

	for (size_t i = 0; i < count; i++) {
		struct ratio limit = {1, 1};

		if (!info->stress && !judge_limit(info, stream, i, &limit))
			continue;

		struct excess excess = share_excess(sums->over[i], summary_total(sums), limit);
		bool more = excess_compare(excess, nearest->excess) > 0;

		/* Of all that are 0 it is the first of the stream that is shown. */
		if (!more && (nearest->found || stream != judge_shown_stream(info)))
			continue;
		*nearest =
		    (struct nearest){more ? excess : nearest->excess, judgement, stream, i, true};
	}
}

struct nearest run_nearest(const struct run_info *info, struct slice *slice)
{
	struct nearest nearest = {.excess = {0, 1}, .stream = judge_shown_stream(info)};

	for (size_t judgement = 0; slice->judged && judgement <= info->device_count; judgement++) {
		const struct summary *streams = slice_judgement(slice, judgement)->streams;
		size_t device = judgement > 0 ? judgement - 1 : info->device_count;

		for (size_t stream = 0; stream < info->stream_count; stream++)
			if (judge_is_judged(info, stream) &&
			    run_info_is_issued(info, slice->phase, device, stream))
				look_at(&nearest, info, &streams[stream], judgement, stream);
	}
	return nearest;
}

bool run_slice_has_errors(const struct run_info *info, const struct slice *slice)
{
	for (size_t i = 0; i < info->stream_count; i++)
		if (slice->all.streams[i].errors > 0)
			return true;
	return false;
}

struct gravity {
	enum verdict verdict;
	bool errors;
	bool judged;
	struct excess excess;
};

static bool is_worse(const struct gravity *a, const struct gravity *b)
{
	if (a->verdict != b->verdict)
		return verdict_gravest(a->verdict, b->verdict) == a->verdict;
	if (a->errors != b->errors)
		return a->errors;
	if (a->judged != b->judged)
		return a->judged;
	return excess_compare(a->excess, b->excess) > 0;
}

/* Forgets what was said of the phases' slices; their sums stay. */
static void restart_phases(struct result *result)
{
	for (size_t i = 0; i < result->info->phase_count; i++) {
		struct phase_result *phase = &result->phases[i];

		phase->verdict = VERDICT_PASS;
		phase->slice_count = 0;
		phase->partial = false;
		phase->all.verdict = VERDICT_PASS;
		for (size_t k = 0; k < result->info->device_count; k++)
			phase->devices[k].verdict = VERDICT_PASS;
	}
}

/* Takes slice i into account for its phase; `worst` is that of the phase so far. */
static void add_to_phase(const struct result *result, size_t i, const struct gravity *gravity,
			 struct gravity *worst)
{
	const struct slice *slice = result->slices[i];
	struct phase_result *phase = &result->phases[slice->phase];

	phase->verdict = verdict_gravest(phase->verdict, slice->verdict);
	phase->partial |= slice->partial;
	phase->all.verdict = verdict_gravest(phase->all.verdict, slice->all.verdict);
	for (size_t k = 0; k < result->info->device_count; k++)
		phase->devices[k].verdict =
		    verdict_gravest(phase->devices[k].verdict, slice->devices[k].verdict);
	if (phase->slice_count == 0)
		phase->first = i;
	if (phase->slice_count++ > 0 && !is_worse(gravity, worst))
		return;
	phase->worst = i;
	*worst = *gravity;
}

/* A phase that ended early has less than its plan, though its slices may be whole. */
static void find_partial(struct result *result)
{
	for (size_t i = 0; i < result->info->phase_count; i++) {
		const struct info_phase *plan = &result->info->phases[i];

		result->phases[i].partial |=
		    result->phases[i].measured_ns < plan->end_ns - plan->start_ns;
	}
}

static size_t first_failed_phase(const struct result *result)
{
	size_t i = 0;

	while (i < result->info->phase_count &&
	       (result->phases[i].slice_count == 0 || result->phases[i].verdict != VERDICT_FAIL))
		i++;
	return i;
}

void run_find_worst(struct result *result)
{
	struct gravity worst = {0};
	struct gravity worst_of_phase = {0};
	size_t phases = result->info->phase_count;

	restart_phases(result);
	result->worst = result->slice_count;
	for (size_t i = 0; i < result->slice_count; i++) {
		struct slice *slice = result->slices[i];
		const struct gravity gravity = {
		    .verdict = slice->verdict,
		    .errors = run_slice_has_errors(result->info, slice),
		    .judged = slice->judged,
		    .excess = run_nearest(result->info, slice).excess,
		};

		if (phases > 0)
			add_to_phase(result, i, &gravity, &worst_of_phase);
		if (result->worst < result->slice_count && !is_worse(&gravity, &worst))
			continue;
		result->worst = i;
		worst = gravity;
	}
	find_partial(result);
	result->first_failed_phase = first_failed_phase(result);
}
