#!/bin/bash
# configs/write-pressure.cfg on a drive whose reads become slow when more than 200 MB/s
# are written: it finds that step. Without the fault it finds none. To be short and small it
# is changed: 1 % of the rates, so that 2 MB/s stand for 200; no steps far from that
# one, each of 2 s; one limit, wide enough for a busy host.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((64 << 20))

# run_steps NAME FROM UPTO: phases from FROM to UPTO MB/s, behind the one without writes.
run_steps()
{
	sed "s/10MB\/s\.\.850MB/$2MB\/s..$3MB/" "$REPOSITORY/configs/write-pressure.cfg" >"$1.cfg"
	expect "$verdict" "${real_time[@]}" "$ACTCERT" run "$1.cfg" "${target[@]}" --slice 2s \
		--set scale=1% --set wait=eco --set tick=1ms --set fill-files=false \
		--threshold 50ms:25% --destroy-data "$device" --out "$1"
	cp out "$1.out"
	jq -c '[.slices[] | .streams[0] | .thresholds[0].over * 100 / .completed | floor]' \
		"$1/result.json" >"$1.percents"
	echo "$1: reads over 50 ms $(<"$1.percents") %, $(jq -c '[.slices[].verdict]' "$1/result.json")"
}

# Half-way between the steps, as the second that the laboratory looks at is never exact.
lab slow-reads-above 2050000 100000000
found='length == 4 and all(.[:3][]; . <= 25) and .[3] > 50'
for attempt in 1 2 3; do
	run_steps "slow$attempt" 190 210
	! jq -e "$found" "slow$attempt.percents" >/dev/null || break
done
expect_json "slow$attempt.percents" "$found"
expect_json "slow$attempt/result.json" '.slices[:3] | all(.verdict != "FAIL")'
expect_failed "slow$attempt" 4
# What is said of a step that failed is said likewise of one that this host was too busy for.
if jq -e '.verdict == .slices[3].verdict and all(.slices[:3][]; .verdict == "PASS")' \
	"slow$attempt/result.json" >/dev/null; then
	expect_json "slow$attempt/result.json" '[.exit_status, .first_failed_phase] ==
		if .verdict == "FAIL" then [1, "writes 210MB/s"] else [5, null] end'
	tail -n 1 "slow$attempt.out" | tee said
	expect_text said "$(jq -r .verdict "slow$attempt/result.json"): first " \
		"'writes 210MB/s' (slice 4, " reads "over 50 ms, limit 25 %"
fi

lab reset
run_steps well 210 210
expect_json well/result.json '.first_failed_phase == null'
expect_json well/result.json '.slices | length == 2 and all(.verdict != "FAIL")'
expect_json well.percents 'all(. <= 25)'
stop_lab
