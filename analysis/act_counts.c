#include "analysis/act_counts.h"

#include <string.h>

#define ITEM_BYTES 16 /* "(00: 0000000123)" */

bool act_counts_number(const char *text, size_t length, uint64_t *ret)
{
	uint64_t number = 0;

	if (length == 0)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned digit = (unsigned)(text[i] - '0');

		if (digit > 9 || __builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)digit, &number))
			return false;
	}
	*ret = number;
	return true;
}

bool act_counts_heading(const char *line, size_t length, size_t *ret_tag_length,
			uint64_t *ret_total)
{
	static const char suffix[] = " total)";
	size_t end = length - (sizeof(suffix) - 1);
	size_t at = end;

	if (length < sizeof(suffix) || memcmp(line + end, suffix, sizeof(suffix) - 1) != 0)
		return false;
	while (at > 0 && line[at - 1] >= '0' && line[at - 1] <= '9')
		at--;
	if (at < 2 || line[at - 1] != '(' || line[at - 2] != ' ' ||
	    !act_counts_number(line + at, end - at, ret_total))
		return false;
	at -= 2;
	while (at > 0 && line[at - 1] == ' ')
		at--;
	*ret_tag_length = at;
	return at > 0;
}

/* The number of eight digits at `text`, all at once: neighbours are combined, then
 * pairs, then fours. False when one is no digit. */
static inline bool eight_digits(const char *text, uint64_t *ret)
{
	uint64_t bytes;

	memcpy(&bytes, text, sizeof(bytes));
	if (((bytes & 0xf0f0f0f0f0f0f0f0U) |
	     (((bytes + 0x0606060606060606U) & 0xf0f0f0f0f0f0f0f0U) >> 4)) != 0x3333333333333333U)
		return false;
	bytes -= 0x3030303030303030U;
	bytes = bytes * 10 + (bytes >> 8);
	*ret = ((bytes & 0x000000ff000000ffU) * 0x000f424000000064U +
		((bytes >> 16) & 0x000000ff000000ffU) * 0x0000271000000001U) >>
	       32;
	return true;
}

static inline bool two_digits(const char *text, unsigned *ret)
{
	unsigned tens = (unsigned)(text[0] - '0');
	unsigned ones = (unsigned)(text[1] - '0');

	*ret = tens * 10 + ones;
	return tens <= 9 && ones <= 9;
}

/* An item as the tool pads it, all that occur in practice; the reader's time goes
 * here. */
static inline bool padded_item(const char *text, const char *end, unsigned *ret_bucket,
			       uint64_t *ret_count)
{
	unsigned low;
	uint64_t high;

	if (end - text < ITEM_BYTES || text[0] != '(' || text[3] != ':' || text[4] != ' ' ||
	    text[15] != ')' || !two_digits(text + 1, ret_bucket) ||
	    !eight_digits(text + 5, &high) || !two_digits(text + 13, &low))
		return false;
	*ret_count = high * 100 + low;
	return true;
}

/* An item of any width; *text moves behind it. */
static bool any_item(const char **text, const char *end, unsigned *ret_bucket, uint64_t *ret_count)
{
	const char *close = memchr(*text, ')', (size_t)(end - *text));
	const char *colon = close ? memchr(*text, ':', (size_t)(close - *text)) : NULL;
	uint64_t bucket;

	if (!colon || **text != '(' || colon[1] != ' ' ||
	    !act_counts_number(*text + 1, (size_t)(colon - *text - 1), &bucket) ||
	    bucket >= ACT_BUCKETS ||
	    !act_counts_number(colon + 2, (size_t)(close - colon - 2), ret_count))
		return false;
	*ret_bucket = (unsigned)bucket;
	*text = close + 1;
	return true;
}

bool act_counts_buckets(struct act_histogram *histogram, const char *line, size_t length,
			uint64_t *sum)
{
	const char *end = line + length;

	for (;;) {
		unsigned bucket;
		uint64_t count;

		while (line < end && *line == ' ')
			line++;
		if (line == end)
			return true;
		if (padded_item(line, end, &bucket, &count))
			line += ITEM_BYTES;
		else if (!any_item(&line, end, &bucket, &count))
			return false;
		if (bucket >= ACT_BUCKETS || histogram->buckets[bucket] != 0 ||
		    __builtin_add_overflow(*sum, count, sum))
			return false;
		histogram->buckets[bucket] = count;
		if (bucket >= histogram->used)
			histogram->used = bucket + 1;
	}
}
