#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * How each version of the older tool, 1.x to 6.x, writes its log. Pure tables and
 * functions of text; lines come without their end.
 */

/* What a histogram counts. */
enum act_kind {
	ACT_READS, /* all reads, from request to response */
	ACT_WRITES,
	ACT_DEVICE_READS, /* all reads, from device call to return (up to 5.x) */
	ACT_DEVICE_WRITES,
	ACT_LARGE_READS,
	ACT_LARGE_WRITES,
	ACT_ONE_DEVICE_READS, /* those of one device */
	ACT_ONE_DEVICE_WRITES,
	ACT_OTHER_HISTOGRAM
};

struct act_name {
	const char *tag;  /* as it stands in the log */
	const char *name; /* as 6.x would say it */
	enum act_kind kind;
};

struct act_grammar {
	unsigned major_min; /* the versions of this grammar */
	unsigned major_max;
	const char *block; /* a block begins so, then "N sec:" */
	/* Up to 4.x a device's histogram is named by the device alone, and the second
	 * of that name in a block (of 4.x) counts writes; from 5.x on the name
	 * ends in "-reads" or "-writes". */
	bool bare_devices;
	/* Latencies were differences of clock readings in whole milliseconds. */
	bool whole_milliseconds;
	/* `reads` starts when a thread gets to the request, not when it was due. */
	bool closed_loop;
	const struct act_name *names; /* up to one without a tag */
};

/* Whether the line is a banner that tells a version ("ACT version 6.6"); 1.x, which
 * tells none, is 1.0. */
bool act_grammar_banner(const char *line, size_t length, unsigned *ret_major, unsigned *ret_minor);

/* NULL when no such version is known. */
const struct act_grammar *act_grammar_find(unsigned major);

/* Whether a log that begins with these bytes is the older tool's own. */
bool act_grammar_recognises(const char *text, size_t length);

/* The histogram of that tag, NULL when it is none of the fixed ones. */
const struct act_name *act_grammar_name(const struct act_grammar *grammar, const char *tag);
