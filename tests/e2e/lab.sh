# Sourced after lib.sh by tests with the fault laboratory, tests/lab/faultfs.c.
# shellcheck shell=bash
: "${FAULTFS=}"
laboratory=lab # the directory of the one in question. Who wants several names each of them
declare -A laboratories=() truth_before=() # their processes, and lines before begin_truth
pulse=''

# Without its process all that is held fails, so that nothing waits for it.
clean_up_lab()
{
	local item

	[[ ! $pulse ]] || kill "$pulse" 2>/dev/null || true
	for item in "${laboratories[@]}"; do
		kill -KILL "$item" 2>/dev/null || true
		wait "$item" 2>/dev/null || true
	done
	for item in "${groups[@]}"; do kill -KILL -- "-$item" 2>/dev/null || true; done
	for item in "${!laboratories[@]}"; do
		umount --lazy "$work/$item" 2>/dev/null ||
			fusermount3 -uz "$work/$item" 2>/dev/null || true
	done
	clean_up
}
trap clean_up_lab EXIT

# start_lab BYTES [loop]: $laboratory/data is a file of so many bytes that misbehaves on
# request. Sets $device to what a run is to read, and $target to its arguments for
# that: this file, or a loop device on it.
start_lab()
{
	[[ $FAULTFS ]] || skip "built without libfuse3"
	[[ -r /dev/fuse && -w /dev/fuse ]] || skip "this host has no FUSE"
	[[ ${2-} != loop ]] || ((EUID == 0)) || skip "loop devices need root"
	((${#laboratories[@]})) || need_io_uring
	mkdir "$laboratory"
	"$FAULTFS" "$laboratory" "$1" "$work/$laboratory.truth" >"$laboratory.out" 2>&1 &
	laboratories[$laboratory]=$!
	wait_until 10 lab_is_up_or_gone
	if [[ ! -e $laboratory/control ]]; then
		cat "$laboratory.out" >&2
		grep -qi mount "$laboratory.out" || fail "the laboratory did not start"
		skip "this host does not allow mounting with FUSE"
	fi
	device=$laboratory/data target=(--file "$laboratory/data:$1B")
	if [[ ${2-} != loop ]]; then
		((${#real_time[@]} == 0)) || lab_load+=(--set wait=eco)
		return
	fi
	real_time=()
	device=$(losetup --find --show --direct-io=on "$laboratory/data") ||
		skip "no loop device to be had"
	loops+=("$device") target=(--device "$device")
}

lab_is_up_or_gone()
{
	[[ -e $laboratory/control ]] || ! kill -0 "${laboratories[$laboratory]}" 2>/dev/null
}

# lab COMMAND...: see tests/lab/faultfs.c.
lab()
{
	echo "$*" >"$laboratory/control" || fail "the laboratory refuses: $*"
}

# begin_truth, and end_truth FILE: the laboratory's answers in between, as
# kind,arrived_ns,sent_ns,offset_bytes,length_bytes,errno,due_ns.
begin_truth()
{
	lab log
	truth_before[$laboratory]=$(wc -l <"$laboratory.truth")
}

end_truth()
{
	lab log
	tail -n +$((truth_before[$laboratory] + 1)) "$laboratory.truth" >"$1"
}

# service_times FILE: how long the laboratory took for each read of FILE, in ns.
service_times()
{
	awk -F, '$1 == "read" { print $3 - $2 }' "$1"
}

# stop_lab: ends it, and others, in good order; its answers are then in $laboratory.truth.
stop_lab()
{
	local item status

	for item in "${loops[@]}"; do losetup --detach "$item"; done
	loops=()
	for item in "${!laboratories[@]}"; do
		status=0
		kill -TERM "${laboratories[$item]}"
		wait "${laboratories[$item]}" || status=$?
		cat "$item.out" >&2
		((status == 0)) || fail "the laboratory ended with $status"
	done
	laboratories=()
}

# What all runs in the laboratory have in common; its file is read as it is. As root
# they have real-time priority, below the laboratory's, as far as this host allows: then
# neither waits for other programs. They must not spin with it, and the kernel's workers
# below a loop device would have to wait for them.
real_time=()
! { ((EUID == 0)) && chrt --fifo 10 true 2>/dev/null; } || real_time=(chrt --fifo 10)
lab_load=(--write-load 0x --set fill-files=false)

# quantile PERCENT <NUMBERS: the smallest that so many percent do not exceed.
quantile()
{
	sort -n | awk -v percent="$1" '{ value[NR] = $1 }
		END { print value[int((NR - 1) * percent / 100) + 1] }'
}

# busy RUN PERCENT: says so when the CPUs were idle for less than this of its time.
busy()
{
	intervals "$1" | jq -rs --argjson least "$2" '(map(.cpu_idle_ticks // 0) | add) as $idle |
		(map(.cpu_total_ticks // 0) | add) as $all |
		if $idle * 100 < $all * $least then
			"CPUs were idle for \($idle) of \($all) ticks" else empty end'
}

# intervals RUN: those of its log.
intervals()
{
	sed -n 's/^# \({"interval".*\)/\1/p' "$1/run.log" | jq -c .interval
}

# slice_hiccups RUN: of each slice of 2 s, how long this host kept it waiting, in us.
slice_hiccups()
{
	intervals "$1" | jq -s 'group_by(.start_ns / 2000000000 | floor)[] |
		map(.hiccup_ns // 0) | add / 1000 | floor'
}

# begin_pulse, and end_pulse FILE: see tests/lab/pulse.py.
begin_pulse()
{
	"${real_time[@]/10/15}" python3 "$REPOSITORY/tests/lab/pulse.py" >pulse &
	pulse=$!
}

end_pulse()
{
	kill "$pulse"
	wait "$pulse"
	pulse=''
	mv pulse "$1"
}

# disturbed RUN HICCUPS_US LATE_US: says why host and laboratory were not quiet during
# this run, or nothing. RUN is its directory, RUN.truth the laboratory's answers, and
# RUN.pulse what another program saw. None of the figures under test has a part in it:
# at most HICCUPS_US are allowed in a slice, and LATE_US of the pulse.
disturbed()
{
	awk -F, '{ count++; late += $3 > $7 + 500000 }
		END { if (late > count / 1000)
			printf "the laboratory was late with %d of %d answers\n", late, count }' "$1.truth"
	slice_hiccups "$1" | awk -v most="$2" \
		'$1 > most { print "this host kept a slice waiting for " $1 " us"; exit }'
	intervals "$1" | jq -rs '(map(.cpu_total_ticks // 0) | add) as $ticks |
		(map(.steal_ticks // 0) | add) as $stolen |
		if $stolen * 100 > $ticks then
			"\($stolen) of \($ticks) ticks were stolen" else empty end'
	jq -r 'if any(.slices[]; .cpu_idle_ticks * 20 < .cpu_total_ticks) then
			"all CPUs were busy in a slice" else empty end' "$1/result.json"
	awk -v most="$3" '$1 > most { print "sleeps of 1 ms ended " $1 " us late" }' "$1.pulse"
}

# until_quiet HICCUPS_US LATE_US: measure RUN and check RUN, a few times, until one keeps
# to the bounds of check_strictly RUN, too. A busy host can only add to what is counted, so
# the best counts; but in an attempt in which host and laboratory were quiet they must hold.
until_quiet()
{
	local attempt attempts=3 why

	[[ $device == lab/data ]] || attempts=2
	for ((attempt = 1; attempt <= attempts; attempt++)); do
		begin_pulse
		measure "run$attempt"
		end_pulse "run$attempt.pulse"
		check "run$attempt"
		if (check_strictly "run$attempt"); then
			echo "attempt $attempt: kept to the strict bounds"
			return
		fi
		why=$(disturbed "run$attempt" "$@" | paste -sd ';')
		[[ $why ]] || fail "attempt $attempt was quiet"
		echo "attempt $attempt was disturbed: $why"
	done
	echo "not checked strictly: $why"
}

# expect_failed RUN NUMBER: the slice has failed, or it says that this host was busy.
expect_failed()
{
	expect_json "$1/result.json" ".slices[$2 - 1] | .verdict == \"FAIL\" or
		(.verdict == \"INVALID\" and .cpu_idle_ticks * 20 < .cpu_total_ticks)"
}
