#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/act_log.h"
#include "tests/support/act_text.h"

/* The reader of the older tool's logs, on texts made by hand. */

#define HEAD_6                                                                                     \
	"\nACT version 6.6\nStorage device IO test\n\nACT-STORAGE CONFIGURATION\n"                 \
	"device-names: /dev/sda /dev/sda1\nservice-threads: 8\ntest-duration-sec: 3\n"             \
	"report-interval-sec: 1\nmicrosecond-histograms: no\n\nDERIVED CONFIGURATION\n"            \
	"internal-read-reqs-per-sec: 200\nlarge-block-reads-per-sec: 2.35\n\n"                     \
	"/dev/sda size = 4096 bytes, 2048 large blocks\n\n"                                        \
	"HISTOGRAM NAMES\nreads\n/dev/sda-reads\n/dev/sda1-reads\n\n"

#define BLOCK_6(second, reads, sda, sda1)                                                          \
	"after " second " sec:\nreads (" reads " total)\n (00: 000000" reads ")\n"                 \
	"/dev/sda-reads (" sda " total)\n (00: 000000" sda ")\n"                                   \
	"/dev/sda1-reads (" sda1 " total)\n (00: 000000" sda1 ")\n\n"

static struct act_log *open_log(struct act_text *text)
{
	struct act_log *log = NULL;
	struct error err = {.text = ""};

	cr_assert(eq(int, act_log_new(act_text_source(text), "LOG", &log, &err), 0), "%s",
		  err.text);
	return log;
}

static enum act_event next(struct act_log *log)
{
	enum act_event event;
	struct error err;

	cr_assert(eq(int, act_log_next(log, &event, &err), 0));
	return event;
}

static uint64_t total(const struct act_log *log, const char *name)
{
	const struct act_histogram *histogram = act_log_find(log, name);

	cr_assert(histogram != NULL, "%s", name);
	return histogram->total;
}

Test(act_log, head_tells_the_configuration)
{
	struct act_text text = act_text(HEAD_6 BLOCK_6("1", "0200", "0150", "0050"));
	struct act_log *log = open_log(&text);
	const struct act_head *head = act_log_head(log);
	uint64_t rate;
	size_t length;

	cr_assert(eq(u32, head->major, 6));
	cr_assert(eq(u32, head->minor, 6));
	cr_assert(not(head->index));
	cr_assert(not(head->microseconds));
	cr_assert(eq(u64, head->duration_sec, 3));
	cr_assert(eq(u64, head->threads, 8));
	cr_assert(eq(sz, head->device_count, 2));
	cr_assert(not(strcmp(head->devices[1], "/dev/sda1")));
	cr_assert(eq(u64, head->device_bytes[0], 4096));
	cr_assert(eq(u64, head->device_bytes[1], 0));
	cr_assert(not(strcmp(head->title, "ACT-STORAGE CONFIGURATION")));
	cr_assert(act_head_number(head->derived, "large-block-reads-per-sec", &rate));
	cr_assert(eq(u64, rate, 2350000));
	cr_assert(not(act_head_number(head->configuration, "microsecond-histograms", &rate)));
	cr_assert(act_head_value(head->configuration, "device-names", &length) != NULL);
	cr_assert(eq(sz, length, strlen("/dev/sda /dev/sda1")));
	cr_assert(act_head_value(head->configuration, "device", &length) == NULL);
	act_log_free(log);
}

/* A name that begins another one is another name. */
Test(act_log, names_that_are_prefixes_of_each_other)
{
	struct act_text text = act_text(HEAD_6 BLOCK_6(
	    "1", "0200", "0150", "0050") "ERROR: reading /dev/sda1: 5 'Input/output error'\n"
					 "ERROR: reading /dev/sda: 5 'Input/output error'\n");
	struct act_log *log = open_log(&text);

	cr_assert(eq(int, next(log), ACT_BLOCK));
	cr_assert(act_log_block(log)->complete);
	cr_assert(eq(u64, total(log, "/dev/sda-reads"), 150));
	cr_assert(eq(u64, total(log, "/dev/sda1-reads"), 50));
	cr_assert(eq(sz, act_log_find(log, "/dev/sda1-reads")->device, 1));
	cr_assert(eq(int, next(log), ACT_MESSAGE));
	cr_assert(eq(sz, act_log_message(log)->device, 1));
	cr_assert(eq(int, act_log_message(log)->kind, ACT_MESSAGE_READ_ERROR));
	cr_assert(eq(int, next(log), ACT_MESSAGE));
	cr_assert(eq(sz, act_log_message(log)->device, 0));
	act_log_free(log);
}

#define HEAD_4                                                                                     \
	"Aerospike act version 4.0 - device IO test\n\nACT CONFIGURATION\n"                        \
	"device-names: /dev/a /dev/b\n\ninternal read requests per sec: 200\n\n"

/* 4.0 says the same names again for writes; also when the line between is lost. */
Test(act_log, bare_devices_of_4_0_are_reads_then_writes)
{
	struct act_text text = act_text(
	    HEAD_4
	    "After 1 sec:\nrequests queued: 7\nRAW READS          (5 total)\n (00: 0000000005)\n"
	    "/dev/a (2 total)\n (00: 0000000002)\n/dev/b (3 total)\n (00: 0000000003)\n"
	    "READS              (5 total)\n (00: 0000000005)\n"
	    "RAW WRITES         (9 total)\n (03: 0000000009)\n"
	    "/dev/a (4 total)\n (03: 0000000004)\n/dev/b (5 total)\n (03: 0000000005)\n"
	    "WRITES             (9 total)\n (03: 0000000009)\n\n"
	    "After 2 sec:\n/dev/a (20 total)\n (00: 0000000020)\n"
	    "/dev/a (40 total)\n (03: 0000000040)\n\n");
	struct act_log *log = open_log(&text);

	cr_assert(eq(int, next(log), ACT_BLOCK));
	cr_assert(act_log_block(log)->complete);
	cr_assert(eq(u64, act_log_block(log)->queued, 7));
	cr_assert(eq(sz, act_log_histogram_count(log), 8));
	cr_assert(eq(u64, total(log, "/dev/a-reads"), 2));
	cr_assert(eq(u64, total(log, "/dev/b-reads"), 3));
	cr_assert(eq(u64, total(log, "/dev/a-writes"), 4));
	cr_assert(eq(u64, total(log, "/dev/b-writes"), 5));
	cr_assert(eq(u64, total(log, "device-writes"), 9));
	cr_assert(eq(u64, total(log, "RAW WRITES"), 9));
	cr_assert(eq(int, act_log_find(log, "READS")->kind, ACT_READS));
	cr_assert(eq(int, next(log), ACT_BLOCK));
	cr_assert(not(act_log_block(log)->complete));
	cr_assert(eq(u64, total(log, "/dev/a-reads"), 20));
	cr_assert(eq(u64, total(log, "/dev/a-writes"), 40));
	act_log_free(log);
}

Test(act_log, counts_beyond_32_bits_wrapped_and_sparse)
{
	struct act_text text =
	    act_text("ACT version 6.1\n\nHISTOGRAM NAMES\nreads\n\nafter 1 sec:\n"
		     "reads (18446744073709551615 total)\n"
		     " (00: 9999999999) (03: 10000000000) (05: 0000000001) (09: 0000000001)\n"
		     " (17: 0000000001)\n (40: 18446744053709551613)\n\n");
	struct act_log *log = open_log(&text);

	cr_assert(eq(int, next(log), ACT_BLOCK));

	const struct act_histogram *reads = act_log_find(log, "reads");

	cr_assert(act_log_block(log)->complete);
	cr_assert(eq(u64, reads->total, UINT64_MAX));
	cr_assert(eq(u64, reads->buckets[0], 9999999999));
	cr_assert(eq(u64, reads->buckets[3], 10000000000));
	cr_assert(eq(u64, reads->buckets[4], 0));
	cr_assert(eq(u64, reads->buckets[17], 1));
	cr_assert(eq(u64, reads->buckets[40], 18446744053709551613U));
	cr_assert(eq(sz, reads->used, 41));
	act_log_free(log);
}

/* Blocks of which something is missing or wrong are said not to be complete. */
static struct damage {
	char counts[120]; /* within a block */
	bool complete;
} damages[] = {
    {"reads (3 total)\n (00: 0000000001) (01: 0000000002)\n", true},
    {"reads (3 total)\n (00: 1) (01: 2)\n", true},
    {"reads (0 total)\n", true},
    {"reads (3 total)\n (00: 0000000001)  (01: 0000000002) \n", true},
    {"reads (3 total)\n (00: 0000000001)\n", false},
    {"reads (3 total)\n (00: 0000000001) (01: 00000\n", false},
    {"reads (3 total)\n (00: 0000000003) (00: 0000000000)\n", false},
    {"reads (3 total)\n (00: 0000000001) (00: 0000000002)\n", false},
    {"reads (3 total)\n (00: 000000000x)\n", false},
    {"reads (3 total)\n (64: 0000000003)\n", false},
    {"reads (3 total)\n (00: 0000000003)\nreads (3 total)\n (00: 0000000003)\n", false},
    {"reads (18446744073709551616 total)\n (00: 0000000003)\n", false},
    {"reads (3 total)\nnoise\n (00: 0000000003)\n", false},
    {"", false},
};

ParameterizedTestParameters(act_log, damaged_block)
{
	return cr_make_param_array(struct damage, damages, sizeof(damages) / sizeof(damages[0]));
}

ParameterizedTest(struct damage *damage, act_log, damaged_block)
{
	char log_text[512];

	snprintf(log_text, sizeof(log_text),
		 "ACT version 6.0\n\nHISTOGRAM NAMES\nreads\n\nafter 1 sec:\n%s\nafter 2 sec:\n"
		 "reads (3 total)\n (00: 0000000003)\n\n",
		 damage->counts);

	struct act_text text = act_text(log_text);
	struct act_log *log = open_log(&text);

	cr_assert(eq(int, next(log), ACT_BLOCK));
	cr_assert(eq(int, act_log_block(log)->complete, damage->complete), "%s", damage->counts);
	cr_assert(eq(int, next(log), ACT_BLOCK));
	cr_assert(eq(u64, act_log_block(log)->seconds, 2));
	cr_assert(act_log_block(log)->complete, "%s", damage->counts);
	cr_assert(eq(int, next(log), ACT_NO_MORE));
	act_log_free(log);
}

Test(act_log, order_of_blocks)
{
	static const struct {
		const char *second;
		enum act_order order;
	} blocks[] = {{"2", ACT_GAP}, {"3", ACT_IN_ORDER},  {"3", ACT_REPEATED},
		      {"6", ACT_GAP}, {"4", ACT_BACKWARDS}, {"7", ACT_IN_ORDER}};
	char log_text[1024] = "ACT version 6.6\n\nHISTOGRAM NAMES\nreads\n\n";

	for (size_t i = 0; i < 6; i++)
		sprintf(log_text + strlen(log_text), "after %s sec:\nreads (0 total)\n\n",
			blocks[i].second);

	struct act_text text = act_text(log_text);
	struct act_log *log = open_log(&text);

	for (size_t i = 0; i < 6; i++) {
		cr_assert(eq(int, next(log), ACT_BLOCK));
		cr_assert(eq(int, act_log_block(log)->order, blocks[i].order), "%zu", i);
		cr_assert(eq(u64, act_log_block(log)->line, 6 + 3 * i));
	}
	act_log_free(log);
}

/* Each state of a growing log gives the blocks whose ends are there, and nothing
 * twice, in pieces of any size. */
Test(act_log, grows)
{
	static const char whole[] = HEAD_6 BLOCK_6(
	    "1", "0200", "0150",
	    "0050") "ERROR: large block reads can't keep up\n" BLOCK_6("2", "0400", "0300", "0100");

	for (size_t piece = 1; piece < 40; piece += 6) {
		struct act_text text = act_text(whole);
		size_t start = strlen(HEAD_6);
		int blocks = 0;
		int messages = 0;

		text.piece = piece;
		text.length = start;

		struct act_log *log = open_log(&text);

		for (size_t length = start; length <= strlen(whole); length += 3) {
			enum act_event event;

			text.length = length + 3 > strlen(whole) ? strlen(whole) : length;
			while ((event = next(log)) != ACT_NO_MORE) {
				blocks += event == ACT_BLOCK;
				messages += event == ACT_MESSAGE;
				cr_assert(event == ACT_MESSAGE || act_log_block(log)->complete);
			}
		}
		cr_assert(eq(int, blocks, 2));
		cr_assert(eq(int, messages, 1));
		cr_assert(not(act_log_last_block(log)));
		act_log_free(log);
	}
}

/* What is cut off within a block is handed out as the last one. */
Test(act_log, last_block)
{
	static const char whole[] = HEAD_6 BLOCK_6("1", "0200", "0150", "0050");
	size_t end = strlen(whole);

	for (size_t cut = 1; cut < strlen(BLOCK_6("1", "0200", "0150", "0050")); cut++) {
		struct act_text text = act_text(whole);
		bool heading = end - cut >= strlen(HEAD_6 "after 1 sec:");

		text.length = end - cut;

		struct act_log *log = open_log(&text);

		cr_assert(eq(int, next(log), ACT_NO_MORE));
		cr_assert(eq(int, act_log_last_block(log), heading), "%zu", cut);
		/* Without the empty line, or the newline before it, all is there. */
		if (heading)
			cr_assert(eq(int, act_log_block(log)->complete, cut <= 2), "%zu", cut);
		act_log_free(log);
	}
}

/* The heading of the next block ends one that has no empty line behind it. */
Test(act_log, blocks_without_empty_lines_and_messages_within)
{
	struct act_text text =
	    act_text("ACT version 5.3\r\n\r\nHISTOGRAM NAMES\r\nreads\r\n\r\nafter 1 sec:\r\n"
		     "requests-queued: 2\r\nreads (3 total)\r\n"
		     "ERROR: writing /dev/x: 5 'Input/output error' errno\r\n (00: 0000000003)\r\n"
		     "after 2 sec:\r\nreads (4 total)\r\n (00: 0000000004)\r\n");
	struct act_log *log = open_log(&text);

	cr_assert(eq(int, next(log), ACT_MESSAGE));
	cr_assert(eq(int, act_log_message(log)->kind, ACT_MESSAGE_WRITE_ERROR));
	cr_assert(eq(u64, act_log_message(log)->line, 9));
	cr_assert(eq(int, next(log), ACT_BLOCK));
	cr_assert(act_log_block(log)->complete);
	cr_assert(eq(u64, act_log_block(log)->queued, 2));
	cr_assert(eq(int, next(log), ACT_NO_MORE));
	cr_assert(act_log_last_block(log));
	cr_assert(act_log_block(log)->complete);
	cr_assert(eq(u64, total(log, "reads"), 4));
	act_log_free(log);
}

Test(act_log, messages_are_told_apart)
{
	static const struct {
		const char *line;
		enum act_message_kind kind;
	} lines[] = {
	    {"ERROR: service thread can't keep up", ACT_MESSAGE_STOPPED},
	    {"drive(s) can't keep up - test stopped", ACT_MESSAGE_STOPPED},
	    {"ERROR: reading /dev/sda: 5 'Input/output error'", ACT_MESSAGE_READ_ERROR},
	    {"ERROR: writing /dev/sda: 28 'No space left'", ACT_MESSAGE_WRITE_ERROR},
	    {"ERROR: couldn't open /sys/block/sda/queue/scheduler", ACT_MESSAGE_SETUP},
	    {"ERROR: reading OS package index from /sys/devices/x", ACT_MESSAGE_SETUP},
	    {"ERROR: pread() returned 0", ACT_MESSAGE_OTHER},
	    {"ERROR\033[1m of another kind", ACT_MESSAGE_OTHER},
	};
	char log_text[2048] = HEAD_6;

	for (size_t i = 0; i < 8; i++)
		sprintf(log_text + strlen(log_text), "%s\n", lines[i].line);

	struct act_text text = act_text(log_text);
	struct act_log *log = open_log(&text);

	for (size_t i = 0; i < 8; i++) {
		cr_assert(eq(int, next(log), ACT_MESSAGE));
		cr_assert(eq(int, act_log_message(log)->kind, lines[i].kind), "%s", lines[i].line);
	}
	cr_assert(not(strcmp(act_log_message(log)->text, "ERROR?[1m of another kind")));
	cr_assert(eq(int, next(log), ACT_NO_MORE));
	act_log_free(log);
}

Test(act_log, lines_too_long_are_left_out)
{
	size_t size = (size_t)3 << 20;
	char *log_text = malloc(size);

	memset(log_text, 'x', size);
	memcpy(log_text, HEAD_6, strlen(HEAD_6));
	snprintf(log_text + size - 200, 200, "\n%s", BLOCK_6("1", "0200", "0150", "0050"));

	struct act_text text = act_text(log_text);

	text.piece = 100000;

	struct act_log *log = open_log(&text);

	cr_assert(eq(int, next(log), ACT_BLOCK));
	cr_assert(act_log_block(log)->complete);
	cr_assert(eq(u64, act_log_damaged_lines(log), 1));
	act_log_free(log);
	free(log_text);
}

static ssize_t failing(void *context, void *buffer, size_t size)
{
	(void)context;
	(void)buffer;
	(void)size;
	return -EIO;
}

Test(act_log, refuses_what_is_no_log)
{
	static const char *const texts[] = {"",
					    "\n",
					    "ACT version \n",
					    "ACT version 7.1\n",
					    "ACT version 0.1\n",
					    "ACT version 1234567890.1\n",
					    "# ACT version 6.6\n"};
	struct act_log *log = NULL;
	struct error err;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct act_text text = act_text(texts[i]);

		cr_assert(eq(int, act_log_new(act_text_source(&text), "LOG", &log, &err), -EINVAL));
		cr_assert(eq(int, (int)err.status, EXIT_USAGE));
	}
	cr_assert(
	    eq(int, act_log_new((struct act_source){failing, NULL}, "LOG", &log, &err), -EIO));
	cr_assert(eq(int, (int)err.status, EXIT_ENVIRONMENT));
	cr_assert(eq(ptr, log, NULL));
}
