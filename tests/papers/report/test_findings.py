# SPDX-License-Identifier: GPL-2.0
"""Every number of Documentation/findings.md is that of the result to which it leads."""

import re

from kit import HERE, equals, expect
from wlablib.experiment.results import read

PAGE = HERE.parent.parent / "Documentation" / "findings.md"
NUMBER = re.compile(r'\[([\d.-]+) ± ([\d.]+)\]\(([^ )]+) "(\w+)"\)')


def numbers() -> str:
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


CASES = {"findings: numbers and files": numbers}
