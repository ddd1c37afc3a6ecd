#include "tests/support/build_linearity.h"

#include <assert.h>
#include <stdio.h>

#include "act/base/clock.h"

#define SLICES 3

void build_runs_name(struct build_run *run, size_t device, char letter)
{
	struct info_device *one = &run->info.devices[device];

	snprintf(one->name, sizeof(one->name), "/dev/%c", letter);
	snprintf(one->serial, sizeof(one->serial), "S%c", letter);
}

void build_runs_init(struct build_run *runs, size_t count)
{
	assert(count <= BUILD_RUNS_MAX);
	for (size_t i = 0; i < count; i++) {
		assert(runs[i].device_count <= BUILD_DEVICES_MAX);
		build_info(&runs[i].info, runs[i].device_count, SLICES);
		for (size_t k = 0; k < runs[i].device_count; k++)
			build_runs_name(&runs[i], k, (char)('a' + k));
	}
}

static void befall(struct interval *interval, void *state)
{
	const struct build_run *run = state;

	for (size_t i = 0; i < interval->device_count; i++) {
		const struct build_fate *fate = &run->fates[i];
		struct tally *reads = interval_tally(interval, i, BUILD_READS);

		build_total(reads, BUILD_PLANNED - fate->slower);
		reads->planned = BUILD_PLANNED;
		if (fate->over > 0) {
			build_over(reads, 0, fate->over, fate->device_over);
			reads->planned = BUILD_PLANNED;
		}
		reads->backlog_device = fate->slower * (interval->number + 1);
	}
}

void build_runs_judge(struct build_run *runs, size_t count, struct linearity_run *ret)
{
	const struct run_end end = {.reason = END_COMPLETED,
				    .at_ns = SLICES * BUILD_SLICE_INTERVALS * NS_PER_SEC};

	for (size_t i = 0; i < count; i++) {
		runs[i].judge =
		    build_judge(&runs[i].info, SLICES * BUILD_SLICE_INTERVALS, befall, &runs[i]);
		ret[i] = (struct linearity_run){runs[i].log, judge_finish(runs[i].judge, &end)};
	}
}

void build_runs_release(struct build_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		judge_free(runs[i].judge);
		run_info_release(&runs[i].info);
	}
}
