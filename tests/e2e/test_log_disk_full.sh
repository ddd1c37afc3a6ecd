#!/bin/bash
# A log that does not fit its file system is reported; the run goes on to a verdict.
source "$(dirname "$0")/lib.sh"
need_io_uring

mount_on small -t tmpfs -o size=32k tmpfs
expect "$verdict" "$ACTCERT" run --file data:64MiB "${light_load[@]}" --duration 15s --slice 5s \
	--out small/result
grep -qiE 'no space|full' err || { cat err; fail "the full disk is not reported"; }
expect_text out full 00:00:10 # its last slice
