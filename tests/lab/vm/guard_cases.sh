# Sourced by cases.sh, whose functions it uses: drives that others have in use or data on,
# and drives that swap their names. What test_vm.sh judges by guard_expected.sh: the lines of
# run, and in `changed` the cases in which a byte of a drive was another afterwards.
# shellcheck shell=bash

first=$(drive VM-FIRST)
second=$(drive VM-SECOND)

contents()
{
	blockdev --flushbufs "$first" "$second"
	cat "$first" "$second"
}

# refused CASE DEVICE OPTION...: a run that should leave both drives as they are.
refused()
{
	contents >/run/before
	run "$@"
	contents | cmp -s - /run/before || echo "$1" >>/share/changed
}
: >/share/changed

# LVM, which is to ask nobody else about its devices
if type -P lvm >/dev/null; then
	lvm()
	{
		command lvm "$@" --yes --quiet --config 'activation { udev_sync=0 udev_rules=0 }
			devices { use_devicesfile=0 obtain_device_list_from_udev=0
			external_device_info_source="none" } backup { backup=0 archive=0 }'
	}
	lvm pvcreate "$first"
	lvm vgcreate --physicalextentsize 1M group "$first"
	lvm lvcreate --zero n --wipesignatures n --extents 4 --name volume group
	refused guard-lvm "$first" --destroy-data VM-FIRST
	mkfs.ext4 -q /dev/mapper/group-volume
	mkdir /run/volume
	mount -o ro /dev/mapper/group-volume /run/volume # or the kernel writes to it
	refused guard-lvm-mounted "$first" --destroy-data VM-FIRST
	refused guard-volume-mounted /dev/mapper/group-volume
	umount /run/volume
	lvm vgchange --activate n group
	refused guard-lvm-data "$first"
	wipefs -aq "$first"
else
	echo "guard-lvm left out: no lvm on this host" >>/share/lines
fi

# MD
if type -P mdadm >/dev/null; then
	modprobe raid1
	mdadm --create /dev/md0 --run --metadata=1.0 --level=1 --raid-devices=2 "$first" missing
	refused guard-md "$first" --destroy-data VM-FIRST
	mdadm --stop /dev/md0
	refused guard-md-data "$first"
	wipefs -aq "$first"
else
	echo "guard-md left out: no mdadm on this host" >>/share/lines
fi

# Others of the device mapper
guarded=$(blockdev --getsz "$first")
dmsetup create paths --uuid mpath-first --table "0 $guarded linear $first 0"
refused guard-multipath "$first" --destroy-data VM-FIRST
dmsetup remove paths
dmsetup create secret --uuid CRYPT-LUKS2-1-secret --table "0 $guarded linear $first 0"
dmsetup create upper --table "0 $guarded linear /dev/mapper/secret 0"
refused guard-stacked "$first" --destroy-data VM-FIRST
dmsetup remove upper
dmsetup remove secret

# Which word names which drive
mkswap -q "$first" 2>/dev/null
mkswap -q "$second" 2>/dev/null
mkdir -p /dev/disk/by-id
ln -s "$first" /dev/disk/by-id/nvme-VM-FIRST
ln -s "$second" /dev/disk/by-id/nvme-VM-SECOND
refused guard-no-word "$first"
refused guard-other-serial "$first" --destroy-data VM-SECOND
refused guard-other-id "$first" --destroy-data /dev/disk/by-id/nvme-VM-SECOND
refused guard-path "$first" --destroy-data "$first"
run guard-serial "$first" --destroy-data VM-FIRST --duration 1s --slice 1s
run guard-id "$first" --destroy-data /dev/disk/by-id/nvme-VM-FIRST --duration 1s --slice 1s

# Each drive comes back under the other's name, as after a boot. What was typed the day
# before means the other drive now.
controller()
{
	basename "$(realpath "/sys/class/block/${1#/dev/}/device/device")"
}
addresses=("$(controller "$first")" "$(controller "$second")")
for address in "${addresses[@]}"; do
	echo "$address" >/sys/bus/pci/drivers/nvme/unbind
done
rebind()
{
	echo "$1" >/sys/bus/pci/drivers/nvme/bind
	for _ in {1..200}; do
		! drive "$2" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
}
if [[ $first < $second ]]; then
	rebind "${addresses[1]}" VM-SECOND
	rebind "${addresses[0]}" VM-FIRST
else
	rebind "${addresses[0]}" VM-FIRST
	rebind "${addresses[1]}" VM-SECOND
fi
echo "$first $second $(drive VM-FIRST) $(drive VM-SECOND)" >/share/names
refused guard-swapped "$first" --destroy-data VM-FIRST
