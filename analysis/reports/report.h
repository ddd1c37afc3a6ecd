#pragma once
#include <stddef.h>
#include <stdio.h>

#include "analysis/judge.h"

/*
 * All formats of a finished run. A new one is one file and one line in the table
 * in report.c. Each is a pure function of the result: 0, -ENOMEM, or -EIO when
 * `out` failed.
 */
struct report {
	const char *name; /* as --format takes it */
	int (*write)(const struct result *result, FILE *out);
};

/* NULL for an unknown name. */
const struct report *report_find(const char *name);
/* "text, json" */
void report_list(char *text, size_t size);
