#!/bin/bash
# Reads that never come back: the device has failed, and the run says so within
# the hang limit and 10 s, and which reads hang, whether all of them do or a single
# one. With the argument loop, on a loop device.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((64 << 20)) "${1-}"

# hang_reads OUT [COUNT]: a run in which all or so many reads hang. Sets $took to
# the seconds from the hang to the end of the run.
hang_reads()
{
	begin_truth
	start "$ACTCERT" run "${target[@]}" "${lab_load[@]}" --read-load 0.5x \
		--set hang-limit=2s --duration 6s --slice 2s --out "$1"
	wait_until 30 grep -qs '^after 1 ' "$1/run.log"
	lab hang "${@:2}"
	SECONDS=0
	wait_status 4
	took=$SECONDS
	lab release
	echo "$1 hang: the run ended $took s later"
	((took <= 12)) || fail "the run ended $took s after the hang"
	expect_json "$1/result.json" '.verdict == "FAIL" and .exit_status == 4 and
		.end.reason == "device lost" and .end.device == "'"$device"'" and
		.streams[0].errors > 0'
	expect_text out "FAIL: device $device lost: it kept a request, or failed all, for the hang limit"
	sed -n 's/^# \({"error".*\)/\1/p' "$1/run.log" | jq -r '.error |
		select(.device == "'"$device"'" and .what == "ETIMEDOUT").offset_bytes' | sort -u >ours
	sed -n "s|^actcert: $device: one of the reads, 1536 bytes at \([0-9]*\): did not come back.*|\1|p" \
		err | sort -u >said
	[[ -s said && ! $(comm -23 said ours) ]] || fail "the log does not name what the terminal does"
	wait_until 10 ours_were_held
}

# Whether the laboratory answered all in the file ours only when it was released. Not
# all need have reached it before: a loop device keeps some back.
ours_were_held()
{
	end_truth answers
	awk -F, '$1 != "read" { next }
		!released && $3 - $2 >= 1900000000 { released = $3 }
		released { print $4 }' answers | sort -u >theirs
	[[ ! $(comm -23 ours theirs) ]]
}

hang_reads all
hang_reads one 1
expect_json one/result.json '.streams[0].errors == 1'
(($(wc -l <ours) == 1)) || fail "more than the one read that hangs is named"
stop_lab
