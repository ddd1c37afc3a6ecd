#!/bin/bash
# A drive that now and then returns a wrong byte, or puts a write in the wrong place, and
# says nothing of it: each such read is found. The same below a loop device.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((8 << 20))
common=(--set in-flight-cap=16 --set wait=precise --slice 2s --duration 2s)

# count KIND...: wrong sectors of these kinds in the log of `result`.
count()
{
	sed -n 's/^# \({"error".*\)/\1/p' result/run.log |
		jq -r '.error.wrong.kind' | grep -cxE "$1" || true
}

# corrupt_reads TARGET...: each 50th read, the label's at the beginning included
corrupt_reads()
{
	rm -rf result
	lab reset
	lab corrupt 50
	expect 4 "$ACTCERT" run "$@" "${common[@]}" --write-load 0x --read-load 0.5x --out result
}

# misplace_writes TARGET...: what should be there stays as it was (which is whole, and of an
# earlier moment: nobody can tell), and what lies behind it is of another place.
misplace_writes()
{
	rm -rf result
	lab reset
	lab misplace 3
	expect 4 "$ACTCERT" run "$@" "${common[@]}" --load 1x --out result
	lab reset
	expect_json result/result.json '.streams | any(.mismatches > 0) and all(.mismatches == .errors)'
	(($(count misplaced) > 0 && $(count 'corrupt|stale|zeros|foreign') == 0)) ||
		fail "other than misplaced: $(grep '^# {"error"' result/run.log | head -n 3)"
}

expect "$verdict" "$ACTCERT" run --file lab/data:8MiB "${common[@]}" --load 0.1x --out made \
	--destroy-data lab/data
expect_json made/result.json '.run.devices[0].verified and (.streams | all(.mismatches == 0))'
cp lab/data pristine

corrupt_reads --file lab/data:8MiB
found=$(jq '.streams[0].mismatches' result/result.json)
asked=$(jq '.streams[0].issued' result/result.json)
# A few reads of the label came before.
((found >= asked / 50 && found <= (asked + 50) / 50)) ||
	fail "$found of $asked reads were found to be wrong"
(($(count 'corrupt|foreign') > 0 && $(count 'stale|misplaced|zeros') == 0)) ||
	fail "other than corrupt"

misplace_writes --file lab/data:8MiB

# What it did to the file stays, and is found without its doing.
expect 4 "$ACTCERT" run --file lab/data:8MiB "${common[@]}" --write-load 0x --read-load 0.5x \
	--set tomb-raider=true --set tomb-raider-sleep=10ms --out after
expect_text out "returned wrong data"

if ((EUID == 0)) && dd if=pristine of=lab/data bs=1M conv=notrunc oflag=direct status=none &&
	loop=$(losetup --find --show --direct-io=on lab/data); then
	loops+=("$loop")
	corrupt_reads --device "$loop"
	expect_json result/result.json '.streams[0].mismatches > 0'
	misplace_writes --device "$loop"
	losetup --detach "$loop"
	loops=()
fi
stop_lab
