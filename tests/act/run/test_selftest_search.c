#include "act/run/selftest_search.h"

#include <criterion/criterion.h>

/* A host that is good up to a rate. */
struct host {
	uint64_t good_to;
	int spoilt;    /* this measurement (from 1) comes out bad by chance */
	int broken_at; /* this one cannot be made; 0: all can */
	int measured;
	uint64_t lowest;
	uint64_t highest;
};

static int measure(void *state, uint64_t rate)
{
	struct host *host = state;

	host->measured++;
	if (host->lowest == 0 || rate < host->lowest)
		host->lowest = rate;
	if (rate > host->highest)
		host->highest = rate;
	if (host->measured == host->broken_at)
		return -1;
	return rate <= host->good_to && host->measured != host->spoilt;
}

static uint64_t search(struct host *host, uint64_t start)
{
	const struct selftest_search search = {
	    .start = start,
	    .min = 1000,
	    .max = 10000000,
	    .measure = measure,
	    .state = host,
	};

	return selftest_search(&search);
}

Test(selftest_search, finds_the_rate_within_a_sixteenth)
{
	static const uint64_t rates[] = {1000, 1001, 59999, 60000, 60001, 777777, 9999999};
	static const uint64_t starts[] = {1000, 60000, 10000000};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		for (size_t j = 0; j < sizeof(starts) / sizeof(starts[0]); j++) {
			struct host host = {.good_to = rates[i]};
			uint64_t found = search(&host, starts[j]);

			cr_expect(found <= rates[i] && found + found / 16 + 1 >= rates[i],
				  "%lu from %lu: %lu", rates[i], starts[j], found);
			cr_expect_leq(host.measured, 45);
			cr_expect(host.lowest >= 1000 && host.highest <= 10000000);
		}
	}
}

Test(selftest_search, the_bounds_are_found_themselves)
{
	struct host fast = {.good_to = UINT64_MAX};
	struct host slow = {.good_to = 999};

	cr_expect_eq(search(&fast, 60000), 10000000);
	cr_expect_eq(search(&slow, 60000), 0);
	cr_expect_eq(slow.lowest, 1000);
}

Test(selftest_search, one_bad_moment_does_not_matter)
{
	for (int spoilt = 1; spoilt < 12; spoilt++) {
		struct host host = {.good_to = 1000000, .spoilt = spoilt};
		uint64_t found = search(&host, 60000);

		cr_expect(found <= 1000000 && found >= 940000, "%lu", found);
	}
}

Test(selftest_search, an_end_by_force_keeps_what_was_found)
{
	struct host first = {.good_to = 1000000, .broken_at = 1};
	struct host third = {.good_to = 1000000, .broken_at = 3};
	struct host again = {.good_to = 100, .broken_at = 2};

	cr_expect_eq(search(&first, 60000), 0);
	cr_expect_eq(search(&third, 60000), 120000);
	cr_expect_eq(third.measured, 3);
	cr_expect_eq(search(&again, 60000), 0);
	cr_expect_eq(again.measured, 2);
}
