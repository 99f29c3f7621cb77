# SPDX-License-Identifier: GPL-2.0
"""The table of what is there of each paper, against the items of the experiments that exist."""

import re
from collections import defaultdict

from kit import HERE, equals, expect
from report_kit import papers

FILE = HERE.parent.parent / "Documentation" / "results" / "papers.md"
# How many figures and tables each paper has.
PRINTED = {
    "aqm": (15, 6),
    "link": (13, 0),
    "split": (8, 0),
    "real-time": (3, 1),
    "thesis": (9, 6),
}
# The papers whose experiments are on a page with another name.
PAGES = {"real-time": "seawind"}
THERE = "yes", "in part", "no"


def rows(text: str) -> list[list[str]]:
    """Paper, item, there, where, why."""
    lines = [line for line in text.splitlines() if re.match(r"\| (?!paper |:)", line)]
    return [[word.strip() for word in line.strip("|").split("|")] for line in lines]


def faults(text: str) -> list[str]:
    """What the table says and no experiment has, or the other way round."""
    out, found = [], defaultdict[tuple[str, str], set[str]](set)
    for paper, item, there, where, why in rows(text):
        if (paper, item) in found:
            out.append(f"{paper}, {item}: twice")
        found[paper, item] |= set(re.findall(r"`([^`]+)`", where))
        if there not in THERE:
            out.append(f"{paper}, {item}: '{there}' is none of {', '.join(THERE)}")
        if there != "yes" and not why:
            out.append(f"{paper}, {item}: it does not say why")
    for paper, (figures, tables) in PRINTED.items():
        named = [f"figure {n + 1}" for n in range(figures)] + [f"table {n + 1}" for n in range(tables)]
        out += [f"{paper}, {item}: missing" for item in named if (paper, item) not in found]
    known = {exp.name: exp for exp in papers().experiments}
    for (paper, item), names in found.items():
        out += [f"{paper}, {item}: there is no experiment {name}" for name in names - known.keys()]
        if not item.startswith(("figure ", "table ")):
            continue
        page = PAGES.get(paper, paper)
        have = {exp.name for exp in known.values() if exp.paper == page and item in exp.items()}
        out += [f"{paper}, {item}: {name} has it" for name in sorted(have - names)]
        out += [f"{paper}, {item}: {name} has it not" for name in sorted((names & known.keys()) - have)]
    return out


def check_report_what_is_there_of_each_paper() -> str:
    text = FILE.read_text()
    equals("faults", faults(text), [])
    return f"{len(rows(text))} items"


def check_report_slips_of_that_table() -> str:
    """Each is found out."""
    text = FILE.read_text()
    cases = [
        ("| aqm | figure 1 | yes | `aqm-buffer`", "| aqm | figure 1 | yes | ", "aqm-buffer has it"),
        ("`aqm-buffer`", "`aqm-bufer`", "there is no experiment aqm-bufer"),
        ("figure 2 | yes | `link-file` |", "figure 2 | yes | `link-file`, `link-web` |", "link-web has it"),
        ("| thesis | table 5 | yes | | |\n", "", "thesis, table 5: missing"),
        ("| link | figure 1 | no | | the topology: a drawing |", "| link | figure 1 | no | | |", "why"),
        ("| aqm | figure 6 | yes |", "| aqm | figure 6 | half |", "'half' is none of"),
        ("| aqm | figure 7 | yes |", "| aqm | figure 6 | yes |", "aqm, figure 6: twice"),
    ]
    for old, new, words in cases:
        expect(old in text, f"nothing to replace: {old}")
        found = faults(text.replace(old, new, 1))
        expect(any(words in one for one in found), f"{words}: {found}")
    return f"{len(cases)} of them"
