#!/bin/bash
# 3 % of the reads take 2 ms longer: that is what the run says, and it calls no
# read faster than the laboratory served it.
source "$(dirname "$0")/lib.sh"
source "$(dirname "$0")/lab.sh"
start_lab $((64 << 20))

# measure NAME SECONDS: a run, then its result in NAME/result.json and how long
# the laboratory took for each of its reads, in ns, in NAME.served.
measure()
{
	local name=$1 seconds=$2 before

	lab log
	before=$(wc -l <truth)
	expect "$verdict" "$ACTCERT" run --file lab/data:64MiB "${lab_load[@]}" --read-load 2x \
		--duration "${seconds}s" --slice "${seconds}s" --out "$name"
	lab log
	tail -n +$((before + 1)) truth | awk -F, '$1 == "read" { print $3 - $2 }' >"$name.served"
}

# figure NAME FILTER: of the reads in the run's result.
figure()
{
	jq ".streams[] | select(.name == \"reads\") | $2" "$1/result.json"
}

measure quiet 3
lab delay-share 3/100 2000000
measure delayed 8
stop_lab

total=$(figure delayed .completed)
over=$(figure delayed '.thresholds[0].over')
service_over=$(figure delayed '.thresholds[0].service_over')
served=$(wc -l <delayed.served)
served_over=$(awk '$1 >= 1000000' delayed.served | wc -l)
late=$((over - service_over)) # how often this host was late to issue one
echo "reads $total: over 1 ms $over, service $service_over, laboratory $served_over of $served"
# The laboratory has seen a few reads more: those that try the file.
((total == 32000 && served - total <= 10)) || fail "there are to be 32 000 reads"
((served_over >= 959)) || fail "the laboratory did not delay 3 %"
((service_over >= served_over - 1 && over >= service_over)) || fail "delayed reads were missed"
noise=$((total * 2 / 1000))
((EUID == 0)) || noise=$((total * 2 / 100)) # its laboratory has no real-time priority
((service_over <= served_over + noise + late)) || fail "more reads were slow than the laboratory's"

# Nothing is faster than it was served.
for percent in 50 99 99.9; do
	ours=$(figure delayed ".service.p${percent/./}_ns")
	theirs=$(quantile "$percent" <delayed.served)
	echo "p$percent: service $ours ns, laboratory $theirs ns"
	((ours >= theirs)) || fail "the run calls reads faster than they were"
done
minimum=$(sed -n 's/^# \({"histogram".*\)/\1/p' delayed/run.log |
	jq -s '[.[].histogram | select(.span == "service").min_ns] | min')
theirs=$(quantile 0 <delayed.served)
echo "minimum: service $minimum ns, laboratory $theirs ns"
((minimum >= theirs)) || fail "the run calls a read faster than any was"

# Nor is it much slower than the way there and back takes.
way=$(($(figure quiet .service.p50_ns) - $(quantile 50 <quiet.served)))
beyond=$(($(figure delayed .service.p50_ns) - $(quantile 50 <delayed.served) - way))
echo "there and back $way ns, beyond that $beyond ns"
((beyond < 1000000)) || fail "the median is far above the laboratory's"
