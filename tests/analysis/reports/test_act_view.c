#include "analysis/reports/act_view.h"

#include <criterion/criterion.h>
#include <string.h>

#include "act/base/clock.h"
#include "tests/support/build_interval.h"

/* Of the 1000 reads a second of slice 2, on the last device: */
struct change {
	size_t criterion;
	uint64_t over;        /* its threshold, in response time */
	uint64_t device_over; /* of these also in service time */
	size_t stream;
};

static void apply(struct interval *interval, void *state)
{
	const struct change *change = state;

	if (interval->number / BUILD_SLICE_INTERVALS == 1)
		build_over(interval_tally(interval, interval->device_count - 1, change->stream),
			   change->criterion, change->over, change->device_over);
}

/* "" when nothing is told */
static const char *view(size_t devices, struct change change, char text[static ACT_VIEW_BYTES])
{
	const struct run_end end = {.reason = END_COMPLETED, .at_ns = 30 * NS_PER_SEC};
	struct run_info info;

	build_info(&info, devices, 3);

	struct judge *judge = build_judge(&info, 30, apply, &change);

	text[0] = '\0';
	bool told = act_view(judge_finish(judge, &end), text);
	cr_expect_eq(told, text[0] != '\0');
	judge_free(judge);
	run_info_release(&info);
	return text;
}

Test(act_view, tells_what_service_time_hides)
{
	char text[ACT_VIEW_BYTES];

	cr_expect_str_eq(view(1, (struct change){0, 333, 1, BUILD_READS}, text),
			 "as ACT would have counted (service time only): at most 0.10 % of reads "
			 "over 1 ms in a slice, instead of 33.30 %");
	/* The threshold furthest beyond its limit: 0.5 % is 5 times that of 64 ms. */
	cr_expect_str_eq(view(1, (struct change){2, 5, 0, BUILD_READS}, text),
			 "as ACT would have counted (service time only): at most 0.00 % of reads "
			 "over 64 ms in a slice, instead of 0.50 %");
}

Test(act_view, the_worst_device_is_told)
{
	char text[ACT_VIEW_BYTES];

	cr_expect_not_null(
	    strstr(view(2, (struct change){0, 100, 0, BUILD_READS}, text), "instead of 10.00 %"));
}

Test(act_view, says_nothing_where_there_is_no_notable_difference)
{
	static const struct change changes[] = {
	    {0, 0, 0, BUILD_READS},          /* none over */
	    {0, 4, 0, BUILD_READS},          /* below a tenth of the limit */
	    {0, 100, 91, BUILD_READS},       /* nearly the same */
	    {0, 500, 0, BUILD_LARGE_WRITES}, /* not judged */
	};
	char text[ACT_VIEW_BYTES];

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		cr_expect_str_eq(view(1, changes[i], text), "", "%zu: %s", i, text);
	cr_expect_str_neq(view(1, (struct change){0, 5, 0, BUILD_READS}, text), "");
	cr_expect_str_neq(view(1, (struct change){0, 100, 90, BUILD_READS}, text), "");
}
