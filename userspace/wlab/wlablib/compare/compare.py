# SPDX-License-Identifier: GPL-2.0
"""`wlab compare`: results beside each other."""

import html
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..analysis.interval import student
from ..analysis.metrics import unit
from ..analysis.plots.run import pyplot
from ..experiment import results
from ..lib.page import STYLE, as_html, as_text, inline
from ..lib.paths import LabError
from ..lib.progress import Progress
from ..lib.units import near
from ..run.resultdir import writing
from . import draw, figures, labels, series, sources
from .series import PLOTS, Curve, Series
from .sources import Group

# One of these says which build of the module it was.
BUILDS = ("module_sha256", "module_srcversion")


@dataclass
class Comparison:
    """All that a comparison says."""

    table: list[list[str]]
    numbers: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    plots: dict[str, dict[str, Series]] = field(default_factory=dict)


def plot_list() -> str:
    return "\n".join(f"{name:<12}{plot.sentence}" for name, plot in PLOTS.items())


def chosen(words: str, by_flow: bool) -> list[str]:
    """The plots that are asked for, or none where all that say something are."""
    names = [w for w in words.split(",") if w]
    for name in names:
        if name not in PLOTS:
            raise LabError(f"--plot {name}: unknown; {near(name, list(PLOTS))}")
        if by_flow and PLOTS[name].whole:
            raise LabError(f"--plot {name}: it is of the link, not of a flow; take --by run")
    return list(dict.fromkeys(names))


def writable(out: Path) -> None:
    """Found out before any work."""
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass


def read(given: sources.Given, by: str) -> list[Group]:
    """Every run once, in the groups that have a name each."""
    progress = Progress("compare")
    total, done = sum(len(folders) for _, folders in given.groups), 0
    groups = []
    for path, folders in given.groups:
        if not folders:
            raise LabError(f"{path} holds no seed")
        groups.append(Group(path, []))
        for folder in folders:
            progress.tick(f"reading run {done + 1} of {total}")
            groups[-1].runs.append(sources.read(folder))
            done += 1
    progress.done(f"{total} runs read")
    return pooled(groups) if by == "key" else groups


def flat(group: Group) -> labels.Flat:
    """What its scenario says, its seed aside."""
    have = labels.flatten(sources.scenario_of(group.runs[0]))
    return {k: v for k, v in have.items() if k != "seed"}


def pooled(groups: list[Group]) -> list[Group]:
    """Groups of one scenario are one, each seed once."""
    found: dict[tuple[tuple[str, str], ...], Group] = {}
    for group in groups:
        one = found.setdefault(tuple(sorted(flat(group).items())), Group(group.path, []))
        seeds = {run.result.data["seed"] for run in one.runs}
        one.runs += [run for run in group.runs if run.result.data["seed"] not in seeds]
    return list(found.values())


def name(groups: list[Group]) -> None:
    """Give each its label."""
    seeds = [str(g.runs[0].result.data["seed"]) if len(g.runs) == 1 else "" for g in groups]
    found = labels.labels([flat(g) for g in groups], seeds, [g.path for g in groups])
    for group, label in zip(groups, found):
        group.label = label


def curves_of(groups: list[Group], by: str) -> list[Curve]:
    """What has a colour."""
    if by != "flow":
        return [Curve(g.label, g) for g in groups]
    alone = len(groups) == 1
    return [
        Curve(flow if alone else f"{g.label}: {flow}", g, flow)
        for g in groups
        for flow in dict.fromkeys(n for run in g.runs for n in run.result.flows)
    ]


def notes(groups: list[Group]) -> list[str]:
    """What a reader must know of the runs."""
    out = []
    ends = {g.label: max(run.result.end for run in g.runs) for g in groups}
    if len({*ends.values()}) > 1:
        each = ", ".join(f"{label} after {end:g} s" for label, end in ends.items())
        out.append(f"The runs do not end at one time: {each}. Figures are of the whole of each.")
    digests: dict[str, str] = {}
    for group in groups:
        for run in group.runs:
            digest = run.result.data["event_sha256"]
            if digest in digests and digests[digest] != group.label:
                out.append(f"{digests[digest]} and {group.label} have a run with the same events.")
            elif digest:
                digests[digest] = group.label
            if not series.logs_packets(run):
                out.append(f"{group.label}: the radio link is {run.kind}, which has no events of packets.")
            elif not any(p.arrival for p in run.packets.values()):
                out.append(f"{group.label}: no packet with payload was delivered.")
    links = {g.label: {*g.runs[0].result.data["links"]} for g in groups}
    for link in sorted(set().union(*links.values())):
        without = [label for label, have in links.items() if link not in have]
        if without:
            out.append(f"There is no {link} in {', '.join(without)}.")
    places = {g.label: str(g.runs[0].result.data.get("on", "lab")) for g in groups}
    if len({*places.values()}) > 1:
        out.append(f"Where they ran: {', '.join(f'{label} {on}' for label, on in places.items())}.")
    # Each place has a build of its own.
    builds = {
        (run.result.data.get("on", "lab"), *map(run.result.data.get("versions", {}).get, BUILDS))
        for g in groups
        for run in g.runs
    }
    if len(builds) > len({*places.values()}):
        out.append("The runs were made with different builds of the module.")
    return list(dict.fromkeys(out))


def distance_note(curves: list[Curve], distance: dict[str, Any] | None, what: str) -> str:
    """In words."""
    text = f"Kolmogorov distance of {what}"
    if distance is None:
        return f"{text}: not to be had, one has no packet."
    text += f": {distance['distance']:.3g}"
    if distance["interval"]:
        low, high = distance["interval"]
        return f"{text}, 95 % interval {low:.3g} to {high:.3g} (seeds drawn anew)."
    few = [c.label for c in curves if len(c.group.runs) < 2]
    return f"{text}; an interval is not to be had of one seed ({'; '.join(few)})."


def distances(curves: list[Curve]) -> tuple[dict[str, Any], list[str]]:
    """Of two curves: of all delays, and of those of each flow that both have; and the same in words."""
    found: dict[str, Any] = {"kolmogorov": figures.kolmogorov(*curves), "kolmogorov_flows": {}}
    said = [distance_note(curves, found["kolmogorov"], "the delays")]
    names = [{n: 0 for run in c.group.runs for n in c.flows(run)} for c in curves]
    both = [n for n in names[0] if n in names[1]]
    for flow in both if len(both) > 1 else []:
        one = figures.kolmogorov(*(Curve(c.label, c.group, flow) for c in curves))
        found["kolmogorov_flows"][flow] = one
        said.append(distance_note(curves, one, f"those of {flow}"))
    return found, said


def of_runs(given: sources.Given, by: str, names: list[str], to: list[Path]) -> Comparison:
    """Runs beside each other."""
    if any(len(folders) > 1 for _, folders in given.groups):
        # Known to be there before anything is read.
        student(1, series.CONFIDENCE)
    pyplot()
    groups = read(given, by)
    name(groups)
    curves = curves_of(groups, by)
    if not curves:
        raise LabError("--by flow: the runs have no flow")
    end_ns = max(run.end_ns for g in groups for run in g.runs)
    width = series.width_ns(end_ns)
    wanted = names or [n for n, p in PLOTS.items() if not (p.whole and by == "flow")]
    plots: dict[str, dict[str, Series]] = {}
    for one in wanted:
        found = {c.label: PLOTS[one].of(c, width) for c in curves}
        plots[one] = {label: s for label, s in found.items() if s}
    empty = [one for one in wanted if not plots[one] and not names]
    plots = {one: lines for one, lines in plots.items() if one not in empty}
    capacities = {c.label: s for c in curves if (s := series.capacity(c, width))}
    remarks = notes(groups)
    if empty:
        remarks.append(f"Not drawn, for there is nothing to show: {', '.join(empty)}.")
    rows = {c.label: figures.of_curve(c) for c in curves}
    pair: dict[str, Any] = {"kolmogorov": None}
    table = figures.table(list(rows), list(rows.values()))
    if len(curves) == 2:
        pair, said = distances(curves)
        remarks += said
        pair["differences"] = figures.differences(*rows.values())
        table = figures.table([*rows, "difference"], [*rows.values(), pair["differences"]])
    if plots:
        draw.draw(plots, capacities, list(rows), end_ns / 1e9, to)
    numbers = {
        "interval_s": width / 1e9,
        "confidence": series.CONFIDENCE,
        "figures": rows,
        **pair,
        "capacity": {label: asdict(s) for label, s in capacities.items()},
        "plots": {one: {k: asdict(s) for k, s in lines.items()} for one, lines in plots.items()},
        "notes": remarks,
    }
    return Comparison(table, numbers, remarks, plots)


def of_cells(paths: list[Path]) -> Comparison:
    """Cells of a sweep: their metrics; their events are gone."""
    records = [results.read(path) for path in paths]
    flats = [{"experiment": str(r["experiment"]), **labels.flatten(r["cell"])} for r in records]
    rows = dict(zip(labels.labels(flats, [], paths), records))
    metrics = list(dict.fromkeys(m for r in records for m in r["metrics"]))
    table = [["", *(f"{m} ({unit(m)})" for m in metrics)]]
    for label, record in rows.items():
        have = [record["metrics"].get(m, {"value": None, "half_width": None}) for m in metrics]
        table.append([label, *(figures.number(h["value"], h["half_width"]) for h in have)])
    remarks = ["Cells of a sweep keep figures and no events: there is nothing to draw over time."]
    values = {label: {m: r["metrics"][m] for m in metrics if m in r["metrics"]} for label, r in rows.items()}
    return Comparison(table, {"figures": values, "notes": remarks}, remarks)


def page(found: Comparison, picture: Path | None) -> str:
    """One file."""
    shown = inline(picture, "The runs beside each other") if picture else ""
    sentences = "".join(f"<li>{html.escape(f'{one}: {PLOTS[one].sentence}')}" for one in found.plots)
    lines = "".join(f"<p>{html.escape(one)}</p>" for one in found.notes)
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>wlab compare</title><style>{STYLE}</style>
<h1>Results beside each other</h1>
{as_html(found.table)}
<p>With several seeds: the mean and its interval of 95&nbsp;%. Delays and loss are of packets with
payload on the radio link, after the warm-up.</p>
{lines}{shown}<ul>{sentences}</ul>
</html>
"""


def compare(paths: list[Path], by: str, words: str, out: Path) -> Comparison:
    """Read, draw, write."""
    names = chosen(words, by == "flow")
    given = sources.find(paths)
    writable(out)
    pictures = [out / "compare.png", out / "compare.svg"]
    with writing(out):
        found = of_cells(given.cells) if given.cells else of_runs(given, by, names, pictures)
        drawn = bool(found.plots)
        (out / "index.html").write_text(page(found, pictures[1] if drawn else None))
    found.numbers["files"] = [str(p) for p in [out / "index.html", *(pictures if drawn else [])]]
    return found


def text(found: Comparison) -> str:
    """For a person."""
    return "\n".join([as_text(found.table), *found.notes, *found.numbers["files"]])
