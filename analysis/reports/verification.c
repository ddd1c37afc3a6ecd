#include "analysis/reports/verification.h"

#include "analysis/figures.h"

static void print_counts(const char *name, const struct judgement *total, size_t stream_count,
			 FILE *out)
{
	uint64_t sectors = 0;
	uint64_t mismatches = 0;
	uint64_t torn = 0;
	char text[3][FIGURE_BYTES];

	for (size_t i = 0; i < stream_count; i++) {
		sectors += total->streams[i].verified_sectors;
		mismatches += total->streams[i].mismatches;
		torn += total->streams[i].torn;
	}
	fprintf(out,
		"%s: %s sectors verified, %s reads with wrong data, %s torn by writes of this run "
		"and read again\n",
		name, figure_count(text[0], sectors), figure_count(text[1], mismatches),
		figure_count(text[2], torn));
}

void verification_print(const struct result *result, FILE *out)
{
	const struct run_info *info = result->info;

	for (size_t i = 0; i < info->device_count; i++) {
		const struct info_device *device = &info->devices[i];

		if (device->verified)
			print_counts(device->name, &result->device_totals[i], info->stream_count,
				     out);
		else if (device->not_verified[0])
			fprintf(out, "%s: reads were not verified: %s\n", device->name,
				device->not_verified);
	}
}
