#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/act_info.h"
#include "analysis/act_judge.h"
#include "tests/support/act_text.h"

/* Judging old logs: each is written here, line by line. */

struct trial {
	FILE *out;
	char *text;
	size_t size;
	struct judge_options options;
	struct act_text source;
	struct act_log *log;
	struct act_judge *judge;
	const struct result *result;
};

__attribute__((format(printf, 2, 3))) static void say(struct trial *trial, const char *format, ...)
{
	va_list args;

	if (!trial->out)
		trial->out = open_memstream(&trial->text, &trial->size);
	va_start(args, format);
	vfprintf(trial->out, format, args);
	va_end(args);
}

/* The head of a 6.6 log of one device; rate 0: it does not tell one. */
static void say_head(struct trial *trial, unsigned seconds, unsigned rate, const char *microseconds)
{
	say(trial, "\nACT version 6.6\n\nACT-STORAGE CONFIGURATION\ndevice-names: /dev/sda\n"
		   "service-threads: 4\nreport-interval-sec: 1\n");
	say(trial, "test-duration-sec: %u\nmicrosecond-histograms: %s\n\nDERIVED CONFIGURATION\n",
	    seconds, microseconds);
	if (rate > 0)
		say(trial, "internal-read-reqs-per-sec: %u\n", rate);
	say(trial, "\nHISTOGRAM NAMES\nreads\n\n");
}

/* Cumulative: `fast` in bucket 0, `slow` in bucket `bucket`. */
static void say_reads(struct trial *trial, const char *name, uint64_t fast, unsigned bucket,
		      uint64_t slow)
{
	say(trial, "%s (%" PRIu64 " total)\n (00: %010" PRIu64 ") (%02u: %010" PRIu64 ")\n", name,
	    fast + slow, fast, bucket, slow);
}

static void say_block(struct trial *trial, unsigned second, uint64_t fast, unsigned bucket,
		      uint64_t slow)
{
	say(trial, "after %u sec:\n", second);
	say_reads(trial, "reads", fast, bucket, slow);
	say(trial, "\n");
}

static int judge(struct trial *trial, struct error *err)
{
	int rc;

	fclose(trial->out);
	trial->source = act_text(trial->text);
	trial->source.piece = 4096;
	rc = act_log_new(act_text_source(&trial->source), "LOG", &trial->log, err);
	if (rc == 0)
		rc = act_judge_new(trial->log, &trial->options, &trial->judge, err);
	if (rc == 0)
		rc = act_judge_log(trial->log, trial->judge, &trial->result, err);
	return rc;
}

static void release(struct trial *trial)
{
	act_judge_free(trial->judge);
	act_log_free(trial->log);
	free(trial->text);
}

static bool has_reason(const struct judgement *judgement, const char *text)
{
	for (size_t i = 0; i < judgement->reason_count; i++)
		if (strstr(judgement->reasons[i].text, text))
			return true;
	return false;
}

/* Judges; the text stands in the sentence, or a reason of the run or any slice. */
static const struct result *expect(struct trial *trial, enum verdict verdict, int status,
				   const char *text)
{
	struct error err = {.text = ""};
	const struct result *result;
	bool found;

	cr_assert(eq(int, judge(trial, &err), 0), "%s", err.text);
	result = trial->result;
	found = strstr(result->reason, text) || has_reason(&result->total, text);
	for (size_t i = 0; i < result->slice_count; i++)
		found |= has_reason(&result->slices[i]->all, text);
	cr_assert(eq(int, (int)result->verdict, (int)verdict), "%s", result->reason);
	cr_assert(eq(int, result->exit_status, status), "%s", result->reason);
	cr_assert(found, "\"%s\" is not in: %s", text, result->reason);
	cr_assert(result->complete);
	return result;
}

/* The older tool prints 4.996 % as 5.00 and 0.0996 % as 0.10. */
Test(act_judge, shares_are_exact)
{
	static const struct {
		uint64_t total;
		unsigned bucket;
		uint64_t slow;
		enum verdict verdict;
		const char *text;
	} cases[] = {
	    {100000, 1, 4996, VERDICT_PASS, "4.996 % of reads over 1 ms"},
	    {100000, 1, 5000, VERDICT_PASS, "5.00 % of reads over 1 ms"},
	    {100000, 1, 5001, VERDICT_FAIL, "5.001 % over 1 ms, limit 5 %"},
	    {1000000, 7, 996, VERDICT_PASS, "0.0996 % of reads over 64 ms"},
	    {1000000, 7, 1000, VERDICT_PASS, "0.10 % of reads over 64 ms"},
	    {1000000, 7, 1001, VERDICT_FAIL, "0.1001 % over 64 ms, limit 0.1 %"},
	    {100000, 4, 1000, VERDICT_PASS, "1.00 % of reads over 8 ms"},
	    {100000, 4, 1001, VERDICT_FAIL, "1.001 % over 8 ms, limit 1 %"},
	    {20000000000, 1, 1000000001, VERDICT_FAIL, "5.00000001 % over 1 ms"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trial trial = {0};

		say_head(&trial, 1, 0, "no");
		say_block(&trial, 1, cases[i].total - cases[i].slow, cases[i].bucket,
			  cases[i].slow);
		expect(&trial, cases[i].verdict, cases[i].verdict == VERDICT_PASS ? 0 : 1,
		       cases[i].text);
		release(&trial);
	}
}

Test(act_judge, edges_of_buckets)
{
	static const struct {
		uint64_t ns;
		bool microseconds;
		uint64_t shown_ns;
		size_t from;
		size_t from_below;
	} cases[] = {
	    {1000000, false, 1000000, 1, 1},   {8000000, false, 8000000, 4, 4},
	    {64000000, false, 64000000, 7, 7}, {3000000, false, 4000000, 3, 2},
	    {500000, false, 1000000, 1, 0},    {1000000, true, 1024000, 11, 10},
	    {8000000, true, 8192000, 14, 13},  {64000000, true, 65536000, 17, 16},
	    {1024000, true, 1024000, 11, 11},  {1, true, 1000, 1, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct act_edge edge = act_edge_find(cases[i].ns, cases[i].microseconds);

		cr_assert(eq(u64, edge.shown_ns, cases[i].shown_ns), "%zu", i);
		cr_assert(eq(sz, edge.from, cases[i].from), "%zu", i);
		cr_assert(eq(sz, edge.from_below, cases[i].from_below), "%zu", i);
	}
}

/* 1 ms lies between 512 and 1024 us: only when both keep the limit is it kept. */
Test(act_judge, a_threshold_between_edges_is_never_in_favour)
{
	static const struct {
		unsigned bucket;
		uint64_t slow;
		enum verdict verdict;
		int status;
		const char *text;
	} cases[] = {
	    {9, 6000, VERDICT_PASS, 0, "all latency limits kept"},
	    {10, 5000, VERDICT_PASS, 0, "all latency limits kept"},
	    {10, 5001, VERDICT_INVALID, 5, "0.00 % over 1.024 ms, but 5.001 % over the next edge"},
	    {11, 5001, VERDICT_FAIL, 1, "5.001 % over 1 ms 24 us"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trial trial = {0};

		say_head(&trial, 1, 0, "yes");
		say_block(&trial, 1, 100000 - cases[i].slow, cases[i].bucket, cases[i].slow);
		expect(&trial, cases[i].verdict, cases[i].status, cases[i].text);
		cr_assert(strstr(trial.result->info->caveat, "1 ms -> 1.024 ms") != NULL);
		release(&trial);
	}
}

/* A failed request is in no histogram of the older tool: a dead drive shows 0.00 %. */
Test(act_judge, failed_requests_are_over_every_threshold)
{
	struct trial trial = {0};

	say_head(&trial, 1, 1000, "no");
	say(&trial, "ERROR: reading /dev/sda: 5 'Input/output error'\n");
	say(&trial, "ERROR: reading /dev/sda: 5 'Input/output error'\n");
	say_block(&trial, 1, 998, 1, 0);

	const struct result *result =
	    expect(&trial, VERDICT_FAIL, 4,
		   "line 17: \"ERROR: reading /dev/sda: 5 'Input/output error'\" (and 1 more)");
	const struct summary *reads = &result->total.streams[0];

	cr_assert(eq(u64, reads->errors, 2));
	cr_assert(eq(u64, reads->over[0], 2));
	cr_assert(eq(u64, reads->over[2], 2));
	cr_assert(eq(int, (int)result->slices[0]->devices[0].verdict, VERDICT_FAIL));
	release(&trial);
}

Test(act_judge, errors_behind_the_last_block)
{
	struct trial trial = {0};

	say_head(&trial, 1, 1000, "no");
	say_block(&trial, 1, 1000, 1, 0);
	say(&trial, "ERROR: reading /dev/sda: 5 'Input/output error'\n");
	expect(&trial, VERDICT_FAIL, 4, "line 21: \"ERROR: reading");
	cr_assert(eq(u64, trial.result->total.streams[0].errors, 1));
	release(&trial);
}

/* Only errors, and never a block: nothing measured, but failed all the same. */
Test(act_judge, errors_without_any_block)
{
	struct trial trial = {0};

	say_head(&trial, 1, 1000, "no");
	say(&trial, "ERROR: reading /dev/sda: 5 'Input/output error'\n");
	expect(&trial, VERDICT_FAIL, 4, "not one interval was measured");
	release(&trial);
}

Test(act_judge, other_errors_are_invalid_and_quoted)
{
	struct trial trial = {0};

	say_head(&trial, 1, 1000, "no");
	say(&trial, "ERROR: pread() returned 0\n");
	say_block(&trial, 1, 1000, 1, 0);
	expect(&trial, VERDICT_INVALID, 5, "line 17: \"ERROR: pread() returned 0\"");
	release(&trial);
}

Test(act_judge, settings_that_were_refused_are_harmless)
{
	struct trial trial = {0};

	say_head(&trial, 1, 1000, "no");
	say(&trial, "ERROR: couldn't open /sys/block/sda/queue/scheduler\n");
	say_block(&trial, 1, 1000, 1, 0);
	expect(&trial, VERDICT_PASS, 0, "no errors");
	release(&trial);
}

/* The older tool exits 0 then. */
Test(act_judge, cannot_keep_up)
{
	static const struct {
		const char *line;
		uint64_t slow;
		enum verdict verdict;
		int status;
	} cases[] = {
	    {"ACT can't do requested load - test stopped", 0, VERDICT_INVALID, 5},
	    {"ACT can't do requested load - test stopped", 100, VERDICT_FAIL, 1},
	    {"drive(s) can't keep up - test stopped", 0, VERDICT_FAIL, 1},
	};

	for (size_t i = 0; i < 3; i++) {
		struct trial trial = {0};

		say_head(&trial, 2, 1000, "no");
		say_block(&trial, 1, 1000 - cases[i].slow, 1, cases[i].slow);
		say(&trial, "ERROR: thread can't keep up\n%s\n", cases[i].line);
		expect(&trial, cases[i].verdict, cases[i].status,
		       "line 21: \"ERROR: thread can't keep up\"");
		cr_assert(eq(int, (int)trial.result->end.reason, END_MAX_LAG));
		release(&trial);
	}
}

/* 2000/s on 96 threads were 20 each: 1920/s. */
Test(act_judge, rates_that_were_not_reached)
{
	static const struct {
		uint64_t each;
		enum verdict verdict;
		const char *text;
	} cases[] = {
	    {2000, VERDICT_PASS, "whole load"},
	    {1998, VERDICT_PASS, "whole load"},
	    {1997, VERDICT_INVALID, "99.85 % of the planned reads came back (19 970 of 20 000)"},
	    {1920, VERDICT_INVALID, "96.00 % of the planned reads came back (19 200 of 20 000)"},
	};

	for (size_t i = 0; i < 4; i++) {
		struct trial trial = {0};

		say_head(&trial, 10, 2000, "no");
		for (unsigned second = 1; second <= 10; second++)
			say_block(&trial, second, second * cases[i].each, 1, 0);
		expect(&trial, cases[i].verdict, cases[i].verdict == VERDICT_PASS ? 0 : 5,
		       cases[i].text);
		release(&trial);
	}
}

/* 30x, and nothing for 9 s: the older tool catches up and counts 80 slow reads of
 * 1 200 000. What is late is in no bucket, but shows in what did not come. */
Test(act_judge, a_stall_that_a_closed_loop_hides)
{
	struct trial trial = {0};

	say_head(&trial, 20, 60000, "no");
	for (unsigned second = 1; second <= 20; second++) {
		bool stall = second > 5 && second <= 14;
		uint64_t came = stall ? 5 * 60000 : (uint64_t)second * 60000 - 80;

		say_block(&trial, second, came, 14, second < 6 ? 0 : 80);
	}
	expect(&trial, VERDICT_INVALID, 5,
	       "reads held up in 9 intervals (second 7: 60 000 fewer than planned)");
	cr_assert(eq(u64, trial.result->total.streams[0].over[0], 80));
	release(&trial);
}

/* Ahead of the plan, fewer in one interval keep nobody waiting. */
Test(act_judge, ahead_of_the_plan_is_no_stall)
{
	struct trial trial = {0};

	say_head(&trial, 3, 1000, "no");
	say_block(&trial, 1, 3000, 1, 0);
	say_block(&trial, 2, 3000, 1, 0);
	say_block(&trial, 3, 3000, 1, 0);
	expect(&trial, VERDICT_PASS, 0, "whole load");
	release(&trial);
}

static void say_whole(struct trial *trial, unsigned from, unsigned to)
{
	for (unsigned second = from; second <= to; second++)
		say_block(trial, second, second * 1000, 1, 0);
}

Test(act_judge, damaged_logs_are_invalid)
{
	static const struct {
		const char *line; /* instead of the block of second 3 */
		const char *text;
	} cases[] = {
	    {"", "lost interval: 1 s"},
	    {"after 3 sec:\nreads (3000 total)\n\n", "line 24: the block of second 3 is cut short"},
	    {"after 3 sec:\nreads (3000 total)\n (00: 0000003000)\n\n"
	     "after 3 sec:\nreads (3000 total)\n (00: 0000003000)\n\n",
	     "line 28: second 3 comes again"},
	    {"after 3 sec:\nreads (3000 total)\n (00: 0000003000)\n\n"
	     "after 1 sec:\nreads (1000 total)\n (00: 0000001000)\n\n",
	     "line 28: second 1 comes again"},
	    {"after 3 sec:\nreads (5000 total)\n (00: 0000005000)\n\n",
	     "line 28: counts of reads go backwards (4000 after 5000)"},
	    {"after 3 sec:\nreads (3000 total)\n (00: 0000001999) (01: 0000001001)\n\n",
	     "line 24: counts of reads go backwards (3000 after 2000)"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct trial trial = {0};
		struct error err;

		say_head(&trial, 5, 0, "no");
		say_whole(&trial, 1, 2);
		say(&trial, "%s", cases[i].line);
		say_whole(&trial, 4, 5);
		cr_assert(eq(int, judge(&trial, &err), 0));
		cr_assert(eq(int, (int)trial.result->slices[0]->verdict, VERDICT_INVALID), "%zu",
			  i);
		cr_assert(has_reason(&trial.result->slices[0]->all, cases[i].text), "%zu: %s", i,
			  trial.result->reason);
		release(&trial);
	}
}

/* What lacks between two slices, both lack. */
Test(act_judge, slices)
{
	struct trial trial = {.options = {.slice_ns = 4 * NS_PER_SEC}};

	say_head(&trial, 14, 1000, "no");
	say_whole(&trial, 1, 6);
	say_whole(&trial, 9, 12); /* 7 and 8 are lost */
	say_block(&trial, 13, 12900, 7, 100);
	say_block(&trial, 14, 13900, 7, 100);

	const struct result *result = expect(&trial, VERDICT_FAIL, 1, "slice 4 (from 00:00:12)");

	cr_assert(eq(sz, result->slice_count, 4));
	cr_assert(eq(int, (int)result->slices[0]->verdict, VERDICT_PASS));
	cr_assert(not(result->slices[0]->partial));
	cr_assert(eq(u64, result->slices[0]->all.streams[0].completed, 4000));
	cr_assert(eq(int, (int)result->slices[1]->verdict, VERDICT_INVALID));
	cr_assert(has_reason(&result->slices[1]->all, "lost interval: 2 s"));
	cr_assert(result->slices[1]->partial);
	cr_assert(eq(u64, result->slices[1]->all.streams[0].completed, 2000));
	cr_assert(eq(u64, result->slices[2]->all.streams[0].completed, 6000));
	cr_assert(eq(u64, result->slices[2]->start_ns, 6 * NS_PER_SEC));
	cr_assert(result->slices[3]->partial); /* judged all the same */
	cr_assert(eq(u64, result->slices[3]->all.streams[0].over[2], 100));
	cr_assert(eq(sz, result->worst, 3));
	cr_assert(eq(u64, result->measured_ns, 14 * NS_PER_SEC));
	release(&trial);
}

Test(act_judge, a_slice_without_reads_never_passes)
{
	struct trial trial = {.options = {.slice_ns = 2 * NS_PER_SEC}};

	say_head(&trial, 4, 0, "no");
	say_whole(&trial, 1, 2);
	say_block(&trial, 3, 2000, 1, 0);
	say_block(&trial, 4, 2000, 1, 0);
	expect(&trial, VERDICT_INVALID, 5, "not one of the reads came back");
	cr_assert(eq(int, (int)trial.result->slices[0]->verdict, VERDICT_PASS));
	release(&trial);
}

Test(act_judge, a_log_that_ends_early)
{
	struct trial trial = {0};

	say_head(&trial, 86400, 1000, "no");
	say_whole(&trial, 1, 3);
	expect(&trial, VERDICT_INVALID, 5, "the log ends after 3 s of 24 h");
	cr_assert(eq(int, (int)trial.result->slices[0]->verdict, VERDICT_PASS));
	cr_assert(trial.result->slices[0]->partial);
	release(&trial);
}

Test(act_judge, a_log_without_blocks)
{
	struct trial trial = {0};

	say_head(&trial, 3, 1000, "no");
	expect(&trial, VERDICT_INVALID, 5, "not one interval was measured");
	release(&trial);
}

static void say_two_devices(struct trial *trial)
{
	say(trial, "ACT version 6.6\n\nACT-STORAGE CONFIGURATION\n"
		   "device-names: /dev/sda /dev/sda1\nservice-threads: 4\n"
		   "test-duration-sec: 1\n\nDERIVED CONFIGURATION\n"
		   "internal-read-reqs-per-sec: 1000\nlarge-block-reads-per-sec: 1.00\n\n"
		   "HISTOGRAM NAMES\nreads\n/dev/sda-reads\n/dev/sda1-reads\nlarge-block-reads\n\n"
		   "after 1 sec:\n");
}

/* One of them is too slow, and only the one. */
Test(act_judge, the_right_device_is_blamed)
{
	struct trial trial = {0};

	say_two_devices(&trial);
	say_reads(&trial, "reads", 970, 1, 30);
	say_reads(&trial, "/dev/sda-reads", 500, 1, 0);
	say_reads(&trial, "/dev/sda1-reads", 470, 1, 30);
	say_reads(&trial, "large-block-reads", 1, 1, 0);
	expect(&trial, VERDICT_FAIL, 1, "/dev/sda1: reads: 6.00 % over 1 ms, limit 5 %");
	cr_assert(eq(int, (int)trial.result->slices[0]->all.verdict, VERDICT_PASS));
	cr_assert(eq(int, (int)trial.result->slices[0]->devices[0].verdict, VERDICT_PASS));
	cr_assert(eq(int, (int)trial.result->slices[0]->devices[1].verdict, VERDICT_FAIL));
	release(&trial);
}

Test(act_judge, a_device_that_the_log_does_not_tell_of_never_passes)
{
	struct trial trial = {0};

	say(&trial, "ACT version 6.6\n\nACT-STORAGE CONFIGURATION\n"
		    "device-names: /dev/sda /dev/sdb\n\nHISTOGRAM NAMES\nreads\n/dev/sda-reads\n\n"
		    "after 1 sec:\n");
	say_reads(&trial, "reads", 1000, 1, 0);
	say_reads(&trial, "/dev/sda-reads", 1000, 1, 0);
	expect(&trial, VERDICT_INVALID, 5,
	       "/dev/sdb: the log has no histogram of the reads of this device");
	cr_assert(eq(int, (int)trial.result->slices[0]->devices[0].verdict, VERDICT_PASS));
	release(&trial);
}

/* The only block of a log of 3.x, cut off where a histogram ends. */
Test(act_judge, a_single_old_block_cut_short)
{
	struct trial trial = {0};

	say(&trial, "Aerospike act version 3.0 - device IO test\n\nACT CONFIGURATION\n"
		    "device-names: /dev/sda\nread-reqs-per-sec: 1000\ntest-duration-sec: 1\n\n"
		    "After 1 sec:\nread-reqs queued: 0\n");
	say_reads(&trial, "LARGE BLOCK READS ", 10, 1, 0);
	expect(&trial, VERDICT_INVALID, 5, "not one interval was measured");
	release(&trial);
}

/* Large blocks are not told by device: what holds for all proves nothing for one. */
Test(act_judge, large_blocks_are_of_all_devices)
{
	struct trial trial = {0};
	struct error err;

	cr_assert(eq(int, judge_options_add_judged(&trial.options, "large-block-reads", &err), 0));
	say_two_devices(&trial);
	say_reads(&trial, "reads", 1000, 1, 0);
	say_reads(&trial, "/dev/sda-reads", 500, 1, 0);
	say_reads(&trial, "/dev/sda1-reads", 500, 1, 0);
	say_reads(&trial, "large-block-reads", 1, 1, 1);
	expect(&trial, VERDICT_FAIL, 1, "large-block-reads: 50.00 % over 1 ms");
	cr_assert(eq(int, (int)trial.result->slices[0]->devices[0].verdict, VERDICT_INVALID));
	release(&trial);
}

/* Devices are written a moment after the whole, while the load goes on. */
Test(act_judge, in_flight_is_tolerated_and_no_more)
{
	for (int apart = 0; apart < 2; apart++) {
		struct trial trial = {0};

		say_two_devices(&trial);
		say_reads(&trial, "reads", 1000, 1, 0);
		say_reads(&trial, "/dev/sda-reads", 503, 1, 0);
		say_reads(&trial, "/dev/sda1-reads", apart ? 300 : 500, 1, 0);
		say_reads(&trial, "large-block-reads", 1, 1, 0);
		if (apart)
			expect(&trial, VERDICT_INVALID, 5, "the devices have 803 of 1000 reads");
		else
			expect(&trial, VERDICT_PASS, 0, "whole load");
		release(&trial);
	}
}

/* In 3.x latencies begin with the queue, those of devices without it. */
static void say_queued(struct trial *trial, uint64_t slow, uint64_t device_slow)
{
	say(trial, "Aerospike act version 3.0 - device IO test\n\nACT CONFIGURATION\n"
		   "device-names: /dev/sda\nread-reqs-per-sec: 1000\ntest-duration-sec: 1\n\n"
		   "After 1 sec:\nread-reqs queued: 0\n");
	say_reads(trial, "RAW READS         ", 1000 - device_slow, 1, device_slow);
	say_reads(trial, "/dev/sda", 1000 - device_slow, 1, device_slow);
	say_reads(trial, "READS             ", 1000 - slow, 1, slow);
	say(trial, "\n");
}

Test(act_judge, queues_of_the_tool_are_not_the_device)
{
	struct trial host = {0};
	struct trial device = {0};
	struct error err;

	cr_assert(eq(int, judge_options_add_judged(&host.options, "READS", &err), 0));
	say_queued(&host, 70, 20);
	expect(&host, VERDICT_INVALID, 5,
	       "reads: 7.00 % over 1 ms (limit 5 %), but only 2.00 % in the device");
	release(&host);
	say_queued(&device, 70, 60);
	expect(&device, VERDICT_FAIL, 1, "reads: 7.00 % over 1 ms, limit 5 %");
	release(&device);
}

/* Differences of whole milliseconds prove nothing, neither way. */
Test(act_judge, version_1_is_never_certified)
{
	for (unsigned slow = 0; slow < 200; slow += 100) {
		struct trial trial = {0};

		say(&trial, "Aerospike act - device IO test\n\nCIO CONFIGURATION\n"
			    "device-names: /dev/sda\nread-reqs-per-sec: 1000\n"
			    "test-duration-sec: 1\n\nAfter 1 sec:\n");
		say_reads(&trial, "READS", 1000 - slow, 1, slow);
		say(&trial, "\n");
		expect(&trial, VERDICT_INVALID, 5, "differences of whole milliseconds");
		cr_assert(eq(u64, trial.result->total.streams[0].over[0], slow));
		release(&trial);
	}
}

Test(act_judge, refuses_histograms_that_are_not_there)
{
	static const char *const names[] = {"writes", "/dev/sda-reads", "read"};

	for (size_t i = 0; i < 3; i++) {
		struct trial trial = {0};
		struct error err;

		cr_assert(eq(int, judge_options_add_judged(&trial.options, names[i], &err), 0));
		say_two_devices(&trial);
		cr_assert(eq(int, judge(&trial, &err), -EINVAL));
		cr_assert(eq(int, (int)err.status, EXIT_USAGE));
		cr_assert(strstr(err.text, names[i]) != NULL);
		release(&trial);
	}
}
