#!/bin/bash
# Each config of the catalogue, for 5 s: the laboratory is asked for as many requests as
# the plan says, of the sizes and at the places asked for. Rates are scaled down, so
# that the busiest stream has as many requests as its shares are exact over; phases are so
# short that all or the first of them fill the time. With the name of a config as an
# argument, that one alone.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
seconds=5 device_bytes=$((1 << 30))
at_a_time=$((EUID == 0 ? 6 : 2)) # users may lock memory for two
missed=3 # the status when this host was too busy to issue all

# plan OPTION...: that of the config $name.cfg.
plan()
{
	expect 0 "$ACTCERT" run "$name.cfg" "${targets[@]}" "$@" --print-config
	mv out "$name.plan"
}

# open_laboratories: one for each device that the config numbers, or one.
open_laboratories()
{
	local number devices

	devices=$(sed -n 's/.*devices *= *"\([0-9,-]*\)".*/\1/p' "$name.cfg" | tr ',-' '\n' |
		sort -n | tail -n 1)
	targets=() truths=()
	for ((number = 1; number <= ${devices:-1}; number++)); do
		laboratory=lab$number
		start_lab $device_bytes
		targets+=("${target[@]}" --destroy-data "$device") truths+=("$laboratory.truth")
	done
}

# smoke NAME. Arrivals are even: of those at random, some of the last are behind the end.
smoke()
{
	local name=$1 length scale
	local options=(--set arrivals=uniform --set workers-per-device=1 --set cpus=none --set seed=1
		--set wait=eco --set tick=1ms --set in-flight-cap=8 --set fill-files=false)

	sed '/^devices =/d; /^files =/d' "$REPOSITORY/configs/$name.cfg" >"$name.cfg"
	open_laboratories
	plan
	read -r length scale < <(python3 "$REPOSITORY/tests/e2e/plan.py" "$name.plan" $seconds)
	sed -i "s/duration = \"[^\"]*\"/duration = \"${length}s\"/" "$name.cfg"
	options+=(--duration ${seconds}s --slice "${length}s" --set "scale=$scale")
	plan "${options[@]}"
	expect "$verdict" "$ACTCERT" run "$name.cfg" "${targets[@]}" "${options[@]}" --out "$name.run"
	stop_lab
	jq -e 'all(.streams[]; .missed_host == 0)' "$name.run/result.json" >/dev/null || exit $missed
	python3 "$REPOSITORY/tests/e2e/requests_of_plan.py" "$name.plan" "$name.run/result.json" \
		$device_bytes "${truths[@]}" || fail "$name is other than planned"
}

# smoke_patiently NAME: some times, where this host is busy.
smoke_patiently()
{
	local attempt status

	for attempt in 1 2 3; do
		status=0
		echo "== $1"
		bash "$REPOSITORY/tests/e2e/test_catalogue.sh" "$1" once || status=$?
		((status == missed)) || return $status
		echo "attempt $attempt: this host did not issue all"
	done
	return $status
}

case $# in
0)
	start_lab $device_bytes # or skip
	stop_lab
	basename -s .cfg "$REPOSITORY"/configs/*.cfg |
		xargs -P $at_a_time -I {} bash "$REPOSITORY/tests/e2e/test_catalogue.sh" {} ||
		fail "not all are as planned" ;;
1) smoke_patiently "$1" ;;
2) smoke "$1" ;;
esac
