#!/bin/bash
# A config of act_index, and what it was given to: the load of an index, in the text format
# and with the tables of the older tool.
source "$(dirname "$0")/lib.sh"
need_io_uring

program=$(readlink -f "$(sed -n 's/^exec "\(.*\)" .*/\1/p' "$ACTCERT")")
mkdir bin
for name in act_storage act_index act_latency; do
	ln -s "$program" "bin/$name"
done
PATH=$PWD/bin:$PATH

# 0.05x each: 100 + 50 reads and the 100 of the cache, 100 writes per second.
cat >my.conf <<CONFIG
device-names: $PWD/drive
file-size-mbytes: 64
test-duration-sec: 3
read-reqs-per-sec: 100
write-reqs-per-sec: 50
CONFIG

# It does not say what it is of; act_index does.
expect "$verdict" act_index my.conf --set selftest=0s --set in-flight-cap=8 --out result
cmp out result/run.log || fail "standard output is not the log"
expect_text out 'Index device IO test' 'ACT-INDEX CONFIGURATION' \
	'service-thread-reads-per-sec: 150' 'cache-thread-reads-and-writes-per-sec: 100' \
	'reads (750 total)' "$PWD/drive-reads (750 total)" 'writes (300 total)'
expect_text result/config.cfg 'workload = "index"' 'read-load = "0.05x"'
expect_json result/result.json '[.streams[].name] == ["reads", "writes"]'
mv out act_out.txt
expect "$verdict" act_latency -l act_out.txt -t 3 -h reads -h writes -h "$PWD/drive-writes" -x
expect_text out reads writes

# The same in a config that says it, to whatever it is given but act_storage.
{ cat my.conf && echo 'cache-threads: 8'; } >index.conf
expect 0 "$ACTCERT" run --print-config index.conf
cp out index.cfg
expect_text err 'index.conf:6: cache-threads is of act_index'
own='^(#|$|in-flight-cap|selftest|seed)'
cmp <(grep -Ev "$own" index.cfg) <(grep -Ev "$own" result/config.cfg) ||
	fail "by its content it is another config than by the name of the program"
expect 0 "$ACTCERT" run --print-config index.cfg
cmp out index.cfg || fail "another when read again"
expect 0 act_storage index.conf --print-config
expect_text out 'workload = "storage"'
expect_text err 'cache-threads is of act_index'

echo 'record-bytes: 4096' >>index.conf
expect 2 "$ACTCERT" run index.conf --print-config
expect_text err 'index.conf:7 (record-bytes: 4096)' 'workload = index (index.conf:6'
