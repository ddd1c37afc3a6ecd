#include <criterion/criterion.h>

#include "tests/act/config/refusals.h"

#define DEVICE "devices = [\"/dev/a\"]\n"
#define CUSTOM DEVICE "workload = \"custom\"\n"

/* What is wrong with a list of groups, or with one as a whole. */
static const struct refusal groups[] = {
    {DEVICE "phases = \"a\"\n", "F:2: phases = a: a string, not a list; allowed: a list of at most "
				"32 groups as ( { KEY = VALUE; ... }, ... )"},
    {DEVICE "phases = { name = \"a\"; }\n",
     "F:2: phases = {...}: a group, not a list; allowed: a list of at most 32 groups as ( { KEY = "
     "VALUE; ... }, ... )"},
    {DEVICE "phases = 5\n", "F:2: phases = 5: a number, not a list; allowed: a list of at most 32 "
			    "groups as ( { KEY = VALUE; ... }, ... )"},
    {DEVICE "phases = true\n", "F:2: phases = true: a switch, not a list; allowed: a list of at "
			       "most 32 groups as ( { KEY = VALUE; ... }, ... )"},
    {DEVICE "phases = [1]\n", "F:2: phases = 1: a number in a list of groups; allowed: a list of "
			      "at most 32 groups as ( { KEY = VALUE; ... }, ... )"},
    {DEVICE "phases = ((1))\n", "F:2: phases = (...): a list in a list of groups; allowed: a list "
				"of at most 32 groups as ( { KEY = VALUE; ... }, ... )"},
    {DEVICE "phases = ({})\n",
     "F:2: phases[1] =: no name; allowed: 1 to 31 of a-z, 0-9, and - and blanks between"},
    {CUSTOM "streams = \"a\"\n", "F:3: streams = a: a string, not a list; allowed: a list of at "
				 "most 8 groups as ( { KEY = VALUE; ... }, ... )"},
    {CUSTOM
     "streams = ({ name = \"a\"; op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"]; },\n\"b\")\n",
     "F:4: streams = b: a string in a list of groups; allowed: a list of at most 8 groups as ( { "
     "KEY = VALUE; ... }, ... )"},
    {CUSTOM "streams = ({ op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"]; })\n",
     "F:3: streams[1] =: no name; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM "streams = ({ name = \"a\"; rate = \"1/s\"; sizes = [\"4KiB\"]; })\n",
     "F:3: streams[1] = a: no op; allowed: one of read, write"},
    {CUSTOM "streams = ({ name = \"a\"; op = \"read\"; sizes = [\"4KiB\"]; })\n",
     "F:3: streams[1] = a: no rate; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM "streams = ({ name = \"a\"; op = \"read\"; rate = \"1/s\"; })\n",
     "F:3: streams[1] = a: no sizes; allowed: a list of 1 to 16 SIZE, MIN..MAX, or these with "
     "weights as 4KiB:22.1"},
    {CUSTOM "streams = (\n{ name = \"a\"; op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"]; },\n{ "
	    "op = \"read\"; })\n",
     "F:5: streams[2] =: no name; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM "streams = ({ name = \"a\";\nrat = \"5/s\"; })\n",
     "F:4: streams[1].rat = 5/s: unknown key, the nearest is rate; allowed: name, op, rate, sizes, "
     "random, region, devices, odsync, in-flight-cap, judge, thresholds"},
    {CUSTOM "streams = ({ name = \"a\";\nlaod = \"1x\"; })\n",
     "F:4: streams[1].laod = 1x: unknown key; allowed: name, op, rate, sizes, random, region, "
     "devices, odsync, in-flight-cap, judge, thresholds"},
    {CUSTOM "streams = ({ name = \"a\";\nxyzzy = { a = 1; }; })\n",
     "F:4: streams[1].xyzzy = {...}: unknown key; allowed: name, op, rate, sizes, random, region, "
     "devices, odsync, in-flight-cap, judge, thresholds"},
    {CUSTOM "streams = ({ name = \"a\"; op = \"read\";\nname = \"b\"; })\n",
     "F:4: name = \"b\"; }): duplicate setting name, here or above; allowed: KEY = VALUE lines, "
     "each key once, values with a unit in quotes (load = \"30x\")"},
    {CUSTOM "streams = ({ name = \"a\"; op = read; })\n",
     "F:3: streams = ({ name = \"a\"; op = read; }): syntax error, here or above; allowed: KEY = "
     "VALUE lines, each key once, values with a unit in quotes (load = \"30x\")"},
    {CUSTOM "streams = ({ name = \"a\"; rate = 30x; })\n",
     "F:3: streams = ({ name = \"a\"; rate = 30x; }): value with a unit, but not in quotes; "
     "allowed: KEY = VALUE lines, each key once, values with a unit in quotes (load = \"30x\")"},
    {CUSTOM "streams = ({ name = \"a\" op = \"read\" sizes = [\"4KiB\"] rate = \"1/s\" })\n", NULL},
    {CUSTOM "streams = ({ name = \"a\", op = \"read\", sizes = [\"4KiB\"], rate = \"1/s\" })\n",
     NULL},
    {CUSTOM "streams = ({ name : \"a\"; op : \"read\"; sizes = (\"4KiB\"); rate : \"1/s\"; },)\n",
     "F:3: streams = ({ name : \"a\"; op : \"read\"; sizes = (\"4KiB\"); rate: syntax error, here "
     "or above; allowed: KEY = VALUE lines, each key once, values with a unit in quotes (load = "
     "\"30x\")"},
    {DEVICE "phases = ({ name = \"a\";\nlaod = \"1x\"; })\n",
     "F:3: phases[1].laod = 1x: unknown key, the nearest is load; allowed: name, duration, judge, "
     "load, read-load, write-load, rate, streams, steps"},
    {DEVICE "phases = ({ name = \"a\";\nworkload = \"custom\"; })\n",
     "F:3: phases[1].workload = custom: unknown key, the nearest is load; allowed: name, duration, "
     "judge, load, read-load, write-load, rate, streams, steps"},
    {DEVICE "phases = ({ name = \"a\";\nop = \"read\"; })\n",
     "F:3: phases[1].op = read: unknown key; allowed: name, duration, judge, load, read-load, "
     "write-load, rate, streams, steps"},
};

Test(config_group, lists_of_groups)
{
	expect_refusals(groups, sizeof(groups) / sizeof(groups[0]));
}

static void write_groups(char *text, size_t size, const char *start, const char *group,
			 size_t count)
{
	size_t length = (size_t)snprintf(text, size, "%s", start);

	for (size_t i = 1; i <= count; i++) {
		length += (size_t)snprintf(text + length, size - length,
					   "{ name = \"n%zu\"; %s },\n", i, group);
		cr_assert_lt(length, size);
	}
	strcpy(text + length - 2, ")\n");
}

Test(config_group, there_is_room_for_8_streams)
{
	static const char stream[] = "op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"];";
	struct config config;
	char error[ERROR_TEXT_BYTES];
	char text[2048];

	config_defaults(&config);
	write_groups(text, sizeof(text), CUSTOM "streams = (", stream, 8);
	cr_assert_eq(parse_text(&config, text, error), 0, "%s", error);
	cr_expect_eq(config.stream_count, 8);
	cr_expect_str_eq(config.streams[7].name, "n8");
	write_groups(text, sizeof(text), CUSTOM "streams = (", stream, 9);
	cr_expect_neq(parse_text(&config, text, error), 0);
	cr_expect_str_eq(error, "F:11: streams = {...}: more than 8; allowed: a list of at most 8 "
				"groups as ( { KEY = VALUE; ... }, ... )");
}

Test(config_group, there_is_room_for_32_phases)
{
	struct config config;
	char error[ERROR_TEXT_BYTES];
	char text[2048];

	config_defaults(&config);
	write_groups(text, sizeof(text), DEVICE "phases = (", "", 32);
	cr_assert_eq(parse_text(&config, text, error), 0, "%s", error);
	cr_expect_eq(config.phase_count, 32);
	cr_expect_str_eq(config.phases[31].name, "n32");
	write_groups(text, sizeof(text), DEVICE "phases = (", "", 33);
	cr_expect_neq(parse_text(&config, text, error), 0);
	cr_expect_str_eq(error, "F:34: phases = {...}: more than 32; allowed: a list of at most 32 "
				"groups as ( { KEY = VALUE; ... }, ... )");
}

Test(config_group, a_later_list_replaces_the_earlier)
{
	struct config config;
	char error[ERROR_TEXT_BYTES];

	config_defaults(&config);
	cr_assert_eq(parse_text(&config,
				DEVICE
				"phases = ({ name = \"a\"; load = \"5x\"; }, { name = \"b\"; })",
				error),
		     0);
	cr_assert_eq(parse_text(&config, "phases = ({ name = \"c\"; })", error), 0, "%s", error);
	cr_assert_eq(config.phase_count, 1);
	cr_expect_str_eq(config.phases[0].name, "c");
	cr_expect(!config.phases[0].has_read_load);
	cr_assert_eq(config_set(&config, "--set", "phases", "", NULL), 0);
	cr_expect_eq(config.phase_count, 0);
}

struct set_case {
	const char *value;
	const char *error;
};

/* On a command line all of a list comes from one place. */
static const struct set_case set_cases[] = {
    {"", ""},
    {"()", ""},
    {"( { name = \"a\"; load = \"5x\"; }, { name = \"b\" } )", ""},
    {"a,b", "--set: phases = a,b: syntax error; allowed: a list of at most 32 groups as ( { KEY = "
	    "VALUE; ... }, ... )"},
    {"({ name = \"a\"; }); load = \"5x\"",
     "--set: phases = ({ name = \"a\"; }); load = \"5x\": more than a list of groups; allowed: a "
     "list of at most 32 groups as ( { KEY = VALUE; ... }, ... )"},
    {"({ name = \"a\"; load = 5x; })",
     "--set: phases = ({ name = \"a\"; load = 5x; }): value with a unit, but not in quotes; "
     "allowed: a list of at most 32 groups as ( { KEY = VALUE; ... }, ... )"},
    {"({ name = \"a\" }, { name = \"b\"; load = \"5\" })",
     "--set: phases[2].load = 5: 5 has no unit; allowed: 0x to 10000x"},
    {"({ name = \"a\"; laod = \"5x\" })",
     "--set: phases[1].laod = 5x: unknown key, the nearest is load; allowed: name, duration, "
     "judge, load, read-load, write-load, rate, streams, steps"},
    {"@include \"x\"", "--set: phases = @include \"x\": @include is not supported; allowed: a list "
		       "of at most 32 groups as ( { KEY = VALUE; ... }, ... )"},
};

Test(config_group, a_list_can_be_set_as_text)
{
	for (size_t i = 0; i < sizeof(set_cases) / sizeof(set_cases[0]); i++) {
		const struct set_case *c = &set_cases[i];
		struct error err = {.text = ""};
		struct config config;

		config_defaults(&config);
		int rc = config_set(&config, "--set", "phases", c->value, &err);
		cr_expect_eq(rc == 0, *c->error == '\0', "%s", c->value);
		cr_expect_str_eq(err.text, c->error, "%s", err.text);
	}
}
