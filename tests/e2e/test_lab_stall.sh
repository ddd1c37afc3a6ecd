#!/bin/bash
# One stall: response time charges each read that was due in it, although few
# could be issued; service time alone, and so the ACT column, hardly shows it. The
# last slice is judged on its own. With the argument loop, on a loop device.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((64 << 20)) "${1-}"
stall_ms=1500 per_sec=500 cap=16
# Those of the last 64 ms are answered in time.
expected=$(((stall_ms - 64) * per_sec / 1000))

measure()
{
	begin_truth
	start "${real_time[@]}" "$ACTCERT" run "${target[@]}" "${lab_load[@]}" --read-load 0.25x \
		--set in-flight-cap=$cap --duration 6s --slice 2s --out "$1"
	wait_until 30 grep -qs '^after 1 ' "$1/run.log"
	lab stall $stall_ms
	wait_status '1|5'
	end_truth "$1.truth"
}

# over_64ms RUN NAME: the count of this name.
over_64ms()
{
	jq ".streams[0].thresholds[2].$2" "$1/result.json"
}

# act_share RUN: the largest in the ACT column for 64 ms of any slice, in percent.
act_share()
{
	"$ACTCERT" analyze --columns act "$1/run.log" >table 2>&1 || true
	awk '$1 == "slice" { for (i = 1; i <= NF; i++) if ($i == "act%>64ms") column = i }
		column && $1 ~ /^[0-9]+$/ && $column > most { most = $column }
		END { print column ? most + 0 : "no such column" }' table
}

check()
{
	local over device_over service_over # by device: the others are this host's

	over=$(over_64ms "$1" over)
	device_over=$(over_64ms "$1" device_over)
	service_over=$(over_64ms "$1" service_over)
	echo "over 64 ms: $over of 3000, $device_over by the device; $expected were due in the stall"
	echo "by service time alone $service_over; slices $(jq -c '[.slices[].verdict]' "$1/result.json")"
	((over * 100 >= expected * 98)) || fail "the stall was not charged in full"
	# A host too busy to tell says so, and may have kept the backlog for longer.
	if jq -e 'all(.slices[]; .verdict != "INVALID")' "$1/result.json" >/dev/null; then
		((device_over <= expected * 102 / 100 + 45)) || fail "more than the stall was charged"
		((service_over >= cap && service_over <= cap + 45)) ||
			fail "service time is not that of $cap reads"
	fi
	expect_json "$1/result.json" '.slices[:-1] | any(.verdict != "PASS")'
}

check_strictly()
{
	local over act

	over=$(over_64ms "$1" over)
	((over * 100 >= expected * 98 && over * 100 <= expected * 102)) ||
		fail "what was charged is not within 2 % of $expected"
	(($(over_64ms "$1" service_over) == cap)) || fail "service time is not that of $cap reads"
	expect_failed "$1" 1
	expect_json "$1/result.json" \
		'.slices[-1] | .verdict == "PASS" and .streams[0].thresholds[2].over == 0'

	# All of them may have been issued, and so stand, in one slice of 1000.
	act=$(act_share "$1")
	awk -v act="$act" -v most="$cap" 'BEGIN { exit !(act > 0 && act * 10 <= most) }' || {
		cat table >&2
		fail "the ACT column shows $act %"
	}
	expect_text table "as ACT would have counted (service time only): at most $act"
	echo "ACT column: at most $act % over 64 ms in a slice"
}

# Waits of less than 64 ms hardly matter.
until_quiet 60000 500000
stop_lab
