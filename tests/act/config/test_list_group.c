#include <criterion/criterion.h>

#include "tests/act/config/refusals.h"

#define CUSTOM "devices = [\"/dev/a\"]\nworkload = \"custom\"\n"
#define SIZES(sizes)                                                                               \
	"streams = ({ name = \"a\"; op = \"read\"; rate = \"1/s\";\nsizes = " sizes "; })\n"
#define DEVICE      "devices = [\"/dev/a\"]\n"
#define PHASE(keys) "phases = ({ name = \"a\"; " keys " })\n"

static const struct refusal sizes[] = {
    {CUSTOM SIZES("[]"), "F:3: streams[1].sizes =: none; allowed: 1 to 16 sizes"},
    {CUSTOM SIZES("\"4KiB\""),
     "F:4: streams[1].sizes = 4KiB: a string, not a list as [\"A\", \"B\"]; allowed: a list of 1 "
     "to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[4096]"),
     "F:4: streams[1].sizes = 4096: a number in a list of strings; allowed: a list of 1 to 16 "
     "SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4096\"]"),
     "F:4: streams[1].sizes = 4096: not a size with a unit; allowed: a list of 1 to 16 SIZE, "
     "MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"0B\"]"), "F:4: streams[1].sizes = 0B: too small; allowed: a list of 1 to 16 "
			       "SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"9MiB\"]"), "F:4: streams[1].sizes = 9MiB: too large; allowed: a list of 1 to "
				 "16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"8KiB..4KiB\"]"),
     "F:4: streams[1].sizes = 8KiB..4KiB: largest size below the smallest; allowed: a list of 1 to "
     "16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB..9MiB\"]"),
     "F:4: streams[1].sizes = 4KiB..9MiB: too large; allowed: a list of 1 to 16 SIZE, MIN..MAX, or "
     "these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB:\"]"),
     "F:4: streams[1].sizes = 4KiB:: not a weight above 0 to 1000000 of up to 6 decimals; allowed: "
     "a list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB:0\"]"),
     "F:4: streams[1].sizes = 4KiB:0: not a weight above 0 to 1000000 of up to 6 decimals; "
     "allowed: a list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB:-1\"]"),
     "F:4: streams[1].sizes = 4KiB:-1: not a weight above 0 to 1000000 of up to 6 decimals; "
     "allowed: a list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB:5%\"]"),
     "F:4: streams[1].sizes = 4KiB:5%: not a weight above 0 to 1000000 of up to 6 decimals; "
     "allowed: a list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB:1000001\"]"),
     "F:4: streams[1].sizes = 4KiB:1000001: not a weight above 0 to 1000000 of up to 6 decimals; "
     "allowed: a list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB:0.0000001\"]"),
     "F:4: streams[1].sizes = 4KiB:0.0000001: not a weight above 0 to 1000000 of up to 6 decimals; "
     "allowed: a list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB:1\", \"8KiB\"]"),
     "F:4: streams[1].sizes = 8KiB: one of several sizes, but not each has a weight; allowed: a "
     "list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB\", \"8KiB:1\"]"),
     "F:4: streams[1].sizes = 8KiB:1: one of several sizes, but not each has a weight; allowed: a "
     "list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB\", \"8KiB\"]"),
     "F:4: streams[1].sizes = 8KiB: one of several sizes, but not each has a weight; allowed: a "
     "list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\":5\"]"),
     "F:4: streams[1].sizes = :5: not a size with a unit; allowed: a list of 1 to 16 SIZE, "
     "MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"..8KiB\"]"),
     "F:4: streams[1].sizes = ..8KiB: not a size with a unit; allowed: a list of 1 to 16 SIZE, "
     "MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"4KiB..\"]"),
     "F:4: streams[1].sizes = 4KiB..: not a size with a unit; allowed: a list of 1 to 16 SIZE, "
     "MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"1KiB:1:2\"]"),
     "F:4: streams[1].sizes = 1KiB:1:2: not a weight above 0 to 1000000 of up to 6 decimals; "
     "allowed: a list of 1 to 16 SIZE, MIN..MAX, or these with weights as 4KiB:22.1"},
    {CUSTOM SIZES("[\"1KiB:1\", \"2KiB:1\", \"3KiB:1\", \"4KiB:1\", \"5KiB:1\", \"6KiB:1\", "
		  "\"7KiB:1\", \"8KiB:1\", \"9KiB:1\", \"10KiB:1\", \"11KiB:1\", \"12KiB:1\", "
		  "\"13KiB:1\", \"14KiB:1\", \"15KiB:1\", \"16KiB:1\", \"17KiB:1\"]"),
     "F:4: streams[1].sizes = 17KiB:1: more than 16 sizes; allowed: a list of 1 to 16 SIZE, "
     "MIN..MAX, or these with weights as 4KiB:22.1"},
};

static const struct refusal issued[] = {
    {DEVICE PHASE("streams = \"reads\";"),
     "F:2: phases[1].streams = reads: a string, not a list as [\"A\", \"B\"]; allowed: a list of "
     "at most 8 NAME or NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [5];"),
     "F:2: phases[1].streams = 5: a number in a list of strings; allowed: a list of at most 8 NAME "
     "or NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [\"Reads\"];"),
     "F:2: phases[1].streams = Reads: not the name of a stream; allowed: a list of at most 8 NAME "
     "or NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [\"reads\", \"reads:5/s\"];"),
     "F:2: phases[1].streams = reads:5/s: named twice; allowed: a list of at most 8 NAME or "
     "NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [\"reads:5\"];"),
     "F:2: phases[1].streams = reads:5: not a rate behind the name; allowed: a list of at most 8 "
     "NAME or NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [\"reads:\"];"),
     "F:2: phases[1].streams = reads:: not a rate behind the name; allowed: a list of at most 8 "
     "NAME or NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [\"reads:101%\"];"),
     "F:2: phases[1].streams = reads:101%: too large; allowed: a list of at most 8 NAME or "
     "NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [\":5/s\"];"),
     "F:2: phases[1].streams = :5/s: not the name of a stream; allowed: a list of at most 8 NAME "
     "or NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [\"a2345678901234567890123456789012:5/s\"];"),
     "F:2: phases[1].streams = a2345678901234567890123456789012:5/s: longer than 31 characters; "
     "allowed: a list of at most 8 NAME or NAME:RATE as reads:500/s"},
    {DEVICE PHASE("streams = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"];"),
     "F:2: phases[1].streams = i: more than 8 streams; allowed: a list of at most 8 NAME or "
     "NAME:RATE as reads:500/s"},
};

Test(config_list_group, bad_sizes_are_refused)
{
	expect_refusals(sizes, sizeof(sizes) / sizeof(sizes[0]));
}

Test(config_list_group, bad_streams_of_phases_are_refused)
{
	expect_refusals(issued, sizeof(issued) / sizeof(issued[0]));
}

static void parse_sizes(struct config *config, const char *list)
{
	char text[1024];
	char error[ERROR_TEXT_BYTES];

	snprintf(text, sizeof(text), CUSTOM SIZES("%s"), list);
	config_defaults(config);
	cr_assert_eq(parse_text(config, text, error), 0, "%s", error);
}

static void expect_size(const struct config_size *size, uint64_t min_bytes, uint64_t max_bytes,
			struct ratio weight)
{
	cr_expect_eq(size->min_bytes, min_bytes);
	cr_expect_eq(size->max_bytes, max_bytes);
	cr_expect_eq(ratio_compare(size->weight, weight), 0);
}

Test(config_list_group, sizes_keep_their_weights_exactly)
{
	struct config config;
	const struct config_stream *stream = &config.streams[0];

	parse_sizes(&config,
		    "[\"4KiB:22.1\", \"4KiB..8KiB:0.000001\", \"8 MiB:1000000\", \"1B:3\"]");
	cr_assert_eq(stream->size_count, 4);
	expect_size(&stream->sizes[0], 4096, 4096, ratio_make(221, 10));
	expect_size(&stream->sizes[1], 4096, 8192, ratio_make(1, 1000000));
	expect_size(&stream->sizes[2], 8 << 20, 8 << 20, ratio_make(1000000, 1));
	expect_size(&stream->sizes[3], 1, 1, ratio_make(3, 1));
}

Test(config_list_group, a_single_size_needs_no_weight)
{
	struct config config;
	const struct config_stream *stream = &config.streams[0];

	parse_sizes(&config, "[\"512B..4KiB\"]");
	cr_assert_eq(stream->size_count, 1);
	expect_size(&stream->sizes[0], 512, 4096, ratio_make(100, 1));
	parse_sizes(&config, "[\"4KiB:50\"]");
	cr_assert_eq(stream->size_count, 1);
	expect_size(&stream->sizes[0], 4096, 4096, ratio_make(50, 1));
}
