#!/bin/bash
# Killed at ten random moments of any stage, and once asked to stop, a preparation goes on
# each time as the same one, and ends with a device that is verified.
source "$(dirname "$0")/lib.sh"
need_io_uring
make_loop 160M
seed=$RANDOM
RANDOM=$seed
echo "seed $seed"

# At 40 MB/s the filling takes 4.2 s, and five rounds of a tenth 2.1 s.
prep=("$ACTCERT" prep "$loop" --overwrite --rounds 12)

# label_field NUMBER: that of the newer label's 64-bit numbers; generation is 0.
label_field()
{
	od -A n -t u8 -v -w152 -j 24 -N 152 "${backing[-1]}" >copies
	od -A n -t u8 -v -w152 -j $((4096 + 24)) -N 152 "${backing[-1]}" >>copies
	sort -n copies | tail -n 1 | awk -v n="$1" '{ print $(n + 1) }'
}
# Stage, pass, rounds and position in the order in which they come, as one number.
how_far()
{
	echo $((($(label_field 5) * 1000 + $(label_field 7) + $(label_field 13)) * 1000000000 + $(label_field 8)))
}
# The kernel ends a killed program's I/O a moment after the program.
is_free()
{
	python3 -c 'import os, sys
os.close(os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL))' "$loop" 2>/dev/null
}

# A busy host may take long to get there.
is_under_way()
{
	if ((kill == 0)); then
		(($(label_field 1) != 0))
	else
		grep -qF "$loop: going on with its" err
	fi
}

far=0 id= moves=0
for ((kill = 0; kill < 11; kill++)); do
	tenths=$((RANDOM % 10 + 5))
	start "${prep[@]}" --rate 40MB
	wait_until 60 is_under_way
	sleep "$(printf '%d.%d' $((tenths / 10)) $((tenths % 10)))"
	if ((kill == 5)); then
		kill -TERM "$started"
		wait_status 143
		expect_text out "$loop: stopped"
	else
		kill -KILL "$started"
		wait_status 137
	fi
	wait_until 20 is_free
	[[ -z $id || $(label_field 1) == "$id" ]] || fail "another preparation was begun"
	id=$(label_field 1)
	(($(how_far) >= far)) || fail "it went back"
	(($(how_far) == far)) || moves=$((moves + 1))
	far=$(how_far)
	echo "killed at $far"
done
((moves > 3)) || fail "it got on $moves times only"

expect "0|1" "${prep[@]}" --verify
expect_text err "$loop: going on with its"
expect_text out "$(printf 'preparation %016x' "$id")" "325 632 sectors verified" ", 0 bad"
expect 0 "$ACTCERT" prep "$loop" --verify
