/* The live verdict and the verdict from the log are the same, to the last digit:
 * the same result.json. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/base/random.h"
#include "analysis/reports/json.h"
#include "tests/support/fake_run.h"

#define MS NS_PER_MS
#define US NS_PER_US

/* A device with a random temper. */
struct temper {
	struct random random;
	uint64_t slow_of_1000;
	uint64_t error_of_100000;
	uint64_t silent_from; /* 0: never */
};

static struct fake_answer answer(void *state, uint64_t number, const struct io_request *request)
{
	struct temper *temper = state;
	struct fake_answer result = {
	    .service_ns = 50 * US + random_below(&temper->random, 100 * US),
	    .result = (int32_t)request->length_bytes,
	};

	if (random_below(&temper->random, 1000) < temper->slow_of_1000)
		result.service_ns = random_below(&temper->random, 120 * MS);
	if (random_below(&temper->random, 100000) < temper->error_of_100000)
		result.result = -EIO;
	result.never = temper->silent_from && number >= temper->silent_from;
	return result;
}

static char *to_json(const struct result *result)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	cr_assert_not_null(out);
	cr_assert_eq(report_json(result, out), 0);
	fclose(out);
	return text;
}

/* What an analysis makes of the log; `upto` cuts it off. */
static char *replay(const char *log, size_t upto, size_t *ret_intervals)
{
	FILE *in = fmemopen((void *)(uintptr_t)log, upto, "r");
	struct run_end end = {.reason = END_NONE};
	struct log_reader *reader = NULL;
	struct judge *judge = NULL;
	struct error err = {0};
	enum log_event event;

	cr_assert_not_null(in);
	cr_assert_eq(log_reader_new(in, "run.log", &reader, &err), 0, "%s", err.text);
	cr_assert_eq(judge_new(log_reader_info(reader), &judge, &err), 0, "%s", err.text);
	*ret_intervals = 0;
	do {
		cr_assert_eq(log_reader_next(reader, &event, &err), 0, "%s", err.text);
		if (event == LOG_INTERVAL) {
			judge_interval(judge, log_reader_interval(reader));
			++*ret_intervals;
		} else if (event == LOG_END) {
			end = *log_reader_end(reader);
		}
	} while (event != LOG_FINISHED);
	char *json = to_json(judge_finish(judge, &end));
	judge_free(judge);
	log_reader_free(reader);
	fclose(in);
	return json;
}

static void configure(struct fake_run *run, struct random *random)
{
	static const char *const settings[][2] = {
	    {"write-load", "1x"},       {"commit-to-device", "true"},
	    {"stress", "true"},         {"in-flight-cap", "8"},
	    {"arrivals", "poisson"},    {"microsecond-histograms", "true"},
	    {"thresholds", "2ms:0.5%"}, {"interval", "2s"},
	    {"tomb-raider", "true"},    {"slice", "18s"},
	    {"read-load", "0.001x"}, /* intervals and slices without a sample */
	};
	struct error err = {0};

	cr_assert_eq(config_set(&run->config, "test", "duration", "50s", &err), 0);
	cr_assert_eq(config_set(&run->config, "test", "slice", "20s", &err), 0);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (random_below(random, 3) == 0)
			cr_assert_eq(
			    config_set(&run->config, "test", settings[i][0], settings[i][1], &err),
			    0, "%s", err.text);
	run->config.hang_limit_ns = 5 * NS_PER_SEC;
	if (random_below(random, 3) == 0) {
		run->thread_pause_at_ns = random_below(random, 40) * NS_PER_SEC;
		run->thread_pause_ns = random_below(random, 6000) * MS;
	}
}

Test(replay, forty_generated_runs_have_the_same_result_live_and_from_their_logs)
{
	size_t verdicts[3] = {0};

	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct random random;
		struct temper temper = {0};
		struct fake_run run;
		char *log = NULL;
		size_t log_size = 0;
		size_t intervals;

		random_init(&random, seed, 0);
		random_init(&temper.random, seed, 1);
		temper.slow_of_1000 = random_below(&random, 2) ? 0 : random_below(&random, 80);
		temper.error_of_100000 = random_below(&random, 4) ? 0 : 30;
		temper.silent_from = random_below(&random, 8) ? 0 : 40000;
		fake_run_init(&run, answer, &temper);
		configure(&run, &random);
		run.log_file = open_memstream(&log, &log_size);
		fake_run_go(&run);
		fclose(run.log_file);
		verdicts[run.result->verdict]++;

		char *live = to_json(run.result);
		char *again = replay(log, log_size, &intervals);
		cr_assert_eq(intervals, run.intervals, "seed %lu", seed);
		cr_assert_str_eq(again, live, "seed %lu", seed);
		free(live);
		free(again);
		free(log);
		fake_run_release(&run);
	}
	/* The runs are not all of one kind. */
	cr_assert(verdicts[VERDICT_PASS] > 2 && verdicts[VERDICT_FAIL] > 2 &&
		      verdicts[VERDICT_INVALID] > 2,
		  "%zu %zu %zu", verdicts[VERDICT_PASS], verdicts[VERDICT_FAIL],
		  verdicts[VERDICT_INVALID]);
}
