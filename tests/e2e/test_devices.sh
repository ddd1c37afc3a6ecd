#!/bin/bash
# Lists a free, a mounted and a prepared device as what they are, in the table and
# as JSON, writes to none, and a run without a device names the prepared one.
source "$(dirname "$0")/lib.sh"

expect 0 "$ACTCERT" devices --help
expect_text out STATE PREPARATION
expect 2 "$ACTCERT" devices --format xml
expect_one_line err xml table json
expect 2 "$ACTCERT" devices /dev/null
expect_one_line err /dev/null
expect 0 "$ACTCERT" devices
expect 0 "$ACTCERT" devices --format json
expect_json out '.devices | type == "array"'

need_io_uring
make_loop 32M
free=$loop
make_loop 32M 4096
mounted=$loop
mkfs.ext2 -q "$mounted"
mount_on mnt -o ro "$mounted" # or the kernel writes to it
# Prepared as a file, then seen as a device.
expect "$verdict" "$ACTCERT" run --file "$work/image:32MiB" --duration 2s --slice 2s \
	"${light_load[@]}" --out result
prepared=$(losetup --find --show "$work/image")
loops+=("$prepared")

contents()
{
	local device
	for device in "$free" "$mounted" "$prepared"; do sha256sum <"$device"; done
}
before=$(contents)

# json DEVICE FILTER: the filter is true for that device in the file out.
json()
{
	expect_json out ".devices | map(select(.device == \"$1\")) | length == 1 and (.[0] | $2)"
}
expect 0 "$ACTCERT" devices --format json
json "$free" '.state == "free" and .reason == null and .preparation.state == "none"'
json "$free" '.size_bytes == 33554432 and .logical_block_bytes == 512 and .drive == null'
json "$free" '.backing | startswith("/dev/shm/")'
json "$mounted" '.state == "refused" and .logical_block_bytes == 4096'
json "$mounted" ".reason | contains(\"mounted at $work/mnt\")"
json "$prepared" '.state == "free" and .preparation.state == "complete"'
json "$prepared" '.preparation | .device_bytes == 33554432 and .stage_pct == 100'
json "$prepared" ".preparation.finished_s | . > $(date +%s) - 300 and . <= $(date +%s)"
made=$(jq -r ".devices[] | select(.device == \"$prepared\") | .preparation.finished_s" out)
mv out all.json

# The table says the same.
expect 0 "$ACTCERT" devices
for device in "$free" "$mounted" "$prepared"; do
	grep -E "^$device +33.55 MB " out >"${device##*/}" || fail "$device is not in the table"
	state=$(jq -r ".devices[] | select(.device == \"$device\") |
		.state + if .reason then \": \" + .reason else \"\" end" all.json)
	expect_text "${device##*/}" "  $state"
done
grep -q ' none  *free$' "${free##*/}" || fail "$free is not free"
expect_text "${prepared##*/}" "complete, made $(date -d "@$made" '+%Y-%m-%d %H:%M')"

# Named devices alone, by whatever name, each once.
ln -s "$prepared" link
expect 0 "$ACTCERT" devices link "$free" "$prepared" --format json
expect_json out "[.devices[].device] | sort == ([\"$free\", \"$prepared\"] | sort)"

# On a terminal columns are made narrower and sentences broken to fit it.
script -qec "stty cols 70; $ACTCERT devices $prepared" /dev/null >screen
awk '{ sub(/\r$/, "") } length > 70 { exit 1 }' screen ||
	fail "a line of the table is wider than the terminal: $(cat screen)"
script -qec "stty cols 70; $ACTCERT devices $mounted" /dev/null >screen
expect_text screen "refused: it is" "$work/mnt"
grep -q "refused: .*$work/mnt" screen && fail "the reason was not broken: $(cat screen)"

# Who may not look in says so, and knows the rest.
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups "$ACTCERT")
if "${nobody[@]}" --version >/dev/null 2>&1; then # may be where nobody gets to
	expect 0 "${nobody[@]}" devices --format json
	json "$free" '.state == "unknown" and (.reason | contains("root"))'
	json "$free" '.size_bytes == 33554432 and .preparation.state == null'
fi

# Other tests' devices may be here, too: then all are named.
expect 2 "$ACTCERT" run --load 2x --out 'a b'
expect_text err "nothing to test" "$prepared"
if grep -q '^One device' err; then
	expect_text err "--load 2x --out 'a b' --device $prepared"
fi
grep -q -- "$free" err && fail "a device that is not prepared was suggested"
expect 2 "$ACTCERT" run --print-config
expect_one_line err "nothing to test"

# A device that is refused may be prepared all the same.
blockdev --setro "$prepared"
expect 0 "$ACTCERT" devices "$prepared" --format json
json "$prepared" '.state == "refused" and (.reason | contains("read-only"))'
json "$prepared" '.preparation.state == "complete"'
expect 2 "$ACTCERT" run
grep -q -- "$prepared" err && fail "a device that is refused was suggested"
blockdev --setrw "$prepared"
[[ $(contents) == "$before" ]] || fail "a device was changed"

truncate -s 33M image
losetup --set-capacity "$prepared"
expect 0 "$ACTCERT" devices "$prepared"
expect_text out "made for another size, 33.55 MB"
