#include "analysis/log.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/log_sample.h"
#include "tests/support/record_simple.h"

/* A run of `intervals` intervals, its log, and what went into it. */
struct sample {
	struct run_info info;
	struct interval *intervals;
	size_t count;
	struct request_error error;
	struct run_end end;
	char *log;
	size_t length;
};

static void write_log(struct sample *sample)
{
	FILE *stream = open_memstream(&sample->log, &sample->length);
	struct log_writer *writer = NULL;
	struct error err;

	cr_assert(eq(int, log_writer_new(stream, &sample->info, &writer, &err), 0));
	for (size_t i = 0; i < sample->count; i++) {
		if (i == 1)
			log_write_error(writer, &sample->error);
		log_write_interval(writer, &sample->intervals[i]);
	}
	log_write_end(writer, &sample->end);
	cr_assert(eq(int, log_writer_failure(writer), 0));
	log_writer_free(writer);
	fclose(stream);
}

static void sample_fill(struct sample *sample, size_t count, uint64_t requests)
{
	struct random random;

	random_init(&random, 1, 0);
	sample->count = count;
	sample->intervals = calloc(count, sizeof(*sample->intervals));
	for (size_t i = 0; i < count; i++) {
		cr_assert(eq(int,
			     interval_init(&sample->intervals[i], sample->info.device_count,
					   sample->info.stream_count),
			     0));
		sample_interval(&sample->intervals[i], &sample->info, i, requests, &random);
	}
	sample->error = (struct request_error){
	    .device = 1,
	    .stream = 2,
	    .at_ns = 123456789,
	    .offset_bytes = UINT64_C(1) << 45,
	    .length_bytes = 4096,
	    .code = 5,
	    .done_bytes = 512,
	};
	sample->end = (struct run_end){
	    .reason = END_DEVICE_LOST, .device = 1, .at_ns = count * NS_PER_SEC, .signal = 3};
}

static void sample_init(struct sample *sample, size_t count)
{
	*sample = (struct sample){0};
	sample_info(&sample->info, 2);
	sample_fill(sample, count, 200);
	write_log(sample);
}

static void sample_release(struct sample *sample)
{
	for (size_t i = 0; i < sample->count; i++)
		interval_release(&sample->intervals[i]);
	free(sample->intervals);
	free(sample->log);
	run_info_release(&sample->info);
}

static struct log_reader *open_log(const struct sample *sample, FILE **ret_stream)
{
	struct log_reader *reader = NULL;
	struct error err = {0};

	*ret_stream = fmemopen(sample->log, sample->length, "r");
	cr_assert(eq(int, log_reader_new(*ret_stream, "run.log", &reader, &err), 0), "%s",
		  err.text);
	return reader;
}

static enum log_event next(struct log_reader *reader)
{
	enum log_event event = LOG_FINISHED;
	struct error err;

	cr_assert(eq(int, log_reader_next(reader, &event, &err), 0));
	return event;
}

static void assert_same_texts(const struct run_info *a, const struct run_info *b)
{
	cr_expect(eq(int, strcmp(a->version, b->version), 0));
	cr_expect(eq(int, strcmp(a->run_id, b->run_id), 0));
	cr_expect(eq(int, strcmp(a->started, b->started), 0));
	cr_expect(eq(int, strcmp(a->host, b->host), 0));
	cr_expect(eq(int, strcmp(a->kernel, b->kernel), 0));
	cr_expect(eq(int, strcmp(a->cpu, b->cpu), 0));
	cr_expect(eq(int, strcmp(a->engine, b->engine), 0));
	cr_expect(eq(int, strcmp(a->arrivals, b->arrivals), 0));
	cr_expect(eq(int, strcmp(a->caveat, b->caveat), 0));
}

static void assert_same_devices(const struct run_info *a, const struct run_info *b)
{
	cr_assert(eq(sz, a->device_count, b->device_count));
	for (size_t i = 0; i < a->device_count; i++) {
		const struct info_device *x = &a->devices[i];
		const struct info_device *y = &b->devices[i];

		cr_expect(eq(int, strcmp(x->name, y->name), 0), "%s, %s", x->name, y->name);
		cr_expect(eq(int, x->is_file, y->is_file));
		cr_expect(eq(u64, x->size_bytes, y->size_bytes));
		cr_expect(eq(u64, x->logical_block_bytes, y->logical_block_bytes));
		cr_expect(eq(u64, x->physical_block_bytes, y->physical_block_bytes));
		cr_expect(eq(int, strcmp(x->model, y->model), 0), "%s, %s", x->model, y->model);
		cr_expect(eq(int, strcmp(x->serial, y->serial), 0));
		cr_expect(eq(int, strcmp(x->firmware, y->firmware), 0));
	}
}

static void assert_same_streams(const struct run_info *a, const struct run_info *b)
{
	cr_assert(eq(sz, a->stream_count, b->stream_count));
	for (size_t i = 0; i < a->stream_count; i++) {
		const struct info_stream *x = &a->streams[i];
		const struct info_stream *y = &b->streams[i];

		cr_expect(eq(int, strcmp(x->name, y->name), 0));
		cr_expect(eq(int, x->is_write, y->is_write));
		cr_expect(eq(int, x->large_block, y->large_block));
		cr_expect(eq(int, ratio_compare(x->per_sec, y->per_sec), 0));
		cr_expect(eq(u64, x->size_min_bytes, y->size_min_bytes));
		cr_expect(eq(u64, x->size_max_bytes, y->size_max_bytes));
	}
}

static void assert_same_info(const struct run_info *a, const struct run_info *b)
{
	assert_same_texts(a, b);
	assert_same_devices(a, b);
	assert_same_streams(a, b);
	cr_expect(eq(u64, a->cpus, b->cpus));
	cr_expect(eq(u64, a->duration_ns, b->duration_ns));
	cr_expect(eq(u64, a->slice_ns, b->slice_ns));
	cr_expect(eq(u64, a->interval_ns, b->interval_ns));
	cr_expect(eq(int, a->stress, b->stress));
	cr_expect(eq(int, a->microsecond_histograms, b->microsecond_histograms));
	cr_assert(eq(sz, a->criterion_count, b->criterion_count));
	for (size_t i = 0; i < a->criterion_count; i++) {
		cr_expect(eq(u64, a->criteria[i].threshold_ns, b->criteria[i].threshold_ns));
		cr_expect(eq(int, ratio_compare(a->criteria[i].limit, b->criteria[i].limit), 0));
	}
	cr_assert(eq(sz, a->judged_count, b->judged_count));
	for (size_t i = 0; i < a->judged_count; i++)
		cr_expect(eq(int, strcmp(a->judged[i], b->judged[i]), 0));
}

static void assert_same_counts(const struct interval *a, const struct interval *b)
{
	cr_assert(eq(u64, a->number, b->number));
	cr_assert(eq(u64, a->start_ns, b->start_ns));
	cr_assert(eq(u64, a->end_ns, b->end_ns));
	cr_assert(eq(i64, a->clock_jump_ns, b->clock_jump_ns));
	cr_assert(eq(u64, a->cpu_idle_ticks, b->cpu_idle_ticks));
	cr_assert(eq(u64, a->cpu_total_ticks, b->cpu_total_ticks));
	cr_assert(eq(u64, a->queue_overflows, b->queue_overflows));
	cr_assert(eq(int, a->late, b->late));
	for (size_t i = 0; i < a->device_count * a->stream_count; i++)
		cr_assert(eq(mem, ((struct cr_mem){&a->tallies[i], offsetof(struct tally, span)}),
			     ((struct cr_mem){&b->tallies[i], offsetof(struct tally, span)})));
}

static void add_histograms(struct interval *into, const struct interval *from)
{
	for (size_t i = 0; i < into->device_count * into->stream_count; i++)
		for (size_t span = 0; span < SPAN_COUNT; span++)
			histogram_merge(&into->tallies[i].span[span], &from->tallies[i].span[span]);
}

static bool has_histograms(const struct interval *interval)
{
	return interval->tallies[0].span[SPAN_RESPONSE].total > 0;
}

static void assert_same_histograms(const struct interval *a, const struct interval *b)
{
	size_t size = sizeof(a->tallies[0].span);

	for (size_t i = 0; i < a->device_count * a->stream_count; i++)
		cr_assert(eq(mem, ((struct cr_mem){a->tallies[i].span, size}),
			     ((struct cr_mem){b->tallies[i].span, size})));
}

static void assert_same_error(const struct request_error *a, const struct request_error *b)
{
	cr_assert(eq(sz, a->device, b->device));
	cr_assert(eq(sz, a->stream, b->stream));
	cr_assert(eq(u64, a->at_ns, b->at_ns));
	cr_assert(eq(u64, a->offset_bytes, b->offset_bytes));
	cr_assert(eq(u64, a->length_bytes, b->length_bytes));
	cr_assert(eq(int, a->code, b->code));
	cr_assert(eq(u64, a->done_bytes, b->done_bytes));
}

Test(log, what_was_written_is_read_back)
{
	struct sample sample;
	struct interval sum;
	size_t payloads = 0;
	FILE *stream;

	sample_init(&sample, 23);
	interval_init(&sum, 2, SAMPLE_STREAMS);

	struct log_reader *reader = open_log(&sample, &stream);

	assert_same_info(log_reader_info(reader), &sample.info);
	for (size_t i = 0; i < sample.count; i++) {
		if (i == 1)
			cr_assert(eq(int, next(reader), LOG_ERROR));
		cr_assert(eq(int, next(reader), LOG_INTERVAL));

		const struct interval *interval = log_reader_interval(reader);

		assert_same_counts(interval, &sample.intervals[i]);
		add_histograms(&sum, &sample.intervals[i]);
		/* At the end of each slice of 5 s, of each 30 s, and of the run. */
		cr_assert(eq(int, has_histograms(interval), (i + 1) % 5 == 0 || i == 22));
		if (has_histograms(interval)) {
			assert_same_histograms(interval, &sum);
			interval_clear(&sum);
			payloads++;
		}
	}
	cr_assert(eq(sz, payloads, 5));
	cr_assert(eq(int, next(reader), LOG_END));
	assert_same_error(log_reader_error(reader), &sample.error);
	cr_assert(eq(int, log_reader_end(reader)->reason, END_DEVICE_LOST));
	cr_assert(eq(sz, log_reader_end(reader)->device, 1));
	cr_assert(eq(u64, log_reader_end(reader)->at_ns, sample.end.at_ns));
	cr_assert(eq(int, log_reader_end(reader)->signal, 3));
	cr_assert(eq(int, next(reader), LOG_FINISHED));
	cr_assert(eq(int, next(reader), LOG_FINISHED));
	cr_assert(eq(u64, log_reader_damaged_lines(reader), 0));
	log_reader_free(reader);
	fclose(stream);
	interval_release(&sum);
	sample_release(&sample);
}

Test(log, every_end_is_read_back)
{
	for (int reason = END_NONE; reason < END_REASONS; reason++) {
		struct sample sample = {0};
		FILE *stream;

		sample_info(&sample.info, 2);
		sample_fill(&sample, 0, 0);
		sample.end = (struct run_end){
		    .reason = (enum end_reason)reason, .at_ns = 7, .log_disk_full = reason % 2};
		write_log(&sample);

		struct log_reader *reader = open_log(&sample, &stream);

		cr_assert(eq(int, next(reader), LOG_END));
		cr_expect(eq(int, log_reader_end(reader)->reason, reason));
		cr_expect(eq(int, log_reader_end(reader)->log_disk_full, reason % 2));
		log_reader_free(reader);
		fclose(stream);
		sample_release(&sample);
	}
}

Test(log, intervals_without_requests_are_read_back)
{
	struct sample sample = {0};
	FILE *stream;

	sample_info(&sample.info, 1);
	sample_fill(&sample, 6, 0);
	sample.end = (struct run_end){.reason = END_COMPLETED};
	sample.error.device = 0;
	write_log(&sample);

	struct log_reader *reader = open_log(&sample, &stream);

	for (size_t i = 0; i < sample.count; i++) {
		while (next(reader) != LOG_INTERVAL)
			;
		assert_same_counts(log_reader_interval(reader), &sample.intervals[i]);
		cr_assert(not(has_histograms(log_reader_interval(reader))));
	}
	log_reader_free(reader);
	fclose(stream);
	sample_release(&sample);
}

Test(log, odd_names_are_read_back_and_cannot_inject_lines)
{
	static const char *const names[] = {
	    "/dev/a\nafter 1 sec:\nreads (7 total)",
	    "x\n# {\"run\":{}}",
	    "# {\"end\":{}}",
	    "bad\xff\xfeutf8",
	    "back\\slash",
	    "back\\\\slash\xff",
	    "back\\xffslash",
	    "quo\"te\t\x01\x7f",
	    "reads",
	    "disk (1 total).img",
	    "gr\xc3\xbc\xc3\x9f",
	    "\xed\xa0\x80",
	};
	enum { COUNT = sizeof(names) / sizeof(names[0]) };
	struct sample sample = {0};
	FILE *stream;

	sample_info(&sample.info, COUNT);
	for (size_t i = 0; i < COUNT; i++) {
		strcpy(sample.info.devices[i].name, names[i]);
		strcpy(sample.info.devices[i].model, names[i]);
	}
	strcpy(sample.info.configuration, "device-names: \xff\n\n# {\"end\":{}}\nx: 1");
	sample_fill(&sample, 2, 3);
	write_log(&sample);

	struct log_reader *reader = open_log(&sample, &stream);

	assert_same_info(log_reader_info(reader), &sample.info);
	cr_assert(eq(int, next(reader), LOG_INTERVAL));
	assert_same_counts(log_reader_interval(reader), &sample.intervals[0]);
	cr_assert(eq(int, next(reader), LOG_ERROR));
	cr_assert(eq(int, next(reader), LOG_INTERVAL));
	cr_assert(eq(int, next(reader), LOG_END));
	cr_assert(eq(u64, log_reader_damaged_lines(reader), 0));
	for (size_t i = 0; i < sample.length; i++)
		cr_assert(sample.log[i] == '\n' || sample.log[i] >= ' ');
	cr_assert(eq(ptr, strstr(sample.log, "\nreads (7 total)"), NULL));
	cr_assert(eq(ptr, strstr(sample.log, "\n# {\"end\":{}}"), NULL));
	cr_assert(ne(ptr, strstr(sample.log, "\n./reads-reads ("), NULL));
	log_reader_free(reader);
	fclose(stream);
	sample_release(&sample);
}

Test(log, a_name_as_long_as_can_be_is_read_back)
{
	struct sample sample = {0};
	FILE *stream;

	sample_info(&sample.info, 2);
	memset(sample.info.devices[0].name, 0xff, INFO_NAME_BYTES - 1);
	sample_fill(&sample, 1, 1);
	write_log(&sample);

	struct log_reader *reader = open_log(&sample, &stream);

	assert_same_info(log_reader_info(reader), &sample.info);
	cr_assert(eq(int, next(reader), LOG_INTERVAL));
	log_reader_free(reader);
	fclose(stream);
	sample_release(&sample);
}

Test(log, lists_at_most_100_errors_at_a_time)
{
	struct sample sample = {0};
	struct log_writer *writer;
	struct error err;
	FILE *stream = open_memstream(&sample.log, &sample.length);
	int listed = 0;

	sample_info(&sample.info, 2);
	sample_fill(&sample, 2, 1);
	cr_assert(eq(int, log_writer_new(stream, &sample.info, &writer, &err), 0));
	for (size_t i = 0; i < 2; i++) {
		for (int k = 0; k < 150; k++)
			log_write_error(writer, &sample.error);
		log_write_interval(writer, &sample.intervals[i]);
	}
	log_write_end(writer, &sample.end);
	log_writer_free(writer);
	fclose(stream);

	struct log_reader *reader = open_log(&sample, &stream);

	for (enum log_event event; (event = next(reader)) != LOG_FINISHED;)
		listed += event == LOG_ERROR;
	cr_assert(eq(int, listed, 200));
	log_reader_free(reader);
	fclose(stream);
	sample_release(&sample);
}

/* A log of format 1, as its first version wrote it, must stay readable. */
Test(log, of_format_1_is_read)
{
	FILE *stream = fopen(TESTS_DIR "/golden/run_v1.log", "re");
	struct log_reader *reader = NULL;
	uint64_t in_histograms = 0;
	uint64_t errors = 0;
	struct error err;

	cr_assert(stream != NULL);
	cr_assert(eq(int, log_reader_new(stream, "run_v1.log", &reader, &err), 0));
	cr_assert(eq(sz, log_reader_info(reader)->device_count, 2));
	for (uint64_t i = 0; i < 6; i++) {
		enum log_event event = next(reader);

		errors += event == LOG_ERROR;
		if (event == LOG_ERROR)
			event = next(reader);
		cr_assert(eq(int, event, LOG_INTERVAL));

		const struct tally *reads = interval_tally(log_reader_interval(reader), 1, 1);

		cr_assert(eq(u64, log_reader_interval(reader)->number, i));
		cr_assert(eq(u64, reads->completed, 1000));
		in_histograms += reads->span[SPAN_LAG].total;
	}
	cr_assert(eq(u64, errors, 1));
	cr_assert(eq(u64, in_histograms, 6000));
	cr_assert(eq(int, next(reader), LOG_END));
	cr_assert(eq(int, log_reader_end(reader)->reason, END_SIGNAL));
	cr_assert(eq(int, log_reader_end(reader)->signal, 15));
	cr_assert(eq(u64, log_reader_damaged_lines(reader), 0));
	log_reader_free(reader);
	fclose(stream);
}

Test(log, absurd_durations_are_cut_to_63_bits)
{
	struct sample sample = {0};
	struct tally_scale scale;
	FILE *stream;

	sample_info(&sample.info, 2);
	sample_fill(&sample, 1, 1);
	scale = sample_scale(&sample.info);
	record_simple(&sample.intervals[0].tallies[0], &scale, 0, UINT64_MAX, false);
	write_log(&sample);

	struct log_reader *reader = open_log(&sample, &stream);

	cr_assert(eq(int, next(reader), LOG_INTERVAL));
	cr_assert(eq(u64, log_reader_interval(reader)->tallies[0].max_ns[SPAN_SERVICE], INT64_MAX));
	cr_assert(eq(u64, log_reader_interval(reader)->tallies[0].span[SPAN_SERVICE].overflow, 1));
	cr_assert(eq(u64, log_reader_damaged_lines(reader), 0));
	log_reader_free(reader);
	fclose(stream);
	sample_release(&sample);
}

Test(log, refuses_more_tallies_than_it_can_hold)
{
	struct run_info info;
	struct log_writer *writer = NULL;
	struct error err;

	sample_info(&info, 4096 / SAMPLE_STREAMS + 1);
	cr_assert(lt(int, log_writer_new(stdout, &info, &writer, &err), 0));
	cr_assert(eq(int, err.status, EXIT_USAGE));
	run_info_release(&info);
}
