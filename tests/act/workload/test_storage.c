#include "act/workload/workload.h"

#include <criterion/criterion.h>
#include <string.h>

struct setting {
	const char *key;
	const char *value;
};

static struct workload compile(const struct setting *settings)
{
	struct config config;
	struct workload workload;
	struct error err = {0};

	config_defaults(&config);
	cr_assert_eq(config_add_device(&config, "test", "/dev/a", &err), 0);
	for (; settings->key; settings++)
		cr_assert_eq(config_set(&config, "test", settings->key, settings->value, &err), 0,
			     "%s", err.text);
	cr_assert_eq(workload_compile(&config, &workload, &err), 0, "%s", err.text);
	return workload;
}

static const struct stream *find(const struct workload *workload, const char *name)
{
	for (size_t i = 0; i < workload->stream_count; i++)
		if (strcmp(workload->streams[i].name, name) == 0)
			return &workload->streams[i];
	return NULL;
}

/* Rates by the formulas of storage.h, worked out by hand. */
static const struct {
	const char *what;
	struct setting settings[6];
	struct {
		const char *name;
		uint64_t num;
		uint64_t den; /* 0: the stream must not be there */
	} rates[6];
} cases[] = {
    {"30x",
     {{"load", "30x"}},
     {{"reads", 60000, 1},
      {"large-block-reads", 12000, 17},
      {"large-block-writes", 12000, 17},
      {"writes", 0, 0},
      {"tomb-raider-reads", 0, 0}}},
    {"300x reads, 150x writes",
     {{"read-load", "300x"}, {"write-load", "150x"}},
     {{"reads", 600000, 1}, {"large-block-reads", 60000, 17}, {"large-block-writes", 60000, 17}}},
    {"half a load", {{"load", "0.5x"}}, {{"reads", 1000, 1}, {"large-block-writes", 200, 17}}},
    {"update share", {{"update-share", "25%"}}, {{"reads", 2250, 1}}},
    {"replication",
     {{"replication-factor", "2"}},
     {{"reads", 2000, 1}, {"large-block-writes", 800, 17}, {"large-block-reads", 800, 17}}},
    /* amplification 100 / (100 - 75) = 4 */
    {"low-water mark",
     {{"defrag-lwm", "75%"}},
     {{"large-block-writes", 800, 17}, {"large-block-reads", 800, 17}}},
    {"no defragmentation reads",
     {{"defrag-reads", "false"}},
     {{"large-block-writes", 400, 17}, {"large-block-reads", 0, 0}}},
    {"commit to device",
     {{"commit-to-device", "true"}, {"replication-factor", "3"}},
     {{"writes", 3000, 1}, {"large-block-writes", 600, 17}, {"large-block-reads", 1200, 17}}},
    {"tomb raider",
     {{"tomb-raider", "true"}, {"tomb-raider-sleep", "250us"}},
     {{"tomb-raider-reads", 4000, 1}}},
    /* 1000 rounds to 1008, 2000 is 2000: average 1504, 87 in a block */
    {"record range",
     {{"record-size", "1000B"}, {"record-size-max", "2000B"}},
     {{"large-block-writes", 2000, 87}}},
    {"reads only", {{"write-load", "0x"}}, {{"reads", 2000, 1}, {"large-block-writes", 0, 0}}},
};

Test(storage, rates_are_those_of_the_model)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload workload = compile(cases[i].settings);

		for (size_t j = 0; cases[i].rates[j].name; j++) {
			const struct stream *stream = find(&workload, cases[i].rates[j].name);

			if (cases[i].rates[j].den == 0) {
				cr_assert_null(stream, "%s: %s", cases[i].what,
					       cases[i].rates[j].name);
				continue;
			}
			cr_assert_not_null(stream, "%s: %s", cases[i].what, cases[i].rates[j].name);
			cr_assert_eq(stream->per_sec.num, cases[i].rates[j].num, "%s: %s",
				     cases[i].what, stream->name);
			cr_assert_eq(stream->per_sec.den, cases[i].rates[j].den, "%s: %s",
				     cases[i].what, stream->name);
		}
	}
}

Test(storage, sizes_and_kinds)
{
	static const struct setting settings[] = {{"commit-to-device", "true"},
						  {"record-size", "1500B"},
						  {"record-size-max", "3000B"},
						  {"tomb-raider", "true"},
						  {0}};
	struct workload workload = compile(settings);
	const struct stream *reads = find(&workload, "reads");
	const struct stream *writes = find(&workload, "writes");
	const struct stream *blocks = find(&workload, "large-block-writes");
	const struct stream *raider = find(&workload, "tomb-raider-reads");

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
	static const struct setting settings[] = {{"odsync", "false"}, {0}};
	struct workload workload = compile(settings);

	cr_assert(!find(&workload, "large-block-writes")->dsync);
}

Test(storage, judges_something_whatever_the_load)
{
	static const struct setting settings[] = {{"read-load", "0x"}, {0}};
	struct workload workload = compile(settings);

	cr_assert_eq(workload.judged_count, 1);
	cr_assert_str_eq(workload.judged[0], "large-block-reads");
}

Test(storage, writes_the_older_tools_lines)
{
	static const struct setting settings[] = {{"load", "30x"}, {0}};
	struct workload workload = compile(settings);

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
