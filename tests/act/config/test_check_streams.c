#include <criterion/criterion.h>

#include "tests/act/config/refusals.h"

#define DEVICE "devices = [\"/dev/a\"]\n"
#define CUSTOM DEVICE "workload = \"custom\"\n"
#define STREAMS                                                                                    \
	"streams = (\n{ name = \"reads\"; op = \"read\"; rate = \"30x\"; sizes = [\"4KiB\"]; "     \
	"},\n{ name = \"writes\"; op = \"write\"; rate = \"40%\"; sizes = [\"4KiB\"]; })\n"
#define RATE      "rate = \"100/s\"\n"
#define ONE(keys) "streams = ({ name = \"a\"; op = \"read\"; rate = \"1/s\"; " keys " })\n"

/* Of the streams together, and with the rest of the config. */
static const struct refusal streams[] = {
    {DEVICE STREAMS, "F:2: streams = reads,writes: not a custom workload, as workload = storage "
		     "(default); allowed: streams with workload = \"custom\""},
    {DEVICE "workload = \"index\"\n" STREAMS,
     "F:3: streams = reads,writes: not a custom workload, as workload = index (F:2); allowed: "
     "streams with workload = \"custom\""},
    {CUSTOM, "F:2: workload = custom: no streams, as streams = (default); allowed: 1 to 8 streams"},
    {CUSTOM "streams = ()\n",
     "F:3: streams =: no streams, as workload = custom (F:2); allowed: 1 to 8 streams"},
    {CUSTOM STREAMS, "F:5: streams[2].rate = 40%: a share, but the key rate is not set; allowed: a "
		     "rate, or rate = \"10000/s\""},
    {CUSTOM STREAMS RATE, NULL},
    {CUSTOM ONE("sizes = [\"4KiB\"]; devices = \"1\";"), NULL},
    {CUSTOM ONE("sizes = [\"4KiB\"]; devices = \"2\";"),
     "F:3: streams[1].devices = 2: no such device; allowed: the numbers of the devices and files, "
     "1 to 1"},
    {CUSTOM ONE("sizes = [\"4KiB\"]; devices = \"1,64\";"),
     "F:3: streams[1].devices = 64: no such device; allowed: the numbers of the devices and files, "
     "1 to 1"},
    {"devices = [\"/dev/a\", \"/dev/b\"]\nfiles = [\"f:1GiB\"]\nworkload = \"custom\"\n" ONE(
	 "sizes = [\"4KiB\"]; devices = \"1-3\";"),
     NULL},
    {"devices = [\"/dev/a\", \"/dev/b\"]\nfiles = [\"f:1GiB\"]\nworkload = \"custom\"\n" ONE(
	 "sizes = [\"4KiB\"]; devices = \"1-3,5\";"),
     "F:4: streams[1].devices = 5: no such device; allowed: the numbers of the devices and files, "
     "1 to 3"},
    {"files = [\"f:1MiB\"]\nworkload = \"custom\"\n" ONE(
	 "sizes = [\"4KiB:1\", \"64KiB..128KiB:1\"];"),
     "F:3: streams[1].sizes = 128KiB: f is smaller than 16 of them; allowed: at most a sixteenth "
     "of each file"},
    {"files = [\"g:1GiB\", \"f:2MiB\"]\nworkload = \"custom\"\n" ONE(
	 "sizes = [\"4KiB:1\", \"64KiB..128KiB:1\"];"),
     NULL},
    {"files = [\"g:1GiB\", \"f:1MiB\"]\nworkload = \"custom\"\n" ONE("sizes = [\"8MiB\"];"),
     "F:3: streams[1].sizes = 8MiB: f is smaller than 16 of them; allowed: at most a sixteenth of "
     "each file"},
    {CUSTOM "thresholds = []\n" STREAMS RATE,
     "F:3: thresholds =: none; allowed: 1 to 8 thresholds"},
    {CUSTOM STREAMS RATE "judge = [\"scans\"]\n",
     "F:7: judge = scans: no such stream as scans; allowed: reads, writes"},
    {CUSTOM STREAMS RATE "judge = [\"writes\"]\n", NULL},
    {CUSTOM ONE("sizes = [\"4KiB\"]; thresholds = [\"2ms:1%\", \"3ms:1%\", \"4ms:1%\", \"5ms:1%\", "
		"\"6ms:1%\"];"),
     NULL},
    {CUSTOM ONE("sizes = [\"4KiB\"]; thresholds = [\"1ms:1%\", \"2ms:1%\", \"3ms:1%\", \"4ms:1%\", "
		"\"5ms:1%\", \"6ms:1%\", \"8ms:1%\"];"),
     NULL},
    {CUSTOM ONE("sizes = [\"4KiB\"]; thresholds = [\"2ms:1%\", \"3ms:1%\", \"4ms:1%\", \"5ms:1%\", "
		"\"6ms:1%\", \"7ms:1%\"];"),
     "F:3: streams[1].thresholds = 7ms: a ninth threshold with those of the key thresholds and of "
     "other streams; allowed: 8 different ones in all"},
    {CUSTOM
     "thresholds = [\"1ms:5%\", \"9ms:5%\"]\n"
     "streams = (\n{ name = \"s1\"; op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"]; thresholds "
     "= [\"1ms:1%\", \"2ms:1%\"]; },\n{ name = \"s2\"; op = \"read\"; rate = \"1/s\"; sizes = "
     "[\"4KiB\"]; thresholds = [\"1ms:1%\", \"3ms:1%\"]; },\n{ name = \"s3\"; op = \"read\"; rate "
     "= \"1/s\"; sizes = [\"4KiB\"]; thresholds = [\"1ms:1%\", \"4ms:1%\"]; },\n{ name = \"s4\"; "
     "op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"]; thresholds = [\"1ms:1%\", \"5ms:1%\"]; "
     "},\n{ name = \"s5\"; op = \"read\"; rate = \"1/s\"; sizes = [\"4KiB\"]; thresholds = "
     "[\"1ms:1%\", \"6ms:1%\"]; },\n{ name = \"s6\"; op = \"read\"; rate = \"1/s\"; sizes = "
     "[\"4KiB\"]; thresholds = [\"1ms:1%\", \"7ms:1%\"]; },\n{ name = \"s7\"; op = \"read\"; rate "
     "= \"1/s\"; sizes = [\"4KiB\"]; thresholds = [\"1ms:1%\", \"8ms:1%\"]; })\n",
     "F:11: streams[7].thresholds = 8ms: a ninth threshold with those of the key thresholds and of "
     "other streams; allowed: 8 different ones in all"},
};

Test(config_check_streams, what_does_not_fit_together_is_refused)
{
	expect_refusals(streams, sizeof(streams) / sizeof(streams[0]));
}
