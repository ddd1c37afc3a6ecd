#include "act/workload/index.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/compile.h"
#include "tests/support/scratch.h"

#define GOLDEN TESTS_DIR "/golden/act/"

/*
 * Rates of the index model, worked out by hand. Each client write looks its entry up, once for
 * each replica; what it changes is written, and rewritten amplification = 100 / (100 - d)
 * times, and is read as often as it is written. With r, w and f, per second:
 *
 *   transactions = 2000 r + 1000 w f
 *   writes       = 1000 w f * 100 / (100 - d)
 *   reads        = transactions + writes
 *
 * By default d is 50: at 1x 3000 transactions and 2000 writes.
 */
static const struct compile_case cases[] = {
    {"1x",
     "workload = 'index';",
     {{"reads", 5000, 1}, {"writes", 2000, 1}, {"large-block-reads", 0, 0}}},
    {"30x", "workload = 'index'; load = '30x';", {{"reads", 150000, 1}, {"writes", 60000, 1}}},
    {"a load that is scaled",
     "workload = 'index'; load = '30x'; scale = '50%';",
     {{"reads", 75000, 1}, {"writes", 30000, 1}}},
    {"reads only",
     "workload = 'index'; write-load = '0x';",
     {{"reads", 2000, 1}, {"writes", 0, 0}}},
    /* 1000 + 2000 */
    {"writes only",
     "workload = 'index'; read-load = '0x';",
     {{"reads", 3000, 1}, {"writes", 2000, 1}}},
    /* 2000 client writes: 4000 transactions, 4000 writes */
    {"replication",
     "workload = 'index'; replication-factor = 2;",
     {{"reads", 8000, 1}, {"writes", 4000, 1}}},
    /* Amplification 1, 5/3, 5/2 and 100: 1000, 5000/3, 2500 and 100000 writes. */
    {"low-water mark 0",
     "workload = 'index'; defrag-lwm = '0%';",
     {{"reads", 4000, 1}, {"writes", 1000, 1}}},
    {"low-water mark 40",
     "workload = 'index'; defrag-lwm = '40%';",
     {{"reads", 14000, 3}, {"writes", 5000, 3}}},
    {"low-water mark 60",
     "workload = 'index'; defrag-lwm = '60%';",
     {{"reads", 5500, 1}, {"writes", 2500, 1}}},
    {"low-water mark 99",
     "workload = 'index'; defrag-lwm = '99%';",
     {{"reads", 103000, 1}, {"writes", 100000, 1}}},
    /* 60000 + 40000 transactions, 40000 * 5/2 writes */
    {"all together",
     "workload = 'index'; read-load = '30x'; write-load = '20x'; replication-factor = 2;"
     "defrag-lwm = '60%';",
     {{"reads", 200000, 1}, {"writes", 100000, 1}}},

    /* The older tool's own, whose rates are over all devices: 200 reads and 100 writes of two
     * are 300 transactions and 200 of the cache, 150 and 100 for each; */
    {"of version 5.3, and of 6.6",
     "workload = 'index'; load = '0.05x'; write-load = '0.05x';",
     {{"reads", 250, 1}, {"writes", 100, 1}}},
    /* 2000 and 500 of one 2500 and 1000. */
    {"of 60 seconds",
     "workload = 'index'; read-load = '1x'; write-load = '0.5x';",
     {{"reads", 3500, 1}, {"writes", 1000, 1}}},
};

Test(index, rates_are_those_of_the_model)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(compile_compare(&cases[i]), 0, "%s", cases[i].what);
}

Test(index, streams_are_of_4_kib)
{
	struct workload workload = compile("workload = 'index';");

	cr_assert_eq(workload.stream_count, 2);
	cr_expect_str_eq(workload.streams[0].name, "reads");
	cr_expect_eq(workload.streams[0].op, STREAM_READ);
	cr_expect_str_eq(workload.streams[1].name, "writes");
	cr_expect_eq(workload.streams[1].op, STREAM_WRITE);
	cr_expect(workload.streams[1].dsync);
	for (size_t i = 0; i < 2; i++) {
		cr_expect_eq(workload.streams[i].size_min_bytes, 4096);
		cr_expect_eq(workload.streams[i].size_max_bytes, 4096);
		cr_expect_eq(workload.streams[i].align_bytes, 4096);
		cr_expect_eq(workload.streams[i].random.num, 1);
		cr_expect_not(workload.streams[i].large_block);
	}
	cr_expect_eq(workload.judged_count, 1);
	cr_expect_str_eq(workload.judged[0], "reads");
	workload = compile("workload = 'index'; odsync = false; judge = ['writes'];");
	cr_expect_not(workload.streams[1].dsync);
	cr_expect_str_eq(workload.judged[0], "writes");
}

static const struct {
	const char *log;
	const char *text;
} old_runs[] = {
    {"act_v6.6_index.log", "workload = 'index'; devices = ['/dev/a', '/dev/b']; load = '0.05x';"},
    {"act_v6.6_index_60s.log", "workload = 'index'; read-load = '1x'; write-load = '0.5x';"},
};

Test(index, derives_what_the_older_tool_derives)
{
	for (size_t i = 0; i < sizeof(old_runs) / sizeof(old_runs[0]); i++) {
		struct workload workload = compile(old_runs[i].text);
		char path[256];
		size_t length;

		snprintf(path, sizeof(path), GOLDEN "%s", old_runs[i].log);
		char *log = scratch_read(path, &length);
		cr_expect_not_null(strstr(log, workload.derived), "%s: %s", old_runs[i].log,
				   workload.derived);
		free(log);
		cr_expect_str_eq(workload.title, "ACT-INDEX");
		cr_expect_str_eq(workload.subtitle, "Index device IO test");
	}
}

Test(index, refuses_rates_that_no_device_has)
{
	struct config config;
	struct workload workload;
	struct error err = {0};

	cr_assert_lt(compile_try("workload = 'index'; read-load = '0x'; write-load = '10000x';"
				 "defrag-lwm = '99%';",
				 &config, &workload, &err),
		     0);
	cr_expect_eq(err.status, EXIT_USAGE);
	cr_expect_str_eq(err.text, "F:1: write-load = 10000x: 1010000000 reads per second and "
				   "device cannot be kept; allowed: up to 100000000 per second");
}
