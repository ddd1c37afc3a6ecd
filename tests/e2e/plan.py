#!/usr/bin/env python3
"""plan.py SECONDS PLAN...

PLAN is what run --print-config prints. For each prints how many seconds each of its phases
may have for all or the first of them to fill so many in all; and the scale with which the
busiest of its streams then has DECK requests where there are shares to be counted,
otherwise FEW.
"""
import re
import sys
from fractions import Fraction
from math import ceil
from types import SimpleNamespace

DECK = 10000  # over so many requests shares are exact
FEW = 1000
SECONDS = {"ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "ms": Fraction(1, 1000),
           "s": 1, "m": 60, "h": 3600, "d": 86400}
BYTES = {"": 1, "k": 1000, "M": 1000**2, "G": 1000**3,
         "Ki": 1024, "Mi": 1024**2, "Gi": 1024**3}


def seconds(text):
    return sum(Fraction(number) * SECONDS[unit]
               for number, unit in re.findall(r"([0-9.]+)([a-z]+)", text))


def size(text):
    number, unit = re.fullmatch(r"([0-9.]+)([A-Za-z]*)B", text).groups()
    return int(Fraction(number) * BYTES[unit])


def share(text):
    return Fraction(text.rstrip("%")) / 100


def sizes(text):
    """[(least, most, share)], in bytes"""
    result = []
    for part in text.split(", "):
        span, _, of_all = part.partition(" ")
        least, _, most = span.partition("..")
        result.append((size(least), size(most or least), share(of_all or "100%")))
    return result


def random_share(text):
    return share(text.split()[0]) if "%" in text else Fraction(text == "random")


def numbers(text):
    """The set of "1-3,5"; None is all."""
    if text == "all":
        return None
    ends = [part.split("-") for part in text.split(",")]
    return {number for end in ends for number in range(int(end[0]), int(end[-1]) + 1)}


def rate(text):
    if text == "rests":
        return Fraction(0)
    return Fraction(text.rpartition(" ")[2].removesuffix("/s"))


MEMBERS = {"sizes": sizes, "places": random_share, "devices": numbers,
           "region": lambda text: [share(end) for end in text.split("..")]}


def parse(path):
    """Streams and phases; rates are for each device, and lengths in seconds."""
    streams, phases = [], []
    for line in open(path, encoding="utf-8"):
        stream = re.match(r"# stream (.*): (read|write)s(, O_DSYNC)?, (not )?judged", line)
        phase = re.match(r"# (?:phase (.*): (\S+) to|for) (\w+)(, not judged)?", line)
        member = re.match(r"#   (\S.*?)  +(\S.*)", line)
        if stream:
            streams.append(SimpleNamespace(name=stream[1], op=stream[2], dsync=bool(stream[3]),
                                           judged=not stream[4]))
        elif phase and streams:
            phases.append(SimpleNamespace(name=phase[1] or "", judged=not phase[4], rates={},
                                          seconds=seconds(phase[3]) - seconds(phase[2] or "0s")))
        elif member and phases:
            phases[-1].rates[member[1]] = rate(member[2])
        elif member and streams and member[1] in MEMBERS:
            setattr(streams[-1], member[1], MEMBERS[member[1]](member[2]))
    return streams, phases


def count(phases, name):
    return sum(phase.seconds * phase.rates[name] for phase in phases)


def smoke_test(path, whole):
    streams, phases = parse(path)
    length = ceil(whole / len(phases))
    shortened = [SimpleNamespace(seconds=max(0, min(length, whole - i * length)),
                                 rates=phase.rates) for i, phase in enumerate(phases)]
    busiest = max(count(shortened, stream.name) for stream in streams)
    shared = any(len(stream.sizes) > 1 or 0 < stream.places < 1 for stream in streams)
    return length, float(100 * (DECK if shared else FEW) / busiest)


def main(whole, *paths):
    for path in paths:
        length, percent = smoke_test(path, int(whole))
        print(f"{length}s {percent:.6f}%")


if __name__ == "__main__":
    main(*sys.argv[1:])
