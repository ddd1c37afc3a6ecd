#include "analysis/judge_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "act/base/units.h"
#include "analysis/judge.h"

int judge_options_set_slice(struct judge_options *options, const char *text, struct error *err)
{
	uint64_t slice_ns;
	int rc = units_parse_duration(text, &slice_ns);

	if (rc < 0 || slice_ns == 0)
		return error_usage(err, EINVAL, "slice \"%s\": a duration above 0 is needed, as 1h",
				   text);
	options->slice_ns = slice_ns;
	return 0;
}

static int parse_criterion(const char *text, struct info_criterion *ret)
{
	const char *colon = strchr(text, ':');
	char threshold[UNITS_TEXT_BYTES];

	if (!colon || (size_t)(colon - text) >= sizeof(threshold))
		return -EINVAL;
	memcpy(threshold, text, (size_t)(colon - text));
	threshold[colon - text] = '\0';

	struct info_criterion criterion = {0};
	int rc = units_parse_duration(threshold, &criterion.threshold_ns);

	if (rc == 0)
		rc = units_parse_percent(colon + 1, &criterion.limit);
	if (rc == 0)
		*ret = criterion;
	return rc;
}

int judge_options_add_criterion(struct judge_options *options, const char *text, struct error *err)
{
	struct info_criterion criterion = {0};
	size_t place = options->criterion_count;

	if (parse_criterion(text, &criterion) < 0)
		return error_usage(
		    err, EINVAL, "threshold \"%s\": a duration and a share are needed, as 1ms:5%%",
		    text);
	if (place == THRESHOLDS_MAX)
		return error_usage(err, E2BIG, "threshold \"%s\": at most %d thresholds", text,
				   THRESHOLDS_MAX);
	for (size_t i = 0; i < place; i++)
		if (options->criteria[i].threshold_ns == criterion.threshold_ns)
			return error_usage(err, EEXIST, "threshold \"%s\": given twice", text);
	for (; place > 0 && options->criteria[place - 1].threshold_ns > criterion.threshold_ns;
	     place--)
		options->criteria[place] = options->criteria[place - 1];
	options->criteria[place] = criterion;
	options->criterion_count++;
	return 0;
}

int judge_options_add_judged(struct judge_options *options, const char *text, struct error *err)
{
	char(*judged)[64] = options->judged;

	for (size_t i = 0; i < options->judged_count; i++)
		if (strcmp(judged[i], text) == 0)
			return error_usage(err, EEXIST, "histogram \"%s\": given twice", text);
	if (options->judged_count == INFO_JUDGED_MAX)
		return error_usage(err, E2BIG, "histogram \"%s\": at most %d histograms", text,
				   INFO_JUDGED_MAX);
	if (strlen(text) >= sizeof(judged[0]))
		return error_usage(err, EINVAL, "histogram \"%s\": there is none of that name",
				   text);
	memcpy(judged[options->judged_count++], text, strlen(text) + 1);
	return 0;
}

/* What judging relies on; a log can hold anything. */
static int check_info(const struct run_info *info, struct error *err)
{
	if (info->interval_ns == 0 || info->slice_ns == 0)
		return error_usage(err, EINVAL, "length of interval and slice must be above 0");
	if (info->device_count == 0 || info->stream_count == 0)
		return error_usage(err, EINVAL, "there is no device or no stream to judge");
	for (size_t i = 0; i < info->criterion_count; i++) {
		if (info->criteria[i].limit.den == 0)
			return error_usage(err, EINVAL, "a limit has the denominator 0");
		if (i > 0 && info->criteria[i].threshold_ns <= info->criteria[i - 1].threshold_ns)
			return error_usage(err, EINVAL, "thresholds are not rising");
	}
	return 0;
}

/* What it says of itself, whatever it is judged by. */
static int check_run(const struct run_info *info, struct error *err)
{
	const char *wrong = info->interval_ns > 0 ? run_info_check(info) : NULL;

	return wrong ? error_usage(err, EINVAL, "%s", wrong) : 0;
}

static int round_slice(struct run_info *info, struct error *err)
{
	uint64_t rest = info->slice_ns % info->interval_ns;

	if (rest > 0 && info->slice_ns > UINT64_MAX - (info->interval_ns - rest))
		return error_usage(err, ERANGE, "slice is too long");
	if (rest > 0)
		info->slice_ns += info->interval_ns - rest;
	return 0;
}

/* "1ms, 8ms, 64ms" */
static void list_thresholds(const struct run_info *info, char *text, size_t size)
{
	size_t used = 0;
	char threshold[UNITS_TEXT_BYTES];

	text[0] = '\0';
	for (size_t i = 0; i < info->criterion_count && used < size; i++) {
		units_format_duration(threshold, info->criteria[i].threshold_ns);
		used +=
		    (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", threshold);
	}
}

static int map_criteria(const struct run_info *log, const struct run_info *applied,
			size_t index[static THRESHOLDS_MAX], struct error *err)
{
	char asked[UNITS_TEXT_BYTES];
	char counted[THRESHOLDS_MAX * UNITS_TEXT_BYTES];

	for (size_t i = 0; i < applied->criterion_count; i++) {
		size_t k = 0;

		while (k < log->criterion_count &&
		       log->criteria[k].threshold_ns != applied->criteria[i].threshold_ns)
			k++;
		if (k == log->criterion_count) {
			list_thresholds(log, counted, sizeof(counted));
			units_format_duration(asked, applied->criteria[i].threshold_ns);
			return error_usage(
			    err, EINVAL,
			    "threshold %s was not counted in the run; it counted %s exactly", asked,
			    counted);
		}
		index[i] = k;
	}
	return 0;
}

static int check_judged(const struct run_info *info, struct error *err)
{
	char names[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < info->judged_count; i++) {
		if (judge_find_stream(info, info->judged[i]) < info->stream_count)
			continue;
		for (size_t k = 0; k < info->stream_count && used < sizeof(names); k++)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 k ? ", " : "", info->streams[k].name);
		return error_usage(err, EINVAL, "histogram \"%s\": there are %s", info->judged[i],
				   names);
	}
	return 0;
}

int judge_options_apply(const struct judge_options *options, const struct run_info *info,
			struct run_info *ret_info, size_t ret_index[static THRESHOLDS_MAX],
			struct error *err)
{
	struct run_info applied = *info;
	size_t index[THRESHOLDS_MAX] = {0};
	int rc;

	if (options->slice_ns > 0)
		applied.slice_ns = options->slice_ns;
	if (options->criterion_count > 0) {
		memcpy(applied.criteria, options->criteria, sizeof(applied.criteria));
		applied.criterion_count = options->criterion_count;
	}
	if (options->judged_count > 0) {
		memcpy(applied.judged, options->judged, sizeof(applied.judged));
		applied.judged_count = options->judged_count;
	}
	rc = check_info(&applied, err);
	if (rc == 0)
		rc = check_run(info, err);
	if (rc == 0)
		rc = round_slice(&applied, err);
	if (rc == 0)
		rc = map_criteria(info, &applied, index, err);
	if (rc == 0)
		rc = check_judged(&applied, err);
	if (rc == 0) {
		*ret_info = applied;
		memcpy(ret_index, index, sizeof(index));
	}
	return rc;
}
