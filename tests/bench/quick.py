"""Counters that hardly vary, even where others keep the CPUs busy, and their limits."""
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
    growth_mib: float      # after the first second of load
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
        seen.append(max(workers(pid), default=(0, 0)))
    actcert.while_running = look
    leg = actcert.leg(file, read_x, 0, seconds)
    actcert.while_running = None
    # Five looks a second; not those at start and end.
    steady = [memory for memory in seen if memory[0]][6:-2]
    (first_kib, first_faults), (last_kib, last_faults) = steady[0], steady[-1]
    return Memory(last_kib / 1024, (last_kib - first_kib) / 1024,
                  (last_faults - first_faults) / leg.reads * seconds / (len(steady) / 5))


def counters(bench, file):
    """Rows of what, unit, limit, and the values of all legs."""
    actcert, legs, memories = bench.actcert, {}, []
    for _ in range(bench.pairs):
        for wait in ("precise", "eco"):
            actcert.wait = wait
            legs.setdefault(wait, []).append(actcert.leg(file, READ_X, 0, LEG_SECONDS).more)
        actcert.wait = "precise"
        memories.append(watch_memory(actcert, file, BUSY_X, MEMORY_SECONDS))
    both = legs["precise"] + legs["eco"]
    return [("errors", 0, [leg["errors"] for leg in both]),
            ("requests issued and not back at the end", 0, [leg["lost"] for leg in both]),
            ("voluntary context switches per read, precise", 0.02,
             [leg["voluntary"] for leg in legs["precise"]]),
            # A tick is due for every six reads; where ticks are late there are fewer.
            ("voluntary context switches per read, eco", 0.2,
             [leg["voluntary"] for leg in legs["eco"]]),
            ("memory of a worker at 300x, MiB", 64, [seen.rss_mib for seen in memories]),
            ("its growth, MiB", 1, [seen.growth_mib for seen in memories]),
            ("its page faults per read", 0.001, [seen.faults_per_read for seen in memories])]


def timing(bench, file):
    """Goals at 60 %, as (what, limit, ratios); bench.noise tells how busy others were."""
    opponents = [(bench.t_io_uring, 0.95), (bench.older, 7), (bench.fio, 7)]
    legs = {program.name: lambda program=program: program.most(
        file, TIMING_SECONDS).reads_per_cpu_second() for program, _ in opponents if program}
    if not legs:
        return []
    legs[bench.actcert.name] = lambda: bench.actcert.most(
        file, TIMING_SECONDS).reads_per_cpu_second()
    rounds = bench.rounds(legs, most=bench.pairs)
    return [(f"most reads on one core against {program.name}", SHARE_OF_GOAL * goal,
             [each[bench.actcert.name] / each[program.name] for each in rounds])
            for program, goal in opponents if program]


def check(bench):
    """Prints each counter, and the timing; 1 if one is beyond its limit, else 0. The best leg
    counts: others may be in the way of some, a fault is in all."""
    file, failed = bench.targets.never_written(), False
    for what, limit, values in counters(bench, file):
        over = min(values) > limit
        failed |= over
        print(f"{'OVER' if over else 'ok  '}  {what}: {min(values):.4g}, at most {limit} allowed")
    for what, limit, ratios in timing(bench, file):
        quiet = max(bench.noise) < bench.noisy_cpus
        low = max(ratios) < limit
        failed |= low and quiet
        word = ("LOW " if low else "ok  ") if quiet else "busy"
        print(f"{word}  {what}: {max(ratios):.3g}, at least {limit:.3g} wanted on a quiet host")
    return int(failed)
