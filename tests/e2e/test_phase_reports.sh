# A run with phases, a stream of some devices and limits of its own: its reports name the phases,
# and what the log gives again is what the run said.
source "$(dirname "$0")/lib.sh"
schema=$REPOSITORY/analysis/reports/result.schema.json

cat >steps.cfg <<'END'
workload = "custom"
engine = "null"
selftest = "0s"
slice = "1s"
streams = (
    { name = "writes"; op = "write"; devices = "1"; rate = "1MB/s"; sizes = ["128KiB"]; },
    { name = "reads"; op = "read"; devices = "2-3"; rate = "200/s"; sizes = ["4KiB"]; thresholds = ["1ms:50%", "8s:1%"]; }
)
phases = (
    { name = "ramp-up"; rate = "100/s"; streams = ["reads"]; judge = false; },
    { name = "steady"; duration = "2s"; streams = ["reads"]; },
    { name = "pressure"; steps = "writes:1MB/s..2MB/s:1MB/s"; }
)
thresholds = ["1ms:5%"]
END

# How the host does is not the question here.
expect '0|1|5' "$ACTCERT" run steps.cfg --device /dev/a --device /dev/b --device /dev/c --out run
cp out live
expect_text err "'ramp-up' not judged"
expect_text err "'pressure 2MB/s' "
expect_text live "reads, /dev/c (50 % over 1 ms, 1 % over 8 s)"
! grep -qF "reads, /dev/a (" live || fail "a table of a device without reads"
python3 -m jsonschema -i run/result.json "$schema" >&2 || fail "does not match $schema"
cp run/result.json out
expect_json out '[.phases[].name] == ["ramp-up", "steady", "pressure 1MB/s", "pressure 2MB/s"]
	and (.phases[1] | .slices == 2 and .measured_ns == 2000000000 and
		.devices[0].streams[1].planned == 0 and .devices[2].streams[1].planned == 400)
	and [.run.streams[].devices] == [["/dev/a"], ["/dev/b", "/dev/c"]]
	and .slices[1].phase == "steady"'

# The same again, and by other rules
expect '0|1|5' "$ACTCERT" analyze run/run.log
sed -n '/^actcert 0/,$p' live | diff - out || fail "the analysis says something else"
expect '0|1|5' "$ACTCERT" analyze run/run.log --format json
diff run/result.json out || fail "the analysis gives other JSON"
expect '0|1|5' "$ACTCERT" analyze run/run.log --slice 10s --histogram writes --threshold 8s:1% --format json
python3 -m jsonschema -i out "$schema" >&2 || fail "does not match $schema"
expect_json out '[.slices[].phase] == [.phases[].name] and .run.judged == ["writes"]
	and all(.slices[].streams[].thresholds[]; .threshold_ns == 8000000000 and .limit.den == 100)'
expect '0|1|5' "$ACTCERT" analyze run/run.log --format csv
grep -q '^run/run.log,[0-9a-f]*,4,pressure 1MB/s,3,1,0,[A-Z]*,/dev/b,[A-Z]*,reads,1,200,' out ||
	fail "no such row in CSV"

# A crash in the second second of a phase
sed '/^# {"interval":{"number":2,/,$d' run/run.log >cut.log
expect 5 "$ACTCERT" analyze cut.log
expect_text out "INVALID: the log ends without an end line after 2 s of 5 s, in phase 'steady'"
expect_text out "2 of 4 phases were not measured"
