# SPDX-License-Identifier: GPL-2.0
"""Claims of the link-layer paper (Xylomenos and Makidis)."""

from wlablib.experiment.words import same
from wlablib.report.claims import Evidence, Gap, gap
from wlablib.report.data import Slot, matches
from wlablib.report.words import cell_text

DELAY = "media_delay_s"


def loss(slot: Slot) -> float:
    return float(slot.values.get("loss_percent", 0))


def above(found: Evidence, a: str, b: str, where: str = "everywhere", sure: bool = False) -> str:
    """Protocol a is above b in the same conditions by the means; `sure`: it is not surely below.

    The hardest is file transfer over uniform links at the highest loss.
    """
    top = max((loss(s) for s in found.having()), default=0.0)
    both = []
    for slot in found.having(protocol=a):
        hardest = matches(slot.values, {"workload": "file", "errors": "uniform"}) and loss(slot) == top
        places = {"everywhere": True, "with losses": loss(slot) > 0}
        if {**places, "the hardest": hardest, "all but the hardest": not hardest}[where]:
            both.append((slot, found.partner(slot, {"protocol": b})))
    for item in found.of:
        if not found.having(item, protocol=a):
            found.lack(f"{a} in {item}")
    for slot, other in both:
        agrees = (lambda g: not g.below_surely()) if sure else Gap.above
        found.compare(slot, other, "goodput_kbit", agrees, of_many=len(both) if sure else 1)
    tells = f"Below is beyond the interval of the difference at one for {len(both)} comparisons."
    return tells if sure and both else ""


def beside_clean(found: Evidence, protocol: str) -> list[tuple[Slot, Slot]]:
    """Each cell with errors, and the raw link without: what media see with neither errors nor protocol."""
    out = []
    for slot in found.having(protocol=protocol):
        load = {k: slot.values[k] for k in ("workload", "contention") if k in slot.values}
        have = [s for s in found.having(protocol="raw", **load) if not loss(s)]
        have.sort(key=lambda s: not same(s.values.get("errors"), slot.values.get("errors")))
        if loss(slot) and have:
            out.append((slot, have[0]))
        elif loss(slot):
            found.lack(f"the raw link without errors, {cell_text(load)}")
    if not out:
        found.lack(f"media with {protocol}")
    return out


def media_adaptive(found: Evidence) -> None:
    """Against the raw link without errors; a rise counts only beyond its interval."""
    both = [p for protocol in ("asr", "rlc") for p in beside_clean(found, protocol)]
    for slot, base in both:
        found.compare(slot, base, DELAY, lambda g: not g.above_surely(), of_many=len(both))


def media_fsr(found: Evidence) -> str:
    """Over two-state links, with each workload, at the loss level where it is most."""
    worst: dict[object, tuple[float, Slot, Slot]] = {}
    for slot, base in beside_clean(found, "fsr"):
        if slot.values.get("errors") != "twostate":
            continue
        have = gap(slot, base, DELAY)
        if have is None:
            found.lack_pair(DELAY, slot, base)
            continue
        load = slot.values.get("workload")
        if load not in worst or have.mean > worst[load][0]:
            worst[load] = have.mean, slot, base
    for _, slot, base in worst.values():
        found.compare(slot, base, DELAY, Gap.above_surely)
    return found.seen()
