"""The programs that are compared: each does a leg, a few seconds of the same load on the same
target, with blocks of 1536 bytes (and large blocks of 128 KiB), O_DIRECT and O_DSYNC."""
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import machine

READS_PER_X, WRITES_PER_X = 2000, 1000
RECORD_BYTES = 1536
DEPTH, BATCH = 128, 32
NO_LIMIT_X = 10000


@dataclass
class Leg:
    """What a program did."""
    reads: int
    cpu_seconds: float
    mean_us: float = 0.0   # of reads
    kept_up: bool = True   # each stream completed 99 % of its plan
    more: dict = field(default_factory=dict)

    def reads_per_cpu_second(self):
        return self.reads / self.cpu_seconds

    def cpu_us_per_read(self):
        return self.cpu_seconds * 1e6 / self.reads


class Program:
    name = "?"

    def __init__(self, path, work):
        self.path, self.work = path, work

    def version(self):
        """What the source says that the program lies in."""
        told = subprocess.run(["git", "-C", Path(self.path).resolve().parent, "describe", "--tags",
                               "--always"], capture_output=True, text=True, check=False)
        return f"{self.path}, {told.stdout.strip() or 'version not told'}"

    def finish(self, spent, statuses=(0,)):
        if spent.status not in statuses:
            raise RuntimeError(f"{self.path}: status {spent.status}: {spent.output[-2000:]}")
        return spent


class Actcert(Program):
    name = "actcert"
    wait = "precise"
    while_running = None

    def version(self):
        told = machine.must([self.path, "--version"]).strip()
        if (self.work / "out" / "result.json").exists():
            told += f", built with {self.result()['environment']['host']['built_with']}"
        return told

    def result(self):
        return json.loads((self.work / "out" / "result.json").read_text())

    def leg(self, target, read_x, write_x, seconds, settings=()):
        shutil.rmtree(self.work / "out", ignore_errors=True)
        keys = {"wait": self.wait, "selftest": "0s", "verify": "off", "fill-files": "false",
                **dict(settings)}
        named = (["--device", target] if target.is_block_device()
                 else ["--file", f"{target}:{target.stat().st_size}B"])
        if write_x:
            named += ["--destroy-data", target]
        spent = self.finish(machine.run(
            [self.path, "run", *named, "--read-load", f"{read_x}x", "--write-load", f"{write_x}x",
             "--duration", f"{seconds}s", "--slice", f"{seconds}s", "--quiet",
             "--out", self.work / "out", *(f"--set={key}={value}" for key, value in keys.items())],
            while_running=self.while_running), (0, 1, 5))
        streams = self.result()["streams"]
        reads = streams[0]
        return Leg(reads["completed"], spent.cpu_seconds, reads["service"]["mean_ns"] / 1000,
                   all(s["completed"] >= 0.99 * s["planned"] for s in streams),
                   {"lag p50": reads["lag"]["p50_ns"] / 1000,
                    "lag p99": reads["lag"]["p99_ns"] / 1000,
                    "errors": sum(s["errors"] for s in streams),
                    "lost": sum(s["issued"] - s["completed"] for s in streams),
                    "voluntary": spent.voluntary / max(1, reads["completed"])})

    def most(self, target, seconds):
        return self.leg(target, NO_LIMIT_X, 0, seconds,
                        {"batch": BATCH, "in-flight-cap": DEPTH})


class ActStorage(Program):
    """The older tool, whose threads each wait for their request."""
    name = "older tool"
    thread_counts = (10, 40, 100)
    threads = 40

    def leg(self, target, read_x, write_x, seconds):
        config = self.work / "older.conf"
        config.write_text(
            f"device-names: {target}\nservice-threads: {self.threads}\n"
            f"test-duration-sec: {seconds}\nreport-interval-sec: 1\n"
            f"read-reqs-per-sec: {read_x * READS_PER_X}\n"
            f"write-reqs-per-sec: {write_x * WRITES_PER_X}\n"
            f"record-bytes: {RECORD_BYTES}\nmax-lag-sec: 0\nmicrosecond-histograms: yes\n")
        env = dict(os.environ)
        if not target.is_block_device():
            env["LD_PRELOAD"] = str(self.file_as_device())
        spent = self.finish(machine.run([self.path, config], env=env))
        totals, planned = self.last_totals(spent.output), self.planned(spent.output)
        reads, mean_us = totals["reads"]
        return Leg(reads, spent.cpu_seconds, mean_us,
                   all(totals.get(name, (0, 0))[0] >= 0.99 * seconds * per_sec
                       for name, per_sec in planned.items() if per_sec))

    def most(self, target, seconds):
        return self.leg(target, NO_LIMIT_X, 0, seconds)

    def file_as_device(self):
        library = self.work / "file_as_device.so"
        if not library.exists():
            source = Path(__file__).with_name("file_as_device.c")
            machine.must(["cc", "-shared", "-fPIC", "-O2", "-o", library, source])
        return library

    @staticmethod
    def planned(output):
        def told(key):
            return float(re.search(rf"^{key}: ([0-9.]+)", output, re.M).group(1))
        return {"reads": told("internal-read-reqs-per-sec"),
                "large-block-reads": told("large-block-reads-per-sec"),
                "large-block-writes": told("large-block-writes-per-sec")}

    @staticmethod
    def last_totals(output):
        """Of each histogram's last state, the total and the mean in us, each request counted
        as in the middle of its bucket."""
        totals = {}
        for name, total, rest in re.findall(r"^(\S+) \((\d+) total\)\n((?: \(.*\n?)*)", output,
                                            re.M):
            buckets = [(int(k), int(n)) for k, n in re.findall(r"\((\d+): (\d+)\)", rest)]
            sum_us = sum(n * (0.75 * 2 ** k if k else 0.5) for k, n in buckets)
            totals[name] = int(total), sum_us / max(1, int(total))
        return totals


class Fio(Program):
    name = "fio"

    def version(self):
        return machine.must([self.path, "--version"]).strip()

    def leg(self, target, read_x, seconds):
        output = self.work / "fio.json"
        rate = [f"--rate_iops={read_x * READS_PER_X}"] if read_x != NO_LIMIT_X else []
        self.finish(machine.run(
            [self.path, "--name=reads", f"--filename={target}", "--readonly", "--direct=1",
             "--ioengine=io_uring", "--registerfiles", "--fixedbufs", "--rw=randread",
             "--norandommap", f"--bs={RECORD_BYTES}", f"--iodepth={DEPTH}", "--time_based",
             f"--runtime={seconds}", "--output-format=json", f"--output={output}", *rate]))
        job = json.loads(output.read_text())["jobs"][0]
        # Of its job alone: its own start takes long.
        cpu = (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1000
        return Leg(job["read"]["total_ios"], cpu, job["read"]["lat_ns"]["mean"] / 1000)

    def most(self, target, seconds):
        return self.leg(target, NO_LIMIT_X, seconds)


class TIoUring(Program):
    name = "t/io_uring"

    def most(self, target, seconds):
        spent = self.finish(machine.run(
            [self.path, f"-d{DEPTH}", f"-s{BATCH}", f"-c{BATCH}", f"-b{RECORD_BYTES}", "-p0",
             "-n1", f"-r{seconds}", target]))
        # A line each second, rounded, as "IOPS=3.02M"; not the first, which has the start.
        unit = {"K": 1e3, "M": 1e6, "": 1}
        rates = [float(number) * unit[letter] for number, letter
                 in re.findall(r"^IOPS=([0-9.]+)([KM]?),", spent.output, re.M)]
        return Leg(int(sum(rates) / len(rates) * seconds), spent.cpu_seconds)
