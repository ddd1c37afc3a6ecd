#include "tests/support/build_interval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/record_simple.h"

static const struct info_criterion criteria[] = {
    {1 * NS_PER_MS, {1, 20}},
    {8 * NS_PER_MS, {1, 100}},
    {64 * NS_PER_MS, {1, 1000}},
};

#define CRITERIA (sizeof(criteria) / sizeof(criteria[0]))

#define SET_TEXT(array, text) snprintf(array, sizeof(array), "%s", text)

static void require(int condition)
{
	if (!condition)
		abort();
}

void build_info(struct run_info *info, size_t device_count, uint64_t slices)
{
	static const char *const names[BUILD_STREAMS] = {"reads", "large-block-reads",
							 "large-block-writes"};

	require(run_info_init(info, device_count, BUILD_STREAMS) == 0);
	SET_TEXT(info->version, "0.1.0");
	SET_TEXT(info->run_id, "0123456789abcdef");
	SET_TEXT(info->started, "2026-11-30T12:00:00+00:00");
	SET_TEXT(info->host, "testhost");
	SET_TEXT(info->kernel, "6.1.0");
	SET_TEXT(info->cpu, "test CPU");
	SET_TEXT(info->engine, "null");
	SET_TEXT(info->arrivals, "uniform");
	SET_TEXT(info->title, "ACT-STORAGE");
	SET_TEXT(info->subtitle, "Storage device IO test");
	info->cpus = 2;
	info->interval_ns = NS_PER_SEC;
	info->slice_ns = BUILD_SLICE_INTERVALS * NS_PER_SEC;
	info->duration_ns = slices * info->slice_ns;
	memcpy(info->criteria, criteria, sizeof(criteria));
	info->criterion_count = CRITERIA;
	SET_TEXT(info->judged[0], names[BUILD_READS]);
	info->judged_count = 1;
	for (size_t i = 0; i < device_count; i++) {
		struct info_device *device = &info->devices[i];

		snprintf(device->name, sizeof(device->name), "/dev/%c", (char)('a' + i));
		SET_TEXT(device->model, "MODEL 1");
		SET_TEXT(device->serial, "SERIAL 1");
		device->size_bytes = UINT64_C(1) << 40;
		device->logical_block_bytes = 512;
		device->physical_block_bytes = 4096;
	}
	for (size_t i = 0; i < BUILD_STREAMS; i++) {
		SET_TEXT(info->streams[i].name, names[i]);
		info->streams[i].per_sec = (struct ratio){BUILD_PLANNED, 1};
		info->streams[i].large_block = i != BUILD_READS;
		info->streams[i].is_write = i == BUILD_LARGE_WRITES;
		info->streams[i].size_min_bytes = i == BUILD_READS ? 1536 : 131072;
		info->streams[i].size_max_bytes = info->streams[i].size_min_bytes;
	}
}

void build_phases(struct run_info *info, const struct build_phase *phases, size_t count)
{
	uint64_t at_ns = 0;

	require(run_info_add_phases(info, count) == 0);
	for (size_t i = 0; i < count; i++) {
		struct info_phase *phase = &info->phases[i];

		SET_TEXT(phase->name, phases[i].name);
		phase->judged = phases[i].judged;
		phase->start_ns = at_ns;
		at_ns += phases[i].intervals * info->interval_ns;
		phase->end_ns = at_ns;
		for (size_t k = 0; k < info->stream_count; k++)
			phase->per_sec[k] = info->streams[k].per_sec;
	}
	info->duration_ns = at_ns;
}

static void record(struct tally *tally, uint64_t lag_ns, uint64_t service_ns, bool held,
		   uint64_t count)
{
	struct tally_scale scale = {.threshold_count = CRITERIA, .power_unit_ns = NS_PER_MS};

	for (size_t i = 0; i < CRITERIA; i++)
		scale.threshold_ns[i] = criteria[i].threshold_ns;
	for (uint64_t i = 0; i < count; i++)
		record_simple(tally, &scale, lag_ns, service_ns, held);
}

void build_total(struct tally *tally, uint64_t total)
{
	tally_init(tally);
	tally->planned = total;
	tally->issued = total;
	tally->bytes = total * 512;
	record(tally, 0, 100 * NS_PER_US, false, total);
}

void build_over(struct tally *tally, size_t k, uint64_t over, uint64_t device_over)
{
	uint64_t total = tally->completed;

	require(over <= total && device_over <= over);
	build_total(tally, 0);
	tally->planned = total;
	tally->issued = total;
	tally->bytes = total * 512;
	record(tally, 0, 100 * NS_PER_US, false, total - over);
	record(tally, 0, criteria[k].threshold_ns, false, device_over);
	record(tally, criteria[k].threshold_ns, 0, false, over - device_over);
}

void build_interval_again(struct interval *interval, uint64_t number)
{
	interval_clear(interval);
	interval->number = number;
	interval->start_ns = number * NS_PER_SEC;
	interval->end_ns = (number + 1) * NS_PER_SEC;
	interval->cpu_idle_ticks = 100;
	interval->cpu_total_ticks = 200;
	for (size_t i = 0; i < interval->device_count * interval->stream_count; i++)
		build_total(&interval->tallies[i], BUILD_PLANNED);
}

void build_interval(struct interval *interval, size_t device_count, uint64_t number)
{
	require(interval_init(interval, device_count, BUILD_STREAMS) == 0);
	build_interval_again(interval, number);
}

struct judge *build_judge(const struct run_info *info, uint64_t intervals, build_change *change,
			  void *state)
{
	struct interval interval;
	struct judge *judge = NULL;

	require(judge_new(info, &judge, NULL) == 0);
	build_interval(&interval, info->device_count, 0);
	for (uint64_t i = 0; i < intervals; i++) {
		build_interval_again(&interval, i);
		if (change)
			change(&interval, state);
		judge_interval(judge, &interval);
	}
	interval_release(&interval);
	return judge;
}
