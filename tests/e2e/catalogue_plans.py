#!/usr/bin/env python3
"""catalogue_plans.py NAME=PRINTED...

Whether each PRINTED, what `actcert run --print-config` prints of configs/NAME.cfg, has the
plan, the slices and the limits that the catalogue promises, and whether each job is there.
What is promised stands in JOBS: published profiles and levels, with rates that follow from
the load model of ACT. It shares nothing with the program; plan.py reads what that prints.
"""
import re
import sys
from fractions import Fraction

import plan
from plan import DECK

KIB, MB = 1024, 1000 * 1000
MINUTE, HOUR = 60, 3600
ACT = "1ms:5% 8ms:1% 64ms:0.1%"
RECORD, BLOCK, PAGE = [(1536, 1)], [(128 * KIB, 1)], [(4 * KIB, 1)]


def stream(op, sizes, judged, random=Fraction(1), devices=None):
    """What a stream is, but for its rate; sizes are (bytes, weight)."""
    return {"op": op, "sizes": sizes, "judged": judged, "random": random, "devices": devices}


def storage_rates(read_x, write_x, commit=False, defrag_reads=True):
    """1x: 2000 reads/s and 1000 record writes/s; blocks of 128 KiB hold 85 records of 1536
    bytes; with the low-water mark at 50 % each block that clients fill is written twice."""
    blocks = Fraction(1000 * write_x, BLOCK[0][0] // RECORD[0][0])
    return {"reads": Fraction(2000 * read_x),
            "large-block-reads": 2 * blocks * defrag_reads,
            "large-block-writes": blocks if commit else 2 * blocks,
            "writes": Fraction(1000 * write_x * commit)}


STORAGE_STREAMS = {
    "reads": stream("read", RECORD, True),
    "large-block-reads": stream("read", BLOCK, False),
    "large-block-writes": stream("write", BLOCK, False),
    "writes": stream("write", RECORD, True),
}


def storage(rates, seconds=24 * HOUR, slice_s=HOUR, judged=("reads", "writes")):
    streams = {name: dict(made, judged=name in judged)
               for name, made in STORAGE_STREAMS.items() if rates[name]}
    return {"slice": slice_s, "streams": streams, "phases": [("", seconds, True, rates)]}


def storage_phases(slice_s, phases):
    job = storage(phases[0][3], slice_s=slice_s)
    return dict(job, phases=phases)


def index(read_x, write_x):
    """Each write looks its record up; with the low-water mark at 50 % two pages are read
    and written for it."""
    cache = Fraction(2 * 1000 * write_x)
    return {"slice": HOUR,
            "streams": {"reads": stream("read", PAGE, True),
                        "writes": stream("write", PAGE, False)},
            "phases": [("", 24 * HOUR, True,
                        {"reads": 2000 * read_x + 1000 * write_x + cache, "writes": cache})]}


def mix(per_sec, read_share, read_kib, write_kib, random):
    """Sizes are {KiB: share of them all}."""
    read_share = Fraction(read_share) / 100

    def sizes(kib):
        return [(each * KIB, Fraction(share)) for each, share in kib.items()]

    return {"slice": 5 * MINUTE,
            "streams": {"reads": stream("read", sizes(read_kib), True, Fraction(random)),
                        "writes": stream("write", sizes(write_kib), True, Fraction(random))},
            "phases": [("", HOUR, True, {"reads": per_sec * read_share,
                                         "writes": per_sec * (1 - read_share)})]}


def oltp(kib, per_sec):
    return mix(per_sec, "70", {kib: 1}, {kib: 1}, "1")


def pressure():
    phases = [("no writes", MINUTE, True, {"reads": 10000, "writes": 0})]
    for mb in range(10, 851, 10):
        phases.append((f"writes {mb}MB/s", MINUTE, True,
                       {"reads": 10000, "writes": Fraction(mb * MB, 4 * KIB)}))
    return {"slice": MINUTE, "thresholds": "200us:50% 1ms:1% 8ms:0.1%", "phases": phases,
            "streams": {"reads": stream("read", PAGE, True),
                        "writes": stream("write", PAGE, False)}}


def neighbours():
    phases = [("alone", 10 * MINUTE, True, {"writes": 0, "reads": 10000})]
    for mb in range(50, 301, 50):
        phases.append((f"neighbours {mb}MB/s", 10 * MINUTE, True,
                       {"writes": Fraction(mb * MB, 128 * KIB), "reads": 10000}))
    return {"slice": 10 * MINUTE, "phases": phases,
            "streams": {"writes": stream("write", BLOCK, False, Fraction(0), {1, 2, 3}),
                        "reads": stream("read", PAGE, True, devices={4, 5, 6})}}


def recovery():
    full, none = storage_rates(30, 30), storage_rates(0, 0)
    phases = [("before", 10, full), ("idle 1m", 1, none), ("after 1m", 5, full),
              ("idle 10m", 10, none), ("after 10m", 5, full), ("idle 50m", 50, none),
              ("after 50m", 9, full)]
    return storage_phases(MINUTE, [(name, minutes * MINUTE, rates is full, rates)
                                   for name, minutes, rates in phases])


# The profiles of Pure Storage for VDBench: read share, sizes of reads and of writes.
ORACLE = {4: "22.1", 8: "37.3", 16: "19.12"}
SQL_SERVER = {8: "53.57", 64: "28.75"}, {4: "27.85", 8: "35.24", 64: "26.35"}
VDI = {4: "39.35", 16: "16.47", 32: "10.37", 64: "12.86"}, {4: "61.11", 8: "13.05"}
VSI = {4: "25.68", 8: "26.31", 60: "10.52"}, {4: "59.62", 8: "14.81"}

JOBS = {
    "quickstart": storage(storage_rates(1, 1), MINUTE, 10),
    "certify-10x": storage(storage_rates(10, 10)),
    "certify-30x": storage(storage_rates(30, 30)),
    "certify-60x": storage(storage_rates(60, 60)),
    "certify-100x": storage(storage_rates(100, 100)),
    "stress-60x": storage(storage_rates(60, 60)),
    "stress-300r-150w": storage(storage_rates(300, 150)),
    "soak-nightly": storage(storage_rates(30, 30), 8 * HOUR, HOUR // 2),
    "index-30x": index(30, 30),
    "commit-to-device-30x": storage(storage_rates(30, 30, commit=True)),
    "engine-memory": storage(storage_rates(0, 30, defrag_reads=False),
                             judged=("large-block-writes",)),
    "mix-oracle": mix(20000, "83.14", ORACLE, ORACLE, "0.8"),
    "mix-sql-server": mix(20000, "68.42", *SQL_SERVER, "0.8"),
    "mix-vdi": mix(20000, "59.48", *VDI, "0.8"),
    "mix-vsi": mix(20000, "57.4", *VSI, "0.8"),
    "mix-70-30-4k": oltp(4, 100000),
    "mix-70-30-8k": oltp(8, 50000),
    "mix-70-30-16k": oltp(16, 25000),
    "write-pressure": pressure(),
    "noisy-neighbour": neighbours(),
    "ramp-up": storage_phases(5 * MINUTE, [
        (f"load {x}x", 5 * MINUTE, True, storage_rates(x, x)) for x in range(3, 31, 3)]),
    "idle-recovery": recovery(),
}


def deal(weights):
    """The deck: each weight's cards of 10 000, by the method of the largest remainder."""
    due = [Fraction(weight) * DECK / sum(Fraction(w) for w in weights) for weight in weights]
    cards = [int(each) for each in due]
    by_rest = sorted(range(len(due)), key=lambda i: cards[i] - due[i])
    for i in by_rest[:DECK - sum(cards)]:
        cards[i] += 1
    return cards


def promised_sizes(sizes):
    """As plan.py has them: [(least, most, share)]."""
    cards = deal([weight for _, weight in sizes])
    return [(size, size, Fraction(count, DECK)) for (size, _), count in zip(sizes, cards)]


def check_stream(made, promised):
    assert made.op == promised["op"], made
    assert made.dsync == (promised["op"] == "write"), made
    assert made.judged == promised["judged"], made
    assert made.places == promised["random"], made
    assert made.region == [0, 1] and made.devices == promised["devices"], made
    assert made.sizes == promised_sizes(promised["sizes"]), made


def check_phases(made, promised, names):
    assert len(made) == len(promised), len(made)
    for phase, (name, seconds, judged, rates) in zip(made, promised):
        assert (phase.name, phase.seconds, phase.judged) == (name, seconds, judged), phase
        assert phase.rates == {each: rates[each] for each in names}, phase


def check(path, promised):
    streams, phases = plan.parse(path)
    config = open(path, encoding="ascii").read()

    def key(name):
        return re.search(f"^{name} = (.*)$", config, re.MULTILINE)[1]

    names = [made.name for made in streams]
    assert names == list(promised["streams"]), names
    for made in streams:
        check_stream(made, promised["streams"][made.name])
    check_phases(phases, promised["phases"], names)
    assert plan.seconds(key("duration")) == sum(phase.seconds for phase in phases)
    assert plan.seconds(key("slice")) == promised["slice"], key("slice")
    limits = " ".join(re.findall(r'"([^"]*)"', key("thresholds")))
    assert limits == promised.get("thresholds", ACT), limits


def main(arguments):
    printed = dict(argument.split("=", 1) for argument in arguments)
    assert sorted(printed) == sorted(JOBS), sorted(set(printed) ^ set(JOBS))
    for name, path in printed.items():
        try:
            check(path, JOBS[name])
        except AssertionError as error:
            raise SystemExit(f"{name}: not as promised: {error}")


main(sys.argv[1:])
