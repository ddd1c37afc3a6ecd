#!/bin/bash
# 100 reads fail: 100 errors with their offsets, FAIL, 4. The slices after that
# are judged on their own. Short reads are read on. With the argument loop, on a
# loop device.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((64 << 20)) "${1-}"

begin_truth
# Nothing but errors decides: this host may be as slow as it likes.
start "$ACTCERT" run "${target[@]}" "${lab_load[@]}" --read-load 1x --duration 6s --slice 2s \
	--threshold 1ms:100% --out result
wait_until 30 grep -qs '^after 1 ' result/run.log
lab fail 7 EIO 100
wait_status 4
lab reset
end_truth answers
expect_json result/result.json '.verdict == "FAIL" and .streams[0].errors == 100'
expect_json result/result.json '[.slices[].verdict] | .[-1] != "FAIL" and any(. == "FAIL")'
expect_json result/result.json '.slices[-1].streams[0] | .errors == 0 and .completed > 0'

# The log's errors (it keeps the latest) are the laboratory's.
sed -n 's/^# \({"error".*\)/\1/p' result/run.log |
	jq -r '.error | "\(.offset_bytes) \(.what)"' | sort >ours
awk -F, '$6 == 5 { print $4, "EIO" }' answers | sort >theirs
[[ -s ours && ! $(comm -23 ours theirs) ]] || fail "the log has other errors than the laboratory"

# The kernel itself reads on below a loop device.
if [[ $device == lab/data ]]; then
	lab short 50
	expect "$verdict" "$ACTCERT" run "${target[@]}" "${lab_load[@]}" --read-load 1x \
		--duration 2s --slice 2s --out short
	expect_json short/result.json '.streams[0].errors == 0 and .streams[0].completed == 4000'
	retries=$(intervals short | jq -s '[.[].counts[].retries] | add')
	((retries >= 80)) || fail "$retries of 80 short reads were read on"
fi
stop_lab
