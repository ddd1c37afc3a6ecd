#include "analysis/act_info.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/judge.h"
#include "analysis/share.h"

#define MILLION 1000000U
#define HOUR_NS (3600 * NS_PER_SEC)

static const struct info_criterion PUBLISHED[] = {
    {1 * NS_PER_MS, {1, 20}},
    {8 * NS_PER_MS, {1, 100}},
    {64 * NS_PER_MS, {1, 1000}},
};

uint64_t act_planned(uint64_t millionths_per_sec, uint64_t seconds)
{
	uint128 planned = (uint128)millionths_per_sec * seconds / MILLION;

	return planned > UINT64_MAX ? UINT64_MAX : (uint64_t)planned;
}

uint64_t act_seconds_ns(uint64_t seconds)
{
	uint64_t ns;

	return __builtin_mul_overflow(seconds, NS_PER_SEC, &ns) ? UINT64_MAX : ns;
}

char *act_threshold(char text[static FIGURE_BYTES], uint64_t ns)
{
	char ms[FIGURE_BYTES];

	if (ns % NS_PER_MS == 0 || ns % NS_PER_US != 0)
		return figure_duration(text, ns, 7);
	snprintf(text, FIGURE_BYTES, "%.50s ms", figure_ms(ms, ns));
	return text;
}

struct act_edge act_edge_find(uint64_t threshold_ns, bool microseconds)
{
	uint64_t unit = microseconds ? NS_PER_US : NS_PER_MS;
	size_t power = 0;

	while (power < ACT_BUCKETS - 1 && (uint128)unit << power < threshold_ns)
		power++;

	uint128 shown = (uint128)unit << power;
	struct act_edge edge = {
	    .shown_ns = shown > UINT64_MAX ? UINT64_MAX : (uint64_t)shown,
	    .from = power + 1,
	    .from_below = shown == threshold_ns ? power + 1 : power,
	};

	return edge;
}

/* Where the logs of one version or another tell a rate; the first that is there counts.
 * NULL ends a list. */
struct rate_source {
	enum act_kind kind;
	bool index;
	const char *lines[5];
	const char *plus; /* the rate of this line comes on top */
};

static const char CACHE[] = "cache-thread-reads-and-writes-per-sec";
static const char READS[] = "internal-read-reqs-per-sec";
static const char OLD_READS[] = "internal read requests per sec";
static const char WRITES[] = "internal-write-reqs-per-sec";
static const char OLD_WRITES[] = "internal write requests per sec";

static const struct rate_source SOURCES[] = {
    {ACT_READS, false, {READS, OLD_READS, "read-reqs-per-sec"}, NULL},
    {ACT_DEVICE_READS, false, {READS, OLD_READS, "read-reqs-per-sec"}, NULL},
    {ACT_WRITES, false, {WRITES, OLD_WRITES}, NULL},
    {ACT_DEVICE_WRITES, false, {WRITES, OLD_WRITES}, NULL},
    {ACT_LARGE_READS,
     false,
     {"large-block-reads-per-sec", "large block reads per sec", "large block ops per sec",
      "large-block-ops-per-sec"},
     NULL},
    {ACT_LARGE_WRITES,
     false,
     {"large-block-writes-per-sec", "large block writes per sec", "large block ops per sec",
      "large-block-ops-per-sec"},
     NULL},
    {ACT_DEVICE_READS, true, {"trans-thread-reads-per-sec"}, CACHE},
    {ACT_DEVICE_WRITES, true, {CACHE}, NULL},
    {ACT_WRITES, true, {CACHE}, NULL},
};

/* Rates with decimals are rounded in the log. */
static bool find_rate(const struct act_head *head, const char *key, uint64_t *ret)
{
	uint64_t rate;

	if (!act_head_number(head->derived, key, &rate) &&
	    !act_head_number(head->configuration, key, &rate))
		return false;
	*ret = rate % MILLION == 0 || rate < MILLION / 200 ? rate : rate - MILLION / 200;
	return true;
}

/* The reads of an index test are those of transactions (5.x) or all (6.x). */
static uint64_t index_reads(const struct act_head *head)
{
	uint64_t rate;
	uint64_t cache;

	if (find_rate(head, "trans-thread-reads-per-sec", &rate))
		return rate;
	if (!find_rate(head, "service-thread-reads-per-sec", &rate) ||
	    !find_rate(head, CACHE, &cache) || __builtin_add_overflow(rate, cache, &rate))
		return 0;
	return rate;
}

static uint64_t planned_rate(const struct act_head *head, enum act_kind kind)
{
	if (head->index && kind == ACT_READS)
		return index_reads(head);
	for (size_t i = 0; i < sizeof(SOURCES) / sizeof(SOURCES[0]); i++) {
		const struct rate_source *source = &SOURCES[i];
		uint64_t rate;
		uint64_t more = 0;

		if (source->kind != kind || source->index != head->index)
			continue;
		for (const char *const *line = source->lines; *line; line++) {
			if (!find_rate(head, *line, &rate))
				continue;
			if (source->plus && !find_rate(head, source->plus, &more))
				return 0;
			return __builtin_add_overflow(rate, more, &rate) ? 0 : rate;
		}
	}
	return 0;
}

/* The first histogram of that kind (and device); `none` when there is none. */
static size_t find_kind(const struct act_log *log, enum act_kind kind, size_t device, size_t none)
{
	for (size_t i = 0; i < act_log_histogram_count(log); i++) {
		const struct act_histogram *histogram = act_log_histogram(log, i);

		if (histogram->kind == kind && histogram->device == device)
			return i;
	}
	return none;
}

static bool is_one_device(enum act_kind kind)
{
	return kind == ACT_ONE_DEVICE_READS || kind == ACT_ONE_DEVICE_WRITES;
}

static bool is_write(enum act_kind kind)
{
	return kind == ACT_WRITES || kind == ACT_DEVICE_WRITES || kind == ACT_LARGE_WRITES;
}

static bool is_large(enum act_kind kind)
{
	return kind == ACT_LARGE_READS || kind == ACT_LARGE_WRITES;
}

static void plan_stream(struct act_plan *plan, const struct act_log *log, size_t index,
			size_t histogram)
{
	const struct act_head *head = act_log_head(log);
	const struct act_histogram *source = act_log_histogram(log, histogram);
	struct info_stream *info = &plan->info.streams[index];
	struct act_stream *stream = &plan->streams[index];
	size_t devices = plan->info.device_count;
	size_t none = plan->histogram_count;
	bool writes = is_write(source->kind);
	bool told = !is_large(source->kind) && source->kind != ACT_OTHER_HISTOGRAM;

	snprintf(info->name, sizeof(info->name), "%.63s", source->name);
	info->is_write = writes;
	info->large_block = is_large(source->kind);
	stream->histogram = stream->service = histogram;
	if (source->kind == ACT_READS)
		stream->service = find_kind(log, ACT_DEVICE_READS, 0, histogram);
	if (source->kind == ACT_WRITES)
		stream->service = find_kind(log, ACT_DEVICE_WRITES, 0, histogram);
	stream->planned = planned_rate(head, source->kind);
	info->per_sec = (struct ratio){0, 1};
	if (devices <= UINT64_MAX / MILLION)
		info->per_sec = ratio_make(stream->planned, devices * MILLION);
	for (size_t i = 0; i < devices; i++) {
		size_t own =
		    told ? find_kind(log, writes ? ACT_ONE_DEVICE_WRITES : ACT_ONE_DEVICE_READS, i,
				     none)
			 : none;

		if (own == none && devices == 1)
			own = histogram; /* the one device is all of them */
		plan->device[index * devices + i] = own;
		stream->by_device |= own < none;
	}
}

static size_t count_streams(const struct act_log *log)
{
	size_t count = 0;

	for (size_t i = 0; i < act_log_histogram_count(log); i++)
		count += !is_one_device(act_log_histogram(log, i)->kind);
	return count;
}

static void name_devices(struct act_plan *plan, const struct act_head *head)
{
	struct run_info *info = &plan->info;

	if (head->device_count == 0)
		snprintf(info->devices[0].name, sizeof(info->devices[0].name), "unnamed device");
	for (size_t i = 0; i < head->device_count; i++) {
		snprintf(info->devices[i].name, sizeof(info->devices[i].name), "%s",
			 head->devices[i]);
		info->devices[i].size_bytes = head->device_bytes[i];
	}
}

/* Reads, or what there is, are judged unless the options say otherwise. */
static int choose_judged(struct act_plan *plan, const struct act_log *log,
			 const struct judge_options *options, struct error *err)
{
	struct run_info *info = &plan->info;
	size_t first = 0;

	for (size_t i = info->stream_count; i-- > 0;)
		if (act_log_histogram(log, plan->streams[i].histogram)->kind == ACT_READS)
			first = i;
	snprintf(info->judged[0], sizeof(info->judged[0]), "%s", info->streams[first].name);
	info->judged_count = 1;
	if (options->judged_count == 0)
		return 0;
	info->judged_count = options->judged_count;
	for (size_t i = 0; i < options->judged_count; i++) {
		const struct act_histogram *found = act_log_find(log, options->judged[i]);
		const char *name = found ? found->name : options->judged[i];

		if (judge_find_stream(info, name) == info->stream_count)
			return error_usage(
			    err, EINVAL, "histogram \"%s\": the log has none of that name%s",
			    options->judged[i], found ? " for all devices together" : "");
		snprintf(info->judged[i], sizeof(info->judged[i]), "%.63s", name);
	}
	return 0;
}

static void choose_criteria(struct act_plan *plan, const struct act_head *head,
			    const struct judge_options *options)
{
	struct run_info *info = &plan->info;
	size_t count = options->criterion_count;

	memcpy(info->criteria, options->criteria, sizeof(info->criteria));
	if (count == 0) {
		count = sizeof(PUBLISHED) / sizeof(PUBLISHED[0]);
		memcpy(info->criteria, PUBLISHED, sizeof(PUBLISHED));
	}
	info->criterion_count = count;
	for (size_t i = 0; i < count; i++) {
		plan->edges[i] = act_edge_find(info->criteria[i].threshold_ns, head->microseconds);
		info->criteria[i].threshold_ns = plan->edges[i].shown_ns;
	}
}

/* "1 ms shown as 1.024 ms"; empty when all thresholds are edges of buckets. */
static void describe_edges(const struct act_plan *plan, const struct judge_options *options,
			   char *text, size_t size)
{
	const struct info_criterion *asked =
	    options->criterion_count ? options->criteria : PUBLISHED;
	size_t used = 0;
	char from[FIGURE_BYTES];
	char to[FIGURE_BYTES];

	text[0] = '\0';
	for (size_t i = 0; i < plan->info.criterion_count && used < size; i++)
		if (plan->edges[i].from != plan->edges[i].from_below)
			used +=
			    (size_t)snprintf(text + used, size - used, "%s%s -> %s",
					     used ? ", " : "; counted at edges of its buckets: ",
					     act_threshold(from, asked[i].threshold_ns),
					     act_threshold(to, plan->edges[i].shown_ns));
}

static void describe(struct act_plan *plan, const struct act_head *head,
		     const struct judge_options *options)
{
	struct run_info *info = &plan->info;
	char edges[160];
	const char *what = head->grammar->closed_loop ? "delays before a request are not in it"
						      : "devices are told without queueing";

	describe_edges(plan, options, edges, sizeof(edges));
	snprintf(info->version, sizeof(info->version), "ACT %u.%u", head->major, head->minor);
	snprintf(info->caveat, sizeof(info->caveat), "a log of ACT: %s%s", what, edges);
	snprintf(info->title, sizeof(info->title), "%s", head->index ? "ACT-INDEX" : "ACT-STORAGE");
}

static void choose_times(struct act_plan *plan, const struct act_head *head,
			 const struct judge_options *options)
{
	struct run_info *info = &plan->info;
	uint64_t rest;

	info->duration_ns = act_seconds_ns(head->duration_sec);
	info->interval_ns = act_seconds_ns(head->report_interval_sec);
	info->slice_ns = options->slice_ns ? options->slice_ns : HOUR_NS;
	rest = info->slice_ns % info->interval_ns;
	if (rest > 0 &&
	    __builtin_add_overflow(info->slice_ns, info->interval_ns - rest, &info->slice_ns))
		info->slice_ns = info->interval_ns;
	info->microsecond_histograms = head->microseconds;
}

int act_plan_init(struct act_plan *plan, const struct act_log *log,
		  const struct judge_options *options, struct error *err)
{
	const struct act_head *head = act_log_head(log);
	size_t devices = head->device_count ? head->device_count : 1;
	size_t streams = count_streams(log);
	size_t at = 0;

	memset(plan, 0, sizeof(*plan));
	plan->histogram_count = act_log_histogram_count(log);
	if (streams == 0)
		return error_usage(err, EINVAL, "the log has no histogram of all devices");
	if (streams > ACT_STREAMS_MAX)
		return error_usage(err, E2BIG, "the log has more than %d histograms of all devices",
				   ACT_STREAMS_MAX);
	plan->streams = calloc(streams, sizeof(*plan->streams));
	plan->device = calloc(streams * devices, sizeof(*plan->device));
	if (run_info_init(&plan->info, devices, streams) < 0 || !plan->streams || !plan->device)
		return error_environment(err, ENOMEM, "not enough memory to judge a log");
	name_devices(plan, head);
	for (size_t i = 0; i < plan->histogram_count; i++)
		if (!is_one_device(act_log_histogram(log, i)->kind))
			plan_stream(plan, log, at++, i);
	choose_times(plan, head, options);
	choose_criteria(plan, head, options);
	describe(plan, head, options);
	return choose_judged(plan, log, options, err);
}

void act_plan_release(struct act_plan *plan)
{
	run_info_release(&plan->info);
	free(plan->streams);
	free(plan->device);
}
