"""The machine that figures are of: its facts, the targets made on it, and how much of its
CPUs a program took, and others meanwhile."""
import ctypes
import os
import platform
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20
TICKS_PER_SEC = os.sysconf("SC_CLK_TCK")


def read_text(path):
    try:
        return Path(path).read_text(errors="replace").strip()
    except OSError:
        return ""


def facts():
    """Pairs of what and its value."""
    model = next((line.split(":", 1)[1].strip() for line in read_text("/proc/cpuinfo").splitlines()
                  if line.startswith("model name")), platform.machine())
    governor = read_text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    return [("CPU", f"{model}, {os.cpu_count()} cores, {len(os.sched_getaffinity(0))} for this"),
            ("governor", governor or "not told"),
            ("kernel", platform.release()),
            ("load at the start", read_text("/proc/loadavg"))]


def cpu_ticks():
    """Of all but interrupts and idling; and what the hypervisor gave to others."""
    user, nice, system, _, _, _, _, steal = map(
        int, read_text("/proc/stat").splitlines()[0].split()[1:9])
    return user + nice + system, steal


def kernel_ticks():
    """Of each of the kernel's own threads, which work for who uses the device."""
    ticks = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        fields = read_text(path).rpartition(")")[2].split()
        if fields and fields[1] == "2":  # the parent
            ticks[path] = int(fields[11]) + int(fields[12])
    return ticks


def own_seconds():
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Others:
    """How much CPU others take from when this is made: CPUs that are busy neither with this
    program, its children nor the kernel's threads, or that the hypervisor gave away."""

    def __init__(self):
        self.start = self.now()

    @staticmethod
    def now():
        busy, steal = cpu_ticks()
        return time.monotonic(), (busy + steal) / TICKS_PER_SEC - own_seconds(), kernel_ticks()

    def cpus(self):
        start, others, kernel = self.start
        end, others_end, kernel_end = self.now()
        ticks = sum(max(0, ticks - kernel.get(thread, 0)) for thread, ticks in kernel_end.items())
        return max(0.0, others_end - others - ticks / TICKS_PER_SEC) / (end - start)


@dataclass
class Spent:
    """What a program and its children took."""
    seconds: float
    cpu_seconds: float
    voluntary: int    # context switches
    involuntary: int
    status: int
    output: str


def run(command, env=None, while_running=None):
    """Runs the command to its end; while_running(pid) is called some times a second."""
    with tempfile.TemporaryFile("w+") as output:
        start = time.monotonic()
        process = subprocess.Popen(list(map(str, command)), env=env, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT)
        pid = 0
        while while_running and pid == 0:
            while_running(process.pid)
            time.sleep(0.1)
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid == 0:
            pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Spent(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_nvcsw,
                     usage.ru_nivcsw, process.returncode, output.read())


def must(command):
    spent = run(command)
    if spent.status != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {spent.output}")
    return spent.output


class Targets:
    """Files and devices under test, gone with this. Each is made when it is asked for."""

    def __init__(self, directory):
        self.work = tempfile.TemporaryDirectory(prefix="goals.", dir=directory)
        self.directory = Path(self.work.name)
        self.made = {}
        self.on_memory = None

    def never_written(self):
        """Reads of it cost no device time."""
        def make(path):
            must(["fallocate", "-l", 1024 * MIB, path])
        return self.file("never-written", make)

    def written(self):
        def make(path):
            must(["dd", "if=/dev/urandom", f"of={path}", "bs=1M", "count=1024", "oflag=direct"])
        return self.file("written", make)

    def file(self, name, make):
        if name not in self.made:
            make(self.directory / name)
            self.made[name] = self.directory / name
        return self.made[name]

    def loop(self):
        """A loop device on memory; None where there is none to be had."""
        if os.geteuid() != 0:
            return None
        if "loop" not in self.made:
            fd, self.on_memory = tempfile.mkstemp(prefix="goals.", dir="/dev/shm")
            os.close(fd)
            must(["dd", "if=/dev/urandom", f"of={self.on_memory}", "bs=1M", "count=1024"])
            self.made["loop"] = Path(must(["losetup", "--find", "--show", "--direct-io=on",
                                           "--sector-size", 512, self.on_memory]).strip())
        return self.made["loop"]

    def close(self):
        if "loop" in self.made:
            must(["losetup", "--detach", self.made["loop"]])
        if self.on_memory:
            os.unlink(self.on_memory)
        self.work.cleanup()


def can_measure(directory):
    """Whether io_uring and direct I/O are allowed here; says what is not."""
    parameters = ctypes.create_string_buffer(120)
    if ctypes.CDLL(None).syscall(425, 1, parameters) < 0:  # io_uring_setup
        print("SKIP: this host does not allow io_uring")
        return False
    try:
        os.close(os.open(directory / "probe", os.O_CREAT | os.O_WRONLY | os.O_DIRECT))
    except OSError:
        print(f"SKIP: no direct I/O in {directory}")
        return False
    return True


def block_layer(device):
    """Reads so far, and the milliseconds that they took, of a block device."""
    fields = read_text(f"/sys/block/{device.name}/stat").split()
    return int(fields[0]), int(fields[3])
