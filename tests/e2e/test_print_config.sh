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

for config in "$REPOSITORY"/configs/*.cfg; do
	mapfile -t targets < <(job_targets "$config")
	round_trip "$config" "${targets[@]}"
done

[[ $(echo *) == 'err first.cfg out' ]] || fail "left behind: $(echo *)"
