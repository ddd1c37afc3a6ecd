#include "analysis/run_verdict.h"

#include <stdbool.h>

#include "analysis/share.h"
#include "analysis/slice.h"

/* Judged criteria of one stream; in stress mode only the first threshold, as a
 * multiple of all requests. */
static void look_at(struct nearest *nearest, const struct run_info *info,
		    const struct summary *sums, size_t judgement, size_t stream)
{
	const struct ratio whole = {1, 1};
	size_t count = info->stress && info->criterion_count > 1 ? 1 : info->criterion_count;

	for (size_t i = 0; i < count; i++) {
		struct excess excess = share_excess(sums->over[i], summary_total(sums),
						    info->stress ? whole : info->criteria[i].limit);

		if (excess_compare(excess, nearest->excess) > 0)
			*nearest = (struct nearest){excess, judgement, stream, i};
	}
}

struct nearest run_nearest(const struct run_info *info, struct slice *slice)
{
	struct nearest nearest = {.excess = {0, 1}, .stream = judge_shown_stream(info)};

	for (size_t judgement = 0; judgement <= info->device_count; judgement++) {
		const struct summary *streams = slice_judgement(slice, judgement)->streams;

		for (size_t stream = 0; stream < info->stream_count; stream++)
			if (judge_is_judged(info, stream))
				look_at(&nearest, info, &streams[stream], judgement, stream);
	}
	return nearest;
}

static bool has_errors(const struct run_info *info, const struct slice *slice)
{
	for (size_t i = 0; i < info->stream_count; i++)
		if (slice->all.streams[i].errors > 0)
			return true;
	return false;
}

struct gravity {
	enum verdict verdict;
	bool errors;
	struct excess excess;
};

static bool is_worse(const struct gravity *a, const struct gravity *b)
{
	if (a->verdict != b->verdict)
		return verdict_gravest(a->verdict, b->verdict) == a->verdict;
	if (a->errors != b->errors)
		return a->errors;
	return excess_compare(a->excess, b->excess) > 0;
}

void run_find_worst(struct result *result)
{
	struct gravity worst = {0};

	result->worst = result->slice_count;
	for (size_t i = 0; i < result->slice_count; i++) {
		struct slice *slice = result->slices[i];
		const struct gravity gravity = {
		    .verdict = slice->verdict,
		    .errors = has_errors(result->info, slice),
		    .excess = run_nearest(result->info, slice).excess,
		};

		if (result->worst < result->slice_count && !is_worse(&gravity, &worst))
			continue;
		result->worst = i;
		worst = gravity;
	}
}
