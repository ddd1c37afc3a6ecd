#!/bin/bash
# Real drivers with drives that misbehave: boots a virtual machine once, in software
# emulation, lets cases.sh run there, and judges what it left. Emulated drives are so
# slow that no case may rest on a PASS.
source "$(dirname "$0")/../../e2e/lib.sh"
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
kernel=$(dirname "$work")/vm-kernel
bad_sector=5000 # of the 8192 of its drive

for program in qemu-system-x86_64 busybox cpio depmod modprobe dmsetup mkfs.ext4; do
	type -P "$program" >/dev/null || skip "no $program on this host"
done
"$here/get-kernel" "$kernel" >&2 || skip "cannot download Debian's kernel for the guest"
"$here/make-initramfs" "$kernel" initramfs

# make_drive SIZE NAME [OPTION]: adds a sparse file as drive NAME to the machine.
drives=()
make_drive()
{
	local file=file.driver=file,file.filename

	[[ ! ${3-} ]] || file=file.driver=blkdebug,$3,file.image.driver=file,file.image.filename
	truncate -s "$1" "$2.img"
	drives+=(-drive "if=none,id=$2,format=raw,cache=unsafe,$file=$2.img")
}

make_drive 64M small
drives+=(-device "nvme,id=controller-512,serial=VM-512,drive=small")
make_drive 64M large
drives+=(-device "nvme,id=controller-4096,serial=VM-4096" -device
	"nvme-ns,bus=controller-4096,drive=large,logical_block_size=4096,physical_block_size=4096")
error=file.inject-error.0
make_drive 4M bad \
	"$error.event=none,$error.iotype=read,$error.errno=5,$error.sector=$bad_sector"
drives+=(-device "nvme,serial=VM-BAD,drive=bad")
make_drive 64M gone
drives+=(-device "pcie-root-port,id=socket,chassis=1"
	-device "nvme,id=gone,bus=socket,serial=VM-GONE,drive=gone")
for name in first second; do
	make_drive 8M $name
	drives+=(-device "nvme,serial=VM-${name^^},drive=$name")
done
make_drive 64M new # comes into the socket later

mkdir share
cp "$here/cases.sh" "$here/guard_cases.sh" share
printf '%s=%q\n' ACTCERT "$(realpath "$ACTCERT")" kernel "$(realpath "$kernel")" \
	engine_test "$(realpath "$ENGINE_TEST")" >share/settings

# The guest reaches the emulator's monitor through a serial port.
timeout --kill-after=5 560 qemu-system-x86_64 -machine q35,accel=tcg -cpu max -smp 2 -m 1G \
	-nodefaults -display none -no-reboot \
	-kernel "$kernel"/boot/vmlinuz-* -initrd initramfs \
	-append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check nvme.poll_queues=1" \
	-serial file:console \
	-virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
	-virtfs local,path=share,mount_tag=share,security_model=none,multidevs=remap \
	-chardev socket,id=monitor,path=monitor,server=on,wait=off -mon chardev=monitor \
	-chardev socket,id=guest,path=monitor \
	-device virtio-serial -device virtserialport,chardev=guest \
	"${drives[@]}" </dev/null >qemu 2>&1 || true

cd share
if [[ $(cat status 2>/dev/null) != 0 ]]; then
	tail -n 30 ../qemu ../console output lines >&2 || true
	fail "the guest did not get to its end"
fi
cat lines

# expect_status CASE STATUS: the latter is an extended regular expression.
expect_status()
{
	grep -qE "^$1 status=($2) " lines && return
	head -n 30 output "$1.err" "$1.out" >&2
	fail "$1: not status $2: $(grep "^$1 " lines || true)"
}

# expect_refused CASE TEXT...
expect_refused()
{
	expect_status "$1" 2
	expect_one_line "$1.err" refused "${@:2}"
	[[ ! -e $1 ]] || fail "$1: a run was begun"
}

# expect_reads CASE FILTER: true for the reads of the only device in the last slice.
expect_reads()
{
	expect_json "$1/result.json" \
		".slices[-1].devices[0].streams[] | select(.name == \"reads\") | $2"
}

# collect CASE KIND: the file CASE/KIND becomes an array of these objects in its log.
collect()
{
	sed -n 's/^# {/{/p' "$1/run.log" | jq -s "map(.$2 // empty)" >"$1/$2"
	expect_json "$1/$2" 'length > 0'
}

expect_refused mounted-partition "it is mounted at"
expect_refused drive-of-mounted "its partition" "is mounted at"
expect_refused partition-with-volume "it is in use by /dev/dm-"
expect_refused drive-of-volume "its partition" "is in use by /dev/dm-"
expect_refused drive-with-volume "it is in use by /dev/dm-"
expect_refused swap "it is in use as swap"
# shellcheck source=/dev/null
source "$here/guard_expected.sh"

# The list of devices: what NVMe drives tell, and what is in use.
expect_json devices.json '.devices | map(select(.serial == "VM-4096")) | length == 1 and
	(.[0] | .model == "QEMU NVMe Ctrl" and .logical_block_bytes == 4096 and
	.state == "free" and .temperature_c == 50 and .used_pct == 0 and .drive == null)'
expect_json devices.json '.devices | map(select(.serial == "VM-512")) | length == 2 and
	(.[0].device + "p1") == .[1].device and .[1].drive == .[0].device and
	all(.state == "refused" and .temperature_c == 50 and (.reason | contains("is mounted at")))'
expect_text devices.table "50 C" "refused: it is mounted at" "QEMU NVMe Ctrl  VM-BAD"

for block in 512 4096; do
	expect_status blocks-$block "$verdict"
	expect_json blocks-$block/result.json '.run.devices[0] |
		.model == "QEMU NVMe Ctrl" and (.firmware | length > 0)'
	expect_json blocks-$block/result.json ".run.devices[0] |
		.serial == \"VM-$block\" and .logical_block_bytes == $block"
	expect_reads blocks-$block '.errors == 0 and .completed > 0'
done
expect_reads blocks-512 '.bytes == .completed * 1536'
expect_reads blocks-4096 '.bytes == .completed * 4096'

# That a drive polled takes its whole load, emulation can stand, too.
expect_status polled "$verdict"
expect_text polled.err "engine     io_uring, polled (IOPOLL)"
expect_json polled/result.json '.run.engine == "uring, polled" and
	all(.slices[].devices[].streams[]; .completed == .planned and .errors == 0)'
expect_status polled-memory 3
expect_one_line polled-memory.err /dev/ram0 "cannot be polled" poll_queues
[[ ! -e polled-memory ]] || fail "polled-memory: a run was begun"
grep -q 'Failing: 0' engine-test || {
	cat engine-test >&2
	fail "the contract of the engines does not hold with a polled drive"
}

expect_status two-drives "$verdict"
collect two-drives environment
expect_json two-drives/environment '.[0].devices[0].nvme_drives | test("^nvme.n1 nvme.n1$")'
collect two-drives telemetry
expect_json two-drives/telemetry 'all(.temperature_k == 323) and
	.[-1].written_bytes > .[0].written_bytes'

for case in discarded formatted; do
	expect_status $case 0
	expect_text $case.out prepared "129 024 sectors verified" ", 0 bad"
done
expect_text discarded.err "cleaned (discard)"
expect_text formatted.err "cleaned (format)"
[[ $(tail -n 1 formatted.out) == 4096 ]] || fail "the format was changed"
expect_status format-of-others 2
expect_text format-of-others.err "not an NVMe drive"
# The block of 128 KiB that holds the sector.
expect_status bad-sector-prepared 4
expect_text bad-sector-prepared.err \
	"reading at $(((bad_sector * 512 >> 17) << 17)) failed: No data available"

# The kernel's name for a medium error is ENODATA. No other request has failed.
expect_status bad-sector 4
expect_json bad-sector/result.json '.verdict == "FAIL"'
expect_reads bad-sector '.errors > 0 and .errors < .completed'
collect bad-sector error
expect_json bad-sector/error "all(.what == \"ENODATA\" and
	.offset_bytes < $((bad_sector + 1)) * 512 and
	.offset_bytes + .length_bytes > $bad_sector * 512)"
collect bad-sector interval
counted=$(jq 'map(.counts[].errors) | add' bad-sector/interval)
expect_json bad-sector/error "length == $counted"

expect_status broken-region-unnamed 4
expect_one_line broken-region-unnamed.err "cannot be read to see what is on it" \
	"--destroy-data /dev/mapper/broken"
# A quarter of the device
expect_status broken-region 4
expect_json broken-region/result.json '.verdict == "FAIL"'
expect_reads broken-region '.errors / (.errors + .completed) | . > 0.15 and . < 0.35'
collect broken-region error
expect_json broken-region/error 'all(.what == "EIO" and .offset_bytes < 16384 * 512 and
	.offset_bytes + .length_bytes > 8192 * 512)'

# The delay is 50 ms but for a tick of the kernel's clock.
expect_status slow 1
expect_json slow/result.json '.verdict == "FAIL"'
expect_reads slow '.errors == 0 and .thresholds[1].over == .completed and
	.service.p50_ns > 45000000'

# Late are those that were planned while it stood, but for the last 64 ms, and those
# planned while it caught up.
expect_status stopped-for-3s 1
expect_json stopped-for-3s/result.json '.verdict == "FAIL"'
shortest='' longest='' # milliseconds
# shellcheck source=/dev/null
source stop
expect_reads stopped-for-3s ".errors == 0 and (.thresholds[2].over / .completed * 8000 |
	. > $shortest - 64 - 10 and . < $longest + 1000)"

expect_status throttled 1
expect_json throttled/result.json '.slices[1].verdict == "FAIL"'
expect_reads throttled '.errors == 0 and .completed < 0.9 * .planned'

# The drive warned of its reliability while it was throttled.
collect throttled telemetry
expect_json throttled/telemetry 'all(.temperature_k == 323) and
	(.[0].critical_warning // 0) == 0 and .[-1].critical_warning == 4 and
	.[-1].written_bytes > .[0].written_bytes'

# expect_changed CASE: the run ended with a device that is not what it was.
expect_changed()
{
	expect_status "$1" 4
	expect_json "$1/result.json" '.verdict == "FAIL" and .end.reason == "device changed" and
		(.reason | contains("changed"))'
}

expect_changed name-moved
expect_text name-moved.err "/run/socket-1: is not the device any more" "leads to /dev/nvme"
expect_reads name-moved '.errors == 0'
expect_changed shrunk
expect_text shrunk.err "its size was 67108864 bytes and is 33554432 bytes"
expect_reads shrunk '.errors > 0'

# The kernel ends reads of a drive that is gone with success and 0 bytes.
expect_changed unplugged
expect_text unplugged.err "does not have it any more"
expect_reads unplugged '.errors > 0'
collect unplugged error
expect_json unplugged/error 'all(.done_bytes == 0) and any(.stream == "reads" and .code == 0)'
cmp -s ../new.img <(head -c 64M /dev/zero) || fail "the drive in its place was written to"
seconds=$(sed -n 's/^unplugged .* seconds=//p' lines)
((seconds < 15)) || fail "the run took $seconds s to end"

# The hang limit is 2 s. The child is still there, though it was killed.
expect_status held 4
expect_json held/result.json '.verdict == "FAIL" and .end.reason == "device lost"'
held_ms=''
# shellcheck source=/dev/null
source held-time
((held_ms < 12000)) || fail "a worker that the kernel holds: the run ended after $held_ms ms"
expect_text held-states D
