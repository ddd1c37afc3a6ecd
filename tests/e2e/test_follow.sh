#!/bin/bash
# analyze --follow tells of each slice when it is finished, ends with the report that
# analyze makes of the whole log, and waits without work meanwhile.
source "$(dirname "$0")/lib.sh"
need_io_uring

wait_for_log()
{
	[[ -s $1 ]]
}

# A live run, in each format, from its start.
start "$ACTCERT" run --file data:64MiB --file data1:64MiB "${light_load[@]}" --duration 8s \
	--slice 2s --quiet --out run
run=$started
wait_until 20 wait_for_log run/run.log
declare -A follower
for format in text csv json; do
	"$ACTCERT" analyze --follow run/run.log --format "$format" >"live.$format" 2>"err.$format" &
	follower[$format]=$!
done
first_slice()
{
	grep -q '^slice 1/4' live.text
}
wait_until 30 first_slice
kill -0 "$run" || fail "the first slice was told of when the run was over"
started=$run
wait_status "$verdict"
for format in text csv json; do
	status=0
	wait "${follower[$format]}" || status=$?
	expect "$status" "$ACTCERT" analyze run/run.log --format "$format"
	[[ $format != json ]] || { jq -cs .[-1] live.json >last && mv last live.json; jq -c . out >whole; mv whole out; }
	[[ $format != text ]] || { grep -v '^slice [1-4]/4 ' live.text >rest && mv rest live.text; }
	diff "live.$format" out >&2 || fail "$format: followed and whole differ"
	[[ ! -s err.$format ]] || { cat "err.$format" >&2; fail "$format: complaints"; }
done

# A log that comes in pieces, cut anywhere; meanwhile there is nothing to do.
log=run/run.log
size=$(stat -c %s "$log")
"$ACTCERT" analyze "$log" >whole || true
piece=7001
head -c $((size / 3 / piece * piece)) "$log" >pieces
start "$ACTCERT" analyze --follow pieces
sleep 1
read -ra before </proc/$started/stat
sleep 1.5
read -ra after </proc/$started/stat
ticks=$((after[13] + after[14] - before[13] - before[14]))
((ticks < 40)) || fail "$ticks ticks of CPU for waiting 1.5 s"
for ((at = size / 3 / piece; at * piece < size; at++)); do
	dd if="$log" bs=$piece skip=$at count=1 2>/dev/null >>pieces
	sleep 0.02
done
wait_status "$verdict"
grep -v '^slice [1-4]/4 ' out | diff - whole >&2 || fail "pieces differ from the whole"
(($(grep -c '^slice [1-4]/4 ' out) == 4)) || fail "not four slices"

# Through a pipe, which tells where it ends, and from standard input.
{ head -c $((size / 2)) "$log"; sleep 0.3; tail -c +$((size / 2 + 1)) "$log"; } |
	expect "$verdict" "$ACTCERT" analyze --follow -
grep -v '^slice [1-4]/4 ' out | diff - whole >&2 || fail "the pipe differs from the file"
expect "$verdict" "$ACTCERT" analyze - <"$log"
diff out whole >&2 || fail "standard input differs from the file"
head -c $((size / 2)) "$log" | expect '1|5' "$ACTCERT" analyze --follow - --format csv
expect_text out "log,run_id,slice," "-,"

# Ctrl-C ends the waiting, not the run: what is known is told.
head -c $((size * 3 / 4)) "$log" >pieces
for signal in INT TERM; do
	start "$ACTCERT" analyze --follow pieces
	wait_until 20 grep -q '^slice 2/4' out
	kill -s "$signal" "$started"
	wait_status "$((128 + $(kill -l $signal)))"
	expect_text out "INVALID" "still under way" "reads, all devices"
done
: >empty
start "$ACTCERT" analyze --follow empty
sleep 0.3
kill -INT "$started"
wait_status 130

# A log of the older tool ends when its time is over, or its program says that it stopped.
old=$REPOSITORY/tests/golden/act/act_v6.6_storage_90s_2dev_ms.log
size=$(stat -c %s "$old")
head -c $((size / 2)) "$old" >pieces
start "$ACTCERT" analyze --follow --slice 30s pieces
wait_until 20 grep -q '^slice 1/3' out
tail -c +$((size / 2 + 1)) "$old" >>pieces
wait_status "$verdict"
grep -v '^slice [1-3]/3 ' out >rest
expect "$verdict" "$ACTCERT" analyze --slice 30s "$old"
diff rest out >&2 || fail "the followed log of ACT differs from the whole"
stopped=$REPOSITORY/tests/golden/act/act_v6.6_cant_keep_up.log
expect 5 "$ACTCERT" analyze --follow --slice 1s "$stopped"
grep -v '^slice [0-9]*/' out >rest
expect 5 "$ACTCERT" analyze --slice 1s "$stopped"
diff rest out >&2 || fail "the followed log of a stopped ACT differs from the whole"
head -c $((size / 2)) "$old" >pieces
start "$ACTCERT" analyze --follow --slice 30s pieces
wait_until 20 grep -q '^slice 1/3' out
kill -INT "$started"
wait_status 130
expect_text out "still under way"

# Several logs: one heading, the gravest status; other thresholds, another heading.
cp "$log" other
expect "$verdict" "$ACTCERT" analyze "$log" other --format csv
(($(grep -c ^log,run_id out) == 1)) || fail "not one heading"
(($(wc -l <out) == 1 + 2 * 4 * (1 + 2) * 3)) || fail "not one row a slice, device and stream"
expect "$verdict" "$ACTCERT" analyze "$log" other
expect_text out "$log:" "other:"
head -c $((size / 2)) "$log" >cut
expect 5 "$ACTCERT" analyze "$log" cut --threshold 1ms:100% --threshold 8ms:100%
expect 2 "$ACTCERT" analyze "$log" missing
expect_text out "reads, all devices"
expect 2 "$ACTCERT" analyze --follow "$log" other
expect_one_line err "--follow"
expect 2 "$ACTCERT" analyze --follow "$REPOSITORY/README.md"
expect_one_line err "neither a log of actcert nor one of ACT"
expect 2 "$ACTCERT" analyze --follow "$log" --output file
expect_one_line err "--follow"
