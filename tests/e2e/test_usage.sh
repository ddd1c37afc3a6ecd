#!/bin/bash
# Wrong command lines end with status 2 and say what is wrong; help is no error.
source "$(dirname "$0")/lib.sh"

expect 2 "$ACTCERT"
expect 2 "$ACTCERT" no-such-subcommand
expect_text err no-such-subcommand
expect 2 "$ACTCERT" run --no-such-option
expect_one_line err no-such-option
expect 2 "$ACTCERT" run --duration
expect_one_line err --duration
expect 2 "$ACTCERT" analyze
expect 2 "$ACTCERT" analyze missing.log
expect_one_line err missing.log

expect 2 "$ACTCERT" analyze missing.log --columns lags
expect_one_line err "--columns" "response, service, lag, submit, act"
expect 2 "$ACTCERT" analyze missing.log --columns lag --format json
expect_one_line err "--columns"

expect 0 "$ACTCERT" --help
expect_text out run prep analyze selftest
expect 0 "$ACTCERT" run --help
expect_text out --duration --destroy-data
expect 0 "$ACTCERT" --version
