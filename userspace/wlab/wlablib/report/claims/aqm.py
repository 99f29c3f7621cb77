# SPDX-License-Identifier: GPL-2.0
"""Claims of the AQM paper (Alcaraz and Cerdan)."""

from ...experiment.parts import Printed
from ..data import Slot, Study
from ..entries import of_item
from ..words import cell_text, count, number
from .claim import Claim, Evidence, gap, made

PAPER = "aqm"
COMPARED = "table 6"
RATES = (384, 256, 128, 64)
FLOWS = (1, 4)
SBD_FIGURES = ("figure 6", "figure 7", "figure 8", "figure 9")
SBD_TABLES = ("table 2", "table 3")
POINTS = 10
BEST_PERCENT = 96
# Round trip of the wire and of the radio, and the packets that both papers' buffers count.
ROUND_TRIP_S = 0.25
SDU_BITS = 8 * 1500
NAMES = {"sbd": "SBD", "red": "RED"}


def compared(study: Study, found: Evidence, aqm: str) -> list[tuple[Slot, Slot]]:
    """The cells of Table 6 and the drop-tail cell of the same rate and flows."""
    out = []
    for rate in RATES:
        for flows in FLOWS:
            ours = study.having(PAPER, [COMPARED], rate_kbit=rate, flows=flows, aqm=aqm)
            tail = study.having(PAPER, [COMPARED], rate_kbit=rate, flows=flows, aqm="droptail")
            if ours and tail:
                out += [(a, b) for a in ours for b in tail]
            else:
                what = aqm if not ours else "droptail"
                found.lack(f"{what} with {rate} kbit/s and {count(flows, 'flow')} in {COMPARED}")
    return out


def better(study: Study, aqm: str, metric: str, sign: int) -> tuple[Evidence, str]:
    """sign: 1 where more is better."""
    found = Evidence()
    smallest: tuple[float, str] | None = None
    for a, b in compared(study, found, aqm):
        have = gap(a, b, metric)
        if have is None:
            found.lack_pair(metric, a, b)
            continue
        where = f"{a.values['rate_kbit']} kbit/s, flows {a.values['flows']}: {have.words()}"
        found.add(sign * have.mean > 0, where, a, b)
        part = sign * have.mean / have.b if have.b else 0.0
        if smallest is None or part < smallest[0]:
            smallest = part, where
    return found, f"Smallest: {smallest[1]}." if smallest else ""


def raises(study: Study, aqm: str) -> Claim:
    """By the means of the configurations that Table 6 compares."""
    found, smallest = better(study, aqm, "goodput_kbit", 1)
    sentence = f"{NAMES[aqm]} raises goodput against drop-tail at every rate and number of flows"
    return made(f"aqm-{aqm}-goodput", PAPER, sentence, found, smallest)


def lowers(study: Study, aqm: str) -> Claim:
    """By the means of the configurations that Table 6 compares."""
    found, smallest = better(study, aqm, "delay_s", -1)
    sentence = f"{NAMES[aqm]} lowers delay against drop-tail at every rate and number of flows"
    return made(f"aqm-{aqm}-delay", PAPER, sentence, found, smallest)


def sizes(study: Study) -> Claim:
    """The gains in percent that Table 6 prints; its withheld rows are compared elsewhere."""
    found = Evidence()
    largest: tuple[float, str] | None = None
    derived = {(e.name, d.metric) for e in study.experiments(PAPER) for d in e.derived if d.item == COMPARED}
    for entry in of_item(study, PAPER, COMPARED):
        printed: Printed | None = entry.printed
        if printed is None or (entry.slot.exp.name, entry.metric) not in derived:
            continue
        if entry.value is None:
            found.lack(f"{entry.metric} of {cell_text(entry.slot.values)}")
            continue
        off = entry.value - printed.value
        ours = number(entry.value, entry.half)
        words = f"{cell_text(entry.slot.values)}: {entry.metric} {ours}, theirs {printed.value:g}"
        found.add(abs(off) <= POINTS, words, entry.slot)
        if largest is None or abs(off) > largest[0]:
            largest = abs(off), words
    sentence = f"the gains of SBD and RED are within {POINTS} points of those that Table 6 prints"
    return made("aqm-sizes", PAPER, sentence, found, f"Farthest: {largest[1]}." if largest else "")


def with_keys(slots: list[Slot], *keys: str) -> list[Slot]:
    """What has no number for each of these is no part of the comparison."""
    return [s for s in slots if all(isinstance(s.values.get(k), int | float) for k in keys)]


def by_tr(study: Study) -> dict[tuple[object, ...], list[Slot]]:
    """The slots of Figs. 6 to 9 with all but T_r alike, by growing T_r."""
    out: dict[tuple[object, ...], list[Slot]] = {}
    for slot in with_keys(study.having(PAPER, SBD_FIGURES, aqm="sbd"), "tr_ms"):
        key = tuple(sorted((k, str(v)) for k, v in slot.values.items() if k != "tr_ms"))
        out.setdefault(key, []).append(slot)
    return {k: sorted(v, key=lambda s: float(s.values["tr_ms"])) for k, v in out.items()}


def more_tr(study: Study) -> Claim:
    """From the smallest to the largest T_r delay is less, and no step between raises it surely."""
    found = Evidence()
    series = by_tr(study)
    steps = sum(len(slots) - 1 for slots in series.values())
    for slots in series.values():
        have = [s for s in slots if s.by_seed("delay_s")]
        for slot in slots:
            if slot not in have:
                found.lack_cell(slot)
        if len(have) < 2:
            found.lack(f"two values of T_r with {cell_text(slots[0].values, ('tr_ms',))}")
            continue
        first, last = have[0], have[-1]
        where = cell_text(first.values, ("tr_ms", "aqm"))
        whole = gap(last, first, "delay_s")
        if whole:
            ends = f"T_r {first.values['tr_ms']} to {last.values['tr_ms']} ms"
            found.add(whole.mean < 0, f"{where}, {ends}: {whole.words()}", first, last)
        for a, b in zip(have, have[1:]):
            step = gap(b, a, "delay_s", steps)
            if step and step.above_surely():
                ends = f"T_r {a.values['tr_ms']} to {b.values['tr_ms']} ms"
                found.add(False, f"{where}, {ends}: {step.words()}", a, b)
    if not series:
        found.lack("SBD cells in figures 6 to 9")
    closest = f"A step counts as a rise beyond its interval at one for {steps} steps." if steps else ""
    return made("aqm-tr-delay", PAPER, "SBD: more T_r, less delay", found, closest)


def minth(study: Study) -> Claim:
    """At the smallest minth tried that is 2 x BDP or more, for every T_r up to the proposed one."""
    found = Evidence()
    notes = []
    items = (*SBD_FIGURES, *SBD_TABLES)
    for rate in RATES:
        slots = with_keys(study.having(PAPER, items, aqm="sbd", rate_kbit=rate, flows=1), "tr_ms", "minth")
        have = [s for s in slots if s.value("goodput_kbit") is not None]
        proposed = [s for s in slots if "table 3" in s.plan.items]
        twice = 2 * rate * 1000 * ROUND_TRIP_S / SDU_BITS
        enough = sorted({float(s.values["minth"]) for s in slots if float(s.values["minth"]) >= twice})
        if not have or not proposed or not enough:
            found.lack(f"SBD cells with {rate} kbit/s and 1 flow, one of them of table 3")
            continue
        for slot in slots:
            if slot not in have:
                found.lack_cell(slot)
        best = max(have, key=lambda s: s.value("goodput_kbit") or 0.0)
        top = best.value("goodput_kbit") or 0.0
        limit = max(float(s.values["tr_ms"]) for s in proposed)
        ones = [s for s in have if s.values["minth"] == enough[0] and float(s.values["tr_ms"]) <= limit]
        if not ones:
            found.lack(f"minth {enough[0]:g}, T_r up to {limit:g} ms at {rate} kbit/s")
        for slot in ones:
            part = 100 * (slot.value("goodput_kbit") or 0.0) / top if top else 0.0
            words = f"{cell_text(slot.values, ('aqm',))}: {part:.1f} % of {number(top)} kbit/s"
            found.add(part >= BEST_PERCENT, words, slot, best)
        notes.append(f"{rate} kbit/s: 2 x BDP {twice:.2f} SDUs, minth {enough[0]:g}, T_r to {limit:g} ms")
    sentence = "SBD: minth at 2 x BDP keeps the goodput of one flow within 4 % of the best"
    return made("aqm-minth", PAPER, sentence, found, f"Looked at: {'; '.join(notes)}." if notes else "")


def switch(study: Study) -> Claim:
    """Drop-tail in most seeds, SBD in none."""
    found = Evidence()
    metric = "overflow_switch"
    for item, aqm, most in (("figure 2", "droptail", True), ("figure 14", "sbd", False)):
        slots = study.having(PAPER, [item], aqm=aqm)
        if not slots:
            found.lack(f"{aqm} in {item}")
        for slot in slots:
            counts = list(slot.by_seed(metric).values())
            if not counts:
                found.lack_cell(slot)
                continue
            seen = sum(n > 0 for n in counts)
            many = f"{sum(counts) / len(counts):.3g} packets a seed"
            words = f"{item}, {aqm}: overflow in {seen} of {len(counts)} seeds, {many}"
            found.add(2 * seen > len(counts) if most else seen == 0, words, slot)
    sentence = "drop-tail overflows when the rate falls to 128 kbit/s, SBD does not"
    return made("aqm-switch", PAPER, sentence, found, found.seen())
