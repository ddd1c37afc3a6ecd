#!/bin/bash
# The way people have used the older tool for ten years: a config of its, its programs
# by their names, a log from standard output, and figures cut out of the table. They are
# those of result.json.
source "$(dirname "$0")/lib.sh"
need_io_uring

program=$(readlink -f "$(sed -n 's/^exec "\(.*\)" .*/\1/p' "$ACTCERT")")
mkdir bin
for name in act_storage act_latency; do
	ln -s "$program" "bin/$name"
done
PATH=$PWD/bin:$PATH

cat >my.conf <<CONFIG
# My drives
device-names: $PWD/drive,$PWD/drive1
file-size-mbytes: 64
test-duration-sec: 6
read-reqs-per-sec: 2000
write-reqs-per-sec: 500
CONFIG

status=0
act_storage my.conf --set selftest=0s --out result >act_out.txt 2>messages || status=$?
[[ $status =~ ^($verdict)$ ]] || { cat messages >&2; fail "act_storage: $status"; }

# row WHAT COLUMN: the last act_latency's figure in the row that begins so.
row()
{
	awk -v what="$1" -v column="$2" '$1 == "-----" { on = 1 } on && $1 == what { print $column }' table
}

# latency ARGUMENT...
latency()
{
	ended=0
	act_latency -l act_out.txt "$@" >table 2>said || ended=$?
	[[ $ended =~ ^($verdict)$ ]] || { cat said >&2; fail "act_latency: $ended"; }
}

# figures HISTOGRAM JQ: that histogram's row against the object of result.json.
figures()
{
	latency -t 6 -h "$1" -n 7 -x
	[[ $ended == "$status" ]] || fail "act_storage ended with $status, act_latency with $ended"
	expect_text said "$(jq -r .verdict result/result.json): "
	[[ $(awk '$1 == "-----"' table | wc -l) == 2 && $(row 2 1) == "" ]] || fail "not one slice"
	jq -r "$2"' | . as $s | [($s.thresholds[] | .over), $s.completed, $s.pending + $s.settled + $s.errors] | @tsv' \
		result/result.json >counts
	python3 - counts "$(row 1 2) $(row 1 5) $(row 1 8) $(row 1 9)" "$(row avg 2) $(row max 2)" <<'PYTHON' ||
import sys

*over, total, moved = map(int, open(sys.argv[1]).read().split())
*percents, rate = sys.argv[2].split()
assert rate == f"{total / 6:.1f}", (rate, total)
assert sys.argv[3].split() == [percents[0]] * 2
for count, percent in zip(over, percents, strict=True):
    low, high = ((count + d) * 100 / total for d in (-moved, moved))
    assert round(low, 2) <= float(percent) <= round(high, 2), (count, percent, moved)
PYTHON
		fail "$1: the table has other figures than result.json: $(cat table counts)"
}

stream='.streams[] | select(.name == "%s")'
figures reads ".slices[0] | $(printf "$stream" reads)"
figures large-block-writes ".slices[0] | $(printf "$stream" large-block-writes)"
for drive in drive drive1; do
	figures "$PWD/$drive-reads" \
		".slices[0].devices[] | select(.name == \"$PWD/$drive\") | $(printf "$stream" reads)"
done

# Shorter slices: three rows, whose rates average to that of the whole.
latency -t 6 -h reads -n 1 -x
whole=$(row 1 3)
latency -t 2 -h reads -n 3 -e 3 -x
(($(awk '$1 ~ /^[0-9]+$/ && NF == 5' table | wc -l) == 3)) || fail "not three rows of five columns"
awk -v a="$whole" -v b="$(row avg 5)" 'BEGIN { d = a - b; exit d * d > 0.04 }' ||
	fail "the rate is $whole, but the average of the slices $(row avg 5)"
