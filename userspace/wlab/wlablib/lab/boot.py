# SPDX-License-Identifier: GPL-2.0
"""One boot of the lab kernel, from a job file to an exit status."""

import contextlib
import os
import re
import resource
import selectors
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..lib.paths import BIN, BUILD, PRODUCTS, ROOT, LabError
from . import cpu, fence, source
from .build import Kernel

TAIL_LINES = 30
# CLOCK_MONOTONIC when a command without a plan starts: some take a clock near 0 for one that is not set.
UPTIME_NS = 1000 * 10**9

# For each place where a guest runs: after how many wall seconds without progress it counts as
# hung. A VM needs many of them to boot.
STALL_S = {"lab": 60.0, "live": 60.0, "host": 60.0, "vm": 600.0}

# How long the guest's processes may take to end when its output has ended.
END_S = 60.0

TROUBLE = re.compile(
    r"\bWARNING: |\bBUG: |\bBUG [\w.:-]+ \(|\bOops\b|Kernel panic|Segfault with no mm|INFO: task"
    r"|UBSAN:|KASAN:|possible recursive locking|circular locking|inconsistent lock state|stack-protector"
    r"|unregister_netdevice: waiting|suspicious RCU|scheduling while atomic|Kernel mode fault"
)

# Warnings of the sanitizer kernel about User Mode Linux itself: 6.1 walks the
# areas of a new process without a lock when it forks.
KNOWN = re.compile(r"^lib/maple_tree\.c:\d+ suspicious rcu_dereference_check")
KNOWN_WITHIN = 5

# A program that stopped virtual time until its looks got a price (patches/look.patch).
SPINS = re.compile(r"lab-price: (.+) looks at the clock and does not wait")

# Messages of every lab kernel that mean nothing.
HARMLESS = re.compile(r"epollctl add err|sch_wlink: loading out-of-tree module")

# Where the guest sees build/bin and build/tc.
TOOLS = "/run/wlink"
# The guest's whole environment: the caller's would make a run depend on who starts it and where.
ENVIRONMENT = {
    "PATH": f"{TOOLS}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "TC_LIB_DIR": f"{TOOLS}/tc",
    "HOME": "/tmp",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}

# Where the guest sees the job's folder, and in it the user's own presets.
FOLDER = Path("/run/wlab")
PRESETS = "presets"

# Hash sizes that the kernel would derive from its memory; these are those of 512 MB.
SIZES = ("thash_entries=4096", "uhash_entries=256")

Sink = Callable[[bytes], None]
# When the guest last made progress, on the host's monotonic clock.
LastProgress = Callable[[], float]


@dataclass(frozen=True)
class Clock:
    """The guest's clock in virtual time."""

    # CLOCK_REALTIME when the command or the run starts: 2026-01-01T00:00:00Z.
    start_ns: int = 1_767_225_600 * 10**9
    # What each look of a program at the clock takes; 0 leaves it to the kernel (patches/look.patch).
    price_ns: int = 0


@dataclass
class Job:
    """One command to run in a guest, and what it needs."""

    argv: list[str]
    modules: tuple[Path, ...] = ()
    # Whether the lab inserts its TCP Reno, too.
    reno_1990: bool = False
    # More modules, as the guest finds them: congestion controls of the user's.
    controls: tuple[Path, ...] = ()
    # The folder in which the guest finds bin and tc.
    tools: Path = PRODUCTS
    mem: str = "512M"
    real_time: bool = False
    clock: Clock = Clock()
    # CLOCK_MONOTONIC when it is to start.
    zero_ns: int = UPTIME_NS
    timeout: float = 600.0
    cwd: str = "/"
    env: dict[str, str] = field(default_factory=dict)
    # Folders of the host that the command may write besides the job's own.
    writable: list[Path] = field(default_factory=list)
    # Whether it runs programs of the user's; those of the lab itself need no fence.
    own: bool = True
    terminal: bool = False
    # More words for the kernel's command line.
    words: list[str] = field(default_factory=list)
    # File descriptors that these words name.
    fds: list[int] = field(default_factory=list)
    # More descriptors to read until the guest has ended; a read of nothing is the end.
    sinks: dict[int, Sink] = field(default_factory=dict)


def tail(lines: list[str]) -> str:
    """The end of a kernel's log, without the messages of the boot if that was completed."""
    booted = next((i for i, line in enumerate(lines) if line.startswith("Run ")), -1)
    return "\n".join([line for line in lines[booted + 1 :] if not HARMLESS.match(line)][-TAIL_LINES:])


@dataclass
class Ended:
    """The end of a boot: exit status and kernel log."""

    status: int
    log: list[str]
    folder: Path

    def tail(self) -> str:
        return tail(self.log)

    def spins(self) -> str | None:
        """The program that looked at the clock without waiting."""
        return next((found[1] for line in self.log if (found := SPINS.match(line))), None)


def write_job(folder: Path, job: Job, consoles: tuple[str, ...] = ("/dev/ttyS0", "/dev/ttyS1")) -> None:
    """Write the job file (guest/init/job.h).

    consoles: devices for output or a terminal, and for errors; none to inherit.
    """
    records: list[tuple[str, str]] = []
    own = [p for p in (ROOT, BUILD, Path(job.cwd)) if job.tools == PRODUCTS]
    hidden = [p for p in own if p.parts[1:2] in (("tmp",), ("run",), ("dev",))]
    records += [("ro", str(p)) for p in hidden if p.is_dir()]
    records += [("rw", str(p)) for p in job.writable if p.is_dir()]
    records.append(("tools", str(job.tools)))
    records += [("module", str(module)) for module in job.modules]
    own_presets = {"WLINK_PRESETS": str(FOLDER / PRESETS)} if (folder / PRESETS).is_dir() else {}
    records += [("env", f"{k}={v}") for k, v in {**ENVIRONMENT, **own_presets, **job.env}.items()]
    records.append(("cwd", job.cwd))
    if job.terminal:
        records.append(("tty", consoles[0]))
    else:
        records += zip(("out", "err"), consoles)
    records += [("arg", a) for a in job.argv]
    data = b"".join(f"{k}={v}".encode(errors="surrogateescape") + b"\0" for k, v in records)
    (folder / "job").write_bytes(data)


def command(kernel: Kernel, folder: Path, job: Job, channels: dict[str, str]) -> list[str]:
    """The lab kernel's command line."""
    argv = [str(kernel.binary), f"mem={job.mem}"]
    if not job.real_time:
        argv += ["time-travel=inf-cpu", f"time-travel-start={job.clock.start_ns - job.zero_ns}"]
        argv.append(f"WLAB_UPTIME_S={UPTIME_NS // 10**9}")
        argv += [f"lab-price={job.clock.price_ns}"] * bool(job.clock.price_ns)
    # Where the host allows filters the guest's programs run under one, which is faster than ptrace.
    # By what it lets pass a program can become the guest's kernel, says Linux. So can its root, who
    # may insert modules; what the host is kept from is the fence's business, around them all.
    if kernel.numbers() >= source.SECCOMP:
        argv.append("seccomp=auto")
    argv += "rootfstype=hostfs rootflags=/ root=none ro oops=panic panic_on_warn=1".split()
    argv += ["printk.time=0", "con=null", "ssl=null", *SIZES, *job.words]
    argv += [f"{name}={value}" for name, value in channels.items()]
    argv += [f"uml_dir={folder}/", "umid=uml", f"init={BIN / 'wlab-init'}", f"WLAB_JOB={folder}"]
    return argv


def _pump(
    proc: "subprocess.Popen[bytes]", sinks: dict[int, Sink], timeout: float, last_progress: LastProgress
) -> bool:
    """Pass output on until the guest has closed all of it; False after `timeout` s without progress."""
    with selectors.DefaultSelector() as wait:
        for fd in sinks:
            wait.register(fd, selectors.EVENT_READ)
        while set(wait.get_map()) - {0}:
            left = last_progress() + timeout - time.monotonic()
            if left <= 0:
                return False
            for key, _ in wait.select(min(left, 0.5)):
                try:
                    data = os.read(key.fd, 65536)
                except OSError:
                    # A terminal whose other end has been closed.
                    data = b""
                sinks[key.fd](data)
                if not data:
                    wait.unregister(key.fd)
            if proc.poll() is not None and not any(k.fd for k, _ in wait.select(0)):
                break
    return True


def _prepare(processor: int | None) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if processor is not None:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {processor})


@dataclass
class Wires:
    """The pipes or terminal between the guest's consoles and wlab."""

    channels: dict[str, str]
    guest_fds: list[int]
    sinks: dict[int, Sink]

    def close(self, fds: list[int]) -> None:
        for fd in fds:
            with contextlib.suppress(OSError):
                os.close(fd)


def wire(job: Job, log: Sink, out: Sink, err: Sink) -> Wires:
    """Pipes for the log and the command's output, or a terminal for the command."""
    pipes = [os.pipe() for _ in range(1 if job.terminal else 3)]
    names = ["con0", "ssl0", "ssl1"]
    channels = {n: f"null,fd:{w}" for n, (_, w) in zip(names, pipes)}
    sinks = dict(zip([r for r, _ in pipes], (log, out, err)))
    guest_fds = [w for _, w in pipes]
    if job.terminal:
        master, slave = os.openpty()
        channels["ssl0"] = f"fd:{slave}"
        sinks[master] = out
        sinks[0] = lambda data: (os.write(master, data), None)[1]
        guest_fds.append(slave)
    return Wires(channels, guest_fds, sinks)


def wire_plain(out: Sink, err: Sink) -> Wires:
    """Pipes for a guest that shares the host's kernel."""
    pipes = [os.pipe() for _ in range(2)]
    return Wires({}, [w for _, w in pipes], dict(zip([r for r, _ in pipes], (out, err))))


@dataclass
class Machine:
    """A program of the host that runs a guest, to be started under wlab-keep."""

    argv: list[str]
    # Options of wlab-keep.
    keep: list[str]
    env: dict[str, str]
    processor: int | None = None


def attend(
    machine: Machine, job: Job, wires: Wires, files: list[int], last_progress: LastProgress | None
) -> tuple[int, bool]:
    """Run a guest to its end: the program's exit status, and whether it ended in time.

    `files` are its standard output and standard error.
    """
    started = time.monotonic()
    # wlab-keep kills the guest when `alive` closes, also when wlab is killed (guest/host/keep.c).
    watched, alive = os.pipe()
    proc = subprocess.Popen(
        [str(BIN / "wlab-keep"), *machine.keep, str(watched), *machine.argv],
        stdin=subprocess.DEVNULL,
        stdout=files[0],
        stderr=files[1],
        pass_fds=[*wires.guest_fds, *job.fds, watched],
        start_new_session=True,
        preexec_fn=lambda: _prepare(machine.processor),
        env=machine.env,
    )
    wires.close([*wires.guest_fds, *job.fds, watched])
    try:
        in_time = _pump(proc, wires.sinks | job.sinks, job.timeout, last_progress or (lambda: started))
        if in_time:
            try:
                proc.wait(END_S)
            except subprocess.TimeoutExpired:
                in_time = False
    finally:
        os.close(alive)
        proc.wait()
        wires.close([fd for fd in wires.sinks if fd])
    return proc.returncode, in_time


def boot(
    kernel: Kernel, folder: Path, job: Job, out: Sink, err: Sink, last_progress: LastProgress | None = None
) -> Ended:
    """Boot, run the job, power off; a LabError for every end that is not an exit of the command."""
    with cpu.claimed() as processor:
        write_job(folder, job)
        log = bytearray()
        with fence.around(folder, job.writable, job.own) as (options, memory):
            wires = wire(job, log.extend, out, err)
            machine = Machine(
                command(kernel, folder, job, wires.channels),
                options,
                {"PATH": os.defpath, "TMPDIR": memory},
                processor,
            )
            status, in_time = attend(machine, job, wires, [wires.guest_fds[0]] * 2, last_progress)
    if status == fence.FORBIDDEN:
        raise LabError(f"{log.decode(errors='replace').strip()}\n{fence.remedy()}")
    return verdict(folder, job, bytes(log), in_time)


def known(lines: list[str], at: int) -> bool:
    """Whether the warning that begins at a line is one of KNOWN."""
    return any(KNOWN.search(line) for line in lines[at : at + KNOWN_WITHIN])


def verdict(folder: Path, job: Job, log: bytes, in_time: bool, kernel_name: str = "lab") -> Ended:
    """Judge a boot by its kernel log and the exit status that the guest has written."""
    lines = log.decode(errors="replace").replace("\r", "").splitlines()
    warnings = [i for i, line in enumerate(lines) if TROUBLE.search(line) and not known(lines, i)]
    if warnings:
        text = "\n".join(lines[max(0, warnings[0] - 3) : warnings[0] + TAIL_LINES])
        raise LabError(f"{text}\nthe {kernel_name} kernel reports a fault: {lines[warnings[0]].strip()}")
    log_tail = tail(lines) + "\n" if tail(lines) else ""
    if not in_time:
        raise LabError(
            f"{log_tail}the guest hangs: no progress for {job.timeout:g} s of wall time"
            + ("" if job.real_time else " (a program that computes without end stops virtual time)")
        )
    try:
        status = int((folder / "status").read_text())
    except (OSError, ValueError):
        raise LabError(f"{log_tail}the guest stopped before the command had ended") from None
    return Ended(status, lines, folder)
