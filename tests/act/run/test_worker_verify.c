/* Verified reads: the worker in a fake world, whose device keeps what it is to keep but
 * for what its script says. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/fake_run.h"

#define SEC NS_PER_SEC
#define MS  NS_PER_MS
#define US  NS_PER_US

#define OTHER_ID 43
#define WRITES   64 /* latest ones that the device knows of */

struct script {
	struct payload_pool *pool;
	struct random random;
	struct fake_world *world;
	uint64_t reads;
	/* The reads from bad_from on (from 1; 0: none), bad_count of them, show this in their
	 * second sector. */
	uint64_t bad_from, bad_count;
	enum wrong_kind bad;
	uint64_t write_ns;    /* what a write takes */
	bool tears;           /* what is being written cannot be read */
	bool stays_torn;      /* and never again */
	uint64_t never_write; /* this write never comes back */
	uint64_t fail_write;  /* and this one fails */
	uint64_t odd_every;   /* each so many-th read comes back with this result */
	int odd_result;
	uint64_t stall_from_ns, stall_upto_ns;
	uint64_t writes;
	struct {
		uint64_t offset, length, ends_ns;
	} written[WRITES];
	uint64_t bad_offset; /* of the last sector that was spoiled */
};

static void spoil(struct script *script, uint8_t *sector, uint64_t offset_bytes,
		  enum wrong_kind kind)
{
	struct random random = script->random;

	script->bad_offset = offset_bytes;
	if (kind == WRONG_ZEROS)
		memset(sector, 0, PAYLOAD_SECTOR_BYTES);
	else if (kind == WRONG_FOREIGN)
		memset(sector, 'x', PAYLOAD_SECTOR_BYTES);
	else if (kind == WRONG_CORRUPT)
		sector[200] ^= 4;
	else if (kind == WRONG_MISPLACED)
		payload_fill(script->pool, &random, sector, PAYLOAD_SECTOR_BYTES,
			     offset_bytes + 8192, 1, FAKE_DATA_ID);
	else if (kind == WRONG_STALE)
		payload_fill(script->pool, &random, sector, PAYLOAD_SECTOR_BYTES, offset_bytes, 1,
			     OTHER_ID);
}

/* Spoils the first sector that is being written. */
static void tear(struct script *script, const struct io_request *request)
{
	for (uint64_t at = 0; at < request->length_bytes; at += PAYLOAD_SECTOR_BYTES) {
		uint64_t offset = request->offset_bytes + at;

		for (size_t i = 0; i < WRITES; i++) {
			if (offset < script->written[i].offset ||
			    offset >= script->written[i].offset + script->written[i].length ||
			    (!script->stays_torn &&
			     script->written[i].ends_ns <= script->world->now_ns))
				continue;
			spoil(script, (uint8_t *)request->buffer + at, offset, WRONG_CORRUPT);
			return;
		}
	}
}

static struct fake_answer answer_write(struct script *script, const struct io_request *request)
{
	size_t place = 1 + script->writes++ % (WRITES - 1);
	struct fake_answer result = {
	    .service_ns = script->write_ns,
	    .result = script->writes == script->fail_write ? -EIO : (int32_t)request->length_bytes,
	    .never = script->writes == script->never_write,
	};

	if (result.never)
		place = 0; /* never forgotten */
	/* It must be ours, and for this place. */
	cr_assert_eq(payload_check(request->buffer, request->length_bytes, request->offset_bytes,
				   FAKE_DATA_ID),
		     request->length_bytes);
	if (script->tears) {
		script->written[place].offset = request->offset_bytes;
		script->written[place].length = request->length_bytes;
		script->written[place].ends_ns =
		    result.never ? UINT64_MAX : script->world->now_ns + result.service_ns;
	}
	return result;
}

static struct fake_answer answer(void *state, uint64_t number, const struct io_request *request)
{
	struct script *script = state;
	struct fake_answer result = {
	    .service_ns = 80 * US,
	    .result = (int32_t)request->length_bytes,
	};

	(void)number;
	if (request->op != IO_READ)
		return answer_write(script, request);
	uint64_t n = ++script->reads;
	payload_fill(script->pool, &script->random, request->buffer, request->length_bytes,
		     request->offset_bytes, n, FAKE_DATA_ID);
	if (script->bad_from && n >= script->bad_from && n < script->bad_from + script->bad_count)
		spoil(script, (uint8_t *)request->buffer + PAYLOAD_SECTOR_BYTES,
		      request->offset_bytes + PAYLOAD_SECTOR_BYTES, script->bad);
	if (script->tears)
		tear(script, request);
	if (script->odd_every && n % script->odd_every == 0)
		result.result = script->odd_result;
	if (script->world->now_ns >= script->stall_from_ns &&
	    script->world->now_ns < script->stall_upto_ns)
		result.service_ns = script->stall_upto_ns - script->world->now_ns;
	return result;
}

static void set(struct fake_run *run, const char *key, const char *value)
{
	struct error err = {0};

	cr_assert_eq(config_set(&run->config, "test", key, value, &err), 0, "%s", err.text);
}

/* 2000 reads a second of 3 sectors each, and no writes. */
static void init(struct fake_run *run, struct script *script, const char *duration)
{
	cr_assert_eq(payload_pool_new((struct ratio){1, 1}, 7, &script->pool, NULL), 0);
	random_init(&script->random, 7, 0);
	fake_run_init(run, answer, script);
	script->world = &run->world;
	run->verify = true;
	set(run, "duration", duration);
	set(run, "slice", duration);
}

static void release(struct fake_run *run, struct script *script)
{
	fake_run_release(run);
	payload_pool_free(script->pool);
}

static const struct summary *reads(const struct fake_run *run)
{
	return &run->result->total.streams[0];
}

static void expect_all_verified(const struct fake_run *run)
{
	for (size_t i = 0; i < run->info.stream_count; i++) {
		const struct summary *stream = &run->result->total.streams[i];

		cr_expect_eq(stream->issued, stream->planned, "%zu", i);
		cr_expect_eq(stream->completed + stream->errors, stream->issued, "%zu", i);
		cr_expect_eq(stream->verified_sectors * PAYLOAD_SECTOR_BYTES,
			     run->info.streams[i].is_write ? 0 : stream->bytes, "%zu", i);
	}
}

Test(worker_verify, every_sector_is_counted)
{
	struct script script = {.write_ns = 500 * US};
	struct fake_run run;

	init(&run, &script, "10s");
	set(&run, "load", "2x");
	set(&run, "tomb-raider", "true");
	set(&run, "tomb-raider-sleep", "10ms");
	fake_run_go(&run);
	expect_all_verified(&run);
	cr_expect_eq(reads(&run)->verified_sectors, reads(&run)->completed * 3);
	cr_expect_eq(reads(&run)->completed, 40000);
	cr_expect_eq(run.info.stream_count, 4);
	cr_expect_eq(run.result->verdict, VERDICT_PASS, "%s", run.result->reason);
	/* Issued to the moment all the same. */
	cr_expect_leq(reads(&run)->max_ns[SPAN_LAG], 1000);
	release(&run, &script);
}

Test(worker_verify, without_it_nothing_is_looked_at)
{
	struct script script = {.bad_from = 100, .bad_count = 100000, .bad = WRONG_ZEROS};
	struct fake_run run;

	init(&run, &script, "2s");
	run.verify = false;
	fake_run_go(&run);
	cr_expect_eq(reads(&run)->completed, 4000);
	cr_expect_eq(reads(&run)->verified_sectors, 0);
	cr_expect_eq(run.result->verdict, VERDICT_PASS);
	release(&run, &script);
}

/* The only error in the log. */
static struct request_error find_error(const char *log, size_t size)
{
	FILE *in = fmemopen((void *)(uintptr_t)log, size, "r");
	struct log_reader *reader = NULL;
	struct request_error found = {0};
	struct error err = {0};
	enum log_event event;
	size_t count = 0;

	cr_assert_eq(log_reader_new(in, "run.log", &reader, &err), 0, "%s", err.text);
	do {
		cr_assert_eq(log_reader_next(reader, &event, &err), 0, "%s", err.text);
		if (event == LOG_ERROR) {
			found = *log_reader_error(reader);
			count++;
		}
	} while (event != LOG_FINISHED);
	log_reader_free(reader);
	fclose(in);
	cr_assert_eq(count, 1);
	return found;
}

Test(worker_verify, each_kind_of_wrong_data_is_an_error_that_says_what_was_found)
{
	for (int kind = WRONG_NOT + 1; kind < WRONG_KINDS; kind++) {
		struct script script = {
		    .bad_from = 3000, .bad_count = 1, .bad = (enum wrong_kind)kind};
		struct fake_run run;
		char *log = NULL;
		size_t size = 0;

		init(&run, &script, "3s");
		run.log_file = open_memstream(&log, &size);
		fake_run_go(&run);
		fclose(run.log_file);
		expect_all_verified(&run);
		cr_expect_eq(reads(&run)->errors, 1);
		cr_expect_eq(reads(&run)->mismatches, 1);
		cr_expect_eq(reads(&run)->torn, 0);
		cr_expect_eq(reads(&run)->mismatch_offset_bytes, script.bad_offset);
		cr_expect_eq(reads(&run)->over[2], 1);
		cr_expect_eq(run.result->exit_status, EXIT_DEVICE);
		cr_expect_not_null(strstr(run.result->reason,
					  "1 of 6 000 reads returned wrong data, first at offset"),
				   "%s", run.result->reason);

		struct request_error error = find_error(log, size);
		cr_expect_eq(error.code, EBADMSG);
		cr_expect_eq(error.wrong.kind, (enum wrong_kind)kind);
		cr_expect_eq(error.wrong.offset_bytes, script.bad_offset);
		cr_expect_eq(error.offset_bytes + PAYLOAD_SECTOR_BYTES, script.bad_offset);
		cr_expect_eq(error.done_bytes, 1536);
		cr_expect_eq(error.wrong.data_id, FAKE_DATA_ID);
		if (kind == WRONG_STALE)
			cr_expect_eq(error.wrong.found_data_id, OTHER_ID);
		if (kind == WRONG_MISPLACED)
			cr_expect_eq(error.wrong.found_offset_bytes, script.bad_offset + 8192);
		if (kind == WRONG_FOREIGN)
			cr_expect_eq(memcmp(error.wrong.header, "xxxxxxxx", 8), 0);
		free(log);
		release(&run, &script);
	}
}

Test(worker_verify, each_wrong_read_counts_however_many_there_are)
{
	struct script script = {.bad_from = 1001, .bad_count = 5000, .bad = WRONG_STALE};
	struct fake_run run;

	init(&run, &script, "4s");
	fake_run_go(&run);
	expect_all_verified(&run);
	cr_expect_eq(reads(&run)->mismatches, 5000);
	cr_expect_eq(reads(&run)->errors, 5000);
	cr_expect_eq(reads(&run)->completed, 3000);
	/* It answers, if with nonsense: it is not lost. */
	cr_expect_eq(run.end.reason, END_COMPLETED);
	release(&run, &script);
}

/* Writes of 5 ms to 3 MiB: a read often meets one. */
static void init_tearing(struct fake_run *run, struct script *script, const char *duration)
{
	script->write_ns = 5 * MS;
	script->tears = true;
	init(run, script, duration);
	run->device.size_bytes = 4 << 20;
	set(run, "write-load", "5x");
	set(run, "defrag-reads", "false");
}

Test(worker_verify, what_our_own_writes_tore_is_read_again_and_no_error)
{
	struct script script = {0};
	struct fake_run run;

	init_tearing(&run, &script, "10s");
	fake_run_go(&run);
	expect_all_verified(&run);
	cr_expect_gt(reads(&run)->torn, 50);
	cr_expect_eq(reads(&run)->errors, 0);
	cr_expect_eq(run.result->verdict, VERDICT_PASS, "%s", run.result->reason);
	/* The load is as it was, and so are its times: those of the first reading. */
	cr_expect_eq(reads(&run)->completed, 20000);
	cr_expect_gt(script.reads, 20000 + reads(&run)->torn);
	cr_expect_leq(reads(&run)->max_ns[SPAN_RESPONSE], 82 * US);
	release(&run, &script);
}

Test(worker_verify, what_stays_torn_is_an_error)
{
	struct script script = {.stays_torn = true};
	struct fake_run run;

	init_tearing(&run, &script, "2s");
	fake_run_go(&run);
	expect_all_verified(&run);
	cr_expect_gt(reads(&run)->mismatches, 50);
	cr_expect_eq(reads(&run)->errors, reads(&run)->mismatches);
	cr_expect_eq(reads(&run)->torn, 0);
	cr_expect_eq(run.result->exit_status, EXIT_DEVICE);
	release(&run, &script);
}

Test(worker_verify, a_write_that_never_ends_is_no_excuse_for_ever)
{
	struct script script = {.never_write = 20};
	struct fake_run run;

	init_tearing(&run, &script, "20s");
	fake_run_go(&run);
	cr_expect_eq(run.end.reason, END_DEVICE_LOST); /* after the end, by that write */
	cr_expect_eq(run.result->total.streams[1].errors, 1);
	/* A 24th of the reads went to that place; all were read again for a second. */
	cr_expect_gt(reads(&run)->mismatches, 1000);
	cr_expect_eq(reads(&run)->errors, reads(&run)->mismatches);
	release(&run, &script);
}

Test(worker_verify, a_read_that_meets_a_failed_write_is_read_again)
{
	struct script script = {.fail_write = 20};
	struct fake_run run;

	init_tearing(&run, &script, "5s");
	script.bad = WRONG_CORRUPT;
	script.bad_from = 6000; /* all that it shows then is wrong, until it is asked again */
	script.bad_count = 300;
	script.tears = false;
	fake_run_go(&run);
	/* One of 24 places was in doubt for ever. */
	cr_expect_gt(reads(&run)->mismatches, 50);
	cr_expect_gt(reads(&run)->torn, 0);
	release(&run, &script);
}

/* One bad read, and what another worker of the device wrote. */
static void expect_torn(void (*other)(struct recent_writes *), uint64_t torn)
{
	struct script script = {.bad_from = 1500, .bad_count = 1, .bad = WRONG_CORRUPT};
	struct fake_run run;

	init(&run, &script, "3s");
	run.workers = 2;
	cr_assert_eq(recent_writes_init(&run.recent[1], 1), 0);
	other(&run.recent[1]);
	fake_run_go(&run);
	cr_expect_eq(reads(&run)->torn, torn);
	cr_expect_eq(reads(&run)->errors, 1 - torn);
	recent_writes_release(&run.recent[1]);
	release(&run, &script);
}

static void write_everything(struct recent_writes *writes)
{
	recent_writes_begin(writes, 0, UINT64_C(1) << 30, 0);
}

static void write_behind_the_device(struct recent_writes *writes)
{
	recent_writes_begin(writes, UINT64_C(1) << 30, 512, 0);
}

static void write_before(struct recent_writes *writes)
{
	recent_writes_end(writes, recent_writes_begin(writes, 0, UINT64_C(1) << 30, 0), SEC);
}

/* The write before is forgotten, but was not under way either. */
static void write_others_before(struct recent_writes *writes)
{
	write_before(writes);
	for (uint32_t i = 0; i < writes->capacity; i++)
		recent_writes_end(writes, recent_writes_begin(writes, 0, 512, SEC), SEC);
}

static void write_and_forget(struct recent_writes *writes)
{
	for (uint32_t i = 0; i <= writes->capacity; i++)
		recent_writes_end(writes, recent_writes_begin(writes, 0, 512, SEC), 2 * SEC);
}

Test(worker_verify, writes_of_the_devices_other_workers_count)
{
	expect_torn(write_everything, 1);
	expect_torn(write_behind_the_device, 0);
	expect_torn(write_before, 0);
	expect_torn(write_others_before, 0);
	expect_torn(write_and_forget, 1); /* it cannot be told */
}

Test(worker_verify, reads_that_came_in_parts_are_verified_whole)
{
	static const int results[] = {512, 1024, -EAGAIN};

	for (size_t i = 0; i < 3; i++) {
		struct script script = {.odd_every = 7, .odd_result = results[i]};
		struct fake_run run;

		init(&run, &script, "3s");
		fake_run_go(&run);
		expect_all_verified(&run);
		cr_expect_eq(reads(&run)->completed, 6000);
		cr_expect_eq(reads(&run)->errors, 0);
		release(&run, &script);
	}
}

Test(worker_verify, a_failed_reading_is_a_failed_request)
{
	struct script script = {.odd_every = 100, .odd_result = -EIO};
	struct fake_run run;

	init(&run, &script, "3s");
	fake_run_go(&run);
	expect_all_verified(&run);
	cr_expect_eq(reads(&run)->errors, 60);
	cr_expect_eq(reads(&run)->mismatches, 0);
	release(&run, &script);
}

/* over[0], service_over[0] and device_over[0] of each of 4 intervals */
static void note_over(struct fake_run *run, const struct interval *interval)
{
	uint64_t(*over)[3] = run->user;
	const struct tally *tally = interval_tally(interval, 0, 0);

	over[interval->number][0] = tally->over[0];
	over[interval->number][1] = tally->service_over[0];
	over[interval->number][2] = tally->device_over[0];
}

/* Everything comes back just before an interval ends, much more than can be verified
 * until then. */
static void run_stalled(bool verify, uint64_t early_ns, uint64_t over[4][3],
			struct summary *ret_reads)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "4s");
	set(&run, "load", "0x");
	set(&run, "read-load", "1x");
	set(&run, "record-size", "64KiB");
	set(&run, "in-flight-cap", "128");
	run.verify = verify;
	script.stall_from_ns = run.world.now_ns + 777 + SEC + SEC / 2;
	script.stall_upto_ns = run.world.now_ns + 777 + 2 * SEC - early_ns;
	run.on_interval = note_over;
	run.user = over;
	fake_run_go(&run);
	*ret_reads = *reads(&run);
	if (verify)
		expect_all_verified(&run);
	release(&run, &script);
}

Test(worker_verify, what_waits_for_it_at_an_intervals_end_is_counted_as_back)
{
	static const uint64_t early_ns[] = {0, 1, 100, 1000, 5000, 20000};

	for (size_t i = 0; i < sizeof(early_ns) / sizeof(early_ns[0]); i++) {
		uint64_t with[4][3], without[4][3];
		struct summary verified, plain;

		run_stalled(true, early_ns[i], with, &verified);
		run_stalled(false, early_ns[i], without, &plain);
		for (size_t k = 0; k < 4; k++)
			for (size_t j = 0; j < 3; j++)
				cr_expect_eq(with[k][j], without[k][j],
					     "%lu before the end, interval %zu: %lu, not %lu",
					     early_ns[i], k, with[k][j], without[k][j]);
		cr_expect_gt(with[1][0], 900);
		cr_expect_eq(summary_total(&verified), summary_total(&plain));
		cr_expect_eq(verified.pending, verified.settled);
		/* The time that verifying takes (100 ns a round here) is nobody's. */
		cr_expect_eq(verified.max_ns[SPAN_SERVICE], plain.max_ns[SPAN_SERVICE]);
	}
}

Test(worker_verify, what_comes_back_at_the_very_end_is_verified)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "2s");
	set(&run, "record-size", "64KiB");
	script.stall_from_ns = run.world.now_ns + 777 + 1900 * MS;
	script.stall_upto_ns = run.world.now_ns + 777 + 2100 * MS;
	script.bad_from = 3950;
	script.bad_count = 1;
	script.bad = WRONG_ZEROS;
	fake_run_go(&run);
	expect_all_verified(&run);
	cr_expect_eq(reads(&run)->completed, 3999);
	cr_expect_eq(reads(&run)->mismatches, 1);
	release(&run, &script);
}

/* With few slots all of them may wait to be verified: this host's doing, if anybody's. */
Test(worker_verify, slots_that_wait_for_it_are_not_held_by_the_device)
{
	struct script script = {0};
	struct fake_run run;

	init(&run, &script, "5s");
	set(&run, "record-size", "128KiB");
	set(&run, "read-load", "5x");
	set(&run, "in-flight-cap", "2");
	fake_run_go(&run);
	expect_all_verified(&run);
	cr_expect_eq(reads(&run)->missed_device, 0);
	cr_expect_leq(reads(&run)->device_over[0], 2);
	release(&run, &script);
}
