#include "act/config/source.h"

#include <criterion/criterion.h>

struct protect_case {
	const char *text;
	unsigned line; /* 0: no problem */
	const char *result;
};

#define INCLUDE "@include is not supported"
#define NO_END  "string without an end"
#define PLACE   "string out of place"
#define UNIT    "value with a unit, but not in quotes"

static const struct protect_case protect_cases[] = {
    {"", 0, ""},
    {"a = 1", 0, "a = 1L"},
    {"a=1;b=-2\nc=[3,4]", 0, "a=1L;b=-2L\nc=[3L,4L]"},
    {"a = 1L b = 2LL", 0, "a = 1L b = 2LL"},
    {"b = 1.5 c = .5 d = 5.", 0, "b = 1.5 c = .5 d = 5."},
    {"a1-2_3*4 = 5", 0, "a1-2_3*4 = 5L"},
    {"a = \"7 \\\" 8x\" b = 9", 0, "a = \"7 \\\" 8x\" b = 9L"},
    {"# 1x \"\n// 2% @\n/* 3\" */ 4 /* 5", 0, "# 1x \"\n// 2% @\n/* 3\" */ 4L /* 5"},
    {"a = 1 / 2", 0, "a = 1L / 2L"},
    {"a = \"x\" // c\n \"y\" b: (\"z\", \"@\")", 0, "a = \"x\" // c\n \"y\" b: (\"z\", \"@\")"},
    {"@include \"x\"", 1, INCLUDE},
    {"a = \"\n\"\n/*\n*/ @", 4, INCLUDE},
    {"a = \"7", 1, NO_END},
    {"\na = \"", 2, NO_END},
    {"a = \"7\\", 1, NO_END},
    {"a = \"7\\\"", 1, NO_END},
    {"\"x\"", 1, PLACE},
    {"a = 1\n\"x\"", 2, PLACE},
    {"a = # =\n1 # =\n\"x\"", 3, PLACE},
    {"a \"x\"", 1, PLACE},
    {"a = \"x\", \"y\"", 1, PLACE},
    {"a = (\"x\"), \"y\"", 1, PLACE},
    {"a = ((1), \"x\")", 0, "a = ((1L), \"x\")"},
    {"a = {b = 1;}", 0, "a = {b = 1L;}"},
    {"a = ({b = \"x\"; c = (\"y\", \"z\")}, {})", 0, "a = ({b = \"x\"; c = (\"y\", \"z\")}, {})"},
    {"a = ({b = \"x\", \"y\"})", 1, PLACE},
    {"a = ({b = \"x\"}, \"y\")", 0, "a = ({b = \"x\"}, \"y\")"},
    {"((((((((((((((((1))))))))))))))))", 0, "((((((((((((((((1L))))))))))))))))"},
    {"(((((((((((((((((1)))))))))))))))))", 1, "too many brackets in each other"},
    {"a = \"30x\"\nb = 30x\nc = 1", 2, UNIT},
    {"b = 5%", 1, UNIT},
    {"b = 0.5x", 1, UNIT},
    {"b = 0x1F", 1, UNIT},
    {"b = 5000000000c = 1", 1, UNIT},
    {"b = 1.5L", 1, UNIT},
};

Test(config_source, text_is_made_safe_or_refused)
{
	for (size_t i = 0; i < sizeof(protect_cases) / sizeof(protect_cases[0]); i++) {
		const struct protect_case *c = &protect_cases[i];
		char safe[128];
		const char *problem = NULL;
		cr_expect_eq(source_protect(c->text, safe, &problem), c->line, "%s", c->text);
		cr_expect_str_eq(c->line > 0 ? problem : safe, c->result, "%s", c->text);
	}
}

Test(config_source, a_line_is_cut_and_tamed)
{
	const char *text = "one\n \ttwo\x1b[1m \r\n\nfour";
	char line[12];

	source_line(text, 1, line, sizeof(line));
	cr_expect_str_eq(line, "one");
	source_line(text, 2, line, sizeof(line));
	cr_expect_str_eq(line, "two?[1m");
	source_line(text, 3, line, sizeof(line));
	cr_expect_str_eq(line, "");
	source_line(text, 4, line, 3);
	cr_expect_str_eq(line, "fo");
	source_line(text, 9, line, sizeof(line));
	cr_expect_str_eq(line, "");
}
