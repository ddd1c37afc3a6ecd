#!/bin/bash
# An analyzer that follows the rules of ACT 6 finds in our log what actcert analyze
# does, for all devices and each, at every length of a slice, in both units.
source "$(dirname "$0")/lib.sh"
need_io_uring

# compare LOG SLICE: every row of the script that knows those rules against ours.
compare()
{
	expect "$verdict" "$ACTCERT" analyze "$1" --slice "$2s" --format json
	python3 "$REPOSITORY/tests/e2e/act6_rules.py" "$1" "$2" reads ./dev-reads ./dev1-reads \
		large-block-reads large-block-writes >rows
	python3 - rows out <<'PYTHON' || fail "figures of $1 differ in slices of $2 s"
import json, sys

result = json.load(open(sys.argv[2]))
unit_ns = 1000 if json.loads(open("unit").read()) else 1000000
exact = compared = 0


def streams_of(slice, histogram):
    for device in slice["devices"]:
        if histogram.startswith("./" + device["name"] + "-"):
            return device["streams"], histogram[len(device["name"]) + 3:]
    return slice["streams"], histogram


for line in open(sys.argv[1]):
    histogram, number, *figures = line.split()
    if number in ("avg", "max"):
        continue
    slice = result["slices"][int(number) - 1]
    streams, name = streams_of(slice, histogram)
    stream = next(stream for stream in streams if stream["name"] == name)
    total, overs = int(figures[0]), figures[1:]
    assert total == stream["completed"], (line, stream)
    # Ours counts a late request that is not back where it is late, theirs where it is.
    moved = stream["pending"] + stream["settled"] + stream["errors"]
    for threshold in stream["thresholds"]:
        k = (threshold["threshold_ns"] // unit_ns).bit_length() - 1
        assert unit_ns << k == threshold["threshold_ns"]
        theirs, percent = int(overs[2 * k]), overs[2 * k + 1]
        assert abs(theirs - threshold["over"]) <= moved, (line, stream)
        if moved == 0:
            assert f"{threshold['over'] * 100 / total:.2f}" == percent, (line, stream)
            exact += 1
        compared += 1
assert compared == 5 * len(stream["thresholds"]) * len(result["slices"])
print(f"{exact} of {compared} figures equal, the others within what was out", file=sys.stderr)
PYTHON
}

for unit in milli micro; do
	thresholds=1ms:90%,2ms:90%,8ms:90%,64ms:90%
	[[ $unit == milli ]] || thresholds=64us:99%,128us:99%,1024us:99%,65536us:99%
	[[ $unit == milli ]] && echo false >unit || echo true >unit
	expect "$verdict" "$ACTCERT" run --file dev:64MiB --file dev1:64MiB "${light_load[@]}" \
		--duration 6s --slice 2s --set "microsecond-histograms=$(<unit)" \
		--set "thresholds=$thresholds" --quiet --out "$unit"
	for slice in 1 2 3 6; do
		compare "$unit/run.log" "$slice"
	done
done
