# SPDX-License-Identifier: GPL-2.0
"""Two qdiscs as the two directions of one link: `wlinkctl pair`."""

import json
from pathlib import Path
from typing import Any

from lab import HERE, expect, wlab

# 228 bytes each way at 64 kbit/s, and 50 ms.
BYTES = 228
ALONE_MS = 2 * (BYTES * 8 / 64 + 50)
# An ACK of 8 bytes, for the request, goes before the answer.
ACK_MS = 8 * 8 / 64

REFUSED = [
    (3, 'wlinkctl: no device "none"'),
    (3, "wlinkctl: no wlink at the root of lo; type its handle if it is a leaf"),
    (2, "wlinkctl: kernel: wlink: a link is no pair with itself"),
    (3, 'wlinkctl: no device "vb"'),
    (3, "wlinkctl: netns nowhere: No such file or directory"),
    (2, "wlinkctl: kernel: wlink: there is no pair to part"),
]


def check_feedback_of_each_of_two_links_is_traffic_of_the_other() -> str:
    program = Path(json.loads(wlab("build", "--json").out)["tools"]) / "wlinkctl"
    called = wlab("exec", "--", "python3", f"{HERE}/link/pair_guest.py", str(program))
    expect(called.status == 0, called.err)
    told: dict[str, Any] = json.loads(called.out)
    for when in ("alone", "parted"):
        expect(told[when] == ALONE_MS, f"{when}: {told[when]} ms, not {ALONE_MS}")
    for when in ("paired", "paired again"):
        expect(told[when] == ALONE_MS + ACK_MS, f"{when}: {told[when]} ms, not {ALONE_MS + ACK_MS}")
    one = ALONE_MS / 2
    expect(told["one left"] == one, f"one left: {told['one left']} ms, not {one}")
    expect(told["control"], "the other direction has not carried two ACKs")
    for when in ("join", "again", "part", "third"):
        expect(told[when] == [0, ""], f"{when}: {told[when]}")
    expect([tuple(said) for said in told["refused"]] == REFUSED, str(told["refused"]))
    return f"{told['alone']} ms alone, {told['paired']} in a pair"
