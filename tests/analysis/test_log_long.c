#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/log.h"
#include "tests/support/log_sample.h"

/* A log of 48 h, written and read at once through a temporary file: memory must
 * not grow with it. Interval contents are made beforehand and used in turn. */

#define HOUR_INTERVALS 3600
#define INTERVALS      (48 * HOUR_INTERVALS)
#define CONTENTS       8
#define REQUESTS       5000
#define GROWTH_KIB     1024

static uint64_t rss_kib(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	uint64_t kib = 0;
	char line[256];

	cr_assert(status != NULL);
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "VmRSS: %" SCNu64, &kib) == 1)
			break;
	fclose(status);
	return kib;
}

static void make_contents(struct interval contents[CONTENTS], const struct run_info *info)
{
	struct random random;

	random_init(&random, 1, 0);
	for (int i = 0; i < CONTENTS; i++) {
		cr_assert(eq(
		    int, interval_init(&contents[i], info->device_count, info->stream_count), 0));
		sample_interval(&contents[i], info, 0, REQUESTS, &random);
	}
}

/* The contents that interval `number` has. */
static const struct interval *pick(struct interval contents[CONTENTS], const struct run_info *info,
				   uint64_t number)
{
	struct interval *interval = &contents[number % CONTENTS];

	interval->number = number;
	interval->start_ns = number * info->interval_ns;
	interval->end_ns = interval->start_ns + info->interval_ns;
	return interval;
}

static void write_log(FILE *file, const struct run_info *info, struct interval contents[CONTENTS])
{
	struct run_end end = {.reason = END_COMPLETED, .at_ns = info->duration_ns};
	struct log_writer *writer = NULL;
	uint64_t first_hour_kib = 0;
	struct error err;

	cr_assert(eq(int, log_writer_new(file, info, &writer, &err), 0));
	for (uint64_t i = 0; i < INTERVALS; i++) {
		log_write_interval(writer, pick(contents, info, i));
		if (i == HOUR_INTERVALS)
			first_hour_kib = rss_kib();
	}
	cr_assert(le(u64, rss_kib(), first_hour_kib + GROWTH_KIB));
	printf("writer: %" PRIu64 " KiB after 1 h, %" PRIu64 " KiB after 48 h\n", first_hour_kib,
	       rss_kib());
	log_write_end(writer, &end);
	cr_assert(eq(int, log_writer_failure(writer), 0));
	log_writer_free(writer);
}

static void check(const struct interval *read, const struct interval *written, uint64_t *in_reads)
{
	cr_assert(eq(u64, read->number, written->number));
	for (size_t i = 0; i < SAMPLE_STREAMS; i++)
		cr_assert(eq(
		    int,
		    memcmp(&read->tallies[i], &written->tallies[i], offsetof(struct tally, span)),
		    0));
	*in_reads += read->tallies[1].span[SPAN_RESPONSE].total;
}

static void read_log(FILE *file, const struct run_info *info, struct interval contents[CONTENTS])
{
	struct log_reader *reader = NULL;
	uint64_t first_hour_kib = 0;
	uint64_t in_reads = 0;
	enum log_event event;
	struct error err;

	cr_assert(eq(int, log_reader_new(file, "run.log", &reader, &err), 0));
	for (uint64_t i = 0; i < INTERVALS; i++) {
		cr_assert(eq(int, log_reader_next(reader, &event, &err), 0));
		cr_assert(eq(int, event, LOG_INTERVAL));
		check(log_reader_interval(reader), pick(contents, info, i), &in_reads);
		if (i == HOUR_INTERVALS)
			first_hour_kib = rss_kib();
	}
	cr_assert(le(u64, rss_kib(), first_hour_kib + GROWTH_KIB));
	cr_assert(eq(u64, in_reads, (uint64_t)INTERVALS * REQUESTS));
	printf("reader: %" PRIu64 " KiB after 1 h, %" PRIu64 " KiB after 48 h\n", first_hour_kib,
	       rss_kib());
	cr_assert(eq(int, log_reader_next(reader, &event, &err), 0));
	cr_assert(eq(int, event, LOG_END));
	log_reader_free(reader);
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

Test(log_long, memory_is_flat_over_48_hours)
{
	struct interval contents[CONTENTS];
	struct run_info info;
	struct timespec start;
	FILE *file = tmpfile();

	cr_assert(file != NULL);
	sample_info(&info, 1);
	info.slice_ns = HOUR_INTERVALS * info.interval_ns;
	make_contents(contents, &info);
	clock_gettime(CLOCK_MONOTONIC, &start);
	write_log(file, &info, contents);
	printf("written in %.1f s: %ld bytes, %ld per interval\n", seconds_since(&start),
	       ftell(file), ftell(file) / INTERVALS);
	rewind(file);
	clock_gettime(CLOCK_MONOTONIC, &start);
	read_log(file, &info, contents);
	printf("read in %.1f s\n", seconds_since(&start));
	for (int i = 0; i < CONTENTS; i++)
		interval_release(&contents[i]);
	run_info_release(&info);
	fclose(file);
}
