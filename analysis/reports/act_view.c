#include "analysis/reports/act_view.h"

#include <stdio.h>

#include "analysis/figures.h"
#include "analysis/reports/columns.h"
#include "analysis/share.h"
#include "analysis/slice.h"

/* The worst of all slices, of all devices together and of each. */
static void worst_figures(const struct result *result, size_t stream, struct column_figures *ret)
{
	const struct run_info *info = result->info;

	*ret = (struct column_figures){0};
	for (size_t i = 0; i < result->slice_count; i++)
		for (size_t j = 0; result->slices[i]->judged && j <= info->device_count; j++)
			columns_raise(ret, &slice_judgement(result->slices[i], j)->streams[stream],
				      info->criterion_count);
}

static bool is_notable(struct share_of ours, struct share_of theirs, struct excess beyond)
{
	const struct ratio whole = {1, 1};
	const struct ratio most = {9, 10};

	return ours.part > 0 && excess_compare(beyond, (struct excess){1, 10}) >= 0 &&
	       excess_compare(share_excess(theirs.part, theirs.whole, most),
			      share_excess(ours.part, ours.whole, whole)) <= 0;
}

static void tell(const struct result *result, size_t stream, size_t criterion,
		 const struct column_figures *figures, struct ratio limit,
		 char text[static ACT_VIEW_BYTES])
{
	char ours[FIGURE_BYTES];
	char theirs[FIGURE_BYTES];
	char threshold[FIGURE_BYTES];

	figure_share(ours, figures->over[criterion].part, figures->over[criterion].whole, &limit);
	figure_share(theirs, figures->act_over[criterion].part, figures->act_over[criterion].whole,
		     &limit);
	snprintf(text, ACT_VIEW_BYTES,
		 "as ACT would have counted (service time only): at most %s %% of %s over %s in a "
		 "slice, instead of %s %%",
		 theirs, result->info->streams[stream].name,
		 figure_duration(threshold, result->info->criteria[criterion].threshold_ns, 7),
		 ours);
}

bool act_view(const struct result *result, char text[static ACT_VIEW_BYTES])
{
	const struct run_info *info = result->info;
	struct excess furthest = {0, 1};
	bool told = false;

	for (size_t stream = 0; stream < info->stream_count; stream++) {
		struct column_figures figures;

		if (!judge_is_judged(info, stream))
			continue;
		worst_figures(result, stream, &figures);
		for (size_t i = 0; i < info->criterion_count; i++) {
			struct share_of ours = figures.over[i];
			struct ratio limit;

			if (!judge_limit(info, stream, i, &limit))
				continue;

			struct excess beyond = share_excess(ours.part, ours.whole, limit);

			if (!is_notable(ours, figures.act_over[i], beyond) ||
			    excess_compare(beyond, furthest) <= 0)
				continue;
			furthest = beyond;
			tell(result, stream, i, &figures, limit, text);
			told = true;
		}
	}
	return told;
}
