# SPDX-License-Identifier: GPL-2.0
"""The control page's own traffic, which no link delays, in virtual time."""

import json
from pathlib import Path
from typing import Any

from lab import HERE, expect, wlab

DELAY_S = 3.0
# Of traffic that no link holds, in virtual time; a machine's speed is not in it.
AT_ONCE_S = 0.1


def passed(address: str) -> str:
    program = Path(json.loads(wlab("build", "--json").out)["tools"]) / "wlinkctl"
    called = wlab("exec", "--", "python3", f"{HERE}/user/own_guest.py", str(program), address)
    expect(called.status == 0, called.err)
    told: dict[str, Any] = json.loads(called.out.splitlines()[-1])
    expect(told["other_s"] >= DELAY_S, f"the link does not delay others: {told['other_s']} s")
    for name in ("page_s", "links_s"):
        expect(told[name] < AT_ONCE_S, f"{name}: {told[name]}")
    expect(told["length"] > 1000, f"a page of {told['length']} bytes")
    bearers, filters = told["during"]
    expect(len(bearers) == 2 and "wlink 1:1000 " in bearers[1], f"bearers: {bearers}")
    expect(len(filters) >= 2 and all("1:1000" in line for line in filters), f"filters: {filters}")
    expect("by va 1: bearer 4096." in told["own"], f"the page says {told['own']!r}")
    expect(told["after"] == told["before"], f"after it {told['after']}, before it {told['before']}")
    expect(told["status"] == 0, f"the server ends with {told['status']}")
    return f"{told['page_s'] * 1000:.1f} ms, others {told['other_s']:.2f} s"


CASES = {
    "page: its own traffic is not emulated": lambda: passed("10.9.0.1"),
    "page: nor is it in IPv6": lambda: passed("fd09::1"),
}
