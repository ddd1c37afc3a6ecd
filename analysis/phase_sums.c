#include "analysis/phase_sums.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int allocate(struct phase_result *result, size_t device_count, size_t stream_count)
{
	result->devices = calloc(device_count, sizeof(*result->devices));
	result->all.streams =
	    calloc((device_count + 1) * stream_count, sizeof(*result->all.streams));
	if (!result->devices || !result->all.streams)
		return -ENOMEM;
	for (size_t i = 0; i < device_count; i++)
		result->devices[i].streams = result->all.streams + (i + 1) * stream_count;
	return 0;
}

int phase_sums_init(struct phase_sums *phases, const struct run_info *info, const size_t *index)
{
	int rc = 0;

	memset(phases, 0, sizeof(*phases));
	phases->info = info;
	if (info->phase_count == 0)
		return 0;
	phases->results = calloc(info->phase_count, sizeof(*phases->results));
	if (!phases->results)
		return -ENOMEM;
	for (size_t i = 0; rc == 0 && i < info->phase_count; i++)
		rc = allocate(&phases->results[i], info->device_count, info->stream_count);
	return rc < 0 ? rc : sums_init(&phases->sums, info, index);
}

void phase_sums_release(struct phase_sums *phases)
{
	for (size_t i = 0; phases->results && i < phases->info->phase_count; i++) {
		free(phases->results[i].devices);
		free(phases->results[i].all.streams);
	}
	free(phases->results);
	sums_release(&phases->sums);
}

void phase_sums_add(struct phase_sums *phases, size_t phase, const struct interval *slice,
		    uint64_t measured_ns)
{
	const struct run_info *info = phases->info;

	if (info->phase_count == 0)
		return;
	if (phases->begun && phases->phase != phase)
		sums_restart(&phases->sums);
	phases->begun = true;
	phases->phase = phase;
	sums_add(&phases->sums, slice);

	struct phase_result *result = &phases->results[phase];

	result->measured_ns += measured_ns;
	for (size_t k = 0; k < info->stream_count; k++) {
		sums_take_all(&phases->sums, k, &result->all.streams[k]);
		for (size_t i = 0; i < info->device_count; i++)
			sums_take_device(&phases->sums, i, k, &result->devices[i].streams[k]);
	}
}
