# SPDX-License-Identifier: GPL-2.0
"""The results that are kept in Documentation/results."""

import json
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

from lab import ROOT, Failed, Skipped, expect, linux, wlab

# Its cases do not use each other's results.
APART = True

KEPT = ROOT / "Documentation" / "results"

# What the papers say and Linux does; why others do not hold is on their page.
HOLD = (
    "aqm-sbd-goodput",
    "aqm-red-goodput",
    "aqm-sbd-delay",
    "aqm-red-delay",
    "aqm-sbd-red",
    "aqm-buffer",
    "aqm-switch",
    "aqm-start",
    "aqm-web",
    "link-asr-fsr",
    "link-rlc-best",
    "link-widens",
    "link-rlc-raw",
    "link-rlc-bursts",
    "link-rlc-bulk",
    "link-fsr-raw",
    "link-contention",
    "link-media-adaptive",
    "link-media-most",
    "cell-ns3",
    "cell-ping-lte",
    "cell-ping-nr",
    "cell-ping-load",
    "split-not-congested",
    "split-delay",
)
# None of their comparisons speaks against it: the intervals, of 20 seeds for gains of a few percent, of 3 to
# 5 seeds for the others, are too wide.
MAY_HOLD = (
    "aqm-goodput-gains",
    "split-moderate",
    "split-congested",
    "split-raises",
    "split-variant",
    "split-page",
    "split-page-alike",
    "split-video-start",
)


def check_the_papers_claims() -> str:
    """The claims, judged from the kept cells."""
    called = wlab("claims", "--json", str(KEPT))
    judged: dict[str, Any] = {one["name"]: one for one in json.loads(called.out)}
    holes = [name for name, one in judged.items() if one["verdict"] == "cannot be judged"]
    expect(not holes, f"nothing to judge by: {holes}")
    wanted = {name: ["holds"] for name in HOLD} | {name: ["holds", "cannot be told"] for name in MAY_HOLD}
    fallen = [name for name, of in wanted.items() if judged[name]["verdict"] not in of]
    expect(not fallen, "\n".join(f"{name}: {judged[name]['figures']}" for name in fallen))
    return f"{sum(one['verdict'] == 'holds' for one in judged.values())} of {len(judged)} hold"


def comparable(some: list[dict[str, Any]], have: str) -> dict[str, Any]:
    """The cheapest that was made with a kernel; each revision of Debian's is one of its own."""
    like = [one for one in some if one["versions"]["kernel"] == have]
    if not like:
        made = sorted({one["versions"]["kernel"] for one in some})
        raise Skipped(f"made with kernel {' and '.join(made)}, here is {have}")
    return min(like, key=lambda one: (one["cost"]["cpu_s"], one["id"]))


def check_made_by_another_kernel() -> str:
    """What another kernel has made is not compared, which names both."""
    made, have = "7.3.4-1-bpo13+1", "7.3.4-1-bpo13+2"
    some = [{"id": kernel, "versions": {"kernel": kernel}, "cost": {"cpu_s": 1}} for kernel in (made, have)]
    expect(comparable(some, have)["id"] == have, "of the kernel that is here")
    try:
        comparable(some[:1], have)
    except Skipped as skipped:
        expect(str(skipped) == f"made with kernel {made}, here is {have}", str(skipped))
        return str(skipped)
    raise Failed("events of another kernel are compared")


# A program of the machine, as verify names it.
ANOTHER = re.compile(r"another \S+: [0-9a-f]{16} made the file, .* runs now")


def again(name: str, seed: str) -> list[str]:
    """What verify says that differs of a seed."""
    done = wlab("verify", name, "--seed", seed)
    said = [line.removeprefix(f"{name}: ") for line in done.err.splitlines() if line.startswith(name)]
    expect(not done.status or bool(said), f"{name}: {done.err}")
    return said if done.status else []


def verified(experiment: str, ids: str = "*") -> Callable[[], str]:
    """One seed of the cheapest of some of its cells, made on another machine, again here."""

    def case() -> str:
        file = KEPT / "cells" / f"{experiment}.jsonl"
        kept: list[dict[str, Any]] = [json.loads(line) for line in file.read_text().splitlines()]
        some = [one for one in kept if fnmatchcase(one["id"], ids)]
        expect(bool(some), "none is kept")
        one = comparable(some, linux()[0])
        seed = str(one["seeds"][0])
        name = f"{file}#{one['id']}"
        if said := again(name, seed):
            others = [line for line in said if ANOTHER.fullmatch(line)]
            expect(bool(others), f"{one['id']}: {said}")
            # With these it is one log all the same.
            equal = again(name, seed)
            expect(equal == said, f"{one['id']}: {said}, then {equal}")
            raise Skipped("; ".join(others))
        return f"{one['id']}, seed {seed}: {one['event_sha256'][seed][:12]}"

    return case


CASES: dict[str, Callable[[], str]] = {
    **{
        f"kept: {path.stem} again": verified(path.stem)
        for path in sorted((ROOT / "userspace" / "papers").glob("*.toml"))
        if path.name != "set.toml"
    },
    # The cheapest cell of link-start has neither.
    "kept: feedback as traffic, again": verified("link-start", "*pair=true*"),
    "kept: retransmissions first, again": verified("link-start", "*start=handover-head*"),
    # Of TCP as it is today, whose buffers go by memory, a cell each is not enough.
    **{
        f"kept: {name}, {tcp} of Linux, again": verified(name, f"*congestion={tcp},*stack=linux*")
        for name, variants in (("beyond-aqm", ("reno", "cubic", "bbr")), ("beyond-link", ("reno", "cubic")))
        for tcp in variants
    },
}
