"""pulse.py: how often, until SIGTERM, sleeps of 1 ms end late on each CPU.

Prints, over all CPUs, the microseconds by which those were late that were late by
0.5 ms or more: times in which a program of the same priority, too, would have waited.
"""
import os
import signal
import time

CPUS_MAX = 16
SLEEP_NS = 1000000
LATE_NS = 500000
stop = False


def end(_signal, _frame):
    global stop
    stop = True


def beat(cpu):
    late_ns = 0
    os.sched_setaffinity(0, {cpu})
    while not stop:
        start = time.monotonic_ns()
        time.sleep(SLEEP_NS / 1e9)
        late = time.monotonic_ns() - start - SLEEP_NS
        if late >= LATE_NS:
            late_ns += late
    return late_ns // 1000


signal.signal(signal.SIGTERM, end)
children = []
for cpu in sorted(os.sched_getaffinity(0))[:CPUS_MAX]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, b"%d" % beat(cpu))
        os._exit(0)
    children.append((child, reader))
while not stop and os.getppid() != 1:
    time.sleep(0.05)
for child, _ in children:
    os.kill(child, signal.SIGTERM)
print(sum(int(os.read(reader, 32)) for _, reader in children))
