#!/bin/bash
# A file that is not ours is left as it is, to the byte, unless it is named.
source "$(dirname "$0")/lib.sh"
need_io_uring

head -c 64M /dev/urandom >letters
before=$(sha256sum letters)
run=("$ACTCERT" run --file letters:64MiB "${light_load[@]}" --duration 2s --slice 2s)

expect 2 "${run[@]}" --out result
expect_one_line err letters destroy-data
[[ $(sha256sum letters) == "$before" ]] || fail "the file was changed"
[[ ! -e result/run.log ]] || fail "a run was begun"

expect 2 "${run[@]}" --out result --destroy-data other
[[ $(sha256sum letters) == "$before" ]] || fail "the file was changed"

expect "$verdict" "${run[@]}" --out result --destroy-data letters
[[ $(sha256sum letters) != "$before" ]] || fail "the file was not written"
