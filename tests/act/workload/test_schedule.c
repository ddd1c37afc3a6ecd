#include "act/workload/schedule.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>

#include "act/base/clock.h"

#define DAY_NS (UINT64_C(86400) * NS_PER_SEC)

/* A share with one segment of this rate, unless it has some. */
struct asked {
	struct schedule_share share;
	struct schedule_segment only;
};

static struct schedule make(const struct asked *asked)
{
	struct schedule schedule;
	struct schedule_share share = asked->share;
	struct error err = {0};

	if (!share.segments) {
		share.segments = &asked->only;
		share.segment_count = 1;
	}
	cr_assert_eq(schedule_init(&schedule, &share, &err), 0, "%s", err.text);
	return schedule;
}

static struct asked uniform(uint64_t num, uint64_t den)
{
	return (struct asked){.share = {.stride = 1},
			      .only = {.end_ns = DAY_NS, .per_sec = ratio_make(num, den)}};
}

Test(schedule, a_day_at_600000_per_second_is_exact_at_its_last_request)
{
	const struct asked day = uniform(600000, 1);
	struct schedule schedule = make(&day);
	uint64_t count = UINT64_C(600000) * 86400;

	cr_assert_eq(schedule_count_before(&schedule, DAY_NS), count);
	/* The last one is one period, 1666.66... ns, before the end. */
	cr_assert_eq(schedule_start_ns(&schedule, count - 1), DAY_NS - 1667);
	cr_assert_eq(schedule_start_ns(&schedule, count), DAY_NS);
	cr_assert_eq(schedule_start_ns(&schedule, 0), 0);
	schedule_release(&schedule);
}

Test(schedule, large_blocks_of_30x_come_12000_in_17_seconds)
{
	const struct asked asked = uniform(12000, 17);
	struct schedule schedule = make(&asked);

	for (uint64_t i = 0; i < 10000; i++)
		cr_assert_eq(schedule_start_ns(&schedule, i * 12000), i * 17 * NS_PER_SEC);
	cr_assert_eq(schedule_count_before(&schedule, DAY_NS), UINT64_C(12000) * 86400 / 17 + 1);
	schedule_release(&schedule);
}

/* Starts rise, and are those that are taken, and the counts agree with them. */
static void check_first(const struct asked *asked, uint64_t upto, const char *what)
{
	struct schedule schedule = make(asked);
	uint64_t before = 0;

	for (uint64_t n = 0; n < upto; n++) {
		uint64_t start = schedule_take_ns(&schedule);

		cr_assert_eq(start, schedule_start_ns(&schedule, n), "%s n %lu", what, n);
		cr_assert_geq(start, before, "%s n %lu", what, n);
		if (start == SCHEDULE_NEVER) {
			cr_assert_eq(schedule_count_before(&schedule, SCHEDULE_NEVER - 1), n);
			break;
		}
		if (n % 97 == 0 && start > before)
			cr_assert_eq(schedule_count_before(&schedule, start), n, "%s n %lu", what,
				     n);
		if (n % 97 == 0)
			cr_assert_geq(schedule_count_before(&schedule, start + 1), n + 1,
				      "%s n %lu", what, n);
		before = start;
	}
	cr_assert_eq(schedule_count_before(&schedule, 0), 0);
	schedule_release(&schedule);
}

Test(schedule, starts_rise_and_counts_agree_with_them)
{
	static const struct asked asked[] = {
	    {{.stride = 1}, {.per_sec = {2000, 1}}},
	    {{.stride = 3, .index = 2, .phase = 40503}, {.per_sec = {12000, 17}}},
	    {{.stride = 1, .phase = 65535}, {.per_sec = {1, 1}}},
	    {{.stride = 2, .index = 1}, {.per_sec = {1000000, 1}}},
	    {{.stride = 1, .arrivals = SCHEDULE_POISSON, .seed = 7}, {.per_sec = {2000, 1}}},
	    {{.stride = 3, .index = 1, .arrivals = SCHEDULE_POISSON}, {.per_sec = {12000, 17}}},
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		check_first(&asked[i], 5000, "one segment");
}

/* The largest that are kept leave the largest rests. */
Test(schedule, rates_of_large_terms_are_taken_as_they_are_computed)
{
	static const struct asked asked[] = {
	    {{.stride = 7, .index = 3, .phase = 27146}, {.per_sec = {70368744177663, 70368741}}},
	    {{.stride = 5, .index = 4, .phase = 1}, {.per_sec = {70368744177661, 3}}},
	    {{.stride = 3, .phase = 65535}, {.per_sec = {999999937, 9223372036}}},
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		check_first(&asked[i], 200000, "large terms");
}

/* From 1 to 100000 per second, silence among them; the last one is silent or not. */
static size_t random_segments(struct random *random, struct schedule_segment *segments, size_t most)
{
	size_t count = 1 + random_below(random, most);
	uint64_t at_ns = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t num = random_below(random, 4) ? 1 + random_below(random, 100000) : 0;

		segments[i] = (struct schedule_segment){
		    .begin_ns = at_ns,
		    .end_ns = at_ns + random_below(random, 100 * NS_PER_MS),
		    .per_sec = ratio_make(num, 1 + random_below(random, 17)),
		};
		at_ns = segments[i].end_ns;
	}
	return count;
}

Test(schedule, in_segments_too)
{
	static struct schedule_segment segments[128];
	struct random random;

	random_init(&random, 6, 0);
	for (int i = 0; i < 40; i++) {
		struct asked asked = {.share = {.segments = segments, .seed = (uint64_t)i}};

		asked.share.segment_count = random_segments(&random, segments, i < 20 ? 6 : 128);
		asked.share.stride = 1 + (uint32_t)random_below(&random, 4);
		asked.share.index = (uint32_t)random_below(&random, asked.share.stride);
		asked.share.phase = (uint32_t)random_below(&random, SCHEDULE_PHASES);
		asked.share.arrivals = i % 2 ? SCHEDULE_POISSON : SCHEDULE_UNIFORM;
		check_first(&asked, i % 2 ? 6000 : 200000, i % 2 ? "poisson" : "uniform");
	}
}

Test(schedule, each_segment_has_its_requests_from_its_begin_on)
{
	static const struct schedule_segment segments[] = {
	    {0, 10 * NS_PER_SEC, {60000, 1}},
	    {10 * NS_PER_SEC, 20 * NS_PER_SEC, {30000, 1}},
	    {20 * NS_PER_SEC, 25 * NS_PER_SEC, {0, 1}},
	    {25 * NS_PER_SEC, 26 * NS_PER_SEC, {12000, 17}},
	    {26 * NS_PER_SEC, 0, {60000, 1}},
	};
	static const uint64_t counts[] = {600000, 300000, 0, 705, 60000};

	for (uint32_t phase = 0; phase < SCHEDULE_PHASES; phase += 9999) {
		const struct asked asked = {
		    .share = {
			.segments = segments, .segment_count = 5, .stride = 1, .phase = phase}};
		struct schedule schedule = make(&asked);
		uint64_t before = 0;

		for (size_t i = 0; i < 5; i++) {
			uint64_t begin = segments[i].begin_ns;
			uint64_t end = i < 4 ? segments[i].end_ns : 27 * NS_PER_SEC;
			uint64_t count = schedule_count_before(&schedule, end);

			/* 705.88 cannot be had: 705 or 706, as the phase falls */
			if (i == 3)
				cr_assert(count - before == 705 || count - before == 706);
			else
				cr_assert_eq(count - before, counts[i], "%zu: %lu", i,
					     count - before);
			if (counts[i] == 0)
				continue;
			/* Within a period of the begin, and of the end. */
			double period = 1e9 / ratio_to_double(segments[i].per_sec);
			uint64_t first = schedule_start_ns(&schedule, before);
			uint64_t last = schedule_start_ns(&schedule, count - 1);
			cr_assert(first >= begin && (double)(first - begin) <= period);
			cr_assert(last < end && (double)(end - last) <= period + 1);
			before = count;
		}
		schedule_release(&schedule);
	}
}

Test(schedule, each_border_of_128_segments_is_kept_for_a_day)
{
	static struct schedule_segment segments[128];
	uint64_t length = DAY_NS / 128;
	struct asked asked = {
	    .share = {.segments = segments, .segment_count = 128, .stride = 1, .phase = 27146}};
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 128; i++)
		segments[i] = (struct schedule_segment){i * length, (i + 1) * length,
							ratio_make(i % 3 ? 40000 + i : 0, 1)};
	struct schedule schedule = make(&asked);
	for (uint64_t i = 0; i < 128; i++) {
		cr_assert_eq(schedule_count_before(&schedule, i * length), sum);
		sum += i % 3 ? (40000 + i) * (length / NS_PER_SEC) : 0; /* 675 s */
	}
	cr_assert_eq(schedule_count_before(&schedule, DAY_NS), sum);
	cr_assert_eq(schedule_start_ns(&schedule, sum - 1),
		     127 * length + (uint64_t)(((675 * UINT64_C(40127) - 1) * NS_PER_SEC +
						(uint64_t)(27146 * 1e9 / 65536)) /
					       40127));
	schedule_release(&schedule);
}

Test(schedule, silence_is_for_ever_at_the_end)
{
	static const struct schedule_segment segments[] = {{0, NS_PER_SEC, {0, 1}},
							   {NS_PER_SEC, 2 * NS_PER_SEC, {2, 1}},
							   {2 * NS_PER_SEC, 0, {0, 1}}};
	struct asked asked = {.share = {.segments = segments, .segment_count = 3, .stride = 1}};
	struct schedule schedule = make(&asked);

	cr_assert_eq(schedule_take_ns(&schedule), NS_PER_SEC);
	cr_assert_eq(schedule_take_ns(&schedule), NS_PER_SEC + NS_PER_SEC / 2);
	cr_assert_eq(schedule_take_ns(&schedule), SCHEDULE_NEVER);
	cr_assert_eq(schedule_take_ns(&schedule), SCHEDULE_NEVER);
	cr_assert_eq(schedule_start_ns(&schedule, 2), SCHEDULE_NEVER);
	cr_assert_eq(schedule_count_before(&schedule, NS_PER_SEC), 0);
	cr_assert_eq(schedule_count_before(&schedule, NS_PER_SEC + 1), 1);
	cr_assert_eq(schedule_count_before(&schedule, UINT64_MAX), 2);
	schedule_release(&schedule);
	asked.share.segment_count = 1;
	for (int i = 0; i < 2; i++) {
		asked.share.arrivals = i ? SCHEDULE_POISSON : SCHEDULE_UNIFORM;
		schedule = make(&asked);
		cr_assert_eq(schedule_take_ns(&schedule), SCHEDULE_NEVER);
		cr_assert_eq(schedule_count_before(&schedule, UINT64_MAX), 0);
		schedule_release(&schedule);
	}
}

Test(schedule, shares_add_up_in_each_segment)
{
	static const struct schedule_segment segments[] = {{0, NS_PER_SEC, {1001, 1}},
							   {NS_PER_SEC, 2 * NS_PER_SEC, {7, 1}},
							   {2 * NS_PER_SEC, 0, {55, 1}}};
	uint64_t sums[3] = {0};

	for (uint32_t i = 0; i < 4; i++) {
		const struct asked asked = {
		    .share = {.segments = segments, .segment_count = 3, .stride = 4, .index = i}};
		struct schedule part = make(&asked);

		for (uint64_t s = 0; s < 3; s++)
			sums[s] += schedule_count_before(&part, (s + 1) * NS_PER_SEC);
		schedule_release(&part);
	}
	cr_assert_eq(sums[0], 1001);
	cr_assert_eq(sums[1], 1008);
	cr_assert_eq(sums[2], 1063);
}

Test(schedule, poisson_has_its_mean_rate_in_a_segment)
{
	static const struct schedule_segment segments[] = {
	    {0, NS_PER_SEC, {1000000, 1}},
	    {NS_PER_SEC, 2 * NS_PER_SEC, {500000, 1}},
	    {2 * NS_PER_SEC, 0, {0, 1}}};
	const struct asked asked = {.share = {.segments = segments,
					      .segment_count = 3,
					      .stride = 1,
					      .arrivals = SCHEDULE_POISSON}};
	struct schedule schedule = make(&asked);
	uint64_t first = schedule_count_before(&schedule, NS_PER_SEC);
	uint64_t second = schedule_count_before(&schedule, UINT64_MAX) - first;

	/* Only the last block, which is cut off, is left to chance. */
	cr_assert(first > 999700 && first < 1000300, "%lu", first);
	cr_assert(second > 499700 && second < 500300, "%lu", second);
	cr_assert_geq(schedule_start_ns(&schedule, first), NS_PER_SEC);
	cr_assert_lt(schedule_start_ns(&schedule, first - 1), NS_PER_SEC);
	schedule_release(&schedule);
}

Test(schedule, shares_of_a_stream_add_up_to_it_out_of_phase)
{
	struct asked asked = uniform(12000, 17);
	struct schedule whole = make(&asked);

	asked.share.stride = 3;
	for (uint32_t i = 0; i < 3; i++) {
		asked.share.index = i;
		struct schedule part = make(&asked);

		for (uint64_t n = 0; n < 1000; n++)
			cr_assert_eq(schedule_start_ns(&part, n),
				     schedule_start_ns(&whole, 3 * n + i));
		schedule_release(&part);
	}
	schedule_release(&whole);
}

Test(schedule, poisson_keeps_its_mean_rate_from_1_to_1000000_per_second)
{
	static const uint64_t rates[] = {1, 10, 1000, 60000, 1000000};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct asked asked = uniform(rates[i], 1);

		asked.share.arrivals = SCHEDULE_POISSON;
		asked.share.seed = 1234 + i;
		struct schedule schedule = make(&asked);
		/* From 4096 requests on the count is within one block's end. */
		uint64_t n = UINT64_C(4096) * 1000;
		double mean = (double)n * 1e9 / (double)schedule_start_ns(&schedule, n);

		cr_assert_lt(fabs(mean / (double)rates[i] - 1), 0.001, "%lu: %f", rates[i], mean);
		schedule_release(&schedule);
	}
}

Test(schedule, poisson_gaps_are_exponential)
{
	struct asked asked = uniform(1000, 1);
	uint64_t before = 0;
	double over_mean = 0;
	double over_three_means = 0;
	const int count = 200000;

	asked.share.arrivals = SCHEDULE_POISSON;
	asked.share.seed = 99;
	struct schedule schedule = make(&asked);
	for (int n = 0; n < count; n++) {
		uint64_t start = schedule_take_ns(&schedule);

		over_mean += start - before > NS_PER_MS;
		over_three_means += start - before > 3 * NS_PER_MS;
		before = start;
	}
	cr_assert_lt(fabs(over_mean / count - exp(-1)), 0.01);
	cr_assert_lt(fabs(over_three_means / count - exp(-3)), 0.005);
	schedule_release(&schedule);
}

Test(schedule, poisson_differs_by_seed_and_share_only)
{
	struct asked asked = uniform(1000, 1);

	asked.share.arrivals = SCHEDULE_POISSON;
	asked.share.seed = 1;
	struct schedule a = make(&asked);
	struct schedule same = make(&asked);
	asked.share.seed = 2;
	struct schedule other = make(&asked);
	asked.share.seed = 1;
	asked.share.stride = 2;
	struct schedule first = make(&asked);
	asked.share.index = 1;
	struct schedule second = make(&asked);
	cr_assert_eq(schedule_start_ns(&a, 500), schedule_start_ns(&same, 500));
	cr_assert_neq(schedule_start_ns(&a, 500), schedule_start_ns(&other, 500));
	cr_assert_gt(
	    llabs((long long)(schedule_start_ns(&first, 500) - schedule_start_ns(&second, 500))),
	    1000000);
	schedule_release(&a);
	schedule_release(&same);
	schedule_release(&other);
	schedule_release(&first);
	schedule_release(&second);
}

Test(schedule, refuses_rates_that_cannot_be_kept_exactly)
{
	static const struct asked asked[] = {
	    {{.stride = 1}, {.per_sec = {1, 0}}},
	    {{.stride = 1}, {.per_sec = {UINT64_MAX, 1}}},
	    {{.stride = 1}, {.per_sec = {1, UINT64_MAX}}},
	    {{.stride = 0}, {.per_sec = {1, 1}}},
	    {{.stride = 1, .index = 1}, {.per_sec = {1, 1}}},
	    {{.stride = 1, .phase = SCHEDULE_PHASES}, {.per_sec = {1, 1}}},
	};

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct schedule_share share = asked[i].share;
		struct schedule schedule;
		struct error err = {0};

		share.segments = &asked[i].only;
		share.segment_count = 1;
		cr_assert_eq(schedule_init(&schedule, &share, &err), -ERANGE, "share %zu", i);
		cr_assert_eq(err.status, EXIT_USAGE);
	}
}
