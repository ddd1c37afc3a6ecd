#include "act/run/tally_ring.h"

#include <criterion/criterion.h>

static struct tally_ring make(void)
{
	struct tally_ring ring;

	cr_assert_eq(tally_ring_init(&ring, 2), 0);
	return ring;
}

Test(tally_ring, hands_pages_over_in_order_and_empties_them)
{
	struct tally_ring ring = make();

	cr_assert_null(tally_ring_peek(&ring));
	for (uint64_t i = 0; i < 20; i++) {
		struct tally_page *page = tally_ring_page(&ring);

		cr_assert_eq(page->tallies[1].issued, 0);
		cr_assert_eq(page->tallies[1].span[SPAN_LAG].total, 0);
		cr_assert_eq(page->error_count, 0);
		page->first = i;
		page->error_count = 5;
		page->tallies[1].issued = i + 1;
		histogram_record(&page->tallies[1].span[SPAN_LAG], i);
		cr_assert(tally_ring_hand_over(&ring));
		const struct tally_page *got = tally_ring_peek(&ring);
		cr_assert_eq(got, page);
		cr_assert_eq(got->tallies[1].issued, i + 1);
		tally_ring_give_back(&ring, 2);
		cr_assert_null(tally_ring_peek(&ring));
	}
	tally_ring_release(&ring);
}

Test(tally_ring, keeps_the_page_when_the_reporter_is_late)
{
	struct tally_ring ring = make();

	for (int i = 0; i < RING_PAGES - 1; i++)
		cr_assert(tally_ring_hand_over(&ring));
	struct tally_page *page = tally_ring_page(&ring);
	cr_assert(!tally_ring_hand_over(&ring));
	cr_assert_eq(tally_ring_page(&ring), page);
	/* The last page of all goes out even so. */
	page->final = true;
	cr_assert(tally_ring_hand_over(&ring));
	for (int i = 0; i < RING_PAGES; i++) {
		cr_assert_not_null(tally_ring_peek(&ring));
		tally_ring_give_back(&ring, 2);
	}
	cr_assert_null(tally_ring_peek(&ring));
	tally_ring_release(&ring);
}
