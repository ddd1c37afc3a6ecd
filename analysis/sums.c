#include "analysis/sums.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/summary.h"

static size_t tally_count(const struct sums *sums)
{
	return sums->total.device_count * sums->total.stream_count;
}

int sums_init(struct sums *sums, const struct run_info *info, const size_t *index)
{
	memset(sums, 0, sizeof(*sums));
	sums->index = index;
	sums->threshold_count = info->criterion_count;
	if (interval_init(&sums->total, info->device_count, info->stream_count) < 0)
		return -ENOMEM;
	sums->backlog_before = calloc(tally_count(sums), sizeof(*sums->backlog_before));
	sums->scratch = malloc(sizeof(*sums->scratch));
	return sums->backlog_before && sums->scratch ? 0 : -ENOMEM;
}

void sums_release(struct sums *sums)
{
	interval_release(&sums->total);
	free(sums->backlog_before);
	free(sums->scratch);
}

/* Backlogs are gauges of one moment: the later one replaces the earlier. */
void sums_add(struct sums *sums, const struct interval *interval)
{
	for (size_t i = 0; i < tally_count(sums); i++) {
		struct tally *sum = &sums->total.tallies[i];
		const struct tally *part = &interval->tallies[i];

		tally_merge(sum, part);
		sum->backlog_device = part->backlog_device;
		sum->backlog_host = part->backlog_host;
	}
}

void sums_restart(struct sums *sums)
{
	for (size_t i = 0; i < tally_count(sums); i++)
		sums->backlog_before[i] = sums->total.tallies[i].backlog_device;
	interval_clear(&sums->total);
}

void sums_take_device(const struct sums *sums, size_t device, size_t stream, struct summary *ret)
{
	size_t i = device * sums->total.stream_count + stream;

	*sums->scratch = sums->total.tallies[i];
	summary_take(ret, sums->scratch, sums->backlog_before[i], sums->index,
		     sums->threshold_count);
}

/* The backlogs of all devices are of the same moment, so here they do add up. */
void sums_take_all(const struct sums *sums, size_t stream, struct summary *ret)
{
	uint64_t backlog_before = 0;

	tally_init(sums->scratch);
	for (size_t device = 0; device < sums->total.device_count; device++) {
		size_t i = device * sums->total.stream_count + stream;

		tally_merge(sums->scratch, &sums->total.tallies[i]);
		backlog_before += sums->backlog_before[i];
	}
	summary_take(ret, sums->scratch, backlog_before, sums->index, sums->threshold_count);
}
