#!/bin/bash
# Whatever is wrong on a prepared file is found by `run`, at its place: status 4. What is
# right is verified to the last sector, and on request nothing is.
source "$(dirname "$0")/lib.sh"
need_io_uring

mib=$((1 << 20)) place=$((3 << 20)) far=$(((3 << 20) + (1 << 18) + 1024))
size=4MiB
prepare()
{
	expect "$verdict" "$ACTCERT" run --file "$1:$size" --load 0.1x --duration 1s --slice 1s --quiet \
		--set in-flight-cap=8 --out "made-$1"
}

# read_all OUT OPTION...: reads the whole of `data` some times, in blocks of 128 KiB, and
# records here and there; writes nothing.
read_all()
{
	"$ACTCERT" run --file "data:$size" --write-load 0x --read-load 0.5x --duration 1s --slice 1s \
		--set tomb-raider=true --set tomb-raider-sleep=5ms --set in-flight-cap=16 \
		"${@:2}" --out "$1"
}

# change OFFSET <BYTES
change()
{
	dd of=data bs=512 seek=$(($1 / 512)) conv=notrunc,fsync status=none
}

sector_of()
{
	dd if="$1" bs=512 skip=$(($2 / 512)) count=1 status=none
}

# expect_found OUT KIND OFFSET...: the log describes wrong sectors of this kind at these
# offsets, and none elsewhere.
expect_found()
{
	local out=$1 kind=$2
	shift 2
	expect_json "$out/result.json" '.verdict == "FAIL" and .exit_status == 4 and
		(.streams | any(.mismatches > 0) and all(.mismatches == .errors and
		.verified_sectors * 512 == .bytes)) and
		(.reason | contains("returned wrong data, first at offset"))'
	sed -n 's/^# \({"error".*\)/\1/p' "$out/run.log" >"$out.errors"
	jq -r '.error | .wrong.expected.offset_bytes' "$out.errors" | sort -nu >found
	printf '%s\n' "$@" | sort -n >wanted
	diff found wanted >&2 || fail "$out: other places than these"
	jq -es "all(.error.what == \"wrong data\" and .error.wrong.kind == \"$kind\" and
		(.error.wrong.header | length == 64))" "$out.errors" >/dev/null || {
		head -n 3 "$out.errors" >&2
		fail "$out: not all are $kind"
	}
	expect_text err "is $kind"
}

prepare data
prepare other
cp data pristine
id=$(dd if=data bs=1 skip=32 count=8 status=none | od -An -tx8 | tr -d ' ')

# All is well: the number of sectors is the sum of the sizes that were read.
expect "$verdict" "$ACTCERT" run --file "data:$size" --load 1x --duration 2s --slice 2s \
	--set tomb-raider=true --set tomb-raider-sleep=20ms --set in-flight-cap=16 --out good
expect_json good/result.json '[.streams[] | select(.name | endswith("reads"))] |
	length == 3 and all(.verified_sectors > 0 and .verified_sectors * 512 == .bytes and
	.completed == .issued and .mismatches == 0 and .errors == 0)'
expect_json good/result.json '.run.devices[0] | .verified and .not_verified == ""'
sectors=$(jq '[.streams[].verified_sectors] | add' good/result.json)
tr -d ' ' <out | grep -qF "data:${sectors}sectorsverified,0readswithwrongdata," ||
	fail "the report does not tell of $sectors sectors"
expect_text err "every sector that is read is verified"
expect 0\|1\|5 "$ACTCERT" analyze good/run.log
tr -d ' ' <out | grep -qF "data:${sectors}sectorsverified" || fail "nor does the analysis"

# A flipped byte
cp pristine data
printf '\xa5' | dd of=data bs=1 seek=$((place + 300)) conv=notrunc status=none
cmp -s data pristine && printf '\x5a' | dd of=data bs=1 seek=$((place + 300)) conv=notrunc status=none
expect 4 read_all flipped
expect_found flipped corrupt $place
schema=$REPOSITORY/analysis/reports/result.schema.json
python3 -m jsonschema -i flipped/result.json "$schema" >&2 || fail "does not match $schema"

# The same in stress mode, and live as in the analysis
expect 4 "$ACTCERT" analyze flipped/run.log --format json
expect_json out '.exit_status == 4 and any(.streams[]; .mismatches > 0)'
expect 4 read_all stressed --stress

# Two sectors in each other's place, in different blocks
cp pristine data
sector_of pristine $place | change $far
sector_of pristine $far | change $place
expect 4 read_all swapped
expect_found swapped misplaced $place $far
jq -es "all(.error.wrong.expected.offset_bytes + .error.wrong.found.offset_bytes == $place + $far)" \
	swapped.errors >/dev/null || fail "not what was swapped"

# A sector of zeros, the very last one
cp pristine data
head -c 512 /dev/zero | change $((4 * mib - 512))
expect 4 read_all zeroed
expect_found zeroed zeros $((4 * mib - 512))

# A sector of another device, the very first one
cp pristine data
sector_of other $mib | change $mib
other_id=$(dd if=other bs=1 skip=32 count=8 status=none | od -An -tx8 | tr -d ' ')
expect 4 read_all stale
expect_found stale stale $mib
jq -es "all(.error.wrong.expected.data_id == \"$id\" and .error.wrong.found.data_id == \"$other_id\")" \
	stale.errors >/dev/null || fail "not the other's id"

# Somebody else's text
cp pristine data
printf 'somebody else,..%.0s' {1..32} | change $place
expect 4 read_all foreign
expect_found foreign foreign $place

# Without verification nothing is seen, and the result says so.
for off in "--verify off" "--set verify=off"; do
	rm -rf off
	# shellcheck disable=SC2086
	expect "$verdict" read_all off $off
	expect_json off/result.json '.streams[0].verified_sectors == 0 and .streams[0].errors == 0'
	expect_json off/result.json '.run.devices[0] | (.verified | not) and .not_verified == "verify = off"'
	expect_text out "data: reads were not verified: verify = off"
	expect_text err "reads are not verified: verify = off"
done

# A file that is not full is not verified, and refused where it must be.
unfilled=(--file "unfilled:$size" --set fill-files=false --load 0.1x --duration 1s --slice 1s
	--set in-flight-cap=8)
expect "$verdict" "$ACTCERT" run "${unfilled[@]}" --out unfilled.1
expect_text out "unfilled: reads were not verified: its preparation is not complete: fill at 25 %"
expect 2 "$ACTCERT" run "${unfilled[@]}" --verify on --out unfilled.2
expect_one_line err "--verify" "unfilled" "fill at 25 %"
[[ ! -e unfilled.2 ]] || fail "a run was begun"
expect 2 "$ACTCERT" run "${unfilled[@]}" --file "new:$size" --verify on --out unfilled.2
[[ ! -e new ]] || fail "a file was made for nothing"
cp pristine data
expect "$verdict" read_all on --verify on
expect_json on/result.json '.streams[0].verified_sectors > 0'
expect 2 "$ACTCERT" run "${unfilled[@]}" --verify maybe --out unfilled.2
expect_one_line err "one of auto, on, off"

# The engines without a device read nothing.
expect "$verdict" "$ACTCERT" run --device none --set engine=null --verify on --load 0.1x --duration 1s \
	--slice 1s --out null
expect_text out "none: reads were not verified: engine null reads nothing"

# Reads that meet writes of the run on their way through a page cache, in memory, can see
# half of them. That is nobody's fault.
shared=$(mktemp /dev/shm/actcert-e2e.XXXXXX)
backing+=("$shared")
expect "3|$verdict" "$ACTCERT" run --file "$shared:$size" --read-load 10x --write-load 40x --set odsync=false \
	--set workers-per-device=2 --set in-flight-cap=16 --stress --duration 2s --slice 2s --out torn
[[ ! -e torn ]] || expect_json torn/result.json '.run.devices[0].verified and (.streams |
	all(.errors == 0 and .mismatches == 0) and any(.verified_sectors > 0))'
