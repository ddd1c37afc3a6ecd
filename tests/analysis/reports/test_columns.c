#include "analysis/reports/columns.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/clock.h"
#include "analysis/reports/text.h"
#include "tests/support/build_interval.h"
#include "tests/support/capture.h"

Test(columns, lists_are_read)
{
	static const struct {
		const char *list;
		unsigned set;
	} good[] = {
	    {"response", COLUMNS_RESPONSE},
	    {"act", COLUMNS_ACT},
	    {"lag,service", COLUMNS_LAG | COLUMNS_SERVICE},
	    {"submit,submit", COLUMNS_SUBMIT},
	    {"all", COLUMNS_ALL},
	    {"lag,all", COLUMNS_ALL},
	    {"response,service,lag,submit,act", COLUMNS_ALL},
	};
	static const char *const bad[] = {"", ",", "lag,", ",lag", "lags", "la", "LAG", "lag, act"};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		unsigned set = 0;

		cr_expect_eq(columns_parse(good[i].list, &set, NULL), 0);
		cr_expect_eq(set, good[i].set, "%s", good[i].list);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = {0};
		unsigned set = 77;

		cr_expect_lt(columns_parse(bad[i], &set, &err), 0, "%s", bad[i]);
		cr_expect_eq(set, 77);
		cr_expect_eq(err.status, EXIT_USAGE);
		cr_expect_not_null(strstr(err.text, "allowed: response, service"));
	}
}

Test(columns, each_figure_is_raised_by_itself)
{
	struct column_figures figures = {0};
	const struct summary a = {
	    .completed = 1000, .over = {10}, .service_over = {9}, .max_ns = {5, 4, 3, 2}};
	const struct summary b = {
	    .completed = 10, .errors = 2, .over = {2}, .service_over = {0}, .max_ns = {1, 9, 1, 9}};

	columns_raise(&figures, &a, 1);
	columns_raise(&figures, &b, 1);
	columns_raise(&figures, &a, 1);
	cr_expect(figures.over[0].part == 2 && figures.over[0].whole == 12);
	cr_expect(figures.act_over[0].part == 9 && figures.act_over[0].whole == 1000);
	cr_expect_eq(figures.errors, 2);
	cr_expect_eq(figures.max_ns[SPAN_RESPONSE], 5);
	cr_expect_eq(figures.max_ns[SPAN_SERVICE], 9);
	cr_expect_eq(figures.max_ns[SPAN_LAG], 3);
	cr_expect_eq(figures.max_ns[SPAN_SUBMIT], 9);
}

/* In slice 2, 40 of 1000 reads wait for 2 ms in the host, and 5 take 2 ms. */
static void late_reads(struct interval *interval, void *state)
{
	const uint64_t *late = state;

	if (interval->number / BUILD_SLICE_INTERVALS == 1)
		build_over(interval_tally(interval, 0, BUILD_READS), 0, 5 + *late, 5);
}

static char *report(unsigned columns, uint64_t late)
{
	const struct run_end end = {.reason = END_COMPLETED, .at_ns = 30 * NS_PER_SEC};
	struct capture capture;
	struct run_info info;

	build_info(&info, 1, 3);

	struct judge *judge = build_judge(&info, 30, late_reads, &late);

	capture_start(&capture);
	cr_expect_eq(report_text_columns(judge_finish(judge, &end), columns, capture.stream), 0);
	capture_end(&capture);
	judge_free(judge);
	run_info_release(&info);
	return capture.text;
}

static void expect_in(const char *text, const char *part)
{
	cr_expect(strstr(text, part) != NULL, "\"%s\" is not in:\n%s", part, text);
}

Test(columns, the_table_shows_what_is_asked_for)
{
	static const struct {
		unsigned columns;
		const char *header;
		const char *slice;
	} tables[] = {
	    {COLUMNS_SERVICE, "      %  svc p99  svc p99.9  svc max  errors  verdict\n",
	     " 100.00    0.100      1.000    1.000       0     PASS\n"},
	    {COLUMNS_LAG, "      %  lag p99  lag p99.9  lag max  errors  verdict\n",
	     " 100.00    1.000      1.000    1.000       0     PASS\n"},
	    {COLUMNS_ACT, "      %  act%>1ms  act%>8ms  act%>64ms  errors  verdict\n",
	     " 100.00      0.50      0.00       0.00       0     PASS\n"},
	    {COLUMNS_RESPONSE | COLUMNS_ACT, " max ms act%>1ms act%>8ms act%>64ms errors verdict\n",
	     "  1.000     0.50     0.00      0.00      0    PASS\n"},
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		char *text = report(tables[i].columns, 40);

		expect_in(text, tables[i].header);
		expect_in(text, tables[i].slice);
		free(text);
	}
}

Test(columns, all_of_them_fit_the_row)
{
	char *text = report(COLUMNS_ALL, 40);

	expect_in(text, "%>1ms %>8ms %>64ms p99 ms p99.9 max ms svc p99 svc p99.9 svc max lag p99 "
			"lag p99.9 lag max sub p99 sub p99.9 sub max act%>1ms act%>8ms act%>64ms "
			"errors verdict\n");
	free(text);
}
