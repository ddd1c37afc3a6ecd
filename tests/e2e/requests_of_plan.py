#!/usr/bin/env python3
"""requests_of_plan.py DEVICE_BYTES RUN...

Whether what the laboratory was asked for is what the plan says, in RUN.plan (see plan.py).
RUN/result.json is the run's result, and RUN.1.answers and so on are the laboratory's
log of each device. Of each stream on each device are checked: the number of requests, within 1 in each phase, and in the result;
the share of each size; the share of requests that go on where the last such ended;
the region. Prints a line for each stream; exits 1 where one is other than planned.

Shares are exact over any DECK requests, so those of the rest are as of a draw from so many
cards, of which 6 standard deviations are allowed.
"""
import csv
import json
import sys
from collections import Counter, defaultdict
from math import ceil, sqrt
from types import SimpleNamespace

import plan
from plan import DECK

LABEL_BYTES = 1 << 20  # the beginning of a device, where no stream ever is
BLOCK = 512
LATE_NS = 10**9  # by so much two requests of a stream may have overtaken each other


def requests(path):
    with open(path, encoding="ascii") as file:
        for kind, arrived_ns, _, offset, length, *_ in csv.reader(file):
            request = SimpleNamespace(op=kind, at_ns=int(arrived_ns), offset=int(offset),
                                      length=int(length))
            request.end = request.offset + request.length
            if request.end > LABEL_BYTES:
                yield request


def size_of(stream, length):
    """The index of the stream's size that has this length; None: it has none."""
    for i, (least, most, _) in enumerate(stream.sizes):
        if ceil(least / BLOCK) * BLOCK <= length <= ceil(most / BLOCK) * BLOCK:
            return i
    return None


def region_of(stream, device_bytes):
    start, end = (int(device_bytes * part) // BLOCK * BLOCK for part in stream.region)
    return max(start, LABEL_BYTES), end


def owner(streams, request, device_bytes):
    """The only stream that can have issued it."""
    owners = []
    for stream in streams:
        start, end = region_of(stream, device_bytes)
        if (stream.op == request.op and size_of(stream, request.length) is not None
                and start <= request.offset and request.end <= end):
            owners.append(stream)
    if len(owners) != 1:
        names = ", ".join(stream.name for stream in owners) or "no stream"
        sys.exit(f"{request.op} of {request.length} at {request.offset}: of {names}")
    return owners[0].name


def longest_sequence(found):
    """How many requests at most go on, each where one before it ended."""
    best = defaultdict(list)  # by offset: moment, and length of the sequence from there
    for request in sorted(found, key=lambda request: -request.offset):
        behind = [length for at_ns, length in best[request.end]
                  if at_ns > request.at_ns - LATE_NS]
        best[request.offset].append((request.at_ns, 1 + max(behind, default=0)))
    return max((length for lengths in best.values() for _, length in lengths), default=0)


def is_share(hits, total, share):
    rest = total % DECK
    spread = sqrt(rest * share * (1 - share) * (DECK - rest) / (DECK - 1))
    return abs(hits - total * share) <= 1 + 6 * spread


def problems(stream, phases, found, counted):
    """What is wrong with a stream on a device, and a line on it."""
    total, wrong = len(found), []
    planned = plan.count(phases, stream.name)
    if abs(total - planned) > len(phases):
        wrong.append(f"{float(planned):.2f} were planned")
    if not counted["planned"] == counted["issued"] == counted["completed"] == total:
        wrong.append(f"the result has {counted['planned']} planned, {counted['issued']} issued, "
                     f"{counted['completed']} completed")
    text = [f"{stream.name} {total}"]
    lengths = Counter(size_of(stream, request.length) for request in found)
    for i, (least, _, share) in enumerate(stream.sizes):
        text.append(f"{lengths[i]} of {least}")
        if not is_share(lengths[i], total, share):
            wrong.append(f"{float(total * share):.2f} of {least} were asked for")
    in_sequence = longest_sequence(found)
    text.append(f"{in_sequence} in sequence")
    # At random places a few follow each other, too.
    if not any(is_share(in_sequence - chance, total, 1 - stream.places) for chance in range(7)):
        wrong.append(f"{float(total * (1 - stream.places)):.2f} in sequence were asked for")
    return ", ".join(text), wrong


def check(run, device_bytes):
    """Returns whether all is as planned."""
    streams, phases = plan.parse(f"{run}.plan")
    devices = json.load(open(f"{run}/result.json", encoding="utf-8"))["devices"]
    well = True
    for number, device in enumerate(devices, 1):
        here = [stream for stream in streams if stream.devices is None or number in stream.devices]
        found = defaultdict(list)
        for request in requests(f"{run}.{number}.answers"):
            found[owner(here, request, device_bytes)].append(request)
        for stream in here:
            counted = next(one for one in device["streams"] if one["name"] == stream.name)
            text, wrong = problems(stream, phases, found[stream.name], counted)
            print(f"{run}, device {number}: {text}", *wrong, sep="; ")
            well &= not wrong
    return well


def main(device_bytes, *runs):
    results = [check(run, int(device_bytes)) for run in runs]
    sys.exit(not all(results))


main(*sys.argv[1:])
