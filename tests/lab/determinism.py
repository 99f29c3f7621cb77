# SPDX-License-Identifier: GPL-2.0
"""One seed, one log, however the run comes about."""

import hashlib
from collections.abc import Callable
from typing import Any

from lab import expect, run

TEXT = """duration = "60s"
seed = 7
[wired]
wlink = "rate 1mbit delay 100ms"
[radio]
wlink = "rate 384kbit tti 10ms delay 25ms pdu 40 header 2 limit 40 channel gilbert p 0.001 r 0.2"
[tcp]
stack = "STACK"
[[flow]]
name = "a"
kind = "tcp"
[[flow]]
name = "b"
kind = "tcp"
direction = "up"
start = "5s"
bytes = 200000
[[flow]]
name = "c"
kind = "udp"
rate = "32kbit"
size = 300
[[at]]
time = "30s"
run = "wlinkctl set {down} rate 128kbit"
"""


def repeat(stack: str) -> Callable[[], str]:
    """The same seed twice, another seed, and each within --runs."""

    def case() -> str:
        text = TEXT.replace("STACK", stack)
        name = f"repeat-{stack}"
        alone: dict[int, str] = {}
        for seed in (7, 8, 9):
            result, folder = run(name, text, "--seed", str(seed), out=f"{name}-{seed}")
            alone[seed] = result["event_sha256"]
            log = (folder / "events.tsv").read_bytes()
            expect(hashlib.sha256(log).hexdigest() == alone[seed], "the digest is not the log's")
            expect(result["events"] > 5000, f"only {result['events']} events")
        again, _ = run(name, text, out=f"{name}-again")
        expect(again["event_sha256"] == alone[7], "the same seed gave another log")
        expect(len(set(alone.values())) == 3, "different seeds gave the same log")
        several: Any
        several, _ = run(name, text, "--runs", "3", out=f"{name}-runs")
        for one in several:
            expect(
                one["event_sha256"] == alone[one["seed"]],
                f"seed {one['seed']} within --runs gave another log than alone",
            )
        return f"{again['events']} events, {again['event_sha256'][:16]}"

    return case


CASES: dict[str, Callable[[], str]] = {
    "determinism, paper's TCP": repeat("reno-2006"),
    "determinism, today's TCP": repeat("linux"),
}
