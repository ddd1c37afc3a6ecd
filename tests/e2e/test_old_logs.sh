# Logs that old versions really wrote are recognised by their content, give the tables that
# golden/act/table.awk makes of them, and are judged.
source "$(dirname "$0")/lib.sh"
golden=$REPOSITORY/tests/golden/act
schema=$REPOSITORY/analysis/reports/result.schema.json

# counts FILE: result.json's counts of completed requests, as the golden tables have them.
counts()
{
	jq -r '
		def line($n; $name): "\($n) \($name) \(.completed) " +
			(.errors as $e | [.thresholds[].over - $e | tostring] | join(" "));
		.slices[] | .number as $n | (.streams[] | line($n; .name)), (.devices[] |
			.name as $d | (.streams | map(.name)) as $all | .streams[] |
			if .name == "reads" or .name == "trans-reads" then line($n; "\($d)-reads")
			elif .name == "writes" or
				(.name == "device-writes" and ($all | index("writes") | not))
			then line($n; "\($d)-writes") else empty end)' "$1" | sort
}

instances=()
# status verdict log: the rest of the line stands in the reasons.
while read -r status verdict log reason; do
	table=$golden/$log.table
	slice=$(awk 'NR == 1 { print $2 }' "$table")
	tail -n +2 "$table" >expected
	awk -v slice="$slice" -f "$golden/table.awk" "$golden/$log.log" | diff expected - ||
		fail "$table is not what table.awk makes"

	expect '[0-9]+' "$ACTCERT" analyze --slice "${slice}s" --format json "$golden/$log.log"
	counts out >actual
	[[ -s expected ]] || fail "$table is empty"
	[[ -z $(sort expected | comm -23 - actual) ]] || {
		diff <(sort expected) actual || true
		fail "$log: other counts"
	}
	diff <(grep -v ' /' expected | sort) <(grep -v ' /' actual) || fail "$log: other streams"

	expect "$status" "$ACTCERT" analyze --format json "$golden/$log.log"
	expect_json out ".verdict == \"$verdict\" and .exit_status == $status"
	cp out "$log.json"
	instances+=(-i "$log.json")
	expect "$status" "$ACTCERT" analyze "$golden/$log.log"
	expect_text out "a run of ACT " "not a certification: a log of ACT" "$verdict: " "$reason"
	cp out text
	expect "$status" "$ACTCERT" analyze - <"$golden/$log.log"
	diff text out || fail "$log: another report from standard input"
	sed 's/$/\r/' "$golden/$log.log" | gzip >log.gz
	expect "$status" "$ACTCERT" analyze log.gz
	diff text out || fail "$log: another report with CRLF in gzip"
done <<'END'
5 INVALID act_v1x_storage latencies of ACT 1.x are differences of whole milliseconds
5 INVALID act_v2_storage 1 ms -> 1.024 ms
0 PASS act_v3.0_storage 0.33 % of reads over 1 ms
0 PASS act_v4.0_storage 2.33 % of reads over 1 ms
0 PASS act_v5.3_storage 0.67 % of reads over 1 ms
1 FAIL act_v5.3_index trans-reads: 9.67 % over 1 ms, limit 5 %
5 INVALID act_v6.6_storage only 97.50 % of the planned reads came back (585 of 600)
0 PASS act_v6.6_index no errors
5 INVALID act_v6.6_cant_keep_up line 55: "ERROR: service thread can't keep up"
4 FAIL act_v6.6_io_errors line 43: "ERROR: reading /dev/nvme0n1: 5 'Input/output error'" (and 7 more)
0 PASS act_v6.6_storage_90s_2dev_ms 0.67 % of reads over 1 ms
0 PASS act_v6.6_index_60s 0.44 % of reads over 1 ms
0 PASS boundary_5pct_exact 4.996 % of reads over 1 ms (limit 5 %)
0 PASS boundary_0.1pct_exact 0.0996 % of reads over 64 ms (limit 0.1 %)
END
python3 -m jsonschema "${instances[@]}" "$schema" >&2 || fail "not all match $schema"

# A share equal to the limit passes, one more does not.
sed 's/0000095004/0000095000/; s/0000004996/0000005000/' "$golden/boundary_5pct_exact.log" >five.log
expect 0 "$ACTCERT" analyze five.log
sed 's/0000095004/0000094999/; s/0000004996/0000005001/' "$golden/boundary_5pct_exact.log" >more.log
expect 1 "$ACTCERT" analyze more.log
expect_text out "reads: 5.001 % over 1 ms, limit 5 %"

# The last slice counts although it is no whole one.
log=$golden/act_v6.6_storage_90s_2dev_ms.log
expect 0 "$ACTCERT" analyze --slice 40s "$log"
expect_text out "   3* 00:01:20" "*: a slice that is not whole"
awk '/^after 90 sec/ { last = 1 }
	here && /^ / { $2 = sprintf("%010d) (07: 0000001000)", $2 - 1000); $0 = " " $0; here = 0 }
	{ print }
	/^reads / { here = last }' "$log" >worst.log
expect 1 "$ACTCERT" analyze --slice 40s worst.log
expect_text out "FAIL: slice 3 (from 00:01:20): reads: 2.52 % over 8 ms, limit 1 %"

# Cut off somewhere, it is no complete run any more.
head -c 40000 "$log" >cut.log
expect 5 "$ACTCERT" analyze cut.log
expect_text out "the log ends after 1 min" "is cut short"

# Other histograms and thresholds than the usual ones.
expect 1 "$ACTCERT" analyze --threshold 1ms:1% --histogram large-block-writes "$log"
expect_text out "large-block-writes: 1.75 % over 1 ms, limit 1 %"
expect 1 "$ACTCERT" analyze --threshold 3ms:0.001% "$log"
expect_text out "3 ms -> 4 ms"
expect 2 "$ACTCERT" analyze --histogram nothing "$log"
expect_one_line err "histogram \"nothing\": the log has none of that name"

# What is no log is refused, and so is what nobody has seen yet.
echo "ACT version 7.0" >new.log
expect 2 "$ACTCERT" analyze new.log
expect_one_line err "new.log: a log of ACT 7.0: versions 1.x to 6.x can be read"
