# Runs in the guest as /share/cases.sh, see test_verify.sh: a drive that holds what it is to
# hold, and whose reads come back with one wrong byte from the run's second second on.
# shellcheck shell=bash
set -euo pipefail
# ACTCERT: the program; kernel: a directory as get-kernel leaves it
source /share/settings
export DM_DISABLE_UDEV=1 # there is none: dmsetup makes the nodes itself

mkdir -p /lib/modules
mount --bind "$kernel/lib/modules" /lib/modules
modprobe -a dm-mod dm-flakey

# run CASE OPTION...: on the drive beneath device-mapper
run()
{
	local case=$1 status=0
	local options=(--load 0.1x --duration 8s --slice 8s --set hang-limit=5s --set selftest=0s)

	timeout --kill-after=5 60 "$ACTCERT" run --device /dev/mapper/flaky "${options[@]}" "${@:2}" \
		--out "/run/$case" >"/share/$case.out" 2>"/share/$case.err" || status=$?
	echo "$case status=$status" >>/share/lines
	[[ ! -e /run/$case ]] || cp -r "/run/$case" /share
}

# reload TABLE: puts it in place of the present one.
reload()
{
	dmsetup load flaky --table "$1"
	dmsetup resume flaky
}

drive=/dev/nvme0n1
sectors=$(blockdev --getsz $drive)
good="0 $sectors linear $drive 0"
# Always down, which here means: byte 300 of each read becomes 7, everything else is as ever.
bad="0 $sectors flakey $drive 0 0 3600 5 corrupt_bio_byte 300 r 7 0"
dmsetup create flaky --table "$good"

run good
for verify in auto off; do
	run bad-$verify --verify $verify --write-load 0x &
	for _ in {1..200}; do
		grep -q '^# {"interval"' /run/bad-$verify/run.log 2>/dev/null && break
		sleep 0.1
	done
	reload "$bad"
	wait $!
	reload "$good"
done
