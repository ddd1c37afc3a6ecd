"""Counters that hardly vary, even where others keep the CPUs busy, and their limits."""
import time
from dataclasses import dataclass

import machine

LEG_SECONDS = 1
MEMORY_SECONDS = 3
TIMING_SECONDS = 2
READ_X = 30
BUSY_X = 300
SHARE_OF_GOAL = 0.6


@dataclass
class Memory:
    rss_mib: float         # at the end
    growth_mib: float      # in the second half
    faults_per_read: float


def workers(pid):
    """The process and its children, by the memory that they have, as (KiB, page faults)."""
    pids = [pid] + [int(child) for child in machine.read_text(
        f"/proc/{pid}/task/{pid}/children").split()]
    seen = []
    for each in pids:
        fields = machine.read_text(f"/proc/{each}/stat").rpartition(")")[2].split()
        if len(fields) > 21:
            seen.append((int(fields[21]) * 4, int(fields[7])))
    return seen


def watch_memory(actcert, file, read_x, seconds):
    seen = []

    def look(pid):
        kib, faults = max(workers(pid), default=(0, 0))
        if kib:
            seen.append((time.monotonic(), kib, faults))
    actcert.while_running = look
    leg = actcert.leg(file, read_x, 0, seconds)
    actcert.while_running = None
    if len(seen) < 8:
        raise RuntimeError(f"only {len(seen)} looks at the memory in {seconds} s")
    # Not at the start, when memory is taken, nor at the end, when it is given back.
    (start, first_kib, first_faults), (end, last_kib, last_faults) = seen[len(seen) // 2], seen[-3]
    return Memory(last_kib / 1024, (last_kib - first_kib) / 1024,
                  (last_faults - first_faults) / (leg.reads * (end - start) / seconds))


def counters(bench, file):
    """Rows of what, its limit, and the values of all legs."""
    actcert, legs, memories = bench.actcert, {}, []
    for _ in range(bench.pairs):
        for wait in ("precise", "eco"):
            actcert.wait = wait
            legs.setdefault(wait, []).append(actcert.leg(file, READ_X, 0, LEG_SECONDS).more)
        actcert.wait = "precise"
        memories.append(watch_memory(actcert, file, BUSY_X, MEMORY_SECONDS))
    both = legs["precise"] + legs["eco"]
    return [("errors", 0, [sum(leg["errors"] for leg in both)]),
            ("requests issued and not back at the end", 0, [leg["lost"] for leg in both]),
            ("voluntary context switches per read, precise", 0.05,
             [leg["voluntary"] for leg in legs["precise"]]),
            # A tick is due for every six reads; where ticks are late there are fewer.
            ("voluntary context switches per read, eco", 0.2,
             [leg["voluntary"] for leg in legs["eco"]]),
            ("memory of a worker at 300x, MiB", 64, [seen.rss_mib for seen in memories]),
            ("its growth, MiB", 1, [seen.growth_mib for seen in memories]),
            ("its page faults per read", 0.001, [seen.faults_per_read for seen in memories])]


def timing(bench, file):
    """Goals of what is most, at 60 %, as (program, limit, ratios)."""
    opponents = [(bench.t_io_uring, 0.95), (bench.older, 7), (bench.fio, 7)]
    opponents = [(program, SHARE_OF_GOAL * goal) for program, goal in opponents if program]
    named = bench.t_io_uring or bench.older

    def leg(program):
        return lambda: program.most(file, TIMING_SECONDS).reads_per_cpu_second()
    rounds = bench.rounds({program.name: leg(program) for program in
                           (bench.actcert, *(program for program, _ in opponents))},
                          most=bench.pairs if named else 1)
    ours = bench.actcert.name
    return [(program, limit, [each[ours] / each[program.name] for each in rounds])
            for program, limit in opponents]


def check(bench):
    """Prints each counter, and the timing; 1 if one is beyond its limit, else 0. The best leg
    counts: others may be in the way of some, a fault is in all. Timing decides only beside
    programs that were named, and where nobody else was busy."""
    file, failed = bench.targets.never_written(), False
    for what, limit, values in counters(bench, file):
        over = min(values) > limit
        failed |= over
        print(f"{'OVER' if over else 'ok  '}  {what}: {min(values):.4g}, at most {limit} allowed")
    for program, limit, ratios in timing(bench, file):
        low = max(ratios) < limit
        decides = program is not bench.fio and max(bench.noise) < bench.noisy_cpus
        failed |= low and decides
        word = "ok  " if not low else "LOW " if decides else "low?"
        print(f"{word}  most reads on one core against {program.name}: {max(ratios):.3g}, "
              f"at least {limit:.3g} wanted; others took {max(bench.noise):.2f} CPUs")
    return int(failed)
