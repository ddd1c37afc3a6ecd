# Sourced by test_vm.sh, whose functions it uses: judges what guard_cases.sh left.
# shellcheck shell=bash

[[ ! -s changed ]] || fail "drives were written to in these cases: $(<changed)"

# was CASE: it was not left out.
was()
{
	grep -q "^$1 status" lines
}

if was guard-lvm; then
	expect_refused guard-lvm "it is in use by /dev/dm-" "(LVM volume group-volume)"
	expect_refused guard-lvm-mounted "(LVM volume group-volume), which is mounted at /run/volume"
	expect_refused guard-volume-mounted "it is mounted at /run/volume"
	expect_refused guard-lvm-data "LVM2_member signature" "--destroy-data VM-FIRST"
fi
if was guard-md; then
	expect_refused guard-md "it is in use by /dev/md0 (MD array, raid1)"
	expect_refused guard-md-data "linux_raid_member signature" "--destroy-data VM-FIRST"
fi
expect_refused guard-multipath "(multipath device paths)"
expect_refused guard-stacked "(encrypted volume secret), which is in use by /dev/dm-" \
	"(device-mapper device upper)"

expect_refused guard-no-word "swap signature" "--destroy-data VM-FIRST"
# expect_usage CASE TEXT...
expect_usage()
{
	expect_status "$1" 2
	expect_one_line "$1.err" "${@:2}"
	[[ ! -e $1 ]] || fail "$1: a run was begun"
}
expect_usage guard-other-serial "VM-SECOND: names none" "named by --destroy-data VM-FIRST"
expect_usage guard-other-id "nvme-VM-SECOND: names none"
expect_usage guard-path "may lead to another drive" "by --destroy-data VM-FIRST"
expect_status guard-serial "$verdict"
expect_status guard-id "$verdict"

read -ra names <names
[[ ${names[0]} == "${names[3]}" && ${names[1]} == "${names[2]}" ]] ||
	fail "the drives did not swap their names: ${names[*]}"
expect_usage guard-swapped "VM-FIRST: names none" "named by --destroy-data VM-SECOND"
