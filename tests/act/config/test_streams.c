#include <criterion/criterion.h>

#include "tests/act/config/refusals.h"

#define TARGETS "devices = [\"/dev/a\", \"/dev/b\", \"/dev/c\"]\nworkload = \"custom\"\n"

static const char every_key[] = TARGETS
    "rate = \"10000/s\"\n"
    "streams = (\n"
    "{\n"
    "  name = \"hot-reads\";\n"
    "  op = \"read\";\n"
    "  rate = \"83.14%\";\n"
    "  sizes = [\"4KiB:22.1\", \"8KiB..16KiB:37.3\"];\n"
    "  random = \"80%\";\n"
    "  region = \"10%..50%\";\n"
    "  devices = \"1,3\";\n"
    "  in-flight-cap = 64;\n"
    "  judge = false;\n"
    "  thresholds = [\"500us:10%\", \"2ms:1%\"];\n"
    "},\n"
    "{ sizes = [\"128KiB\"], judge = true, odsync = false, rate = \"850MB/s\", op = \"write\", "
    "name = \"w\" },\n"
    "{ name = \"plain\"; op = \"write\"; rate = \"0.5x\"; sizes = [\"512B\"]; }\n"
    ")\n";

static void expect_first(const struct config_stream *stream)
{
	cr_expect_str_eq(stream->name, "hot-reads");
	cr_expect(!stream->is_write);
	cr_expect_eq(stream->rate.unit, CONFIG_RATE_SHARE);
	cr_expect_eq(ratio_compare(stream->rate.value, ratio_make(8314, 10000)), 0);
	cr_assert_eq(stream->size_count, 2);
	cr_expect_eq(stream->sizes[1].min_bytes, 8192);
	cr_expect_eq(stream->sizes[1].max_bytes, 16384);
	cr_expect_eq(ratio_compare(stream->sizes[1].weight, ratio_make(373, 10)), 0);
	cr_expect_eq(ratio_compare(stream->random, ratio_make(4, 5)), 0);
	cr_expect_eq(ratio_compare(stream->region_from, ratio_make(1, 10)), 0);
	cr_expect_eq(ratio_compare(stream->region_upto, ratio_make(1, 2)), 0);
	cr_expect_eq(stream->devices, 5);
	cr_expect_eq(stream->in_flight_cap, 64);
	cr_expect_eq(stream->odsync, CONFIG_AS_DEFAULT);
	cr_expect_eq(stream->judge, CONFIG_NO);
	cr_assert_eq(stream->criterion_count, 2);
	cr_expect_eq(stream->criteria[0].threshold_ns, 500000);
	cr_expect_eq(ratio_compare(stream->criteria[1].limit, ratio_make(1, 100)), 0);
	cr_expect(strstr(stream->origin, ":5"), "%s", stream->origin);
}

static void expect_second(const struct config_stream *stream)
{
	cr_expect_str_eq(stream->name, "w");
	cr_expect(stream->is_write);
	cr_expect_eq(stream->rate.unit, CONFIG_RATE_BYTES);
	cr_expect_eq(stream->rate.value.num, 850000000);
	cr_expect_eq(stream->odsync, CONFIG_NO);
	cr_expect_eq(stream->judge, CONFIG_YES);
	cr_expect(strstr(stream->origin, ":17"), "%s", stream->origin);
}

/* What is not said. */
static void expect_defaults(const struct config_stream *stream)
{
	cr_expect_eq(stream->rate.unit, CONFIG_RATE_LOAD);
	cr_expect_eq(ratio_compare(stream->random, ratio_make(1, 1)), 0);
	cr_expect_eq(ratio_compare(stream->region_from, ratio_make(0, 1)), 0);
	cr_expect_eq(ratio_compare(stream->region_upto, ratio_make(1, 1)), 0);
	cr_expect_eq(stream->devices, 0);
	cr_expect_eq(stream->in_flight_cap, 0);
	cr_expect_eq(stream->odsync, CONFIG_AS_DEFAULT);
	cr_expect_eq(stream->judge, CONFIG_AS_DEFAULT);
	cr_expect_eq(stream->criterion_count, 0);
}

Test(config_streams, every_key_is_read_to_its_field)
{
	struct config config;
	char error[ERROR_TEXT_BYTES];

	config_defaults(&config);
	cr_assert_eq(parse_text(&config, every_key, error), 0, "%s", error);
	cr_expect_eq(config.workload, CONFIG_WORKLOAD_CUSTOM);
	cr_expect_eq(config.rate.unit, CONFIG_RATE_PER_SEC);
	cr_expect_eq(config.rate.value.num, 10000);
	cr_assert_eq(config.stream_count, 3);
	expect_first(&config.streams[0]);
	expect_second(&config.streams[1]);
	expect_defaults(&config.streams[2]);
}

#define GROUP(name, op, rest)                                                                      \
	"{ name = \"" name "\"; op = \"" op "\"; rate = \"1/s\"; sizes = [\"4KiB\"]; " rest " }"

/* What no single key can tell. */
static const struct refusal groups[] = {
    {TARGETS "streams = (" GROUP("load", "read", "") ")\n",
     "F:3: streams[1].name = load: has a meaning in steps; allowed: names but load and rate"},
    {TARGETS "streams = (" GROUP("rate", "read", "") ")\n",
     "F:3: streams[1].name = rate: has a meaning in steps; allowed: names but load and rate"},
    {TARGETS "streams = (" GROUP("a", "read", "") ",\n" GROUP("b", "read", "") ",\n" GROUP(
	 "a", "write", "") ")\n",
     "F:5: streams[3].name = a: named twice; allowed: names that differ"},
    {TARGETS "streams = (" GROUP("a", "read", "odsync = true;") ")\n",
     "F:3: streams[1].odsync = true: of a stream that reads; allowed: on streams that write"},
    {TARGETS "streams = (" GROUP("a", "read", "odsync = false;") ")\n",
     "F:3: streams[1].odsync = false: of a stream that reads; allowed: on streams that write"},
    {TARGETS "streams = (" GROUP("a", "write", "odsync = true;") ")\n", NULL},
    {TARGETS "streams = ({ name = \"a\"; op = \"read\"; rate = \"1/s\"; sizes = []; })\n",
     "F:3: streams[1].sizes =: none; allowed: 1 to 16 sizes"},
};

Test(config_streams, what_does_not_fit_together_is_refused)
{
	expect_refusals(groups, sizeof(groups) / sizeof(groups[0]));
}
