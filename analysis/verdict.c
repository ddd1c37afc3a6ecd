#include <string.h>

#include "analysis/judge.h"

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
	    [VERDICT_PASS] = "PASS",
	    [VERDICT_FAIL] = "FAIL",
	    [VERDICT_INVALID] = "INVALID",
	};

	return names[verdict];
}

enum verdict verdict_gravest(enum verdict a, enum verdict b)
{
	if (a == VERDICT_FAIL || b == VERDICT_FAIL)
		return VERDICT_FAIL;
	return a == VERDICT_INVALID ? a : b;
}

size_t judge_find_stream(const struct run_info *info, const char *name)
{
	size_t i = 0;

	while (i < info->stream_count && strcmp(info->streams[i].name, name) != 0)
		i++;
	return i;
}

bool judge_is_judged(const struct run_info *info, size_t stream)
{
	for (size_t i = 0; i < info->judged_count; i++)
		if (strcmp(info->judged[i], info->streams[stream].name) == 0)
			return true;
	return false;
}

bool judge_limit(const struct run_info *info, size_t stream, size_t criterion, struct ratio *ret)
{
	const struct info_criterion *run = &info->criteria[criterion];
	const struct info_stream *own = &info->streams[stream];
	const struct info_criterion *found = own->criterion_count > 0 ? NULL : run;

	for (size_t i = 0; i < own->criterion_count; i++)
		if (own->criteria[i].threshold_ns == run->threshold_ns)
			found = &own->criteria[i];
	/* All of the requests may be over it. */
	if (!found || found->limit.num >= found->limit.den)
		return false;
	*ret = found->limit;
	return true;
}

size_t judge_shown_in_phase(const struct run_info *info, size_t phase)
{
	size_t issued = info->stream_count; /* the first that is */

	for (size_t i = 0; i < info->stream_count; i++) {
		if (!run_info_is_issued(info, phase, info->device_count, i))
			continue;
		if (judge_is_judged(info, i))
			return i;
		if (issued == info->stream_count)
			issued = i;
	}
	return issued < info->stream_count ? issued : 0;
}

size_t judge_shown_stream(const struct run_info *info)
{
	return judge_shown_in_phase(info, info->phase_count);
}
