#!/bin/bash
# --print-config opens nothing, and what it prints is the same config again.
source "$(dirname "$0")/lib.sh"

# round_trip ARGUMENT...
round_trip()
{
	expect 0 "$ACTCERT" run "$@" --print-config
	cp out first.cfg
	expect 0 "$ACTCERT" run first.cfg --print-config
	cmp out first.cfg || fail "printed differently the second time: $*"
}

round_trip --device /dev/not-there --file not/there:1GiB --read-load 300x --write-load 150x \
	--duration 24h --slice 1h
expect_text first.cfg /dev/not-there not/there 300x 150x 24h 1h

# Groups as text, and what is told of weights.
round_trip --device /dev/not-there --set workload=custom --duration 2h \
	--set 'streams=({name="a"; op="read"; rate="30x"; sizes=["4KiB:1","8KiB:2"]})' \
	--set 'phases=({name="up"; steps="a:1x..3x:1x"})'
expect_text first.cfg 'sizes = ["4KiB:1", "8KiB:2"];' 'steps = "a:1x..3x:1x";' '# phase up 2x: 1h to 2h'
expect_one_line err 'first.cfg:' 'weights in the sizes of a sum to 3'

for config in "$REPOSITORY"/configs/*.cfg; do
	mapfile -t targets < <(job_targets "$config")
	round_trip "$config" "${targets[@]}"
done

[[ $(echo *) == 'err first.cfg out' ]] || fail "left behind: $(echo *)"
