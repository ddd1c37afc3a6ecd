#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/log.h"
#include "tests/support/log_sample.h"

/* The part of a log that the older tool's analyzer reads, read by its rule: the
 * block of a second is found by its heading, a histogram by the beginning of its
 * line, a bucket by its number; a share is what is in higher buckets. */

#define INTERVALS 7

struct text_histogram {
	uint64_t total;
	uint64_t buckets[POWERS];
};

static void write_log(const struct run_info *info, struct interval *sums, char **ret_log)
{
	size_t length;
	FILE *stream = open_memstream(ret_log, &length);
	struct run_end end = {.reason = END_COMPLETED};
	struct log_writer *writer = NULL;
	struct interval interval;
	struct random random;
	struct error err;

	random_init(&random, 5, 0);
	interval_init(&interval, info->device_count, info->stream_count);
	cr_assert(eq(int, log_writer_new(stream, info, &writer, &err), 0));
	for (uint64_t i = 0; i < INTERVALS; i++) {
		interval_clear(&interval);
		sample_interval(&interval, info, i, 300, &random);
		log_write_interval(writer, &interval);
		for (size_t k = 0; k < info->device_count * info->stream_count; k++)
			tally_merge(&sums->tallies[k], &interval.tallies[k]);
	}
	log_write_end(writer, &end);
	log_writer_free(writer);
	fclose(stream);
	interval_release(&interval);
}

static const char *next_line(const char *line)
{
	return strchr(line, '\n') + 1;
}

static const char *find_block(const char *log, unsigned seconds)
{
	char heading[64];

	snprintf(heading, sizeof(heading), "\nafter %u sec:\n", seconds);

	const char *block = strstr(log, heading);

	cr_assert(block != NULL, "%s", heading);
	return next_line(block + 1);
}

/* The histogram `name` in the block that begins at `line`. */
static struct text_histogram read_histogram(const char *line, const char *name)
{
	struct text_histogram histogram = {0};

	while (strncmp(line, name, strlen(name)) != 0) {
		cr_assert(ne(chr, *line, '\n'), "no %s in the block", name);
		line = next_line(line);
	}
	cr_assert(
	    eq(int, sscanf(line + strlen(name), " (%" SCNu64 " total)", &histogram.total), 1));
	for (line = next_line(line); line[0] == ' '; line = next_line(line)) {
		const char *end = next_line(line);
		int buckets = 0;

		for (const char *at = line; at < end - 1; at += 17) {
			size_t bucket;
			uint64_t count;

			cr_assert(eq(int, sscanf(at, " (%zu: %" SCNu64 ")", &bucket, &count), 2));
			histogram.buckets[bucket] = count;
			buckets++;
		}
		cr_assert(le(int, buckets, 4));
	}
	return histogram;
}

static uint64_t count_from(const struct text_histogram *histogram, size_t bucket)
{
	uint64_t sum = 0;

	for (size_t i = bucket; i < POWERS; i++)
		sum += histogram->buckets[i];
	return sum;
}

/* Thresholds of 1, 8 and 64 ms begin buckets 1, 4 and 7. */
static void assert_agrees(const char *block, const char *name, const struct tally *sum)
{
	struct text_histogram histogram = read_histogram(block, name);

	cr_assert(gt(u64, sum->over[0], 0));
	cr_expect(eq(u64, histogram.total, sum->completed), "%s", name);
	cr_expect(eq(u64, count_from(&histogram, 0), histogram.total), "%s", name);
	cr_expect(eq(u64, count_from(&histogram, 1), sum->over[0]), "%s", name);
	cr_expect(eq(u64, count_from(&histogram, 4), sum->over[1]), "%s", name);
	cr_expect(eq(u64, count_from(&histogram, 7), sum->over[2]), "%s", name);
}

static void assert_stream_agrees(const char *block, const struct run_info *info, size_t stream,
				 const struct interval *sums)
{
	static struct tally all;
	char name[400];

	tally_init(&all);
	for (size_t d = 0; d < info->device_count; d++) {
		tally_merge(&all, interval_tally(sums, d, stream));
		snprintf(name, sizeof(name), "%s-%s", info->devices[d].name,
			 info->streams[stream].name);
		if (!info->streams[stream].large_block)
			assert_agrees(block, name, interval_tally(sums, d, stream));
	}
	assert_agrees(block, info->streams[stream].name, &all);
}

Test(log_text, is_the_sum_of_the_intervals)
{
	struct run_info info;
	struct interval sums;
	char *log;

	sample_info(&info, 2);
	interval_init(&sums, 2, SAMPLE_STREAMS);
	write_log(&info, &sums, &log);
	for (size_t stream = 0; stream < SAMPLE_STREAMS; stream++)
		assert_stream_agrees(find_block(log, INTERVALS), &info, stream, &sums);
	free(log);
	interval_release(&sums);
	run_info_release(&info);
}

Test(log_text, of_microseconds_has_the_exact_total)
{
	struct run_info info;
	struct interval sums;
	char *log;

	sample_info(&info, 1);
	info.microsecond_histograms = true;
	interval_init(&sums, 1, SAMPLE_STREAMS);
	write_log(&info, &sums, &log);

	struct text_histogram histogram = read_histogram(find_block(log, 7), "reads");

	cr_assert(eq(u64, histogram.total, INTERVALS * 300));
	cr_assert(eq(u64, count_from(&histogram, 6), histogram.total)); /* 60 us and more */
	cr_assert(lt(u64, count_from(&histogram, 11), histogram.total));
	free(log);
	interval_release(&sums);
	run_info_release(&info);
}

Test(log_text, has_the_older_tools_head_and_order)
{
	static const char *const lines[] = {
	    "actcert 1.2.3\n",
	    "\nACT version 6.6\nStorage device IO test\n\n",
	    "\nACT-STORAGE CONFIGURATION\nreport-interval-sec: 1\nmicrosecond-histograms: no\n\n",
	    "\nDERIVED CONFIGURATION\ninternal-read-reqs-per-sec: 60000\n\n",
	    "\n/dev/nvme0n1 size = 1099511627776 bytes, 8388608 large blocks, minimum IO size = "
	    "512 "
	    "bytes\n",
	    "\nHISTOGRAM NAMES\nreads\n/dev/nvme0n1-reads\n/dev/nvme1n1-reads\nlarge-block-writes\n"
	    "large-block-reads\nwrites\n/dev/nvme0n1-writes\n/dev/nvme1n1-writes\n\n",
	    "\n# {\"run\":{",
	    "\nafter 1 sec:\nreads (600 total)\n (00: ",
	    "\n# {\"interval\":{",
	    "\nafter 2 sec:\nreads (1200 total)\n",
	    "\n# {\"end\":{",
	};
	struct run_info info;
	struct interval sums;
	char *log;

	sample_info(&info, 2);
	interval_init(&sums, 2, SAMPLE_STREAMS);
	write_log(&info, &sums, &log);

	const char *at = log;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		at = strstr(at, lines[i]);
		cr_assert(at != NULL, "%s", lines[i]);
	}
	free(log);
	interval_release(&sums);
	run_info_release(&info);
}

Test(log_text, counts_whole_seconds_only)
{
	struct run_info info;
	struct interval sums;
	char *log;

	sample_info(&info, 1);
	info.interval_ns /= 2;
	interval_init(&sums, 1, SAMPLE_STREAMS);
	write_log(&info, &sums, &log);
	for (unsigned i = 1; i <= 4; i++) {
		/* The last block covers the half second that is left. */
		uint64_t intervals = i < 4 ? 2 * i : INTERVALS;

		cr_assert(
		    eq(u64, read_histogram(find_block(log, i), "reads").total, intervals * 300));
	}
	cr_assert(eq(ptr, strstr(log, "after 5"), NULL));
	free(log);
	interval_release(&sums);
	run_info_release(&info);
}
