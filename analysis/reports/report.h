#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/judge.h"

/*
 * All formats of a finished run, and of one that is being followed. A new one is
 * one file and one line in the table in report.c. Each is a pure function of the
 * result and of the log's name as the user gave it: 0, -ENOMEM, or -EIO when `out`
 * failed.
 */
struct report {
	const char *name; /* as --format takes it */
	int (*write)(const struct result *result, const char *log, FILE *out);
	/* What slices from index `from` on are told by while a run goes on: `result` is
	 * what is known when they are finished. */
	int (*slices)(const struct result *result, const char *log, size_t from, FILE *out);
	/* Behind the slices, the whole report comes when the run has ended. */
	bool whole_behind;
	/* The first line is one of headings, which need not stand twice. */
	bool headings;
};

/* NULL for an unknown name. */
const struct report *report_find(const char *name);
/* "text, json" */
void report_list(char *text, size_t size);
