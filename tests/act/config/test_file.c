#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/config.h"
#include "tests/act/config/memory_file.h"

static const char every_key[] = "# a comment\n"
				"devices = [\"/dev/a\", \"/dev/b c\"];\n"
				"files = (\"rel/x:1GiB\", \"odd:name:64 MiB\")\n"
				"fill-files = false\n"
				"load = \"3x\"\n"
				"read-load : \"300x\"   // wins over load\n"
				"write-load = \"0.5x\"\n"
				"record-size = \"1KiB\" record-size-max = \"8KiB\"\n"
				"large-block = \"1MiB\"\n"
				"replication-factor = 2\n"
				"update-share = \"12.5%\"\n"
				"defrag-lwm = \"40%\"\n"
				"defrag-reads = FALSE\n"
				"commit-to-device = true\n"
				"tomb-raider = true\n"
				"tomb-raider-sleep = \"2ms\"\n"
				"compress = \"66.6%\"\n"
				"odsync = false\n"
				"duration = \"2h\" /* spans\n two lines */ slice = \"10m\"\n"
				"interval = \"2s\"\n"
				"stress = true\n"
				"thresholds = [\"500us:10%\", \"64ms:0.1%\"]\n"
				"judge = [\"writes\", \"tomb-raider-reads\"]\n"
				"hang-limit = \"1m\"\n"
				"max-lag = \"10s\"\n"
				"microsecond-histograms = true\n"
				"engine = \"null\"\n"
				"arrivals = \"poisson\"\n"
				"wait = \"eco\"\n"
				"tick = \"200us\"\n"
				"workers-per-device = 4\n"
				"cpus = \"2-5,8\"\n"
				"batch = 32\n"
				"in-flight-cap = 4096L\n"
				"seed = 9007199254740993\n";

static void expect_targets(const struct config *config)
{
	cr_assert_eq(config->target_count, 4);
	cr_expect_str_eq(config->targets[1].path, "/dev/b c");
	cr_expect(!config->targets[1].is_file);
	cr_expect_str_eq(config->targets[2].path, "rel/x");
	cr_expect(config->targets[2].is_file);
	cr_expect_eq(config->targets[2].size_bytes, UINT64_C(1) << 30);
	cr_expect_str_eq(config->targets[3].path, "odd:name");
	cr_expect(!config->fill_files);
}

static void expect_load(const struct config *config)
{
	cr_expect_eq(ratio_compare(config->read_load, ratio_make(300, 1)), 0);
	cr_expect_eq(ratio_compare(config->write_load, ratio_make(1, 2)), 0);
	cr_expect_eq(config->record_bytes, 1024);
	cr_expect_eq(config->record_max_bytes, 8192);
	cr_expect_eq(config->large_block_bytes, 1 << 20);
	cr_expect_eq(config->replication_factor, 2);
	cr_expect_eq(ratio_compare(config->update_share, ratio_make(1, 8)), 0);
	cr_expect_eq(ratio_compare(config->defrag_lwm, ratio_make(2, 5)), 0);
	cr_expect(!config->defrag_reads);
	cr_expect(config->commit_to_device);
	cr_expect(config->tomb_raider);
	cr_expect_eq(config->tomb_raider_sleep_ns, 2000000);
	cr_expect_eq(ratio_compare(config->compress, ratio_make(333, 500)), 0);
	cr_expect(!config->odsync);
}

static void expect_judgement(const struct config *config)
{
	cr_expect_eq(config->duration_ns, UINT64_C(7200000000000));
	cr_expect_eq(config->slice_ns, UINT64_C(600000000000));
	cr_expect_eq(config->interval_ns, UINT64_C(2000000000));
	cr_expect(config->stress);
	cr_assert_eq(config->criterion_count, 2);
	cr_expect_eq(config->criteria[0].threshold_ns, 500000);
	cr_expect_eq(ratio_compare(config->criteria[0].limit, ratio_make(1, 10)), 0);
	cr_expect_eq(ratio_compare(config->criteria[1].limit, ratio_make(1, 1000)), 0);
	cr_assert_eq(config->judged_count, 2);
	cr_expect_str_eq(config->judged[1], "tomb-raider-reads");
	cr_expect_eq(config->hang_limit_ns, UINT64_C(60000000000));
	cr_expect_eq(config->max_lag_ns, UINT64_C(10000000000));
	cr_expect(config->microsecond_histograms);
}

static void expect_issue(const struct config *config)
{
	cr_expect_eq(config->engine, CONFIG_ENGINE_NULL);
	cr_expect_eq(config->arrivals, CONFIG_ARRIVALS_POISSON);
	cr_expect_eq(config->wait, CONFIG_WAIT_ECO);
	cr_expect_eq(config->tick_ns, 200000);
	cr_expect_eq(config->workers_per_device, 4);
	cr_expect_str_eq(config->cpus, "2-5,8");
	cr_expect_eq(config->batch, 32);
	cr_expect_eq(config->in_flight_cap, 4096);
	cr_expect_eq(config->seed, UINT64_C(9007199254740993));
}

Test(config_file, every_key_is_read_to_its_field)
{
	struct config config;
	char error[ERROR_TEXT_BYTES];

	config_defaults(&config);
	cr_assert_eq(parse_text(&config, every_key, error), 0, "%s", error);
	expect_targets(&config);
	expect_load(&config);
	expect_judgement(&config);
	expect_issue(&config);
}

Test(config_file, order_of_keys_does_not_matter)
{
	struct config config;
	char error[ERROR_TEXT_BYTES];

	config_defaults(&config);
	cr_assert_eq(parse_text(&config,
				"files = [\"f:1GiB\"] read-load = \"5x\" load = \"2x\" devices = "
				"[\"d\"]",
				error),
		     0, "%s", error);
	cr_expect_eq(config.read_load.num, 5);
	cr_expect_eq(config.write_load.num, 2);
	cr_expect_str_eq(config.targets[0].path, "d");
	cr_expect_str_eq(config.targets[1].path, "f");
}

Test(config_file, a_second_file_replaces_only_what_it_names)
{
	struct config config;
	char error[ERROR_TEXT_BYTES];

	config_defaults(&config);
	cr_assert_eq(parse_text(&config, "devices = [\"a\", \"b\"] batch = 3", error), 0);
	cr_assert_eq(parse_text(&config, "devices = [\"c\"]", error), 0);
	cr_expect_eq(config.target_count, 1);
	cr_expect_str_eq(config.targets[0].path, "c");
	cr_expect_eq(config.batch, 3);
}

Test(config_file, counts_keep_64_bits)
{
	static const struct {
		const char *text;
		uint64_t seed;
	} cases[] = {
	    {"seed = 4294967296", UINT64_C(4294967296)},
	    {"seed = 5000000000# x", UINT64_C(5000000000)},
	    {"seed=9223372036854775806;", INT64_MAX - 1},
	    {"seed = \"18446744073709551615\"", UINT64_MAX},
	    {"seed = 5000000000\tbatch = 1", UINT64_C(5000000000)},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct config config;
		char error[ERROR_TEXT_BYTES];
		config_defaults(&config);
		config_add_device(&config, "test", "/dev/a", NULL);
		cr_expect_eq(parse_text(&config, cases[i].text, error), 0, "%s", error);
		cr_expect_eq(config.seed, cases[i].seed, "%s", cases[i].text);
	}
}

Test(config_file, nul_bytes_are_refused)
{
	struct config config;
	char error[ERROR_TEXT_BYTES];

	config_defaults(&config);
	cr_expect_eq(parse_bytes(&config, "cpus = \"1\0\"", 11, error), -EINVAL);
	cr_expect_str_eq(error, "F: not a text file (NUL byte)");
}

Test(config_file, long_files_and_deep_nesting_are_refused)
{
	size_t size = (1 << 20) + 2;
	char *text = malloc(size);
	struct config config;
	char error[ERROR_TEXT_BYTES];

	cr_assert(text);
	memset(text, ' ', size);
	config_defaults(&config);
	cr_expect_eq(parse_bytes(&config, text, size, error), -EFBIG);
	cr_expect_str_eq(error, "F: longer than 1 MiB");

	memset(text, '(', size);
	text[0] = 'x';
	text[1] = '=';
	cr_expect_eq(parse_bytes(&config, text, size - 2, error), -EINVAL);
	cr_expect(strstr(error, "too many brackets in each other"), "%s", error);
	free(text);
}

Test(config_file, only_files_are_opened)
{
	struct config config;
	struct error err;

	config_defaults(&config);
	cr_expect_eq(config_parse_file(&config, "/dev/null", &err), -EINVAL);
	cr_expect_str_eq(err.text, "/dev/null: not a config file; devices are named with --device");
	cr_expect_eq(config_parse_file(&config, "/tmp", &err), -EINVAL);
	cr_expect_eq(config_parse_file(&config, "/nonexistent/a.cfg", &err), -ENOENT);
	cr_expect_str_eq(err.text, "/nonexistent/a.cfg: No such file or directory");
	cr_expect_eq(err.status, EXIT_USAGE);
}
