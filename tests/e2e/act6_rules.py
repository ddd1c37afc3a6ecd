#!/usr/bin/env python3
"""act6_rules.py LOG SLICE HISTOGRAM...

What an analyzer that follows the documented rules of ACT 6 finds in LOG: a row
"HISTOGRAM SLICE-NUMBER TOTAL OVER-2^0 %-OVER-2^0 OVER-2^1 %-OVER-2^1 ..." for each
whole slice, and "avg" and "max" rows of the percentages. Written for tests; it shares
nothing with the program. The rules: blocks begin with "after N sec:" and end at an
empty line; counts are cumulative; the block at each multiple of the slice is taken;
a histogram is found by the beginning of its line; bucket 0 is below 1 unit, bucket k
below 2^k; percentages have two decimals, and the average is one of these.
"""
import re
import sys

SHOWN = 17


def rows(path, slice_sec, histograms):
    wanted, block = slice_sec, None
    for line in open(path, encoding="ascii"):
        if line.startswith(f"after {wanted} sec:"):
            block, current = {}, None
        elif block is None:
            continue
        elif not line.strip():
            yield block
            wanted, block = wanted + slice_sec, None
        elif line.startswith(" "):
            for bucket, count in re.findall(r"\((\d+): (\d+)\)", line):
                if current is not None:
                    current[1][int(bucket)] = int(count)
        else:
            # As the older tool: the first histogram asked for with which the line begins.
            name = next((name for name in histograms if line.startswith(name)), None)
            current = (int(re.search(r"\((\d+) total\)", line)[1]), {}) if name else None
            if name:
                block[name] = current


def main(path, slice_sec, *histograms):
    before = {name: (0, {}) for name in histograms}
    percents = {name: [] for name in histograms}
    for number, block in enumerate(rows(path, int(slice_sec), histograms), 1):
        for name in histograms:
            total, counts = block[name]
            total_before, counts_before = before[name]
            over, row = total - total_before, []
            whole = over
            for k in range(SHOWN):
                over -= counts.get(k, 0) - counts_before.get(k, 0)
                row.append((over, round(over * 100 / whole, 2) if whole else 0.0))
            print(name, number, whole, *(f"{o} {p:.2f}" for o, p in row))
            percents[name].append([p for _, p in row])
        before = block
    for name in histograms:
        columns = list(zip(*percents[name]))
        print(name, "avg", *(f"{sum(c) / len(c):.2f}" for c in columns))
        print(name, "max", *(f"{max(c):.2f}" for c in columns))


main(*sys.argv[1:])
