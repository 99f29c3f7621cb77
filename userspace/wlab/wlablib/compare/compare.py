# SPDX-License-Identifier: GPL-2.0
"""`wlab compare`: reads results, groups them, and writes table, picture and page."""

import html
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..analysis.interval import student
from ..analysis.metrics import unit
from ..analysis.plots.run import pyplot
from ..experiment import results
from ..lib.files import write_file
from ..lib.page import LOOK, STYLE, as_html, as_text, inline
from ..lib.paths import LabError
from ..lib.progress import Progress
from ..lib.units import near
from ..run.resultdir import writing
from . import draw, figures, labels, series, sources
from .series import PLOTS, Curve, Series
from .sources import Group

# Keys of versions that identify the module's build.
BUILDS = ("module_sha256", "module_srcversion")


@dataclass
class Comparison:
    """The results of a comparison."""

    table: list[list[str]]
    numbers: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    plots: dict[str, dict[str, Series]] = field(default_factory=dict)


def plot_list() -> str:
    return "\n".join(f"{name:<12}{plot.sentence}" for name, plot in PLOTS.items())


def chosen(words: str, by_flow: bool) -> list[str]:
    """The plots of --plot; empty for all that have data."""
    names = [w for w in words.split(",") if w]
    for name in names:
        if name not in PLOTS:
            raise LabError(f"--plot {name}: unknown; {near(name, list(PLOTS))}")
        if by_flow and PLOTS[name].whole:
            raise LabError(f"--plot {name}: it shows the link, not a flow; use --by run")
    return list(dict.fromkeys(names))


def writable(out: Path) -> None:
    """Check that the folder is writable before any work."""
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass


def read(inputs: sources.Inputs, by_what: str) -> list[Group]:
    """Read every run once, in groups that share a label."""
    progress = Progress("compare")
    total, done = sum(len(folders) for _, folders in inputs.groups), 0
    groups = []
    for path, folders in inputs.groups:
        if not folders:
            raise LabError(f"{path} has no results of seeds")
        groups.append(Group(path, []))
        for folder in folders:
            progress.tick(f"reading run {done + 1} of {total}")
            groups[-1].runs.append(sources.read(folder))
            done += 1
    progress.done(f"{total} runs read")
    return pooled(groups) if by_what == "key" else groups


def flat(group: Group) -> labels.Flat:
    """The flattened scenario of a group, without its seed."""
    scenario = labels.flatten(sources.scenario_of(group.runs[0]))
    return {k: v for k, v in scenario.items() if k != "seed"}


def pooled(groups: list[Group]) -> list[Group]:
    """Join groups of the same scenario, each seed once."""
    by_scenario: dict[tuple[tuple[str, str], ...], Group] = {}
    for group in groups:
        joined = by_scenario.setdefault(tuple(sorted(flat(group).items())), Group(group.path, []))
        seeds = {run.result.data["seed"] for run in joined.runs}
        joined.runs += [run for run in group.runs if run.result.data["seed"] not in seeds]
    return list(by_scenario.values())


def name(groups: list[Group]) -> None:
    """Set the groups' labels."""
    seeds = [str(g.runs[0].result.data["seed"]) if len(g.runs) == 1 else "" for g in groups]
    found = labels.labels([flat(g) for g in groups], seeds, [g.path for g in groups])
    for group, label in zip(groups, found):
        group.label = label


def curves_of(groups: list[Group], by: str) -> list[Curve]:
    """The curves: a group each, or a flow of a group each."""
    if by != "flow":
        return [Curve(g.label, g) for g in groups]
    single = len(groups) == 1
    return [
        Curve(flow if single else f"{g.label}: {flow}", g, flow)
        for g in groups
        for flow in dict.fromkeys(n for run in g.runs for n in run.packets)
    ]


def silent(run: sources.Run) -> list[str]:
    """Which flows have delivered no packet that counts, and why."""
    if not run.packets:
        return ["no packet with payload has come to a wlink"]
    why = [run.traffic.silence(n, some, run.warmup_ns) for n, some in run.packets.items() if run.logs(n)]
    return [text for text in why if text]


def elsewhere(run: sources.Run) -> list[str]:
    """What figures of a run do not have: drops by links that are no wlink; and what counts more than once."""
    out = [
        f"{name} is {link['kind']} and dropped {link['drops']} packets, which no figure has;"
        " between wlinks they make delays of UDP wrong, whose packets have no numbers"
        for name, link in run.result.data["links"].items()
        if link.get("kind", "wlink") != "wlink" and link.get("drops")
    ]
    crossed = {p.link for some in run.traffic.programs.values() for p in some}
    if len(crossed) > 1 and not run.traffic.cells and not all(one.startswith("radio.") for one in crossed):
        out.append(f"packets of programs count on each link they cross: {', '.join(sorted(crossed))}")
    return out


def notes(groups: list[Group]) -> list[str]:
    """Notes on differences between the runs that a reader must know."""
    out = []
    ends = {g.label: max(run.result.end for run in g.runs) for g in groups}
    if len({*ends.values()}) > 1:
        each = ", ".join(f"{label} after {end:g} s" for label, end in ends.items())
        out.append(f"The runs end at different times: {each}. Figures cover each complete run.")
    digests: dict[str, str] = {}
    for group in groups:
        for run in group.runs:
            digest = run.result.data["event_sha256"]
            if digest in digests and digests[digest] != group.label:
                out.append(f"{digests[digest]} and {group.label} have runs with the same events.")
            elif digest:
                digests[digest] = group.label
            out += [f"{group.label}: {link}, which records no packets." for link in run.unlogged()]
            out += [f"{group.label}: {text}." for text in (*silent(run), *elsewhere(run))]
    links = {g.label: {*g.runs[0].result.data["links"]} for g in groups}
    for link in sorted(set().union(*links.values())):
        without = [label for label, have in links.items() if link not in have]
        if without:
            out.append(f"No link {link} in {', '.join(without)}.")
    places = {g.label: str(g.runs[0].result.data.get("on", "lab")) for g in groups}
    if len({*places.values()}) > 1:
        out.append(f"Places of the runs: {', '.join(f'{label} {on}' for label, on in places.items())}.")
    # Each place has its own build of the module.
    builds = {
        (run.result.data.get("on", "lab"), *map(run.result.data.get("versions", {}).get, BUILDS))
        for g in groups
        for run in g.runs
    }
    if len(builds) > len({*places.values()}):
        out.append("The runs were made with different builds of the module.")
    return list(dict.fromkeys(out))


def distance_note(curves: list[Curve], distance: dict[str, Any] | None, what: str) -> str:
    """A Kolmogorov distance as a sentence."""
    text = f"Kolmogorov distance of {what}"
    if distance is None:
        return f"{text}: undefined, one has no packets."
    text += f": {distance['distance']:.3g}"
    if distance["interval"]:
        low, high = distance["interval"]
        return f"{text}, 95 % interval {low:.3g} to {high:.3g} (bootstrap over seeds)."
    few = [c.label for c in curves if len(c.group.runs) < 2]
    return f"{text}; no interval with one seed ({'; '.join(few)})."


def distances(curves: list[Curve]) -> tuple[dict[str, Any], list[str]]:
    """Kolmogorov distances of two curves: all delays, and those of each common flow; also as sentences."""
    found: dict[str, Any] = {"kolmogorov": figures.kolmogorov(*curves), "kolmogorov_flows": {}}
    sentences = [distance_note(curves, found["kolmogorov"], "the delays")]
    names = [{n: 0 for run in c.group.runs for n in c.flows(run)} for c in curves]
    common = [n for n in names[0] if n in names[1]]
    for flow in common if len(common) > 1 else []:
        distance = figures.kolmogorov(*(Curve(c.label, c.group, flow) for c in curves))
        found["kolmogorov_flows"][flow] = distance
        sentences.append(distance_note(curves, distance, f"those of {flow}"))
    return found, sentences


def of_runs(inputs: sources.Inputs, by: str, names: list[str], to: list[Path]) -> Comparison:
    """Compare runs."""
    if any(len(folders) > 1 for _, folders in inputs.groups):
        # Fails early if scipy is missing.
        student(1, series.CONFIDENCE)
    pyplot()
    groups = read(inputs, by)
    name(groups)
    curves = curves_of(groups, by)
    if not curves:
        raise LabError("--by flow: the runs have no flow, and no packet of a program on a wlink")
    end_ns = max(run.end_ns for g in groups for run in g.runs)
    width = series.width_ns(end_ns)
    wanted = names or [n for n, p in PLOTS.items() if not (p.whole and by == "flow")]
    plots: dict[str, dict[str, Series]] = {}
    for plot in wanted:
        found = {c.label: PLOTS[plot].of(c, width) for c in curves}
        plots[plot] = {label: s for label, s in found.items() if s}
    empty = [plot for plot in wanted if not plots[plot] and not names]
    plots = {plot: lines for plot, lines in plots.items() if plot not in empty}
    capacities = {c.label: s for c in curves if (s := series.capacity(c, width))}
    remarks = notes(groups)
    if empty:
        remarks.append(f"Not drawn, without data: {', '.join(empty)}.")
    rows = {c.label: figures.of_curve(c) for c in curves}
    pair: dict[str, Any] = {"kolmogorov": None}
    table = figures.table(list(rows), list(rows.values()))
    if len(curves) == 2:
        pair, sentences = distances(curves)
        remarks += sentences
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
        "plots": {plot: {k: asdict(s) for k, s in lines.items()} for plot, lines in plots.items()},
        "notes": remarks,
    }
    return Comparison(table, numbers, remarks, plots)


def of_one(inputs: sources.Inputs) -> dict[str, figures.Numbers]:
    """The figures of one run's flows and programs, by name."""
    groups = read(inputs, "flow")
    return {c.label: figures.of_run(c, c.group.runs[0]) for c in curves_of(groups, "flow")}


def of_cells(paths: list[Path]) -> Comparison:
    """Compare cells of a sweep by their metrics; their events are not kept."""
    records = [results.read(path) for path in paths]
    flats = [{"experiment": str(r["experiment"]), **labels.flatten(r["cell"])} for r in records]
    rows = dict(zip(labels.labels(flats, [], paths), records))
    metrics = list(dict.fromkeys(m for r in records for m in r["metrics"]))
    table = [["", *(f"{m} ({unit(m)})" for m in metrics)]]
    for label, record in rows.items():
        have = [record["metrics"].get(m, {"value": None, "half_width": None}) for m in metrics]
        table.append([label, *(figures.number(h["value"], h["half_width"]) for h in have)])
    remarks = ["Cells of a sweep keep metrics but no events: nothing is drawn over time."]
    values = {label: {m: r["metrics"][m] for m in metrics if m in r["metrics"]} for label, r in rows.items()}
    return Comparison(table, {"figures": values, "notes": remarks}, remarks)


def page(comparison: Comparison, picture: Path | None) -> str:
    """The page of HTML, which needs no other file."""
    figure = inline(picture, "The runs side by side") if picture else ""
    sentences = "".join(f"<li>{html.escape(f'{text}: {PLOTS[text].sentence}')}" for text in comparison.plots)
    note_lines = "".join(f"<p>{html.escape(text)}</p>" for text in comparison.notes)
    return f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>wlab compare</title><style>{STYLE}</style>
<h1>Results side by side</h1>
{as_html(comparison.table)}
<p>With several seeds: the mean and its 95&nbsp;% confidence interval. Delays and loss are of packets
with payload after the warm-up, from the first wlink on their way to the last one; a packet that a cell
has forwarded to another one is not lost, its delay is that of both.</p>
{note_lines}{figure}<ul>{sentences}</ul>
</html>
"""


def compare(paths: list[Path], by: str, plots: str, out: Path) -> Comparison:
    """Read the results, draw the picture, write the page."""
    names = chosen(plots, by == "flow")
    inputs = sources.find(paths)
    writable(out)
    pictures = [out / f"compare.{kind}" for kind in dict.fromkeys(["png", "svg", LOOK.format or "png"])]
    with writing(out):
        comparison = of_cells(inputs.cells) if inputs.cells else of_runs(inputs, by, names, pictures)
        drawn = bool(comparison.plots)
        write_file(out / "index.html", page(comparison, pictures[1] if drawn else None))
    comparison.numbers["files"] = [str(p) for p in [out / "index.html", *(pictures if drawn else [])]]
    return comparison


def text(comparison: Comparison) -> str:
    """What `wlab compare` prints."""
    return "\n".join([as_text(comparison.table), *comparison.notes, *comparison.numbers["files"]])
