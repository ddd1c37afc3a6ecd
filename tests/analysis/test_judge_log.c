#include "analysis/judge.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/base/random.h"
#include "analysis/log.h"
#include "analysis/reports/json.h"
#include "analysis/reports/text.h"
#include "analysis/slicing.h"
#include "tests/support/build_interval.h"
#include "tests/support/capture.h"
#include "tests/support/record_simple.h"

/*
 * What is judged live and what is judged again from the log of the same run must
 * be equal to the last digit, whatever happened.
 */

#define RUNS 80

/* One generated run: how likely (of 1000) an interval suffers what. */
struct weather {
	struct random random;
	uint64_t gap, slow, errors, late, jump, overflow, idle, behind, busy;
};

static bool happens(struct weather *weather, uint64_t per_mille)
{
	return random_below(&weather->random, 1000) < per_mille;
}

static void build_weather(struct weather *weather, uint64_t seed)
{
	uint64_t *chances[] = {&weather->gap,  &weather->slow,   &weather->errors,
			       &weather->late, &weather->jump,   &weather->overflow,
			       &weather->idle, &weather->behind, &weather->busy};

	random_init(&weather->random, seed, 0);
	for (size_t i = 0; i < sizeof(chances) / sizeof(chances[0]); i++)
		*chances[i] = happens(weather, 150) ? random_below(&weather->random, 200) : 0;
	if (happens(weather, 100))
		weather->idle = 1000;
}

static void suffer_stream(struct weather *weather, struct tally *tally)
{
	struct tally_scale scale = {.threshold_ns = {1 * NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS},
				    .threshold_count = 3,
				    .power_unit_ns = NS_PER_MS};

	build_total(tally, happens(weather, weather->idle) ? 0 : 50);
	for (uint64_t n = happens(weather, weather->slow) ? 40 : 0; n > 0; n--) {
		/* up to 2^42 ns, beyond what histograms tell apart */
		uint64_t service_ns = random_next(&weather->random) >> (22 + n % 40);

		tally->planned++;
		tally->issued++;
		record_simple(tally, &scale, random_below(&weather->random, NS_PER_MS), service_ns,
			      happens(weather, 500));
	}
	if (happens(weather, weather->errors)) {
		tally->planned++;
		tally->issued++;
		tally->errors++;
	}
	if (happens(weather, weather->behind)) {
		tally->planned += 10;
		tally->backlog_device = random_below(&weather->random, 12);
		tally->backlog_host = random_below(&weather->random, 12);
	}
}

static void suffer(struct weather *weather, struct interval *interval)
{
	for (size_t i = 0; i < interval->device_count * interval->stream_count; i++)
		suffer_stream(weather, &interval->tallies[i]);
	interval->late = happens(weather, weather->late);
	if (happens(weather, weather->jump))
		interval->clock_jump_ns = (int64_t)random_next(&weather->random);
	interval->queue_overflows = happens(weather, weather->overflow);
	interval->cpu_idle_ticks = happens(weather, weather->busy) ? 0 : 20;
}

static void end_run(struct weather *weather, struct run_end *end, uint64_t at_ns)
{
	end->reason = END_COMPLETED;
	if (happens(weather, 400))
		end->reason = random_below(&weather->random, END_REASONS);
	end->at_ns = at_ns;
	if (end->reason == END_SIGNAL)
		end->signal = 2;
}

/* Everything, or of a run without an end what does not hang on the histograms
 * that its log could not hold any more. */
static char *print(const struct result *result)
{
	struct capture capture;

	capture_start(&capture);
	cr_assert_eq(report_verdict_line(result, capture.stream), 0);
	for (size_t i = 0; i < result->slice_count; i++) {
		const struct slice *slice = result->slices[i];

		fprintf(capture.stream, "slice %lu: %d, %zu reasons, %lu completed, %lu over\n",
			(unsigned long)slice->number, slice->verdict, slice->all.reason_count,
			(unsigned long)slice->all.streams[BUILD_READS].completed,
			(unsigned long)slice->all.streams[BUILD_READS].over[0]);
	}
	if (result->end.reason != END_NONE) {
		cr_assert_eq(report_text(result, capture.stream), 0);
		cr_assert_eq(report_json(result, capture.stream), 0);
	}
	capture_end(&capture);
	return capture.text;
}

/* Phases of any lengths, one of them perhaps not judged; a stream of one device, and a limit
 * of a stream's own. */
static void add_phases(struct weather *weather, struct run_info *info)
{
	struct build_phase phases[3] = {
	    {"first", 0, true}, {"second 10MB/s", 0, true}, {"third", 0, true}};

	for (size_t i = 0; i < 3; i++)
		phases[i].intervals = 1 + random_below(&weather->random, 14);
	phases[random_below(&weather->random, 3)].judged = false;
	build_phases(info, phases, 3);
	info->phases[1].per_sec[BUILD_LARGE_WRITES].num = 0;
	info->streams[BUILD_LARGE_READS].devices = 1;
	info->streams[BUILD_READS].criteria[0] = info->criteria[1];
	info->streams[BUILD_READS].criterion_count = 1;
}

/* It carries the slice's histograms in the log. */
static bool is_last_of_slice(const struct run_info *info, uint64_t interval)
{
	struct slice_place place;

	slicing_find(info, interval, &place);
	return place.end == interval + 1;
}

/* Runs and judges live; *log is what the log holds. */
static char *judge_live(uint64_t seed, struct capture *log)
{
	struct weather weather;
	struct run_info info;
	struct interval interval;
	struct log_writer *writer;
	struct judge *judge;
	struct run_end end = {.reason = END_NONE};

	build_weather(&weather, seed);

	size_t devices = 1 + random_below(&weather.random, 3);

	build_info(&info, devices, 1 + random_below(&weather.random, 4));
	info.stress = happens(&weather, 100);
	strcpy(info.judged[info.judged_count], "large-block-writes");
	info.judged_count += happens(&weather, 300);
	if (happens(&weather, 500))
		add_phases(&weather, &info);

	uint64_t intervals = info.duration_ns / NS_PER_SEC;

	if (happens(&weather, 400))
		intervals = random_below(&weather.random, intervals);
	cr_assert_eq(judge_new(&info, &judge, NULL), 0);
	cr_assert_eq(log_writer_new(capture_start(log), &info, &writer, NULL), 0);
	build_interval(&interval, devices, 0);
	for (uint64_t i = 0; i < intervals; i++) {
		build_interval_again(&interval, i);
		suffer(&weather, &interval);
		if (happens(&weather, weather.gap) && !is_last_of_slice(&info, i))
			continue;
		judge_interval(judge, &interval);
		log_write_interval(writer, &interval);
	}
	end_run(&weather, &end, intervals * NS_PER_SEC);
	if (end.reason != END_NONE)
		log_write_end(writer, &end);
	else
		end.at_ns = 0;

	char *text = print(judge_finish(judge, &end));

	log_writer_free(writer);
	capture_end(log);
	interval_release(&interval);
	judge_free(judge);
	run_info_release(&info);
	return text;
}

static char *judge_again(const struct capture *log)
{
	FILE *stream = fmemopen(log->text, log->length, "r");
	enum log_event event = LOG_INTERVAL;
	struct run_end end = {.reason = END_NONE};
	struct log_reader *reader;
	struct judge *judge;

	cr_assert_not_null(stream);
	cr_assert_eq(log_reader_new(stream, "log", &reader, NULL), 0);
	cr_assert_eq(judge_new(log_reader_info(reader), &judge, NULL), 0);
	while (event != LOG_FINISHED) {
		cr_assert_eq(log_reader_next(reader, &event, NULL), 0);
		if (event == LOG_INTERVAL)
			judge_interval(judge, log_reader_interval(reader));
		if (event == LOG_END)
			end = *log_reader_end(reader);
	}

	char *text = print(judge_finish(judge, &end));

	judge_free(judge);
	log_reader_free(reader);
	fclose(stream);
	return text;
}

/* The first line that differs, for the message. */
static const char *first_difference(const char *a, const char *b)
{
	const char *line = a;

	for (; *a && *a == *b; a++, b++)
		if (*a == '\n')
			line = a + 1;
	return line;
}

Test(judge_log, live_and_log_are_judged_alike)
{
	int verdicts[3] = {0};

	for (uint64_t seed = 1; seed <= RUNS; seed++) {
		struct capture log;
		char *live = judge_live(seed, &log);
		char *again = judge_again(&log);

		cr_expect(strcmp(live, again) == 0, "run %lu: %.200s", (unsigned long)seed,
			  first_difference(live, again));
		verdicts[VERDICT_PASS] += strncmp(live, "PASS: ", 6) == 0;
		verdicts[VERDICT_FAIL] += strncmp(live, "FAIL: ", 6) == 0;
		verdicts[VERDICT_INVALID] += strncmp(live, "INVALID: ", 9) == 0;
		free(live);
		free(again);
		free(log.text);
	}
	/* the weather must bring them all, or little is shown */
	for (int i = 0; i < 3; i++)
		cr_expect_gt(verdicts[i], 2, "verdict %d: %d times", i, verdicts[i]);
}
