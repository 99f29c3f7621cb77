# SPDX-License-Identifier: GPL-2.0
"""The judge says no to a model that is wrong: the kept results, changed as such a model would."""

from collections import Counter
from collections.abc import Callable
from functools import cache

from kit import equals, expect
from report_kit import change, judged, kept
from wlablib.experiment.words import Values
from wlablib.report import verdict as rules
from wlablib.report.claims import Claim
from wlablib.report.data import Slot, Study
from wlablib.report.entries import of_item

TABLES = [f"table {n}" for n in (2, 3, 4, 5, 6)]
# With half of T_r, or what of it the kept results have.
HALF = {200: 100, 250: 100, 900: 350, 1300: 600}


def printed(study: Study, *metrics: str, aqm: str = "") -> Counter[str]:
    """The verdicts on printed values of the AQM paper."""
    entries = [e for item in TABLES for e in of_item(study, "aqm", item)]
    some = [e for e in entries if e.printed and e.metric in metrics]
    return Counter(e.verdict for e in some if aqm in ("", e.slot.values["aqm"]))


def agree(found: Counter[str]) -> int:
    return sum(found[verdict] for verdict in rules.AGREE)


@cache
def unchanged() -> dict[str, Claim]:
    return judged(kept())


def fails(study: Study, *names: str) -> None:
    """These claims fail here, and none of them with the kept results."""
    before, now = unchanged(), judged(study)
    equals("before", [n for n in names if before[n].verdict == rules.FAILS], [])
    equals("fail", [n for n in names if now[n].verdict == rules.FAILS], list(names))


def scaled(study: Study, metric: str, factor: float, **wanted: object) -> Study:
    for slot in study.slots:
        if slot.by_seed(metric) and all(slot.values.get(k) == v for k, v in wanted.items()):
            change(slot, metric, [factor * v for v in slot.by_seed(metric).values()])
    return study


def like(study: Study, slot: Slot, other: Slot | None) -> None:
    """Give a cell all values of another one."""
    expect(other is not None, f"there is no cell to replace {slot.id}")
    for metric in ("goodput_kbit", "delay_s", "media_delay_s"):
        if other and other.by_seed(metric) and slot.by_seed(metric):
            change(slot, metric, list(other.by_seed(metric).values()))


def delays() -> str:
    study = scaled(kept(), "delay_s", 1.4)
    found = printed(study, "delay_s")
    # That of drop-tail with four flows at 128 kbit/s was inside their interval, that of one has a wide one.
    expect(agree(found) == 0 and found[rules.FAR] >= 9, f"{found}")
    fails(study, "aqm-delay")
    return f"{found}"


def goodputs() -> str:
    study = scaled(kept(), "goodput_kbit", 0.7)
    found = printed(study, "goodput_kbit")
    expect(agree(found) == 0 and found[rules.FAR] >= 9, f"{found}")
    fails(study, "aqm-goodput")
    return f"{found}"


def no_aqm() -> str:
    """SBD and RED switched off: their cells are those of drop-tail."""
    study = kept()
    tails = {}
    for slot in study.having("aqm", ["table 6"], aqm="droptail"):
        tails[slot.values["rate_kbit"], slot.values["flows"]] = slot
    for slot in study.having("aqm", TABLES, aqm=["sbd", "red"]):
        like(study, slot, tails[slot.values["rate_kbit"], slot.values["flows"]])
    fails(study, "aqm-goodput-gains", "aqm-sbd-goodput", "aqm-red-goodput", "aqm-sbd-delay", "aqm-red-delay")
    gains = printed(study, "goodput_gain_percent", "delay_gain_percent")
    equals("gains", gains, Counter({rules.FAR: 16}))
    expect(printed(study, "delay_s", aqm="sbd")[rules.FAR] >= 3, "delays")
    return f"{gains}"


def half_timers() -> str:
    """T_r of SBD at half."""
    study = kept()
    before = printed(study, "delay_s", "delay_gain_percent", aqm="sbd")
    cells = study.having("aqm", ["figure 6", "figure 7", "figure 8", "figure 9"], aqm="sbd")
    tables = ["table 2", "table 3", "table 6"]
    for slot in study.having("aqm", tables, aqm="sbd", rate_kbit=[384, 128], hold=False):
        wanted: Values = {**slot.values, "tr_ms": HALF[int(slot.values["tr_ms"])]}
        like(study, slot, next((s for s in cells if s.values == wanted), None))
    now = printed(study, "delay_s", "delay_gain_percent", aqm="sbd")
    expect(agree(now) <= agree(before) // 2 and now[rules.FAR] >= 4, f"{before}, then {now}")
    fails(study, "aqm-delay")
    return f"{before}, then {now}"


def half_rto() -> str:
    """FSR's timer at half, 0.5 s in place of 1.1: without media it carries no more than with them."""
    study = kept()
    half = study.having("start", ["fixed timers", "fixed timers with media"], start="handover", rto_ms=500)
    for slot in study.having("link", ["figure 2", "figure 6"], protocol="fsr", loss_percent=2.5):
        place = {key: slot.values[key] for key in ("contention", "errors", "loss_percent")}
        like(study, slot, next((s for s in half if place.items() <= s.values.items()), None))
    fails(study, "link-contention")
    return "a claim fails"


def protocols() -> str:
    """ASR that gives 0.7 of its goodput, or delays media 3 times as long."""
    study = scaled(kept(), "goodput_kbit", 0.7, protocol="asr")
    fails(study, "link-asr-fsr")
    study = scaled(kept(), "media_delay_s", 3.0, protocol="asr")
    fails(study, "link-media-most", "link-media-adaptive")
    return "three claims fail"


CASES: dict[str, Callable[[], str]] = {
    "mutants: delays times 1.4": delays,
    "mutants: goodput times 0.7": goodputs,
    "mutants: AQM switched off": no_aqm,
    "mutants: timers at half": half_timers,
    "mutants: FSR's timer at half": half_rto,
    "mutants: protocols": protocols,
}
