#include <criterion/criterion.h>

#include "tests/act/config/refusals.h"

#define DEVICE "devices = [\"/dev/a\"]\n"
#define CUSTOM                                                                                     \
	DEVICE "workload = \"custom\"\n"                                                           \
	       "streams = (\n"                                                                     \
	       "{ name = \"reads\"; op = \"read\"; rate = \"50%\"; sizes = [\"4KiB\"]; },\n"       \
	       "{ name = \"writes\"; op = \"write\"; rate = \"50%\"; sizes = [\"4KiB\"]; })\n"

static void parse(struct config *config, const char *text)
{
	char error[ERROR_TEXT_BYTES];

	config_defaults(config);
	cr_assert_eq(parse_text(config, text, error), 0, "%s", error);
}

Test(config_phases, every_key_is_read_to_its_field)
{
	struct config config;
	const struct config_phase *phase = &config.phases[0];

	parse(&config, CUSTOM
	      "phases = (\n"
	      "{ name = \"warm up\"; duration = \"90s\"; judge = false; rate = \"500/s\";\n"
	      "  streams = [\"reads\", \"writes:10MB/s\"]; },\n"
	      "{ name = \"up\"; steps = \"rate:100/s..500/s:100/s\"; streams = [\"reads\"]; })");
	cr_assert_eq(config.phase_count, 2);
	cr_expect_str_eq(phase->name, "warm up");
	cr_expect_eq(phase->duration_ns, UINT64_C(90000000000));
	cr_expect(!phase->judge);
	cr_expect_eq(phase->rate.unit, CONFIG_RATE_PER_SEC);
	cr_expect_eq(phase->rate.value.num, 500);
	cr_assert_eq(phase->stream_count, 2);
	cr_expect_str_eq(phase->streams[0].stream, "reads");
	cr_expect_eq(phase->streams[0].rate.unit, CONFIG_RATE_NONE);
	cr_expect_str_eq(phase->streams[1].stream, "writes");
	cr_expect_eq(phase->streams[1].rate.unit, CONFIG_RATE_BYTES);
	cr_expect_eq(phase->streams[1].rate.value.num, 10000000);
	cr_expect_str_eq(phase->steps_of, "");
	cr_expect(strstr(phase->origin, ":7"), "%s", phase->origin);

	phase++;
	cr_expect(phase->judge);
	cr_expect_eq(phase->duration_ns, 0);
	cr_expect_eq(phase->rate.unit, CONFIG_RATE_NONE);
	cr_expect_str_eq(phase->steps_of, "rate");
	cr_expect_eq(config_phase_steps(phase), 5);
}

static const struct {
	const char *keys;
	bool has_read;
	bool has_write;
	uint64_t read;
	uint64_t write;
} loads[] = {
    {"", false, false, 0, 0},
    {"load = \"5x\";", true, true, 5, 5},
    {"read-load = \"5x\";", true, false, 5, 0},
    {"write-load = \"7x\";", false, true, 0, 7},
    {"read-load = \"5x\"; load = \"2x\";", true, true, 5, 2},
    {"load = \"2x\"; write-load = \"0x\";", true, true, 2, 0},
};

Test(config_phases, loads_that_are_not_given_are_those_of_the_run)
{
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		struct config config;
		const struct config_phase *phase = &config.phases[0];
		char text[256];

		snprintf(text, sizeof(text), DEVICE "phases = ({ name = \"a\"; %s })",
			 loads[i].keys);
		parse(&config, text);
		cr_expect_eq(phase->has_read_load, loads[i].has_read, "%s", loads[i].keys);
		cr_expect_eq(phase->has_write_load, loads[i].has_write, "%s", loads[i].keys);
		cr_expect_eq(phase->read_load.num, loads[i].read, "%s", loads[i].keys);
		cr_expect_eq(phase->write_load.num, loads[i].write, "%s", loads[i].keys);
	}
}

#define PHASE(keys) DEVICE "phases = ({ name = \"a\";\n" keys " })\n"

static const struct refusal values[] = {
    {PHASE("duration = \"10\";"),
     "F:3: phases[1].duration = 10: 10 has no unit; allowed: 0s to 8760h"},
    {PHASE("duration = 10;"), "F:3: phases[1].duration = 10: 10 has no unit; allowed: 0s to 8760h"},
    {PHASE("duration = \"9000h\";"),
     "F:3: phases[1].duration = 9000h: too large; allowed: 0s to 8760h"},
    {PHASE("judge = \"no\";"), "F:3: phases[1].judge = no: is in quotes; allowed: true or false"},
    {PHASE("judge = [\"reads\"];"),
     "F:3: phases[1].judge = (...): is a list; allowed: true or false"},
    {PHASE("load = \"30\";"), "F:3: phases[1].load = 30: 30 has no unit; allowed: 0x to 10000x"},
    {PHASE("load = \"10001x\";"), "F:3: phases[1].load = 10001x: too large; allowed: 0x to 10000x"},
    {PHASE("read-load = \"x\";"),
     "F:3: phases[1].read-load = x: not a load; allowed: 0x to 10000x"},
    {PHASE("write-load = 5;"),
     "F:3: phases[1].write-load = 5: 5 has no unit; allowed: 0x to 10000x"},
    {PHASE("rate = \"5\";"), "F:3: phases[1].rate = 5: 5 has no unit; allowed: a rate as 5000/s"},
    {PHASE("rate = \"5%\";"), "F:3: phases[1].rate = 5%: not a rate; allowed: a rate as 5000/s"},
    {PHASE("steps = \"load:1x..2x:0x\";"),
     "F:3: phases[1].steps = load:1x..2x:0x: steps of nothing never end; allowed: "
     "WHAT:FROM..TO:STEP as load:1x..10x:1x"},
    {PHASE("steps = 5;"),
     "F:3: phases[1].steps = 5: is a number; allowed: WHAT:FROM..TO:STEP as load:1x..10x:1x"},
    {PHASE("steps = \"\";"), NULL},
    {DEVICE "phases = ({ name = \"A\"; })\n",
     "F:2: phases[1].name = A: not a name; allowed: 1 to 31 of a-z, 0-9, and - and blanks between"},
    {DEVICE "phases = ({ name = \"a \"; })\n", "F:2: phases[1].name = a : not a name; allowed: 1 "
					       "to 31 of a-z, 0-9, and - and blanks between"},
    {DEVICE "phases = ({ name = \"a\"; },\n{ name = \"b\"; },\n{ name = \"a\"; })\n",
     "F:4: phases[3].name = a: named twice; allowed: names that differ"},
};

Test(config_phases, bad_values_are_refused)
{
	expect_refusals(values, sizeof(values) / sizeof(values[0]));
}
