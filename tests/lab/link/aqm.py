# SPDX-License-Identifier: GPL-2.0
"""The AQM paper's story: drop-tail, RED and SBD through the drop from 384 to 128 kbit/s."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from arq import scenario
from lab import expect, run, sdus, wlab

SEEDS = 8
SWITCH_S = 50
# The first seconds hold the slow start of both flows; see tests of the switch, too.
SPAN_S = 10

# The paper's Tables 3 and 5, by rate in kbit/s: minth, T_r in ms and minth, maxp.
TABLE_3 = {384: (20, 200), 256: (20, 500), 128: (15, 1300), 64: (10, 2500)}
TABLE_5 = {384: (20, 0.05), 256: (15, 0.06), 128: (10, 0.2), 64: (10, 0.3)}
ALPHA, LIMIT = 5, 40


@dataclass
class Told:
    """One run of the scenario."""

    seed: int
    goodput_bps: float
    delay_ms: float
    overflows_s: list[float]
    aqm: int

    def within(self, begin: float) -> int:
        """Overflows in the seconds from there on."""
        return sum(begin <= t < begin + SPAN_S for t in self.overflows_s)


def read(result: dict[str, Any], folder: Path) -> Told:
    """What the event log and the sockets say."""
    delays = []
    overflows = []
    aqm = 0
    for s in sdus(folder):
        if s.drop == "none" and s.payload and s.way == "forth":
            delays.append(s.deliver - s.arrival)
        elif s.drop == "overflow":
            overflows.append(s.end / 1e9)
        aqm += s.drop == "aqm"
    drops = result["links"]["radio.down"]["xstats"]["drops"]
    expect(drops["aqm"] == aqm, f"seed {result['seed']}: {drops} counted, {aqm} logged")
    expect(drops["overflow"] == len(overflows), f"seed {result['seed']}: {drops}, {len(overflows)} logged")
    goodput = sum(f["goodput_bps"] for f in result["flows"].values())
    return Told(result["seed"], goodput, sum(delays) / len(delays) / 1e6, overflows, aqm)


@cache
def runs(profile: str, flows: int = 2) -> list[Told]:
    """The demo with all seeds; profile "" for drop-tail."""
    name = f"aqm-{profile or 'droptail'}-{flows}"
    if flows == 2:
        text = scenario("demo", "100s")
    else:
        # Of one flow the slow start is looked at, which is over before the switch.
        text = scenario("demo", f"{SPAN_S}s").partition('[[flow]]\nname = "flow2"')[0]
    more = ["--set", f"radio.down.wlink.profile={profile}"] if profile else []
    results: Any
    results, folder = run(name, text, "--seed", "1", "--runs", str(SEEDS), *more)
    return [read(one, folder / f"seed-{one['seed']}") for one in results]


def counts(told: list[Told], begin: float) -> str:
    """For people: how many overflowed in each run."""
    return " ".join(str(t.within(begin)) for t in told)


def total(told: list[Told], begin: float) -> int:
    return sum(t.within(begin) for t in told)


def start(flows: int) -> Callable[[], str]:
    """The paper: SBD avoids the overflow even in slow start. It does where no threshold is above the buffer,
    which the paper does not have; as printed it overflows in some seeds, by far less than drop-tail.

    Without a pause (hold off): three duplicate ACKs take 0.4 s with one flow and 0.8 s with two,
    of which a drop slows the one only, while T_r is 200 ms.
    """

    def case() -> str:
        tail, sbd, clamped = (runs(profile, flows) for profile in ("", "sbd-3g", "sbd-3g-clamp"))
        said = f"drop-tail {counts(tail, 0)}; SBD {counts(sbd, 0)}, clamped {counts(clamped, 0)}"
        expect(sum(t.within(0) > 0 for t in tail) >= 0.8 * SEEDS, f"drop-tail rarely overflows: {said}")
        bad = [t.seed for t in clamped if t.within(0)]
        expect(not bad, f"SBD overflows in seeds {bad}: {said}")
        expect(total(sbd, 0) < total(tail, 0) / 2, f"SBD overflows: {said}")
        expect(flows == 1 or total(sbd, 0) > 0, f"SBD as printed does not overflow: {said}")
        return said

    return case


def check_aqm_slow_start_of_two_flows_red() -> str:
    """The paper: RED is less able than SBD to avoid overflow in slow start."""
    red, sbd = runs("red-3g"), runs("sbd-3g")
    said = f"RED {counts(red, 0)}; SBD {counts(sbd, 0)}"
    expect(total(red, 0) > total(sbd, 0), said)
    return said


def switch(profile: str) -> Callable[[], str]:
    """The paper: reconfiguration avoids the overflow that drop-tail has after the switch."""

    def case() -> str:
        tail, told = runs(""), runs(profile)
        said = f"drop-tail {counts(tail, SWITCH_S)}; {profile} {counts(told, SWITCH_S)}"
        expect(sum(t.within(SWITCH_S) > 0 for t in tail) >= SEEDS / 2, f"drop-tail rarely overflows: {said}")
        bad = [t.seed for t in told if t.within(SWITCH_S)]
        expect(not bad, f"overflow in seeds {bad}: {said}")
        return said

    return case


def better(profile: str) -> Callable[[], str]:
    """Lower delay, and at most 4 % less goodput, than drop-tail: Table 6 has it better in both."""

    def case() -> str:
        tail, told = runs(""), runs(profile)
        expect(all(t.aqm > 0 for t in told), "the AQM has dropped nothing")
        slower = [b.seed for a, b in zip(tail, told) if b.delay_ms >= a.delay_ms]
        expect(not slower, f"more delay than drop-tail in seeds {slower}")
        delay = [sum(t.delay_ms for t in one) / SEEDS for one in (tail, told)]
        goodput = [sum(t.goodput_bps for t in one) / SEEDS / 1e3 for one in (tail, told)]
        expect(goodput[1] > 0.96 * goodput[0], f"{goodput[1]:.1f} kbit/s, drop-tail {goodput[0]:.1f}")
        return (
            f"{delay[0]:.0f} to {delay[1]:.0f} ms ({delay[1] / delay[0] - 1:+.0%}), "
            f"{goodput[0]:.1f} to {goodput[1]:.1f} kbit/s ({goodput[1] / goodput[0] - 1:+.0%})"
        )

    return case


WAYS = (
    "wlinkctl set d0 rate {rate}kbit",
    "tc qdisc change dev d0 root wlink rate {rate}kbit",
    "tc class change dev d0 parent 1: classid 1:2 wlink rate {rate}kbit",
    "wlinkctl set d0 bearer 1 rate {rate}kbit bearer 2 rate {rate}kbit",
)


def ways() -> list[tuple[int, str]]:
    """(rate in kbit/s, command): from each rate of the table to each and to others, by each way."""
    out = []
    for i, first in enumerate(TABLE_3):
        for k, last in enumerate((*TABLE_3, 100, 1000, 9)):
            way = WAYS[(i + k) % len(WAYS)]
            out += [(first, way.format(rate=first)), (last, way.format(rate=last))]
    return out


def follow(profile: str) -> Callable[[], str]:
    """After any way from a rate to another the parameters are the table's for the one in force."""

    def case() -> str:
        link = f"preset umts-384 limit {LIMIT} profile {profile}"
        lines = [
            "set -e; ip link add d0 type dummy; ip link set d0 up",
            f"tc qdisc add dev d0 root handle 1: wlink {link}",
            f"tc class add dev d0 parent 1: classid 1:2 wlink {link}",
        ]
        # The second does not wait for the first: a TTI later it has taken effect.
        for _, command in ways():
            lines += [f"{command} >/dev/null; sleep 0.02", "wlinkctl --json show d0 bearer all; echo"]
        called = wlab("exec", "--", "/bin/sh", "-c", "\n".join(lines))
        expect(called.status == 0, called.err)
        seen = 0
        for (rate, command), line in zip(ways(), filter(None, called.out.splitlines()), strict=True):
            bearers = [one["options"] for one in json.loads(line)]
            changed = [o for o in bearers if o["rate_bps"] == rate * 1000]
            expect(bool(changed), f"{command}: no bearer has this rate")
            for options in bearers:
                row_is_right(profile, options, command)
                seen += 1
        return f"{seen} sets of parameters"

    return case


def row_is_right(profile: str, options: dict[str, Any], where: str) -> None:
    """The row of the highest rate not above the bearer's, below all rows the first."""
    row = max([r for r in TABLE_3 if r * 1000 <= options["rate_bps"]], default=64)
    got = options["aqm"]
    if profile == "sbd-3g":
        minth, tr_ms = TABLE_3[row]
        want = {"kind": "sbd", "minth": minth, "tr_ns": tr_ms * 10**6, "alpha": ALPHA}
        want |= {"hold": False, "clamp": False}
    else:
        minth, maxp = TABLE_5[row]
        want = {"kind": "red", "minth": minth, "maxp": maxp}
    expect(want.items() <= got.items(), f"{where}, now {options['rate_bps']} bit/s: {got}, not {want}")


CASES: dict[str, Callable[[], str]] = {
    "aqm, profile red-3g follows the rate": follow("red-3g"),
    "aqm, profile sbd-3g follows the rate": follow("sbd-3g"),
    "aqm, slow start of two flows, SBD": start(2),
    "aqm, slow start of one flow, SBD": start(1),
    "aqm, the switch, SBD": switch("sbd-3g-clamp"),
    "aqm, the switch, RED": switch("red-3g"),
    "aqm, RED against drop-tail": better("red-3g"),
    "aqm, SBD against drop-tail": better("sbd-3g"),
}
