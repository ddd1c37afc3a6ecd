#!/bin/bash
# One stall: response time charges each read that was due in it, although few
# could be issued; service time alone hardly shows it. The last slice is judged
# on its own.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((64 << 20))

start "$ACTCERT" run --file lab/data:64MiB "${lab_load[@]}" --read-load 0.25x \
	--set in-flight-cap=32 --duration 9s --slice 3s --out result
wait_until 30 grep -qs '^after 1 ' result/run.log
lab stall 1500
wait_status '1|5'

# 500 reads/s, of which those of the last 64 ms are answered in time.
expected=$(((1500 - 64) * 500 / 1000))
third_threshold()
{
	jq ".streams[0].thresholds[2].$1" result/result.json
}
over=$(third_threshold over)
device_over=$(third_threshold device_over) # the others are this host's
service_over=$(third_threshold service_over)
echo "over 64 ms: $over of 4500, $device_over by the device; $expected were due in the stall"
echo "by service time alone $service_over; slices $(jq -c '[.slices[].verdict]' result/result.json)"
((over >= expected * 98 / 100)) || fail "the stall was not charged in full"
# A host too busy to tell says so, and may have been late for more than these.
if [[ $(jq .exit_status result/result.json) != 5 ]]; then
	((device_over <= expected * 102 / 100 + 45)) || fail "more than the stall was charged"
	((service_over >= 32 && service_over <= 32 + 45)) || fail "service time is not that of 32 reads"
fi
expect_json result/result.json '[.slices[].verdict] | .[-1] != "FAIL" and (.[:-1] | any(. != "PASS"))'
