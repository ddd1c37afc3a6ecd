#include "act/workload/plan_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/workload/address.h"
#include "act/workload/apportion.h"
#include "act/workload/rate.h"

static double hundredths(uint32_t cards)
{
	return 100.0 * cards / ADDRESS_DECK;
}

char *plan_sizes(char text[static PLAN_TEXT_BYTES], const struct stream *stream)
{
	struct ratio shares[STREAM_SIZES_MAX];
	uint32_t counts[STREAM_SIZES_MAX];
	size_t used = 0;

	for (size_t i = 0; i < stream->size_count; i++)
		shares[i] = stream->sizes[i].share;
	apportion(ADDRESS_DECK, shares, stream->size_count, counts);
	text[0] = '\0';
	for (size_t i = 0; i < stream->size_count && used < PLAN_TEXT_BYTES; i++) {
		const struct stream_size *size = &stream->sizes[i];
		char from[UNITS_TEXT_BYTES];
		char upto[UNITS_TEXT_BYTES];
		char share[32] = "";
		bool range = size->max_bytes > size->min_bytes;

		units_format_size(from, size->min_bytes);
		units_format_size(upto, size->max_bytes);
		if (stream->size_count > 1)
			snprintf(share, sizeof(share), " %.2f%%", hundredths(counts[i]));
		used += (size_t)snprintf(text + used, PLAN_TEXT_BYTES - used, "%s%s%s%s%s",
					 i ? ", " : "", from, range ? ".." : "", range ? upto : "",
					 share);
	}
	return text;
}

char *plan_places(char text[static PLAN_TEXT_BYTES], const struct stream *stream)
{
	uint32_t randoms = apportion_part(ADDRESS_DECK, stream->random);

	if (stream->random.num == 0)
		snprintf(text, PLAN_TEXT_BYTES, "sequential");
	else if (stream->random.num == stream->random.den)
		snprintf(text, PLAN_TEXT_BYTES, "random");
	else
		snprintf(text, PLAN_TEXT_BYTES, "%.2f%% random, %.2f%% sequential",
			 hundredths(randoms), hundredths(ADDRESS_DECK - randoms));
	return text;
}

char *plan_region(char text[static PLAN_TEXT_BYTES], const struct stream *stream)
{
	char from[UNITS_TEXT_BYTES];
	char upto[UNITS_TEXT_BYTES];

	snprintf(text, PLAN_TEXT_BYTES, "%s..%s", units_format_percent(from, stream->region_from),
		 units_format_percent(upto, stream->region_upto));
	return text;
}

char *plan_devices(char text[static PLAN_TEXT_BYTES], const struct stream *stream)
{
	size_t used = 0;

	if (stream->devices == STREAM_ALL_DEVICES) {
		snprintf(text, PLAN_TEXT_BYTES, "all");
		return text;
	}
	text[0] = '\0';
	for (unsigned i = 0; i < 64 && used < PLAN_TEXT_BYTES; i++) {
		unsigned last = i;

		if (!(stream->devices >> i & 1))
			continue;
		while (last < 63 && (stream->devices >> (last + 1) & 1))
			last++;
		used += (size_t)snprintf(text + used, PLAN_TEXT_BYTES - used, "%s%u",
					 used ? "," : "", i + 1);
		if (last > i && used < PLAN_TEXT_BYTES)
			used += (size_t)snprintf(text + used, PLAN_TEXT_BYTES - used, "%s%u",
						 last > i + 1 ? "-" : ",", last + 1);
		i = last;
	}
	return text;
}

static bool is_judged(const struct workload *workload, const struct stream *stream)
{
	for (size_t i = 0; i < workload->judged_count; i++)
		if (strcmp(workload->judged[i], stream->name) == 0)
			return true;
	return false;
}

static void print_line(FILE *out, const char *key, const char *text)
{
	fprintf(out, "#   %-20s %s\n", key, text);
}

static void print_mean(const struct stream *stream, FILE *out)
{
	struct ratio mean;

	if (rate_mean_bytes(stream, &mean))
		return;
	fprintf(out, "#   %-20s %.2f bytes\n", "mean size", ratio_to_double(mean));
}

static void print_limits(const struct stream *stream, FILE *out)
{
	for (size_t i = 0; i < stream->criterion_count; i++) {
		char limit[UNITS_TEXT_BYTES];
		char threshold[UNITS_TEXT_BYTES];

		fprintf(out, "#   %-20s at most %s over %s\n", i ? "" : "limits of its own",
			units_format_percent(limit, stream->criteria[i].limit),
			units_format_duration(threshold, stream->criteria[i].threshold_ns));
	}
}

static void print_stream(const struct workload *workload, const struct stream *stream, FILE *out)
{
	char text[PLAN_TEXT_BYTES];

	fprintf(out, "#\n# stream %s: %s%s, %s\n", stream->name,
		stream->op == STREAM_READ ? "reads" : "writes", stream->dsync ? ", O_DSYNC" : "",
		is_judged(workload, stream) ? "judged" : "not judged");
	print_line(out, "sizes", plan_sizes(text, stream));
	print_mean(stream, out);
	print_line(out, "places", plan_places(text, stream));
	print_line(out, "region", plan_region(text, stream));
	print_line(out, "devices", plan_devices(text, stream));
	if (stream->in_flight_cap)
		fprintf(out, "#   %-20s %" PRIu64 "\n", "in flight, at most",
			stream->in_flight_cap);
	print_limits(stream, out);
}

static void print_rate(struct ratio rate, FILE *out)
{
	if (rate.num == 0)
		fputs("rests\n", out);
	else if (rate.den == 1)
		fprintf(out, "%" PRIu64 "/s\n", rate.num);
	else
		fprintf(out, "%.2f/s, exactly %" PRIu64 "/%" PRIu64 "\n", ratio_to_double(rate),
			rate.num, rate.den);
}

static void print_phase(const struct workload *workload, const struct workload_phase *phase,
			FILE *out)
{
	char start[UNITS_TEXT_BYTES];
	char end[UNITS_TEXT_BYTES];

	units_format_duration(start, phase->start_ns);
	units_format_duration(end, phase->end_ns);
	if (phase->name[0])
		fprintf(out, "#\n# phase %s: %s to %s, %s\n", phase->name,
			phase->start_ns ? start : "0s", end,
			phase->judged ? "judged" : "not judged");
	else
		fprintf(out, "#\n# for %s\n", end);
	for (size_t i = 0; i < workload->stream_count; i++) {
		fprintf(out, "#   %-20s ", workload->streams[i].name);
		print_rate(phase->per_sec[i], out);
	}
}

char *workload_format_plan(const struct workload *workload)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("# What follows from this config; rates are for each device.\n", out);
	for (size_t i = 0; i < workload->stream_count; i++)
		print_stream(workload, &workload->streams[i], out);
	for (size_t i = 0; i < workload->phase_count; i++)
		print_phase(workload, &workload->phases[i], out);
	bool failed = ferror(out) != 0;
	if (fclose(out) != 0 || failed) {
		free(text);
		return NULL;
	}
	return text;
}
