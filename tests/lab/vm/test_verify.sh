#!/bin/bash
# A drive below device-mapper (dm-flakey) that returns wrong bytes and calls it success: each
# such read is found, and only where reads are verified. Boots a virtual machine of its own,
# in software emulation, with a drive that was prepared here.
source "$(dirname "$0")/../../e2e/lib.sh"
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
kernel=$(dirname "$work")/vm-kernel

for program in qemu-system-x86_64 busybox cpio depmod modprobe dmsetup; do
	type -P "$program" >/dev/null || skip "no $program on this host"
done
need_io_uring
"$here/get-kernel" "$kernel" >&2 || skip "cannot download Debian's kernel for the guest"
"$here/make-initramfs" "$kernel" initramfs

expect "$verdict" "$ACTCERT" run --file drive.img:32MiB "${light_load[@]}" --duration 1s \
	--slice 1s --out prepared
mkdir share
cp "$here/verify_cases.sh" share/cases.sh
printf '%s=%q\n' ACTCERT "$(realpath "$ACTCERT")" kernel "$(realpath "$kernel")" >share/settings
timeout --kill-after=5 560 qemu-system-x86_64 -machine q35,accel=tcg -cpu max -smp 2 -m 1G \
	-nodefaults -display none -no-reboot \
	-kernel "$kernel"/boot/vmlinuz-* -initrd initramfs \
	-append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check" \
	-serial file:console \
	-virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
	-virtfs local,path=share,mount_tag=share,security_model=none,multidevs=remap \
	-drive if=none,id=drive,format=raw,cache=unsafe,file=drive.img \
	-device nvme,serial=VM-VERIFY,drive=drive </dev/null >qemu 2>&1 || true

cd share
if [[ $(cat status 2>/dev/null) != 0 ]]; then
	tail -n 30 ../qemu ../console output lines >&2 || true
	fail "the guest did not get to its end"
fi
cat lines

grep -qE "^good status=($verdict)$" lines || fail "the good drive: $(cat lines good.err)"
expect_json good/result.json '.run.devices[0].verified and (.streams |
	all(.errors == 0) and any(.verified_sectors > 0) and
	all(.name == "large-block-writes" or .verified_sectors * 512 == .bytes))'

# Of the reads that came after the change all but those whose byte was a 7 before.
grep -qx "bad-auto status=4" lines || fail "the bad drive: $(cat lines bad-auto.err)"
expect_json bad-auto/result.json '(.reason | contains("returned wrong data")) and
	(.streams[0] | .mismatches > 20 and .mismatches == .errors and .completed > 0 and
	.verified_sectors * 512 == .bytes)'
sed -n 's/^# \({"error".*\)/\1/p' bad-auto/run.log >errors
jq -es 'length > 20 and all(.error.what == "wrong data" and .error.wrong.kind == "corrupt" and
	.error.wrong.expected.offset_bytes == .error.offset_bytes)' errors >/dev/null || {
	head -n 5 errors >&2
	fail "these are not the errors that were made"
}

grep -qE "^bad-off status=($verdict)$" lines || fail "not looked at: $(cat lines bad-off.err)"
expect_json bad-off/result.json '.streams | all(.errors == 0 and .verified_sectors == 0)'
