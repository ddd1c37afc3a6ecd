#!/bin/bash
# As act_latency the program prints the older analyzer's tables to the last byte, and
# says its own verdict beside them.
source "$(dirname "$0")/lib.sh"

golden=$REPOSITORY/tests/golden/act
ln -s "$(readlink -f "$(sed -n 's/^exec "\(.*\)" .*/\1/p' "$ACTCERT")")" act_latency
ln -s "$golden/act_v6.6_index_60s.log" idx.log
ln -s "$golden/act_v6.6_storage_90s_2dev_ms.log" ms.log

# Each "arguments: ..." in the golden files, and below it the table that the older
# analyzer printed for them.
tables=0
while read -r word line; do
	[[ $word == arguments: ]] || continue
	read -ra arguments <<<"$line"
	awk -v wanted="arguments: $line" '$0 == wanted { on = 1; next } !NF { on = 0 } on' \
		"$golden"/*.expected.txt >wanted
	expect "$verdict|4" ./act_latency "${arguments[@]}"
	# What was configured stands above the table.
	grep -A 99 '^      ' out >table || true
	cmp table wanted || { diff table wanted >&2 || true; fail "another table: $line"; }
	head -n 2 out >head
	expect_text head "act_latency $line" "is ACT version 6.6"
	grep -qE '^(PASS|FAIL|INVALID): ' err || { cat err; fail "no verdict: $line"; }
	tables=$((tables + 1))
done < <(cat "$golden"/*.expected.txt)
((tables == 6)) || fail "$tables tables instead of 6"

# The same in long words, however they are joined.
expect "$verdict|4" ./act_latency --log=ms.log --slice 10 --num_buckets=3 --every_nth 3 --extra
expect_text out '    4     0.62   0.02   0.00     3999.5'

# What goes wrong is no table.
expect 2 ./act_latency
expect_text err "-l LOG"
expect 2 ./act_latency -l missing.log
expect_one_line err missing.log
expect 2 ./act_latency -l idx.log -t 20 -h nothing
expect_one_line err nothing "reads, /dev/loop0-reads, writes, /dev/loop0-writes"
expect 2 ./act_latency -l idx.log -s 17
expect_text err "0 to 16"
expect 2 ./act_latency -l idx.log -t 1h
expect_text err 'a number from 1'
# There is not one slice; the older analyzer failed, too.
expect "2|$verdict" ./act_latency -l idx.log
expect_text err "no whole slice of 3600 s, only 60 s"
