# SPDX-License-Identifier: GPL-2.0
"""What the lab needs of the machine it runs on, found out in less than a second."""

import ctypes
import errno
import os
import platform
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from ..doctor.report import FAIL, NOTE, OK, WARN, Answer, Checks, Finding, bytes_text, check, run
from ..lib.paths import BIN, BUILD, LABS, PREBUILT, ROOT, LabError
from . import fence, source

CHECKS: Checks = []

# The guest's memory is a file of 512 MB, of which a run of two flows uses so much.
MEMORY_BYTES = 256 << 20
# User Mode Linux reserves some times its memory as addresses.
ADDRESSES_BYTES = 2 << 30
# A kernel's source and tree while it is built, and what a built lab grows by.
BUILD_BYTES = 5 << 28
RUN_BYTES = 50 << 20
PTRACE_TRACEME = 0
SYS_SECCOMP, SET_MODE_FILTER = 317, 1
CGROUPS = Path("/sys/fs/cgroup")


@check(CHECKS, "processor")
def processor() -> Answer:
    """The lab's kernel is a program of x86-64, the only machine that User Mode Linux supports."""
    name = platform.machine()
    if name == "x86_64":
        return OK, "x86-64"
    return (
        FAIL,
        f"User Mode Linux is for x86-64 only, this machine is {name}",
        "make && make install still gives the module, tc's plugin and wlinkctl; for the lab take an"
        " x86-64 machine, or an x86-64 VM",
    )


@check(CHECKS, "proc")
def proc() -> Answer | None:
    """A chroot may lack it; wlab and the lab's kernel look at their own processes there."""
    if Path("/proc/self/fd").exists():
        return None
    return FAIL, "/proc is not mounted", "as root, type: mount -t proc proc /proc"


@check(CHECKS, "registers")
def registers() -> Answer | None:
    """User Mode Linux before 6.13 keeps 2,696 bytes of a process's registers; with AMX there are 11,008."""
    return large_registers() if source.large_registers() else None


def large_registers() -> Answer:
    path = source.chosen()
    if not path or source.numbers(path.name) >= source.LARGE_REGISTERS:
        return OK, "AMX, which this kernel source knows"
    otherwise = f"unset WLAB_LINUX and remove {source.REFUSED}"
    newest = f"take a wheel of {source.NEWEST}" if PREBUILT else otherwise
    return (
        FAIL,
        f"this processor has AMX, with which {path.name.removesuffix('.tar.xz')} cannot start",
        f"{newest}, or forbid the guest AMX (clearcpuid=amx_tile)",
    )


@check(CHECKS, "ptrace")
def ptrace() -> Answer:
    """The lab's kernel runs programs under a filter of system calls, older ones under ptrace."""
    libc = ctypes.CDLL(None, use_errno=True)
    status = error_of(lambda: libc.ptrace(PTRACE_TRACEME, 0, None, None))
    if not status:
        return OK, "allowed"
    why = signal.Signals(-status).name if status < 0 else os.strerror(status)
    remedy = "docker run --cap-add=SYS_PTRACE, or another seccomp profile"
    path = source.chosen()
    if source.numbers(path.name if path else source.NEWEST) < source.SECCOMP:
        return FAIL, f"refused: {why}", remedy
    # A filter is looked for at address 0 after all that forbids one.
    if error_of(lambda: libc.syscall(SYS_SECCOMP, SET_MODE_FILTER, 0, None)) != errno.EFAULT:
        return FAIL, f"refused: {why}, as are filters of system calls, of which the lab needs one", remedy
    return OK, "refused, and not needed"


def error_of(call: Callable[[], object]) -> int:
    """The errno of a call in a process of its own, as a filter may kill that, or its signal below 0."""
    pid = os.fork()
    if not pid:
        os._exit(ctypes.get_errno() if call() else 0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def limits() -> Iterator[tuple[int, str]]:
    """Free memory in bytes, and whose."""
    with suppress(OSError):
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        yield int(lines["MemAvailable"].split()[0]) << 10, "this machine"
    for folder, most, used in groups():
        with suppress(OSError, ValueError):
            stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
            # What only caches files is given back.
            cached = int(stat["active_file"]) + int(stat["inactive_file"])
            free = int((folder / most).read_text()) - int((folder / used).read_text()) + cached
            yield free, "this container"


def groups() -> Iterator[tuple[Path, str, str]]:
    """Control groups of this process and those above, with their files of limit and use, old and new."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, inside = line.split(":", 2)
            new = not controllers
            if not new and "memory" not in controllers.split(","):
                continue
            files = ("max", "current") if new else ("limit_in_bytes", "usage_in_bytes")
            # Of a container's group the path may be that of the host, which is not there.
            own = Path(inside)
            for part in (own, *own.parents):
                folder = CGROUPS / ("" if new else "memory") / str(part).lstrip("/")
                yield folder, f"memory.{files[0]}", f"memory.{files[1]}"


@check(CHECKS, "memory")
def memory() -> Answer:
    """The guest has 512 MB, which are taken as it uses them."""
    free, whose = min(limits(), default=(MEMORY_BYTES, "this machine"))
    if free < MEMORY_BYTES:
        return FAIL, f"{whose} has {bytes_text(free)} free, a guest needs {bytes_text(MEMORY_BYTES)}"
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= most < ADDRESSES_BYTES:
        needed = bytes_text(ADDRESSES_BYTES)
        text = f"a process may have {bytes_text(most)} of addresses, the guest needs {needed}"
        return FAIL, text, "ulimit -v unlimited"
    return OK, f"{bytes_text(free)} free"


@check(CHECKS, "space")
def space() -> Answer:
    """The kernel and its modules are built once, in the folder build or the user's cache, but for a wheel."""
    there = next(path for path in (BUILD, *BUILD.parents) if path.exists())
    if not os.access(there, os.W_OK) and not (BIN / "wlab-keep").exists():
        return FAIL, f"{there} cannot be written", "set WLAB_BUILD to a folder that can"
    st = os.statvfs(there)
    free, needed = st.f_bavail * st.f_frsize, RUN_BYTES if built() else BUILD_BYTES
    if st.f_flag & os.ST_NOEXEC and not PREBUILT:
        return FAIL, f"programs cannot be executed in {there} (noexec)", "set WLAB_BUILD to another folder"
    if free < needed:
        return FAIL, f"{there} has {bytes_text(free)} free, {bytes_text(needed)} are needed"
    return OK, f"{bytes_text(free)} free in {there}"


def built() -> bool:
    return any((lab / "current.json").exists() for lab in LABS)


@check(CHECKS, "fence")
def fences() -> Answer:
    """Namespaces or Landlock keep a guest from writing the host's files."""
    off = fence.wanted() == "off"
    try:
        kind = fence.chosen(own=False)
    except (LabError, OSError) as error:
        return WARN, f"unknown: {error}"
    room = Path(fence.temp_dir())
    if kind != "namespaces" and os.statvfs(room).f_flag & os.ST_NOEXEC:
        return FAIL, f"neither /dev/shm nor {room} can hold the guest's memory (noexec)", "set TMPDIR"
    if off:
        return WARN, f"none, by {fence.SANDBOX}=off"
    if kind != "none":
        return OK, kind
    return WARN, "neither namespaces nor Landlock: only scenarios without programs run", fence.ways()


@check(CHECKS, "packages")
def packages() -> Answer | None:
    """Compilers and the kernel's source, until the lab has been built."""
    if built():
        return OK, "the lab's kernel is built"
    need = [str(ROOT / "userspace" / "need"), "--missing", "build", "lab"]
    done = subprocess.run(need, capture_output=True, text=True, check=False)
    if missing := done.stdout.split():
        return NOTE, f"missing: {' '.join(missing)}", f"wlab installs them, or type: {done.stderr.strip()}"
    return OK, "all there"


def findings() -> list[Finding]:
    return list(run(CHECKS))


def require(own: bool) -> None:
    """Refuse what this machine cannot run, before anything is built.

    `own`: with programs of the user's, which need a fence.
    """
    wrong = [one for one in findings() if one.verdict == FAIL]
    if wrong:
        lines = [f"{one.check}: {one.what}" + (f"; {one.change}" if one.change else "") for one in wrong]
        raise LabError("\n".join([*lines, "wlab doctor tells more"]))
    fence.chosen(own)
