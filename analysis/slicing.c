#include "analysis/slicing.h"

#include <stdbool.h>

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b > 0);
}

static uint64_t add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t intervals_per_slice(const struct run_info *info)
{
	return divide_up(info->slice_ns, info->interval_ns);
}

/* Numbers of the intervals of a part of the run. */
struct part {
	uint64_t first;
	uint64_t end;
};

/* The planned end alone may lie within an interval. */
static struct part phase_part(const struct run_info *info, size_t phase)
{
	return (struct part){info->phases[phase].start_ns / info->interval_ns,
			     divide_up(info->phases[phase].end_ns, info->interval_ns)};
}

void slicing_find(const struct run_info *info, uint64_t number, struct slice_place *ret)
{
	uint64_t per_slice = intervals_per_slice(info);
	struct part part = {0, UINT64_MAX};
	uint64_t before = 0; /* slices of the phases before */
	size_t phase = 0;
	bool found = info->phase_count == 0;

	while (!found && phase < info->phase_count) {
		part = phase_part(info, phase);
		found = number < part.end;
		if (!found) {
			before += divide_up(part.end - part.first, per_slice);
			phase++;
		}
	}
	if (!found) {
		part = (struct part){part.end, UINT64_MAX};
		phase--;
	}

	uint64_t slice = (number - part.first) / per_slice;
	uint64_t first = part.first + slice * per_slice;
	uint64_t end = add(first, per_slice);

	*ret = (struct slice_place){
	    .index = before + slice,
	    .phase = phase,
	    .first = first,
	    .end = end < part.end ? end : part.end,
	};
}

uint64_t slicing_count(const struct run_info *info)
{
	uint64_t per_slice = intervals_per_slice(info);
	uint64_t count = 0;

	if (info->phase_count == 0)
		return divide_up(info->duration_ns, info->slice_ns);
	for (size_t i = 0; i < info->phase_count; i++) {
		struct part part = phase_part(info, i);

		count += divide_up(part.end - part.first, per_slice);
	}
	return count;
}

size_t slicing_phase_at(const struct run_info *info, uint64_t at_ns)
{
	size_t phase = 0;

	while (phase + 1 < info->phase_count && at_ns >= info->phases[phase].end_ns)
		phase++;
	return phase;
}
