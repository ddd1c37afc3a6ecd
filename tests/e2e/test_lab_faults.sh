#!/bin/bash
# The laboratory itself: each fault hits the requests it is to hit and no others.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((1 << 20))

# write_block NUMBER LETTER, read_block NUMBER: 4 KiB of one letter.
write_block()
{
	head -c 4096 /dev/zero | tr '\0' "$2" |
		dd of=lab/data bs=4096 seek="$1" oflag=direct iflag=fullblock conv=notrunc 2>dd.err
}

read_block()
{
	dd if=lab/data of=block bs=4096 skip="$1" count=1 iflag=direct 2>dd.err
}

# expect_block NUMBER LETTER COUNT: so many bytes of the block are this letter.
expect_block()
{
	local count

	read_block "$1" || fail "block $1 cannot be read: $(cat dd.err)"
	count=$(tr -cd "$2" <block | wc -c)
	((count == $3)) || fail "block $1 has $count bytes of '$2' instead of $3"
}

for refused in nonsense "delay" "delay 1s" "delay -1" "delay 1 2" "fail 10 EWRONG" "short 3/2" \
	"fail-at 0 5" "stall 99999999999999" "reset now"; do
	if (echo "$refused" >lab/control) 2>/dev/null; then fail "obeyed: $refused"; fi
done

write_block 1 a
expect_block 1 a 4096

lab corrupt 2 # every second read, one byte
expect_block 1 a 4096
expect_block 1 a 4095
expect_block 1 a 4096
lab short 1/1
read_block 1
(($(wc -c <block) == 2048)) || fail "the read was not short"
lab reset

lab misplace 1
write_block 1 b
lab reset
expect_block 1 a 4096
expect_block 2 b 4096
lab drop-writes
write_block 1 c
lab reset
expect_block 1 a 4096

lab fail-at 8192 8193 ENODATA
expect_block 1 a 4096
if read_block 2; then fail "a bad block was read"; fi
expect_text dd.err "No data available"
lab fail 3/5 EIO 4
failed=0
for _ in {1..10}; do read_block 1 || ((++failed)); done
((failed == 4)) || fail "$failed reads failed instead of 4"
lab reset

# Held reads come back when they are released.
lab hang 1
start dd if=lab/data of=held bs=4096 count=1 iflag=direct
wait_until 10 grep -qx "waiting 1" lab/control
expect_block 1 a 4096
[[ ! -s held ]] || fail "the read was not held"
lab release
wait_status 0

# What was answered, and when: as much as all of the delays and the stall take.
lab delay 20000000
read_block 3
lab reset
lab stall 2000
read_block 4
stop_lab
awk -F, '$1 == "read" && $4 == 3 * 4096 && $3 - $2 >= 20000000 { found++ }
	$1 == "read" && $4 == 4 * 4096 && $3 - $2 >= 20000000 { found++ }
	$6 == 61 { nodata++ } $6 == 5 { failed++ }
	END { exit !(found == 2 && nodata == 1 && failed == 4) }' lab.truth || {
	cat lab.truth >&2
	fail "the laboratory remembers something else"
}
