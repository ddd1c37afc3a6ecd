#!/bin/bash
# Streams of a config's own on a prepared file: whatever their sizes and regions, what they
# read is verified to the last sector and what they write can be. What does not fit is
# refused in one line, and nothing is made.
source "$(dirname "$0")/lib.sh"
need_io_uring

# Sizes that are no whole blocks, sequential streams that wrap in their regions again and again,
# a region with room for a few places alone, and writes over what is read.
cat >custom.cfg <<'CONFIG'
workload = "custom"
files = ["data:64MiB"]
duration = "2s"
slice = "1s"
in-flight-cap = 16
streams = (
  {name = "records"; op = "read"; rate = "800/s"; random = "50%";
   sizes = ["512B..5000B:60", "7KiB:30", "1KiB:10"];},
  {name = "scan"; op = "read"; rate = "100/s"; sizes = ["100KB"]; random = "0%"; region = "25%..27%";},
  {name = "tight"; op = "read"; rate = "100/s"; sizes = ["64KiB"]; region = "50%..50.2%";},
  {name = "updates"; op = "write"; rate = "100/s"; sizes = ["3000B:50", "10KiB..20KiB:50"];
   random = "30%"; region = "10%..60%";},
  {name = "log"; op = "write"; rate = "100/s"; sizes = ["6000B"]; random = "0%"; region = "90%..91%";
   odsync = false;}
)
CONFIG
expect "$verdict" "$ACTCERT" run custom.cfg --out result
expect_text err "those of some streams O_DSYNC" "every sector that is read is verified"
expect_json result/result.json '(.streams | all(.errors == 0 and .mismatches == 0 and
	.planned == .issued and .issued == .completed)) and
	([.streams[] | select(.name == "records" or .name == "scan" or .name == "tight") |
	.verified_sectors * 512 == .bytes and .bytes > 0] == [true, true, true])'
# 100 kB and 6000 bytes, in whole blocks
expect_json result/result.json '[.streams[] | {(.name): .bytes}] | add |
	.scan == 200 * 100352 and .tight == 200 * 65536 and .log == 200 * 6144'
# A second run finds what the first one wrote, in all of the file.
expect "$verdict" "$ACTCERT" run --file data:64MiB --write-load 0x --read-load 0.1x \
	--set tomb-raider=true --set tomb-raider-sleep=1ms --duration 1s --slice 1s --out again
expect_json again/result.json '.streams | all(.mismatches == 0) and
	(map(select(.name == "tomb-raider-reads"))[0].verified_sectors > 100000)'

# refuse TEXT STREAM: a config with this stream is refused in one line with TEXT.
refuse()
{
	printf 'workload = "custom"\nfiles = ["none:64MiB"]\nduration = "1s"\nslice = "1s"\nstreams = (\n%s\n)\n' \
		"$2" >refused.cfg
	expect 2 "$ACTCERT" run refused.cfg --out refused
	expect_one_line err "$1" "allowed: "
	[[ ! -e none && ! -e refused ]] || fail "something was made for: $2"
}
refuse "none: a of 4096 bytes do not fit" \
	'{name = "a"; op = "read"; rate = "1/s"; sizes = ["4KiB"]; region = "0%..1%";}'
refuse "none: b of 1048576 bytes do not fit" \
	'{name = "a"; op = "read"; rate = "1/s"; sizes = ["4KiB"];},
	{name = "b"; op = "write"; rate = "1/s"; sizes = ["4KiB:90", "1MiB:10"]; region = "50%..51%";}'
refuse "the buffers of one worker would take more than 1 GiB" \
	'{name = "a"; op = "read"; rate = "1/s"; sizes = ["1MiB"]; in-flight-cap = 2000;}'
refuse "no such device" \
	'{name = "a"; op = "read"; rate = "1/s"; sizes = ["4KiB"]; devices = "2";}'
