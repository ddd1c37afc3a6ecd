#!/bin/bash
# 100 reads fail: 100 errors with their offsets, FAIL, 4. The slices after that
# are judged on their own. The same below a loop device. Short reads are read on.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((64 << 20))

# fail_reads ARGUMENT...: a run on what the arguments name.
fail_reads()
{
	rm -rf result
	start "$ACTCERT" run "$@" "${lab_load[@]}" --read-load 1x --duration 6s --slice 2s \
		--out result
	wait_until 30 grep -qs '^after 1 ' result/run.log
	lab fail 7 EIO 100
	wait_status 4
	lab reset
	expect_json result/result.json '.verdict == "FAIL" and .streams[0].errors == 100'
	expect_json result/result.json '[.slices[].verdict] | .[-1] != "FAIL" and any(. == "FAIL")'
}

# compare_offsets: the log's errors (it keeps the latest) are the laboratory's.
compare_offsets()
{
	sed -n 's/^# \({"error".*\)/\1/p' result/run.log |
		jq -r '.error | "\(.offset_bytes) \(.what)"' | sort >ours
	lab log
	awk -F, '$6 == 5 { print $4, "EIO" }' truth | sort >theirs
	[[ -s ours && ! $(comm -23 ours theirs) ]] || fail "the log has other errors than the laboratory"
}

fail_reads --file lab/data:64MiB
compare_offsets

lab short 50
expect "$verdict" "$ACTCERT" run --file lab/data:64MiB "${lab_load[@]}" --read-load 1x \
	--duration 2s --slice 2s --out short
expect_json short/result.json '.streams[0].errors == 0 and .streams[0].completed == 4000'
retries=$(sed -n 's/^# \({"interval".*\)/\1/p' short/run.log |
	jq -s '[.[].interval.counts[].retries] | add')
((retries >= 80)) || fail "$retries of 80 short reads were read on"
lab reset

if ((EUID == 0)) && loop=$(losetup --find --show --direct-io=on lab/data); then
	loops+=("$loop")
	fail_reads --device "$loop"
	losetup --detach "$loop"
	loops=()
fi
stop_lab
