# SPDX-License-Identifier: GPL-2.0
"""Traffic for bpftrace scripts: each is attached before the next one starts, and ends after it.

The gate is shut outside of the innermost, so that all have the same packets.

Arguments: the names of scripts that are not attached yet.
"""

import sys
import time
from contextlib import ExitStack

from recording import let_in
from steps import PAYLOAD, a, drained, sh, tcp, udp, until

# Port 5000 as /proc/net/tcp has it, and the column of the window in segments.
PORT, WINDOW = ":1388", 15


def window() -> int:
    """Of the TCP flow as the socket has it, 0 where there is none."""
    rows = [line.split() for line in a("cat /proc/net/tcp").splitlines()]
    return max((int(row[WINDOW]) for row in rows if row[2].endswith(PORT) and len(row) > WINDOW), default=0)


def timeouts() -> int:
    """Retransmission timeouts of TCP so far."""
    names, values = (line.split() for line in a("cat /proc/net/netstat").splitlines()[:2])
    return int(values[names.index("TCPTimeouts")])


if rest := sys.argv[1:]:
    child = f"/usr/bin/python3 {__file__} {' '.join(rest[1:])}"
    said = sh(f"bpftrace -o /tmp/{rest[0]} -c '{child}' {PAYLOAD}/{rest[0]} va")
    print(said, end="")
else:
    let_in(True)
    before = timeouts()
    windows: list[int] = []
    with ExitStack() as until_the_end, tcp(5.0):
        until(window, "TCP has a window")
        until_the_end.enter_context(udp(60.0, gap=0.006))
        for _ in range(10):
            windows.append(window())
            time.sleep(0.2)
    let_in(False)
    drained()
    print("timeouts", timeouts() - before)
    print("windows", *windows)
