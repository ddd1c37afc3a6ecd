#include "tests/support/log_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/record_simple.h"

static const struct info_stream streams[SAMPLE_STREAMS] = {
    {.name = "large-block-writes",
     .is_write = true,
     .large_block = true,
     .per_sec = {12000, 17},
     .size_min_bytes = 131072,
     .size_max_bytes = 131072},
    {.name = "reads", .per_sec = {60000, 1}, .size_min_bytes = 1536, .size_max_bytes = 1536},
    {.name = "writes",
     .is_write = true,
     .per_sec = {30000, 1},
     .size_min_bytes = 1536,
     .size_max_bytes = 4096},
    {.name = "large-block-reads",
     .large_block = true,
     .per_sec = {12000, 17},
     .size_min_bytes = 131072,
     .size_max_bytes = 131072},
};

static const struct info_criterion criteria[] = {
    {NS_PER_MS, {1, 20}},
    {8 * NS_PER_MS, {1, 100}},
    {64 * NS_PER_MS, {1, 1000}},
};

static void name_run(struct run_info *info)
{
	snprintf(info->version, sizeof(info->version), "1.2.3");
	snprintf(info->run_id, sizeof(info->run_id), "00c0ffee00c0ffee");
	snprintf(info->started, sizeof(info->started), "2026-11-30T17:00:00+01:00");
	snprintf(info->host, sizeof(info->host), "host");
	snprintf(info->kernel, sizeof(info->kernel), "Linux 6.1");
	snprintf(info->cpu, sizeof(info->cpu), "A \"CPU\" \\ (two)");
	snprintf(info->engine, sizeof(info->engine), "null");
	snprintf(info->arrivals, sizeof(info->arrivals), "uniform");
	snprintf(info->caveat, sizeof(info->caveat), "it is made up");
	snprintf(info->title, sizeof(info->title), "ACT-STORAGE");
	snprintf(info->subtitle, sizeof(info->subtitle), "Storage device IO test");
	snprintf(info->configuration, sizeof(info->configuration),
		 "report-interval-sec: 1\nmicrosecond-histograms: no\n");
	snprintf(info->derived, sizeof(info->derived), "internal-read-reqs-per-sec: 60000\n");
}

void sample_info(struct run_info *info, size_t device_count)
{
	if (run_info_init(info, device_count, SAMPLE_STREAMS) < 0)
		abort();
	name_run(info);
	info->cpus = 2;
	info->duration_ns = 172800 * NS_PER_SEC;
	info->slice_ns = 5 * NS_PER_SEC;
	info->interval_ns = NS_PER_SEC;
	info->stress = true;
	info->criterion_count = sizeof(criteria) / sizeof(criteria[0]);
	memcpy(info->criteria, criteria, sizeof(criteria));
	info->judged_count = 2;
	snprintf(info->judged[0], sizeof(info->judged[0]), "reads");
	snprintf(info->judged[1], sizeof(info->judged[1]), "writes");
	memcpy(info->streams, streams, sizeof(streams));
	for (size_t i = 0; i < device_count; i++) {
		struct info_device *device = &info->devices[i];

		snprintf(device->name, sizeof(device->name), "/dev/nvme%zun1", i);
		device->is_file = i % 2;
		device->size_bytes = (UINT64_C(1) << 40) + i;
		device->logical_block_bytes = 512;
		device->physical_block_bytes = 4096;
		snprintf(device->model, sizeof(device->model), "Model %zu", i);
		snprintf(device->serial, sizeof(device->serial), "S%zu", i);
		snprintf(device->firmware, sizeof(device->firmware), "1.%zu", i);
	}
}

struct tally_scale sample_scale(const struct run_info *info)
{
	struct tally_scale scale = {
	    .threshold_count = info->criterion_count,
	    .power_unit_ns = info->microsecond_histograms ? NS_PER_US : NS_PER_MS,
	};

	for (size_t i = 0; i < info->criterion_count; i++)
		scale.threshold_ns[i] = info->criteria[i].threshold_ns;
	return scale;
}

static void sample_tally(struct tally *tally, const struct tally_scale *scale, uint64_t requests,
			 struct random *random)
{
	for (uint64_t i = 0; i < requests; i++) {
		double tail = 1 / random_unit(random);
		uint64_t service_ns = 60000 + (uint64_t)(20000 * (tail < 1e8 ? tail : 1e8));
		uint64_t lag_ns = random_below(random, 100) ? random_below(random, 2000)
							    : random_below(random, 2 * NS_PER_MS);

		record_simple(tally, scale, lag_ns, service_ns, i % 3 == 0);
		tally->bytes += 1536;
	}
	tally->errors = random_below(random, 3);
	tally->planned = requests + 5;
	tally->issued = tally->completed + tally->errors;
	tally->retries = random_below(random, 2);
	tally->backlog_device = random_below(random, 2);
	tally->backlog_host = random_below(random, 2);
}

void sample_interval(struct interval *interval, const struct run_info *info, uint64_t number,
		     uint64_t requests, struct random *random)
{
	struct tally_scale scale = sample_scale(info);

	for (size_t i = 0; i < interval->device_count * interval->stream_count; i++)
		sample_tally(&interval->tallies[i], &scale, requests, random);
	interval->number = number;
	interval->start_ns = number * info->interval_ns;
	interval->end_ns = interval->start_ns + info->interval_ns;
	interval->clock_jump_ns = number % 3 == 0 ? -5 : 7;
	interval->cpu_idle_ticks = 100;
	interval->cpu_total_ticks = 200;
	interval->queue_overflows = number % 4 == 0;
	interval->late = number % 5 == 0;
}
