#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/fake_run.h"

#define SEC NS_PER_SEC
#define MS  NS_PER_MS
#define US  NS_PER_US

/* What the scripted device does. */
struct script {
	uint64_t usual_ns;
	uint64_t slow_every; /* 0: never */
	uint64_t slow_ns;
	uint64_t slow_count; /* the first so many of the requests only; 0: no such limit */
	uint64_t fail_every;
	int fail_code; /* -errno, or bytes (a short transfer) */
	uint64_t fail_from;
	uint64_t never_from; /* no request comes back from this one on; 0: all do */
	uint64_t never_at;   /* this one alone does not come back; 0: all do */
	uint64_t held_at;    /* the submission of this request takes held_ns; 0: none */
	uint64_t held_ns;
	struct fake_world *world;
	uint64_t stall_from_ns; /* what is issued in this time comes back at its end */
	uint64_t stall_upto_ns;
};

static struct fake_answer answer(void *state, uint64_t number, const struct io_request *request)
{
	const struct script *script = state;
	struct fake_answer result = {
	    .service_ns = script->usual_ns,
	    .result = (int32_t)request->length_bytes,
	};
	uint64_t n = number + 1;

	if (script->slow_every && n % script->slow_every == 0 &&
	    (!script->slow_count || n <= script->slow_count * script->slow_every))
		result.service_ns = script->slow_ns;
	if (script->fail_every && n > script->fail_from && n % script->fail_every == 0)
		result.result = script->fail_code;
	if (script->held_at && n == script->held_at)
		result.held_ns = script->held_ns;
	result.never = (script->never_from && n >= script->never_from) || n == script->never_at;
	if (script->world && script->world->now_ns >= script->stall_from_ns &&
	    script->world->now_ns < script->stall_upto_ns)
		result.service_ns = script->stall_upto_ns - script->world->now_ns;
	return result;
}

static void set(struct fake_run *run, const char *key, const char *value)
{
	struct error err = {0};

	cr_assert_eq(config_set(&run->config, "test", key, value, &err), 0, "%s", err.text);
}

/* 2000 reads a second for so long, in one slice. */
static void init(struct fake_run *run, struct script *script, const char *duration)
{
	if (script->usual_ns == 0)
		script->usual_ns = 80 * US;
	fake_run_init(run, answer, script);
	set(run, "duration", duration);
	set(run, "slice", duration);
}

static const struct summary *reads(const struct fake_run *run)
{
	return &run->result->total.streams[0];
}

Test(worker, every_33rd_request_of_2_ms_is_3_03_percent_and_passes)
{
	struct script script = {.slow_every = 33, .slow_ns = 2 * MS};
	struct fake_run run;

	init(&run, &script, "99s");
	fake_run_go(&run);
	cr_assert_eq(reads(&run)->planned, 198000);
	cr_assert_eq(reads(&run)->issued, 198000);
	cr_assert_eq(reads(&run)->completed, 198000);
	cr_assert_eq(reads(&run)->over[0], 6000);
	cr_assert_eq(reads(&run)->over[1], 0);
	cr_assert_eq(run.result->verdict, VERDICT_PASS, "%s", run.result->reason);
	cr_assert_eq(run.result->exit_status, EXIT_PASS);
	cr_assert_eq(run.intervals, 99);
	fake_run_release(&run);
}

Test(worker, every_19th_request_of_2_ms_fails)
{
	struct script script = {.slow_every = 19, .slow_ns = 2 * MS};
	struct fake_run run;

	init(&run, &script, "95s");
	fake_run_go(&run);
	cr_assert_eq(reads(&run)->over[0], 10000);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL);
	cr_assert_eq(run.result->exit_status, EXIT_FAIL);
	cr_assert_not_null(strstr(run.result->reason, "5.26 % over 1 ms, limit 5 %"), "%s",
			   run.result->reason);
	fake_run_release(&run);
}

Test(worker, exactly_the_limit_passes_and_one_more_fails)
{
	static const struct {
		uint64_t slow;
		enum verdict verdict;
	} cases[] = {{4999, VERDICT_PASS}, {5000, VERDICT_PASS}, {5001, VERDICT_FAIL}};

	for (size_t i = 0; i < 3; i++) {
		struct script script = {
		    .slow_every = 19, .slow_ns = MS, .slow_count = cases[i].slow};
		struct fake_run run;

		init(&run, &script, "50s");
		fake_run_go(&run);
		cr_assert_eq(reads(&run)->completed, 100000);
		cr_assert_eq(reads(&run)->over[0], cases[i].slow);
		cr_assert_eq(run.result->verdict, cases[i].verdict, "%lu slow", cases[i].slow);
		fake_run_release(&run);
	}
}

Test(worker, a_stall_is_seen_by_every_request_that_was_due_in_it)
{
	/* 3 s of 60 s at 2000/s: with 16 slots only 16 requests are in the stall. */
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "60s");
	set(&run, "in-flight-cap", "16");
	script.world = &run.world;
	script.stall_from_ns = run.world.now_ns + 777 + 10 * SEC;
	script.stall_upto_ns = script.stall_from_ns + 3 * SEC;
	fake_run_go(&run);
	/* Due 64 ms or more before the end of the stall: 2936 ms * 2000/s. A few
	 * more come from the 30 ms in which 16 slots work the backlog off. */
	uint64_t expected = 2936 * 2;
	cr_assert(reads(&run)->over[2] >= expected && reads(&run)->over[2] <= expected + 61, "%lu",
		  reads(&run)->over[2]);
	cr_assert_leq(reads(&run)->service_over[2], 16);
	cr_assert_eq(reads(&run)->device_over[2], reads(&run)->over[2]);
	cr_assert_eq(reads(&run)->completed, 120000);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL, "%s", run.result->reason);
	fake_run_release(&run);
}

Test(worker, a_pause_of_this_host_is_never_blamed_on_the_device)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "60s");
	run.thread_pause_at_ns = 10 * SEC + 500 * MS;
	run.thread_pause_ns = 4 * SEC;
	fake_run_go(&run);
	cr_assert_gt(reads(&run)->over[0], 7000);
	cr_assert_lt(reads(&run)->device_over[0], 40);
	cr_assert_eq(reads(&run)->completed, 120000);
	cr_assert_eq(run.result->verdict, VERDICT_INVALID, "%s", run.result->reason);
	cr_assert_eq(run.result->exit_status, EXIT_INVALID);
	cr_assert_eq(run.intervals, 60);
	fake_run_release(&run);
}

Test(worker, a_submission_held_by_the_device_is_its_fault)
{
	struct script script = {.held_at = 5000, .held_ns = 4 * SEC};
	struct fake_run run;

	init(&run, &script, "60s");
	fake_run_go(&run);
	cr_assert_gt(reads(&run)->device_over[0], 7900);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL, "%s", run.result->reason);
	fake_run_release(&run);
}

Test(worker, a_submission_interrupted_by_this_host_is_not)
{
	struct script script = {.held_at = 5000, .held_ns = 4 * SEC};
	struct fake_run run;

	init(&run, &script, "60s");
	run.world.host_held = true;
	fake_run_go(&run);
	cr_assert_gt(reads(&run)->over[0], 7900);
	cr_assert_lt(reads(&run)->device_over[0], 40);
	cr_assert_eq(run.result->verdict, VERDICT_INVALID, "%s", run.result->reason);
	fake_run_release(&run);
}

Test(worker, a_device_that_cannot_keep_the_load_fails)
{
	/* 8 at a time, 10 ms each: 800 of 2000 a second. */
	struct script script = {.usual_ns = 10 * MS};
	struct fake_run run;

	init(&run, &script, "60s");
	set(&run, "in-flight-cap", "8");
	fake_run_go(&run);
	cr_assert_lt(reads(&run)->issued, 50000);
	cr_assert_gt(reads(&run)->missed_device, 70000);
	cr_assert_eq(reads(&run)->missed_host, 0);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL, "%s", run.result->reason);
	fake_run_release(&run);
}

Test(worker, failed_requests_count_over_every_threshold)
{
	struct script script = {.fail_every = 1000, .fail_code = -EIO};
	struct fake_run run;

	init(&run, &script, "50s");
	fake_run_go(&run);
	cr_assert_eq(reads(&run)->errors, 100);
	cr_assert_eq(reads(&run)->completed, 99900);
	cr_assert_eq(reads(&run)->over[2], 100);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL);
	cr_assert_eq(run.result->exit_status, EXIT_DEVICE);
	fake_run_release(&run);
}

Test(worker, a_transfer_of_nothing_is_a_failed_request)
{
	struct script script = {.fail_every = 1000, .fail_code = 0};
	struct fake_run run;

	init(&run, &script, "50s");
	fake_run_go(&run);
	cr_assert_eq(reads(&run)->errors, 100);
	fake_run_release(&run);
}

Test(worker, short_and_deferred_requests_are_retried_from_their_first_start)
{
	/* With 7 no retry is retried again and again. */
	static const int codes[] = {512, -EAGAIN, -EINTR};

	for (size_t i = 0; i < 3; i++) {
		struct script script = {
		    .fail_every = 7, .fail_code = codes[i], .usual_ns = 600 * US};
		struct fake_run run;

		init(&run, &script, "50s");
		fake_run_go(&run);
		cr_assert_eq(reads(&run)->errors, 0);
		cr_assert_eq(reads(&run)->issued, 100000);
		cr_assert_eq(reads(&run)->completed, 100000);
		/* Two rounds of 600 us are over 1 ms together. */
		cr_assert_gt(reads(&run)->service_over[0], 16000);
		fake_run_release(&run);
	}
}

Test(worker, an_odd_short_transfer_is_a_failed_request)
{
	struct script script = {.fail_every = 1000, .fail_code = 100};
	struct fake_run run;

	init(&run, &script, "50s");
	fake_run_go(&run);
	cr_assert_eq(reads(&run)->errors, 100);
	fake_run_release(&run);
}

Test(worker, a_device_that_fails_everything_for_the_hang_limit_is_lost)
{
	struct script script = {.fail_every = 1, .fail_from = 10000, .fail_code = -EIO};
	struct fake_run run;

	init(&run, &script, "600s");
	set(&run, "hang-limit", "30s");
	fake_run_go(&run);
	cr_assert_eq(run.end.reason, END_DEVICE_LOST);
	cr_assert(run.end.at_ns > 34 * SEC && run.end.at_ns < 38 * SEC, "%lu", run.end.at_ns);
	cr_assert_eq(run.result->exit_status, EXIT_DEVICE);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL);
	fake_run_release(&run);
}

Test(worker, a_device_that_returns_nothing_for_the_hang_limit_is_lost)
{
	struct script script = {.never_from = 10000};
	struct fake_run run;

	init(&run, &script, "600s");
	set(&run, "hang-limit", "30s");
	fake_run_go(&run);
	cr_assert_eq(run.end.reason, END_DEVICE_LOST);
	cr_assert(run.end.at_ns > 34 * SEC && run.end.at_ns < 38 * SEC, "%lu", run.end.at_ns);
	/* What never came back are failed requests. */
	cr_assert_eq(reads(&run)->errors + reads(&run)->completed, reads(&run)->issued);
	cr_assert_gt(reads(&run)->errors, 0);
	cr_assert_eq(run.result->exit_status, EXIT_DEVICE);
	fake_run_release(&run);
}

Test(worker, what_a_lost_device_still_gives_back_is_no_error)
{
	struct script script = {.never_at = 10000, .usual_ns = 50 * MS};
	struct fake_run run;

	init(&run, &script, "600s");
	set(&run, "hang-limit", "30s");
	fake_run_go(&run);
	cr_assert_eq(run.end.reason, END_DEVICE_LOST);
	cr_assert_eq(reads(&run)->errors, 1);
	cr_assert_eq(reads(&run)->completed, reads(&run)->issued - 1);
	fake_run_release(&run);
}

Test(worker, a_lost_device_is_noticed_within_long_intervals)
{
	struct script script = {.never_from = 10000};
	struct fake_run run;

	init(&run, &script, "600s");
	set(&run, "interval", "300s");
	set(&run, "hang-limit", "30s");
	fake_run_go(&run);
	cr_assert_eq(run.end.reason, END_DEVICE_LOST);
	cr_assert(run.end.at_ns > 34 * SEC && run.end.at_ns < 38 * SEC, "%lu", run.end.at_ns);
	fake_run_release(&run);
}

Test(worker, queue_overflow_makes_the_slice_invalid)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "10s");
	run.world.overflows = 3;
	fake_run_go(&run);
	cr_assert_eq(run.result->verdict, VERDICT_INVALID, "%s", run.result->reason);
	fake_run_release(&run);
}

Test(worker, every_stream_of_a_mixed_load_keeps_its_rate)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "17s");
	set(&run, "load", "30x");
	set(&run, "commit-to-device", "true");
	set(&run, "tomb-raider", "true");
	fake_run_go(&run);
	static const uint64_t planned[] = {17 * 60000, 12000, 6000, 17 * 30000, 17 * 1000};
	cr_assert_eq(run.info.stream_count, 5);
	for (size_t i = 0; i < 5; i++) {
		const struct summary *summary = &run.result->total.streams[i];

		cr_assert(summary->planned == planned[i], "%s: %lu", run.info.streams[i].name,
			  summary->planned);
		cr_assert_eq(summary->issued, summary->planned);
		cr_assert_eq(summary->completed, summary->planned);
		/* Nothing else to do in this world: issued to the moment. */
		cr_assert_leq(summary->max_ns[SPAN_LAG], 1000);
	}
	cr_assert_eq(run.result->verdict, VERDICT_PASS, "%s", run.result->reason);
	fake_run_release(&run);
}

/* over[0] of each of 60 intervals */
static void note_over(struct fake_run *run, const struct interval *interval)
{
	uint64_t *over = run->user;

	over[interval->number] = interval_tally(interval, 0, 0)->over[0];
}

Test(worker, a_stall_shows_in_the_intervals_in_which_it_happens)
{
	struct script script = {0};
	struct fake_run run;
	uint64_t over[60] = {0};

	init(&run, &script, "60s");
	set(&run, "in-flight-cap", "16");
	script.world = &run.world;
	script.stall_from_ns = run.world.now_ns + 777 + 10 * SEC;
	script.stall_upto_ns = script.stall_from_ns + 10 * SEC;
	run.on_interval = note_over;
	run.user = over;
	fake_run_go(&run);
	cr_assert_eq(over[9], 0);
	/* In each second all but those of its last millisecond, and those of the
	 * second before. */
	for (int i = 10; i < 20; i++)
		cr_assert(over[i] >= 1990 && over[i] <= 2000, "interval %d: %lu", i, over[i]);
	/* Nothing counts twice when it comes back: the rest is the backlog. */
	cr_assert(reads(&run)->over[0] >= 20000 && reads(&run)->over[0] <= 20250, "%lu",
		  reads(&run)->over[0]);
	cr_assert_eq(reads(&run)->device_over[0], reads(&run)->over[0]);
	cr_assert_leq(reads(&run)->service_over[0], 16 + 250);
	cr_assert_eq(reads(&run)->completed, 120000);
	cr_assert_eq(reads(&run)->pending, reads(&run)->settled);
	cr_assert_eq(summary_total(reads(&run)), 120000);
	fake_run_release(&run);
}

Test(worker, a_single_request_that_hangs_ends_the_run)
{
	struct script script = {.never_at = 10000};
	struct fake_run run;

	init(&run, &script, "600s");
	set(&run, "hang-limit", "30s");
	fake_run_go(&run);
	cr_assert_eq(run.end.reason, END_DEVICE_LOST);
	cr_assert(run.end.at_ns > 34 * SEC && run.end.at_ns < 38 * SEC, "%lu", run.end.at_ns);
	cr_assert_eq(reads(&run)->errors, 1);
	cr_assert_eq(reads(&run)->over[2], 1); /* counted once, though it was pending before */
	cr_assert_eq(reads(&run)->device_over[2], 1);
	cr_assert_eq(reads(&run)->service_over[2], 1);
	cr_assert_eq(run.result->exit_status, EXIT_DEVICE);
	fake_run_release(&run);
}

Test(worker, hiccups_of_this_host_are_told_and_taken_out)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "60s");
	run.thread_pause_at_ns = 10 * SEC;
	run.thread_pause_ns = 4 * SEC;
	fake_run_go(&run);
	cr_assert_gt(reads(&run)->over[0], 7900);
	/* All but a few that were late for the backlog that it left. */
	cr_assert(reads(&run)->hiccup_over[0] + 10 > reads(&run)->over[0]);
	cr_assert_eq(reads(&run)->device_over[0], 0);
	cr_assert_eq(run.result->verdict, VERDICT_INVALID);
	cr_assert_not_null(
	    strstr(run.result->reason, "in 1 hiccups of this host, without them 0.00"), "%s",
	    run.result->reason);
	fake_run_release(&run);
}

Test(worker, a_pause_longer_than_the_hang_limit_loses_no_device)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "300s");
	set(&run, "hang-limit", "30s");
	/* Requests are under way when it begins: each waits for 80 us. */
	run.thread_pause_at_ns = 10 * SEC + 40 * US;
	run.thread_pause_ns = 100 * SEC;
	fake_run_go(&run);
	cr_assert_eq(run.end.reason, END_COMPLETED);
	cr_assert_eq(reads(&run)->errors, 0);
	cr_assert_eq(run.result->verdict, VERDICT_INVALID, "%s", run.result->reason);
	cr_assert_eq(run.result->exit_status, EXIT_INVALID);
	fake_run_release(&run);
}

Test(worker, a_slow_device_beside_a_hiccup_fails_and_both_are_said)
{
	struct script script = {.slow_every = 10, .slow_ns = 2 * MS};
	struct fake_run run;

	init(&run, &script, "60s");
	run.thread_pause_at_ns = 10 * SEC;
	run.thread_pause_ns = 4 * SEC;
	fake_run_go(&run);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL, "%s", run.result->reason);
	cr_assert_not_null(strstr(run.result->reason, "in 1 hiccups of this host"), "%s",
			   run.result->reason);
	fake_run_release(&run);
}

Test(worker, a_device_stall_at_the_moment_of_a_hiccup_fails_and_both_are_said)
{
	/* The device stands still from 10 s to 20 s, and this host from 12 s to 15 s. */
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "60s");
	script.world = &run.world;
	script.stall_from_ns = run.world.now_ns + 777 + 10 * SEC;
	script.stall_upto_ns = script.stall_from_ns + 10 * SEC;
	run.thread_pause_at_ns = 12 * SEC;
	run.thread_pause_ns = 3 * SEC;
	fake_run_go(&run);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL, "%s", run.result->reason);
	cr_assert_not_null(strstr(run.result->reason, "in 1 hiccups of this host"), "%s",
			   run.result->reason);
	cr_assert_gt(reads(&run)->device_over[2], 10000);
	fake_run_release(&run);
}

Test(worker, a_slow_device_is_not_excused_by_a_hiccup)
{
	/* 800 of 2000 a second: behind ever further, and not because of 20 ms. */
	struct script script = {.usual_ns = 10 * MS};
	struct fake_run run;

	init(&run, &script, "60s");
	set(&run, "in-flight-cap", "8");
	run.thread_pause_at_ns = SEC / 2;
	run.thread_pause_ns = 20 * MS;
	fake_run_go(&run);
	cr_assert_gt(reads(&run)->missed_device, 69000);
	cr_assert_eq(run.result->verdict, VERDICT_FAIL, "%s", run.result->reason);
	fake_run_release(&run);
}

/* Suspended for 5 s of boot time in the tenth interval. */
static void jump(struct fake_run *run, const struct interval *interval)
{
	if (interval->number == 9)
		run->world.boot_ahead_ns += 5 * SEC;
}

Test(worker, a_clock_jump_makes_the_slice_invalid)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "60s");
	run.on_interval = jump;
	fake_run_go(&run);
	cr_assert_eq(run.result->verdict, VERDICT_INVALID);
	cr_assert_not_null(strstr(run.result->reason, "clock jump"), "%s", run.result->reason);
	fake_run_release(&run);
}

Test(worker, requests_that_fail_after_they_were_pending_count_once)
{
	struct script script = {.never_from = 10000};
	struct fake_run run;

	init(&run, &script, "600s");
	set(&run, "hang-limit", "30s");
	set(&run, "in-flight-cap", "64");
	fake_run_go(&run);
	cr_assert_eq(reads(&run)->errors, 64);
	/* The 64, and those that were never issued. */
	uint64_t waiting = reads(&run)->planned - reads(&run)->issued;
	cr_assert_leq(reads(&run)->over[0], 64 + waiting);
	cr_assert_geq(reads(&run)->over[0], 64 + waiting - 2100);
	cr_assert_leq(reads(&run)->over[0], summary_total(reads(&run)));
	fake_run_release(&run);
}
