#!/bin/bash
# What cannot be polled for completions is refused before anything is written. The
# virtual machine has drives that can.
source "$(dirname "$0")/lib.sh"

expect 3 "$ACTCERT" run --file data:32MiB --set polled=true --duration 1s --slice 1s --out out-dir
expect_one_line err "data: a file cannot be polled"
[[ ! -e data && ! -e out-dir ]] || fail "something was made"

expect 2 "$ACTCERT" run --device none --set polled=true --set engine=null
expect_one_line err "polled = true" "engine = null"

make_loop 32M
cp "${backing[-1]}" before
expect 3 "$ACTCERT" run --device "$loop" --set polled=true --duration 1s --slice 1s --out out-dir
expect_one_line err "$loop: cannot be polled" "nvme.poll_queues=N"
[[ ! -e out-dir ]] || fail "a run was begun"
cmp "${backing[-1]}" before
