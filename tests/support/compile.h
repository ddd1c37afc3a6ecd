#pragma once
#include "act/config/config.h"
#include "act/workload/workload.h"

/*
 * Workloads from the text of a config, in which ' stands for ". Where it names no device, it
 * has /dev/a.
 */

/* Read, settled, checked and compiled: 0, or the -errno of what refuses it, with a text in
 * which the file is called F. */
int compile_try(const char *text, struct config *ret_config, struct workload *ret,
		struct error *err);
/* Aborts on an error. */
struct workload compile(const char *text);
/* NULL: there is none of the name. */
const struct stream *compile_find(const struct workload *workload, const char *name);

/* What a stream is issued with. */
struct compile_rate {
	const char *name;
	uint64_t num; /* 0: the stream must not be there */
	uint64_t den;
};

/* A config, and all its rates; those of streams that are not named are not looked at. */
struct compile_case {
	const char *what;
	const char *text;
	struct compile_rate rates[8];
};

/* Writes what differs to stderr, and returns how many of the rates do. */
int compile_compare(const struct compile_case *one);
