# SPDX-License-Identifier: GPL-2.0
"""The experiment on GPRS and HSCSD: 30 tests that wlinkctl batch sets up, 30 logs, statistics by hand."""

import json
from collections.abc import Callable
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from lab import OUT, ROOT, conserved, expect, sdus, wlab

TESTS = 30
BYTES, PAYLOAD, HEADERS = 100 * 1024, 960, 40
PACKETS = -(-BYTES // PAYLOAD)
SCENARIO = ROOT / "userspace" / "papers" / "scenarios" / "seawind.toml"
LOSSY = (
    'at.0.run=printf "set air-f preset gprs-cs2 limit 100 channel uniform loss 0.1\\n'
    'set lan-b preset gprs-cs2-up limit 100 channel uniform loss 0.1\\n" | wlinkctl batch -'
)
# Of Student's t, 29 degrees of freedom.
T95 = 2.04523
# Rate, bytes of a PDU, TTI and delay in ms; those of the other direction.
LINKS = {
    "gprs-cs2": ((36_000, 30, 20, 100), (12_000, 30, 20, 100)),
    "hscsd-28": ((26_400, 66, 40, 150), (26_400, 66, 40, 150)),
    "hscsd-57": ((52_800, 66, 40, 150), (52_800, 66, 40, 150)),
}


def cell(name: str, *words: str) -> dict[str, Any]:
    """The result of a cell of the experiment."""
    path = OUT / f"seawind-{name.replace(',', '-').replace('=', '-')}.json"
    called = wlab("cell", "seawind", name, "--out", str(path), *words)
    expect(called.status == 0, called.err)
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def way_s(link: tuple[int, int, int, int], size: int) -> float:
    """At most: the wait for a TTI, those that its PDUs take, the way."""
    bps, pdu, tti, delay = link
    bits = 8 * pdu * -(-(size + 1) // pdu)
    return (tti + tti * -(-bits * 1000 // (bps * tti)) + delay) / 1e3


def clean(link: str, channel: str) -> str:
    """Without loss each test takes its packets' time, and what TCP needs to fill the link: the handshake
    and less than two round trips, since three packets are longer than one; and once more what a timer
    sends again while the queue grows."""
    found = cell(f"channel={channel},link={link},loss=0", "--quick")
    data, back = LINKS[link] if channel == "downlink" else reversed(LINKS[link])
    rate = data[0]
    on_air_s = 8 * (BYTES + PACKETS * (HEADERS + 1)) / rate
    handshake_s = way_s(data, HEADERS) + way_s(back, HEADERS)
    trip_s = way_s(data, PAYLOAD + HEADERS) + way_s(back, HEADERS)
    again_s = found["metrics"]["retransmissions"]["value"] * 8 * (PAYLOAD + HEADERS + 1) / rate
    have_s = found["metrics"]["completion_s"]["value"]
    least, most = on_air_s + handshake_s / 2, on_air_s + handshake_s + 2 * trip_s + again_s
    expect(least < have_s < most, f"{have_s:.3f} s, not in {least:.3f} to {most:.3f}")
    # Of 1001 bytes in PDUs one is RLC's; the last packet that leaves may be a TTI late.
    error = found["metrics"]["line_error_percent"]["value"]
    by_hand = 100 * (1000 / 1001 - 1)
    late = 100 * data[2] / 1e3 / (on_air_s / 2)
    expect(abs(error - by_hand) < late, f"the line rate is {error:.3f} % off, by hand {by_hand:.3f} %")
    excess = found["metrics"]["excess_s"]["value"]
    requested = 8 * (BYTES + PACKETS * HEADERS) / rate
    expect(abs(have_s - requested - excess) < 1e-6, f"absolute error {excess} s, not {have_s - requested}")
    relative = found["metrics"]["excess_percent"]["value"]
    expect(abs(relative - 100 * excess / requested) < 1e-6, f"relative error {relative} %")
    expect(found["metrics"]["dropped"]["value"] == 0, "packets were dropped")
    return f"{have_s:.3f} s of {least:.3f} to {most:.3f}, the line rate {error:.3f} % off"


def one_test(folder: Path) -> float:
    """The goodput of a test, kbit/s, by its log alone."""
    result = json.loads((folder / "result.json").read_text())
    conserved(result)
    down, up = (result["links"][name]["options"] for name in ("air.forward", "lan.back"))
    expect((down["rate_bps"], up["rate_bps"]) == (36_000, 12_000), "the batch has not set the rates")
    expect(down["channel"] == up["channel"] == {"kind": "uniform", "loss": 0.1}, "nor the channels")
    expect(result["links"]["air.forward"]["xstats"]["pdus_lost"] > 100, "no blocks were lost")
    data = [s for s in sdus(folder, "air.forward") if s.payload and s.drop == "none"]
    parts = {s.tcp_seq: s.payload for s in data}
    expect(sum(parts.values()) == BYTES, f"the log has {sum(parts.values())} bytes")
    begin = min(s.arrival for s in sdus(folder, "air.forward"))
    # In order: what came last made the file whole.
    seen, whole = set[int](), 0
    for s in sorted(data, key=lambda s: s.deliver):
        if s.tcp_seq not in seen:
            seen.add(s.tcp_seq)
            whole = s.deliver
    expect(10**9 <= begin < 10**9 + 10**6, f"it began at {begin} ns")
    return 8 * BYTES / ((whole - begin) / 1e9) / 1e3


def check_30_tests_30_logs() -> str:
    """30 tests have 30 logs, which differ; the cell of the experiment is their mean and interval."""
    folder = OUT / "seawind-30"
    many = ["--runs", str(TESTS), "--out", str(folder), "--force", "--json"]
    called = wlab("run", str(SCENARIO), "--set", LOSSY, *many)
    expect(called.status == 0, called.err)
    logs = sorted(folder.glob("seed-*/events.tsv"))
    expect(len(logs) == TESTS, f"{len(logs)} logs")
    digests = {json.loads(called.out)[i]["event_sha256"] for i in range(TESTS)}
    expect(len(digests) == TESTS, f"{len(digests)} different logs")
    rates = [one_test(log.parent) for log in logs]
    found = cell("channel=downlink,link=gprs-cs2,loss=0.1")
    of = found["metrics"]["goodput_kbit"]
    mean, half = fmean(rates), T95 * stdev(rates) / sqrt(TESTS)
    expect(abs(of["value"] / mean - 1) < 1e-4, f"mean {of['value']:.4f} kbit/s, by hand {mean:.4f}")
    expect(abs(of["half_width"] / half - 1) < 1e-3, f"interval {of['half_width']:.4f}, by hand {half:.4f}")
    # Each byte is sent at least 1 / 0.9 times.
    most = 36 * 0.9 * PAYLOAD / (PAYLOAD + HEADERS + 1)
    expect(max(rates) < most, f"{max(rates):.2f} kbit/s is above {most:.2f}")
    return f"{TESTS} logs, {mean:.2f} +- {half:.2f} kbit/s, {min(rates):.2f} to {max(rates):.2f}"


CASES: dict[str, Callable[[], str]] = {
    **{f"seawind: {link}, {channel}": partial(clean, link, channel)
       for link in LINKS for channel in ("downlink", "uplink")},
}  # fmt: skip
