# SPDX-License-Identifier: GPL-2.0
"""The first page of a set's report."""

import re

from ..experiment.sets import Set
from . import page as reportpage, verdict as rules
from .data import Slot, Study, command_line
from .item import Links
from .page import COLUMNS, COST_HEAD, Page, cost_line, count_words, tidy, verdict_of
from .words import count, link, table

RULES = f"""\
## How to read it

Each number is a mean over seeds, ± half of its confidence interval by Student's t at the paper's
confidence level. It links to its cell's result: the values of all seeds, the scenario, kernel, module
and the SHA-256 of every seed's event log. `wlab verify FILE.jsonl#CELL`, with the address in the link,
runs it again and compares.

A gain is the ratio of two means over the same seeds, in percent; its interval is from the seeds'
residuals, so that the influence of a seed on both runs does not widen it.

* **{rules.INSIDE}**: our mean is within their half width of their value.
* **{rules.INSIDE_OURS}**: they print no interval, and their value is within our half width of our mean.
* **{rules.SAME}**: neither; but among the cells of the same item and metric that have both values,
  all that differ from this one in the paper differ in the same direction in our means, and at least
  one of them by our intervals, too. Two values differ if their intervals do not overlap (a printed
  value without an interval has one of width 0). Values that do not differ in the paper are a tie,
  with which any order of ours agrees.
* **{rules.DIFFERS}**: none of these.
* **{rules.WITHHELD}**: the row is withheld from us; **{rules.NOT_PRINTED}**: the paper has a curve or
  nothing; **{rules.HOLE}**: the cell is missing, with the reason below its table.

A paper's sentences about a figure (`said`) are checked on pairs of cells, by the difference over the
same seeds. A difference within its interval is a tie and counts as equal; the interval is widened for
the number of pairs (Bonferroni), so that chance alone rarely contradicts a sentence.
**{rules.SAME}** there means that no pair contradicts it and at least one supports it."""


PROGRAMS = """\
## For programs

`cells` has a file for each experiment, a line of JSON for each cell, in the order of their names:

| key | what it is |
|:--|:--|
| `experiment`, `id` | the experiment and the cell in it: the words of its values in `cell` |
| `paper`, `title`, `items` | the page, and the paper's tables and figures that it belongs to |
| `seeds`, `values` | for each metric, a number for each seed, in the same order |
| `metrics` | each metric's mean, `value`, and half of its interval, `half_width`, at `confidence` percent |
| `scenario`, `scenario_sha256` | the resolved scenario and its digest |
| `files` | digests of the files that it reads, which are their names in the folder `files` |
| `event_sha256` | for each seed, the digest of the event log |
| `versions`, `stack` | kernel, module, tc and sources; TCP's settings |
| `quick` | whether it belongs to a quick set |
| `cost` | wall time, processor time, virtual time of all seeds |
| `sha256` | digest of all other keys without `cost` and the commit in `versions` |

In this folder, a table of means:

    jq -r '[.id, .metrics.METRIC.value, .metrics.METRIC.half_width] | @tsv' cells/EXPERIMENT.jsonl

One cell's scenario:

    jq 'select(.id == "CELL") | .scenario' cells/EXPERIMENT.jsonl

The values of each seed, with python3-pandas:

    python3 - <<END
    import json, pandas
    cells = pandas.json_normalize([json.loads(line) for line in open("cells/EXPERIMENT.jsonl")])
    seeds = cells[["id", "seeds", "values.METRIC"]].explode(["seeds", "values.METRIC"])
    print(seeds.to_csv(index=False))
    END
"""


def programs(slots: list[Slot]) -> list[str]:
    """How to read the kept results, with the first one as the example."""
    if not slots:
        return []
    example = slots[0]
    words = {"EXPERIMENT": example.exp.name, "CELL": example.id, "METRIC": example.exp.metrics[0]}
    return re.sub("|".join(words), lambda found: words[found[0]], PROGRAMS).splitlines()


def claims_table(pages: list[Page]) -> list[str]:
    """The table of all claims, with links."""
    body = [
        [f"{c.sentence} ({link(f'`{c.name}`', f'{c.paper}.md#claims')})", verdict_of(c)]
        for p in pages
        for c in p.claims
    ]
    says = "the papers say" if any(p.about.compares for p in pages) else "claim"
    return ["## Claims", "", *table([says, "here"], body, 2), ""] if body else []


def command(study: Study, set_: Set) -> str:
    """The command that reproduces everything."""
    quick = all(s.plan.quick for s in study.slots)
    plain = command_line("sweep", study.out, set_.words) + (" --quick" if quick else "")
    return (set_.quick if quick else set_.again) or plain


def index(study: Study, set_: Set, pages: list[Page], links: Links) -> str:
    """The text of README.md."""
    compares = any(item.compares for p in pages for item in p.items)
    counts = [count_words(p.counts(), p.said()) if compares else [] for p in pages]
    body = [[link(p.about.title, f"{p.name}.md"), *words] for p, words in zip(pages, counts)]
    holes = study.holes()
    out = [f"# {set_.title}", ""]
    data = f"For programs the same numbers are in {links.data(study)}."
    out += [f"Written by `wlab report`; `{command(study, set_)}` makes everything again. {data}", ""]
    out += reportpage.quick_lines(study.slots)
    if holes:
        out += [f"Missing: {len(holes)} of {count(len(study.slots), 'cell')}.", ""]
    out += [*table(["page", *(COLUMNS if compares else ())], body), ""]
    out += claims_table(pages)
    costs = [cost_line(p.about.title, p.slots()) for p in pages]
    costs.append(cost_line("all", study.slots))
    out += ["## Cost", "", *table(["page", *COST_HEAD[1:]], costs), ""]
    out += reportpage.version_lines(study.slots)
    out += RULES.splitlines()
    if links.copied:
        out += ["", *programs([s for s in study.slots if s.record])]
    return "\n".join(tidy(out)) + "\n"
