#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/act_log.h"

/* The two kinds of lines that nearly all of an old log consists of; lines come
 * without their end. */

/* "reads (123 total)": the length of the tag and the total; false when the line is no
 * heading of a histogram. */
bool act_counts_heading(const char *line, size_t length, size_t *ret_tag_length,
			uint64_t *ret_total);

/* " (00: 0000000123) (01: 0000000004)": adds the buckets and *sum; false when the line is
 * not of that form, a bucket comes twice, or the sum leaves 64 bits. */
bool act_counts_buckets(struct act_histogram *histogram, const char *line, size_t length,
			uint64_t *sum);

/* A number that must be all of text[0..length): false when it is none or too large. */
bool act_counts_number(const char *text, size_t length, uint64_t *ret);
