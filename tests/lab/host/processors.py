# SPDX-License-Identifier: GPL-2.0
"""A processor for each lab kernel."""

import os
import sys
from collections.abc import Callable

from lab import Skipped, call, expect

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


def processors() -> str:
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


CASES: dict[str, Callable[[], str]] = {"a processor for each lab kernel": processors}
