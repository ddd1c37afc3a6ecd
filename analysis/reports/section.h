#pragma once
#include <stdio.h>

#include "analysis/judge.h"

/*
 * What one table of the text report is about: a stream of all devices together (judgement
 * 0), or of device judgement - 1.
 */
struct section {
	const struct result *result;
	size_t judgement;
	size_t stream;
	unsigned columns; /* enum columns */
};

/* Prints one table. */
typedef void section_print(const struct section *section, FILE *out);

/* Calls `print` for each stream that is judged, or is not: all devices together, and when it
 * is judged each that issues it, too. A stream of a single device has that one alone. */
void sections_print(const struct result *result, bool judged, unsigned columns,
		    section_print *print, FILE *out);

/* "\nreads, /dev/b (5 % over 1 ms, 1 % over 8 ms)\n": its name, whose it is, its limits. */
void section_print_title(const struct section *section, FILE *out);

/* The sums of judgement `section->judgement` in a slice, a phase or the run. */
const struct summary *section_sums(const struct section *section, const struct judgement *all,
				   const struct judgement *devices);

/* The word in its rows: "-" where its latency is not judged, by phase or stream, and nothing
 * else went wrong. */
const char *section_verdict(const struct section *section, size_t phase, enum verdict verdict);
