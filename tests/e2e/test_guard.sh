#!/bin/bash
# Devices in use and devices with somebody's data on them are refused and not touched, until
# the very drive is named, which frees no device in use.
source "$(dirname "$0")/lib.sh"
need_io_uring

run=("$ACTCERT" run "${light_load[@]}" --duration 1s --slice 1s --out result --quiet)

content=(sha256sum)

# refused TEXT... -- ARGUMENT...: by one line with each TEXT; nothing on the device of
# make_loop is another byte than before.
refused()
{
	local texts=() before after
	while [[ $1 != -- ]]; do
		texts+=("$1")
		shift
	done
	shift
	before=$("${content[@]}" <"${backing[-1]}")
	expect 2 "${run[@]}" "$@"
	after=$("${content[@]}" <"${backing[-1]}")
	expect_one_line err "${texts[@]}"
	[[ $after == "$before" ]] || fail "$* changed the device"
	[[ ! -e result ]] || fail "$* began a run"
}

accepted()
{
	expect "$verdict" "${run[@]}" "$@"
	rm -r result
}

# have PROGRAM: or say that its case is left out.
have()
{
	type -P "$1" >/dev/null && return
	echo "no $1 on this host: its case is left out" >&2
	return 1
}

# Nobody's: no word is needed, whatever the blocks. It is not free at once: the kernel
# takes a moment to let go of what a run had open.
make_loop 32M 4096
accepted --device "$loop"
accepted --device "$loop"

# Somebody's data
make_loop 32M
mkfs.ext4 -q -L letters "$loop"
refused "$loop: refused: it carries data: ext4 file system (label \"letters\", uuid " \
	"--destroy-data $loop" -- --device "$loop"
refused "--destroy-data ${loop}x: names none" -- --device "$loop" --destroy-data "${loop}x"
refused "--destroy-data : names none" -- --device "$loop" --destroy-data ""
refused "names none" -- --device "$loop" --destroy-data "$loop" --destroy-data "${loop}0"
accepted --device "$loop" --write-load 0x # reads harm nobody
accepted --device "$loop" --destroy-data "$loop"

make_loop 32M
mkswap -q -L memory "$loop" 2>/dev/null
refused 'swap signature (label "memory"' -- --device "$loop"
if swapon "$loop"; then
	content=(od -N 4096) # the rest is the kernel's meanwhile
	refused "refused: it is in use as swap" -- --device "$loop" --destroy-data "$loop"
	swapoff "$loop"
	content=(sha256sum)
fi

if have mkfs.xfs; then
	make_loop 300M
	mkfs.xfs -q "$loop"
	refused "xfs file system" -- --device "$loop"
fi
if have cryptsetup; then
	make_loop 32M
	echo secret | cryptsetup --batch-mode luksFormat --pbkdf pbkdf2 \
		--pbkdf-force-iterations 1000 "$loop"
	refused "crypto_LUKS signature (uuid " -- --device "$loop"
fi
if have pvcreate; then
	make_loop 32M
	pvcreate --devices "$loop" --yes --quiet --quiet "$loop" 2>pvcreate ||
		fail "pvcreate: $(<pvcreate)"
	refused "LVM2_member signature (uuid " -- --device "$loop"
fi

# Partitions
if have sfdisk; then
	make_loop 32M
	echo "label: gpt" | sfdisk --quiet "$loop"
	refused "gpt partition table (uuid " "at offset 512" -- --device "$loop"
	dd if=/dev/zero of="$loop" bs=1M count=1 conv=fsync status=none
	refused "gpt partition table" "at offset $((32 * 1024 * 1024 - 512))" -- --device "$loop"

	make_loop 32M 512 --partscan
	printf '%s\n' "label: dos" ,8M ,8M | sfdisk --quiet --no-reread --no-tell-kernel "$loop"
	refused "dos partition table" -- --device "$loop"
	partx --add "$loop" 2>/dev/null || true
	if [[ -b ${loop}p2 ]]; then
		mkfs.ext2 -q "${loop}p1"
		refused "dos partition table" "; on its partition ${loop}p1: ext2 file system" \
			-- --device "$loop"
		mount_on mounted -o ro "${loop}p1" # or it is written to
		refused "refused: its partition ${loop}p1 is mounted at $work/mounted" \
			-- --device "$loop" --destroy-data "$loop"
		refused "refused: it is mounted at $work/mounted" \
			-- --device "${loop}p1" --destroy-data "${loop}p1"
		accepted --device "${loop}p2"
		umount mounted
		mounts=()
		refused "$loop and ${loop}p2 are a drive and a part of it" -- --device "$loop" \
			--destroy-data "$loop" --device "${loop}p2"
	else
		echo "no partitions on loop devices: their case is left out" >&2
	fi
fi

# In use where this process cannot see it, which naming it does not change
make_loop 32M
mkfs.ext2 -q "$loop"
start unshare --mount bash -c "mkdir elsewhere && mount -o ro $loop elsewhere && touch ready && sleep 60"
for _ in {1..100}; do
	[[ ! -e ready ]] || break
	sleep 0.05
done
if [[ -e ready ]]; then
	refused "open exclusively elsewhere: it is mounted at $work/elsewhere in the mount namespace" \
		-- --device "$loop" --destroy-data "$loop"
else
	echo "no mount namespaces here: their case is left out" >&2
fi

make_loop 32M
start "${run[@]}" --out other --device "$loop" --write-load 0x --duration 60s --slice 60s
wait_until 20 test -e other/run.log
refused "refused: it is open exclusively elsewhere: it is open in process" "(actcert)" \
	-- --device "$loop" --destroy-data "$loop"
kill -INT "$started"
wait_status 130

# Two names for one
ln -s "$loop" name
refused "$loop and $work/name are one and the same device" \
	-- --device "$loop" --device "$work/name"

make_loop 32M 512 --read-only
refused "refused: it is read-only" -- --device "$loop" --destroy-data "$loop"
accepted --device "$loop" --write-load 0x
