#!/bin/bash
# What a config must not say ends with status 2 and one line that names the
# place; nothing has been written by then.
source "$(dirname "$0")/lib.sh"

# refuse TEXT LINE: LINE is line 2 of a config that is good without it.
refuse()
{
	printf '%s\n' 'files = ["data:64MiB"];' "$2" >bad.cfg
	expect 2 "$ACTCERT" run bad.cfg --duration 10s --slice 10s --out result
	expect_one_line err bad.cfg:2 "$1"
	[[ ! -e data && ! -e result ]] || fail "was written in spite of: $2"
}

refuse no_such_key 'no_such_key = 1;'
refuse interval 'interval = 1;'
refuse interval 'interval = "1 fortnight";'
refuse interval 'interval = true;'
refuse interval 'interval = "999999999999999999999h";'
refuse '' 'interval = ;'

# refuse_argument TEXT ARGUMENT...
refuse_argument()
{
	local text=$1
	shift
	expect 2 "$ACTCERT" run --file data:64MiB --duration 10s --slice 10s --out result "$@"
	expect_one_line err "$text"
	[[ ! -e data && ! -e result ]] || fail "was written in spite of: $*"
}

refuse_argument duration --duration 24
refuse_argument duration --duration '3 x 60'
refuse_argument load --load 30
refuse_argument no_such_key --set no_such_key=1
refuse_argument data --file data:128MiB
refuse_argument slice --slice 1h
refuse_argument missing.cfg missing.cfg
refuse_argument no-such-device --device /dev/no-such-device
