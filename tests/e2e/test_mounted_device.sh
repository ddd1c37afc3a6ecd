#!/bin/bash
# A mounted device is refused, and so is a directory; a free one is used.
source "$(dirname "$0")/lib.sh"
need_io_uring
make_loop 64M

run=("$ACTCERT" run "${light_load[@]}" --duration 2s --slice 2s --out result)
mkfs.ext2 -q "$loop"
mount_on mounted "$loop"
before=$(sha256sum <"${backing[0]}")
expect 2 "${run[@]}" --device "$loop" --destroy-data "$loop"
expect_one_line err "$loop" mounted
[[ $(sha256sum <"${backing[0]}") == "$before" ]] || fail "the file system was changed"
[[ ! -e result/run.log ]] || fail "a run was begun"

expect 2 "${run[@]}" --device "$work/mounted"
expect_one_line err "$work/mounted"

umount mounted
mounts=()
expect "$verdict" "${run[@]}" --device "$loop" --destroy-data "$loop"
expect_json result/result.json '.slices | length == 1'
