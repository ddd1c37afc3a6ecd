#!/bin/bash
# A device that changes under its name ends the run, or at least its verdict.
source "$(dirname "$0")/lib.sh"
need_io_uring

# change OUT TEXT COMMAND...: runs the command in the second second of a run on the
# device named link, which then ends with a line that holds TEXT.
change()
{
	local out=$1 text=$2
	shift 2
	start "$ACTCERT" run --device "$PWD/link" "${light_load[@]}" --duration 3s --slice 3s \
		--set hang-limit=5s --out "$out"
	wait_until 30 grep -qs '^after 1 ' "$out/run.log"
	"$@"
	wait_status 4
	expect_text err "link: is not the device any more that it was: $text"
	expect_json "$out/result.json" '.verdict == "FAIL" and .exit_status == 4 and
		.end.reason == "device changed" and (.reason | contains("another one is under its name"))'
	expect 4 "$ACTCERT" analyze "$out/run.log"
}

make_loop 64M
other=$loop
make_loop 64M
ln -s "$loop" link
change moved "the name leads to $other now" ln -sfn "$other" link
expect_json moved/result.json '.slices[0].devices[0].streams | all(.errors == 0)'

grow()
{
	truncate -s 96M "${backing[-1]}"
	losetup --set-capacity "$loop"
}
ln -sfn "$loop" link
change grown "its size was 67108864 bytes and is 100663296 bytes" grow
