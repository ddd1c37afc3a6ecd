#include "analysis/log_format.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/log_name.h"

/* Text of the older tool, version 6: blocks end at an empty line. */

#define BUCKETS_PER_LINE 4

static void print_buckets(FILE *out, const uint64_t power[POWERS])
{
	size_t printed = 0;

	for (size_t i = 0; i < POWERS; i++) {
		if (!power[i])
			continue;
		if (printed && printed % BUCKETS_PER_LINE == 0)
			fputc('\n', out);
		fprintf(out, " (%02zu: %010" PRIu64 ")", i, power[i]);
		printed++;
	}
	if (printed)
		fputc('\n', out);
}

/* The rest of the line behind the name, and the buckets; only the line's end
 * without counts. */
static void print_counts(FILE *out, const uint64_t *power)
{
	uint64_t total = 0;

	if (!power) {
		fputc('\n', out);
		return;
	}
	for (size_t i = 0; i < POWERS; i++)
		total += power[i];
	fprintf(out, " (%" PRIu64 " total)\n", total);
	print_buckets(out, power);
}

static void print_overall(FILE *out, const struct run_info *info, size_t stream,
			  const uint64_t (*power)[POWERS])
{
	uint64_t sum[POWERS] = {0};

	log_text_name(out, info->streams[stream].name);
	for (size_t d = 0; power && d < info->device_count; d++) {
		for (size_t i = 0; i < POWERS; i++)
			sum[i] += power[d * info->stream_count + stream][i];
	}
	print_counts(out, power ? sum : NULL);
}

static void print_stream(FILE *out, const struct run_info *info, size_t stream,
			 const uint64_t (*power)[POWERS])
{
	print_overall(out, info, stream, power);
	for (size_t d = 0; d < info->device_count && !info->streams[stream].large_block; d++) {
		if (!run_info_is_issued(info, info->phase_count, d, stream))
			continue;
		log_text_device(out, info->devices[d].name);
		fputc('-', out);
		log_text_name(out, info->streams[stream].name);
		print_counts(out, power ? power[d * info->stream_count + stream] : NULL);
	}
}

enum rank { RANK_READS, RANK_LARGE, RANK_WRITES, RANK_OTHER, RANKS };

static enum rank stream_rank(const struct info_stream *stream)
{
	if (stream->large_block)
		return RANK_LARGE;
	if (!strcmp(stream->name, "reads"))
		return RANK_READS;
	return strcmp(stream->name, "writes") ? RANK_OTHER : RANK_WRITES;
}

/* All histograms in the older tool's order; only their names without counts. */
static void print_histograms(FILE *out, const struct run_info *info,
			     const uint64_t (*power)[POWERS])
{
	for (int rank = 0; rank < RANKS; rank++) {
		for (size_t s = 0; s < info->stream_count; s++) {
			if (stream_rank(&info->streams[s]) == (enum rank)rank)
				print_stream(out, info, s, power);
		}
	}
}

static uint64_t large_block_bytes(const struct run_info *info)
{
	for (size_t s = 0; s < info->stream_count; s++) {
		if (info->streams[s].large_block)
			return info->streams[s].size_max_bytes;
	}
	return 0;
}

static void print_device(FILE *out, const struct info_device *device, uint64_t large_bytes)
{
	log_text_device(out, device->name);
	fprintf(out, " size = %" PRIu64 " bytes", device->size_bytes);
	if (large_bytes)
		fprintf(out, ", %" PRIu64 " large blocks", device->size_bytes / large_bytes);
	fprintf(out, ", minimum IO size = %" PRIu64 " bytes\n", device->logical_block_bytes);
}

void log_text_banner(FILE *out, const struct run_info *info)
{
	fputs("actcert ", out);
	log_text_name(out, info->version);
	fputs("\n# Written by actcert. The next line names the text format, which analyzers of ACT "
	      "6 read.\nACT version 6.6\n",
	      out);
	log_text_name(out, info->subtitle);
	fputs("\n\n", out);
	log_text_name(out, info->title);
	fputs(" CONFIGURATION\n", out);
	log_text_lines(out, info->configuration);
	fputs("\nDERIVED CONFIGURATION\n", out);
	log_text_lines(out, info->derived);
	fputc('\n', out);
	for (size_t d = 0; d < info->device_count; d++)
		print_device(out, &info->devices[d], large_block_bytes(info));
	fputs("\nHISTOGRAM NAMES\n", out);
	print_histograms(out, info, NULL);
	fputc('\n', out);
}

void log_text_block(FILE *out, const struct run_info *info, uint64_t seconds,
		    const uint64_t (*power)[POWERS])
{
	fprintf(out, "after %" PRIu64 " sec:\n", seconds);
	print_histograms(out, info, power);
	fputc('\n', out);
}
