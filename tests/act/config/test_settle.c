#include <criterion/criterion.h>

#include "tests/act/config/memory_file.h"

#define HOUR_NS UINT64_C(3600000000000)
#define MIN_NS  UINT64_C(60000000000)

struct settle_case {
	const char *text;
	uint64_t duration_ns;
	const char *error; /* NULL: none */
};

static const struct settle_case cases[] = {
    {"", 24 * HOUR_NS, NULL},
    {"duration = \"2h\"", 2 * HOUR_NS, NULL},
    {"phases = ({ name = \"a\"; }, { name = \"b\"; })", 2 * HOUR_NS, NULL},
    {"slice = \"10m\"\nphases = ({ name = \"a\"; }, { name = \"b\"; duration = \"1m\"; })",
     11 * MIN_NS, NULL},
    {"phases = ({ name = \"a\"; duration = \"1m\"; steps = \"load:1x..10x:1x\"; })", 10 * MIN_NS,
     NULL},
    {"duration = \"5m\"\nphases = ({ name = \"a\"; duration = \"1m\"; steps = \"load:1x..10x:1x\"; "
     "})",
     5 * MIN_NS, NULL},
    {"duration = \"10m\"\nphases = ({ name = \"a\"; duration = \"10m\"; })", 10 * MIN_NS, NULL},
    {"duration = \"11m\"\nphases = ({ name = \"a\"; duration = \"10m\"; })", 0,
     "F:2: duration = 11m: longer than all phases, which take 10m; allowed: up to that, or not to "
     "set it, which is all phases"},
    {"phases = ({ name = \"a\"; duration = \"8760h\"; })", 8760 * HOUR_NS, NULL},
    {"phases = ({ name = \"a\"; duration = \"8760h\"; },\n{ name = \"b\"; duration = \"1s\"; })", 0,
     "F:2: phases = a,b: together longer than a run may be; allowed: up to 8760h"},
    {"phases = ({ name = \"a\"; duration = \"8760h\"; steps = \"load:1x..128x:1x\"; })", 0,
     "F:2: phases = a: together longer than a run may be; allowed: up to 8760h"},
};

Test(config_settle, the_duration_is_that_of_all_phases)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct settle_case *c = &cases[i];
		char text[512];
		char error[ERROR_TEXT_BYTES];
		struct config config;

		snprintf(text, sizeof(text), "devices = [\"/dev/a\"]\n%s", c->text);
		config_defaults(&config);
		int rc = parse_text(&config, text, error);
		cr_expect_eq(rc == 0, !c->error, "%s: %s", c->text, error);
		cr_expect_str_eq(error, c->error ? c->error : "", "%s", error);
		if (rc == 0)
			cr_expect_eq(config.duration_ns, c->duration_ns, "%s", c->text);
	}
}

/* Printed, the duration is one that was set. */
Test(config_settle, a_settled_config_stays_as_it_is_when_it_is_read_again)
{
	char error[ERROR_TEXT_BYTES];
	struct config config;
	struct config again;

	config_defaults(&config);
	cr_assert_eq(
	    parse_text(&config, "devices = [\"/dev/a\"] phases = ({ name = \"a\"; })", error), 0);
	char *printed = config_print(&config);
	config_defaults(&again);
	cr_assert_eq(parse_text(&again, printed, error), 0, "%s", error);
	cr_expect_eq(again.duration_ns, HOUR_NS);
	free(printed);
}
