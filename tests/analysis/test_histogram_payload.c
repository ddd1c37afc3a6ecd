#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "act/base/random.h"
#include "analysis/base64.h"
#include "analysis/histogram.h"

static int decode(struct histogram *into, const char *text)
{
	return histogram_decode(into, text, strlen(text));
}

/* Counts, total and overflow apart, minimum and maximum are bucket ends. */
static void assert_same_counts(const struct histogram *decoded, const struct histogram *original)
{
	cr_assert(eq(u64, decoded->total, original->total));
	cr_assert(eq(mem, ((struct cr_mem){decoded->counts, sizeof(decoded->counts)}),
		     ((struct cr_mem){original->counts, sizeof(original->counts)})));
	if (!original->total)
		return;
	cr_assert(eq(u32, histogram_index(decoded->min_ns), histogram_index(original->min_ns)));
	cr_assert(eq(u32, histogram_index(decoded->max_ns), histogram_index(original->max_ns)));
}

static void assert_round_trip(const struct histogram *original)
{
	struct histogram decoded;
	char *text = histogram_encode(original);

	histogram_init(&decoded);
	cr_assert(ne(ptr, text, NULL));
	cr_assert(eq(int, strncmp(text, "HISTFA", 6), 0));
	cr_assert(eq(int, decode(&decoded, text), 0));
	assert_same_counts(&decoded, original);
	free(text);
}

Test(histogram_payload, round_trips)
{
	struct histogram histogram;
	struct random random;

	random_init(&random, 3, 0);
	histogram_init(&histogram);
	assert_round_trip(&histogram);
	histogram_record(&histogram, 0);
	assert_round_trip(&histogram);
	histogram_record(&histogram, 2); /* a single empty bucket between */
	histogram_record(&histogram, UINT64_MAX);
	assert_round_trip(&histogram);
	for (int i = 0; i < 10000; i++)
		histogram_record(&histogram, random_next(&random) >> (i % 64));
	assert_round_trip(&histogram);
}

Test(histogram_payload, carries_large_counts)
{
	static const uint64_t counts[] = {
	    1, 63, 64, 8191, 8192, UINT64_C(1) << 31, UINT64_C(1) << 55, UINT64_C(1) << 62,
	};
	struct histogram histogram;

	histogram_init(&histogram);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint32_t index = 100 + (uint32_t)i * 3;

		histogram_record(&histogram, histogram_bucket_low_ns(index));
		histogram.counts[index] = counts[i];
		histogram.total += counts[i] - 1;
	}
	assert_round_trip(&histogram);
}

Test(histogram_payload, adds_to_what_is_there)
{
	struct histogram histogram;

	histogram_init(&histogram);
	histogram_record(&histogram, 5);
	histogram_record(&histogram, 5000);

	char *text = histogram_encode(&histogram);

	cr_assert(eq(int, decode(&histogram, text), 0));
	cr_assert(eq(u64, histogram.total, 4));
	cr_assert(eq(u64, histogram.counts[5], 2));
	cr_assert(eq(u64, histogram.min_ns, 5));
	cr_assert(eq(u64, histogram.max_ns, histogram_bucket_high_ns(histogram_index(5000))));
	free(text);
}

Test(histogram_payload, reads_what_another_implementation_wrote)
{
	FILE *file = fopen(TESTS_DIR "/golden/histogram_v2.txt", "re");
	struct histogram expected;
	struct histogram decoded;
	char payload[256] = "";
	char line[256];

	cr_assert(ne(ptr, file, NULL));
	histogram_init(&expected);
	histogram_init(&decoded);
	while (fgets(line, sizeof(line), file)) {
		uint64_t value;
		uint64_t count;

		if (sscanf(line, "%" SCNu64 " %" SCNu64, &value, &count) == 2) {
			histogram_record(&expected, value);
			expected.counts[histogram_index(value)] += count - 1;
			expected.total += count - 1;
		} else if (line[0] != '#') {
			line[strcspn(line, "\n")] = '\0';
			memcpy(payload, line, sizeof(payload));
		}
	}
	fclose(file);
	cr_assert(gt(u64, expected.total, 0));
	cr_assert(eq(int, decode(&decoded, payload), 0));
	assert_same_counts(&decoded, &expected);
}

/* A payload with one byte of the zlib stream's surroundings changed. */
static char *spoiled(size_t position, uint8_t value)
{
	struct histogram histogram;
	uint8_t *bytes;
	size_t count;

	histogram_init(&histogram);
	histogram_record(&histogram, 12345);

	char *text = histogram_encode(&histogram);

	cr_assert(eq(int, base64_decode(text, strlen(text), &bytes, &count), 0));
	free(text);
	bytes[position] = value;
	text = base64_encode(bytes, count);
	free(bytes);
	return text;
}

Test(histogram_payload, refuses_what_is_none)
{
	static const char *const texts[] = {
	    "",
	    "HIST",
	    "HISTFAAA",
	    "not base64!!",
	    "HISTFAAAABx42pNpmSzMwMDAxMDAwAwlGBkYGAABtwC6",
	    "AAAAAAAAAAAAAAAA",
	};
	static const struct {
		size_t position;
		uint8_t value;
	} changes[] = {{0, 0x1d}, {3, 0x15}, {4, 0xff}, {7, 0xff}, {8, 0}, {20, 0xff}};
	struct histogram histogram;
	struct histogram empty;

	histogram_init(&histogram);
	histogram_init(&empty);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_expect(eq(int, decode(&histogram, texts[i]), -EINVAL), "%s", texts[i]);
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		char *text = spoiled(changes[i].position, changes[i].value);

		cr_expect(eq(int, decode(&histogram, text), -EINVAL), "%zu", i);
		free(text);
	}
	cr_assert(eq(mem, ((struct cr_mem){&histogram, sizeof(histogram)}),
		     ((struct cr_mem){&empty, sizeof(empty)})));
}

Test(histogram_payload, refuses_a_total_beyond_64_bits)
{
	struct histogram histogram;

	histogram_init(&histogram);
	histogram_record(&histogram, 1);
	histogram.counts[1] = UINT64_C(1) << 62;
	histogram.total = UINT64_C(1) << 62;

	char *text = histogram_encode(&histogram);

	cr_assert(eq(int, decode(&histogram, text), 0));
	cr_assert(eq(int, decode(&histogram, text), 0));
	cr_assert(eq(int, decode(&histogram, text), -EINVAL));
	cr_assert(eq(u64, histogram.total, 3 * (UINT64_C(1) << 62)));
	free(text);
}

#define OUTER_HEADER_BYTES 8
#define INNER_BYTES        65536

/* A payload around `inner`, whatever it holds. */
static char *wrap(const uint8_t *inner, size_t bytes)
{
	static uint8_t outer[OUTER_HEADER_BYTES + 2 * INNER_BYTES] = {0x1c, 0x84, 0x93, 0x14};
	uLongf length = sizeof(outer) - OUTER_HEADER_BYTES;

	cr_assert(eq(int, compress(outer + OUTER_HEADER_BYTES, &length, inner, bytes), Z_OK));
	for (int i = 0; i < 4; i++)
		outer[4 + i] = (uint8_t)(length >> (24 - 8 * i));
	return base64_encode(outer, OUTER_HEADER_BYTES + length);
}

static size_t unwrap(const char *text, uint8_t inner[INNER_BYTES])
{
	uLongf length = INNER_BYTES;
	uint8_t *outer;
	size_t count;

	cr_assert(eq(int, base64_decode(text, strlen(text), &outer, &count), 0));
	cr_assert(eq(
	    int, uncompress(inner, &length, outer + OUTER_HEADER_BYTES, count - OUTER_HEADER_BYTES),
	    Z_OK));
	free(outer);
	return length;
}

Test(histogram_payload, survives_any_change)
{
	static uint8_t original[INNER_BYTES];
	static uint8_t inner[INNER_BYTES];
	struct histogram histogram;
	struct random random;
	int taken = 0;

	random_init(&random, 4, 0);
	histogram_init(&histogram);
	for (int i = 0; i < 200; i++)
		histogram_record(&histogram, random_next(&random) >> (i % 64));

	char *text = histogram_encode(&histogram);
	size_t length = unwrap(text, original);

	free(text);
	for (int i = 0; i < 5000; i++) {
		uint64_t sum = 0;

		memcpy(inner, original, length);
		for (uint64_t k = random_below(&random, 4); k < 4; k++)
			inner[random_below(&random, length)] = (uint8_t)random_next(&random);
		text = wrap(inner, length - random_below(&random, 2));
		histogram_init(&histogram);
		taken += decode(&histogram, text) == 0;
		for (size_t k = 0; k < HISTOGRAM_BUCKETS; k++)
			sum += histogram.counts[k];
		cr_assert(eq(u64, sum, histogram.total));
		free(text);
	}
	cr_assert(gt(int, taken, 0));
	cr_assert(lt(int, taken, 5000));
}

Test(histogram_payload, refuses_more_buckets_than_there_are)
{
	static uint8_t inner[INNER_BYTES];
	struct histogram histogram;

	histogram_init(&histogram);
	histogram_record(&histogram, HISTOGRAM_MAX_NS);

	char *text = histogram_encode(&histogram);
	size_t length = unwrap(text, inner);

	free(text);
	inner[length] = 2; /* one more, behind the last bucket */
	inner[7]++;
	text = wrap(inner, length + 1);
	cr_assert(eq(int, decode(&histogram, text), -EINVAL));
	cr_assert(eq(u64, histogram.total, 1));
	free(text);
}
