#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "analysis/act_counts.h"

Test(act_counts, headings)
{
	static const struct {
		const char *line;
		bool is_one;
		size_t tag_length;
		uint64_t total;
	} lines[] = {
	    {"reads (123 total)", true, 5, 123},
	    {"RAW READS          (18446744073709551615 total)", true, 9, UINT64_MAX},
	    {"/dev/disk (1) (2 total)", true, 13, 2},
	    {"a (0 total)", true, 1, 0},
	    {"reads (18446744073709551616 total)", false, 0, 0},
	    {"reads (-1 total)", false, 0, 0},
	    {"reads ( total)", false, 0, 0},
	    {"reads(1 total)", false, 0, 0},
	    {" (1 total)", false, 0, 0},
	    {"(1 total)", false, 0, 0},
	    {" total)", false, 0, 0},
	    {"total)", false, 0, 0},
	    {"reads (1 total", false, 0, 0},
	    {"", false, 0, 0},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t tag_length = 0;
		uint64_t total = 0;
		bool is_one =
		    act_counts_heading(lines[i].line, strlen(lines[i].line), &tag_length, &total);

		cr_assert(eq(int, is_one, lines[i].is_one), "%s", lines[i].line);
		cr_assert(eq(sz, tag_length, lines[i].tag_length), "%s", lines[i].line);
		cr_assert(eq(u64, is_one ? total : 0, lines[i].total), "%s", lines[i].line);
	}
}

Test(act_counts, buckets)
{
	static const struct {
		const char *line;
		bool is_one;
		unsigned bucket;
		uint64_t count;
		uint64_t sum;
	} lines[] = {
	    {" (00: 0000000002)", true, 0, 2, 2},
	    {" (00: 1234567890) (03: 9876543210)", true, 3, 9876543210, 11111111100},
	    {" (00: 0000000002)  (02: 0000000001) ", true, 2, 1, 3},
	    {" (63: 18446744073709551615)", true, 63, UINT64_MAX, UINT64_MAX},
	    {" (5: 7)", true, 5, 7, 7},
	    {" (100: 7)", false, 0, 0, 0},
	    {" (64: 0000000001)", false, 0, 0, 0},
	    {" (01: 0000000001) (01: 0000000001)", false, 0, 0, 0},
	    {" (01: 0000000001) (02: 18446744073709551615)", false, 0, 0, 0},
	    {" (01: 00000000:1)", false, 0, 0, 0},
	    {" (01: 00000/0001)", false, 0, 0, 0},
	    {" (01: -000000001)", false, 0, 0, 0},
	    {" (:1: 0000000001)", false, 0, 0, 0},
	    {" (01:00000000001)", false, 0, 0, 0},
	    {" (01: )", false, 0, 0, 0},
	    {" (01: 0000000001", false, 0, 0, 0},
	    {" [01: 0000000001)", false, 0, 0, 0},
	    {" )", false, 0, 0, 0},
	    {" ()", false, 0, 0, 0},
	    {" (: 1)", false, 0, 0, 0},
	    {" (1:", false, 0, 0, 0},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct act_histogram histogram = {.used = 0};
		uint64_t sum = 0;
		bool is_one =
		    act_counts_buckets(&histogram, lines[i].line, strlen(lines[i].line), &sum);

		cr_assert(eq(int, is_one, lines[i].is_one), "%s", lines[i].line);
		if (!is_one)
			continue;
		cr_assert(eq(u64, histogram.buckets[lines[i].bucket], lines[i].count), "%s",
			  lines[i].line);
		cr_assert(eq(sz, histogram.used, lines[i].bucket + 1), "%s", lines[i].line);
		cr_assert(eq(u64, sum, lines[i].sum), "%s", lines[i].line);
	}
}

/* Every digit in every place of the fast path. */
Test(act_counts, padded_numbers)
{
	char line[32];

	for (uint64_t number = 1, digit = 1; digit <= 9; digit++) {
		for (number = digit; number < 10000000000U; number = number * 10 + digit) {
			struct act_histogram histogram = {.used = 0};
			uint64_t sum = 0;

			snprintf(line, sizeof(line), " (07: %010llu)", (unsigned long long)number);
			cr_assert(act_counts_buckets(&histogram, line, strlen(line), &sum));
			cr_assert(eq(u64, histogram.buckets[7], number));
		}
	}
}
