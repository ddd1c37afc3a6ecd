#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/config/config.h"
#include "act/config/import.h"
#include "tests/act/config/import_text.h"

#define DEVICE "device-names: /dev/a\n"
#define LOAD   DEVICE "read-reqs-per-sec: 2000\nwrite-reqs-per-sec: 1000\ntest-duration-sec: 86400\n"

/* Both printed, ours and the native one are the same. */
static void expect_same(const struct config *config, const char *native, const char *why)
{
	char error[ERROR_TEXT_BYTES];
	struct config expected;

	config_defaults(&expected);
	cr_assert_eq(parse_text(&expected, native, error), 0, "%s: %s", native, error);
	char *printed = config_print(config);
	char *wanted = config_print(&expected);
	cr_expect_str_eq(printed, wanted, "%s", why);
	free(printed);
	free(wanted);
}

#define NATIVE_LOAD "devices = [\"/dev/a\"]; read-load = \"1x\"; write-load = \"1x\";"

#define INDEX_TOLD                                                                                 \
	"cache-threads is of act_index: taken as the load of an index. The number has no meaning " \
	"here: requests are issued at their planned times, not by threads that wait for each "     \
	"other\n"

struct taken {
	const char *old;
	const char *native; /* keys behind those of LOAD */
	const char *told;   /* among what is told; NULL: nothing but the load */
};

/* Every key that has a meaning, and what the older tool misread. */
static const struct taken keys[] = {
    {"", "", NULL},
    {"report-interval-sec: 10", "interval = \"10s\";", NULL},
    {"record-bytes: 3000", "record-size = \"3000B\";", NULL},
    {"record-bytes: 1536\nrecord-bytes-range-max: 4096", "record-size-max = \"4KiB\";", NULL},
    {"record-bytes-range-max: 0", "record-size-max = \"0B\";", NULL},
    {"large-block-op-kbytes: 256", "large-block = \"256KiB\";", NULL},
    {"large-block-op-kbytes: 8192\nrecord-bytes: 8388608",
     "large-block = \"8MiB\"; record-size = \"8MiB\";", NULL},
    {"replication-factor: 2", "replication-factor = 2;", NULL},
    {"update-pct: 20", "update-share = \"20%\";", NULL},
    {"defrag-lwm-pct: 60", "defrag-lwm = \"60%\";", NULL},
    {"no-defrag-reads: yes", "defrag-reads = false;", NULL},
    {"no-defrag-reads: no", "defrag-reads = true;", NULL},
    {"commit-to-device: yes", "commit-to-device = true;", NULL},
    {"tomb-raider: yes\ntomb-raider-sleep-usec: 500",
     "tomb-raider = true; tomb-raider-sleep = \"500us\";", NULL},
    {"tomb-raider: yes", "tomb-raider = true;",
     "F:5: no tomb-raider-sleep-usec: 1000, as the manual of ACT says\n"},
    {"tomb-raider: no\ntomb-raider-sleep-usec: 0", "", NULL},
    {"disable-odsync: yes", "odsync = false;", NULL},
    {"microsecond-histograms: yes", "microsecond-histograms = true;", NULL},
    {"compress-pct: 40", "compress = \"40%\";", NULL},
    {"max-lag-sec: 0", "max-lag = \"0s\";", NULL},
    {"max-lag-sec: 60", "max-lag = \"60s\";", NULL},
    {"max-lag-sec: 7200", "max-lag = \"7200s\";", NULL},
    {"read-req-num-512-blocks: 4", "record-size = \"2KiB\";", NULL},
    {"max-lag-sec: 1m", "max-lag = \"60s\";",
     "F:5: max-lag-sec: 1m is taken with its unit (ACT read the digits alone)\n"},
    {"large-block-op-kbytes: 1 MiB", "large-block = \"1MiB\";",
     "F:5: large-block-op-kbytes: 1 MiB is taken with its unit (ACT read the digits alone)\n"},
    {"update-pct: 20 %", "update-share = \"20%\";", NULL},
    {"commit-to-device: true", "commit-to-device = true;",
     "F:5: commit-to-device: true is taken as yes (ACT took it as no)\n"},
    {"commit-to-device: Yes", "commit-to-device = true;",
     "F:5: commit-to-device: Yes is taken as yes (ACT took it as no)\n"},
    {"commit-to-device: FALSE", "", NULL},
    {"disable-odsync: on", "odsync = false;",
     "F:5: disable-odsync: on is taken as yes (ACT took it as no)\n"},
    {"Commit_To_Device :\tyes\t# really", "commit-to-device = true;", NULL},
    {"  commit-to-device:yes  \r", "commit-to-device = true;", NULL},
    {"commit-to-device: yes\ncommit-to-device: yes", "commit-to-device = true;", NULL},
    {"report-interval-sec: 86400", "interval = \"1h\";",
     "F:5: report-interval-sec: reported every 1h, which slices and duration are multiples of\n"},
    {"report-interval-sec: 7", "interval = \"1s\";",
     "F:5: report-interval-sec: reported every 1s, which slices and duration are multiples of\n"},
    {"a line of prose", "",
     "F:5: left out, as it is neither KEY: VALUE nor a comment: a line of prose\n"},
    {"Purpose of this: a test of the new drive", "",
     "F:5: left out, as it is neither KEY: VALUE nor a comment: Purpose of this: a test of the new "
     "drive\n"},
    {"service-threads: 40", "",
     "F:5: service-threads has no meaning here: requests are issued at their planned times, not by "
     "threads that wait for each other\n"},
    {"cache-threads: 8", "workload = \"index\";", "F:5: " INDEX_TOLD},
    {"cache-threads:\ndefrag-lwm-pct: 0\nreplication-factor: 2\ndisable-odsync: yes",
     "workload = \"index\"; defrag-lwm = \"0%\"; replication-factor = 2; odsync = false;",
     "F:5: " INDEX_TOLD},
    {"scheduler-mode:", "",
     "F:5: scheduler-mode has no meaning here: the scheduler is left as it is, and recorded\n"},
};

#define LOAD_TOLD "F: 1x reads and 1x writes per device; its rates are over all devices, here 1\n"

/* Beside the load exactly `line` is told; NULL: nothing. */
static void expect_told(const struct told *told, const char *line, const char *why)
{
	size_t length = strlen(LOAD_TOLD) + (line ? strlen(line) : 0);

	cr_expect(strstr(told->text, LOAD_TOLD), "%s: %s", why, told->text);
	cr_expect(!line || strstr(told->text, line), "%s: %s", why, told->text);
	cr_expect_eq(strlen(told->text), length, "%s: %s", why, told->text);
}

Test(import, every_key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		bool lag = strstr(keys[i].native, "max-lag");
		char old[512];
		char native[512];
		char error[ERROR_TEXT_BYTES];
		struct config config;
		struct told told;

		snprintf(old, sizeof(old), LOAD "%s", keys[i].old);
		snprintf(native, sizeof(native), NATIVE_LOAD "%s%s", keys[i].native,
			 lag ? "" : "max-lag = \"10s\";");
		cr_expect_eq(load_text(&config, old, &told, error), 0, "%s: %s", keys[i].old,
			     error);
		expect_same(&config, native, keys[i].old);
		expect_told(&told, keys[i].told, keys[i].old);
	}
}

Test(import, each_dead_key_is_named_once)
{
	for (size_t i = 0; i < old_key_count; i++) {
		char old[512];
		char line[256];
		char error[ERROR_TEXT_BYTES];
		struct config config;
		struct told told;

		if (old_keys[i].kind != OLD_DEAD)
			continue;
		snprintf(old, sizeof(old), LOAD "%s: 7\n", old_keys[i].name);
		snprintf(line, sizeof(line), "F:5: %s has no meaning here: %s\n", old_keys[i].name,
			 old_keys[i].note);
		cr_expect_eq(load_text(&config, old, &told, error), 0, "%s", error);
		expect_told(&told, line, old_keys[i].name);
	}
}

struct refused {
	const char *old;
	const char *error;
};

#define SECONDS "allowed: whole seconds as 86400, or a time with its unit as 24h"
#define KBYTES  "allowed: a power of 2 from 4 to 8192 (KiB), or a size as 128KiB"
#define LINES   "allowed: KEY: VALUE lines, comments begin with #"
#define RATE    "allowed: a whole number of requests per second, over all devices"

static const struct refused bad[] = {
    {LOAD "max-lag-sec: 3 x 60", "F:5: max-lag-sec = 3 x 60: not one whole number; " SECONDS},
    {LOAD "max-lag-sec: -1", "F:5: max-lag-sec = -1: not one whole number; " SECONDS},
    {LOAD "max-lag-sec: 10 20", "F:5: max-lag-sec = 10 20: not one whole number; " SECONDS},
    {LOAD "max-lag-sec: 0x10", "F:5: max-lag-sec = 0x10: not one whole number; " SECONDS},
    {LOAD "max-lag-sec: 10;", "F:5: max-lag-sec = 10;: not one whole number; " SECONDS},
    {LOAD "max-lag-sec:", "F:5: max-lag-sec =: no value; " SECONDS},
    {LOAD "max-lag-sec: 99999999999999999999",
     "F:5: max-lag-sec = 99999999999999999999: too large; " SECONDS},
    {LOAD "max-lag-sec: 99999999999999999",
     "F:5: max-lag-sec = 99999999999999999: too large; " SECONDS},
    {LOAD "max-lag-sec: 90000",
     "F:5 (max-lag-sec: 90000): max-lag = 25h: too large; allowed: 0s to 24h"},
    {DEVICE "read-reqs-per-sec: 2000\ntest-duration-sec: 5000000000",
     "F:3 (test-duration-sec: 5000000000): duration = 1388888h53m20s: too large; allowed: 1s to "
     "8760h"},
    {DEVICE "read-reqs-per-sec: 2000\ntest-duration-sec: 0",
     "F:3 (test-duration-sec: 0): duration = 0s: too small; allowed: 1s to 8760h"},
    {DEVICE "read-reqs-per-sec: 5000000000",
     "F:2 (read-reqs-per-sec: 5000000000): read-load = 2500000x: too large; allowed: 0x to 10000x"},
    {DEVICE "read-reqs-per-sec: 100,000",
     "F:2: read-reqs-per-sec = 100,000: not one whole number; " RATE},
    {DEVICE "read-reqs-per-sec: 30x", "F:2: read-reqs-per-sec = 30x: not one whole number; " RATE},
    {LOAD "commit-to-device: maybe",
     "F:5: commit-to-device = maybe: not a switch; allowed: yes or no"},
    {LOAD "large-block-op-kbytes: 1",
     "F:5 (large-block-op-kbytes: 1): large-block = 1KiB: too small; allowed: 4KiB to 8MiB"},
    {LOAD "large-block-op-kbytes: 100",
     "F:5 (large-block-op-kbytes: 100): large-block = 100KiB: not "
     "a power of 2; allowed: powers of 2 from 4KiB to 8MiB"},
    {LOAD "large-block-op-kbytes: 128KB",
     "F:5: large-block-op-kbytes = 128KB: not one whole number; " KBYTES},
    {LOAD "record-bytes: 200000",
     "F:5 (record-bytes: 200000): record-size = 200KB: record larger than a large block, as "
     "large-block = 128KiB (default); allowed: records of at most one large block"},
    {LOAD "update-pct: 101",
     "F:5 (update-pct: 101): update-share = 101%: too large; allowed: 0% to 100%"},
    {LOAD "update-pct: 0.5%",
     "F:5: update-pct = 0.5%: not one whole number; allowed: a whole number "
     "of percent"},
    {LOAD "report-interval-sec: 0",
     "F:5 (report-interval-sec: 0): interval = 0s: too small; allowed: 1s to 1h"},
    {LOAD "tomb-raider: yes\ntomb-raider-sleep-usec: 0",
     "F:6 (tomb-raider-sleep-usec: 0): tomb-raider-sleep = 0s: too small; allowed: 10us to 1h"},
    {LOAD "read-reqs-per-sec: 4000", "F:5: read-reqs-per-sec = 4000: line 2 says something else; "
				     "allowed: each key once"},
    {LOAD "read-reqs-per-src: 4000", "F:5: read-reqs-per-src = 4000: unknown key, the nearest is "
				     "read-reqs-per-sec; allowed: the keys of ACT 1.x to 6.6"},
    {LOAD "something: 1", "F:5: something = 1: unknown key; allowed: the keys of ACT 1.x to 6.6"},
    {LOAD "max-lag-sec 20", "F:5: max-lag-sec 20: neither KEY: VALUE nor a comment; " LINES},
    {LOAD "max-lag-sec = 20", "F:5: max-lag-sec = 20: neither KEY: VALUE nor a comment; " LINES},
    {LOAD "max lag sec: 20", "F:5: max lag sec: 20: neither KEY: VALUE nor a comment; " LINES},
    {LOAD "max-lag-sce 20 s", "F:5: max-lag-sce 20 s: neither KEY: VALUE nor a comment; " LINES},
    {LOAD "the most lag: 20", "F:5: the most lag: 20: neither KEY: VALUE nor a comment; " LINES},
    {LOAD "load = \"30x\"", "F:5: load = \"30x\": neither KEY: VALUE nor a comment; " LINES},
    {LOAD "oops", "F:5: oops: neither KEY: VALUE nor a comment; " LINES},
    {"read-reqs-per-sec: 2000", "F: no device-names; allowed: at least one, as the rates are over "
				"all devices together"},
    {"device-names: ,\nread-reqs-per-sec: 2000",
     "F: no device-names; allowed: at least one, as the rates are over all devices together"},
    {"device-names: /dev/a b,/dev/c\nread-reqs-per-sec: 2000",
     "F:1: device-names = /dev/a b: blank in a path; allowed: paths, separated by commas"},
    {"device-names: /dev/a,/dev/a\nread-reqs-per-sec: 2000",
     "F:1 (device-names: /dev/a): devices = /dev/a: named twice; allowed: a list of at most 64 "
     "paths, all different"},
    {DEVICE "test-duration-sec: 86400",
     "F (no read-reqs-per-sec): read-load = 0x: no load at all, as write-load = 0x (F (no "
     "write-reqs-per-sec)); allowed: one of the two above 0x"},
    {LOAD "large-block-ops-per-sec: 24",
     "F:5: large-block-ops-per-sec = 24: is of ACT 1 and 2, but "
     "write-reqs-per-sec of ACT 3 and later; allowed: the keys "
     "of one version"},
    {LOAD "read-req-num-512-blocks: 3\nrecord-bytes: 1536",
     "F:5: read-req-num-512-blocks = 3: is of ACT 1 and 2, but record-bytes of ACT 3 and later; "
     "allowed: one of the two"},
    {DEVICE "read-reqs-per-sec: 2000\nlarge-block-ops-per-sec: 24\ncache-threads: 8",
     "F:3: large-block-ops-per-sec = 24: is of the storage load, and this is that of an index; "
     "allowed: keys of act_index"},
    {LOAD "read-req-num-512-blocks: 3\ncache-threads: 8",
     "F:5: read-req-num-512-blocks = 3: is of the storage load, and this is that of an index; "
     "allowed: keys of act_index"},
    {LOAD "cache-threads: 8\nrecord-bytes: 3000",
     "F:6 (record-bytes: 3000): record-size = 3KB: means nothing to this load, as workload = "
     "index (F:5 (cache-threads: 8)); allowed: workload storage"},
    {LOAD "cache-threads: 8\ncommit-to-device: yes",
     "F:6 (commit-to-device: yes): commit-to-device = true: means nothing to this load, as "
     "workload = index (F:5 (cache-threads: 8)); allowed: workload storage"},
};

Test(import, what_is_not_certain_is_refused_in_one_line)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char error[ERROR_TEXT_BYTES];
		struct config config;
		struct told told;

		cr_expect_neq(load_text(&config, bad[i].old, &told, error), 0, "%s", bad[i].old);
		cr_expect_str_eq(error, bad[i].error, "%s", bad[i].old);
	}
}

struct program {
	enum config_act act;
	const char *old;
	enum config_workload workload;
	const char *told;
};

static const struct program programs[] = {
    {CONFIG_ACT_STORAGE, LOAD, CONFIG_WORKLOAD_STORAGE, NULL},
    {CONFIG_ACT_INDEX, LOAD, CONFIG_WORKLOAD_INDEX, NULL},
    {CONFIG_ACT_INDEX, LOAD "cache-threads: 8", CONFIG_WORKLOAD_INDEX, "F:5: " INDEX_TOLD},
    {CONFIG_ACT_STORAGE, LOAD "cache-threads: 8", CONFIG_WORKLOAD_STORAGE,
     "F:5: cache-threads is of act_index, and this is taken as the load of act_storage\n"},
};

/* Of which load a config is, that says it or leaves it to the program it is given to. */
Test(import, program)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const struct program *program = &programs[i];
		char error[ERROR_TEXT_BYTES];
		struct config config;
		struct told told;

		cr_assert_eq(load_text_as(program->act, &config, program->old, &told, error), 0,
			     "%s", error);
		cr_expect_eq(config.workload, program->workload, "%zu", i);
		expect_told(&told, program->told, program->old);
	}
}

Test(import, a_native_config_is_what_it_says_whatever_it_is_given_to)
{
	char error[ERROR_TEXT_BYTES];
	struct config config;
	struct told told;

	cr_assert_eq(load_text_as(CONFIG_ACT_INDEX, &config, NATIVE_LOAD, &told, error), 0);
	cr_expect_eq(config.workload, CONFIG_WORKLOAD_STORAGE);
	cr_assert_eq(load_text_as(CONFIG_ACT_STORAGE, &config, NATIVE_LOAD "workload = \"index\";",
				  &told, error),
		     0);
	cr_expect_eq(config.workload, CONFIG_WORKLOAD_INDEX);
}

/* What such a config says of the storage load is refused by the name of the program. */
Test(import, keys_of_act_storage_given_to_act_index)
{
	char error[ERROR_TEXT_BYTES];
	struct config config;
	struct told told;

	cr_expect_neq(load_text_as(CONFIG_ACT_INDEX, &config, LOAD "update-pct: 20", &told, error),
		      0);
	cr_expect_str_eq(error,
			 "F:5 (update-pct: 20): update-share = 20%: means nothing to this load, "
			 "as workload = index (act_index); allowed: workload storage");
}

struct named {
	const char *names; /* lines of a config with 2000 reads/s over all */
	const char *native;
};

static const struct named names[] = {
    {"device-names: /dev/a,/dev/b", "devices = [\"/dev/a\", \"/dev/b\"]; read-load = \"0.5x\";"},
    {"device-names:  /dev/a , /dev/b ,",
     "devices = [\"/dev/a\", \"/dev/b\"]; read-load = \"0.5x\";"},
    {"device-names: /dev/a /dev/b\t/dev/c",
     "devices = [\"/dev/a\", \"/dev/b\", \"/dev/c\"]; read-load = \"1/3x\";"},
    {"device-names: ,/dev/a,,", "devices = [\"/dev/a\"]; read-load = \"1x\";"},
    {"device-names: relative", "devices = [\"relative\"]; read-load = \"1x\";"},
    {"device-names: a,b\nfile-size-mbytes: 64",
     "files = [\"a:64MiB\", \"b:64MiB\"]; read-load = \"0.5x\";"},
    {"device-names: a\nfile-size-mbytes: 0", "devices = [\"a\"]; read-load = \"1x\";"},
    {"device-names: a:b\nfile-size-mbytes: 5000000",
     "files = [\"a:b:5000000MiB\"]; read-load = \"1x\";"},
};

Test(import, device_names)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char old[256];
		char native[256];
		char error[ERROR_TEXT_BYTES];
		struct config config;
		struct told told;

		snprintf(old, sizeof(old), "read-reqs-per-sec: 2000\ntest-duration-sec: 86400\n%s",
			 names[i].names);
		snprintf(native, sizeof(native), "%s write-load = \"0x\"; max-lag = \"10s\";",
			 names[i].native);
		cr_expect_eq(load_text(&config, old, &told, error), 0, "%s", error);
		expect_same(&config, native, names[i].names);
	}
}

struct form {
	const char *text;
	bool old;
};

static const struct form forms[] = {
    {"device-names: /dev/a", true},
    {"\xef\xbb\xbf"
     "device-names: /dev/a",
     true},
    {"DEVICE_NAMES : /dev/a", true},
    {"# comment\n\nact config file for testing 1 device(s) at 1x load\ndevice-names: /dev/a", true},
    {"commit-to-device: yes", true},
    {"misspelt-key: 1", true},
    {"device-names = /dev/a", true},
    {"title = 32x\ndevice-names: /dev/a", true},
    {"", false},
    {"# device-names: /dev/a", false},
    {"// device-names: /dev/a", false},
    {"/* as it was:\ndevice-names: /dev/a\n*/\nload = \"1x\";", false},
    {"/* never closed\ndevice-names: /dev/a", false},
    {"load = \"1x\";", false},
    {"load: \"1x\";", false},
    {"devices: [\"/dev/a\"]", false},
    {"commit-to-device: true;", false},
    {"commit-to-device = true", false},
    {"no_such_key = 1;", false},
    {"no_such_key : 1;", false},
    {"just words", false},
};

Test(import, the_format_is_known_by_its_content)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		cr_expect_eq(import_recognise(forms[i].text), forms[i].old, "%s", forms[i].text);
}
