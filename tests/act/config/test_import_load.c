#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/config.h"
#include "act/workload/workload.h"
#include "tests/act/config/import_text.h"
#include "tests/support/scratch.h"

#define GOLDEN TESTS_DIR "/golden/act/"

static const char *const samples[] = {
    "act_v1x_storage",  "act_v2_storage",   "act_v3.0_storage",   "act_v4.0_storage",
    "act_v5.3_storage", "act_v6.6_storage", "act_v6.6_index_60s", "act_v6.6_storage_90s_2dev_ms",
};

static void load(struct config *config, const char *path)
{
	struct error err = {.text = ""};

	config_defaults(config);
	cr_assert_eq(config_load_file(config, path, CONFIG_ACT_BY_CONTENT, NULL, &err), 0, "%s",
		     err.text);
	cr_assert_eq(config_check(config, &err), 0, "%s", err.text);
}

static void expect_same_plan(const struct config *a, const struct config *b)
{
	struct workload one;
	struct workload other;

	cr_assert_eq(workload_compile(a, &one, NULL), 0);
	cr_assert_eq(workload_compile(b, &other, NULL), 0);
	cr_assert_eq(one.stream_count, other.stream_count);
	for (size_t i = 0; i < one.stream_count; i++) {
		cr_expect_str_eq(one.streams[i].name, other.streams[i].name);
		cr_expect_eq(ratio_compare(one.streams[i].per_sec, other.streams[i].per_sec), 0);
		cr_expect_eq(one.streams[i].size_max_bytes, other.streams[i].size_max_bytes);
	}
	cr_expect_str_eq(one.configuration, other.configuration);
	cr_expect_str_eq(one.derived, other.derived);
}

/* Each old config is the native one beside it, and so is what it is printed as. */
Test(import_load, samples)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		char path[512];
		char error[ERROR_TEXT_BYTES];
		struct config old;
		struct config native;
		struct config again;

		snprintf(path, sizeof(path), GOLDEN "%s.conf", samples[i]);
		load(&old, path);
		snprintf(path, sizeof(path), GOLDEN "%s.cfg", samples[i]);
		load(&native, path);
		char *printed = config_print(&old);
		char *expected = config_print(&native);
		cr_expect_str_eq(printed, expected, "%s", samples[i]);

		config_defaults(&again);
		cr_assert_eq(parse_text(&again, printed, error), 0, "%s", error);
		char *back = config_print(&again);
		cr_expect_str_eq(back, printed);
		expect_same_plan(&old, &native);
		expect_same_plan(&old, &again);
		free(printed);
		free(expected);
		free(back);
	}
}

/* The rates that an index config asks for are those that the older tool wrote into its log. */
Test(import_load, rates_of_act_index)
{
	struct config config;
	struct workload workload;
	char log[1024] = "";

	load(&config, GOLDEN "act_v6.6_index_60s.conf");
	cr_assert_eq(workload_compile(&config, &workload, NULL), 0);
	FILE *file = fopen(GOLDEN "act_v6.6_index_60s.log", "re");
	cr_assert(file);
	cr_assert_gt(fread(log, 1, sizeof(log) - 1, file), 0);
	fclose(file);
	cr_expect(strstr(log, workload.derived), "%s", workload.derived);
	cr_expect(strstr(log, workload.title), "%s", workload.title);
	cr_expect(strstr(log, workload.subtitle), "%s", workload.subtitle);
	for (char *line = strtok(workload.configuration, "\n"); line; line = strtok(NULL, "\n"))
		cr_expect(strstr(log, line), "%s", line);
}

static const struct stream *find(const struct workload *workload, const char *name)
{
	for (size_t i = 0; i < workload->stream_count; i++) {
		if (strcmp(workload->streams[i].name, name) == 0)
			return &workload->streams[i];
	}
	return NULL;
}

struct old_rates {
	unsigned devices;
	unsigned reads;
	unsigned blocks; /* 512 bytes each */
	unsigned large;
	unsigned kbytes;
};

static const struct old_rates rates[] = {
    {1, 2000, 3, 24, 128}, {2, 200, 3, 3, 128},      {3, 1000, 3, 7, 128},
    {7, 12345, 5, 11, 64}, {3, 6000, 1, 1000, 8192}, {1, 2000, 256, 24, 128},
};

/* The rates that an ACT 1 config asks for over all devices are kept exactly. */
Test(import_load, rates_of_act_1)
{
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		const struct old_rates *old = &rates[i];
		char text[512] = "device-names: ";
		char error[ERROR_TEXT_BYTES];
		struct config config;
		struct workload workload;
		struct told told;

		for (unsigned j = 0; j < old->devices; j++)
			snprintf(text + strlen(text), 32, "/dev/d%u,", j);
		snprintf(text + strlen(text), 256,
			 "\nread-reqs-per-sec: %u\nread-req-num-512-blocks: %u\n"
			 "large-block-ops-per-sec: %u\nlarge-block-op-kbytes: %u\n",
			 old->reads, old->blocks, old->large, old->kbytes);
		cr_assert_eq(load_text(&config, text, &told, error), 0, "%s", error);
		cr_assert_eq(workload_compile(&config, &workload, NULL), 0);
		struct ratio large = ratio_make(old->large, old->devices);
		struct ratio reads = ratio_make(old->reads, old->devices);
		const struct stream *stream = find(&workload, "reads");
		cr_expect_eq(ratio_compare(stream->per_sec, reads), 0, "%zu", i);
		cr_expect_eq(stream->size_min_bytes, UINT64_C(512) * old->blocks);
		stream = find(&workload, "large-block-reads");
		cr_expect_eq(ratio_compare(stream->per_sec, large), 0, "%zu", i);
		stream = find(&workload, "large-block-writes");
		cr_expect_eq(ratio_compare(stream->per_sec, large), 0, "%zu", i);
		cr_expect_eq(stream->size_min_bytes, UINT64_C(1024) * old->kbytes);
	}
}

struct titled {
	const char *name; /* of the file */
	const char *text; /* above the rates */
	const char *told; /* NULL: nothing of it */
	const char *names;
	unsigned reads;
	unsigned writes;
};

#define SAYS "this line says 32x, but its rates come to 1x reads and 1x writes on each device\n"

static const struct titled titles[] = {
    {"a.conf", "# 32x load\n", ":1: " SAYS, "/dev/a", 2000, 1000},
    {"a.conf", "act config file for testing 4 device(s) at 32x load\n", ":1: " SAYS, "/dev/a", 2000,
     1000},
    {"a.conf", "# 32x\n", NULL, "/dev/a", 64000, 32000},
    {"a.conf", "# 32.0X, over two devices\n", NULL, "/dev/a,/dev/b", 128000, 64000},
    {"a.conf", "# 32x, per device\n",
     ":1: this line says 32x, but its rates come to 16x reads and 16x writes on each device\n",
     "/dev/a,/dev/b", 64000, 32000},
    {"a.conf", "# 32x, and no writes\n",
     ":1: this line says 32x, but its rates come to 32x reads and 0x writes on each device\n",
     "/dev/a", 64000, 0},
    {"a.conf", "# 300x with 150x writes\n", NULL, "/dev/a", 600000, 150000},
    {"act_32.0x_1d.conf", "",
     ": its name says 32x, but its rates come to 1x reads and 1x writes on each device\n", "/dev/a",
     2000, 1000},
    {"act_1x_1d.conf", "# was: 32x\n", NULL, "/dev/a", 2000, 1000},
    {"a.conf", "# two partitions: 1x\n", NULL, "/dev/nvme0n1p1,/dev/nvme0n1p2", 2000, 1000},
    {"a.conf", "# 1x\n",
     ":1: this line says 1x, but its rates come to 2x reads and 2x writes on each drive\n",
     "/dev/sda1,/dev/sda2,/dev/sdb1", 6000, 3000},
    {"a.conf", "# 1x\n", NULL, "/dev/nvme0n1,/dev/nvme0n2", 4000, 2000},
    {"a.conf", "# 0x32 1920x1080 32xy a32x 0x 3 x 60\n", NULL, "/dev/a", 2000, 1000},
};

Test(import_load, a_title_that_the_rates_do_not_keep_is_told)
{
	char folder[SCRATCH_PATH_BYTES];

	scratch_make(folder);
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		const struct titled *titled = &titles[i];
		char path[SCRATCH_PATH_BYTES];
		struct told told = {.path = path};
		const struct config_notice notice = {.say = tell, .state = &told};
		char text[512];
		char expected[512];
		struct config config;

		scratch_path(path, folder, titled->name);
		snprintf(text, sizeof(text),
			 "%sdevice-names: %s\nread-reqs-per-sec: %u\nwrite-reqs-per-sec: %u\n",
			 titled->text, titled->names, titled->reads, titled->writes);
		scratch_write(path, text, strlen(text));
		config_defaults(&config);
		cr_assert_eq(config_load_file(&config, path, CONFIG_ACT_BY_CONTENT, &notice, NULL),
			     0, "%s", text);
		snprintf(expected, sizeof(expected), "F%s", titled->told ? titled->told : "");
		if (titled->told)
			cr_expect(strstr(told.text, expected), "%s\n%s", titled->text, told.text);
		else
			cr_expect_eq(strstr(told.text, "says"), NULL, "%s", told.text);
	}
	scratch_remove(folder);
}

Test(import_load, partitions_count_for_their_drive)
{
	char error[ERROR_TEXT_BYTES];
	struct config config;
	struct told told;

	cr_assert_eq(load_text(&config,
			       "device-names: /dev/nvme0n1p1,/dev/sda,/dev/nvme0n1p12\n"
			       "read-reqs-per-sec: 6000\nwrite-reqs-per-sec: 3000\n",
			       &told, error),
		     0);
	cr_expect_str_eq(
	    told.text,
	    "F: 1x reads and 1x writes per device; its rates are over all devices, here 3\n"
	    "F: /dev/nvme0n1 has 2 of the devices as partitions: 2x reads, 2x writes on "
	    "that drive\nF: no test-duration-sec: 24h\n");
}
