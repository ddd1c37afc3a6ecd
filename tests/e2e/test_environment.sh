#!/bin/bash
# What this host refuses ends with status 3 and one line that names the limit and
# the remedy, and with no log that looks like a run.
source "$(dirname "$0")/lib.sh"
need_io_uring

run=(run --file "$work/data:64MiB" --load 1x --duration 2s --slice 2s --out "$work/result")

# refused_call NUMBER COMMAND...: io_uring_setup fails with that error.
refused_call()
{
	python3 - "$@" <<'PYTHON'
import ctypes, os, struct, sys
def op(code, jt, jf, k):
	return struct.pack("HBBI", code, jt, jf, k)
code = b"".join([
	op(0x20, 0, 0, 0),                            # the system call's number
	op(0x15, 0, 1, 425),                          # io_uring_setup?
	op(0x06, 0, 0, 0x50000 | int(sys.argv[1])),   # fail
	op(0x06, 0, 0, 0x7fff0000)])                  # allow
buffer = ctypes.create_string_buffer(code, len(code))
program = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
libc = ctypes.CDLL(None)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
	sys.exit(77)
os.execv(sys.argv[2], sys.argv[2:])
PYTHON
}

expect '3|77' refused_call 1 "$ACTCERT" "${run[@]}"
[[ -s err ]] || skip "this host allows no seccomp filters"
expect_one_line err io_uring kernel.io_uring_disabled seccomp
expect 3 refused_call 38 "$ACTCERT" "${run[@]}"
expect_one_line err io_uring kernel
[[ ! -e result && ! -e data ]] || fail "something was made in spite of it"

((EUID == 0)) || skip "the other refusals need root to be made"
expect 3 setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock bash -c '
	ulimit -l 64
	exec "$0" "$@"' "$ACTCERT" "${run[@]}"
expect_one_line err 'memory-lock limit of 64 KiB' 'ulimit -l'

mount_on ram -t ramfs ramfs
chmod 777 ram
expect 3 "$ACTCERT" run --file "ram/data:64MiB" --load 1x --duration 2s --slice 2s --out result
expect_one_line err ram/data direct
