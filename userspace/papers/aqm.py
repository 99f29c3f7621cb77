# SPDX-License-Identifier: GPL-2.0
"""Claims of the AQM paper (Alcaraz and Cerdan) that are no orderings of cells."""

from math import hypot

from wlab import Entry, Evidence, Slot, cell_text, gain, number, paired, student

RATES = (384, 256, 128, 64)
# Round trip of the wire and of the radio, and the packets that both papers' buffers count.
ROUND_TRIP_S = 0.25
SDU_BITS = 8 * 1500
# Table 6 prints whole percents.
ROUNDING = 0.5


def beside_printed(found: Evidence, metric: str) -> list[Entry]:
    """The entries of the claim's items that the paper prints."""
    return [e for e in found.entries() if e.metric == metric and e.printed]


def printed(found: Evidence, metric: str, percent: float) -> str:
    """Ours over theirs is within so many percent of 1, by the intervals of both."""
    parts = []
    for entry in beside_printed(found, metric):
        sides = entry.sides()
        if sides is None:
            found.lack_cell(entry.slot)
            continue
        value, half = sides.ratio()
        words = f"{entry.item}, {cell_text(entry.slot.values)}: {number(value, half)} times the printed value"
        found.near(value, half, percent, words, entry.slot, sides.too_wide(percent))
        parts.append((value, words))
    if not parts:
        return ""
    mean = sum(value for value, _ in parts) / len(parts)
    return f"In the mean {mean:.3f} times. Farthest: {max(parts, key=lambda p: abs(p[0] - 1))[1]}."


def gains(found: Evidence, metric: str, percent: float) -> str:
    """The printed gain is in our interval, with theirs where both values are printed, which is no wider
    than so many percent of it to a side; ours is widened for the number of gains."""
    entries, offs = beside_printed(found, metric), []
    for entry in entries:
        if entry.value is None or entry.half is None or entry.printed is None:
            found.lack(f"{metric} of {cell_text(entry.slot.values)}")
            continue
        level, freedom = entry.slot.exp.confidence, entry.seeds - 1
        wide = student(freedom, 100 - (100 - level) / len(entries)) / student(freedom, level)
        both = entry.of_both
        theirs, own = (both.value, both.half_width or 0.0) if both else (entry.printed.value, 0.0)
        half = hypot(entry.half * wide, own) if both else entry.half * wide + ROUNDING
        shown = f"{number(theirs, own)} (printed {entry.printed.value:g})" if both else f"{theirs:g}"
        off = number(entry.value - theirs, half)
        words = f"{cell_text(entry.slot.values)}: difference {off} points, theirs {shown} %"
        offs.append((half, abs(entry.value - theirs), words))
        if offs[-1][1] > half:
            found.add(False, words, entry.slot)
        else:
            bound = percent / 100 * abs(theirs)
            found.add(True if half <= bound else None, words, entry.slot, wide=own > bound)
    if not offs:
        return ""
    least = f"A difference of {max(offs)[0]:.2g} points would have been seen in each."
    return f"{least} Farthest: {max(offs, key=lambda o: o[1])[2]}."


def with_keys(slots: list[Slot], *keys: str) -> list[Slot]:
    """What has no number for each of these is no part of the comparison."""
    return [s for s in slots if all(isinstance(s.values.get(k), int | float) for k in keys)]


def minth(found: Evidence, percent: float) -> str:
    """At the smallest minth tried that is 2 x BDP or more, for every T_r up to the proposed one."""
    notes = []
    for rate in RATES:
        cells = found.having(aqm="sbd", rate_kbit=rate, flows=1, clamp=False)
        slots = with_keys(cells, "tr_ms", "minth")
        have = {s.id: s.value("goodput_kbit") or 0.0 for s in slots if s.value("goodput_kbit") is not None}
        proposed = [s for s in slots if "table 3" in s.plan.items]
        twice = 2 * rate * 1000 * ROUND_TRIP_S / SDU_BITS
        enough = sorted({float(s.values["minth"]) for s in slots if float(s.values["minth"]) >= twice})
        if not have or not proposed or not enough:
            found.lack(f"SBD cells with {rate} kbit/s and 1 flow, one of them of table 3")
            continue
        best = max((s for s in slots if s.id in have), key=lambda s: have[s.id])
        limit = max(float(s.values["tr_ms"]) for s in proposed)
        for slot in slots:
            if slot.id not in have:
                found.lack_cell(slot)
            elif slot.values["minth"] == enough[0] and float(slot.values["tr_ms"]) <= limit:
                part = gain(*paired(slot, best, "goodput_kbit"), slot.exp.confidence)
                value, half = part["value"], part["half_width"]
                if value is None or half is None:
                    found.lack_cell(slot)
                    continue
                words = f"{cell_text(slot.values, ('aqm',))}: {number(100 + value, half)} % of the best"
                over = 100 + value - percent
                found.power = max(found.power, half)
                found.add(None if abs(over) <= half else over > 0, words, slot, best)
        notes.append(f"{rate} kbit/s: 2 x BDP {twice:.2f} SDUs, minth {enough[0]:g}, T_r to {limit:g} ms")
    return f"Looked at: {'; '.join(notes)}." if notes else ""


def none(found: Evidence, metric: str, aqm: str) -> str:
    """Nothing of it in any seed; against it: in the mean more than its interval."""
    least = 0.0
    for slot in found.having(aqm=aqm, clamp=False):
        counts, half = list(slot.by_seed(metric).values()), slot.half(metric)
        if not counts or half is None:
            found.lack_cell(slot)
            continue
        mean, seen = sum(counts) / len(counts), sum(n > 0 for n in counts)
        # So often it may happen, and not once in all seeds by a chance of what the confidence leaves.
        often = 1 - (1 - slot.exp.confidence / 100) ** (1 / len(counts))
        least = max(least, often)
        words = f"{cell_text(slot.values)}: in {seen} of {len(counts)} seeds, {number(mean, half)} packets"
        found.add(False if mean > half else None if seen else True, words, slot)
    if not found.having(aqm=aqm):
        found.lack(f"{aqm} in {found.of[0]}")
    told = f" Seen: {'; '.join([*found.shown, *found.untold])}." if not found.against else ""
    return f"Overflow in {100 * least:.0f} % of the runs would have been seen.{told}" if least else ""
