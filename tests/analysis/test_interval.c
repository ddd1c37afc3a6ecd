#include "analysis/interval.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "act/base/clock.h"
#include "act/base/random.h"
#include "tests/support/record_simple.h"

static const struct tally_scale scale = {
    .threshold_ns = {NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS},
    .threshold_count = 3,
    .power_unit_ns = NS_PER_MS,
};

static void assert_same(const void *a, const void *b, size_t size)
{
	cr_assert(eq(mem, ((struct cr_mem){a, size}), ((struct cr_mem){b, size})));
}

/* How many of the thresholds are exceeded. */
static size_t count_set(const uint64_t over[THRESHOLDS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < THRESHOLDS_MAX; i++)
		count += over[i] == 1;
	return count;
}

Test(tally, counts_over_each_threshold)
{
	static const struct {
		uint64_t lag_ns, service_ns;
		bool held;
		size_t over, service_over, device_over; /* how many thresholds */
	} cases[] = {
	    {0, NS_PER_MS - 1, false, 0, 0, 0},
	    {0, NS_PER_MS, false, 1, 1, 1}, /* exactly the threshold is over it */
	    {1, NS_PER_MS - 1, false, 1, 0, 0},
	    {1, NS_PER_MS - 1, true, 1, 0, 1},
	    {0, NS_PER_MS - 1, true, 0, 0, 0},
	    {NS_PER_MS, NS_PER_MS, false, 1, 1, 1},
	    {7 * NS_PER_MS, NS_PER_MS, false, 2, 1, 1},
	    {7 * NS_PER_MS, NS_PER_MS, true, 2, 1, 2},
	    {64 * NS_PER_MS, 0, true, 3, 0, 3},
	    {64 * NS_PER_MS, 0, false, 3, 0, 0},
	    {0, 64 * NS_PER_MS - 1, false, 2, 2, 2},
	    {0, 64 * NS_PER_MS, false, 3, 3, 3},
	    {0, 3600 * NS_PER_SEC, false, 3, 3, 3},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tally tally;

		tally_init(&tally);
		record_simple(&tally, &scale, cases[i].lag_ns, cases[i].service_ns, cases[i].held);
		cr_expect(eq(sz, count_set(tally.over), cases[i].over), "case %zu", i);
		cr_expect(eq(sz, count_set(tally.service_over), cases[i].service_over), "case %zu",
			  i);
		cr_expect(eq(sz, count_set(tally.device_over), cases[i].device_over), "case %zu",
			  i);
	}
}

Test(tally, keeps_the_place_of_the_first_wrong_read)
{
	struct tally sum, none, first, second;

	tally_init(&sum);
	tally_init(&none);
	tally_init(&first);
	tally_init(&second);
	none.verified_sectors = 3;
	first.mismatches = 2;
	first.mismatch_offset_bytes = 4096;
	first.torn = 1;
	second.mismatches = 1;
	second.mismatch_offset_bytes = 512;
	tally_merge(&sum, &none);
	tally_merge(&sum, &first);
	tally_merge(&sum, &none);
	tally_merge(&sum, &second);
	cr_expect(eq(u64, sum.mismatches, 3));
	cr_expect(eq(u64, sum.mismatch_offset_bytes, 4096));
	cr_expect(eq(u64, sum.verified_sectors, 6));
	cr_expect(eq(u64, sum.torn, 1));
	tally_clear(&sum);
	cr_expect(eq(u64, sum.mismatches + sum.verified_sectors + sum.torn, 0));
}

Test(tally, puts_powers_of_two_in_the_older_tools_buckets)
{
	static const struct {
		uint64_t unit_ns, response_ns;
		size_t bucket;
	} cases[] = {
	    {NS_PER_MS, 0, 0},
	    {NS_PER_MS, NS_PER_MS - 1, 0},
	    {NS_PER_MS, NS_PER_MS, 1},
	    {NS_PER_MS, 2 * NS_PER_MS - 1, 1},
	    {NS_PER_MS, 2 * NS_PER_MS, 2},
	    {NS_PER_MS, 4 * NS_PER_MS - 1, 2},
	    {NS_PER_MS, 4 * NS_PER_MS, 3},
	    {NS_PER_MS, 64 * NS_PER_MS - 1, 6},
	    {NS_PER_MS, 64 * NS_PER_MS, 7},
	    {NS_PER_US, 999, 0},
	    {NS_PER_US, 1000, 1},
	    {NS_PER_US, 1023999, 10},
	    {NS_PER_US, 1024000, 11},
	    {NS_PER_US, (UINT64_C(1) << 38) * 1000, POWERS - 1},
	    {NS_PER_US, UINT64_MAX, POWERS - 1},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tally_scale unit = scale;
		struct tally tally;

		unit.power_unit_ns = cases[i].unit_ns;
		tally_init(&tally);
		record_simple(&tally, &unit, 0, cases[i].response_ns, false);
		cr_expect(eq(u64, tally.power[cases[i].bucket], 1), "case %zu", i);
	}
}

/* Number of bits of value / unit, by dividing. */
static size_t power_by_division(uint64_t value, uint64_t unit)
{
	size_t bits = 0;

	for (uint64_t rest = value / unit; rest; rest >>= 1)
		bits++;
	return bits < POWERS ? bits : POWERS - 1;
}

Test(tally, powers_equal_those_found_by_dividing)
{
	struct random random;

	random_init(&random, 1, 0);
	for (int i = 0; i < 20000; i++) {
		struct tally_scale unit = {.power_unit_ns = i % 2 ? NS_PER_MS : NS_PER_US};
		uint64_t value = random_next(&random) >> (i % 64);
		static struct tally tally;

		tally_init(&tally);
		record_simple(&tally, &unit, 0, value, false);
		cr_assert(eq(u64, tally.power[power_by_division(value, unit.power_unit_ns)], 1));
	}
}

Test(tally, records_response_service_and_lag)
{
	struct tally tally;

	tally_init(&tally);
	record_simple(&tally, &scale, 5, 100, false);
	record_simple(&tally, &scale, 20, 30, false);
	cr_assert(eq(u64, tally.completed, 2));
	cr_assert(eq(u64, tally.bytes, 0));
	cr_assert(eq(u64, tally.issued, 0));
	cr_assert(eq(u64, tally.max_ns[SPAN_RESPONSE], 105));
	cr_assert(eq(u64, tally.max_ns[SPAN_SERVICE], 100));
	cr_assert(eq(u64, tally.max_ns[SPAN_LAG], 20));
	cr_assert(eq(u64, tally.span[SPAN_RESPONSE].min_ns, 50));
	cr_assert(eq(u64, tally.span[SPAN_RESPONSE].counts[105], 1));
	cr_assert(eq(u64, tally.span[SPAN_SERVICE].counts[30], 1));
	cr_assert(eq(u64, tally.span[SPAN_LAG].counts[5], 1));
}

static void fill(struct tally *tally, uint64_t seed)
{
	struct random random;

	random_init(&random, seed, 0);
	for (int i = 0; i < 500; i++)
		record_simple(tally, &scale, random_next(&random) >> 44,
			      random_next(&random) >> (20 + i % 40), i % 2);
	tally->planned += 500 + seed;
	tally->issued += 500;
	tally->errors += seed;
	tally->retries += 2 * seed;
	tally->bytes += 1536 * seed;
	tally->backlog_device += seed;
	tally->backlog_host += 3 * seed;
}

Test(tally, merging_equals_recording_in_one)
{
	static struct tally parts, part, whole;

	tally_init(&parts);
	tally_init(&whole);
	for (uint64_t seed = 1; seed < 4; seed++) {
		tally_init(&part);
		fill(&part, seed);
		fill(&whole, seed);
		tally_merge(&parts, &part);
	}
	assert_same(&parts, &whole, sizeof(parts));
}

Test(tally, clearing_equals_a_new_one)
{
	static struct tally used, fresh;

	tally_init(&used);
	tally_init(&fresh);
	fill(&used, 9);
	tally_clear(&used);
	assert_same(&used, &fresh, sizeof(used));
}

Test(interval, has_a_tally_for_each_device_and_stream)
{
	struct interval interval;
	static struct tally fresh;

	tally_init(&fresh);
	cr_assert(eq(int, interval_init(&interval, 2, 3), 0));
	for (size_t device = 0; device < 2; device++)
		for (size_t stream = 0; stream < 3; stream++)
			fill(interval_tally(&interval, device, stream), device * 3 + stream);
	for (size_t i = 0; i < 6; i++)
		cr_assert(eq(u64, interval.tallies[i].errors, i));
	interval.number = 7;
	interval.late = true;
	interval_clear(&interval);
	cr_assert(eq(u64, interval.number, 0));
	cr_assert(not(interval.late));
	for (size_t i = 0; i < 6; i++)
		assert_same(&interval.tallies[i], &fresh, sizeof(fresh));
	interval_release(&interval);
	cr_assert(eq(ptr, interval.tallies, NULL));
}

Test(span, has_a_name)
{
	cr_assert(eq(int, strcmp(span_name(SPAN_RESPONSE), "response"), 0));
	cr_assert(eq(int, strcmp(span_name(SPAN_SERVICE), "service"), 0));
	cr_assert(eq(int, strcmp(span_name(SPAN_LAG), "lag"), 0));
}
