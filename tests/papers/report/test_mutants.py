# SPDX-License-Identifier: GPL-2.0
"""The judge says no to a model that is wrong: the kept results, changed as such a model would.

And a judge that leaves out what the paper's own interval allows, or our own bound, is found out.
"""

from collections import Counter
from functools import cache
from unittest.mock import patch

from kit import equals, expect
from report_kit import change, judged, kept
from test_claims_split import unsaid_bounds
from wlablib.experiment.words import Values
from wlablib.report import entries as reportentries, verdict as rules
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


def check_delays_times_1_4() -> str:
    study = scaled(kept(), "delay_s", 1.4)
    found = printed(study, "delay_s")
    # That of drop-tail with four flows at 128 kbit/s was inside their interval, that of one has a wide one.
    expect(agree(found) == 0 and found[rules.FAR] >= 9, f"{found}")
    fails(study, "aqm-delay")
    return f"{found}"


def check_goodput_times_0_7() -> str:
    study = scaled(kept(), "goodput_kbit", 0.7)
    found = printed(study, "goodput_kbit")
    expect(agree(found) == 0 and found[rules.FAR] >= 9, f"{found}")
    fails(study, "aqm-goodput")
    return f"{found}"


def check_aqm_switched_off() -> str:
    """SBD and RED switched off: their cells are those of drop-tail."""
    study = kept()
    tails = {}
    for slot in study.having("aqm", ["table 6"], aqm="droptail"):
        tails[slot.values["rate_kbit"], slot.values["flows"]] = slot
    for slot in study.having("aqm", TABLES, aqm=["sbd", "red"]):
        like(study, slot, tails[slot.values["rate_kbit"], slot.values["flows"]])
    fails(study, "aqm-goodput-gains", "aqm-sbd-goodput", "aqm-red-goodput", "aqm-sbd-delay", "aqm-red-delay")
    gains = printed(study, "goodput_gain_percent", "delay_gain_percent")
    # One of those of goodput, of 3 points, is as good as none by the paper's own interval.
    equals("gains", gains, Counter({rules.FAR: 15, rules.WIDE: 1}))
    expect(printed(study, "delay_s", aqm="sbd")[rules.FAR] >= 3, "delays")
    return f"{gains}"


def check_timers_at_half() -> str:
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


def check_fsrs_timer_at_half() -> str:
    """FSR's timer at half, 0.5 s in place of 1.1: without media it carries no more than with them."""
    study = kept()
    half = study.having("start", ["fixed timers", "fixed timers with media"], start="handover", rto_ms=500)
    for slot in study.having("link", ["figure 2", "figure 6"], protocol="fsr", loss_percent=2.5):
        place = {key: slot.values[key] for key in ("contention", "errors", "loss_percent")}
        like(study, slot, next((s for s in half if place.items() <= s.values.items()), None))
    fails(study, "link-contention")
    return "a claim fails"


def check_protocols() -> str:
    """ASR that gives 0.7 of its goodput, or delays media 3 times as long."""
    study = scaled(kept(), "goodput_kbit", 0.7, protocol="asr")
    fails(study, "link-asr-fsr")
    study = scaled(kept(), "media_delay_s", 3.0, protocol="asr")
    fails(study, "link-media-most", "link-media-adaptive")
    return "three claims fail"


def sure_gain(study: Study, goodput: float, flows: int = 1) -> Slot:
    """SBD at 384 kbit/s with a gain of goodput, in percent, that has nearly no interval."""
    cells = study.having("aqm", ["table 6"], rate_kbit=384, flows=flows)
    tail = next(s for s in cells if s.values["aqm"] == "droptail")
    slot = next(s for s in cells if s.values["aqm"] == "sbd" and not s.values.get("hold"))
    alone = tail.by_seed("goodput_kbit").values()
    change(slot, "goodput_kbit", [v * (1 + goodput / 100 + 1e-4 * (k % 2)) for k, v in enumerate(alone)])
    return slot


def gain_of(study: Study, slot: Slot) -> str:
    found = (e for e in of_item(study, "aqm", "table 6") if e.slot is slot and e.printed)
    return next(e.verdict for e in found if e.metric == "goodput_gain_percent")


def check_mutants_of_the_judge_gains_without_their_interval() -> str:
    """A judge to whom a printed gain is exact: 7.5 where 5 is printed, of values that give 4.8 +- 2.8."""
    study = kept()
    slot = sure_gain(study, 7.5)
    equals("the judge", gain_of(study, slot), rules.INSIDE)
    expect(judged(study, "aqm")["aqm-goodput-gains"].verdict != rules.FAILS, "the claim")
    with patch.object(reportentries, "printed_gain", lambda *_: None):
        expect(gain_of(study, slot) != rules.INSIDE, "the mutant")
        equals("its claim", judged(study, "aqm")["aqm-goodput-gains"].verdict, rules.FAILS)
    return "7.5 is no contradiction of 5"


def check_mutants_of_the_judge_more_seeds_for_all() -> str:
    """A judge who says of what is too wide in the paper that more seeds would tell."""
    names = "aqm-goodput", "aqm-delay"
    equals("the judge", unchanged()[names[0]].verdict, rules.WIDE)
    with patch.object(rules.Sides, "too_wide", lambda *_: False):
        found = judged(kept(), "aqm")
    equals("the mutant", [found[n].verdict for n in names], [rules.UNTOLD, rules.UNTOLD])
    return "the fourth word"


def check_mutants_of_the_judge_small_gains_by_ratio() -> str:
    """A judge who divides small gains: 5.1 for 3 points is 1.70 times."""
    with patch.object(reportentries, "printed_gain", lambda *_: None):
        study = kept()
        slot = sure_gain(study, 5.1, flows=4)
        equals("the judge", gain_of(study, slot), "within 25 %")
        with patch.object(rules, "SMALL", 0.0):
            equals("the mutant", gain_of(study, slot), rules.FAR)
    return "2.1 points"


def check_mutants_of_the_judge_whose_bound() -> str:
    """A set that gives a bound of ours as the paper's."""
    claims = kept().about("split").claims
    equals("the set", unsaid_bounds(claims), [])
    for claim in claims:
        text = claim.text.replace(", which is our bound", "")
        if text != claim.text:
            with patch.object(claim, "text", text):
                equals("the mutant", unsaid_bounds(claims), [claim.name])
    return "three bounds"
