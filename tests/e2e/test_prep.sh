#!/bin/bash
# A preparation fills and verifies devices and files, is left alone once it is done, and
# touches nothing when one device is refused.
source "$(dirname "$0")/lib.sh"
need_io_uring
make_loop 64M
first=$loop first_file=${backing[-1]}
make_loop 32M 4096
second=$loop second_file=${backing[-1]}

# Nothing is done to one device before all are agreed to.
mkfs.ext2 -q "$second"
mount_on mounted -o ro "$second" # or it is written to
before=$(cat "$first_file" "$second_file" | sha256sum)
expect 2 "$ACTCERT" prep "$first" "$second" --destroy-data "$second"
expect_one_line err "$second" mounted
[[ $(cat "$first_file" "$second_file" | sha256sum) == "$before" ]] ||
	fail "a device was changed"
umount mounted
mounts=()
before=$(cat "$first_file" "$second_file" | sha256sum)
expect 2 "$ACTCERT" prep "$first" "$second"
expect_one_line err "$second" ext2 destroy-data
expect 2 "$ACTCERT" prep "$first" "$second" --destroy-data "$second" --destroy-data SN1
expect_one_line err SN1
[[ $(cat "$first_file" "$second_file" | sha256sum) == "$before" ]] ||
	fail "a device was changed"
expect 2 "$ACTCERT" prep "$first" "$first"
expect_one_line err "$first"
head -c 4M /dev/urandom >letters
before=$(sha256sum letters)
expect 2 "$ACTCERT" prep "$first" letters
expect_one_line err letters destroy-data
[[ $(sha256sum letters) == "$before" ]] || fail "the file was changed"

# Two devices and a file at once. All but the first MiB: 512-byte sectors.
all=("$first" "$second" --file made:8MiB)
expect 0 "$ACTCERT" prep "${all[@]}" --destroy-data "$second" --passes 2 --verify --log log
expect_text out "$first: prepared" "$second: prepared" "made: prepared" \
	"129 024 sectors verified" "63 488 sectors verified" "14 336 sectors verified"
[[ $(grep -c ", 0 bad" out) == 3 ]] || fail "not all were verified"
expect_text log "$first: cleaned (discard)" "$second: filled, pass 2 of 2"
[[ -z $(wipefs --no-act "$second") ]] || fail "a signature was left"
[[ $(stat -c %s made) == $((8 << 20)) ]] || fail "the file has the wrong size"

# What is done stays as it is, and is verified without being written.
before=$(cat "$first_file" "$second_file" made | sha256sum)
expect 0 "$ACTCERT" prep "${all[@]}" --verify
expect_text err "$first: it is prepared: nothing to do"
expect_text out "made: is prepared" "14 336 sectors verified"
blockdev --setro "$first"
expect 0 "$ACTCERT" prep "$first" --verify
expect 2 "$ACTCERT" prep "$first" --restart
blockdev --setrw "$first"
expect 0 "$ACTCERT" prep "${all[@]}" --passes 3 --quiet
[[ ! -s err && $(wc -l <out) == 3 ]] || fail "--quiet is not quiet"
[[ $(cat "$first_file" "$second_file" made | sha256sum) == "$before" ]] ||
	fail "a finished preparation was changed"

# Compressible data, another size.
expect 0 "$ACTCERT" prep "$first" --file made:4MiB --restart --compress 25% --verify
gzip -c "$first_file" | wc -c >small
(($(cat small) < 64 * 1024 * 1024 * 2 / 5)) || fail "the data are not compressible"
expect_text out "made: prepared, 4 194 304 bytes"

# At random until steady, which a noisy host may never be; verifiable all the same.
expect "0|1" "$ACTCERT" prep "$first" --overwrite --rounds 8 --rate 100MB --verify
expect_text err "random overwriting follows" "round 5:" "of the last 5: average"
expect_text out "steady after" "129 024 sectors verified" ", 0 bad"

expect "0|1" "$ACTCERT" prep "$first" --format json
expect_json out '.devices[0].overwrite | (.last_bytes_per_sec | length == 5) and .rounds >= 5'

# run takes what prep has made.
expect "$verdict" "$ACTCERT" run --device "$first" "${light_load[@]}" --duration 2s \
	--slice 2s --out result
expect 0 "$ACTCERT" prep "$first" --verify
expect_text out ", 0 bad"

expect 2 "$ACTCERT" prep
expect_one_line err "no device"
expect 2 "$ACTCERT" prep "$first" --clean sanitize
expect_one_line err "--clean" namespace
expect 2 "$ACTCERT" prep "$first" --restart --clean format
expect_one_line err "not an NVMe drive"
expect 2 "$ACTCERT" prep "$first" --passes 0
expect_one_line err "--passes 0"
expect 0 "$ACTCERT" prep --help
expect_text out --overwrite --verify
