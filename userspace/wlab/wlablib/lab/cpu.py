# SPDX-License-Identifier: GPL-2.0
"""One processor for one lab kernel.

User Mode Linux stops its processes at each of their system calls and wakes them again.
On two processors each such switch wakes an idle one, which takes four times as long
as on one.
"""

import contextlib
import os
import socket
from collections.abc import Iterator


def _claim(cpu: int) -> socket.socket | None:
    """Claim a processor by an abstract socket, which the kernel releases with the process."""
    claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        claim.bind(f"\0wlab-cpu-{cpu}")
    except OSError:
        claim.close()
        return None
    return claim


@contextlib.contextmanager
def claimed() -> Iterator[int]:
    """A processor that no other lab kernel has claimed; any if all are."""
    allowed = sorted(os.sched_getaffinity(0))
    first = os.getpid() % len(allowed)
    candidates = allowed[first:] + allowed[:first]
    for cpu in candidates:
        claim = _claim(cpu)
        if claim:
            with claim:
                yield cpu
            return
    yield candidates[0]
