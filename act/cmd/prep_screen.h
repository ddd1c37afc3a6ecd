#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "act/prep/prep.h"

/*
 * What a preparation shows: one line that updates itself on a terminal, a line for each
 * device now and then elsewhere, lines on what happened, and the summary.
 */

struct prep_screen {
	const struct prep *prep;
	bool quiet;
	bool terminal;
	FILE *log; /* what happened, with times; NULL: no log */
	bool line_open;
	uint64_t next_line_ns; /* where there is no terminal */
};

/* For struct prep_observer; `state` is the screen. */
void prep_screen_progress(void *state, const struct prep_status *statuses, size_t count);
void prep_screen_notice(void *state, const char *name, const char *text);
void prep_screen_clear(struct prep_screen *screen);

/* What is wrong with a device, on stderr. */
void prep_screen_complain(const struct prep_report *report);
/* The summary: one line on stdout. */
void prep_screen_report(const struct prep_report *report);
/* The same of all devices as JSON (prep_json.c): 0, or -ENOMEM. */
int prep_screen_json(const struct prep *prep, FILE *out);
