#!/bin/bash
# The README's table of keys is what the program says of itself, and the files
# that it names are there.
source "$(dirname "$0")/lib.sh"

expect 0 "$ACTCERT" run --help
sed -n '/^What is tested/,$p' out >told
sed -n '/^What is tested/,/^```/{/^```/d;p}' "$REPOSITORY/README.md" >written
diff written told >&2 || fail "the README's keys are not those of actcert run --help"

sed -n '/^```cfg/,/^```/{/^```/d;p}' "$REPOSITORY/README.md" >example.cfg
expect 0 "$ACTCERT" run example.cfg --device /dev/not-there --print-config
expect_text out 'duration = "1h15m"' '# phase writes 100MB/s: '

grep -o '](\([^)]*\))' "$REPOSITORY/README.md" | tr -d '()]' | while read -r file; do
	[[ -e $REPOSITORY/${file%%#*} ]] || fail "the README names $file"
done
grep -o '`[a-z0-9-]*\.cfg`' "$REPOSITORY/README.md" | tr -d '\`' | while read -r file; do
	[[ -e $REPOSITORY/configs/$file || $file == config.cfg ]] || fail "the README names $file"
done
