# SPDX-License-Identifier: GPL-2.0
"""The claims on cells of LTE and NR, from the kept cells with some numbers changed."""

from typing import Any

from kit import equals
from report_kit import change, judged, kept
from wlablib.report import verdict as rules
from wlablib.report.data import Slot

GOODPUT = "goodput_kbit"
# A cell, its metric, factors that its claim bears and does not, by hand from ns-3's number and 15 %.
CHANGES: list[tuple[dict[str, Any], str, tuple[float, ...], tuple[float, ...], str]] = [
    # 15218 by ns-3, so 12936 to 17500.
    ({"users": 1, "rlc": "um", "at_m": 500}, GOODPUT, (13000, 17400), (12900, 17600), "cell-ns3"),
    # 22523.8, of which a third are reports: 28704 to 38834 of ours.
    ({"users": 4, "rlc": "am", "at_m": 100, "sched": "pf"}, GOODPUT, (28.8e3,), (28.6e3, 4e4), "cell-ns3"),
    # 1033 with 0.864 of a quarter of the airtime: 1016 to 1375 of ours.
    ({"users": 4, "rlc": "um", "sched": "pf"}, "goodput_kbit@ue-4", (1030, 1360), (1000, 1390), "cell-ns3"),
    # 25 ms: 21.25 to 28.75.
    ({"preset": "nr-sa-tdd", "load": "idle"}, "rtt_p50_ms", (21.3, 28.7), (21.2, 28.8), "cell-ping-nr"),
    ({"preset": "nr-sa-tdd", "load": "download"}, "rtt_p50_ms", (150,), (100,), "cell-ping-load"),
]


def check_cells() -> str:
    """Each claim holds as kept, and up to its bound."""
    found = judged(kept(), "cell")
    names = {"cell-ns3", "cell-ping-lte", "cell-ping-nr", "cell-ping-load"}
    equals("as kept", {name: found[name].verdict for name in names}, dict.fromkeys(names, rules.HOLDS))
    for values, metric, good, bad, claim in CHANGES:
        for wanted, numbers in ((rules.HOLDS, good), (rules.FAILS, bad)):
            for number in numbers:
                study = kept()
                some = study.having("cell", items(study.slots), **values)
                (slot,) = (s for s in some if s.by_seed(metric))
                change(slot, metric, [float(number)] * 3)
                equals(f"{values}, {metric} {number}", judged(study, "cell")[claim].verdict, wanted)
                # As far off in one seed as in another on the other side: the mean is right, nobody can tell.
                change(slot, metric, [0.1 * number, number, 1.9 * number])
                equals(f"{values}, {metric}, wide", judged(study, "cell")[claim].verdict, rules.UNTOLD)
    return f"{len(CHANGES)} bounds"


def items(slots: list[Slot]) -> list[str]:
    return sorted({item for slot in slots for item in slot.plan.items})
