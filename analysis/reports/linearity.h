#pragma once
#include <stdio.h>

#include "analysis/linearity.h"

/*
 * Formats of a comparison: each is a pure function of it: 0, -ENOMEM, or -EIO when `out`
 * failed. CSV and JSON are described in linearity.md.
 */
struct linearity_report {
	const char *name; /* as --format takes it */
	int (*write)(const struct linearity *linearity, FILE *out);
};

/* NULL for a format that has none. */
const struct linearity_report *linearity_report_find(const char *name);

/* For people: the runs, how their jobs differ, a table for each device, one sentence for
 * each, and one for all. */
int report_linearity_text(const struct linearity *linearity, FILE *out);
/* One row for each device and judged stream behind a line of headings. */
int report_linearity_csv(const struct linearity *linearity, FILE *out);
int report_linearity_json(const struct linearity *linearity, FILE *out);
