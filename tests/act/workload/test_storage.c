#include "act/workload/storage.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/compile.h"
#include "tests/support/scratch.h"

#define GOLDEN TESTS_DIR "/golden/act/"

/*
 * Rates by the formulas of storage.h, worked out by hand. By default a record has 1536 bytes, of
 * which 85 fit into a block of 131072 (85 * 1536 = 130560), and half of each block is
 * garbage when it is rewritten: amplification 100 / (100 - 50) = 2. So at 1x
 *
 *   reads = 2000, client writes = 1000, blocks = 1000 / 85 = 200/17,
 *   large-block writes = large-block reads = 200/17 * 2 = 400/17
 *
 * per second, 23.53 of each.
 */
static const struct compile_case cases[] = {
    {"1x",
     "load = '1x';",
     {{"reads", 2000, 1},
      {"large-block-reads", 400, 17},
      {"large-block-writes", 400, 17},
      {"writes", 0, 0},
      {"tomb-raider-reads", 0, 0}}},
    {"10x",
     "load = '10x';",
     {{"reads", 20000, 1}, {"large-block-reads", 4000, 17}, {"large-block-writes", 4000, 17}}},
    /* The older tool says 705.88. */
    {"30x",
     "load = '30x';",
     {{"reads", 60000, 1}, {"large-block-reads", 12000, 17}, {"large-block-writes", 12000, 17}}},
    {"60x",
     "load = '60x';",
     {{"reads", 120000, 1}, {"large-block-reads", 24000, 17}, {"large-block-writes", 24000, 17}}},
    {"100x",
     "load = '100x';",
     {{"reads", 200000, 1}, {"large-block-reads", 40000, 17}, {"large-block-writes", 40000, 17}}},
    {"300x reads, 150x writes",
     "read-load = '300x'; write-load = '150x';",
     {{"reads", 600000, 1}, {"large-block-reads", 60000, 17}, {"large-block-writes", 60000, 17}}},
    {"half a load", "load = '0.5x';", {{"reads", 1000, 1}, {"large-block-writes", 200, 17}}},
    {"a third of a load", "load = '1/3x';", {{"reads", 2000, 3}, {"large-block-writes", 400, 51}}},
    {"a load that is scaled",
     "load = '30x'; scale = '150%';",
     {{"reads", 90000, 1}, {"large-block-reads", 18000, 17}, {"large-block-writes", 18000, 17}}},
    {"reads only",
     "write-load = '0x';",
     {{"reads", 2000, 1}, {"large-block-reads", 0, 0}, {"large-block-writes", 0, 0}}},
    {"writes only",
     "read-load = '0x';",
     {{"reads", 0, 0}, {"large-block-reads", 400, 17}, {"large-block-writes", 400, 17}}},

    /* Each update reads its record first: 2000 + 1000 * 25 / 100, 2000 + 1000. */
    {"a quarter of updates",
     "update-share = '25%';",
     {{"reads", 2250, 1}, {"large-block-writes", 400, 17}}},
    {"updates alone",
     "update-share = '100%';",
     {{"reads", 3000, 1}, {"large-block-reads", 400, 17}, {"large-block-writes", 400, 17}}},

    /* Client writes are 2000, blocks 2000 / 85 = 400/17; reads stay what they are. */
    {"replication",
     "replication-factor = 2;",
     {{"reads", 2000, 1}, {"large-block-reads", 800, 17}, {"large-block-writes", 800, 17}}},
    /* ... and updates are those of the clients: 1000. */
    {"replication of updates",
     "replication-factor = 2; update-share = '100%';",
     {{"reads", 3000, 1}, {"large-block-reads", 800, 17}, {"large-block-writes", 800, 17}}},

    /* Amplification 100 / (100 - d): 1, 5/3, 5/2, 4 and 100 times 200/17. */
    {"low-water mark 0",
     "defrag-lwm = '0%';",
     {{"large-block-reads", 200, 17}, {"large-block-writes", 200, 17}}},
    {"low-water mark 40",
     "defrag-lwm = '40%';",
     {{"large-block-reads", 1000, 51}, {"large-block-writes", 1000, 51}}},
    {"low-water mark 60",
     "defrag-lwm = '60%';",
     {{"large-block-reads", 500, 17}, {"large-block-writes", 500, 17}}},
    {"low-water mark 75",
     "defrag-lwm = '75%';",
     {{"large-block-reads", 800, 17}, {"large-block-writes", 800, 17}}},
    {"low-water mark 99",
     "defrag-lwm = '99%';",
     {{"reads", 2000, 1}, {"large-block-reads", 20000, 17}, {"large-block-writes", 20000, 17}}},
    {"no defragmentation reads",
     "defrag-reads = false;",
     {{"large-block-reads", 0, 0}, {"large-block-writes", 400, 17}}},

    /* Client writes singly, and of the blocks only what is rewritten: amplification - 1,
     * which is 1, 0, 2/3 and 99. */
    {"commit to device",
     "commit-to-device = true;",
     {{"reads", 2000, 1},
      {"writes", 1000, 1},
      {"large-block-reads", 400, 17},
      {"large-block-writes", 200, 17}}},
    {"commit to device, low-water mark 0",
     "commit-to-device = true; defrag-lwm = '0%';",
     {{"writes", 1000, 1}, {"large-block-reads", 200, 17}, {"large-block-writes", 0, 0}}},
    {"commit to device, low-water mark 40",
     "commit-to-device = true; defrag-lwm = '40%';",
     {{"writes", 1000, 1}, {"large-block-reads", 1000, 51}, {"large-block-writes", 400, 51}}},
    {"commit to device, low-water mark 99",
     "commit-to-device = true; defrag-lwm = '99%';",
     {{"writes", 1000, 1}, {"large-block-reads", 20000, 17}, {"large-block-writes", 19800, 17}}},
    /* 3000 client writes, 3000 / 85 = 600/17 blocks */
    {"commit to device, replication",
     "commit-to-device = true; replication-factor = 3;",
     {{"writes", 3000, 1}, {"large-block-reads", 1200, 17}, {"large-block-writes", 600, 17}}},

    /* 1000 is stored as 1008, 2000 as it is: average 1504, 87 in a block (130848). */
    {"record range",
     "record-size = '1000B'; record-size-max = '2000B';",
     {{"reads", 2000, 1}, {"large-block-reads", 2000, 87}, {"large-block-writes", 2000, 87}}},
    /* 1536 to 10000: average 5768, 22 in a block (126896); 1000 / 22 * 2 */
    {"wide record range",
     "record-size = '1536B'; record-size-max = '10000B';",
     {{"large-block-reads", 1000, 11}, {"large-block-writes", 1000, 11}}},
    /* 16 bytes, of which 8192 fit: 1000 / 8192 * 2 */
    {"smallest record",
     "record-size = '1B';",
     {{"large-block-reads", 125, 512}, {"large-block-writes", 125, 512}}},
    {"record of half a block and 16 bytes", /* only 1 fits */
     "record-size = '65552B';",
     {{"reads", 2000, 1}, {"large-block-reads", 2000, 1}, {"large-block-writes", 2000, 1}}},
    /* 682 in 1 MiB (1047552): 1000 / 682 * 2 */
    {"larger blocks",
     "large-block = '1MiB';",
     {{"large-block-reads", 1000, 341}, {"large-block-writes", 1000, 341}}},

    {"tomb raider",
     "tomb-raider = true; tomb-raider-sleep = '250us';",
     {{"reads", 2000, 1}, {"tomb-raider-reads", 4000, 1}}},

    /* Reads 60000 + 20000 * 50 / 100; client writes 40000; records 1504 to 3008, average 2256,
     * 58 in a block (130848): 40000 / 58 = 20000/29 blocks; amplification 5/2. */
    {"all together",
     "read-load = '30x'; write-load = '20x'; update-share = '50%'; replication-factor = 2;"
     "commit-to-device = true; defrag-lwm = '60%'; record-size = '1500B';"
     "record-size-max = '3000B';",
     {{"reads", 70000, 1},
      {"writes", 40000, 1},
      {"large-block-reads", 50000, 29},
      {"large-block-writes", 30000, 29}}},
};

Test(storage, rates_are_those_of_the_model)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(compile_compare(&cases[i]), 0, "%s", cases[i].what);
}

/* Logs of the older tool, whose rates are over all devices, and what it was told. */
static const struct {
	const char *log;
	const char *text;
} old_runs[] = {
    /* Per device 100 reads and 50 client writes: 0.05x; 50 / 85 = 10/17 blocks, 20/17 of them
     * read and 10/17 written, of two devices 2.35 and 1.18. */
    {"act_v5.3_storage.log",
     "devices = ['/dev/a', '/dev/b']; load = '0.05x'; commit-to-device = true;"},
    {"act_v6.6_storage.log",
     "devices = ['/dev/a', '/dev/b']; load = '0.05x'; commit-to-device = true;"},
    /* 1x on each: 2 * 400/17 = 47.06 */
    {"act_v6.6_storage_90s_2dev_ms.log", "devices = ['/dev/a', '/dev/b']; load = '1x';"},
    /* 9000000 / 2000, and 100 / 85 * 2 = 2.35 */
    {"act_v6.6_cant_keep_up.log", "read-load = '4500x'; write-load = '0.1x';"},
    {"act_v6.6_io_errors.log", "read-load = '0.1x'; write-load = '0x';"},
};

Test(storage, derives_what_the_older_tool_derives)
{
	for (size_t i = 0; i < sizeof(old_runs) / sizeof(old_runs[0]); i++) {
		struct workload workload = compile(old_runs[i].text);
		char path[256];
		size_t length;

		snprintf(path, sizeof(path), GOLDEN "%s", old_runs[i].log);
		char *log = scratch_read(path, &length);
		for (char *line = strtok(workload.derived, "\n"); line; line = strtok(NULL, "\n")) {
			char whole[128];

			snprintf(whole, sizeof(whole), "\n%s\n", line);
			cr_expect_not_null(strstr(log, whole), "%s: %s", old_runs[i].log, line);
		}
		free(log);
	}
}

Test(storage, sizes_and_kinds)
{
	struct workload workload = compile("commit-to-device = true; record-size = '1500B';"
					   "record-size-max = '3000B'; tomb-raider = true;");
	const struct stream *reads = compile_find(&workload, "reads");
	const struct stream *writes = compile_find(&workload, "writes");
	const struct stream *blocks = compile_find(&workload, "large-block-writes");
	const struct stream *raider = compile_find(&workload, "tomb-raider-reads");

	cr_assert_eq(reads->size_min_bytes, 1504);
	cr_assert_eq(reads->size_max_bytes, 3008);
	cr_assert_eq(reads->op, STREAM_READ);
	cr_assert(!reads->large_block);
	cr_assert_eq(writes->op, STREAM_WRITE);
	cr_assert_eq(writes->size_max_bytes, 3008);
	cr_assert(writes->dsync);
	cr_assert(blocks->dsync && blocks->large_block);
	cr_assert_eq(blocks->align_bytes, 131072);
	cr_assert_eq(raider->random.num, 0);
	cr_assert_eq(workload.judged_count, 2);
	cr_assert_str_eq(workload.judged[0], "reads");
	cr_assert_str_eq(workload.judged[1], "writes");
}

Test(storage, writes_are_durable_unless_told_otherwise)
{
	struct workload workload = compile("odsync = false;");

	cr_assert(!compile_find(&workload, "large-block-writes")->dsync);
}

Test(storage, judges_something_whatever_the_load)
{
	struct workload workload = compile("read-load = '0x';");

	cr_assert_eq(workload.judged_count, 1);
	cr_assert_str_eq(workload.judged[0], "large-block-reads");
}

Test(storage, writes_the_older_tools_lines)
{
	struct workload workload = compile("load = '30x';");

	cr_assert_not_null(strstr(workload.configuration, "\nread-reqs-per-sec: 60000\n"));
	cr_assert_not_null(strstr(workload.configuration, "\nwrite-reqs-per-sec: 30000\n"));
	cr_assert_str_eq(workload.derived, "record-stored-bytes: 1536 ... 1536\n"
					   "internal-read-reqs-per-sec: 60000\n"
					   "internal-write-reqs-per-sec: 0\n"
					   "large-block-reads-per-sec: 705.88\n"
					   "large-block-writes-per-sec: 705.88\n");
}

Test(storage, refuses_rates_that_no_device_has)
{
	struct config config;
	struct workload workload;
	struct error err = {0};

	config_defaults(&config);
	cr_assert_eq(config_add_device(&config, "test", "/dev/a", &err), 0);
	config.read_load = ratio_make(1000000, 1);
	cr_assert_lt(workload_compile(&config, &workload, &err), 0);
	cr_assert_eq(err.status, EXIT_USAGE);
	cr_assert_str_eq(err.text,
			 "default: read-load = 1000000x: 2000000000 reads per second and device "
			 "cannot be kept; allowed: up to 100000000 per second");
	/* Not exact in 64 bits. */
	config.read_load =
	    ratio_make(UINT64_C(18446744073709551557), UINT64_C(18446744073709551533));
	cr_assert_lt(workload_compile(&config, &workload, &err), 0);
}
