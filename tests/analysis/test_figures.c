#include "analysis/figures.h"

#include <criterion/criterion.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

Test(figures, share_never_misleads)
{
	static const struct {
		uint64_t part, whole;
		struct ratio limit;
		const char *want;
	} cases[] = {
	    {0, 100, {1, 20}, "0.00"},
	    {0, 0, {1, 20}, "-"},
	    {5, 100, {1, 20}, "5.00"},
	    {4996, 100000, {1, 20}, "4.996"},
	    {4999999, 100000000, {1, 20}, "4.999999"},
	    {5000001, 100000000, {1, 20}, "5.000001"},
	    {526, 10000, {1, 20}, "5.26"},
	    {996, 1000000, {1, 1000}, "0.0996"},
	    {1, 1000, {1, 1000}, "0.10"},
	    {1, 100000000, {1, 20}, "0.000001"},
	    {1, 2160000000, {1, 20}, "0.00000005"},
	    {999, 1000, {999, 1000}, "99.90"},
	    {99899, 100000, {999, 1000}, "99.899"},
	    {998999, 1000000, {999, 1000}, "99.8999"},
	    {100, 100, {999, 1000}, "100.00"},
	    {99999, 100000, {999, 1000}, "99.999"},
	    {999999, 1000000, {999, 1000}, "99.9999"},
	    {1000001, 1000000, {999, 1000}, "100.0001"},
	    {123, 100, {1, 20}, "123.00"},
	    /* a limit that two decimals cannot write: never on its other side */
	    {126, 100000, {127, 100000}, "0.126"},
	    {127, 100000, {127, 100000}, "0.127"},
	    {128, 100000, {127, 100000}, "0.13"},
	    {1, 3, {1, 20}, "33.33"},
	    {UINT64_MAX, UINT64_MAX, {1, 20}, "100.00"},
	};
	char text[FIGURE_BYTES];

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_str_eq(figure_share(text, cases[i].part, cases[i].whole, &cases[i].limit),
				 cases[i].want, "case %zu", i);
	cr_expect_str_eq(figure_share(text, 4996, 100000, NULL), "5.00");
}

Test(figures, count_is_grouped)
{
	static const struct {
		uint64_t count;
		const char *want;
	} cases[] = {
	    {0, "0"},
	    {999, "999"},
	    {1000, "1 000"},
	    {540000, "540 000"},
	    {UINT64_MAX, "18 446 744 073 709 551 615"},
	};
	char text[FIGURE_BYTES];

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_str_eq(figure_count(text, cases[i].count), cases[i].want);
}

Test(figures, duration_has_as_many_units_as_asked)
{
	static const struct {
		uint64_t ns;
		int units;
		const char *want;
	} cases[] = {
	    {0, 2, "0 s"},
	    {1000000, 7, "1 ms"},
	    {1500000, 7, "1 ms 500 us"},
	    {1500001, 7, "1 ms 500 us 1 ns"},
	    {64000000, 7, "64 ms"},
	    {11520000000000, 2, "3 h 12 min"},
	    {11520000000000 + 999, 2, "3 h 12 min"},
	    {86400000000000, 2, "24 h"},
	    {172800000000000, 2, "2 d"},
	    {3605000000000, 2, "1 h"},
	    {3605000000000, 3, "1 h 5 s"},
	    {UINT64_MAX, 7, "213503 d 23 h 34 min 33 s 709 ms 551 us 615 ns"},
	};
	char text[FIGURE_BYTES];

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_str_eq(figure_duration(text, cases[i].ns, cases[i].units), cases[i].want);
}

Test(figures, times_and_rates)
{
	char text[FIGURE_BYTES];

	cr_expect_str_eq(figure_clock(text, 0), "00:00:00");
	cr_expect_str_eq(figure_clock(text, UINT64_C(172799999999999)), "47:59:59");
	cr_expect_str_eq(figure_ms(text, 0), "-");
	cr_expect_str_eq(figure_ms(text, 412000), "0.412");
	cr_expect_str_eq(figure_ms(text, 12345678), "12.346");
	cr_expect_str_eq(figure_ms(text, 1), "0.000");
	cr_expect_str_eq(figure_rate(text, 600000, 10000000000), "60000");
	cr_expect_str_eq(figure_rate(text, 2541168, UINT64_C(3600000000000)), "705.88");
	cr_expect_str_eq(figure_rate(text, 99999, 100000000000), "999.99");
	cr_expect_str_eq(figure_rate(text, 1, 0), "-");
	cr_expect_str_eq(figure_limit(text, (struct ratio){1, 20}), "5 %");
	cr_expect_str_eq(figure_limit(text, (struct ratio){1, 1000}), "0.1 %");
}

Test(figures, bytes)
{
	static const struct {
		uint64_t bytes;
		const char *want;
	} cases[] = {
	    {0, "0 B"},
	    {999, "999 B"},
	    {1000, "1.00 kB"},
	    {1004, "1.00 kB"},
	    {1005, "1.01 kB"},
	    {999994, "999.99 kB"},
	    {999995, "1.00 MB"},
	    {2147483648, "2.15 GB"},
	    {UINT64_C(1920383410176), "1.92 TB"},
	    {UINT64_MAX, "18.45 EB"},
	};
	char text[FIGURE_BYTES];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_str_eq(figure_bytes(text, cases[i].bytes), cases[i].want);
}
