# SPDX-License-Identifier: GPL-2.0
"""Outages and handovers as words of a link, and a link too slow for a packet."""

import contextlib
import io
import json
from collections import Counter
from typing import Any

from brief import brief
from lab import events, expect, run, sdus, wlab
from wlablib.lib.paths import LabError
from wlablib.scenario import scenario

MS = 10**6
TEXT = brief("""duration = "12s"
[radio.down] wlink = "rate 2mbit tti 10ms delay 20ms limit 100 aqm red minth 90 maxth 95 maxp 0.1"
outage = "1s at 2s"
handover = "gap 100ms drop at 6s every 3s"
classes = ["classid 1:2 wlink rate 100kbit limit 20kb"]
filters = ["protocol ip u32 match ip dport {u} 0xffff classid 1:2"]
[radio.up] wlink = "rate 2mbit tti 10ms delay 20ms limit 100"; handover = "lte every 4s"
[[flow]] name = "f"; kind = "tcp"
[[flow]] name = "u"; kind = "udp"; rate = "120kbit"
""")
RAW: dict[str, Any] = {"name": "x", "duration": "60s", "radio": {"up": {"wlink": "rate 1mbit"}}}
# What [radio.down] has besides its wlink; the times at which its rate becomes 0 and is back, in ms.
TIMES: dict[str, tuple[dict[str, str], list[tuple[int, int]]]] = {
    "once": ({"outage": "2s at 10s"}, [(10_000, 12_000)]),
    "each": ({"outage": "500ms every 20s"}, [(20_000, 20_500), (40_000, 40_500)]),
    "first": ({"outage": "500ms at 1s every 30s"}, [(1_000, 1_500), (31_000, 31_500)]),
    "preset": ({"handover": "starlink at 5s"}, [(n, n + 100) for n in (5_000, 20_000, 35_000, 50_000)]),
    "own period": ({"handover": "lte-train every 50s"}, [(50_000, 50_050)]),
    "both": (
        {"outage": "1s at 1s", "handover": "gap 50ms forward at 3s"}, [(1_000, 2_000), (3_000, 3_050)],
    ),
}  # fmt: skip
REFUSED = {
    "": "not a string, or is empty",
    "soon at 1s": "soon",
    "2s": "neither 'at TIME' nor 'every TIME'",
    "0s at 1s": "it lasts 0",
    "2s at": "not of the form",
    "2s from 1s": "not of the form",
    "2s every 1s": "every 1s is not above its length, 2s",
    "2s at 60s": "radio.down.outage: 60s is not before the end of the run",
}
REFUSED_HANDOVERS = {
    "gap 50ms": "neither of the form 'gap 50ms forward at 10s'",
    "gap 50ms lost at 1s": "neither of the form",
    "wifi at 1s": "nor a preset",
    "gap 10ms drop at 1s": "at least 20ms",
}


def read(**more: str) -> scenario.Scenario:
    down = {"wlink": "rate 1mbit", **more}
    return scenario.read({**RAW, "radio": {**RAW["radio"], "down": down}})


def refused(words: str, **more: str) -> None:
    try:
        read(**more)
    except LabError as e:
        expect(words in str(e), f"{more}: '{e}', wanted '{words}'")
        return
    expect(False, f"not refused: {more}")


def check_outage_and_handover_their_words() -> None:
    """Their times, and what is refused."""
    for name, (more, wanted) in TIMES.items():
        found = read(**more).outages
        have = [(a.time_ns // MS, b.time_ns // MS) for a, b in zip(found[::2], found[1::2])]
        expect(have == wanted, f"{name}: {have}, wanted {wanted}")
        expect(all(a.up == (i % 2 == 1) for i, a in enumerate(found)), f"{name}: {found}")
    for text, why in REFUSED.items():
        refused(why, outage=text)
    for text, why in REFUSED_HANDOVERS.items():
        refused(why, handover=text)
    refused("overlap", outage="1s at 1s", handover="lte at 1500ms")
    raw = {**RAW, "radio": {**RAW["radio"], "down": {"netem": "delay 1ms", "outage": "1s at 1s"}}}
    try:
        scenario.read(raw)
    except LabError as e:
        expect("radio.down.outage: only a wlink" in str(e), str(e))
        return
    expect(False, "netem has an outage")


def check_a_rate_of_100() -> None:
    """100 is 100 bit/s, at which no packet is through in a minute."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        scenario.read({**RAW, "radio": {**RAW["radio"], "down": {"wlink": "rate 100"}}})
    wanted = "radio.down: at 100bit/s a packet of 1500 bytes takes 120 s, longer than the run"
    expect(wanted in said.getvalue(), said.getvalue())


def check_outage_and_handover_a_run() -> None:
    """Rates, losses and shares of a run with all of them."""
    result, folder = run("pausing", TEXT)
    rates = [(w[1], int(w[0]) // MS, w[4]) for w in events(folder, "rate") if w[3] != w[4] and w[5] == "1"]
    down = [(2000, 3000), (6000, 6100), (9000, 9100)]
    wanted = [("radio.down", t, bps) for pair in down for t, bps in zip(pair, ("0", "2000000"))]
    expect([one for one in rates if one[0] == "radio.down"] == wanted, f"{rates}")
    up = [(t, bps) for way, t, bps in rates if way == "radio.up"]
    expect(up == [(4000, "0"), (4050, "2000000"), (8000, "0"), (8050, "2000000")], f"{up}")
    # A handover drops what waits, in each bearer, and then there is room as before.
    lost = Counter((s.bearer, s.t // MS // 1000) for s in sdus(folder) if s.drop == "overflow")
    waited = {
        (n, t): sum(s.bearer == n and s.arrival <= t * 1000 * MS < s.end for s in sdus(folder))
        for n in (1, 2)
        for t in (6, 9)
    }
    for key, count in waited.items():
        expect(lost[key] >= count - 2 and count > 2, f"lost {lost}, waited {waited}")
    # All that arrives in a later part of the gap waits in it.
    gap = [s for s in sdus(folder) if 6025 * MS < s.arrival < 6100 * MS]
    expect(bool(gap) and all(s.drop != "overflow" for s in gap), f"{gap}")
    called = wlab("why", str(folder), "--json")
    expect(called.status == 0, called.err)
    said = json.loads(called.out)
    row = next(one for one in said["bearers"] if one["link"] == "radio.down" and one["bearer"] == 2)
    # Of each SDU what it has of the time without a rate.
    spans = [(begin * MS, end * MS) for begin, end in down]
    dark = 0
    for s in sdus(folder):
        if s.bearer == 2 and s.drop == "none":
            dark += sum(max(0, min(b, s.deliver) - max(a, s.arrival)) for a, b in spans)
    expect(abs(row["outage"]["sum_ns"] - dark) < row["count"] * MS, f"{row['outage']}, counted {dark}")
    shares = said["held"][0]["shares"]
    expect(abs(shares["outage"] * 12 - 1.2) < 0.25, f"{shares}")
    expect(result["flows"]["f"]["bytes"] > 0, "nothing came")
