#include <criterion/criterion.h>

#include "tests/act/config/refusals.h"

#define CUSTOM "devices = [\"/dev/a\"]\nworkload = \"custom\"\n"
#define NAME(name)                                                                                 \
	"streams = ({ op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"];\nname = " name "; })\n"
#define RATE(rate)                                                                                 \
	"streams = ({ name = \"a\"; op = \"read\"; sizes = [\"4KiB\"];\nrate = " rate "; })\n"
#define STREAM(keys)                                                                               \
	"streams = ({ name = \"a\"; op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"];\n" keys     \
	" })\n"

static const struct refusal values[] = {
    {CUSTOM NAME("\"\""),
     "F:4: streams[1].name =: empty; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM NAME("\"A\""),
     "F:4: streams[1].name = A: not a name; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM NAME("\"a b\""),
     "F:4: streams[1].name = a b: not a name; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM NAME("\"-\""),
     "F:4: streams[1].name = -: not a name; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM NAME("\"a_b\""),
     "F:4: streams[1].name = a_b: not a name; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM NAME("\" a\""),
     "F:4: streams[1].name =  a: not a name; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM NAME("\"a2345678901234567890123456789012\""),
     "F:4: streams[1].name = a2345678901234567890123456789012: longer than 31 characters; allowed: "
     "1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM NAME("\"load\""),
     "F:3: streams[1].name = load: has a meaning in steps; allowed: names but load and rate"},
    {CUSTOM NAME("\"rate\""),
     "F:3: streams[1].name = rate: has a meaning in steps; allowed: names but load and rate"},
    {CUSTOM NAME("5"),
     "F:4: streams[1].name = 5: is a number; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM NAME("[\"a\"]"),
     "F:4: streams[1].name = (...): is a list; allowed: 1 to 31 of a-z, 0-9, and - between"},
    {CUSTOM RATE("\"100\""), "F:4: streams[1].rate = 100: 100 has no unit; allowed: a rate as "
			     "5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("100"), "F:4: streams[1].rate = 100: 100 has no unit; allowed: a rate as 5000/s, "
			 "30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"x\""),
     "F:4: streams[1].rate = x: not a rate; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"\""),
     "F:4: streams[1].rate =: not a rate; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"100/m\""),
     "F:4: streams[1].rate = 100/m: not a rate; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"-1/s\""),
     "F:4: streams[1].rate = -1/s: not a rate; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"101%\""),
     "F:4: streams[1].rate = 101%: too large; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"1000000000/s\""), "F:4: streams[1].rate = 1000000000/s: too large; allowed: a "
				      "rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"30X\""),
     "F:4: streams[1].rate = 30X: not a rate; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"10001x\""),
     "F:4: streams[1].rate = 10001x: too large; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"850MB\""),
     "F:4: streams[1].rate = 850MB: not a rate; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"850mb/s\""), "F:4: streams[1].rate = 850mb/s: not a rate; allowed: a rate as "
				 "5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"2TB/s\""),
     "F:4: streams[1].rate = 2TB/s: too large; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("\"/s\""),
     "F:4: streams[1].rate = /s: not a rate; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("[\"1/s\"]"),
     "F:4: streams[1].rate = (...): is a list; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM RATE("true"),
     "F:4: streams[1].rate = true: is a switch; allowed: a rate as 5000/s, 30x, 83.14% or 850MB/s"},
    {CUSTOM STREAM("region = \"50%\";"), "F:4: streams[1].region = 50%: not of the form "
					 "FROM..UPTO; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("region = \"0%..101%\";"), "F:4: streams[1].region = 0%..101%: ends behind the "
					      "device; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("region = \"50%..50%\";"), "F:4: streams[1].region = 50%..50%: nothing between "
					      "the two; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("region = \"60%..50%\";"), "F:4: streams[1].region = 60%..50%: nothing between "
					      "the two; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("region = \"0..50%\";"),
     "F:4: streams[1].region = 0..50%: not two percentages; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("region = \"..50%\";"),
     "F:4: streams[1].region = ..50%: not two percentages; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("region = \"0%..\";"),
     "F:4: streams[1].region = 0%..: not two percentages; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("region = \"\";"),
     "F:4: streams[1].region =: not of the form FROM..UPTO; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("region = 5;"),
     "F:4: streams[1].region = 5: is a number; allowed: FROM..UPTO, from 0% to 100%"},
    {CUSTOM STREAM("devices = \"0\";"), "F:4: streams[1].devices = 0: not a list of numbers; "
					"allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"65\";"), "F:4: streams[1].devices = 65: not a list of numbers; "
					 "allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"1-\";"), "F:4: streams[1].devices = 1-: not a list of numbers; "
					 "allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"-1\";"), "F:4: streams[1].devices = -1: not a list of numbers; "
					 "allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"3-1\";"), "F:4: streams[1].devices = 3-1: not a list of numbers; "
					  "allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"1,1\";"), "F:4: streams[1].devices = 1,1: 1 named twice; allowed: "
					  "numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"1-3,2\";"),
     "F:4: streams[1].devices = 1-3,2: 2 named twice; allowed: numbers from 1 to 64 in quotes, as "
     "\"1-3,5\""},
    {CUSTOM STREAM("devices = \"1,,2\";"), "F:4: streams[1].devices = 1,,2: not a list of numbers; "
					   "allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"1,\";"), "F:4: streams[1].devices = 1,: not a list of numbers; "
					 "allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"a\";"), "F:4: streams[1].devices = a: not a list of numbers; "
					"allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"1 2\";"), "F:4: streams[1].devices = 1 2: not a list of numbers; "
					  "allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = 1;"), "F:4: streams[1].devices = 1: is a number; allowed: numbers "
				    "from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = [\"1\"];"), "F:4: streams[1].devices = (...): is a list; allowed: "
					  "numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("devices = \"001\";"), "F:4: streams[1].devices = 001: not a list of numbers; "
					  "allowed: numbers from 1 to 64 in quotes, as \"1-3,5\""},
    {CUSTOM STREAM("odsync = \"yes\";"),
     "F:4: streams[1].odsync = yes: is in quotes; allowed: true or false"},
    {CUSTOM STREAM("odsync = 1;"),
     "F:4: streams[1].odsync = 1: is a number; allowed: true or false"},
    {CUSTOM STREAM("judge = \"true\";"),
     "F:4: streams[1].judge = true: is in quotes; allowed: true or false"},
    {CUSTOM STREAM("judge = [\"a\"];"),
     "F:4: streams[1].judge = (...): is a list; allowed: true or false"},
    {CUSTOM STREAM("random = \"101%\";"),
     "F:4: streams[1].random = 101%: too large; allowed: 0% to 100%"},
    {CUSTOM STREAM("random = \"80\";"),
     "F:4: streams[1].random = 80: 80 has no unit; allowed: 0% to 100%"},
    {CUSTOM STREAM("random = 80;"),
     "F:4: streams[1].random = 80: 80 has no unit; allowed: 0% to 100%"},
    {CUSTOM STREAM("in-flight-cap = 40000;"),
     "F:4: streams[1].in-flight-cap = 40000: too large; allowed: 0 to 32768"},
    {CUSTOM STREAM("in-flight-cap = \"x\";"),
     "F:4: streams[1].in-flight-cap = x: not a whole number; allowed: 0 to 32768"},
    {CUSTOM STREAM("op = \"write\";"),
     "F:4: op = \"write\"; }): duplicate setting name, here or above; allowed: KEY = VALUE lines, "
     "each key once, values with a unit in quotes (load = \"30x\")"},
};

Test(config_value_group, bad_values_are_refused)
{
	expect_refusals(values, sizeof(values) / sizeof(values[0]));
}

static void parse_stream(struct config *config, const char *keys)
{
	char text[512];
	char error[ERROR_TEXT_BYTES];
	size_t length =
	    (size_t)snprintf(text, sizeof(text), "workload = \"custom\"\n" STREAM("%s"), keys);

	cr_assert_lt(length, sizeof(text));
	config_defaults(config);
	for (int i = 0; i < CONFIG_DEVICES_MAX; i++) {
		char path[16];
		snprintf(path, sizeof(path), "/dev/%d", i);
		config_add_device(config, "test", path, NULL);
	}
	cr_assert_eq(parse_text(config, text, error), 0, "%s", error);
}

static const struct {
	const char *text;
	uint64_t set;
} numbers[] = {
    {"", 0},
    {"1", 1},
    {"2,1", 3},
    {"1-3,5", 0x17},
    {"64", UINT64_C(1) << 63},
    {"1-64", UINT64_MAX},
    {"63-64,1", UINT64_C(3) << 62 | 1},
    {"08", 0x80},
};

Test(config_value_group, devices_are_a_set_of_numbers)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct config config;
		char keys[64];

		snprintf(keys, sizeof(keys), "devices = \"%s\";", numbers[i].text);
		parse_stream(&config, keys);
		cr_expect_eq(config.streams[0].devices, numbers[i].set, "%s", numbers[i].text);
	}
}

Test(config_value_group, regions_are_exact)
{
	struct config config;

	parse_stream(&config, "region = \"12.5%..66.6%\";");
	cr_expect_eq(ratio_compare(config.streams[0].region_from, ratio_make(1, 8)), 0);
	cr_expect_eq(ratio_compare(config.streams[0].region_upto, ratio_make(333, 500)), 0);
}
