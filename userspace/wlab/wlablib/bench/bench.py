# SPDX-License-Identifier: GPL-2.0
"""`wlab bench-cc`: runs the cases of the bench by a sweep, judges them, and writes the pages."""

from dataclasses import dataclass
from pathlib import Path

from ..experiment.sweep import sweep
from ..lib.files import write_file
from ..lib.paths import LabError
from ..report import data, report, verdict
from ..report.data import Slot, Study
from ..report.words import first_line, number, table
from .cases import Bound, Case, Part

PAGE = "bench-cc"
COMMAND = f"wlab {PAGE}"
# A metric that says that there was nothing to judge.
NONE = -1.0
NO_PHASE = "no such phase"
HOLE = "hole"
NOT_RUN = "not run"
DRAFTED = "as_drafted"


@dataclass
class Judged:
    """A case, control and bound with the verdict."""

    experiment: str
    case: str
    cc: str
    metric: str
    verdict: str
    value: float | None = None
    half_width: float | None = None
    # Of the draft's steps, in how many of the seeds they were seen; None where the control shows no phases.
    as_drafted: float | None = None


def judge(bound: Bound, values: list[float], value: float | None, half: float | None) -> str:
    """The verdict on a mean with its interval; a single seed has none, and tells nothing."""
    if value is None:
        return HOLE
    if NONE in values:
        return NO_PHASE
    if half is None:
        return verdict.UNTOLD
    if bound.least <= value - half and value + half <= bound.most:
        return verdict.HOLDS
    outside = value + half < bound.least or value - half > bound.most
    return verdict.FAILS if outside else verdict.UNTOLD


def judge_slot(part: Part, case: Case, slot: Slot) -> list[Judged]:
    out = []
    drafted = list(slot.by_seed(DRAFTED).values())
    share = sum(drafted) / len(drafted) if drafted and NONE not in drafted else None
    for bound in case.bounds:
        values = list(slot.by_seed(bound.metric).values())
        value, half = slot.value(bound.metric), slot.half(bound.metric)
        said = judge(bound, values, value, half)
        if said == NO_PHASE:
            value = half = None
        cc = str(slot.values["cc"])
        out.append(Judged(part.experiment.name, case.name, cc, bound.metric, said, value, half, share))
    return out


def judge_all(parts: list[Part], study: Study) -> list[Judged]:
    """All verdicts, case by case."""
    slots = {(s.exp.name, s.values["case"], s.values["cc"]): s for s in study.slots}
    out = []
    for part in parts:
        controls = part.experiment.grids[0].axes["cc"]
        for case in part.cases:
            if case.not_run:
                out += [Judged(part.experiment.name, case.name, str(cc), "", NOT_RUN) for cc in controls]
                continue
            for cc in controls:
                out += judge_slot(part, case, slots[part.experiment.name, case.name, cc])
    return out


def drafted_text(share: float | None) -> str:
    if share is None:
        return ""
    return "as drafted" if share == 1 else "not as drafted" if not share else f"as drafted in {share:.0%}"


def cell_text(one: Judged) -> str:
    """A cell of the table: number, verdict, and whether BBR's phases were the draft's."""
    said = f"**{one.verdict}**" if one.verdict == verdict.FAILS else one.verdict
    shown = "" if one.value is None else f"{number(one.value, one.half_width, 1)}: "
    drafted = drafted_text(one.as_drafted)
    return f"{shown}{said}" + (f"<br>{drafted}" if drafted else "")


def part_lines(part: Part, judged: list[Judged], linked: str) -> list[str]:
    """The table of an experiment: a row for each case and bound, a column for each control."""
    controls = [str(cc) for cc in part.experiment.grids[0].axes["cc"]]
    found = {(one.case, one.metric, one.cc): one for one in judged if one.experiment == part.experiment.name}
    body = []
    for case in part.cases:
        name = f"`{case.name}`" + (f"<br>{case.of}" if case.of else "")
        if case.not_run:
            body.append([name, f"{NOT_RUN}: {case.not_run}", *("" for _ in controls)])
            continue
        for i, bound in enumerate(case.bounds):
            cells = [cell_text(found[case.name, bound.metric, cc]) for cc in controls]
            body.append(["" if i else name, f"{bound.text}: {bound.words}", *cells])
    head = ["case", "judged by", *controls]
    more = f"[All figures, and what made them]({linked})."
    return [f"## {part.experiment.title}", "", part.source, "", more, "", *table(head, body, len(head)), ""]


def score_lines(parts: list[Part], judged: list[Judged]) -> list[str]:
    """How many verdicts of each kind a control has."""
    kinds = [verdict.HOLDS, verdict.FAILS, verdict.UNTOLD, NO_PHASE, HOLE]
    body = []
    for cc in parts[0].experiment.grids[0].axes["cc"]:
        mine = [one.verdict for one in judged if one.cc == cc]
        body.append([f"`{cc}`", *(str(mine.count(kind)) for kind in kinds)])
    return [*table(["control", *kinds], body, 1), ""]


INTRO = """A bound holds where the mean with its {confidence:g} % interval over the seeds keeps it, and does
not where it lies wholly outside; `no such phase`: in a seed the control has not come to the phase at which
the case changes the path. wlab-bench-cc(1) describes the bench.
"""


def page(parts: list[Part], study: Study, judged: list[Judged]) -> str:
    seeds = sorted({len(s.record["seeds"]) for s in study.slots if s.record})
    quick = ", of a quick run" if all(s.plan.quick for s in study.slots) else ""
    counts = " or ".join(map(str, seeds)) or "no"
    out = ["# Congestion controls on one bench", ""]
    out += [INTRO.format(confidence=parts[0].experiment.confidence)]
    out += [f"{counts} seeds a case{quick}; written by `{study.again}`.", "", *score_lines(parts, judged)]
    for part in parts:
        out += part_lines(part, judged, f"{part.experiment.name}.md")
    holes = [f"* {s.exp.name}, {s.id}: {first_line(s.trouble)}" for s in study.holes()]
    out += ["## Holes", "", *holes] if holes else []
    return "\n".join(out).rstrip("\n") + "\n"


def listed(parts: list[Part]) -> str:
    """A line for each case and bound."""
    out = []
    for part in parts:
        for case in part.cases:
            what = [f"{bound.text}: {bound.words}" for bound in case.bounds]
            words = [f"{NOT_RUN}: {case.not_run}"] if case.not_run else what
            out += ["\t".join([part.experiment.name, case.name, case.of or "-", one]) for one in words]
    return "\n".join(out)


def as_text(judged: list[Judged]) -> str:
    """What the command prints."""
    out = []
    for one in judged:
        shown = "" if one.value is None else number(one.value, one.half_width, 1)
        words = [one.case, one.cc, one.metric, shown, one.verdict, drafted_text(one.as_drafted)]
        out.append("\t".join(words).rstrip("\t"))
    return "\n".join(out)


def run(
    parts: list[Part], quick: bool, jobs: int | None, out: Path, to: Path
) -> tuple[list[Judged], Path]:
    """Run what is missing, and return the verdicts and the first page; cells that fail are its holes."""
    experiments = [part.experiment for part in parts]
    failed = None
    try:
        sweep.sweep(experiments, quick, jobs, out)
    except LabError as e:
        failed = e
    try:
        study = data.load(out, experiments, quick)
    except LabError as e:
        # Of an experiment there is nothing at all, for which the sweep has the reason.
        raise failed or e from None
    study.again = COMMAND + (" --quick" if quick else "")
    report.build(study, to, traces=False)
    judged = judge_all(parts, study)
    first = to / f"{PAGE}.md"
    write_file(first, page(parts, study, judged))
    if failed:
        raise LabError(f"{failed}\n{first} has the others")
    return judged, first
