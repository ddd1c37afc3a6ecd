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

size_t judge_shown_stream(const struct run_info *info)
{
	size_t stream = 0;

	while (stream < info->stream_count && !judge_is_judged(info, stream))
		stream++;
	return stream < info->stream_count ? stream : 0;
}
