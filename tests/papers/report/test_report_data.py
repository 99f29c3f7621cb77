# SPDX-License-Identifier: GPL-2.0
"""From cells' files to entries: derived gains, what is withheld, holes, broken files."""

import json
from dataclasses import replace
from pathlib import Path

from brief import brief
from kit import equals, expect, folder, near, refused
from report_kit import Sweep, accept, grid, head
from wlablib.experiment.words import Values
from wlablib.report import entries as reportentries, verdict as rules
from wlablib.report.entries import Entry, of_item, results
from wlablib.report.page import quick_lines

AQM = accept(aqm=["sbd"], rate_kbit=[384, 64], minth=[20])
SBD: Values = {"aqm": "sbd", "rate_kbit": 384, "minth": 20}
SBD_64: Values = {"aqm": "sbd", "rate_kbit": 64, "minth": 20}
TAIL: Values = {"aqm": "droptail", "rate_kbit": 384}
TAIL_64: Values = {"aqm": "droptail", "rate_kbit": 64}

SBD_TEXT = (
    head("sbd", "aqm", ["goodput_kbit", "delay_s"])
    + AQM
    + grid(["table 6", "table 3"], [SBD])
    + grid(["table 6"], [SBD_64])
    + brief("""[[derived]] item = "table 6"; metric = "goodput_gain_percent"; of = "goodput_kbit"
against = { aqm = "droptail", minth = false }
[[published]] item = "table 3"; cell = { aqm = "sbd", rate_kbit = 384, minth = 20 }
goodput_kbit = { value = 290.5, half_width = 4.2 }
[[published]] item = "table 6"; cell = { aqm = "sbd", rate_kbit = 384, minth = 20 }
goodput_gain_percent = { value = 5 }
[[published]] item = "table 6"; cell = { aqm = "sbd", rate_kbit = 64, minth = 20 }
goodput_gain_percent = "withheld"
""")
)
TAIL_TEXT = (
    head("tail", "aqm", ["goodput_kbit", "delay_s"])
    + accept(aqm=["droptail"], rate_kbit=[384, 64])
    + grid(["table 6"], [TAIL, TAIL_64])
)
TEXTS = {"sbd": SBD_TEXT, "tail": TAIL_TEXT}


def pick(entries: list[Entry], cell: Values, metric: str) -> Entry:
    return next(e for e in entries if e.slot.values == cell and e.metric == metric)


def check_derived_gains(where: Path) -> str:
    sweep = Sweep(where, TEXTS)
    sweep.put(SBD, goodput_kbit=[105.0, 115.0, 110.0], delay_s=[0.5, 0.5, 0.5])
    sweep.put(TAIL, goodput_kbit=[100.0, 110.0, 90.0], delay_s=[1.0, 1.0, 1.0])
    one = pick(of_item(sweep.study(), "aqm", "table 6"), SBD, "goodput_gain_percent")
    # 110 over 100. Residuals of a - 1.1 b: -5, -6, 11; their deviation is sqrt(91), and
    # t of two degrees of freedom at 90 % is 2.9200: 2.92 * 9.5394 / sqrt(3).
    near("gain", one.value, 10.0, 1e-9)
    near("its half width", one.half, 16.0823, 1e-3)
    equals("seeds", one.seeds, 3)
    # Theirs, 5, has no interval and lies in ours, which is too wide to agree.
    equals("verdict", one.verdict, rules.UNTOLD)
    # Only seeds 2 and 3 are in both: 112.5 over 100, whatever seed 4 gave.
    sweep.put(TAIL, first=2, goodput_kbit=[110.0, 90.0, 500.0], delay_s=[1.0, 1.0, 1.0])
    one = pick(of_item(sweep.study(), "aqm", "table 6"), SBD, "goodput_gain_percent")
    near("gain of two seeds", one.value, 12.5, 1e-9)
    equals("two seeds", one.seeds, 2)
    equals("of the base", [e.metric for e in of_item(sweep.study(), "aqm", "table 6")][-4:], METRICS * 2)
    return "10 ± 16.08 % of three seeds, 12.5 % of two"


METRICS = ["goodput_kbit", "delay_s"]


def check_printed_withheld(where: Path) -> str:
    sweep = Sweep(where, TEXTS)
    sweep.put(SBD, goodput_kbit=[290.0, 292.0, 294.0], delay_s=[0.5, 0.5, 0.5])
    sweep.put(SBD_64, goodput_kbit=[50.0, 51.0, 52.0], delay_s=[0.5, 0.5, 0.5])
    sweep.put(TAIL_64, goodput_kbit=[50.0, 51.0, 52.0], delay_s=[1.0, 1.0, 1.0])
    study = sweep.study()
    three = of_item(study, "aqm", "table 3")
    equals("inside", pick(three, SBD, "goodput_kbit").verdict, rules.INSIDE)
    equals("not printed", pick(three, SBD, "delay_s").verdict, rules.NOT_PRINTED)
    six = of_item(study, "aqm", "table 6")
    # What is printed in table 3 is not printed in table 6.
    equals("another item", pick(six, SBD, "goodput_kbit").verdict, rules.NOT_PRINTED)
    equals("withheld", pick(six, SBD_64, "goodput_gain_percent").verdict, rules.WITHHELD)
    equals("a hole", pick(six, TAIL, "goodput_kbit").verdict, rules.HOLE)
    gain = pick(six, SBD, "goodput_gain_percent")
    equals("a gain over a hole", gain.verdict, rules.HOLE)
    expect("aqm=droptail,rate_kbit=384: not run yet" in gain.trouble, gain.trouble)
    return "inside, not printed, withheld, holes"


def check_results_json(where: Path) -> str:
    sweep = Sweep(where, TEXTS)
    sweep.put(SBD, goodput_kbit=[290.0, 292.0], delay_s=[0.5, 0.7])
    found = results(sweep.study())
    equals("entries", len(found), 4)
    # Two seeds that differ by 2: half the difference times t, 6.3138, over 1: 6.3138.
    near("half width", found[0].pop("half_width"), 6.3138, 1e-3)
    equals(
        "entry",
        found[0],
        {
            "paper": "aqm",
            "item": "table 3",
            "cell": SBD,
            "metric": "goodput_kbit",
            "value": 291.0,
            "seeds": 2,
            "published": {"value": 290.5, "half_width": 4.2},
        },
    )
    keys = {(e["item"], str(e["cell"]), e["metric"]) for e in found}
    equals("one for each item, cell and metric", len(keys), 4)
    equals(
        "others",
        [(e["item"], e["metric"], e["published"]) for e in found[1:]],
        [
            ("table 3", "delay_s", None),
            ("table 6", "goodput_kbit", None),
            ("table 6", "delay_s", None),
        ],
    )
    json.dumps(found)
    return "four entries, keys and values"


def check_holes_and_broken_files() -> str:
    with folder() as where:
        sweep = Sweep(where, TEXTS)
        path = sweep.put(SBD, goodput_kbit=[290.0, 292.0], delay_s=[0.5, 0.7])
        error = sweep.path(TAIL).with_suffix(".error")
        error.parent.mkdir()
        error.write_text("\nsed: the guest has died\nat 12 virtual seconds\n")
        study = sweep.study()
        told = {s.id: s.trouble.splitlines()[0] for s in study.holes()}
        equals("holes", len(told), 3)
        equals("of the error", told["aqm=droptail,rate_kbit=384"], "sed: the guest has died")
        equals("of none", told["aqm=droptail,rate_kbit=64"], "not run yet")
        for text, words in broken(path):
            path.write_text(text)
            slot = next(s for s in sweep.study().slots if s.path == path)
            expect(slot.record is None and slot.broken, f"taken for whole: {words}")
            expect(str(path) in slot.trouble and words in slot.trouble, slot.trouble)
    with folder() as where:
        sweep = Sweep(where, TEXTS)
        (sweep.out / "cells").rmdir()
        refused("has no cells; type: wlab sweep", sweep.study)
    return "an error, cells not run, six broken files"


def broken(path: Path) -> list[tuple[str, str]]:
    """Texts that are no cell's file, and what is said."""
    whole = json.loads(path.read_text())
    edited = json.loads(path.read_text())
    edited["values"]["goodput_kbit"][0] = 300.0
    edited["metrics"]["goodput_kbit"]["value"] = 296.0
    short = json.loads(path.read_text())
    short["values"]["delay_s"] = [0.5]
    other = path.read_text().replace("aqm=sbd,minth", "aqm=xyz,minth")
    return [
        (path.read_text()[:200], "not JSON"),
        ("[]", "not a result of wlab cell"),
        (json.dumps({k: v for k, v in whole.items() if k != "seeds"}), "seeds"),
        (json.dumps(edited), "edited by hand"),
        (json.dumps(short), "values.delay_s"),
        (other, "edited by hand"),
    ]


def check_a_misplaced_file(where: Path) -> str:
    sweep = Sweep(where, TEXTS)
    path = sweep.put(TAIL, goodput_kbit=[290.0, 292.0], delay_s=[0.5, 0.7])
    path.rename(sweep.path(TAIL_64))
    slot = next(s for s in sweep.study().slots if s.values == TAIL_64)
    expect("of another cell: tail, aqm=droptail,rate_kbit=384" in slot.trouble, slot.trouble)
    return "a file in another's place is none"


def check_a_quick_set(where: Path) -> str:
    texts = {"tail": TAIL_TEXT.replace("[[grid]]", "[[grid]]\nquick = { }")}
    sweep = Sweep(where, texts)
    equals("nothing there", any(s.plan.quick for s in sweep.study().slots), False)
    sweep.put(TAIL, quick=True, goodput_kbit=[290.0, 292.0], delay_s=[0.5, 0.7])
    equals("as the files say", all(s.plan.quick for s in sweep.study().slots), True)
    equals("asked for", any(s.plan.quick for s in sweep.study(False).slots), False)
    few = sweep.study().slots
    whole = [replace(s, plan=replace(s.plan, quick=False)) for s in few]
    equals("the whole", quick_lines(whole), [])
    expect(quick_lines(few)[0].startswith("This is a quick set: "), "not told")
    expect(quick_lines([*few, *whole])[0].endswith(" than the full set): `tail`."), "not named")
    sweep.put(TAIL_64, goodput_kbit=[290.0, 292.0], delay_s=[0.5, 0.7])
    equals("both kinds", any(s.plan.quick for s in sweep.study().slots), False)
    return "as all files say"


def check_order_of_items() -> str:
    names = ["table 6", "figure 10", "figure 2", "table 2"]
    wanted = ["figure 2", "figure 10", "table 2", "table 6"]
    equals("items", sorted(names, key=reportentries.natural), wanted)
    return "by number"
