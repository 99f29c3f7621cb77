# SPDX-License-Identifier: GPL-2.0
"""A link under traffic and changes in a kernel with KASAN, UBSAN and lockdep."""

import json
from collections.abc import Callable

from lab import HERE, expect, wlab

STEPS = 100
# What must have happened, else the case shows nothing.
WANTED = ("class_add", "class_change", "class_del", "qdisc_change", "replace", "device", "memory", "starve")


def stress(seed: int) -> Callable[[], str]:
    """Counts add up after each step and the kernel has nothing to say."""

    def case() -> str:
        script = str(HERE / "stress_guest.py")
        called = wlab("exec", "--sanitize", "--", "/usr/bin/python3", "-ISB", script, str(STEPS), str(seed))
        expect(called.status == 0, f"{called.out[-3000:]}\n{called.err[-3000:]}")
        told = json.loads(called.out.splitlines()[-1])
        done = told["done"]
        missing = [name for name in WANTED if not done.get(name)]
        expect(not missing, f"never done: {missing}")
        return ", ".join(f"{name} {n}" for name, n in sorted(done.items()))

    return case


CASES: dict[str, Callable[[], str]] = {f"stress, seed {seed}": stress(seed) for seed in (1, 2)}
