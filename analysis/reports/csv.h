#pragma once
#include <stdio.h>

#include "analysis/judge.h"

/*
 * One row for each slice, device and stream, behind one line of headings, for
 * spreadsheets and scripts; rows of all devices together have no device. Rows end in
 * "\n"; fields with a comma, a quote or a line break stand in double quotes, as RFC 4180
 * has it. The columns stand in analysis/reports/csv.md.
 *
 * Each returns 0, -ENOMEM, or -EIO when `out` failed.
 */
int report_csv(const struct result *result, const char *log, FILE *out);

/* The rows of the slices from index `from` on; headings before the first slice. */
int report_csv_slices(const struct result *result, const char *log, size_t from, FILE *out);

/* A field of a row: a name of any bytes, escaped as in JSON when it is not UTF-8, and
 * quoted where it must be. 0 or -ENOMEM. */
int csv_print_name(const char *name, FILE *out);
