#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analysis/base64.h"
#include "analysis/histogram.h"

/*
 * The V2 payload of HdrHistogram (AbstractHistogram.java, encodeIntoByteBuffer
 * and encodeIntoCompressedByteBuffer). All numbers are big-endian:
 *
 *   outer: cookie, length, then a zlib stream of `length` bytes that holds
 *   inner: cookie, bytes of counts, normalizing index offset, significant
 *          digits (32 bits each); lowest discernible and highest trackable
 *          value (64 bits each); conversion ratio (double); counts.
 *
 * A count is a ZigZag LEB128 number of at most 9 bytes; -n stands for n empty
 * buckets. The low byte's high nibble of a cookie is the word size, 1 since V2.
 *
 * The index offset and the ratio are not looked at: counts stand in the order of
 * their values whatever the offset, and implementations fill both differently.
 */

#define OUTER_COOKIE       UINT32_C(0x1c849304)
#define INNER_COOKIE       UINT32_C(0x1c849303)
#define WORD_SIZE_MASK     UINT32_C(0xf0)
#define WORD_SIZE          UINT32_C(0x10)
#define SIGNIFICANT_DIGITS 2
#define LOWEST_NS          1
#define RATIO_ONE          UINT64_C(0x3ff0000000000000) /* 1.0 as an IEEE 754 double */

#define OUTER_HEADER_BYTES 8
#define INNER_HEADER_BYTES 40
#define COUNT_BYTES_MAX    9
#define INNER_BYTES_MAX    (INNER_HEADER_BYTES + HISTOGRAM_BUCKETS * COUNT_BYTES_MAX)

static uint8_t *put_u32(uint8_t *at, uint32_t value)
{
	uint32_t big = htobe32(value);

	memcpy(at, &big, sizeof(big));
	return at + sizeof(big);
}

static uint8_t *put_u64(uint8_t *at, uint64_t value)
{
	uint64_t big = htobe64(value);

	memcpy(at, &big, sizeof(big));
	return at + sizeof(big);
}

static uint32_t get_u32(const uint8_t *at)
{
	uint32_t big;

	memcpy(&big, at, sizeof(big));
	return be32toh(big);
}

static uint64_t get_u64(const uint8_t *at)
{
	uint64_t big;

	memcpy(&big, at, sizeof(big));
	return be64toh(big);
}

static uint8_t *put_count(uint8_t *at, int64_t value)
{
	uint64_t rest = ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);

	for (int i = 1; i < COUNT_BYTES_MAX && rest > 0x7f; i++) {
		*at++ = (uint8_t)(rest | 0x80);
		rest >>= 7;
	}
	*at++ = (uint8_t)rest; /* the ninth byte carries 8 bits */
	return at;
}

/* The position behind the number, or NULL when it is cut off. */
static const uint8_t *get_count(const uint8_t *at, const uint8_t *end, int64_t *ret)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < COUNT_BYTES_MAX; i++) {
		if (at == end)
			return NULL;

		uint64_t byte = *at++;
		bool last = i == COUNT_BYTES_MAX - 1 || byte < 0x80;

		bits |= (last ? byte : byte & 0x7f) << (7 * i);
		if (last)
			break;
	}
	*ret = (int64_t)(bits >> 1) ^ -(int64_t)(bits & 1);
	return at;
}

static uint8_t *put_counts(uint8_t *at, const struct histogram *histogram)
{
	uint32_t end = histogram->total ? histogram_index(histogram->max_ns) + 1 : 0;
	uint32_t i = 0;

	while (i < end) {
		uint32_t start = i;

		while (i < end && !histogram->counts[i])
			i++;
		if (i - start > 1)
			at = put_count(at, -(int64_t)(i - start));
		else if (i - start == 1)
			at = put_count(at, 0);
		if (i < end)
			at = put_count(at, (int64_t)histogram->counts[i++]);
	}
	return at;
}

static size_t put_inner(uint8_t inner[static INNER_BYTES_MAX], const struct histogram *histogram)
{
	uint8_t *end = put_counts(inner + INNER_HEADER_BYTES, histogram);
	uint8_t *at = inner;

	at = put_u32(at, INNER_COOKIE | WORD_SIZE);
	at = put_u32(at, (uint32_t)(end - inner - INNER_HEADER_BYTES));
	at = put_u32(at, 0);
	at = put_u32(at, SIGNIFICANT_DIGITS);
	at = put_u64(at, LOWEST_NS);
	at = put_u64(at, HISTOGRAM_MAX_NS);
	put_u64(at, RATIO_ONE);
	return (size_t)(end - inner);
}

char *histogram_encode(const struct histogram *histogram)
{
	uint8_t inner[INNER_BYTES_MAX];
	size_t inner_bytes = put_inner(inner, histogram);
	uLongf zlib_bytes = compressBound(inner_bytes);
	uint8_t *outer = malloc(OUTER_HEADER_BYTES + zlib_bytes);
	char *text = NULL;

	if (!outer)
		return NULL;
	if (compress2(outer + OUTER_HEADER_BYTES, &zlib_bytes, inner, inner_bytes, Z_BEST_SPEED) ==
	    Z_OK) {
		put_u32(put_u32(outer, OUTER_COOKIE | WORD_SIZE), (uint32_t)zlib_bytes);
		text = base64_encode(outer, OUTER_HEADER_BYTES + zlib_bytes);
	}
	free(outer);
	return text;
}

/* One bucket or one run of empty ones; -EINVAL when it leaves the buckets or the
 * sum leaves 64 bits. */
static int take_count(struct histogram *histogram, uint32_t *index, int64_t count)
{
	uint32_t i = *index;

	if (count <= 0) {
		uint64_t empty = count ? -(uint64_t)count : 1;

		if (empty > HISTOGRAM_BUCKETS - i)
			return -EINVAL;
		*index = i + (uint32_t)empty;
		return 0;
	}
	if (i == HISTOGRAM_BUCKETS ||
	    __builtin_add_overflow(histogram->total, (uint64_t)count, &histogram->total))
		return -EINVAL;
	histogram->counts[i] = (uint64_t)count;
	if (histogram->min_ns == UINT64_MAX)
		histogram->min_ns = histogram_bucket_low_ns(i);
	histogram->max_ns = histogram_bucket_high_ns(i);
	*index = i + 1;
	return 0;
}

static int take_inner(struct histogram *histogram, const uint8_t *inner, size_t bytes)
{
	if (bytes < INNER_HEADER_BYTES || (get_u32(inner) & ~WORD_SIZE_MASK) != INNER_COOKIE ||
	    get_u32(inner + 4) > bytes - INNER_HEADER_BYTES ||
	    get_u32(inner + 12) != SIGNIFICANT_DIGITS || get_u64(inner + 16) != LOWEST_NS)
		return -EINVAL;

	const uint8_t *at = inner + INNER_HEADER_BYTES;
	const uint8_t *end = at + get_u32(inner + 4);
	uint32_t index = 0;

	while (at < end) {
		int64_t count;

		at = get_count(at, end, &count);
		if (!at || take_count(histogram, &index, count) < 0)
			return -EINVAL;
	}
	return 0;
}

static int take_outer(struct histogram *histogram, const uint8_t *outer, size_t bytes)
{
	uint8_t inner[INNER_BYTES_MAX];
	uLongf inner_bytes = sizeof(inner);

	if (bytes < OUTER_HEADER_BYTES || (get_u32(outer) & ~WORD_SIZE_MASK) != OUTER_COOKIE ||
	    get_u32(outer + 4) > bytes - OUTER_HEADER_BYTES)
		return -EINVAL;

	int rc = uncompress(inner, &inner_bytes, outer + OUTER_HEADER_BYTES, get_u32(outer + 4));
	if (rc != Z_OK)
		return rc == Z_MEM_ERROR ? -ENOMEM : -EINVAL;
	return take_inner(histogram, inner, inner_bytes);
}

int histogram_decode(struct histogram *into, const char *text, size_t length)
{
	struct histogram histogram;
	uint8_t *outer;
	size_t bytes;
	uint64_t sum;

	int rc = base64_decode(text, length, &outer, &bytes);
	if (rc < 0)
		return rc;
	histogram_init(&histogram);
	rc = take_outer(&histogram, outer, bytes);
	free(outer);
	if (rc < 0)
		return rc;
	if (__builtin_add_overflow(into->total, histogram.total, &sum))
		return -EINVAL;
	histogram_merge(into, &histogram);
	return 0;
}
