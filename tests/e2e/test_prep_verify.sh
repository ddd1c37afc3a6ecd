#!/bin/bash
# prep --verify finds a flipped byte, two sectors in each other's place, a zeroed sector and
# one of another device, each where it is.
source "$(dirname "$0")/lib.sh"
need_io_uring
make_loop 32M
device=$loop file=${backing[-1]}
expect 0 "$ACTCERT" prep "$device" --file other:32MiB --quiet
id=$(sed -n "s|^$device:.* preparation \([0-9a-f]*\).*|\1|p" out)

sector() { dd "$@" bs=512 count=1 conv=notrunc status=none; }
# Below, on the device itself, which has nothing of it in memory.
at=$(((1 << 20) / 512 + 12345))
flipped=$((at * 512 + 200))
python3 - "$file" $flipped <<'PYTHON'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 1]))
PYTHON
sector if="$file" of=one skip=$((at + 10))
sector if="$file" of=two skip=$((at + 20))
sector if=two of="$file" seek=$((at + 10))
sector if=one of="$file" seek=$((at + 20))
sector if=/dev/zero of="$file" seek=$((at + 30))
sector if=other of="$file" skip=$((at + 40)) seek=$((at + 40))
sector if=/dev/zero of="$file" seek=65535

expect 4 "$ACTCERT" prep "$device" --verify
expect_text out "$device: MISMATCH" "63 488 sectors verified" ", 6 bad"
expect_text err \
	"$device: corrupt sector at $((at * 512)): expected that of preparation $id" \
	"$device: misplaced sector at $(((at + 10) * 512)): " \
	"found that of offset $(((at + 20) * 512)), preparation $id" \
	"$device: misplaced sector at $(((at + 20) * 512)): " \
	"$device: missing sector at $(((at + 30) * 512)): " \
	"(begins $(printf '0%.0s' {1..64}))" \
	"$device: stale sector at $(((at + 40) * 512)): " \
	"$device: missing sector at $((65535 * 512)): "
[[ $(grep -c "sector at" err) == 6 ]] || fail "other sectors were found, too"

expect 4 "$ACTCERT" prep "$device" --verify --format json
expect_json out ".devices | length == 1 and (.[0] | .device == \"$device\" and
	.outcome == \"mismatch\" and .stage == \"done\" and .data_id == \"$id\" and .overwrite == null and
	.verify.sectors == 63488 and .verify.bad == 6 and (.verify.first_bad | length == 6 and
	(.[1] | .offset_bytes == $(((at + 10) * 512)) and .fault == \"misplaced\" and
	.found_offset_bytes == $(((at + 20) * 512)) and .found_data_id == \"$id\")))"

expect 0 "$ACTCERT" prep "$device" --restart --clean none --verify
expect_text out ", 0 bad"
