# Runs in the guest, in bash, with a copy of itself and `settings` in /share.
# Provokes each case and leaves there what test_vm.sh judges: a line of `lines` for
# each run of actcert, "CASE status=N seconds=N", and its results in a folder.
# shellcheck shell=bash
set -euo pipefail
# ACTCERT: the program; engine_test: that of the contract of engines; kernel: a
# directory as get-kernel leaves it
source /share/settings
export DM_DISABLE_UDEV=1 # there is none: dmsetup makes the nodes itself

mkdir -p /lib/modules
mount --bind "$kernel/lib/modules" /lib/modules
modprobe -a ext4 dm-mod dm-delay

# drive SERIAL: its path; which of them is nvme0 differs from boot to boot.
drive()
{
	local serial

	for serial in /sys/class/block/nvme*n*/device/serial; do
		[[ $(<"$serial") =~ ^$1\ *$ ]] || continue
		echo "/dev/$(basename "${serial%/device/serial}")"
		return
	done
	echo "no drive $1" >&2
	return 1
}

# run CASE DRIVE OPTION...: loads the drive as much as emulation can stand.
run()
{
	local case=$1 status=0 begin=$SECONDS
	local options=(--load 0.2x --duration 4s --slice 4s --set hang-limit=5s --set selftest=0s)

	timeout --kill-after=5 40 "$ACTCERT" run --device "$2" "${options[@]}" "${@:3}" \
		--out "/run/$case" >"/share/$case.out" 2>"/share/$case.err" || status=$?
	echo "$case status=$status seconds=$((SECONDS - begin))" >>/share/lines
	[[ ! -e /run/$case ]] || cp -r "/run/$case" /share
}

# await COMMAND...: for at most 20 s.
await()
{
	for _ in {1..200}; do
		! "$@" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

# prepare CASE DRIVE OPTION...
prepare()
{
	local case=$1 status=0 begin=$SECONDS

	timeout --kill-after=5 60 "$ACTCERT" prep "${@:2}" >"/share/$case.out" \
		2>"/share/$case.err" || status=$?
	echo "$case status=$status seconds=$((SECONDS - begin))" >>/share/lines
}

# start CASE DRIVE OPTION...: as run, but in the background; returns in its second second.
start()
{
	run "$@" &
	await grep -q '^# {"interval"' "/run/$1/run.log" || echo "$1 does not begin" >&2
}

# table NAME LINE...: a device-mapper device of these lines.
table()
{
	printf '%s\n' "${@:2}" | dmsetup create "$1"
}

# monitor COMMAND: of the emulator, whose human monitor is the virtual serial port.
monitor()
{
	echo "$1" >&"$to_monitor"
}
exec {to_monitor}<>/dev/vport*p1
cat <&"$to_monitor" >/share/monitor &

# now: milliseconds
now()
{
	echo $((${EPOCHREALTIME/./} / 1000))
}

small=$(drive VM-512)
large=$(drive VM-4096)
sectors=$(blockdev --getsz "$small")

# What is in use
addpart "$small" 1 2048 $((sectors - 4096))
mkfs.ext4 -q "${small}p1"
mkdir /run/mounted
mount "${small}p1" /run/mounted
run mounted-partition "${small}p1"
"$ACTCERT" devices --format json >/share/devices.json
"$ACTCERT" devices >/share/devices.table
run drive-of-mounted "$small"
umount /run/mounted
table volume "0 2048 linear ${small}p1 0"
run partition-with-volume "${small}p1"
run drive-of-volume "$small"
dmsetup remove volume
delpart "$small" 1
table volume "0 2048 linear $small 0"
run drive-with-volume "$small"
dmsetup remove volume
mkswap "$large" >/dev/null
swapon "$large"
run swap "$large"
swapoff "$large"
wipefs -aq "$large"
source /share/guard_cases.sh

# Drives that are well
run blocks-512 "$small"
run blocks-4096 "$large"

# Polled for completions: the drives have queues for it, memory has none. The contract
# of the engines holds, too.
run polled "$small" --set polled=true
modprobe brd rd_nr=1 rd_size=65536
run polled-memory /dev/ram0 --set polled=true
mkdir /dev/shm # for Criterion
mount -t tmpfs memory /dev/shm
ACTCERT_POLLED_DEVICE=$small "$engine_test" --verbose >/share/engine-test 2>&1 ||
	echo "status $?" >>/share/engine-test

# Two drives in one: both tell of their health.
addpart "$large" 1 16 80000
table both "0 40960 linear $small 0" "40960 40960 linear ${large}p1 0"
run two-drives /dev/mapper/both --duration 2s --slice 2s
dmsetup remove both
delpart "$large" 1

# Preparation of whole drives, also by Format NVM, which keeps the size of blocks
prepare discarded "$small" --destroy-data VM-512 --verify
prepare formatted "$large" --destroy-data VM-4096 --clean format --verify
blockdev --getss "$large" >>/share/formatted.out
table linear "0 $sectors linear $small 0"
prepare format-of-others /dev/mapper/linear --restart --clean format
dmsetup remove linear

# Drives that lose data. Not more errors in a second than the log describes.
run bad-sector "$(drive VM-BAD)" --write-load 0x --set record-size=32KiB
prepare bad-sector-prepared "$(drive VM-BAD)" --destroy-data VM-BAD --verify
table broken "0 8192 linear $small 0" "8192 8192 error" "16384 16384 linear $small 16384"
# libblkid meets the bad region, too, and cannot tell what is on it.
run broken-region-unnamed /dev/mapper/broken
run broken-region /dev/mapper/broken --destroy-data /dev/mapper/broken
dmsetup remove broken

# Drives that are slow
table slow "0 $sectors delay $small 0 50"
run slow /dev/mapper/slow
dmsetup remove slow

table stopping "0 $sectors linear $small 0"
start stopped-for-3s /dev/mapper/stopping --duration 8s --slice 8s
before=$(now)
dmsetup suspend stopping
stopped=$(now)
sleep 3
resumed=$(now)
dmsetup resume stopping
echo "longest=$(($(now) - before)) shortest=$((resumed - stopped))" >/share/stop
wait $!
dmsetup remove stopping

start throttled "$small" --duration 8s --slice 4s
monitor "qom-set /machine/peripheral/controller-512 smart_critical_warning 4"
sleep 3
monitor "block_set_io_throttle small 0 0 0 60 0 0"
wait $!
monitor "block_set_io_throttle small 0 0 0 0 0 0"

# Devices that are not what they were, though no drive fails
ln -s "$small" /run/socket-1
start name-moved /run/socket-1 --duration 3s --slice 3s
ln -sfn "$large" /run/socket-1
wait $!
table shrinking "0 $sectors linear $small 0"
start shrunk /dev/mapper/shrinking --duration 30s --slice 30s
dmsetup suspend shrinking
dmsetup load shrinking --table "0 $((sectors / 2)) linear $small 0"
dmsetup resume shrinking
wait $!
dmsetup remove shrinking

start unplugged "$(drive VM-GONE)" --duration 30s --slice 30s
monitor "device_del gone"
sleep 2
monitor "device_add nvme,bus=socket,serial=VM-NEW,drive=new"
wait $!
await drive VM-NEW >/share/new-drive

# The kernel holds the worker itself in the submission, and nothing can kill it: the
# cost model of I/O for cgroups says that a request takes minutes. Not on an emulated
# drive, for which the guest would then wait when it ends.
modprobe null_blk nr_devices=1 gb=1
mkdir /run/groups
mount -t cgroup2 none /run/groups
echo +io >/run/groups/cgroup.subtree_control
mkdir /run/groups/slow
number=$(</sys/class/block/nullb0/dev)
(
	echo $BASHPID >/run/groups/slow/cgroup.procs
	# What it answers to reads is what was in the memory, perhaps somebody's signature.
	run held /dev/nullb0 --destroy-data /dev/nullb0 --duration 30s --slice 30s --set hang-limit=2s
) &
held=$!
await grep -q '^# {"interval"' /run/held/run.log
echo "$number ctrl=user model=linear rbps=1000000 rseqiops=1 rrandiops=1 \
wbps=1000000 wseqiops=1 wrandiops=1" >/run/groups/io.cost.model
echo "$number enable=1 ctrl=user rpct=0 rlat=0 wpct=0 wlat=0 min=1 max=1" \
	>/run/groups/io.cost.qos
before=$(now)
wait $held
echo "held_ms=$(($(now) - before))" >/share/held-time
pkill -KILL -x actcert
sleep 0.5
for task in "/proc/$(pgrep -x actcert)"/task/*; do
	cut -d ' ' -f 3 "$task/stat"
done >/share/held-states
