#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "act/base/error.h"
#include "analysis/act_grammar.h"

/*
 * Reader of the older tool's logs, of all its versions, one block at a time.
 * Numbers in such a log are cumulative since the start of its run. Memory does
 * not grow with the log's length. A reader belongs to one thread.
 */

#define ACT_NAME_BYTES     256
#define ACT_BUCKETS        64
#define ACT_HISTOGRAMS_MAX 4096 /* and as many devices */

/* Where the bytes come from; log_input_read is one with a log_input as context. */
struct act_source {
	/* The bytes put into `buffer`; 0: no more, for now or for ever; -errno. */
	ssize_t (*read)(void *context, void *buffer, size_t size);
	void *context;
};

struct act_histogram {
	char name[ACT_NAME_BYTES]; /* unique: "reads", "/dev/sda-reads" */
	char tag[ACT_NAME_BYTES];  /* as it stands in the log: "READS", "/dev/sda" */
	size_t tag_length;
	enum act_kind kind;
	size_t device; /* ACT_ONE_DEVICE_*: index in act_head.devices */
	/* The last block that had it: */
	uint64_t block; /* its number, from 1; 0: none yet */
	uint64_t total; /* as the log says; equals the sum of the buckets when `whole` */
	/* [0]: below one unit; [k]: [2^(k-1), 2^k) units */
	uint64_t buckets[ACT_BUCKETS];
	size_t used; /* buckets from here on are 0 */
	bool whole;
};

/* What stands before the first block. Rates are 0 and texts empty when it does not
 * say; it can be cut off. */
struct act_head {
	unsigned major;
	unsigned minor;
	const struct act_grammar *grammar;
	bool index;                   /* "ACT-INDEX", else storage */
	bool microseconds;            /* the unit of the buckets: 1 us, else 1 ms */
	uint64_t duration_sec;        /* 0: not told */
	uint64_t report_interval_sec; /* 1 when not told */
	uint64_t threads; /* requests that can be under way, a device or all; 0: not told */
	char title[64];   /* "ACT-STORAGE CONFIGURATION" */
	/* Lines "key: value\n" of the configuration and of what was derived from
	 * it, as they stand there, without the titles; cut off after 64 KiB. */
	char *configuration;
	char *derived;
	char (*devices)[ACT_NAME_BYTES];
	uint64_t *device_bytes; /* their sizes, 0: not told */
	size_t device_count;
};

/* The value of the line "KEY: value" in lines of act_head, NULL when there is none;
 * *ret_length is that of the value. */
const char *act_head_value(const char *lines, const char *key, size_t *ret_length);
/* The same as a number in millionths ("2.35" is 2 350 000), false when it is none. */
bool act_head_number(const char *lines, const char *key, uint64_t *ret_millionths);

/* How a block follows the one before. */
enum act_order {
	ACT_IN_ORDER,
	ACT_GAP,      /* intervals between are missing */
	ACT_REPEATED, /* of the same second */
	ACT_BACKWARDS /* of an earlier second */
};

struct act_block {
	uint64_t number; /* from 1, all blocks */
	uint64_t line;   /* of its heading, from 1 */
	uint64_t seconds;
	uint64_t queued; /* requests, where the version tells them */
	enum act_order order;
	/* Every histogram that the log had so far is there and whole. */
	bool complete;
};

/* A line between blocks, or before the first, that tells of trouble. */
enum act_message_kind {
	ACT_MESSAGE_STOPPED,    /* "can't keep up", "test stopped" */
	ACT_MESSAGE_READ_ERROR, /* a read failed */
	ACT_MESSAGE_WRITE_ERROR,
	ACT_MESSAGE_SETUP, /* a setting of the host that could not be made: harmless */
	ACT_MESSAGE_OTHER  /* any other that begins with "ERROR" */
};

struct act_message {
	enum act_message_kind kind;
	uint64_t line;
	size_t device;  /* that it names; device_count when it names none */
	char text[256]; /* without control characters; cut off */
};

enum act_event {
	ACT_BLOCK,
	ACT_MESSAGE,
	/* What there is has been read. When more has come since, the next call goes
	 * on; a block is handed out once its last line is there (the next block
	 * begins, or an empty line follows). */
	ACT_NO_MORE
};

struct act_log;

/* Opens a log and reads what stands before its first block or message: a usage error
 * when there is no banner, or one of a version that is not known; -errno of the
 * source, or -ENOMEM, are errors of the environment. `name` stands in error texts
 * and must stay. Free with act_log_free. */
int act_log_new(struct act_source source, const char *name, struct act_log **ret,
		struct error *err);
void act_log_free(struct act_log *log);

/* The next event: 0, or an error of the environment when the source fails. What is
 * wrong in the log is no error. */
int act_log_next(struct act_log *log, enum act_event *ret_event, struct error *err);

/* To be called after ACT_NO_MORE when the log does not grow any more: whether there
 * was one more block at its end, which may have been cut short. */
bool act_log_last_block(struct act_log *log);

/* All valid until the next event. Devices that the head does not name are added as
 * blocks name them. */
const struct act_head *act_log_head(const struct act_log *log);
const struct act_block *act_log_block(const struct act_log *log);
const struct act_message *act_log_message(const struct act_log *log);

/* Histograms in the order in which the log first had them; in a block that lacks one,
 * it keeps the values of the last that had it. */
size_t act_log_histogram_count(const struct act_log *log);
const struct act_histogram *act_log_histogram(const struct act_log *log, size_t index);
/* By `name` or `tag`, NULL when there is none. */
const struct act_histogram *act_log_find(const struct act_log *log, const char *name);

/* Lines so far that stood where none like them should. */
uint64_t act_log_damaged_lines(const struct act_log *log);
