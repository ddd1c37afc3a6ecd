#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/payload/label.h"
#include "tests/support/compile.h"
#include "tests/support/fake_run.h"

/*
 * Phases, mixes and the keys of single streams as the worker issues them. Of a device with several
 * workers each is run alone, in a world of its own that begins at the same time.
 */

#define SEC         NS_PER_SEC
#define MS          NS_PER_MS
#define SECONDS_MAX 32
#define WORKERS_MAX 3
#define CARDS       10000
#define CUSTOM      "workload = 'custom'; seed = 1; "

/* A request as it was issued: in these worlds that is when it was intended. */
struct event {
	uint64_t at_ns; /* of the fake clock */
	uint64_t offset_bytes;
	uint32_t length_bytes;
	enum io_op op;
};

struct recorder {
	struct fake_world *world;
	uint64_t service_ns;
	struct event *events;
	size_t count;
	size_t room;
	uint64_t start_ns;
	/* of all workers that were run, [second][stream] */
	uint64_t planned[SECONDS_MAX][STREAMS_MAX];
	uint64_t issued[SECONDS_MAX][STREAMS_MAX];
};

static struct fake_answer answer(void *state, uint64_t number, const struct io_request *request)
{
	struct recorder *recorder = state;

	(void)number;
	if (recorder->count == recorder->room) {
		recorder->room = recorder->room ? 2 * recorder->room : 1 << 16;
		recorder->events =
		    realloc(recorder->events, recorder->room * sizeof(*recorder->events));
		cr_assert_not_null(recorder->events);
	}
	recorder->events[recorder->count++] = (struct event){
	    .at_ns = recorder->world->now_ns,
	    .offset_bytes = request->offset_bytes,
	    .length_bytes = request->length_bytes,
	    .op = request->op,
	};
	return (struct fake_answer){
	    .service_ns = recorder->service_ns,
	    .result = (int32_t)request->length_bytes,
	};
}

static void note_interval(struct fake_run *run, const struct interval *interval)
{
	struct recorder *recorder = run->user;

	cr_assert_lt(interval->number, SECONDS_MAX);
	for (size_t i = 0; i < interval->stream_count; i++) {
		const struct tally *tally = interval_tally(interval, run->device_number, i);

		recorder->planned[interval->number][i] += tally->planned;
		recorder->issued[interval->number][i] += tally->issued;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct event *one = a;
	const struct event *other = b;

	return (one->at_ns > other->at_ns) - (one->at_ns < other->at_ns);
}

/* Runs all workers of the device, one after the other; what they issued is in the order of time
 * then. Leaves *ret_run as the last of them was, to be released. */
static void record(const char *text, uint32_t workers, size_t device, struct recorder *recorder,
		   struct fake_run *ret_run)
{
	struct workload workload;
	struct error err = {0};

	for (uint32_t i = 0; i < workers; i++) {
		if (i > 0)
			fake_run_release(ret_run);
		fake_run_init(ret_run, answer, recorder);
		cr_assert_eq(compile_try(text, &ret_run->config, &workload, &err), 0, "%s",
			     err.text);
		ret_run->workers = workers;
		ret_run->worker = i;
		ret_run->device_number = device;
		ret_run->user = recorder;
		ret_run->on_interval = note_interval;
		recorder->world = &ret_run->world;
		recorder->start_ns = ret_run->world.now_ns + 777;
		fake_run_go(ret_run);
	}
	if (recorder->count > 0)
		qsort(recorder->events, recorder->count, sizeof(recorder->events[0]), by_time);
}

static const struct workload_phase *phase_at(const struct workload *workload, uint64_t at_ns)
{
	size_t i = 0;

	while (i + 1 < workload->phase_count && at_ns >= workload->phases[i].end_ns)
		i++;
	return &workload->phases[i];
}

/* Rates with ugly ratios, a phase without anything, and some in which one stream rests. */
#define PHASES                                                                                     \
	CUSTOM                                                                                     \
	"streams = ({name = 'reads'; op = 'read'; rate = '60000/s'; sizes = ['4KiB'];},"           \
	"{name = 'writes'; op = 'write'; rate = '61.3/s'; sizes = ['4KiB'];});"                    \
	"phases = ({name = 'full'; duration = '2s';},"                                             \
	"{name = 'low'; duration = '2s'; streams = ['reads:600/s'];},"                             \
	"{name = 'ugly'; duration = '3s'; streams = ['reads:59999.7/s', 'writes:7.001/s'];},"      \
	"{name = 'idle'; duration = '2s'; streams = ['reads:0/s']; judge = false;},"               \
	"{name = 'full again'; duration = '1s';},"                                                 \
	"{name = 'load'; duration = '1s'; streams = ['reads']; steps = 'reads:5x..30x:12.5x';},"   \
	"{name = 'writes'; duration = '2s'; streams = ['writes:977/s']; judge = false;},"          \
	"{name = 'prime'; duration = '2s'; streams = ['reads:59999/s', 'writes:1009/s'];});"

/* No interval is off by more than 0.1 % of what is planned for it, which is what the phase's rate
 * says: to the request, and with random gaps to `slack` requests. */
static void expect_counts(const struct workload *workload, const struct recorder *recorder,
			  double slack)
{
	uint64_t seconds = workload->phases[workload->phase_count - 1].end_ns / SEC;

	for (uint64_t second = 0; second < seconds; second++) {
		const struct workload_phase *phase = phase_at(workload, second * SEC);

		for (size_t i = 0; i < workload->stream_count; i++) {
			double due = ratio_to_double(phase->per_sec[i]);
			uint64_t planned = recorder->planned[second][i];
			uint64_t issued = recorder->issued[second][i];

			cr_expect_eq(issued, planned, "%s, second %lu: %lu of %lu", phase->name,
				     second, issued, planned);
			cr_expect((double)planned >= due - slack && (double)planned <= due + slack,
				  "%s, second %lu: %lu planned, not %g", phase->name, second,
				  planned, due);
		}
	}
}

/* Whatever phase it is in and comes from, no read is further from the one before it than the
 * slower of the two rates says: no silence. */
static void expect_gaps(const struct workload *workload, const struct recorder *recorder)
{
	uint64_t before_ns = UINT64_MAX;

	for (size_t i = 0; i < recorder->count; i++) {
		const struct event *event = &recorder->events[i];
		uint64_t at_ns = event->at_ns - recorder->start_ns;

		if (event->op != IO_READ)
			continue;
		double now = ratio_to_double(phase_at(workload, at_ns)->per_sec[0]);
		if (before_ns != UINT64_MAX) {
			double then = ratio_to_double(phase_at(workload, before_ns)->per_sec[0]);
			uint64_t silent_ns = 0; /* phases between in which reads rest */

			for (size_t j = 0; j < workload->phase_count; j++) {
				const struct workload_phase *phase = &workload->phases[j];

				if (phase->start_ns > before_ns && phase->end_ns <= at_ns)
					silent_ns += phase->end_ns - phase->start_ns;
			}
			double slower = now < then ? now : then;
			cr_assert_leq((double)(at_ns - before_ns - silent_ns), 1e9 / slower + 1,
				      "%lu to %lu", before_ns, at_ns);
		}
		before_ns = at_ns;
	}
}

/* Nor a burst: in no 10 ms are there more reads than the faster rate says, and two more. */
static void expect_no_burst(const struct recorder *recorder, double highest)
{
	size_t first = 0;
	size_t reads = 0;

	for (size_t i = 0; i < recorder->count; i++) {
		reads += recorder->events[i].op == IO_READ;
		while (recorder->events[i].at_ns - recorder->events[first].at_ns >= 10 * MS)
			reads -= recorder->events[first++].op == IO_READ;
		cr_assert_leq((double)reads, highest / 100 + 2, "at %lu",
			      recorder->events[i].at_ns - recorder->start_ns);
	}
}

Test(worker_phases, no_interval_is_off_by_more_than_a_thousandth)
{
	for (uint32_t workers = 1; workers <= WORKERS_MAX; workers += 2) {
		struct recorder recorder = {.service_ns = 80 * NS_PER_US};
		struct fake_run run;

		record(PHASES, workers, 0, &recorder, &run);
		expect_counts(&run.workload, &recorder, 1);
		expect_gaps(&run.workload, &recorder);
		expect_no_burst(&recorder, 60000);
		fake_run_release(&run);
		free(recorder.events);
	}
}

/* With random gaps as many are issued as are planned; in a whole phase just as many as without, and
 * up to some moment in it about as many: of 1024, which are dealt together, about 16 more or fewer.
 */
Test(worker_phases, nor_with_random_gaps)
{
	for (uint32_t workers = 1; workers <= WORKERS_MAX; workers += 2) {
		struct recorder recorder = {.service_ns = 80 * NS_PER_US};
		struct fake_run run;

		record(PHASES "arrivals = 'poisson';", workers, 0, &recorder, &run);
		expect_counts(&run.workload, &recorder, 200);
		for (size_t i = 0; i < run.workload.phase_count; i++) {
			const struct workload_phase *phase = &run.workload.phases[i];
			double due = ratio_to_double(phase->per_sec[0]) *
				     (double)(phase->end_ns - phase->start_ns) / (double)SEC;
			uint64_t planned = 0;

			for (uint64_t j = phase->start_ns / SEC; j < phase->end_ns / SEC; j++)
				planned += recorder.planned[j][0];
			/* The run ends in the last one, its schedule does not. */
			if (i + 1 < run.workload.phase_count)
				cr_expect((double)planned >= due && (double)planned < due + 1,
					  "%s: %lu, not %g", phase->name, planned, due);
		}
		fake_run_release(&run);
		free(recorder.events);
	}
}

/* Intervals of 4 s, slices of 8: each phase begins a new slice, the last of a phase may be a part
 * of one, and a shorter duration cuts the last phase. */
Test(worker_phases, slices_end_with_their_phase)
{
	static const struct {
		uint64_t sec;
		uint64_t planned;
	} slices[] = {{8, 8000}, {4, 4000}, {4, 2800}, {8, 4004}, {8, 4004}, {4, 2002}};
	struct recorder recorder = {.service_ns = 80 * NS_PER_US};
	struct fake_run run;

	record(CUSTOM
	       "interval = '4s'; slice = '8s'; duration = '36s';"
	       "streams = ({name = 'reads'; op = 'read'; rate = '1000/s'; sizes = ['4KiB'];});"
	       "phases = ({name = 'a'; duration = '12s';},"
	       "{name = 'b'; duration = '4s'; streams = ['reads:700/s'];},"
	       "{name = 'c'; duration = '28s'; streams = ['reads:500.5/s'];});",
	       1, 0, &recorder, &run);
	cr_assert_eq(run.result->slice_count, 6);
	for (size_t i = 0; i < 6; i++) {
		const struct slice *slice = run.result->slices[i];

		cr_expect_eq(slice->duration_ns, slices[i].sec * SEC, "slice %zu", i);
		cr_expect_eq(slice->all.streams[0].planned, slices[i].planned, "slice %zu", i);
		cr_expect_eq(slice->all.streams[0].completed, slices[i].planned, "slice %zu", i);
		cr_expect_eq(slice->verdict, VERDICT_PASS, "slice %zu", i);
		cr_expect(!slice->partial, "slice %zu", i);
	}
	cr_expect_eq(run.result->verdict, VERDICT_PASS, "%s", run.result->reason);
	fake_run_release(&run);
	free(recorder.events);
}

/* What a slow device leaves over from a phase is not planned for the next one, and is its doing. */
Test(worker_phases, what_is_left_over_does_not_move_the_plan)
{
	struct recorder recorder = {.service_ns = 100 * MS};
	struct fake_run run;

	record(CUSTOM
	       "streams = ({name = 'reads'; op = 'read'; rate = '1000/s'; sizes = ['4KiB'];"
	       "in-flight-cap = 50;});"
	       "phases = ({name = 'much'; duration = '2s';},"
	       "{name = 'little'; duration = '4s'; rate = '1/s'; streams = ['reads:20/s'];});",
	       1, 0, &recorder, &run);
	/* 50 each 100 ms are 500 a second: 1000 wait at the border, and take 2 s. */
	cr_expect_eq(recorder.planned[1][0], 1000);
	cr_expect_eq(recorder.planned[2][0], 20);
	cr_expect_eq(recorder.planned[5][0], 20);
	cr_expect_eq(recorder.count, 2080);
	cr_expect(recorder.issued[2][0] >= 499 && recorder.issued[2][0] <= 501, "%lu",
		  recorder.issued[2][0]);
	cr_expect_eq(run.result->verdict, VERDICT_FAIL, "%s", run.result->reason);
	cr_expect_not_null(strstr(run.result->reason, "much"), "%s", run.result->reason);
	fake_run_release(&run);
	free(recorder.events);
}

/* The mix of Oracle: of 10000 requests 2815, 4750 and 2435 (see test_apportion.c), whichever ten
 * thousand, those of all workers together and over the borders of phases. */
Test(worker_phases, any_ten_thousand_requests_have_the_shares)
{
	struct recorder recorder = {.service_ns = 80 * NS_PER_US};
	struct fake_run run;
	size_t counts[5] = {0}; /* by length / 4096 */

	record(CUSTOM
	       "streams = ({name = 'reads'; op = 'read'; rate = '10000/s'; random = '80%';"
	       "sizes = ['4KiB:22.1', '8KiB:37.3', '16KiB:19.12'];});"
	       "phases = ({name = 'up'; duration = '1s'; steps = 'reads:1001/s..9001/s:1000/s';},"
	       "{name = 'then'; duration = '3s';});",
	       WORKERS_MAX, 0, &recorder, &run);
	cr_assert_gt(recorder.count, 3 * CARDS);
	for (size_t i = 0; i < recorder.count; i++) {
		counts[recorder.events[i].length_bytes / 4096]++;
		if (i >= CARDS)
			counts[recorder.events[i - CARDS].length_bytes / 4096]--;
		if (i + 1 < CARDS)
			continue;
		cr_assert_eq(counts[1], 2815, "%zu: %zu", i, counts[1]);
		cr_assert_eq(counts[2], 4750, "%zu: %zu", i, counts[2]);
		cr_assert_eq(counts[4], 2435, "%zu: %zu", i, counts[4]);
	}
	fake_run_release(&run);
	free(recorder.events);
}

#define NEIGHBOURS                                                                                 \
	CUSTOM                                                                                     \
	"devices = ['/dev/a', '/dev/b']; duration = '2s'; slice = '2s';"                           \
	"streams = ({name = 'one'; op = 'read'; rate = '100/s'; sizes = ['4KiB']; devices = "      \
	"'1';},"                                                                                   \
	"{name = 'other'; op = 'read'; rate = '300/s'; sizes = ['8KiB']; devices = '2';},"         \
	"{name = 'both'; op = 'write'; rate = '50/s'; sizes = ['16KiB'];});"

/* Each device gets the streams that are on it, and nothing is planned for the others. */
Test(worker_phases, a_stream_is_on_its_devices_alone)
{
	static const uint64_t per_sec[2][3] = {{100, 0, 50}, {0, 300, 50}};

	for (size_t device = 0; device < 2; device++) {
		struct recorder recorder = {.service_ns = 80 * NS_PER_US};
		struct fake_run run;

		record(NEIGHBOURS, 1, device, &recorder, &run);
		for (size_t i = 0; i < 3; i++) {
			cr_expect_eq(recorder.planned[1][i], per_sec[device][i]);
			cr_expect_eq(recorder.issued[1][i], per_sec[device][i]);
		}
		for (size_t i = 0; i < recorder.count; i++)
			cr_expect_neq(recorder.events[i].length_bytes, device ? 4096U : 8192U);
		fake_run_release(&run);
		free(recorder.events);
	}
}

/* No more than its own cap are under way; others have the config's. */
Test(worker_phases, a_stream_has_its_own_cap)
{
	struct recorder recorder = {.service_ns = 3600 * SEC}; /* never */
	struct fake_run run;
	size_t counts[3] = {0};

	record(CUSTOM "duration = '2s'; slice = '2s'; in-flight-cap = 11; hang-limit = '1s';"
		      "streams = ({name = 'a'; op = 'read'; rate = '1000/s'; sizes = ['4KiB'];"
		      "in-flight-cap = 7;},"
		      "{name = 'b'; op = 'read'; rate = '1000/s'; sizes = ['8KiB'];});",
	       1, 0, &recorder, &run);
	for (size_t i = 0; i < recorder.count; i++)
		counts[recorder.events[i].length_bytes / 4096]++;
	cr_expect_eq(counts[1], 7);
	cr_expect_eq(counts[2], 11);
	fake_run_release(&run);
	free(recorder.events);
}

/* Durable or not, where it may be and how large: each write as its own stream says. */
Test(worker_phases, a_stream_has_its_own_way_of_writing)
{
	const uint64_t half = UINT64_C(1) << 29; /* the device has 1 GiB */
	struct recorder recorder = {.service_ns = 80 * NS_PER_US};
	struct fake_run run;
	size_t counts[3] = {0};

	record(CUSTOM
	       "duration = '2s'; slice = '2s'; odsync = true;"
	       "streams = ({name = 'a'; op = 'write'; rate = '1000/s'; sizes = ['1B..3000B'];"
	       "odsync = false; region = '0%..50%';},"
	       "{name = 'b'; op = 'write'; rate = '1000/s'; sizes = ['4500B'];"
	       "region = '50%..100%'; random = '50%';});",
	       1, 0, &recorder, &run);
	for (size_t i = 0; i < recorder.count; i++) {
		const struct event *event = &recorder.events[i];

		cr_assert_eq(event->offset_bytes % 512, 0);
		cr_assert_eq(event->length_bytes % 512, 0);
		counts[event->op]++;
		if (event->op == IO_WRITE) {
			cr_expect(event->length_bytes >= 512 && event->length_bytes <= 3072);
			cr_expect_geq(event->offset_bytes, LABEL_AREA_BYTES);
			cr_expect_leq(event->offset_bytes + event->length_bytes, half);
		} else {
			cr_expect_eq(event->length_bytes, 4608); /* in whole blocks */
			cr_expect_geq(event->offset_bytes, half);
			cr_expect_leq(event->offset_bytes + event->length_bytes, 2 * half);
		}
	}
	cr_expect_eq(counts[IO_WRITE], 2000);
	cr_expect_eq(counts[IO_WRITE_DSYNC], 2000);
	fake_run_release(&run);
	free(recorder.events);
}

/* As when a run ends before the phase in which this device has something to do. */
Test(worker_phases, a_device_may_rest_in_all_phases)
{
	struct recorder recorder = {.service_ns = 80 * NS_PER_US};
	struct fake_run run;

	record(CUSTOM
	       "devices = ['/dev/a', '/dev/b']; duration = '2s'; slice = '2s';"
	       "streams = ({name = 'a'; op = 'read'; rate = '60/s'; sizes = ['4KiB'];"
	       "devices = '1';},"
	       "{name = 'b'; op = 'write'; rate = '10/s'; sizes = ['4KiB']; devices = '2';});"
	       "phases = ({name = 'one'; streams = ['a'];}, {name = 'two';});",
	       1, 1, &recorder, &run);
	cr_expect_eq(recorder.count, 0);
	cr_expect_eq(recorder.planned[1][0], 0);
	fake_run_release(&run);
	free(recorder.events);
}
