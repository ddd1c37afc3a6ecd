#!/bin/bash
# A host that does not run the harness is never taken for a slow drive, and never
# passes for one.
source "$(dirname "$0")/lib.sh"
need_io_uring

run=("$ACTCERT" run --file data:64MiB --load 1x --duration 10s --slice 10s)

# Stopped for 3 s: the worker's process, not the parent that waits for it.
start "${run[@]}" --out stopped
wait_until 60 grep -qs '^after 2' stopped/run.log
worker=$(pgrep -P "$started")
kill -STOP "$worker"
sleep 3
kill -CONT "$worker"
wait_status 5
expect_json stopped/result.json '.verdict == "INVALID" and .slices[0].verdict == "INVALID" and
	(.slices[0].reasons[0].text | contains("hiccups of this host"))'
expect_json stopped/result.json '.streams[0] | .completed == .planned and
	.thresholds[2].over > 5000 and .thresholds[2].device_over < 100'
expect 5 "$ACTCERT" analyze stopped/run.log --format json
jq -S .slices out >analyzed
jq -S .slices stopped/result.json | diff - analyzed >&2 || fail "the analysis differs"

# All CPUs busy with something else.
for ((i = 0; i < 3 * $(nproc); i++)); do
	start bash -c 'while :; do :; done'
done
expect 5 "${run[@]}" --out busy
expect_json busy/result.json '.verdict == "INVALID"'
