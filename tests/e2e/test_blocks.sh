#!/bin/bash
# Sizes and alignment follow the device: 4096-byte blocks with every kind of
# stream, and offsets up to the end of 64 TiB.
source "$(dirname "$0")/lib.sh"
need_io_uring

truncate -s 64T /dev/shm/actcert-e2e.$$ 2>/dev/null || skip "no file system takes 64 TiB here"
backing+=("/dev/shm/actcert-e2e.$$")
expect "$verdict" "$ACTCERT" run --device "/dev/shm/actcert-e2e.$$" --load 1x \
	--set write-load=0x --duration 2s --slice 2s --out large
expect_json large/result.json '.run.devices[0].size_bytes == 70368744177664 and
	.streams[0].completed > 3000 and .streams[0].errors == 0'
# Reading it is no reason to write to it.
[[ $(stat -c %b "/dev/shm/actcert-e2e.$$") == 0 ]] || fail "something was written"

make_loop 256M 4096
expect "$verdict" "$ACTCERT" run --device "$loop" --load 1x --set commit-to-device=true \
	--set record-size=700B --set record-size-max=9000B --set tomb-raider=true \
	--set compress=50% --duration 3s --slice 3s --out blocks
expect_json blocks/result.json '.run.devices[0].logical_block_bytes == 4096 and
	([.streams[].errors] | add) == 0 and ([.streams[].completed] | min) > 0 and
	(.streams | length) == 5'
# The sectors say what they are.
[[ $(grep -caF ACS "$loop") -gt 0 ]] || fail "nothing of ours was written"
