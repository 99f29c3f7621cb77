# SPDX-License-Identifier: GPL-2.0
"""One processor for one lab kernel.

User Mode Linux stops its processes at each of their system calls, and the two
hand over to each other: on two processors each hand-over wakes an idle one,
which takes four times as long as staying.
"""

import contextlib
import os
import socket
from collections.abc import Iterator


def _claim(cpu: int) -> socket.socket | None:
    """The sign that a lab kernel runs there; it goes with its owner."""
    sign = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        sign.bind(f"\0wlab-cpu-{cpu}")
    except OSError:
        sign.close()
        return None
    return sign


@contextlib.contextmanager
def claimed() -> Iterator[int]:
    """A processor that no other lab kernel has, or any if there is none."""
    allowed = sorted(os.sched_getaffinity(0))
    first = os.getpid() % len(allowed)
    turn = allowed[first:] + allowed[:first]
    for cpu in turn:
        sign = _claim(cpu)
        if sign:
            with sign:
                yield cpu
            return
    yield turn[0]
