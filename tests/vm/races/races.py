# SPDX-License-Identifier: GPL-2.0
"""What needs two processors at work at once; nothing here looks at a clock.

With MINUTES or SANITIZER in the environment the rounds only.
"""

import os
import sys
from collections import Counter

import steps
from recording import dropped, link, record, sums
from steps import case, complaints, drained, expect, insert, tcp, topology, udp

topology()
insert()

if not {"MINUTES", "SANITIZER"} & set(os.environ):

    @case("wlinkctl record: every packet, on two processors")
    def _() -> str:
        with link(), record() as sdus:
            with udp(6.0), tcp(5.0):
                pass
            stats = drained()
        want = {name: stats[name] for name in sums(sdus)}
        expect(sums(sdus) == want, f"recorded {sums(sdus)}, counted {want}")
        drops = Counter(e["drop"] for e in sdus if e["drop"] != "none")
        expect(drops == dropped(stats), f"recorded {drops}, counted {stats['drops']}")
        times = [e["ts_ns"] for e in sdus]
        expect(times == sorted(times), "not in order of time")
        cpus = Counter(e["cpu"] for e in sdus)
        return f"{len(sdus)} packets, by processor {dict(cpus)}, drops {dict(drops)}"

    # In the same boot, with the module loaded.
    import storm  # noqa: F401

import pairs  # noqa: E402, F401, I001
import rounds  # noqa: E402, F401

if "SANITIZER" in os.environ:
    import sanitizer  # noqa: F401
complaints()
sys.exit(1 if steps.failed else 0)
