#!/bin/bash
# A short run leaves a log, its config and its result, which agree with each
# other, with the exit status and with a later analysis.
source "$(dirname "$0")/lib.sh"
need_io_uring

status_of_run()
{
	local status=0
	"$@" >out 2>err || status=$?
	echo $status
}

run=("$ACTCERT" run --file data:64MiB "${light_load[@]}" --duration 3s --slice 1s)
status=$(status_of_run "${run[@]}" --out first)
[[ $status =~ ^($verdict)$ ]] || { cat err; fail "status $status"; }
[[ $(stat -c %s data) == $((64 << 20)) ]] || fail "the file has not its size"
[[ $(echo first/*) == 'first/config.cfg first/result.json first/run.log' ]] ||
	fail "in the directory: $(echo first/*)"

case $status in
0) word=PASS ;;
1) word=FAIL ;;
5) word=INVALID ;;
esac
expect_text out "$word"
expect_json first/result.json ".verdict == \"$word\" and .exit_status == $status"
expect_json first/result.json '.schema_version >= 1 and (.reason | length) > 0'
expect_json first/result.json '.slices | length == 3'
expect_json first/result.json '[.slices[] | .start_s, .duration_s] | map(round) == [0, 1, 1, 1, 2, 1]'
expect_json first/result.json '[.slices[] | .partial] == [false, false, false]'

expect "$status" "$ACTCERT" analyze first/run.log --format json
cp out analyzed.json
expect_json first/result.json '.environment.host.memory_bytes | tonumber > 0'
expect_json first/result.json '.environment.devices[0] | .name == "data" and .facts.file_system != ""'
jq -S '{verdict, reason, exit_status, slices, environment, telemetry}' first/result.json >live
jq -S '{verdict, reason, exit_status, slices, environment, telemetry}' analyzed.json >later
diff live later >&2 || fail "the analysis differs from the live result"

for schema in "$REPOSITORY"/analysis/reports/*schema*.json; do
	python3 -m jsonschema -i first/result.json "$schema" >&2 || fail "does not match $schema"
done

# The file is ours now, so a second run needs no --destroy-data; nor does it
# write over the first one's results.
expect "$verdict" "${run[@]}" --out second
expect "$verdict" "$ACTCERT" run first/config.cfg --quiet --out third
expect_one_line out ''
before=$(sha256sum first/*)
expect 2 "${run[@]}" --out first
[[ $(sha256sum first/*) == "$before" ]] || fail "an older result was changed"
