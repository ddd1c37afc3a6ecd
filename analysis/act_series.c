#include "analysis/act_series.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/act_counts.h"

#define READS  "-reads"
#define WRITES "-writes"

void act_series_release(struct act_series *series)
{
	free(series->histograms);
}

/* 0 when the tag has the ending, and the length without it. */
static bool strip(const char *tag, size_t length, const char *ending, size_t *ret)
{
	size_t tail = strlen(ending);

	if (length <= tail || memcmp(tag + length - tail, ending, tail) != 0)
		return false;
	*ret = length - tail;
	return true;
}

static bool is_device_kind(enum act_kind kind)
{
	return kind == ACT_ONE_DEVICE_READS || kind == ACT_ONE_DEVICE_WRITES;
}

/* Says what a new histogram counts: 0 or -ENOMEM. */
static int identify(struct act_histogram *histogram, struct act_head *head, bool writes)
{
	const struct act_name *fixed = act_grammar_name(head->grammar, histogram->tag);
	const char *tag = histogram->tag;
	size_t length = histogram->tag_length;
	int rc;

	memcpy(histogram->name, tag, length + 1);
	histogram->kind = ACT_OTHER_HISTOGRAM;
	if (fixed) {
		snprintf(histogram->name, sizeof(histogram->name), "%s", fixed->name);
		histogram->kind = fixed->kind;
		return 0;
	}
	if (head->grammar->bare_devices) {
		if (length + sizeof(WRITES) > ACT_NAME_BYTES)
			return 0;
		memcpy(histogram->name + length, writes ? WRITES : READS,
		       writes ? sizeof(WRITES) : sizeof(READS));
	} else if (strip(tag, histogram->tag_length, WRITES, &length)) {
		writes = true;
	} else if (strip(tag, histogram->tag_length, READS, &length)) {
		writes = false;
	} else {
		return 0;
	}
	rc = act_head_device(head, tag, length, &histogram->device);
	if (rc == 0)
		histogram->kind = writes ? ACT_ONE_DEVICE_WRITES : ACT_ONE_DEVICE_READS;
	return rc == -ENOMEM ? rc : 0;
}

static int add(struct act_series *series, struct act_head *head, const char *tag, size_t length)
{
	struct act_histogram *histogram;

	if (length >= ACT_NAME_BYTES || memchr(tag, '\0', length) ||
	    series->count == ACT_HISTOGRAMS_MAX)
		return -EINVAL;
	if (series->count == series->room) {
		size_t room = series->room > 0 ? 2 * series->room : 16;
		struct act_histogram *more = reallocarray(series->histograms, room, sizeof(*more));

		if (!more)
			return -ENOMEM;
		series->histograms = more;
		series->room = room;
	}
	histogram = &series->histograms[series->count];
	memset(histogram, 0, sizeof(*histogram));
	memcpy(histogram->tag, tag, length);
	histogram->tag_length = length;

	int rc = identify(histogram, head, series->writes);

	if (rc == 0)
		series->count++;
	return rc;
}

/* Whether this is the histogram of that tag, where the block is now. */
static bool matches(const struct act_series *series, const struct act_histogram *histogram,
		    bool bare, const char *tag, size_t length)
{
	return histogram->tag_length == length && !memcmp(histogram->tag, tag, length) &&
	       (!bare || !is_device_kind(histogram->kind) ||
		series->writes == (histogram->kind == ACT_ONE_DEVICE_WRITES));
}

/* Histograms come in the same order in each block, so the next is tried first. */
static size_t find(const struct act_series *series, bool bare, const char *tag, size_t length)
{
	size_t next = series->current + 1 < series->count ? series->current + 1 : 0;

	for (size_t i = 0; i < series->count; i++) {
		if (matches(series, &series->histograms[next], bare, tag, length))
			return next;
		next = next + 1 < series->count ? next + 1 : 0;
	}
	return series->count;
}

int act_series_expect(struct act_series *series, struct act_head *head, const char *tag,
		      size_t length)
{
	int rc = 0;

	series->current = series->count;
	if (find(series, head->grammar->bare_devices, tag, length) == series->count)
		rc = add(series, head, tag, length);
	return rc == -ENOMEM ? rc : 0;
}

/* Ends the histogram whose buckets were read. */
static void close_current(struct act_series *series)
{
	struct act_histogram *histogram;

	if (series->current >= series->count)
		return;
	histogram = &series->histograms[series->current];
	histogram->whole = histogram->whole && series->sum == histogram->total;
	series->here += histogram->whole;
}

void act_series_leave(struct act_series *series)
{
	close_current(series);
	series->current = series->count;
}

void act_series_begin_block(struct act_series *series, uint64_t number)
{
	series->block = number;
	series->current = series->count;
	series->writes = false;
	series->here = 0;
}

int act_series_heading(struct act_series *series, struct act_head *head, const char *tag,
		       size_t length, uint64_t total)
{
	bool bare = head->grammar->bare_devices;
	struct act_histogram *histogram;
	size_t index;
	int rc = 0;

	close_current(series);
	index = find(series, bare, tag, length);
	if (index < series->count && series->histograms[index].block == series->block && bare &&
	    is_device_kind(series->histograms[index].kind) && !series->writes) {
		series->writes = true; /* the line that says so is lost */
		index = find(series, bare, tag, length);
	}
	if (index == series->count)
		rc = add(series, head, tag, length);
	if (rc < 0 || series->histograms[index].block == series->block) {
		series->here -= rc == 0 && series->histograms[index].whole;
		if (rc == 0)
			series->histograms[index].whole = false;
		series->current = series->count;
		return rc < 0 ? rc : -EINVAL;
	}
	histogram = &series->histograms[index];
	memset(histogram->buckets, 0, histogram->used * sizeof(histogram->buckets[0]));
	histogram->used = 0;
	histogram->total = total;
	histogram->block = series->block;
	histogram->whole = true;
	series->current = index;
	series->sum = 0;
	if (histogram->kind == ACT_DEVICE_WRITES)
		series->writes = true;
	return 0;
}

bool act_series_buckets(struct act_series *series, const char *line, size_t length)
{
	struct act_histogram *histogram;

	if (series->current >= series->count)
		return false;
	histogram = &series->histograms[series->current];
	if (act_counts_buckets(histogram, line, length, &series->sum))
		return true;
	histogram->whole = false;
	return false;
}

bool act_series_end_block(struct act_series *series)
{
	act_series_leave(series);
	return series->here == series->count && series->count > 0;
}
