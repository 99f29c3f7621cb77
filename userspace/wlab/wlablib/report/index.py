# SPDX-License-Identifier: GPL-2.0
"""The first page of a set's report."""

import re
from collections import Counter

from ..analysis.metrics import split_flow
from ..experiment.sets import Set
from . import diagonal, page as reportpage, verdict as rules
from .claims import EQUAL_PERCENT, SLIGHT_PERCENT
from .data import Slot, Study, command_line
from .item import Links
from .page import COLUMNS, COST_HEAD, Page, cost_line, count_words, tidy, verdict_of
from .words import count, link, metric_title, table

RULES = f"""\
## How to read it

Each number is a mean over seeds, ± half of its confidence interval by Student's t at the paper's
confidence level. It links to its cell's result: the values of all seeds, the scenario, kernel, module
and the SHA-256 of every seed's event log. `wlab verify FILE.jsonl#CELL`, with the address in the link,
runs it again and compares.

A gain is the ratio of two means over the same seeds, in percent; its interval is from the seeds'
residuals, so that the influence of a seed on both runs does not widen it.

* **{rules.INSIDE}**: our mean is within their half width of their value.
* **{rules.INSIDE_OURS}**: they print no interval, and their value is within our half width of our mean;
  ours over theirs is with all of it within 25 % of 1.
* **within 5, 10, 25 %**: neither, but ours over theirs, with the interval that both intervals give,
  lies wholly within so much of 1.
* **{rules.FAR}**: it lies wholly outside; **{rules.UNTOLD}**: it reaches across.
* **{rules.WIDE}**: it reaches across, and would with their interval alone: no number of seeds here can tell.
  Where they print the intervals of both values that a gain compares, these give the gain's.
* A gain of less than {rules.SMALL:g} % is compared in points, in parts of {rules.SMALL:g}: within 25 % is
  within {rules.SMALL / 4:g} points of theirs.
* **{rules.WITHHELD}**: the row is withheld from us; **{rules.NOT_PRINTED}**: the paper has a curve or
  nothing; **{rules.HOLE}**: the cell is missing, with the reason below its table.

No verdict comes from the order of values at different rates: that a slower link has more delay shows
nothing of a model.

A paper's sentences (`said`) and its claims, which are one sentence or several, are checked on pairs of
cells, or of sums of cells where it compares gaps, by the difference over the same seeds. The interval is
widened for the number of pairs (Bonferroni), so that chance alone rarely contradicts a sentence.

* **{rules.HOLDS}**: each pair shows it, or is equal: the interval of its difference holds 0 and is no
  more than {EQUAL_PERCENT:g} % of the larger cell or gap, or with two cells the difference and its interval
  are within {SLIGHT_PERCENT:g} % of it, less than a curve of a paper shows; not all are equal.
* **{rules.FAILS}**: a pair contradicts it by more than its interval, or all are equal.
* **{rules.WIDE}**: no pair contradicts it, and the paper's own interval is too wide for one of them.
* **{rules.UNTOLD}**: neither; a pair's interval holds 0 and is wider. Each sentence has its power, the
  least difference that each of its pairs would have seen: more seeds lower it. How many would tell, and what
  they cost, is from the spread of the seeds and the processor time that there are.
* **{rules.UNJUDGED}**: a cell is missing."""


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


PICTURE = "printed.png"


def ratios(page: Page) -> str:
    """The mean of ours over theirs for each metric that is printed with a unit, not as a gain."""
    found: dict[str, list[float]] = {}
    for entry in (e for item in page.items for e in item.entries):
        sides = entry.sides()
        if sides and sides.theirs and entry.metric in entry.slot.exp.measured():
            title = metric_title(split_flow(entry.metric)[0])
            found.setdefault(title, []).append(sides.ratio()[0])
    means = [f"{title} {sum(values) / len(values):.2f} times" for title, values in found.items()]
    return f" {page.about.title}, in the mean ours of theirs: {', '.join(means)}." if means else ""


def minute(pages: list[Page]) -> list[str]:
    """Three sentences for somebody who has one minute: printed values, claims, the papers' sentences."""
    values = sum((p.counts() for p in pages), start=Counter[str]())
    said = sum((p.said() for p in pages), start=Counter[str]())
    claims = [(c, link(f"`{c.name}`", f"{c.paper}.md#claims")) for p in pages for c in p.claims]
    printed = {v: values[v] for v in (*rules.AGREE, rules.FAR, rules.WIDE, rules.UNTOLD) if values[v]}
    out = []
    if printed:
        counts = ", ".join(f"{n} {verdict}" for verdict, n in printed.items())
        means = "".join(map(ratios, pages))
        out.append(f"* Of {sum(printed.values())} values that are printed: {counts}.{means}")
    if claims:
        counts = rules.counted(Counter(c.verdict for c, _ in claims))
        fails = [name for c, name in claims if c.verdict == rules.FAILS]
        tail = f" What does not hold: {', '.join(fails)}." if fails else ""
        out.append(f"* Of {len(claims)} claims {counts}.{tail}")
    if said:
        parts = [f"Of {sum(said.values())} sentences that compare {rules.counted(said)}."]
        for page, read in ((page, page.by_reading()) for page in pages):
            if read:
                title = link(page.about.title, f"{page.name}.md#readings")
                parts.append(f"{title}: of {sum(read.values())} sentences {rules.counted(read)}.")
        out.append(f"* {' '.join(parts)}")
    return [*out, ""] if out else []


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
    counts = [count_words(p.counts(), p.said() + p.by_reading()) if compares else [] for p in pages]
    body = [[link(p.about.title, f"{p.name}.md"), *words] for p, words in zip(pages, counts)]
    holes = study.holes()
    out = [f"# {set_.title}", ""]
    if diagonal.draw([item for p in pages for item in p.items], links.pages / PICTURE):
        out += [f"![Every published value against ours, with both intervals]({PICTURE})", ""]
    out += minute(pages) if compares else []
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
