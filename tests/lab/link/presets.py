# SPDX-License-Identifier: GPL-2.0
"""The presets of cells: rates and idle delays by hand."""

import os
from collections.abc import Callable
from functools import partial
from math import sqrt
from pathlib import Path
from unittest.mock import patch

from lab import OUT, Sdu, expect, run, sdus

MS = 1_000_000
# By harq_bler, with the factor 0.2 and four transmissions at most: how many a block takes.
SENT = {0.1: 1 + 0.1 + 0.1 * 0.02 + 0.1 * 0.02 * 0.004, 0.3: 1 + 0.3 + 0.3 * 0.06 + 0.3 * 0.06 * 0.012}
# Share of the slots and symbols of DDDSU with 10 of 14 in S.
DOWN, UP = (3 + 10 / 14) / 5, 1 / 5

# Bits of a transport block in a TTI or slot of so many ms (TS 36.213 table 7.1.7.2.1-1, TS 38.214
# clause 5.1.3.2), the share of them that the direction has, BLER.
RATES = {
    "lte-good": (16416, 1, 1, 0.1),
    "lte-good-up": (14112, 1, 1, 0.1),
    "lte-edge": (3624, 1, 1, 0.3),
    "lte-edge-up": (1800, 1, 1, 0.3),
    "nr-fr1-edge": (20496, 0.5, 1, 0.3),
    "nr-sa-tdd": (73776, 0.5, DOWN, 0.1),
    "nr-sa-tdd-up": (26632, 0.5, UP, 0.1),
}
# ms of an idle uplink: request period, and from there the grant, a TTI, 4 ms; in TDD both the request
# and the grant wait for U, up to 2 ms each. Of a downlink: up to a TTI, in TDD two; a TTI, 4 ms.
UPLINKS = {"lte-good-up": (10, 13, 0), "lte-edge-up": (20, 13, 0), "nr-fr1-up": (20, 8.5, 0),
           "nr-sa-tdd-up": (20, 8.5, 4)}  # fmt: skip
DOWNLINKS = {"lte-good": (1, 5), "lte-edge": (1, 5), "nr-fr1": (0.5, 4.5), "nr-sa-tdd": (1, 4.5)}


def scenario(preset: str, flow: str, duration_s: float) -> str:
    way = "up" if preset.endswith("-up") else "down"
    other = "down" if way == "up" else "up"
    return (
        f'duration = "{duration_s}s"\nseed = 3\n[radio]\n{way}.wlink = "preset {preset}"\n{other}.wlink = '
        f'"rate 1gbit"\n[[flow]]\nname = "f"\nkind = "udp"\ndirection = "{way}"\n{flow}'
    )


def link_of(preset: str) -> str:
    return "radio.up" if preset.endswith("-up") else "radio.down"


def rate(preset: str) -> str:
    """A full buffer leaves at the rate of the blocks, less those sent again and the RLC's headers."""
    bits, tti_ms, share, bler = RATES[preset]
    want = bits / tti_ms * share / SENT[bler] * 1e3
    seconds = round(min(10.0, 200e6 / want), 3)
    result, _ = run(f"rate-{preset}", scenario(preset, f"rate = {round(1.5 * want)}\n", seconds))
    have = result["links"][link_of(preset)]["xstats"]["bytes_delivered"] * 8 / (seconds - 0.01)
    expect(abs(have / want - 1) < 0.02, f"{have / 1e6:.3f} Mbit/s, by hand {want / 1e6:.3f}")
    return f"{have / 1e6:.3f} Mbit/s of {want / 1e6:.3f}"


def clean(folder: Path, preset: str) -> list[float]:
    """Delays in ms without what is sent again, of the packets after the first, which meets an idle RRC."""

    def delay(s: Sdu) -> float:
        return (s.deliver - s.arrival - (s.whole - s.due)) / MS

    found = [s for s in sdus(folder, link_of(preset)) if s.drop == "none"]
    return [delay(s) for s in found[1:]]


def idle(preset: str) -> str:
    """A packet of 84 bytes each 1.0136 s: between its bounds, and uniform over a request's period."""
    _, folder = run(f"idle-{preset}", scenario(preset, "rate = 663\nsize = 84\n", 200))
    have = clean(folder, preset)
    period, least, slots = UPLINKS[preset] if preset in UPLINKS else (*DOWNLINKS[preset], 0)
    expect(len(have) > 190, f"{len(have)} packets")
    most = period + least + slots
    inside = all(least <= d <= most + 0.001 for d in have)
    expect(inside, f"{min(have):.3f} to {max(have):.3f} ms, not in {least} to {most}")
    mean = sum(have) / len(have)
    if preset in UPLINKS:
        error = 4 * period / sqrt(12 * len(have))
        low, high = least + period / 2 - error, least + period / 2 + slots + error
        expect(low <= mean <= high, f"mean {mean:.2f} ms, not in {low:.2f} to {high:.2f}")
    return f"{min(have):.2f} to {max(have):.2f} ms, mean {mean:.2f}"


def check_presets_5qi_1_and_5qi_9() -> str:
    """5qi-1 beside a full 5qi-9: it loses nothing, and is never late by the queue of the other."""
    text = (
        'duration = "20s"\nseed = 3\n[radio.down]\nwlink = "preset lte-good sched prio"\nclasses = '
        '["classid 1:2 wlink preset 5qi-1", "classid 1:3 wlink preset 5qi-9"]\nfilters = '
        '["protocol ip u32 match ip dport {voice} 0xffff classid 1:2",'
        ' "protocol ip u32 match ip dport {fill} 0xffff classid 1:3"]\n[radio.up]\nwlink = "rate 1gbit"\n'
        '[[flow]]\nname = "voice"\nkind = "udp"\nrate = 40000\nsize = 100\n'
        '[[flow]]\nname = "fill"\nkind = "udp"\nrate = 30000000\n'
    )
    _, folder = run("voice", text)
    voices = [s for s in sdus(folder) if s.flow == "voice"]
    lost = [s for s in voices if s.drop != "none"]
    expect(len(voices) > 900 and not lost, f"{len(lost)} of {len(voices)} lost")
    # A TTI until the next, one for the packet, 4 ms, and what HARQ sends again: at most three times.
    worst = max((s.deliver - s.arrival) / MS for s in voices)
    expect(worst <= 6 + 3 * 8 + 1, f"{worst:.2f} ms")
    fill = [s for s in sdus(folder) if s.flow == "fill" and s.drop == "none"]
    late = max((s.start - s.arrival) / MS for s in fill)
    expect(100 < late <= 300, f"the other waits {late:.1f} ms, its discard timer is 300 ms")
    return f"{len(voices)} packets of voice within {worst:.2f} ms, the others wait up to {late:.0f} ms"


# Rate, bytes of a PDU, of which each SDU takes one for its length indicator; TTI and delay in ms.
GSM = {
    "gprs-cs2": (36_000, 30, 20, 100),
    "gprs-cs2-up": (12_000, 30, 20, 100),
    "hscsd-28": (26_400, 66, 40, 150),
    "hscsd-57": (52_800, 66, 40, 150),
    "hscsd-57-t": (57_600, 0, 20, 150),
}


def gsm(preset: str) -> str:
    """Packets of 1000 bytes without a pause leave at the rate of PDUs; an idle one waits for a TTI, and
    for those that its PDUs take."""
    bps, pdu, tti, delay = GSM[preset]
    size = 1000
    _, folder = run(f"full-{preset}", scenario(preset, f"rate = {2 * bps}\nsize = {size}\n", 60))
    ends = [s.end for s in sdus(folder, link_of(preset)) if s.drop == "none"]
    have = (len(ends) - 1) * 8 * size / ((ends[-1] - ends[0]) / 1e9)
    want = bps * size / (size + (1 if pdu else 0))
    # The last one may end a TTI later.
    error = tti / 1e3 / 50
    expect(abs(have / want - 1) < error, f"{have:.1f} bit/s, by hand {want:.1f}")
    _, folder = run(f"one-{preset}", scenario(preset, "rate = 1000\nsize = 100\n", 20))
    one = 8 * (pdu * (101 // pdu + 1) if pdu else 100)
    ttis = -(-one * 1000 // (bps * tti))
    late = [(s.deliver - s.arrival) / MS for s in sdus(folder, link_of(preset)) if s.drop == "none"]
    least, most = delay + tti * (ttis - 1), delay + tti * (ttis + 1)
    inside = all(least <= d <= most for d in late)
    expect(len(late) > 15 and inside, f"{min(late):.2f} to {max(late):.2f} ms, not in {least} to {most}")
    return f"{have:.1f} bit/s of {want:.1f}, idle {max(late):.2f} ms"


def check_a_preset_of_ones_own() -> str:
    """A user's own preset, whose base is another one, is the link in the guest, as its file is now."""
    folder = OUT / "own-presets"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "slow").write_text("# a slow link\nrate 1mbit by hand\nmode tm\n")
    late = []
    with patch.dict(os.environ, {"WLINK_PRESETS": str(folder)}):
        for delay_ms in (33, 44):
            (folder / "far").write_text(f"base slow\ndelay {delay_ms}ms\n")
            _, out = run("preset-own", scenario("far", "rate = 10000\nsize = 100\n", 2))
            late.append({s.deliver - s.arrival for s in sdus(out, "radio.down")})
    want = [{delay_ms * MS + 100 * 8 * 1000} for delay_ms in (33, 44)]
    expect(late == want, f"{late} ns, by hand {want}")
    return f"{late} ns"


CASES: dict[str, Callable[[], str]] = {
    **{f"preset {name}: filled, idle": partial(gsm, name) for name in GSM},
    **{f"preset {name}: rate": partial(rate, name) for name in RATES},
    **{f"preset {name}: idle": partial(idle, name) for name in (*UPLINKS, *DOWNLINKS)},
}
