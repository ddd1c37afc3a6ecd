#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "act/base/random.h"
#include "act/config/config.h"
#include "act/config/options.h"
#include "tests/act/config/memory_file.h"

/* Printed, read and printed again it is the same. */
static void expect_round_trip(const struct config *config)
{
	struct config again;
	char error[ERROR_TEXT_BYTES];

	char *first = config_print(config);
	cr_assert(first);
	config_defaults(&again);
	cr_expect_eq(parse_text(&again, first, error), 0, "%s\n%s", error, first);
	char *second = config_print(&again);
	cr_assert(second);
	cr_expect_str_eq(first, second);

	cr_expect_eq(again.read_load.num, config->read_load.num);
	cr_expect_eq(again.seed, config->seed);
	cr_expect_eq(again.target_count, config->target_count);
	for (size_t i = 0; i < config->target_count; i++) {
		cr_expect_str_eq(again.targets[i].path, config->targets[i].path);
		cr_expect_eq(again.targets[i].size_bytes, config->targets[i].size_bytes);
	}
	free(first);
	free(second);
}

Test(config_print, odd_names_come_back)
{
	static const char *const paths[] = {
	    "/dev/a", "with \"quotes\"", "back\\slash",   "trailing\\",   "# no comment",
	    "a, b",   "// neither",      "${x} @include", "\xc3\xa4\xff", "\\x41\\n",
	    "'",      "[];(){}=:",       "very:odd:1x",
	};
	struct config config;
	char file[300];

	config_defaults(&config);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		cr_assert_eq(config_add_device(&config, "test", paths[i], NULL), 0, "%s", paths[i]);
		snprintf(file, sizeof(file), "file %s:1GiB", paths[i]);
		cr_assert_eq(config_add_file(&config, "test", file, NULL), 0, "%s", file);
	}
	expect_round_trip(&config);
}

Test(config_print, extremes_come_back)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option *option = &options[i];
		const char *const values[] = {option->min, option->max};
		for (size_t j = 0; j < 2 && option->max; j++) {
			struct config config;
			config_defaults(&config);
			config_add_device(&config, "test", "/dev/a", NULL);
			cr_assert_eq(config_set(&config, "test", option->key, values[j], NULL), 0);
			if (config_check(&config, NULL) == 0)
				expect_round_trip(&config);
		}
	}
}

static const char *const values[][6] = {
    {"load", "1x", "0.123456789012345678x", "10000x", "0.5x", "33.3x"},
    {"write-load", "0x", "2.5x", "9999.999x", "1x", "150x"},
    {"record-size", "1B", "1536B", "1KiB", "4095B", "1KB"},
    {"large-block", "4KiB", "8MiB", "128KiB", "1MiB", "65536B"},
    {"update-share", "0%", "100%", "0.00000000000000001%", "33.3%", "99.95%"},
    {"defrag-lwm", "1%", "99%", "50.5%", "12.345678%", "50%"},
    {"duration", "1h", "8760h", "25h1s", "3h59m59s", "90m"},
    {"slice", "1s", "1h", "59m59s", "10s", "61s"},
    {"thresholds", "1ms:5%", "1ns:0%,2ns:100%", "1.5us:0.25%,1h:1%", "64ms:0.1%", "8ms:1%"},
    {"judge", "", "reads", "reads,large-block-writes", "large-block-writes,reads", ""},
    {"hang-limit", "1s", "1h", "1.000000001s", "59m59.999999999s", "30s"},
    {"tick", "10us", "10ms", "0.0123ms", "99999ns", "100us"},
    {"engine", "uring", "null", "uring", "null", "uring"},
    {"cpus", "auto", "none", "0", "2-5,8", "1,1,1"},
    {"seed", "0", "18446744073709551615", "9223372036854775807", "9223372036854775808", "1"},
    {"devices", "/dev/a", "/dev/a,/dev/b", "x y", "\"", "\\"},
    {"files", "", "f:1GiB", "f:1GiB,g:134221824B", "f:1TB", "f:64TiB"},
};

Test(config_print, random_configs_come_back)
{
	struct random random;
	int valid = 0;

	random_init(&random, 1, 0);
	for (int round = 0; round < 500; round++) {
		struct config config;
		config_defaults(&config);
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			const char *value = values[i][1 + random_below(&random, 5)];
			cr_assert_eq(config_set(&config, "test", values[i][0], value, NULL), 0,
				     "%s=%s", values[i][0], value);
		}
		if (config_check(&config, NULL) != 0)
			continue;
		valid++;
		expect_round_trip(&config);
	}
	cr_expect_gt(valid, 50);
}

Test(config_print, no_line_is_wider_than_100_columns)
{
	struct config config;

	config_defaults(&config);
	char *texts[] = {config_help(), config_print(&config)};
	for (size_t i = 0; i < 2; i++) {
		cr_assert(texts[i]);
		for (char *line = strtok(texts[i], "\n"); line; line = strtok(NULL, "\n"))
			cr_expect_leq(strlen(line), 100, "%s", line);
		free(texts[i]);
	}
}

Test(config_print, help_names_every_key)
{
	char *help = config_help();

	cr_assert(help);
	for (size_t i = 0; i < option_count; i++) {
		char start[40];
		snprintf(start, sizeof(start), "\n  %s ", options[i].key);
		cr_expect(strstr(help, start), "%s", options[i].key);
	}
	free(help);
}
