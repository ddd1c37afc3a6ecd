#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "act/base/random.h"
#include "tests/act/config/memory_file.h"

/* Random configs with groups, as text. Each word may be "", which leaves the key out. */

#define WORDS 6
static const char *const random_words[WORDS] = {"",        "\"0%\"",    "\"100%\"",
						"\"80%\"", "\"33.3%\"", "\"0.00000001%\""};
static const char *const region_words[WORDS] = {
    "", "\"0%..50%\"", "\"50%..100%\"", "\"12.5%..12.6%\"", "\"0%..100%\"", "\"99%..100%\""};
static const char *const device_words[WORDS] = {"",        "\"1\"",   "\"2-3\"",
						"\"1,3\"", "\"1-3\"", "\"3\""};
static const char *const cap_words[WORDS] = {"", "0", "1", "32768", "64", "\"77\""};
static const char *const switch_words[WORDS] = {"", "", "", "true", "false", "true"};
static const char *const criteria_words[WORDS] = {
    "", "[]", "[\"1ms:5%\"]", "[\"1ms:1%\", \"8ms:0%\"]", "[\"64ms:100%\"]", "[\"8ms:0.1%\"]"};
static const char *const size_words[WORDS] = {
    "[\"4KiB\"]",
    "[\"4KiB:100\"]",
    "[\"512B..128KiB:7\"]",
    "[\"4KiB:22.1\", \"8KiB:37.3\", \"16KiB:19.12\"]",
    "[\"1B..8MiB:0.000001\", \"1B:1000000\"]",
    "[\"1KB:1\", \"4097B..1MiB:2\", \"4KiB:3\", \"4KiB:4\"]"};
static const char *const rate_words[WORDS] = {"\"5000/s\"",  "\"0.5x\"", "\"83.14%\"",
					      "\"850MB/s\"", "\"2/3x\"", "\"0.1/s\""};
static const char *const duration_words[WORDS] = {"",        "\"0s\"",   "\"1s\"",
						  "\"90s\"", "\"1h1s\"", "\"100h\""};
static const char *const common_words[WORDS] = {"", "\"1/s\"", "\"0.25/s\"", "\"100000000/s\"",
						"", ""};
static const char *const issued_words[WORDS] = {
    "", "", "[]", "[\"s1\"]", "[\"s1:10%\"]", "[\"s1:5MB/s\"]"};
static const char *const step_words[WORDS] = {"",
					      "",
					      "\"s1:1x..4x:1x\"",
					      "\"s1:10MB/s..850MB/s:120MB/s\"",
					      "\"rate:1/s..3/s:0.5/s\"",
					      "\"s1:1/3x..2x:1/3x\""};

static void put(FILE *out, struct random *random, const char *key, const char *const words[WORDS])
{
	const char *word = words[random_below(random, WORDS)];

	if (*word != '\0')
		fprintf(out, " %s = %s;", key, word);
}

static void put_stream(FILE *out, struct random *random, size_t number)
{
	bool is_write = random_below(random, 2) > 0;

	fprintf(out, "{ name = \"s%zu\"; op = \"%s\";", number, is_write ? "write" : "read");
	put(out, random, "rate", rate_words);
	put(out, random, "sizes", size_words);
	put(out, random, "random", random_words);
	put(out, random, "region", region_words);
	put(out, random, "devices", device_words);
	put(out, random, "in-flight-cap", cap_words);
	if (is_write)
		put(out, random, "odsync", switch_words);
	put(out, random, "judge", switch_words);
	put(out, random, "thresholds", criteria_words);
	fputs(" }", out);
}

static void put_phase(FILE *out, struct random *random, size_t number)
{
	fprintf(out, "{ name = \"p %zu\";", number);
	put(out, random, "duration", duration_words);
	put(out, random, "judge", switch_words);
	put(out, random, "rate", common_words);
	put(out, random, "streams", issued_words);
	put(out, random, "steps", step_words);
	fputs(" }", out);
}

static void put_list(FILE *out, struct random *random, const char *key, size_t count,
		     void (*put_one)(FILE *, struct random *, size_t))
{
	fprintf(out, "%s = (", key);
	for (size_t i = 1; i <= count; i++) {
		fputs(i > 1 ? ",\n" : "\n", out);
		put_one(out, random, i);
	}
	fputs(")\n", out);
}

/* Heap string, the caller frees it. */
static char *make_text(struct random *random)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cr_assert(out);
	fputs("devices = [\"/dev/a\", \"/dev/b\", \"/dev/c\"]\nworkload = \"custom\"\n"
	      "rate = \"10000/s\"\n",
	      out);
	put_list(out, random, "streams", 1 + random_below(random, CONFIG_STREAMS_MAX), put_stream);
	put_list(out, random, "phases", random_below(random, 8), put_phase);
	cr_assert_eq(fclose(out), 0);
	return text;
}

static void expect_same_ratio(struct ratio a, struct ratio b)
{
	cr_expect_eq(ratio_compare(a, b), 0);
}

static void expect_same_rate(const struct config_rate *a, const struct config_rate *b)
{
	cr_expect_eq(a->unit, b->unit);
	expect_same_ratio(a->value, b->value);
}

static void expect_same_stream(const struct config_stream *a, const struct config_stream *b)
{
	cr_expect_str_eq(a->name, b->name);
	cr_expect_eq(a->is_write, b->is_write);
	expect_same_rate(&a->rate, &b->rate);
	cr_assert_eq(a->size_count, b->size_count);
	for (size_t i = 0; i < a->size_count; i++) {
		cr_expect_eq(a->sizes[i].min_bytes, b->sizes[i].min_bytes);
		cr_expect_eq(a->sizes[i].max_bytes, b->sizes[i].max_bytes);
		expect_same_ratio(a->sizes[i].weight, b->sizes[i].weight);
	}
	expect_same_ratio(a->random, b->random);
	expect_same_ratio(a->region_from, b->region_from);
	expect_same_ratio(a->region_upto, b->region_upto);
	cr_expect_eq(a->devices, b->devices);
	cr_expect_eq(a->in_flight_cap, b->in_flight_cap);
	cr_expect_eq(a->odsync, b->odsync);
	cr_expect_eq(a->judge, b->judge);
	cr_assert_eq(a->criterion_count, b->criterion_count);
	for (size_t i = 0; i < a->criterion_count; i++) {
		cr_expect_eq(a->criteria[i].threshold_ns, b->criteria[i].threshold_ns);
		expect_same_ratio(a->criteria[i].limit, b->criteria[i].limit);
	}
}

static void expect_same_phase(const struct config_phase *a, const struct config_phase *b)
{
	cr_expect_str_eq(a->name, b->name);
	cr_expect_eq(a->duration_ns, b->duration_ns);
	cr_expect_eq(a->judge, b->judge);
	cr_expect_eq(a->has_read_load, b->has_read_load);
	cr_expect_eq(a->has_write_load, b->has_write_load);
	expect_same_ratio(a->read_load, b->read_load);
	expect_same_ratio(a->write_load, b->write_load);
	expect_same_rate(&a->rate, &b->rate);
	cr_assert_eq(a->stream_count, b->stream_count);
	for (size_t i = 0; i < a->stream_count; i++) {
		cr_expect_str_eq(a->streams[i].stream, b->streams[i].stream);
		expect_same_rate(&a->streams[i].rate, &b->streams[i].rate);
	}
	cr_expect_str_eq(a->steps_of, b->steps_of);
	expect_same_rate(&a->step_from, &b->step_from);
	expect_same_rate(&a->step_upto, &b->step_upto);
	expect_same_rate(&a->step, &b->step);
}

static void expect_round_trip(const struct config *config)
{
	struct config again;
	char error[ERROR_TEXT_BYTES];

	char *first = config_print(config);
	config_defaults(&again);
	cr_assert_eq(parse_text(&again, first, error), 0, "%s\n%s", error, first);
	char *second = config_print(&again);
	cr_expect_str_eq(first, second);
	free(first);
	free(second);

	cr_expect_eq(again.duration_ns, config->duration_ns);
	expect_same_ratio(again.scale, config->scale);
	expect_same_rate(&again.rate, &config->rate);
	cr_assert_eq(again.stream_count, config->stream_count);
	for (size_t i = 0; i < config->stream_count; i++)
		expect_same_stream(&again.streams[i], &config->streams[i]);
	cr_assert_eq(again.phase_count, config->phase_count);
	for (size_t i = 0; i < config->phase_count; i++)
		expect_same_phase(&again.phases[i], &config->phases[i]);
}

Test(config_print_groups, random_groups_come_back)
{
	struct random random;
	int valid = 0;

	random_init(&random, 6, 0);
	for (int round = 0; round < 400; round++) {
		struct config config;
		char error[ERROR_TEXT_BYTES];
		char *text = make_text(&random);

		config_defaults(&config);
		if (parse_text(&config, text, error) == 0) {
			expect_round_trip(&config);
			valid++;
		}
		free(text);
	}
	cr_expect_gt(valid, 100, "%d", valid);
}

Test(config_print_groups, loads_of_phases_come_back)
{
	static const char *const loads[] = {
	    "",
	    "load = \"5x\";",
	    "read-load = \"0.1x\";",
	    "write-load = \"0x\";",
	    "load = \"2/3x\"; write-load = \"7x\";",
	    "steps = \"load:0.5x..2x:0.5x\";",
	    "streams = [\"reads\", \"large-block-writes:1.5MB/s\"];"};

	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		struct config config;
		char error[ERROR_TEXT_BYTES];
		char text[256];

		snprintf(
		    text, sizeof(text),
		    "devices = [\"/dev/a\"]\nscale = \"12.5%%\"\nphases = ({ name = \"a\"; %s })",
		    loads[i]);
		config_defaults(&config);
		cr_assert_eq(parse_text(&config, text, error), 0, "%s", error);
		expect_round_trip(&config);
	}
}

/* A config without groups says that it has none, so that it replaces those before it. */
Test(config_print_groups, empty_lists_are_printed)
{
	struct config config;

	config_defaults(&config);
	char *text = config_print(&config);
	cr_assert(text);
	cr_expect(strstr(text, "\nstreams = ()\n"), "%s", text);
	cr_expect(strstr(text, "\nphases = ()\n"), "%s", text);
	free(text);
}
