# SPDX-License-Identifier: GPL-2.0
"""Every number of Documentation/findings.md is that of the result to which it leads."""

import re

from kit import HERE, equals, expect
from report_kit import kept
from wlablib.experiment.results import read
from wlablib.report import verdict as rules
from wlablib.report.entries import items_of
from wlablib.report.order import of_item
from wlablib.report.readings import best, judge

PAGE = HERE.parent.parent / "Documentation" / "findings.md"
NUMBER = re.compile(r'\[([\d.-]+) ± ([\d.]+)\]\(([^ )]+) "(\w+)"\)')


def check_numbers_and_files() -> str:
    text = PAGE.read_text()
    found = NUMBER.findall(text)
    expect(len(found) > 20, f"only {len(found)} numbers lead to a result")
    expect(text.count("±") == len(found), "a number leads nowhere")
    for mean, half, link, metric in found:
        cell = read(PAGE.parent / link)
        digits = len(mean.partition(".")[2])
        have = cell["metrics"][metric]
        equals(f"{link}, {metric}", mean, f"{have['value']:.{digits}f}")
        equals(f"{link}, {metric}, half", half, f"{have['half_width']:.{digits}f}")
    return f"{len(found)} numbers"


def check_sentences_that_hold() -> str:
    """How many sentences of the link-layer paper hold, as the page says."""
    study, text = kept(), " ".join(PAGE.read_text().split())
    link = [s.verdict for item in items_of(study, "link") for s in of_item(study, "link", item)]
    start = {one.reading.name: one for one in judge(study, "start")}
    (wire,) = judge(study, "wire")
    (most,) = best(list(start.values()))
    equals("most", most.reading.name, "head")
    holds = {name: one.counts()[rules.HOLDS] for name, one in start.items()}
    for words in (
        f"Of its {len(link)} sentences that compare [{link.count(rules.HOLDS)} hold](results/link.md)",
        f"[{wire.counts()[rules.HOLDS]} of the {len(wire.said)}](results/wire.md#readings) hold",
        f"{holds['sr']} of {len(most.said)}",
        f"{holds['air']} hold where both start on the air",
        f"{holds['head']} hold where retransmissions",
        f"{holds['pair']} or {holds['both-pair']} hold where feedback",
    ):
        expect(words in text, f"no '{words}'")
    return f"{link.count(rules.HOLDS)} of {len(link)}"
