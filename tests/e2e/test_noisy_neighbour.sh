#!/bin/bash
# configs/noisy-neighbour.cfg on six drives, of which one reader becomes slow in the third
# phase: that drive, its stream and that phase are named, and the other readers pass. To be
# short and small it is changed: 1 % of the rates; phases of 2 s, and two steps alone;
# one limit, wide enough for a busy host.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"

targets=()
for number in {1..6}; do
	laboratory=lab$number
	start_lab $((64 << 20))
	targets+=("${target[@]}" --destroy-data "$device")
done
sed 's/50MB\/s\.\.300MB/50MB\/s..100MB/' "$REPOSITORY/configs/noisy-neighbour.cfg" >noisy.cfg
start "${real_time[@]}" "$ACTCERT" run noisy.cfg "${targets[@]}" --slice 2s --set scale=1% \
	--set wait=eco --set tick=1ms --set fill-files=false --set in-flight-cap=8 \
	--threshold 50ms:20% --out result
wait_until 60 grep -qs '^after 4 ' result/run.log
laboratory=lab5
lab delay 100000000
wait_status "$verdict"

tail -n 1 out
jq -c '.slices[] | [.devices[] | [.verdict, .streams[-1].thresholds[0].over]]' result/result.json
expect_json result/result.json '[.devices[].name] == [range(1; 7) | "lab\(.)/data"]'
expect_json result/result.json '.slices | length == 3 and (.[:2] | all(.verdict != "FAIL"))'
expect_json result/result.json 'all(.devices[]; .verdict != "FAIL" or .name == "lab5/data")'
expect_failed result 3
# What is said of one that failed is said likewise of one that this host was too busy for.
passed=$(jq -c '[.devices[] | select(.verdict == "PASS").name]' result/result.json)
if [[ $passed == '["lab1/data","lab2/data","lab3/data","lab4/data","lab6/data"]' ]]; then
	expect_json result/result.json '.verdict == .devices[4].verdict and
		([.exit_status, .first_failed_phase] ==
			if .verdict == "FAIL" then [1, "neighbours 100MB/s"] else [5, null] end)'
	tail -n 1 out >said
	expect_text said "$(jq -r .verdict result/result.json): first " \
		"'neighbours 100MB/s' (slice 3, " lab5/data: reads "over 50 ms, limit 20 %"
fi
stop_lab
