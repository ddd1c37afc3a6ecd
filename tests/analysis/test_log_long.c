#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "act/base/clock.h"
#include "analysis/judge.h"
#include "analysis/log.h"
#include "tests/support/log_sample.h"

/* A log of 48 h, written and judged live, then read back and judged again: memory
 * must not grow with it, and both results are the same. Interval contents are made beforehand and
 * used in turn. With intervals of 4 s even the least that malloc gives, 32 bytes, is over the
 * limit if each interval keeps that; shorter ones would only take longer. */

#define INTERVAL_S     4
#define HOUR_INTERVALS (3600 / INTERVAL_S)
#define INTERVALS      (48 * HOUR_INTERVALS)
#define CONTENTS       8
#define REQUESTS       5000
#define GROWTH_KIB     1024

/* Sanitizers keep what was freed for a while, so memory tells nothing then. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

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

static struct judge *make_judge(const struct run_info *info)
{
	struct judge *judge = NULL;
	struct error err;

	cr_assert(eq(int, judge_new(info, &judge, &err), 0));
	return judge;
}

static void write_log(FILE *file, const struct run_info *info, struct interval contents[CONTENTS],
		      struct judge *judge)
{
	struct run_end end = {.reason = END_COMPLETED, .at_ns = info->duration_ns};
	struct log_writer *writer = NULL;
	uint64_t first_hour_kib = 0;
	struct error err;

	cr_assert(eq(int, log_writer_new(file, info, &writer, &err), 0));
	for (uint64_t i = 0; i < INTERVALS; i++) {
		const struct interval *interval = pick(contents, info, i);

		log_write_interval(writer, interval);
		judge_interval(judge, interval);
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

static void read_log(FILE *file, const struct run_info *info, struct interval contents[CONTENTS],
		     struct judge *judge)
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
		judge_interval(judge, log_reader_interval(reader));
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

static void compare(const struct result *live, const struct result *again)
{
	cr_assert(eq(sz, live->slice_count, 48));
	cr_assert(eq(sz, again->slice_count, 48));
	cr_assert(eq(int, live->verdict, again->verdict));
	cr_assert(eq(str, (char *)(uintptr_t)live->reason, (char *)(uintptr_t)again->reason));
	for (size_t i = 0; i < 48; i++)
		cr_assert(eq(int,
			     memcmp(live->slices[i]->all.streams, again->slices[i]->all.streams,
				    SAMPLE_STREAMS * sizeof(struct summary)),
			     0));
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
	struct run_end end = {.reason = END_COMPLETED};
	struct run_info info;
	struct timespec start;
	FILE *file;

	if (SANITIZED)
		cr_skip_test("memory is not measured under a sanitizer");
	file = tmpfile();
	cr_assert(file != NULL);
	sample_info(&info, 1);
	info.interval_ns = INTERVAL_S * NS_PER_SEC;
	info.slice_ns = HOUR_INTERVALS * info.interval_ns;
	make_contents(contents, &info);
	clock_gettime(CLOCK_MONOTONIC, &start);
	struct judge *live = make_judge(&info);
	write_log(file, &info, contents, live);
	printf("written in %.1f s: %ld bytes, %ld per interval\n", seconds_since(&start),
	       ftell(file), ftell(file) / INTERVALS);
	rewind(file);
	clock_gettime(CLOCK_MONOTONIC, &start);
	struct judge *again = make_judge(&info);
	read_log(file, &info, contents, again);
	printf("read in %.1f s\n", seconds_since(&start));
	end.at_ns = info.duration_ns;
	compare(judge_finish(live, &end), judge_finish(again, &end));
	judge_free(live);
	judge_free(again);
	for (int i = 0; i < CONTENTS; i++)
		interval_release(&contents[i]);
	run_info_release(&info);
	fclose(file);
}
