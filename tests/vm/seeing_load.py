# SPDX-License-Identifier: GPL-2.0
"""Traffic for bpftrace scripts: each is attached before the next one starts, and ends after it.

The gate is shut outside of the innermost, so that all have the same packets.

Arguments: the names of scripts that are not attached yet.
"""

import sys
import time
from contextlib import ExitStack

from recording import let_in
from steps import PAYLOAD, drained, sh, tcp, udp, xstats

if rest := sys.argv[1:]:
    child = f"/usr/bin/python3 {__file__} {' '.join(rest[1:])}"
    said = sh(f"bpftrace -o /tmp/{rest[0]} -c '{child}' {PAYLOAD}/{rest[0]} va")
    print(said, end="")
else:
    let_in(True)
    with ExitStack() as until_the_end, tcp(5.0):
        # TCP alone at first, so that its window grows.
        while xstats()["sdus_in"] < 20:
            time.sleep(0.1)
        until_the_end.enter_context(udp(60.0, gap=0.006))
    let_in(False)
    drained()
