#!/bin/bash
# Each config of the catalogue, for 5 s: the laboratory is asked for as many requests as
# the plan says, of the sizes and at the places asked for. Rates are scaled down, so
# that the busiest stream has as many requests as its shares are exact over; phases are so
# short that all or the first of them fill the time. With names of configs as arguments,
# these alone.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
seconds=5 device_bytes=$((1 << 30))
at_a_time=$((EUID == 0 ? 8 : 2)) # users may lock memory for two

# open_laboratories NAME: NAME.1, NAME.2, ... for the devices that the config numbers, or one.
open_laboratories()
{
	local number devices

	devices=$(sed -n 's/.*devices *= *"\([0-9,-]*\)".*/\1/p' "$1.cfg" | tr ',-' '\n' |
		sort -n | tail -n 1)
	for ((number = 1; number <= ${devices:-1}; number++)); do
		laboratory=$1.$number
		start_lab $device_bytes
	done
}

# plan NAME OPTION...: makes NAME.plan, which is also a config.
plan()
{
	local device targets=()

	for device in "$1".[0-9]; do targets+=(--file "$device/data:${device_bytes}B"); done
	expect 0 "$ACTCERT" run "$1.cfg" "${targets[@]}" "${@:2}" --print-config
	mv out "$1.plan"
}

# scale_down NAME LENGTH SCALE: for phases of this length. Arrivals are even: of those at
# random, some of the last are behind the end.
scale_down()
{
	sed -i "s/duration = \"[^\"]*\"/duration = \"$2\"/" "$1.cfg"
	plan "$1" --duration ${seconds}s --slice "$2" --set scale="$3" --set arrivals=uniform \
		--set workers-per-device=1 --set cpus=none --set seed=1 --set wait=eco \
		--set tick=1ms --set in-flight-cap=8 --set fill-files=false
}

# smoke NAME: some times, where this host is too busy to issue all.
smoke()
{
	local name=$1 attempt status words=()

	for laboratory in "$name".[0-9]; do words+=(--destroy-data "$laboratory/data"); done
	for attempt in 1 2 3; do
		for laboratory in "$name".[0-9]; do begin_truth; done
		status=0
		"$ACTCERT" run "$name.plan" "${words[@]}" --out "$name" >"$name.out" 2>&1 ||
			status=$?
		for laboratory in "$name".[0-9]; do end_truth "$laboratory.answers"; done
		[[ $status =~ ^($verdict)$ ]] || fail "$name ended with $status: $(tail "$name.out")"
		! jq -e 'all(.streams[]; .missed_host == 0)' "$name/result.json" >/dev/null || return 0
		echo "$name, attempt $attempt: this host did not issue all"
		mv "$name" "$name.attempt$attempt"
	done
	fail "$name: this host is too busy"
}

names=("$@")
((${#names[@]})) || mapfile -t names < <(basename -s .cfg "$REPOSITORY"/configs/*.cfg)
for name in "${names[@]}"; do
	sed '/^devices =/d; /^files =/d' "$REPOSITORY/configs/$name.cfg" >"$name.cfg"
	open_laboratories "$name"
	plan "$name"
done
python3 "$REPOSITORY/tests/e2e/plan.py" $seconds "${names[@]/%/.plan}" >scales
paste -d ' ' <(printf '%s\n' "${names[@]}") scales >scaled
while read -r name length scale; do
	scale_down "$name" "$length" "$scale"
done <scaled

for ((i = 0; i < ${#names[@]}; i += at_a_time)); do
	runs=()
	for name in "${names[@]:i:at_a_time}"; do
		smoke "$name" &
		runs+=($!)
	done
	for run in "${runs[@]}"; do wait "$run" || fail "see above"; done
done
stop_lab
python3 "$REPOSITORY/tests/e2e/requests_of_plan.py" $device_bytes "${names[@]}" ||
	fail "other requests than planned"
