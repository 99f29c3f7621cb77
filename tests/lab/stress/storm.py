# SPDX-License-Identifier: GPL-2.0
"""Storms of transactions under traffic in the sanitizer kernel: AM loses and reorders nothing.

One on each link at once: the one down sets all there is, so that full buffers and AQMs
drop; the one up sets nothing that drops, and not one SDU may be missing.
"""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from brief import brief
from lab import HERE, events, expect, run, sdus
from storm_feed import words

# Its cases do not use each other's results.
APART = True

# All that storm_feed.py says comes again after 504.
PACE = 1000
BEGIN_MS = 100
DOWN, UP = "radio.down", "radio.up"
# So many at once on the link up, a TTI's worth.
AT_ONCE = 10

# Nothing but an AQM or a full buffer may take a SDU. With MaxDAT at its most a PDU
# that is lost as often as allowed does not happen.
RULES = {"none", "overflow", "aqm"}


def text(tti: str, seconds: int) -> str:
    """TCP through bearer 1, its ACKs through the other's, UDP through both 2; all stop with the storm."""
    bearer = "mode am pdu 40 rate 384kbit delay 20ms limit 60 maxdat 255 channel rayleigh fer 10% fdt 0.1"
    if tti == "0":
        bearer = bearer.replace("rayleigh fer 10% fdt 0.1", "uniform loss 0.1")
    feed = f"python3 -ISB {HERE}/stress/storm_feed.py"
    sizes = f"{seconds * PACE} {PACE}"
    calm = bearer.replace("limit 60", "limit 1000")
    return brief(f"""duration = "{seconds + 10}s"
[wired] wlink = "rate 10mbit delay 10ms"
[radio.down]
wlink = "tti {tti} {bearer}"
classes = ["classid 1:2 wlink {bearer}"]
filters = ["protocol ip u32 match ip dport {{u}} 0xffff classid 1:2"]
[radio.up]
wlink = "tti {tti} {calm}"
classes = ["classid 1:2 wlink {calm}"]
filters = ["protocol ip u32 match ip dport {{v}} 0xffff classid 1:2"]
[[flow]] name = "t"; kind = "tcp"
stop = "{seconds}s"
[[flow]] name = "u"; kind = "udp"; rate = "500kbit"; size = 500
stop = "{seconds}s"
[[flow]] name = "v"; kind = "udp"; direction = "up"; rate = "250kbit"; size = 500
stop = "{seconds}s"
[[at]]
time = "{BEGIN_MS}ms"
run = "{feed} {{down}} {sizes} | wlinkctl batch -"
[[at]]
time = "{BEGIN_MS}ms"
run = "{feed} {{up}} {sizes} {AT_ONCE} calm | wlinkctl batch -"
[[at]]
time = "{seconds + 1}s"
run = "wlinkctl set {{down}} bearer 1 rate 10mbit bearer 2 rate 10mbit"
[[at]]
time = "{seconds + 1}s"
run = "wlinkctl set {{up}} bearer 1 rate 10mbit bearer 2 rate 10mbit"
""")


def told_rates(n: int, calm: bool) -> dict[int, int]:
    """Bearers whose rate the n-th transaction sets, in kbit/s, from its words."""
    out = {}
    bearer = 1
    for word, value in re.findall(r"(bearer|rate) (\d+)", words(n, calm)):
        if word == "bearer":
            bearer = int(value)
        else:
            out[bearer] = int(value)
    return out


def generations(folder: Path, name: str, count: int) -> None:
    """Each transaction is one generation, in order, with the rates it was to set."""
    seen: dict[int, dict[int, int]] = {}
    last_gen = last_t = 0
    for t, link, gen, _, new, bearer in events(folder, "rate"):
        if link != name:
            continue
        later = int(gen) >= last_gen and int(t) >= last_t
        expect(later, f"{name}: generation {gen} at {t} after {last_gen} at {last_t}")
        last_gen, last_t = int(gen), int(t)
        seen.setdefault(last_gen, {})[int(bearer)] = int(new) // 1000
    # The one after the storm is the last.
    wanted = list(range(1, count + 2))
    expect(list(seen) == wanted, f"{name}: {len(seen)} generations up to {last_gen}, not {count + 1}")
    for n in range(count):
        said = told_rates(n, name == UP)
        got = {bearer: seen[n + 1].get(bearer) for bearer in said}
        expect(got == said, f"{name}: generation {n + 1} has rates {seen[n + 1]}, asked for were {said}")


def in_order(folder: Path, name: str) -> Counter[str]:
    """Delivered SDUs of each bearer come in order; why others did not come."""
    last: dict[int, tuple[int, int]] = {}
    drops: Counter[str] = Counter()
    gen = 0
    for s in sdus(folder, name):
        drops[s.drop] += 1
        if s.drop != "none":
            continue
        seq, t = last.get(s.bearer, (-1, -1))
        who = f"{name}: bearer {s.bearer}: SDU {s.seq}"
        expect(s.seq > seq, f"{who} came after {seq}")
        expect(s.deliver >= t, f"{who} came at {s.deliver}, the one before at {t}")
        last[s.bearer] = (s.seq, s.deliver)
        gen = max(gen, s.gen)
    expect(len(last) == 2, f"{name}: traffic in bearers {sorted(last)} only")
    expect(set(drops) <= RULES, f"{name}: lost against the rules: {drops}")
    expect(gen > 0, f"{name}: no record carries a generation")
    return drops


def sockets(result: dict[str, Any], folder: Path) -> None:
    """What the applications have: TCP all, UDP in order all that no rule has taken."""
    t = result["flows"]["t"]
    expect(bool(t["ended"]) and t["sent_bytes"] == t["bytes"] > 0, f"TCP: {t}")
    for name, link in (("u", DOWN), ("v", UP)):
        sent = result["flows"][name]["packets_sent"]
        arrivals = (folder / "series" / f"{name}.e2e.tsv").read_text().splitlines()
        numbers = [int(line.split("\t")[0]) for line in arrivals]
        expect(all(a < b for a, b in zip(numbers, numbers[1:])), f"{name}: UDP was reordered or doubled")
        lost = sum(s.flow == name and s.drop != "none" for s in sdus(folder, link))
        expect(sent == len(numbers) + lost > 0, f"{name}: {sent} sent, {len(numbers)} came, {lost} dropped")


def storm(tti: str, seconds: int) -> Callable[[], str]:
    """The whole."""

    def case() -> str:
        count = seconds * PACE
        result, folder = run(f"storm-{tti}", text(tti, seconds), "--sanitize", "--timeout", "600")
        said = []
        for name in (DOWN, UP):
            x = result["links"][name]["xstats"]
            expect(x["generation"] == count + 1, f"{name}: {x['generation']} generations")
            held, pending = x["sdus_held"], x["pending"]
            expect(held == 0 == pending, f"{name}: still there: {held} SDUs, {pending} transactions")
            generations(folder, name, count)
            drops = in_order(folder, name)
            if name == DOWN:
                few = not (drops["overflow"] and drops["aqm"])
                expect(not few, f"not dropped for both reasons, the case shows little: {drops}")
            else:
                expect(set(drops) == {"none"}, f"lost of the link that drops nothing: {drops}")
            again = x["pdus_retx"]
            expect(again > 100, f"{name}: only {again} PDUs sent again")
            said.append(f"{name}: {count} transactions, {dict(drops)}, {again} PDUs sent again")
        sockets(result, folder)
        return "; ".join(said)

    return case


CASES: dict[str, Callable[[], str]] = {
    "storm of transactions, tti 10 ms, 3 s": storm("10ms", 3),
    "storm of transactions, tti 0, 2 s": storm("0", 2),
}
