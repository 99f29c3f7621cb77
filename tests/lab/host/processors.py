# SPDX-License-Identifier: GPL-2.0
"""The processors that the lab's kernels run on."""

import os
import sys
from pathlib import Path

from lab import OUT, WLAB, Skipped, call, expect, linux

CLAIM = """import sys
sys.path.insert(0, "userspace/wlab")
from wlablib.lab import cpu
with cpu.claimed() as one, cpu.claimed() as other:
    print(one, other)
with cpu.claimed() as again:
    print(again)
"""
# Claims are of a network namespace; in one of its own no other lab kernel has any.
ALONE = ["unshare", "--user", "--map-root-user", "--net"]


def check_a_processor_for_each_lab_kernel() -> str:
    """Kernels that run side by side must not share one while another is free."""
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        raise Skipped("one processor only")
    done = call([*ALONE, sys.executable, "-c", CLAIM])
    if "unshare" in done.stderr:
        raise Skipped("no network namespace of one's own on this host")
    expect(done.returncode == 0, done.stderr)
    one, other, again = map(int, done.stdout.split())
    expect({one, other, again} <= allowed and one != other, f"{one} and {other}, then {again} of {allowed}")
    return f"{one} and {other}, then {again}"


def check_large_registers() -> str:
    """A host with more registers than User Mode Linux before 6.13 keeps, as with AMX."""
    version, numbers, program = linux()
    if numbers < (6, 13):
        raise Skipped(f"Linux {version} does not start on such a host; 6.13 does")
    library = OUT / "registers.so"
    OUT.mkdir(parents=True, exist_ok=True)
    flags = ["-Wall", "-Wextra", "-D_GNU_SOURCE", "-shared", "-fPIC"]
    done = call(["gcc", *flags, "-o", str(library), str(Path(__file__).with_name("registers.c")), "-ldl"])
    expect(done.returncode == 0, done.stderr)
    # Without seccomp: there the kernel reads no registers by ptrace.
    words = "seccomp=off mem=64M time-travel=inf-cpu con=null con0=null,fd:1"
    root = "rootfstype=hostfs rootflags=/ root=none ro init=/bin/true"
    argv = [str(program), *words.split(), *root.split(), f"uml_dir={OUT}/", "umid=registers"]
    done = call(argv, env=os.environ | {"LD_PRELOAD": str(library)}, timeout=60)
    expect("Attempted to kill init! exitcode=0x00000000" in done.stdout, done.stdout + done.stderr)
    return f"Linux {version} with 11,008 bytes"


# What a loader asks (158, arch_prctl, of shadow stacks) and another call that fails, close().
SPENDS = """import ctypes, time
call = ctypes.CDLL(None, use_errno=True).syscall
for words in (158, 0x3001, 0), (3, -1):
    began = time.monotonic_ns()
    fails = sum(call(*words) == -1 for _ in range(1000))
    print(fails, time.monotonic_ns() - began)
"""


def check_what_a_loader_asks() -> str:
    """A C library that asks for shadow stacks makes no other virtual time than one that does not."""
    done = call([str(WLAB), "exec", "--", "/usr/bin/python3", "-c", SPENDS])
    expect(done.returncode == 0, done.stderr)
    asked, closed = (tuple(map(int, line.split())) for line in done.stdout.splitlines())
    expect(asked[0] == closed[0] == 1000, f"{asked}, {closed}")
    # The looks at the clock, and 1 us for each call of the other kind.
    expect(asked[1] < 1000 and closed[1] >= 10**6, f"{asked[1]} ns, {closed[1]} ns")
    return f"{asked[1]} ns for 1000 questions, {closed[1]} ns for other calls that fail"
