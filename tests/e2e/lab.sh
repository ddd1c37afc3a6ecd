# Sourced after lib.sh by tests with the fault laboratory, tests/lab/faultfs.c.
# shellcheck shell=bash
: "${FAULTFS=}"
lab_process=

# Without its process all that is held fails, so that nothing waits for it.
clean_up_lab()
{
	local item

	if [[ $lab_process ]]; then
		kill -KILL "$lab_process" 2>/dev/null || true
		wait "$lab_process" 2>/dev/null || true
	fi
	for item in "${groups[@]}"; do kill -KILL -- "-$item" 2>/dev/null || true; done
	umount --lazy "$work/lab" 2>/dev/null || fusermount3 -uz "$work/lab" 2>/dev/null || true
	clean_up
}
trap clean_up_lab EXIT

# start_lab BYTES: lab/data is a file of so many bytes that misbehaves on request.
start_lab()
{
	[[ $FAULTFS ]] || skip "built without libfuse3"
	[[ -r /dev/fuse && -w /dev/fuse ]] || skip "this host has no FUSE"
	need_io_uring
	mkdir lab
	"$FAULTFS" lab "$1" "$work/truth" >lab.out 2>&1 &
	lab_process=$!
	wait_until 10 lab_is_up_or_gone
	[[ -e lab/control ]] && return
	cat lab.out >&2
	grep -qi mount lab.out || fail "the laboratory did not start"
	skip "this host does not allow mounting with FUSE"
}

lab_is_up_or_gone()
{
	[[ -e lab/control ]] || ! kill -0 "$lab_process" 2>/dev/null
}

# lab COMMAND...: see tests/lab/faultfs.c.
lab()
{
	echo "$*" >lab/control || fail "the laboratory refuses: $*"
}

# stop_lab: ends it in good order; its answers are then in the file truth.
stop_lab()
{
	local status=0

	kill -TERM "$lab_process"
	wait "$lab_process" || status=$?
	lab_process=
	cat lab.out >&2
	((status == 0)) || fail "the laboratory ended with $status"
}

# What all runs on lab/data have in common; it is read as it is.
lab_load=(--write-load 0x --set fill-files=false --set wait=precise)

# quantile PERCENT <NUMBERS: the smallest that so many percent do not exceed.
quantile()
{
	sort -n | awk -v percent="$1" '{ value[NR] = $1 }
		END { print value[int((NR - 1) * percent / 100) + 1] }'
}
