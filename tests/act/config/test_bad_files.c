#include <criterion/criterion.h>

#include "tests/act/config/refusals.h"

#define DEVICE "devices = [\"/dev/a\"]\n"

static const struct refusal bad_files[] = {
    {DEVICE "laod = \"1x\"\n", "F:2: laod = 1x: unknown key, the nearest is load; allowed: the "
			       "keys listed by actcert run --help"},
    {"device-names = \"/dev/sda\"\n", "F:1: device-names = /dev/sda: unknown key, the nearest is "
				      "devices; allowed: the keys listed by actcert run --help"},
    {"x = {a = 1;}\n",
     "F:1: x = {...}: unknown key; allowed: the keys listed by actcert run --help"},
    {"load = \"1x\"\nload = \"2x\"\n",
     "F:2: load = \"2x\": duplicate setting name, here or above; allowed: KEY = VALUE lines, each "
     "key once, values with a unit in quotes (load = \"30x\")"},
    {"\n\nload = 30x\nduration = \"1h\"\n",
     "F:3: load = 30x: value with a unit, but not in quotes; allowed: KEY = VALUE lines, each key "
     "once, values with a unit in quotes (load = \"30x\")"},
    {"load\n", "F:2: syntax error, here or above; allowed: KEY = VALUE lines, each key once, "
	       "values with a unit in quotes (load = \"30x\")"},
    {"load = \"1x\n", "F:1: load = \"1x: string without an end; allowed: KEY = VALUE lines, each "
		      "key once, values with a unit in quotes (load = \"30x\")"},
    {"\xef\xbb\xbf"
     "load = \"1x\"\n",
     "F:1: \xef\xbb\xbf"
     "load = \"1x\": syntax error, here or above; allowed: KEY = VALUE lines, each key once, "
     "values with a unit in quotes (load = \"30x\")"},
    {"load = \"1x\" }\n", "F:1: load = \"1x\" }: syntax error, here or above; allowed: KEY = VALUE "
			  "lines, each key once, values with a unit in quotes (load = \"30x\")"},
    {"load \"1x\"\n", "F:1: load \"1x\": string out of place; allowed: KEY = VALUE lines, each key "
		      "once, values with a unit in quotes (load = \"30x\")"},
    {"load = \"1x\" 5\n", "F:1: load = \"1x\" 5: syntax error, here or above; allowed: KEY = VALUE "
			  "lines, each key once, values with a unit in quotes (load = \"30x\")"},
    {"@include \"other.cfg\"\n",
     "F:1: @include \"other.cfg\": @include is not supported; allowed: KEY = VALUE lines, each key "
     "once, values with a unit in quotes (load = \"30x\")"},
    {"load = 30\n", "F:1: load = 30: 30 has no unit; allowed: 0x to 10000x"},
    {"load = 0.5\n", "F:1: load = 0.5: 0.5 has no unit; allowed: 0x to 10000x"},
    {"load = \"30\"\n", "F:1: load = 30: 30 has no unit; allowed: 0x to 10000x"},
    {"load = \"30 X\"\n", "F:1: load = 30 X: not a load; allowed: 0x to 10000x"},
    {"load = \"3 x 60\"\n", "F:1: load = 3 x 60: not a load; allowed: 0x to 10000x"},
    {"load = \"x\"\n", "F:1: load = x: not a load; allowed: 0x to 10000x"},
    {"load = \"\"\n", "F:1: load =: not a load; allowed: 0x to 10000x"},
    {"load = \"-1x\"\n", "F:1: load = -1x: not a load; allowed: 0x to 10000x"},
    {"load = true\n", "F:1: load = true: is a switch; allowed: 0x to 10000x"},
    {"load = [\"1x\"]\n", "F:1: load = (...): is a list; allowed: 0x to 10000x"},
    {"load = \"10000.1x\"\n", "F:1: load = 10000.1x: too large; allowed: 0x to 10000x"},
    {"load = \"99999999999999999999x\"\n",
     "F:1: load = 99999999999999999999x: too large; allowed: 0x to 10000x"},
    {"duration = \"24\"\n", "F:1: duration = 24: 24 has no unit; allowed: 1s to 8760h"},
    {"duration = 86400\n", "F:1: duration = 86400: 86400 has no unit; allowed: 1s to 8760h"},
    {"duration = \"99999999999999h\"\n",
     "F:1: duration = 99999999999999h: too large; allowed: 1s to 8760h"},
    {"duration = \"0s\"\n", "F:1: duration = 0s: too small; allowed: 1s to 8760h"},
    {"duration = \"1.5ns\"\n", "F:1: duration = 1.5ns: not a duration; allowed: 1s to 8760h"},
    {"duration = \"30m1h\"\n", "F:1: duration = 30m1h: not a duration; allowed: 1s to 8760h"},
    {"duration = \"9000h\"\n", "F:1: duration = 9000h: too large; allowed: 1s to 8760h"},
    {"record-size = \"1.5kb\"\n", "F:1: record-size = 1.5kb: not a size; allowed: 1B to 8MiB"},
    {"record-size = 1536\n", "F:1: record-size = 1536: 1536 has no unit; allowed: 1B to 8MiB"},
    {"record-size = \"0B\"\n", "F:1: record-size = 0B: too small; allowed: 1B to 8MiB"},
    {"record-size = \"9MiB\"\n", "F:1: record-size = 9MiB: too large; allowed: 1B to 8MiB"},
    {"record-size = \"1536.5B\"\n", "F:1: record-size = 1536.5B: not a size; allowed: 1B to 8MiB"},
    {"large-block = \"4096\"\n",
     "F:1: large-block = 4096: 4096 has no unit; allowed: 4KiB to 8MiB"},
    {"large-block = \"2KiB\"\n", "F:1: large-block = 2KiB: too small; allowed: 4KiB to 8MiB"},
    {"update-share = 5\n", "F:1: update-share = 5: 5 has no unit; allowed: 0% to 100%"},
    {"update-share = \"101%\"\n", "F:1: update-share = 101%: too large; allowed: 0% to 100%"},
    {"defrag-lwm = \"100%\"\n", "F:1: defrag-lwm = 100%: too large; allowed: 0% to 99%"},
    {"defrag-lwm = \"-1%\"\n", "F:1: defrag-lwm = -1%: not a percentage; allowed: 0% to 99%"},
    {"compress = \"0%\"\n", "F:1: compress = 0%: too small; allowed: 1% to 100%"},
    {"tomb-raider-sleep = \"1us\"\n",
     "F:1: tomb-raider-sleep = 1us: too small; allowed: 10us to 1h"},
    {"tick = \"1s\"\n", "F:1: tick = 1s: too large; allowed: 10us to 10ms"},
    {"hang-limit = \"1ms\"\n", "F:1: hang-limit = 1ms: too small; allowed: 1s to 1h"},
    {"batch = 0\n", "F:1: batch = 0: too small; allowed: 1 to 256"},
    {"batch = 257\n", "F:1: batch = 257: too large; allowed: 1 to 256"},
    {"batch = 5000000000\n", "F:1: batch = 5000000000: too large; allowed: 1 to 256"},
    {"batch = 99999999999999999999\n",
     "F:1: batch = 9223372036854775807 or more: too large; allowed: 1 to 256"},
    {"batch = -1\n", "F:1: batch = -1: not a whole number; allowed: 1 to 256"},
    {"batch = 1.5\n", "F:1: batch = 1.5: is a fraction; allowed: 1 to 256"},
    {"batch = 0x10\n", "F:1: batch = 0x10: value with a unit, but not in quotes; allowed: KEY = "
		       "VALUE lines, each key once, values with a unit in quotes (load = \"30x\")"},
    {"batch = true\n", "F:1: batch = true: is a switch; allowed: 1 to 256"},
    {"batch = \"8x\"\n", "F:1: batch = 8x: not a whole number; allowed: 1 to 256"},
    {"batch = (8)\n", "F:1: batch = (...): is a list; allowed: 1 to 256"},
    {"batch = 8 8\n", "F:1: batch = 8 8: syntax error, here or above; allowed: KEY = VALUE lines, "
		      "each key once, values with a unit in quotes (load = \"30x\")"},
    {"seed = 18446744073709551616\n", "F:1: seed = 9223372036854775807 or more: too large without "
				      "quotes; allowed: 0 to 18446744073709551615"},
    {"seed = \"18446744073709551616\"\n",
     "F:1: seed = 18446744073709551616: too large; allowed: 0 to 18446744073709551615"},
    {"seed = -1\n", "F:1: seed = -1: not a whole number; allowed: 0 to 18446744073709551615"},
    {"seed = 0x1FFFFFFFF\n",
     "F:1: seed = 0x1FFFFFFFF: value with a unit, but not in quotes; allowed: KEY = VALUE lines, "
     "each key once, values with a unit in quotes (load = \"30x\")"},
    {"replication-factor = 0\n", "F:1: replication-factor = 0: too small; allowed: 1 to 16"},
    {"workers-per-device = 65\n", "F:1: workers-per-device = 65: too large; allowed: 1 to 64"},
    {"in-flight-cap = 40000\n", "F:1: in-flight-cap = 40000: too large; allowed: 0 to 32768"},
    {"stress = \"true\"\n", "F:1: stress = true: is in quotes; allowed: true or false"},
    {"stress = 1\n", "F:1: stress = 1: is a number; allowed: true or false"},
    {"odsync = yes\n", "F:1: odsync = yes: syntax error, here or above; allowed: KEY = VALUE "
		       "lines, each key once, values with a unit in quotes (load = \"30x\")"},
    {"fill-files = \"no\"\n", "F:1: fill-files = no: is in quotes; allowed: true or false"},
    {"engine = \"aio\"\n", "F:1: engine = aio: no such choice; allowed: one of uring, null, nop"},
    {"engine = \"\"\n", "F:1: engine =: no such choice; allowed: one of uring, null, nop"},
    {"engine = 1\n", "F:1: engine = 1: is a number; allowed: one of uring, null, nop"},
    {"engine = null\n", "F:1: engine = null: syntax error, here or above; allowed: KEY = VALUE "
			"lines, each key once, values with a unit in quotes (load = \"30x\")"},
    {"arrivals = \"Poisson\"\n",
     "F:1: arrivals = Poisson: no such choice; allowed: one of uniform, poisson"},
    {"wait = \"spin\"\n", "F:1: wait = spin: no such choice; allowed: one of auto, precise, eco"},
    {"cpus = \"5-2\"\n",
     "F:1: cpus = 5-2: not a list of CPUs; allowed: auto, none or a list as 2-5,8"},
    {"cpus = \"1,,2\"\n",
     "F:1: cpus = 1,,2: not a list of CPUs; allowed: auto, none or a list as 2-5,8"},
    {"cpus = \"\"\n", "F:1: cpus =: not a list of CPUs; allowed: auto, none or a list as 2-5,8"},
    {"cpus = 3\n", "F:1: cpus = 3: is a number; allowed: auto, none or a list as 2-5,8"},
    {"cpus = \"1-\"\n",
     "F:1: cpus = 1-: not a list of CPUs; allowed: auto, none or a list as 2-5,8"},
    {"cpus = \"all\"\n",
     "F:1: cpus = all: not a list of CPUs; allowed: auto, none or a list as 2-5,8"},
    {"cpus = \"10000\"\n",
     "F:1: cpus = 10000: not a list of CPUs; allowed: auto, none or a list as 2-5,8"},
    {"cpus = \"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\"\n",
     "F:1: cpus = 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1: longer than "
     "63 characters; allowed: auto, none or a list as 2-5,8"},
    {"devices = \"/dev/a\"\n", "F:1: devices = /dev/a: a string, not a list as [\"A\", \"B\"]; "
			       "allowed: a list of at most 64 paths, all different"},
    {"devices = [\"/dev/a\",\n  \"/dev/b\",\n  \"/dev/a\"]\n",
     "F:3: devices = /dev/a: named twice; allowed: a list of at most 64 paths, all different"},
    {"devices = [1, 2]\n", "F:1: devices = 1: a number in a list of strings; allowed: a list of at "
			   "most 64 paths, all different"},
    {"devices = (\"/dev/a\", {x = 1;})\n",
     "F:1: devices = {...}: a group in a list of strings; allowed: a list of at most 64 paths, all "
     "different"},
    {"devices = [\"/dev/a\", 1]\n",
     "F:1: devices = [\"/dev/a\", 1]: mismatched element type in array, here or above; allowed: "
     "KEY = VALUE lines, each key once, values with a unit in quotes (load = \"30x\")"},
    {"devices = [\"\"]\n",
     "F:1: devices =: empty path; allowed: a list of at most 64 paths, all different"},
    {"devices = [\"/dev/\\ta\"]\n", "F:1: devices = /dev/?a: control character in path; allowed: a "
				    "list of at most 64 paths, all different"},
    {"devices = "
     "[\"/dev/"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaa\"]\n",
     "F:1: devices = "
     "/dev/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...: path longer "
     "than 255 bytes; allowed: a list of at most 64 paths, all different"},
    {"files = [\"a:1GiB\"]\ndevices = [\"a\"]\n",
     "F:1: files = a:1GiB: named twice; allowed: a list of at most 64 PATH:SIZE, all different"},
    {"files = [\"a\"]\n",
     "F:1: files = a: no size; allowed: a list of at most 64 PATH:SIZE, all different"},
    {"files = [\"a:1\"]\n", "F:1: files = a:1: 1 is not a size with a unit; allowed: a list of at "
			    "most 64 PATH:SIZE, all different"},
    {"files = [\"a:1000B\"]\n", "F:1: files = a:1000B: size is not a multiple of 4096 bytes; "
				"allowed: a list of at most 64 PATH:SIZE, all different"},
    {"files = [\":1GiB\"]\n",
     "F:1: files = :1GiB: empty path; allowed: a list of at most 64 PATH:SIZE, all different"},
    {"files = [\"a:0B\"]\n", "F:1: files = a:0B: size is not a multiple of 4096 bytes; allowed: a "
			     "list of at most 64 PATH:SIZE, all different"},
    {"files = [\"a:99999999TiB\"]\n", "F:1: files = a:99999999TiB: size too large; allowed: a list "
				      "of at most 64 PATH:SIZE, all different"},
    {"files = [\"a:1MiB\"]\n", "F:1: files = a:1MiB: file smaller than 16 large blocks, as "
			       "large-block = 128KiB (default); allowed: at least 16 large blocks"},
    {"files = [\"a:64MiB\"]\nlarge-block = \"8MiB\"\n",
     "F:1: files = a:64MiB: file smaller than 16 large blocks, as large-block = 8MiB (F:2); "
     "allowed: at least 16 large blocks"},
    {DEVICE "thresholds = []\n", "F:2: thresholds =: none; allowed: 1 to 8 thresholds"},
    {"thresholds = [\"1ms\"]\n", "F:1: thresholds = 1ms: not of the form TIME:SHARE; allowed: a "
				 "list of 1 to 8 TIME:SHARE as 1ms:5%, times rising"},
    {"thresholds = [\"1ms:5\"]\n", "F:1: thresholds = 1ms:5: 5 is not a share from 0% to 100%; "
				   "allowed: a list of 1 to 8 TIME:SHARE as 1ms:5%, times rising"},
    {"thresholds = [\"0ms:5%\"]\n", "F:1: thresholds = 0ms:5%: 0ms is not a time above zero; "
				    "allowed: a list of 1 to 8 TIME:SHARE as 1ms:5%, times rising"},
    {"thresholds = [\"1ms:101%\"]\n",
     "F:1: thresholds = 1ms:101%: 101% is not a share from 0% to 100%; allowed: a list of 1 to 8 "
     "TIME:SHARE as 1ms:5%, times rising"},
    {"thresholds = [\"8ms:1%\", \"1ms:5%\"]\n",
     "F:1: thresholds = 1ms:5%: not above the threshold before it; allowed: a list of 1 to 8 "
     "TIME:SHARE as 1ms:5%, times rising"},
    {"thresholds = [\"1ms:5%\", \"1000us:1%\"]\n",
     "F:1: thresholds = 1000us:1%: not above the threshold before it; allowed: a list of 1 to 8 "
     "TIME:SHARE as 1ms:5%, times rising"},
    {"thresholds = [\"1ms:1%\", \"2ms:1%\", \"3ms:1%\", \"4ms:1%\", \"5ms:1%\", \"6ms:1%\", "
     "\"7ms:1%\", \"8ms:1%\", \"9ms:1%\"]\n",
     "F:1: thresholds = 9ms:1%: more than 8 thresholds; allowed: a list of 1 to 8 TIME:SHARE as "
     "1ms:5%, times rising"},
    {"thresholds = \"1ms:5%\"\n",
     "F:1: thresholds = 1ms:5%: a string, not a list as [\"A\", \"B\"]; allowed: a list of 1 to 8 "
     "TIME:SHARE as 1ms:5%, times rising"},
    {"thresholds = [\"1:5%\"]\n", "F:1: thresholds = 1:5%: 1 is not a time above zero; allowed: a "
				  "list of 1 to 8 TIME:SHARE as 1ms:5%, times rising"},
    {DEVICE "judge = [\"read\"]\n",
     "F:2: judge = read: no such stream as read; allowed: reads, writes, large-block-reads, "
     "large-block-writes, tomb-raider-reads"},
    {DEVICE "workload = \"index\"\njudge = [\"large-block-reads\"]\n",
     "F:3: judge = large-block-reads: no such stream as large-block-reads; allowed: reads, writes"},
    {"judge = [\"reads\", \"reads\"]\n",
     "F:1: judge = reads: named twice; allowed: a list of at most 8 names of streams"},
    {"judge = [\"Reads\"]\n",
     "F:1: judge = Reads: not a name; allowed: a list of at most 8 names of streams"},
    {"", "nothing to test; allowed: --device PATH, --file PATH:SIZE, or devices or files in the "
	 "config"},
    {"load = \"1x\"\n", "nothing to test; allowed: --device PATH, --file PATH:SIZE, or devices or "
			"files in the config"},
    {DEVICE "duration = \"60s\"\n", "F:2: duration = 1m: duration shorter than a slice, as slice = "
				    "1h (default); allowed: at least one slice"},
    {DEVICE "slice = \"48h\"\n", "F:2: slice = 48h: duration shorter than a slice, as duration = "
				 "24h (default); allowed: at least one slice"},
    {DEVICE "duration = \"1m\"\nslice = \"1h\"\n",
     "F:2: duration = 1m: duration shorter than a slice, as slice = 1h (F:3); allowed: at least "
     "one slice"},
    {DEVICE "slice = \"1.5s\"\nduration = \"3s\"\n",
     "F:2: slice = 1.5s: slice is not a multiple of interval, as interval = 1s (default); allowed: "
     "multiples of interval"},
    {DEVICE "duration = \"90.5s\"\nslice = \"10s\"\n",
     "F:2: duration = 1m30.5s: duration is not a multiple of interval, as interval = 1s (default); "
     "allowed: multiples of interval"},
    {DEVICE "interval = \"1500ms\"\n",
     "F:2: interval = 1.5s: not whole seconds; allowed: whole seconds from 1s to 1h"},
    {DEVICE "interval = \"7s\"\n", "F:2: interval = 7s: slice is not a multiple of interval, as "
				   "slice = 1h (default); allowed: multiples of interval"},
    {DEVICE "large-block = \"96KiB\"\n",
     "F:2: large-block = 96KiB: not a power of 2; allowed: powers of 2 from 4KiB to 8MiB"},
    {DEVICE "record-size = \"130KiB\"\n",
     "F:2: record-size = 130KiB: record larger than a large block, as large-block = 128KiB "
     "(default); allowed: records of at most one large block"},
    {DEVICE "large-block = \"4KiB\"\nrecord-size = \"4KiB\"\nrecord-size-max = \"5KiB\"\n",
     "F:4: record-size-max = 5KiB: record larger than a large block, as large-block = 4KiB (F:2); "
     "allowed: records of at most one large block"},
    {DEVICE "record-size = \"4081B\"\nlarge-block = \"4KiB\"\nrecord-size-max = \"4097B\"\n",
     "F:4: record-size-max = 4097B: record larger than a large block, as large-block = 4KiB (F:3); "
     "allowed: records of at most one large block"},
    {DEVICE "record-size-max = \"1KiB\"\n",
     "F:2: record-size-max = 1KiB: largest record below the smallest, as record-size = 1536B "
     "(default); allowed: at least record-size, or 0B"},
    {DEVICE "record-size = \"200KiB\"\nrecord-size-max = \"1KiB\"\n",
     "F:2: record-size = 200KiB: record larger than a large block, as large-block = 128KiB "
     "(default); allowed: records of at most one large block"},
    {DEVICE "engine = \"nop\"\npolled = true\n",
     "F:3: polled = true: nothing to poll, as engine = nop (F:2); allowed: engine uring"},
    {DEVICE "load = \"0x\"\n", "F:2: read-load = 0x: no load at all, as write-load = 0x (F:2); "
			       "allowed: one of the two above 0x"},
    {DEVICE "read-load = \"0x\"\nwrite-load = \"0x\"\n",
     "F:2: read-load = 0x: no load at all, as write-load = 0x (F:3); allowed: one of the two above "
     "0x"},
    {DEVICE "judge = [\"writes\"]\n",
     "F:2: judge = writes: this load has no writes, as commit-to-device = false (default); "
     "allowed: streams of this load"},
    {DEVICE "judge = [\"large-block-writes\"]\nwrite-load = \"0x\"\n",
     "F:2: judge = large-block-writes: this load has no large-block-writes, as write-load = 0x "
     "(F:3); allowed: streams of this load"},
    {DEVICE "judge = [\"large-block-reads\"]\ndefrag-reads = false\n",
     "F:2: judge = large-block-reads: this load has no large-block-reads, as defrag-reads = false "
     "(F:3); allowed: streams of this load"},
    {DEVICE "judge = [\"tomb-raider-reads\"]\n",
     "F:2: judge = tomb-raider-reads: this load has no tomb-raider-reads, as tomb-raider = false "
     "(default); allowed: streams of this load"},
    {DEVICE "judge = [\"reads\"]\nread-load = \"0x\"\n",
     "F:2: judge = reads: this load has no reads, as read-load = 0x (F:3); allowed: streams of "
     "this load"},
};

Test(config_file, bad_files_are_refused_in_one_line)
{
	expect_refusals(bad_files, sizeof(bad_files) / sizeof(bad_files[0]));
}
