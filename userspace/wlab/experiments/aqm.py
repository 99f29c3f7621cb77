# SPDX-License-Identifier: GPL-2.0
"""Claims of the AQM paper (Alcaraz and Cerdan)."""

from itertools import product

from wlablib.report.claims import Evidence, gap
from wlablib.report.data import Slot
from wlablib.report.entries import of_item
from wlablib.report.words import cell_text, count, number

RATES = (384, 256, 128, 64)
FLOWS = (1, 4)
# Round trip of the wire and of the radio, and the packets that both papers' buffers count.
ROUND_TRIP_S = 0.25
SDU_BITS = 8 * 1500


def better(found: Evidence, aqm: str, metric: str, sign: int) -> str:
    """By the means of the configurations that Table 6 compares; sign: 1 where more is better."""
    parts = []
    for rate, flows in product(RATES, FLOWS):
        ours, tail = (found.having(rate_kbit=rate, flows=flows, aqm=one) for one in (aqm, "droptail"))
        if not ours or not tail:
            what = aqm if not ours else "droptail"
            found.lack(f"{what} with {rate} kbit/s and {count(flows, 'flow')} in {found.of[0]}")
        where = f"{rate} kbit/s, flows {flows}"
        for a, b in product(ours, tail):
            have = found.compare(a, b, metric, lambda g: sign * g.mean > 0, where)
            if have:
                parts.append((sign * have.mean / have.b if have.b else 0.0, f"{where}: {have.words()}"))
    return f"Smallest: {min(parts, key=lambda p: p[0])[1]}." if parts else ""


def sizes(found: Evidence, points: float) -> str:
    """The gains in percent that Table 6 prints; its withheld rows are compared elsewhere."""
    (item,) = found.of
    offs = []
    exps = found.study.experiments(found.page)
    derived = {(e.name, d.metric) for e in exps for d in e.derived if d.item == item}
    for entry in of_item(found.study, found.page, item):
        if entry.printed is None or (entry.slot.exp.name, entry.metric) not in derived:
            continue
        words = cell_text(entry.slot.values)
        if entry.value is None:
            found.lack(f"{entry.metric} of {words}")
            continue
        ours, theirs = number(entry.value, entry.half), entry.printed.value
        words += f": {entry.metric} {ours}, theirs {theirs:g}"
        offs.append((abs(entry.value - theirs), words))
        found.add(offs[-1][0] <= points, words, entry.slot)
    return f"Farthest: {max(offs, key=lambda o: o[0])[1]}." if offs else ""


def with_keys(slots: list[Slot], *keys: str) -> list[Slot]:
    """What has no number for each of these is no part of the comparison."""
    return [s for s in slots if all(isinstance(s.values.get(k), int | float) for k in keys)]


def more_tr(found: Evidence) -> str:
    """From the smallest to the largest T_r delay is less, and no step between raises it surely."""
    series: dict[tuple[object, ...], list[Slot]] = {}
    for slot in with_keys(found.having(aqm="sbd"), "tr_ms"):
        alike = tuple(sorted((k, str(v)) for k, v in slot.values.items() if k != "tr_ms"))
        series.setdefault(alike, []).append(slot)
    steps = sum(len(slots) - 1 for slots in series.values())
    for slots in series.values():
        slots.sort(key=lambda s: float(s.values["tr_ms"]))
        have = [s for s in slots if s.by_seed("delay_s")]
        for slot in slots:
            if slot not in have:
                found.lack_cell(slot)
        if len(have) < 2:
            found.lack(f"two values of T_r with {cell_text(slots[0].values, ('tr_ms',))}")
            continue
        where = cell_text(have[0].values, ("tr_ms", "aqm"))
        for i, (a, b) in enumerate([(have[0], have[-1]), *zip(have, have[1:])]):
            step = gap(b, a, "delay_s", steps if i else 1)
            if step and (not i or step.above_surely()):
                ends = f"T_r {a.values['tr_ms']} to {b.values['tr_ms']} ms"
                found.add(not i and step.mean < 0, f"{where}, {ends}: {step.words()}", a, b)
    if not series:
        found.lack(f"SBD cells in {found.of[0]} to {found.of[-1]}")
    return f"A step counts as a rise beyond its interval at one for {steps} steps." if steps else ""


def minth(found: Evidence, percent: float) -> str:
    """At the smallest minth tried that is 2 x BDP or more, for every T_r up to the proposed one."""
    notes = []
    for rate in RATES:
        slots = with_keys(found.having(aqm="sbd", rate_kbit=rate, flows=1), "tr_ms", "minth")
        have = {s.id: s.value("goodput_kbit") or 0.0 for s in slots if s.value("goodput_kbit") is not None}
        proposed = [s for s in slots if "table 3" in s.plan.items]
        twice = 2 * rate * 1000 * ROUND_TRIP_S / SDU_BITS
        enough = sorted({float(s.values["minth"]) for s in slots if float(s.values["minth"]) >= twice})
        if not have or not proposed or not enough:
            found.lack(f"SBD cells with {rate} kbit/s and 1 flow, one of them of table 3")
            continue
        best = max((s for s in slots if s.id in have), key=lambda s: have[s.id])
        top = have[best.id]
        limit = max(float(s.values["tr_ms"]) for s in proposed)
        for slot in slots:
            if slot.id not in have:
                found.lack_cell(slot)
            elif slot.values["minth"] == enough[0] and float(slot.values["tr_ms"]) <= limit:
                part = 100 * have[slot.id] / top if top else 0.0
                words = f"{cell_text(slot.values, ('aqm',))}: {part:.1f} % of {number(top)} kbit/s"
                found.add(part >= percent, words, slot, best)
        notes.append(f"{rate} kbit/s: 2 x BDP {twice:.2f} SDUs, minth {enough[0]:g}, T_r to {limit:g} ms")
    return f"Looked at: {'; '.join(notes)}." if notes else ""


def switch(found: Evidence) -> str:
    """Drop-tail in most seeds, SBD in none."""
    for item, aqm, most in (("figure 2", "droptail", True), ("figure 14", "sbd", False)):
        slots = found.having(item, aqm=aqm)
        if not slots:
            found.lack(f"{aqm} in {item}")
        for slot in slots:
            counts = list(slot.by_seed("overflow_switch").values())
            if not counts:
                found.lack_cell(slot)
                continue
            seen = sum(n > 0 for n in counts)
            many = f"{sum(counts) / len(counts):.3g} packets a seed"
            words = f"{item}, {aqm}: overflow in {seen} of {len(counts)} seeds, {many}"
            found.add(2 * seen > len(counts) if most else seen == 0, words, slot)
    return found.seen()
