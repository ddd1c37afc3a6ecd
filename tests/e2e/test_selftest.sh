#!/bin/bash
# selftest measures what this host can issue, says whether it can certify a load, and
# leaves nothing behind. How fast this machine is, is not tested.
source "$(dirname "$0")/lib.sh"
export TMPDIR=$PWD

expect '0|5' "$ACTCERT" selftest --load 1x --duration 3s
expect_text out "asked load: 1x reads, 1x writes, on an engine that does nothing" "issued " \
	"lag        p50 " "hiccups " "CPU " "highest rate with 99.9 % at most 50 us late: " "can"

# More than any host can issue, and its limits are kept from being told as PASS.
expect 5 "$ACTCERT" selftest --load 10000x --workers 2 --duration 2s
expect_text out "INVALID, this host cannot certify that load: without any I/O, "

# A config's load and devices, which are neither opened nor made.
need_io_uring
expect '0|5' "$ACTCERT" selftest "$REPOSITORY/configs/quickstart.cfg" --load 0.5x --duration 2s \
	--file "$PWD/missing:1GiB" --device /dev/not-there
expect_text out "asked load: 0.5x reads, 0.5x writes, as no-operations through a real io_uring"
[[ ! -e missing ]] || fail "the file was made"

# Before a run, for its log.
expect "$verdict" "$ACTCERT" run --device none --set engine=null --load 1x --duration 1s \
	--slice 1s --set selftest=1s --columns lag,act --out result
expect_text result/run.log '"selftest":"' '"selftest_certifiable":"' '"selftest_lag_p999_ns":"'
expect_text out "act%>1ms" "lag p99"

start "$ACTCERT" selftest --duration 1m
sleep 1
kill -INT "$started"
wait_status 130

expect 2 "$ACTCERT" selftest --duration 1s
expect_one_line err "--duration 1s: allowed: 2s to 10m"
expect 2 "$ACTCERT" selftest --load 30
expect_one_line err --load
expect 0 "$ACTCERT" selftest --help
expect_text out --workers
[[ -z $(find . -name 'actcert-selftest*') ]] || fail "something was left behind"
