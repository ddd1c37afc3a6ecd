# Sourced first by each test_*.sh, which ctest runs with ACTCERT, the program,
# and REPOSITORY in its environment. The test then runs in an empty directory of
# its own below the build directory; that, loop devices, mounts and programs
# left running are gone when it ends.
# shellcheck shell=bash
set -euo pipefail
: "${ACTCERT:?is to name the program}" "${REPOSITORY:?is to name the repository}"

work=$(mktemp -d "$PWD/e2e.XXXXXX")
cd "$work"
# Runs without the selftest that comes before each by default: it takes time.
cat >"$work.actcert" <<WRAPPER
#!/bin/bash
[[ \${1-} != run ]] || set -- run --set selftest=0s "\${@:2}"
exec "$ACTCERT" "\$@"
WRAPPER
chmod +x "$work.actcert"
ACTCERT=$work.actcert
backing=("$work.actcert") loops=() mounts=() groups=()
verdict='0|1|5' # statuses of a run that reached a verdict on its own
# Two such runs at a time stay below the 8 MiB that users may lock in memory.
light_load=(--load 0.5x --set in-flight-cap=8)

clean_up()
{
	local item

	cd /
	for item in "${groups[@]}"; do kill -KILL -- "-$item" 2>/dev/null || true; done
	for item in "${mounts[@]}"; do umount "$item" || true; done
	for item in "${loops[@]}"; do
		swapoff "$item" 2>/dev/null || true
		losetup --detach "$item" || true
	done
	rm -rf "$work" "${backing[@]}"
}
trap clean_up EXIT

fail()
{
	echo "FAIL: $*" >&2
	exit 1
}

skip()
{
	echo "SKIP: $*" >&2
	exit 77
}

# expect STATUS COMMAND...: runs the command with its output in the files out and
# err; STATUS is an extended regular expression for its exit status.
expect()
{
	local expected=$1 status=0
	shift
	"$@" >out 2>err || status=$?
	if ! [[ $status =~ ^($expected)$ ]]; then
		head -n 30 out err >&2
		fail "status $status instead of $expected from: $*"
	fi
}

# expect_text FILE TEXT...: FILE holds each TEXT, somewhere.
expect_text()
{
	local file=$1 text
	shift
	for text; do
		grep -qF -- "$text" "$file" && continue
		cat "$file" >&2
		fail "\"$text\" is not in $file"
	done
}

# expect_one_line FILE TEXT...: FILE is one line, which holds each TEXT.
expect_one_line()
{
	if (($(wc -l <"$1") != 1)); then
		cat "$1" >&2
		fail "$1 is not one line"
	fi
	expect_text "$@"
}

# expect_json FILE FILTER: the jq filter is true for FILE.
expect_json()
{
	jq -e "$2" "$1" >/dev/null && return
	head -c 3000 "$1" >&2
	fail "$1: not true: $2"
}

# start COMMAND...: runs the command in the background, in a process group of its
# own and with signals as in a terminal; its process and group id is $started.
start()
{
	set -m
	"$@" >out 2>err &
	started=$!
	set +m
	groups+=("$started")
}

# wait_until SECONDS COMMAND...: until the command succeeds.
wait_until()
{
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		if ((SECONDS >= end)); then
			head -n 30 out err >&2
			fail "waited in vain for: $*"
		fi
		sleep 0.05
	done
}

# wait_status STATUS: waits for what was started; STATUS is as in expect.
wait_status()
{
	local status=0
	wait "$started" || status=$?
	[[ $status =~ ^($1)$ ]] && return
	head -n 30 out err >&2
	fail "status $status instead of $1"
}

need_io_uring()
{
	# io_uring_setup(1, parameters)
	python3 -c 'import ctypes
exit(ctypes.CDLL(None).syscall(425, 1, ctypes.create_string_buffer(120)) < 0)' ||
		skip "this host does not allow io_uring"
	dd if=/dev/zero of=probe bs=4096 count=1 oflag=direct 2>/dev/null ||
		skip "the file system of $work does no direct I/O"
	rm probe
}

# make_loop SIZE [BLOCK] [OPTION]...: sets $loop to a loop device on memory, made with
# these options of losetup.
make_loop()
{
	local file

	((EUID == 0)) || skip "loop devices need root"
	file=$(mktemp /dev/shm/actcert-e2e.XXXXXX)
	backing+=("$file")
	truncate -s "$1" "$file"
	loop=$(losetup --find --show --direct-io=on --sector-size "${2:-512}" "${@:3}" "$file") ||
		skip "no loop device to be had"
	loops+=("$loop")
}

# mount_on DIRECTORY ARGUMENT...: makes the directory and mounts on it.
mount_on()
{
	local directory=$1
	shift
	((EUID == 0)) || skip "mounting needs root"
	mkdir -p "$directory"
	mount "$@" "$directory" || skip "this host does not allow mounting"
	mounts+=("$PWD/$directory")
}

# job_targets CONFIG: the --device arguments that the comment of this job shows, one a line.
job_targets()
{
	local words

	words=$(sed -n 's/^#     actcert run configs.[^ ]*//p' "$1" | head -n 1)
	[[ $words =~ ^[-\ =/a-z0-9{}.]*$ ]] || fail "$1: not as expected: $words"
	[[ ! $words ]] || eval "printf '%s\n' $words"
}
