#!/bin/bash
# kill -9 at a random moment, 20 times: nothing goes on running, and all finished
# intervals can be read and judged.
source "$(dirname "$0")/lib.sh"
need_io_uring

no_process_in_group()
{
	! pgrep --pgroup "$1" --runstates R,S,D,T >/dev/null
}

kill_and_analyze()
{
	local round=$1 log=$1/run.log finished

	start "$ACTCERT" run --file data:64MiB "${light_load[@]}" --duration 10m --slice 1m --out "$round"
	wait_until 30 grep -qs '^after 1 ' "$log"
	sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
	kill -KILL "$started"
	wait_status 137
	wait_until 5 no_process_in_group "$started"

	expect '1|5' "$ACTCERT" analyze "$log" --format json
	finished=$(grep -c '^after ' "$log")
	expect_json out '.verdict != "PASS" and (.slices | length) == 1'
	# The last interval may have been cut off.
	expect_json out "(.slices[0].duration_s | round) as \$n | \$n == $finished or \$n == $finished - 1"
}

# Two lanes of ten side by side, each in a directory of its own.
kill_ten()
{
	trap 'kill -KILL -- "-$started" 2>/dev/null || true' EXIT
	mkdir "$1"
	cd "$1"
	for round in {1..10}; do kill_and_analyze "$round"; done
}

lanes=()
for lane in left right; do
	kill_ten "$lane" &
	lanes+=($!)
done
for lane in "${lanes[@]}"; do wait "$lane"; done
