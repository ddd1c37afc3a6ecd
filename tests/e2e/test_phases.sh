#!/bin/bash
# Phases and streams of a config's own: each interval has what its phase says, each device
# the streams that are on it, and the log, the verdict and the JSON tell of the same phases.
source "$(dirname "$0")/lib.sh"

cat >phases.cfg <<'CONFIG'
workload = "custom"
engine = "null"
devices = ["/dev/a", "/dev/b"]
slice = "2s"
rate = "20000/s"
streams = (
  {name = "mixed"; op = "read"; rate = "50%"; sizes = ["4KiB:3", "8KiB:1"]; random = "80%";},
  {name = "second"; op = "read"; rate = "400/s"; sizes = ["4KiB"]; devices = "2";
   thresholds = ["3ms:50%"];},
  {name = "blocks"; op = "write"; rate = "10MB/s"; sizes = ["128KiB"]; devices = "1";
   in-flight-cap = 3;}
)
phases = (
  {name = "ramp"; duration = "1s"; judge = false; steps = "rate:2000/s..6000/s:4000/s"},
  {name = "full"; duration = "3s";},
  {name = "idle"; duration = "1s"; judge = false; streams = ["mixed:0/s"]},
  {name = "back"; duration = "1s"; streams = ["mixed:2500.5/s", "second"]}
)
CONFIG

expect "$verdict" "$ACTCERT" run phases.cfg --out result
expect_text err "ramp 2000/s" "devices 2" "second by limits of its own: at most 50% over 3ms" \
	"slice 1/6" "slice 6/6"

# SECOND DEVICE STREAM PLANNED, as the intervals of the log have them. A hundred thousandths of
# a request may be on this or that side of a second. 10 MB/s are 76.29 blocks.
sed -n 's/^# \({"interval".*\)/\1/p' result/run.log |
	jq -r '.interval | .number as $n | .counts[] | [$n, .device, .stream, .planned] | @tsv' \
		>planned
check()
{
	local second=$1 device=$2 stream=$3 least=$4 most=$5
	awk -v s="$second" -v d="$device" -v n="$stream" -v least="$least" -v most="$most" '
		$1 == s && $2 == d && $3 == n { found = $4 }
		END { exit !(found + 0 >= least && found + 0 <= most) }' planned || {
		grep -P "^$second\t" planned >&2
		fail "second $second, $device: $stream: not $least to $most planned"
	}
}
per_second=(1000 3000 10000 10000 10000 0 2500)
for second in "${!per_second[@]}"; do
	for device in /dev/a /dev/b; do
		check "$second" $device mixed "${per_second[second]}" $((per_second[second] + (second > 5)))
	done
	check "$second" /dev/a second 0 0
	check "$second" /dev/b blocks 0 0
	((second == 5)) || check "$second" /dev/b second 400 400
	((second > 4)) || check "$second" /dev/a blocks 76 77
done
check 5 /dev/b second 0 0

# All of it was issued, whatever hiccups there were; 2500.5 are 2501 and 2500 of two devices.
expect_json result/result.json '[.streams[] | {(.name): {planned, issued}}] | add |
	.mixed == {planned: 73001, issued: 73001} and
	.second == {planned: 2400, issued: 2400} and (.blocks.planned | . >= 381 and . <= 382)'
phases_of()
{
	sed -n 's/^# \({"run".*\)/\1/p' "$1" |
		jq -c '[.run.phases[] | [.name, .judged, .start_ns / 1e9, .end_ns / 1e9]]'
}
phases_of result/run.log >phases
expect_one_line phases '[["ramp 2000/s",false,0,1],["ramp 6000/s",false,1,2],["full",true,2,5],'\
'["idle",false,5,6],["back",true,6,7]]'
# What analyze tells is what was told when the run ended.
expect "$verdict" "$ACTCERT" analyze result/run.log --format json
jq -S '.phases, [.slices[] | [.start_ns, .duration_ns, .verdict]]' out >again
jq -S '.phases, [.slices[] | [.start_ns, .duration_ns, .verdict]]' result/result.json >told
diff told again >&2 || fail "analyze tells something else"

# A shorter duration cuts the phases; scale and load are of all of them.
expect "$verdict" "$ACTCERT" run phases.cfg --duration 2s --set scale=50% --out cut
phases_of cut/run.log >phases
expect_one_line phases '[["ramp 2000/s",false,0,1],["ramp 6000/s",false,1,2]]'
expect_json cut/result.json '.streams | map(select(.name == "mixed"))[0].planned ==
	2 * (500 + 1500)'
expect 2 "$ACTCERT" run phases.cfg --duration 8s --out longer
expect_one_line err "longer than all phases, which take 7s"
expect 2 "$ACTCERT" run phases.cfg --load 2x --print-config
expect_one_line err "allowed: "
