# SPDX-License-Identifier: GPL-2.0
"""A storm of transactions under traffic in the sanitizer kernel: AM loses and reorders nothing."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab import HERE, events, expect, run, sdus
from storm_feed import words

PACE = 1000
BEGIN_MS = 100
LINK = "radio.down"

# Nothing but an AQM or a full buffer may take a SDU. With MaxDAT at its most a PDU
# that is lost as often as allowed does not happen.
RULES = {"none", "overflow", "aqm"}


def text(tti: str, seconds: int) -> str:
    """TCP through bearer 1, UDP through bearer 2; both stop with the storm."""
    bearer = "mode am pdu 40 rate 384kbit delay 20ms limit 60 maxdat 255 channel rayleigh fer 10% fdt 0.1"
    if tti == "0":
        bearer = bearer.replace("rayleigh fer 10% fdt 0.1", "uniform loss 0.1")
    feed = f"python3 -ISB {HERE}/storm_feed.py {{down}} {seconds * PACE} {PACE}"
    return f"""duration = "{seconds + 10}s"
[wired]
wlink = "rate 10mbit delay 10ms"
[radio.down]
wlink = "tti {tti} {bearer}"
classes = ["classid 1:2 wlink {bearer}"]
filters = ["protocol ip u32 match ip dport {{u}} 0xffff classid 1:2"]
[radio.up]
wlink = "rate 10mbit delay 10ms"
[[flow]]
name = "t"
kind = "tcp"
stop = "{seconds}s"
[[flow]]
name = "u"
kind = "udp"
rate = "500kbit"
size = 500
stop = "{seconds}s"
[[at]]
time = "{BEGIN_MS}ms"
run = "{feed} | wlinkctl batch -"
[[at]]
time = "{seconds + 1}s"
run = "wlinkctl set {{down}} bearer 1 rate 10mbit bearer 2 rate 10mbit"
"""


def told_rates(n: int) -> dict[int, int]:
    """Bearers whose rate the n-th transaction sets, in kbit/s, from its words."""
    out = {}
    bearer = 1
    for word, value in re.findall(r"(bearer|rate) (\d+)", words(n)):
        if word == "bearer":
            bearer = int(value)
        else:
            out[bearer] = int(value)
    return out


def generations(folder: Path, count: int) -> None:
    """Each transaction is one generation, in order, with the rates it was to set."""
    seen: dict[int, dict[int, int]] = {}
    last_gen = last_t = 0
    for t, link, gen, _, new, bearer in events(folder, "rate"):
        if link != LINK:
            continue
        later = int(gen) >= last_gen and int(t) >= last_t
        expect(later, f"generation {gen} at {t} after {last_gen} at {last_t}")
        last_gen, last_t = int(gen), int(t)
        seen.setdefault(last_gen, {})[int(bearer)] = int(new) // 1000
    # The one after the storm is the last.
    wanted = list(range(1, count + 2))
    expect(list(seen) == wanted, f"{len(seen)} generations up to {last_gen}, not {count + 1}")
    for n in range(count):
        said = told_rates(n)
        got = {bearer: seen[n + 1].get(bearer) for bearer in said}
        expect(got == said, f"generation {n + 1} has rates {seen[n + 1]}, asked for were {said}")


def in_order(folder: Path) -> Counter[str]:
    """Delivered SDUs of each bearer come in order; why others did not come."""
    last: dict[int, tuple[int, int]] = {}
    drops: Counter[str] = Counter()
    gen = 0
    for s in sdus(folder):
        drops[s.drop] += 1
        if s.drop != "none":
            continue
        seq, t = last.get(s.bearer, (-1, -1))
        expect(s.seq > seq, f"bearer {s.bearer}: SDU {s.seq} came after {seq}")
        expect(s.deliver >= t, f"bearer {s.bearer}: SDU {s.seq} came at {s.deliver}, the one before at {t}")
        last[s.bearer] = (s.seq, s.deliver)
        gen = max(gen, s.gen)
    expect(len(last) == 2, f"traffic in bearers {sorted(last)} only")
    expect(set(drops) <= RULES, f"lost against the rules: {drops}")
    expect(gen > 0, "no record carries a generation")
    return drops


def sockets(result: dict[str, Any], folder: Path) -> None:
    """What the applications have: TCP all, UDP in order all that no rule has taken."""
    t, u = result["flows"]["t"], result["flows"]["u"]
    expect(bool(t["ended"]) and t["sent_bytes"] == t["bytes"] > 0, f"TCP: {t}")
    arrivals = (folder / "series" / "u.e2e.tsv").read_text().splitlines()
    numbers = [int(line.split("\t")[0]) for line in arrivals]
    expect(all(a < b for a, b in zip(numbers, numbers[1:])), "UDP was reordered or doubled")
    lost = sum(s.flow == "u" and s.drop != "none" for s in sdus(folder))
    expect(u["packets_sent"] == len(numbers) + lost, f"UDP: {u['packets_sent']} sent, {lost} dropped: {u}")


def storm(tti: str, seconds: int) -> Callable[[], str]:
    """The whole."""

    def case() -> str:
        count = seconds * PACE
        name = f"storm-{tti}"
        result, folder = run(name, text(tti, seconds), "--sanitize", "--timeout", "600")
        x = result["links"][LINK]["xstats"]
        expect(x["generation"] == count + 1, f"{x['generation']} generations")
        held, pending = x["sdus_held"], x["pending"]
        expect(held == 0 == pending, f"still there: {held} SDUs, {pending} transactions")
        generations(folder, count)
        drops = in_order(folder)
        sockets(result, folder)
        for reason in ("overflow", "aqm"):
            expect(drops[reason] > 0, f"nothing dropped for {reason}, the case shows little: {drops}")
        again = x["pdus_retx"]
        expect(again > 100, f"only {again} PDUs sent again")
        return f"{count} transactions, {dict(drops)}, {again} PDUs sent again"

    return case


CASES: dict[str, Callable[[], str]] = {
    "storm of transactions, tti 10 ms, 60 s": storm("10ms", 60),
    "storm of transactions, tti 0, 10 s": storm("0", 10),
}
