# SPDX-License-Identifier: GPL-2.0
"""Claims on splits of TCP connections: cells with a proxy against those without."""

from typing import Any

from wlab import Agrees, Evidence, Gap, Slot, Values

PLAIN: Values = {"proxy": False}


def percent(least: float, most: float) -> Agrees:
    """A difference of so many percent of the second cell, with all of its interval."""

    def agrees(gap: Gap) -> bool | None:
        if gap.half is None:
            return None
        low, high = (100 * (gap.mean + side * gap.half) / gap.b for side in (-1, 1))
        if least <= low and high <= most:
            return True
        return False if high < least or low > most else None

    return agrees


def gains(
    found: Evidence, of: list[dict[str, Any]], metric: str, least: float, most: float = float("inf")
) -> str:
    """By how many percent the proxy raises a metric, in cells with values of one of the list."""
    tells = []
    for cell in [cell for values in of for cell in found.having(**values, proxy=True)]:
        gap = found.compare(cell, found.partner(cell, PLAIN), metric, percent(least, most))
        if gap:
            tells.append(100 * gap.mean / gap.b)
    return f"By {min(tells):.1f} to {max(tells):.1f} %." if tells else ""


def at_least(found: Evidence, metric: str, value: float) -> str:
    """A metric of all cells, in each seed."""
    least = []
    for cell in found.having():
        values = cell.by_seed(metric)
        if not values:
            found.lack_cell(cell)
            continue
        low = min(values.values())
        least.append(low)
        found.add(low >= value, f"{cell.plan.id}: {low:.4g}", cell)
    return f"The least is {min(least):.4g}; any seed below {value:g} would have been seen." if least else ""


def variants(found: Evidence, metric: str, within: float) -> None:
    """CUBIC and New Reno differ by so many percent at most."""
    for cell in found.having(congestion="cubic"):
        reno = found.partner(cell, {"congestion": "reno"})
        found.compare(cell, reno, metric, percent(-within, within))


def gain_falls(found: Evidence, metric: str, of: dict[str, Any]) -> str:
    """The gain is smaller with each longer delay: the ratio with and without proxy is."""
    tells = []
    for congestion in ("reno", "cubic"):
        cells = sorted(found.having(**of, congestion=congestion, proxy=True), key=delay)
        for short, long in zip(cells, cells[1:]):
            plain = [found.partner(cell, PLAIN) for cell in (short, long)]
            if not plain[0] or not plain[1]:
                found.lack_cell(long)
                continue
            # short / plain short > long / plain long
            one, other = [short, plain[1]], [long, plain[0]]
            found.compare(one, other, metric, lambda gap: gap.above(), long.plan.id, ratio=True)
            tells.append(long.plan.id)
    if not tells:
        found.lack("cells of two delays")
    return ""


def delay(cell: Slot) -> float:
    return float(cell.values["delay_ms"])


def alike(found: Evidence, metric: str, within: float) -> None:
    """What the proxy saves with a delay and with 50 ms differs by so many percent of the larger at most."""
    for cell in found.having(proxy=True):
        other = found.partner(cell, {"delay_ms": 50})
        if delay(cell) == 50:
            continue
        plain = [found.partner(one, PLAIN) for one in (cell, other) if one]
        if not other or len(plain) < 2 or not plain[0] or not plain[1]:
            found.lack_cell(cell)
            continue
        # plain - proxy with this delay against the same with 50 ms.
        one, two = [plain[0], other], [plain[1], cell]
        found.compare(one, two, metric, near(saved(cell, plain[0], metric), within), cell.plan.id)


def saved(cell: Slot, plain: Slot, metric: str) -> float:
    return (plain.value(metric) or 0) - (cell.value(metric) or 0)


def near(of: float, within: float) -> Agrees:
    """A difference of so many percent of the larger of two savings, the first of which is given."""

    def agrees(gap: Gap) -> bool | None:
        if gap.half is None:
            return None
        margin = within / 100 * max(of, of - gap.mean)
        if abs(gap.mean) + gap.half <= margin:
            return True
        return False if abs(gap.mean) - gap.half > margin else None

    return agrees
