#!/bin/bash
# A signal ends a run with 128 + its number, after what was measured is judged.
source "$(dirname "$0")/lib.sh"
need_io_uring

interrupt()
{
	local signal=$1 status=$2

	start "$ACTCERT" run --file data:64MiB "${light_load[@]}" --duration 10m --slice 1m --out "$signal"
	# Past the first intervals: the banner alone is not enough.
	wait_until 30 grep -qs '^after 2' "$signal/run.log"
	kill "-$signal" "$started"
	wait_status "$status"
	expect_json "$signal/result.json" ".exit_status == $status and .verdict != \"PASS\""
	expect_json "$signal/result.json" '.slices | length == 1 and .[0].partial'
	expect "$status" "$ACTCERT" analyze "$signal/run.log" --format json
}

interrupt INT 130
interrupt TERM 143
interrupt HUP 129

# A second signal does not wait for anything. Both are there when the program goes on: the
# process that waits for it passes them on while it stands still.
start "$ACTCERT" run --file data:64MiB "${light_load[@]}" --duration 10m --slice 1m --out twice
wait_until 30 grep -qs '^after 1' twice/run.log
runner=$(pgrep -P "$started")
both_pending()
{
	local set

	set=$(awk '/^ShdPnd:/ { print $2 }' "/proc/$runner/status")
	((16#$set & 1 << 1 && 16#$set & 1 << 14))
}
stopped()
{
	! awk '/^State:/ { print $2 }' "/proc/$runner"/task/*/status | grep -qv T
}
kill -STOP "$runner"
wait_until 30 stopped
kill -INT "$started"
kill -TERM "$started"
wait_until 30 both_pending
kill -CONT "$runner"
wait_status '130|143'
[[ ! -e twice/result.json ]] || fail "the run was ended in good order"
