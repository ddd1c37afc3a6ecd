#!/bin/bash
# 30x on a loop device on memory: every stream keeps its rate, the log shows the
# older tool's figures for it, and the intervals sum up to the totals.
source "$(dirname "$0")/lib.sh"
need_io_uring
make_loop 1G

expect "$verdict" "$ACTCERT" run --device "$loop" --load 30x --duration 6s --slice 3s --out result
expect_text result/run.log "read-reqs-per-sec: 60000" "internal-read-reqs-per-sec: 60000" \
	"large-block-reads-per-sec: 705.88" "large-block-writes-per-sec: 705.88"
# 6 s at 60 000/s, and at 12 000 in 17 s
expect_json result/result.json '[.streams[] | {(.name): .planned}] | add |
	.reads == 360000 and (."large-block-reads" - 4235 | fabs) <= 1 and
	(."large-block-writes" - 4235 | fabs) <= 1'

# The counts of the intervals sum up to the totals, in the JSON and in the text.
sed -n 's/^# \({"interval".*\)/\1/p' result/run.log | jq -S -s '[.[].interval.counts[]] |
	group_by(.stream) | map({(.[0].stream): {planned: map(.planned) | add,
		issued: map(.issued) | add, completed: map(.completed) | add,
		errors: map(.errors) | add, over: (map(.over[0] // 0) | add)}}) | add' >summed
jq -S '[.streams[] | {(.name): {planned, issued, completed, errors, over: .thresholds[0].over}}] |
	add' result/result.json >totals
diff summed totals >&2 || fail "the intervals do not sum up to the totals"
for stream in reads large-block-reads large-block-writes; do
	completed=$(jq ".\"$stream\".completed" totals)
	expect_text result/run.log "$stream ($completed total)"
done
