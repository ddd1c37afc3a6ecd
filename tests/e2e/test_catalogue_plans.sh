#!/bin/bash
# Each job of the catalogue compiles to its golden plan, and that is the plan that follows
# from the profiles as they were published; the README names them all. With RECORD=NAME, or
# RECORD=all, the plan becomes the golden one.
source "$(dirname "$0")/lib.sh"
golden=$REPOSITORY/tests/golden/plans printed=()

for config in "$REPOSITORY"/configs/*.cfg; do
	name=$(basename "$config" .cfg)
	mapfile -t targets < <(job_targets "$config")
	expect 0 "$ACTCERT" run "$config" "${targets[@]}" --print-config
	mv out "$name"
	printed+=("$name=$name")
	sed -n '/^# What follows from this config/,$p' "$name" >"$name.plan"
	[[ ${RECORD-} != @(all|"$name") ]] || cp "$name.plan" "$golden/"
	grep -q "^|.*\`$name.cfg\`.*|" "$REPOSITORY/README.md" || fail "$name is not in the README"
	diff "$golden/$name.plan" "$name.plan" >&2 || fail "not the golden plan of $name"
done

for plan in "$golden"/*; do
	[[ -e $(basename "$plan") ]] || fail "no job has the plan $plan"
done

python3 "$REPOSITORY/tests/e2e/catalogue_plans.py" "${printed[@]}" ||
	fail "the plans are not what the profiles ask for"
