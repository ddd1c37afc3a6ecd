#!/bin/bash
# Reads that never come back: the device has failed, and the run says so within
# the hang limit and 10 s, whether all of them hang or a single one.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((64 << 20))

# hang_reads OUT [COUNT]: a run in which all or so many reads hang. Sets $took to
# the seconds from the hang to the end of the run.
hang_reads()
{
	start "$ACTCERT" run --file lab/data:64MiB "${lab_load[@]}" --read-load 0.5x \
		--set hang-limit=3s --duration 8s --slice 2s --out "$1"
	wait_until 30 grep -qs '^after 1 ' "$1/run.log"
	lab hang "${@:2}"
	SECONDS=0
	wait_status 4
	took=$SECONDS
	lab release
	expect_json "$1/result.json" '.verdict == "FAIL" and .exit_status == 4 and
		.streams[0].errors > 0'
	expect_text out "lab/data"
}

hang_reads all
echo "all hang: the run ended $took s later"
((took <= 13)) || fail "the run ended $took s after the hang"
expect_json all/result.json '.end.reason == "device lost"'

hang_reads one 1
echo "one hangs: the run ended $took s later"
((took <= 17)) || fail "the run ended $took s after the hang"
expect_json one/result.json '.streams[0].errors == 1'
stop_lab
