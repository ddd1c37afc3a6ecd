#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "act/config/rate.h"

struct steps_case {
	const char *text;
	const char *of;
	size_t count;
	const char *first;
	const char *second; /* "" with one step */
	const char *last;
};

static const struct steps_case good[] = {
    {"load:1x..10x:1x", "load", 10, "1x", "2x", "10x"},
    {"load:0x..1x:0.25x", "load", 5, "0x", "0.25x", "1x"},
    {"load:1/3x..2x:1/3x", "load", 6, "1/3x", "2/3x", "2x"},
    {"load:5x..5x:1x", "load", 1, "5x", "", "5x"},
    {"rate:100/s..1000/s:100/s", "rate", 10, "100/s", "200/s", "1000/s"},
    {"writes:10MB/s..850MB/s:10MB/s", "writes", 85, "10MB/s", "20MB/s", "850MB/s"},
    {"a-1:10%..50%:20%", "a-1", 3, "10%", "30%", "50%"},
    {"reads:1x..128x:1x", "reads", 128, "1x", "2x", "128x"},
    {"reads:0.1/s..0.3/s:0.1/s", "reads", 3, "0.1/s", "0.2/s", "0.3/s"},
};

static void expect_step(const struct config_phase *phase, size_t step, const char *expected)
{
	char text[UNITS_TEXT_BYTES];

	cr_expect_str_eq(config_format_rate(text, config_phase_step(phase, step)), expected);
}

Test(config_steps, each_step_is_exact_and_the_last_is_included)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct steps_case *c = &good[i];
		struct config_phase phase = {.name = "up"};
		char text[160];

		cr_expect_null(steps_parse(c->text, &phase), "%s", c->text);
		cr_expect_str_eq(phase.steps_of, c->of);
		cr_assert_eq(config_phase_steps(&phase), c->count, "%s", c->text);
		expect_step(&phase, 0, c->first);
		if (c->count > 1)
			expect_step(&phase, 1, c->second);
		expect_step(&phase, c->count - 1, c->last);
		steps_format(&phase, text, sizeof(text));
		cr_expect_str_eq(text, c->text);
	}
}

#define FORM     "not of the form WHAT:FROM..TO:STEP"
#define UNITS    "not all of one unit"
#define NO_LOADS "its values are no loads as 30x"
#define NO_RATES "its values are no rates as 5000/s"
#define WHOLE    "the last value is no whole number of steps above the first"
#define LONG     "names of the phases too long with the values of the steps"

static const struct {
	const char *text;
	const char *problem;
} bad[] = {
    {"", FORM},
    {"load", FORM},
    {"load:1x", FORM},
    {"load:1x..2x", FORM},
    {":1x..2x:1x", FORM},
    {"load:1x-2x:1x", FORM},
    {"load 1x..2x:1x", FORM},
    {"reads:..2x:1x", FORM},
    {"reads:1x..:1x", FORM},
    {"reads:1x..2x:", FORM},
    {"reads:1..2:1", FORM},
    {"reads:1x..2x:1x:1x", FORM},
    {"load:1x..2x:", NO_LOADS},
    {"load:1..2:1", NO_LOADS},
    {"load:1/s..2/s:1/s", NO_LOADS},
    {"load:1x..2x:1/s", NO_LOADS},
    {"rate:1x..2x:1x", NO_RATES},
    {"rate:1%..2%:1%", NO_RATES},
    {"reads:1x..2/s:1x", UNITS},
    {"reads:1/s..2/s:1MB/s", UNITS},
    {"load:2x..1x:1x", "the last value is below the first"},
    {"load:1x..2x:0x", "steps of nothing never end"},
    {"load:1x..1x:0x", "steps of nothing never end"},
    {"load:1x..129x:1x", "more than 128 steps"},
    {"load:0x..10000x:0.000001x", "more than 128 steps"},
    {"load:1x..2x:0.3x", WHOLE},
    {"load:1x..10x:10x", WHOLE},
    {"load:1x..10001x:1x", "too large"},
    {"reads:10%..110%:10%", "too large"},
    {"a2345678901234567890123456789012:1x..2x:1x", "no stream has so long a name"},
    {"reads:0.12345678901234567x..2.12345678901234567x:1x", NULL},
};

Test(config_steps, others_are_refused_and_change_nothing)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct config_phase phase = {.name = "up", .steps_of = "before"};
		const char *problem = steps_parse(bad[i].text, &phase);

		if (!bad[i].problem) {
			cr_expect_null(problem, "%s: %s", bad[i].text, problem);
			continue;
		}
		cr_assert(problem, "%s", bad[i].text);
		cr_expect_str_eq(problem, bad[i].problem, "%s: %s", bad[i].text, problem);
		cr_expect_str_eq(phase.steps_of, "before");
	}
}

Test(config_steps, names_have_room_for_their_values)
{
	struct config_phase phase = {.name = "a23456789012345678901234567890"};
	char text[300];

	cr_expect_str_eq(steps_parse("load:1.00000000000001x..2.00000000000001x:1x", &phase), LONG);
	cr_expect_null(steps_parse("load:1.0000000000001x..2.0000000000001x:1x", &phase));
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	cr_expect_str_eq(steps_parse(text, &phase), "too long");
}

Test(config_steps, a_phase_without_steps_is_one)
{
	const struct config_phase phase = {.name = "a"};
	char text[8] = "x";

	cr_expect_eq(config_phase_steps(&phase), 1);
	steps_format(&phase, text, sizeof(text));
	cr_expect_str_eq(text, "");
}
