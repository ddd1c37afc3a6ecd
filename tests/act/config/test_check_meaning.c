#include <criterion/criterion.h>

#include "act/config/options.h"
#include "tests/act/config/refusals.h"

#define DEVICE "devices = [\"/dev/a\"]\n"
#define CUSTOM DEVICE "workload = \"custom\"\n"
#define STREAMS                                                                                    \
	"streams = (\n{ name = \"reads\"; op = \"read\"; rate = \"30x\"; sizes = [\"4KiB\"]; "     \
	"},\n{ name = \"writes\"; op = \"write\"; rate = \"40%\"; sizes = [\"4KiB\"]; })\n"
#define RATE "rate = \"100/s\"\n"

static const struct refusal keys[] = {
    {CUSTOM STREAMS RATE "load = \"5x\"\n",
     "F:7: read-load = 5x: means nothing to this load, as workload = custom (F:2); allowed: scale, "
     "or rates in the streams of a custom workload"},
    {DEVICE "workload = \"index\"\n"
	    "load = \"5x\"\n",
     NULL},
    {CUSTOM STREAMS RATE "write-load = \"0.5x\"\n",
     "F:7: write-load = 0.5x: means nothing to this load, as workload = custom (F:2); allowed: "
     "scale, or rates in the streams of a custom workload"},
    {DEVICE "workload = \"index\"\n"
	    "write-load = \"0.5x\"\n",
     NULL},
    {CUSTOM STREAMS RATE "replication-factor = 2\n",
     "F:7: replication-factor = 2: means nothing to this load, as workload = custom (F:2); "
     "allowed: workloads storage and index"},
    {DEVICE "workload = \"index\"\n"
	    "replication-factor = 2\n",
     NULL},
    {CUSTOM STREAMS RATE "defrag-lwm = \"60%\"\n",
     "F:7: defrag-lwm = 60%: means nothing to this load, as workload = custom (F:2); allowed: "
     "workloads storage and index"},
    {DEVICE "workload = \"index\"\n"
	    "defrag-lwm = \"60%\"\n",
     NULL},
    {CUSTOM STREAMS RATE "record-size = \"4KiB\"\n",
     "F:7: record-size = 4KiB: means nothing to this load, as workload = custom (F:2); allowed: "
     "workload storage"},
    {DEVICE "workload = \"index\"\n"
	    "record-size = \"4KiB\"\n",
     "F:3: record-size = 4KiB: means nothing to this load, as workload = index (F:2); allowed: "
     "workload storage"},
    {CUSTOM STREAMS RATE "record-size-max = \"4KiB\"\n",
     "F:7: record-size-max = 4KiB: means nothing to this load, as workload = custom (F:2); "
     "allowed: workload storage"},
    {DEVICE "workload = \"index\"\n"
	    "record-size-max = \"4KiB\"\n",
     "F:3: record-size-max = 4KiB: means nothing to this load, as workload = index (F:2); allowed: "
     "workload storage"},
    {CUSTOM STREAMS RATE "large-block = \"64KiB\"\n",
     "F:7: large-block = 64KiB: means nothing to this load, as workload = custom (F:2); allowed: "
     "workload storage"},
    {DEVICE "workload = \"index\"\n"
	    "large-block = \"64KiB\"\n",
     "F:3: large-block = 64KiB: means nothing to this load, as workload = index (F:2); allowed: "
     "workload storage"},
    {CUSTOM STREAMS RATE "update-share = \"10%\"\n",
     "F:7: update-share = 10%: means nothing to this load, as workload = custom (F:2); allowed: "
     "workload storage"},
    {DEVICE "workload = \"index\"\n"
	    "update-share = \"10%\"\n",
     "F:3: update-share = 10%: means nothing to this load, as workload = index (F:2); allowed: "
     "workload storage"},
    {CUSTOM STREAMS RATE "defrag-reads = false\n",
     "F:7: defrag-reads = false: means nothing to this load, as workload = custom (F:2); allowed: "
     "workload storage"},
    {DEVICE "workload = \"index\"\n"
	    "defrag-reads = false\n",
     "F:3: defrag-reads = false: means nothing to this load, as workload = index (F:2); allowed: "
     "workload storage"},
    {CUSTOM STREAMS RATE "commit-to-device = true\n",
     "F:7: commit-to-device = true: means nothing to this load, as workload = custom (F:2); "
     "allowed: workload storage"},
    {DEVICE "workload = \"index\"\n"
	    "commit-to-device = true\n",
     "F:3: commit-to-device = true: means nothing to this load, as workload = index (F:2); "
     "allowed: workload storage"},
    {CUSTOM STREAMS RATE "tomb-raider = true\n",
     "F:7: tomb-raider = true: means nothing to this load, as workload = custom (F:2); allowed: "
     "workload storage"},
    {DEVICE "workload = \"index\"\n"
	    "tomb-raider = true\n",
     "F:3: tomb-raider = true: means nothing to this load, as workload = index (F:2); allowed: "
     "workload storage"},
    {CUSTOM STREAMS RATE "tomb-raider-sleep = \"2ms\"\n",
     "F:7: tomb-raider-sleep = 2ms: means nothing to this load, as workload = custom (F:2); "
     "allowed: workload storage"},
    {DEVICE "workload = \"index\"\n"
	    "tomb-raider-sleep = \"2ms\"\n",
     "F:3: tomb-raider-sleep = 2ms: means nothing to this load, as workload = index (F:2); "
     "allowed: workload storage"},
    {DEVICE RATE, "F:2: rate = 100/s: means nothing to this load, as workload = storage (default); "
		  "allowed: load, or workload custom"},
    {DEVICE "workload = \"index\"\n" RATE,
     "F:3: rate = 100/s: means nothing to this load, as workload = index (F:2); allowed: load, or "
     "workload custom"},
    {CUSTOM STREAMS RATE
     "load = \"1x\"\ndefrag-reads = true\nrecord-size = \"1536B\"\nscale = \"5%\"\n",
     NULL},
};

Test(config_check_meaning, keys_that_do_nothing_are_refused)
{
	expect_refusals(keys, sizeof(keys) / sizeof(keys[0]));
}

/* By which keys are known to be as by default. */
Test(config_check_meaning, defaults_are_printed_as_they_stand_in_the_table)
{
	struct config config;
	char value[VALUE_BYTES];

	config_defaults(&config);
	for (size_t i = 0; i < option_count; i++) {
		if (!option_is_list(&options[i]) && !option_is_groups(&options[i]))
			cr_expect_str_eq(value_format(&options[i], &config, value),
					 options[i].initial);
	}
}
