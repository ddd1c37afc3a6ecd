#!/bin/bash
# Configs of ACT: a short real run of one, what it is printed as, and the programs
# of ACT by whose names the program can be called.
source "$(dirname "$0")/lib.sh"
need_io_uring

# Written as people have them: a title that is no comment, Windows line ends, blanks
# and a comma too much, a comment behind a value, no newline at the end.
printf '%s\r\n' 'act config file for testing 2 device(s) at 32x load' \
	'device-names: one, two,' 'file-size-mbytes: 64' 'test-duration-sec: 3s' \
	'read-reqs-per-sec: 100 # over both' 'scheduler-mode: noop' >old.conf
printf 'write-reqs-per-sec: 100' >>old.conf

# Printed as one of ours, which is the same when it is read again.
expect 0 "$ACTCERT" run --print-config old.conf
cp out new.cfg
expect_text out 'files = ["one:64MiB", "two:64MiB"]' 'read-load = "0.025x"' 'write-load = "0.05x"' \
	'duration = "3s"' 'slice = "3s"' 'max-lag = "10s"'
expect_text err 'old.conf:1: left out' 'old.conf:1: this line says 32x' \
	'old.conf:4: test-duration-sec: 3s' 'old.conf:6: scheduler-mode' \
	'0.025x reads and 0.05x writes per device'
expect 0 "$ACTCERT" run --print-config new.cfg
cmp out new.cfg || fail "the printed config is another when it is read"
[[ ! -s err ]] || fail "something was told of a native config"
for golden in "$REPOSITORY"/tests/golden/act/*.conf; do
	expect 0 "$ACTCERT" run --print-config "$golden"
	cp out golden.cfg
	expect 0 "$ACTCERT" run --print-config golden.cfg
	cmp out golden.cfg || fail "another when read again: $golden"
done
[[ ! -e one && ! -e two ]] || fail "--print-config made a file"

# What is not certain.
sed 's/3s/3 x 60/' old.conf >bad.conf
expect 2 "$ACTCERT" run bad.conf
tail -n 1 err >last
expect_text last bad.conf:4 'test-duration-sec = 3 x 60' allowed
[[ ! -e one ]] || fail "a refused config made a file"

# The old programs, as `cmake --install` leaves them.
program=$(sed -n 's/^exec "\(.*\)" "\$@"$/\1/p' "$ACTCERT")
expect 0 env DESTDIR="$PWD/root" cmake --install "$(dirname "$program")" --prefix /usr
bin=$PWD/root/usr/bin
for name in act_storage act_index act_prep; do
	[[ $(readlink "$bin/$name") == actcert ]] || fail "$name is not installed as a link"
done

# The log on standard output, all else on standard error.
expect "$verdict" "$bin/act_storage" old.conf --set selftest=0s --set in-flight-cap=8 --out result
cmp out result/run.log || fail "standard output is not the log"
expect_text out 'ACT version 6' 'read-reqs-per-sec: 100' 'write-reqs-per-sec: 100' 'after 3 sec:' \
	'reads (300 total)'
expect_text err '0.025x reads, 0.05x writes per device' 'slice 1/1' 'all devices'
own='^(#|$|in-flight-cap|selftest|seed)'
cmp <(grep -Ev "$own" new.cfg) <(grep -Ev "$own" result/config.cfg) ||
	fail "what was run is not what was printed"

# A log that nobody reads any more does not end the run.
status=0
"$bin/act_storage" new.cfg --set selftest=0s --set in-flight-cap=8 --out closed 2>err |
	head -n 1 >first || status=${PIPESTATUS[0]}
[[ $status =~ ^($verdict)$ ]] || fail "status $status after standard output was closed"
expect_text err 'standard output takes no more' 'slice 1/1'

expect 2 "$bin/act_storage"
expect_text err usage
expect 2 "$bin/act_storage" bad.conf
tail -n 1 err >last
expect_text last bad.conf:4
expect 2 "$bin/act_index"
expect_text err usage

# Zeros, then data.
expect 2 "$bin/act_prep"
expect_text err usage
truncate -s 0 three
expect 2 "$bin/act_prep" no-such-device
expect 0 "$bin/act_prep" --file three:64MiB --verify
expect_text out three prepared 'filled' 'sectors verified'
expect_text err 'cleaned (zero)'

# Partitions of one drive count for that drive, by what the kernel says it is.
left_out()
{
	echo "partitions of one drive are left out: $*" >&2
	exit 0
}
((EUID == 0)) || left_out "loop devices need root"
type -P sfdisk partx >/dev/null || left_out "no sfdisk or partx"
make_loop 80M 512 --partscan
printf '%s\n' "label: dos" ,32M ,32M | sfdisk --quiet --no-reread --no-tell-kernel "$loop"
partx --add "$loop" 2>/dev/null || true
[[ -b ${loop}p2 ]] || left_out "no partitions on loop devices"
printf '%s\n' "device-names: ${loop}p1, ${loop}p2" 'test-duration-sec: 1' '# 0.1x of a drive' \
	'read-reqs-per-sec: 200' 'write-reqs-per-sec: 100' >drive.conf
expect "$verdict" "$ACTCERT" run drive.conf --set in-flight-cap=8 --out drive
expect_text err '0.05x reads, 0.05x writes per device' \
	"$loop has 2 of the devices as partitions: 0.1x reads, 0.1x writes" \
	"the drive of ${loop}p1 has 2 of the devices, together 0.1x reads, 0.1x writes"
! grep 'its rates come to' err || fail "the load of the drive is what the title says"
