# Counts in a log of the older tool, without our reader: for each slice and histogram,
# "NUMBER HISTOGRAM TOTAL OVER...", over 1, 8 and 64 ms (in logs of microseconds 1.024,
# 8.192 and 65.536). Use: awk -v slice=SECONDS -f table.awk LOG. Histograms have the names of 6.x.
function print_slice(number,    i, name, k, line)
{
	for (i = 1; i <= names; i++) {
		name = order[i]
		line = number " " name " " total[name] - base[name]
		for (k = 1; k <= 3; k++)
			line = line " " over[name, k] - base[name, k]
		print line
		base[name] = total[name]
		for (k = 1; k <= 3; k++)
			base[name, k] = over[name, k]
	}
	printed = second
}
/^microsecond-histograms: yes/ { shift_by = 10 }
/^Aerospike/ { old = 1 }
/^[Aa]fter [0-9]+ sec:/ { second = $2; writes = ""; next }
/ total\)$/ {
	count = $(NF - 1)
	sub(/^\(/, "", count)
	current = $0
	sub(/ *\([0-9]+ total\)$/, "", current)
	if (old && current ~ /^\//)
		current = current (writes ? "-writes" : "-reads")
	else if (old) {
		writes = current == "RAW WRITES"
		current = tolower(current)
		sub(/^raw/, "device", current)
		gsub(/ /, "-", current)
	}
	if (!(current in total))
		order[++names] = current
	total[current] = count
	for (k = 1; k <= 3; k++)
		over[current, k] = 0
	next
}
/^ \(/ {
	gsub(/[():]/, " ")
	for (i = 1; i < NF; i += 2) # over 2^0, 2^3, 2^6 units: buckets from 1, 4, 7 on
		for (k = 1; k <= 3; k++)
			if ($i + 0 >= 3 * k - 2 + shift_by)
				over[current, k] += $(i + 1)
	next
}
/^$/ && second > printed && second % slice == 0 { print_slice(second / slice) }
END { if (second > printed) print_slice(int((second - 1) / slice) + 1) }
