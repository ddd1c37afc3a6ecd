#include "act/run/recent_writes.h"

#include <criterion/criterion.h>

#include "act/base/random.h"

static struct recent_writes make(uint32_t under_way_max)
{
	struct recent_writes writes;

	cr_assert_eq(recent_writes_init(&writes, under_way_max), 0);
	return writes;
}

Test(recent_writes, a_write_overlaps_in_place_and_time)
{
	static const struct {
		uint64_t offset, length, from, upto;
		bool overlaps;
	} cases[] = {
	    {4096, 4096, 150, 160, true}, /* within it */
	    {4096, 4096, 50, 250, true},  /* around it */
	    {4096, 4096, 50, 100, true},  /* it began at the last moment */
	    {4096, 4096, 50, 99, false},   {4096, 4096, 199, 300, true},
	    {4096, 4096, 200, 300, false}, /* it had ended */
	    {3584, 512, 150, 160, false},  {3584, 513, 150, 160, true},
	    {8192, 512, 150, 160, false},  {8191, 512, 150, 160, true},
	    {0, 1 << 20, 150, 160, true},
	};
	struct recent_writes writes = make(2);

	cr_assert(!recent_writes_may_overlap(&writes, 0, UINT64_MAX, 0, UINT64_MAX - 1));
	recent_writes_end(&writes, recent_writes_begin(&writes, 4096, 4096, 100), 200);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(recent_writes_may_overlap(&writes, cases[i].offset, cases[i].length,
						       cases[i].from, cases[i].upto),
			     cases[i].overlaps, "case %zu", i);
	recent_writes_release(&writes);
}

Test(recent_writes, one_that_has_not_ended_lasts)
{
	struct recent_writes writes = make(1);
	uint32_t entry = recent_writes_begin(&writes, 0, 512, 100);

	cr_expect(recent_writes_may_overlap(&writes, 0, 512, 1000, 2000));
	cr_expect(!recent_writes_may_overlap(&writes, 512, 512, 1000, 2000));
	recent_writes_end(&writes, entry, 500);
	cr_expect(!recent_writes_may_overlap(&writes, 0, 512, 1000, 2000));
	cr_expect(recent_writes_may_overlap(&writes, 0, 512, 499, 2000));
	recent_writes_release(&writes);
}

Test(recent_writes, what_is_forgotten_may_have_overlapped)
{
	struct recent_writes writes = make(1);

	/* The 1st at 0 to 10, the 2nd at 10 to 20... */
	for (uint64_t i = 0; i < writes.capacity; i++)
		recent_writes_end(&writes, recent_writes_begin(&writes, 0, 512, 10 * i),
				  10 * i + 10);
	cr_expect(!recent_writes_may_overlap(&writes, 4096, 512, 0, 1000));
	recent_writes_end(&writes, recent_writes_begin(&writes, 0, 512, 990), 1000);
	/* The 1st is gone. */
	cr_expect(recent_writes_may_overlap(&writes, 4096, 512, 9, 1000));
	cr_expect(!recent_writes_may_overlap(&writes, 4096, 512, 10, 1000));
	recent_writes_release(&writes);
}

Test(recent_writes, failed_ones_stay_and_never_take_all_room)
{
	struct recent_writes writes = make(4);
	uint32_t capacity = writes.capacity;

	for (uint64_t i = 0; i < capacity / 2; i++)
		recent_writes_fail(&writes, recent_writes_begin(&writes, i * 512, 512, i));
	for (uint64_t i = 0; i < 3 * (uint64_t)capacity; i++)
		recent_writes_end(&writes, recent_writes_begin(&writes, 1 << 20, 512, 1000 + i),
				  1001 + i);
	uint64_t now = 1001 + 3 * capacity;
	for (uint64_t i = 0; i < capacity / 2; i++)
		cr_expect(recent_writes_may_overlap(&writes, i * 512, 512, now, now + 1));
	cr_expect(!recent_writes_may_overlap(&writes, 2 << 20, 512, now, now + 1));
	/* One more than can be kept: from then on nobody can tell. */
	recent_writes_fail(&writes, recent_writes_begin(&writes, 0, 512, now));
	cr_expect(recent_writes_may_overlap(&writes, 2 << 20, 512, now, now + 1));
	for (uint64_t i = 0; i < 3 * (uint64_t)capacity; i++)
		recent_writes_fail(&writes, recent_writes_begin(&writes, 0, 512, now));
	cr_expect(recent_writes_may_overlap(&writes, 2 << 20, 512, now, now + 1));
	recent_writes_release(&writes);
}

#define WRITES 4000

/* Against a plain list of all writes: nothing that overlaps is missed, and what has not
 * wrapped is told exactly. */
Test(recent_writes, never_misses_a_write_of_a_random_history)
{
	static struct {
		uint64_t offset, begun, ended;
		uint32_t entry;
	} all[WRITES];
	struct recent_writes writes = make(8);
	struct random random;
	size_t under_way[8];
	size_t count = 0;
	uint64_t now = 1;
	size_t exact = 0;

	random_init(&random, 1, 0);
	for (size_t n = 0; n < WRITES; now++) {
		if (count == 8 || (count > 0 && random_below(&random, 2))) {
			size_t which = random_below(&random, count);

			all[under_way[which]].ended = now;
			recent_writes_end(&writes, all[under_way[which]].entry, now);
			under_way[which] = under_way[--count];
		} else {
			all[n].offset = random_below(&random, 16) * 512;
			all[n].begun = now;
			all[n].ended = UINT64_MAX;
			all[n].entry = recent_writes_begin(&writes, all[n].offset, 512, now);
			under_way[count++] = n++;
		}
		uint64_t from = now - random_below(&random, now < 60 ? now : 60);
		uint64_t offset = random_below(&random, 16) * 512;
		bool overlaps = false;
		for (size_t i = 0; i < n; i++)
			overlaps |=
			    all[i].offset == offset && all[i].ended > from && all[i].begun <= now;
		bool told = recent_writes_may_overlap(&writes, offset, 512, from, now);
		cr_assert(told || !overlaps, "at %lu from %lu", now, from);
		exact += told == overlaps;
		if (now - from < 16) /* at most 16 writes of 32 began or ended since */
			cr_assert_eq(told, overlaps, "at %lu from %lu", now, from);
	}
	cr_assert_gt(exact, WRITES);
	recent_writes_release(&writes);
}
