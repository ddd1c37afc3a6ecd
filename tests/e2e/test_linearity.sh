#!/bin/bash
# One file alone against three together: each is named, and what cannot be compared is refused.
source "$(dirname "$0")/lib.sh"
need_io_uring

run=("$ACTCERT" run --load 0.1x --set in-flight-cap=8 --set wait=eco --duration 3s --slice 3s)
expect "$verdict" "${run[@]}" --file a:64MiB --out alone
expect "$verdict" "${run[@]}" --file a:64MiB --file b:64MiB --file c:32MiB --out together

# Which verdicts they get is a matter of this host; `c` has no like alone, so it is never 0.
expect '1|5' "$ACTCERT" analyze alone/run.log together/run.log --linearity
status=0
"$ACTCERT" analyze alone/run.log together/run.log --linearity >/dev/null || status=$?
expect_text out "alone: alone/run.log, run " "together: together/run.log, run " \
	"a, alone in alone/run.log (the same name)" \
	"b, alone in alone/run.log (compared with another file of the same size, a)" \
	"c (no log has it, or a device like it, alone)" \
	"c: not compared"
grep -q '^a: [a-z]' out || fail "no sentence about a"
grep -q '^b: [a-z]' out || fail "no sentence about b"
tail -n 1 out | grep -qE '^(LOST|INVALID): .*' || fail "no last sentence"
! grep -q "not the same" out || fail "the jobs were the same"

expect "$status" "$ACTCERT" analyze alone/run.log together/run.log --linearity --format json
expect_json out ".exit_status == $status and ([.devices[].name] == [\"a\", \"b\", \"c\"]) and
	([.devices[].match] == [\"name\", \"alike\", \"none\"])"
expect_json out '.devices[0].streams | length == 1 and .[0].name == "reads" and
	.[0].alone.planned == 600 and .[0].together.planned == 600'
expect_json out '[.devices[2].streams, .differences] | map(length) == [0, 0]'
expect "$status" "$ACTCERT" analyze alone/run.log together/run.log --linearity --format csv -o table.csv
[[ $(cut -d , -f 1-3 table.csv | tail -n +2 | paste -sd ' ') == 'a,,name b,,alike c,,none' ]] ||
	{ cat table.csv; fail "other rows"; }
[[ $(awk -F , '{ print NF }' table.csv | sort -u | wc -l) == 1 ]] || fail "rows of different lengths"

# The same with rules of its own.
expect '1|5' "$ACTCERT" analyze alone/run.log together/run.log --linearity \
	--histogram large-block-reads --slice 1s
expect_text out large-block-reads "in slices of 1 s"

expect 2 "$ACTCERT" analyze alone/run.log --linearity
expect_one_line err --linearity
expect 2 "$ACTCERT" analyze alone/run.log alone/run.log --linearity
expect_one_line err alone/run.log "several devices"
expect 2 "$ACTCERT" analyze alone/run.log together/run.log --linearity --follow
expect_one_line err --linearity
expect 2 "$ACTCERT" analyze alone/run.log "$REPOSITORY/tests/golden/act/act_v6.6_storage.log" --linearity
expect_one_line err act_v6.6_storage.log "a log of ACT"

# Twice the load is another job.
expect "$verdict" "${run[@]}" --load 0.2x --duration 1s --slice 1s --file a:64MiB --out other
expect 2 "$ACTCERT" analyze other/run.log together/run.log --linearity
expect_one_line err other/run.log together/run.log "reads: 400/s and 200/s for each device"
[[ ! -s out ]] || fail "something was printed"

# Other lengths are told.
expect "$verdict" "${run[@]}" --duration 1s --slice 1s --file a:64MiB --out short
expect '1|5' "$ACTCERT" analyze short/run.log together/run.log --linearity
expect_text out "not the same: slice: 1s in short/run.log, 3s together" \
	"not the same: duration: 1s in short/run.log, 3s together"
