# SPDX-License-Identifier: GPL-2.0
"""Draws results of wlink-sleep: the papers' Fig. 3, and histograms of the errors."""

import math
from pathlib import Path
from typing import Any

from ...lib import page
from ...lib.files import read_json
from ...lib.paths import LabError
from .run import from_zero, panels as plot_panels

# The papers show this many of their 1000 requests.
SHOWN = 100
COLUMNS = 4
BINS = 40
# Smaller errors are drawn here: the scale is logarithmic.
FLOOR_MS = 1e-4
BLUE, RED, GREY = "#1f4e8c", "#d62728", "#888888"
Place = dict[str, Any]


def places_of(path: Path) -> list[Place]:
    """The places in a file of wlink-sleep or of tests/timing/run sleep."""
    data = read_json(path)
    if isinstance(data, dict) and "places" in data:
        return [place for place in data["places"] if place["runs"]]
    if not isinstance(data, dict) or "runs" not in data:
        raise LabError(f"{path} is not a file of wlink-sleep")
    return [{"place": path.stem, "title": f"{path.stem}: Linux {data['machine']['kernel']}", **data}]


def plain(place: Place) -> list[dict[str, Any]]:
    """The runs of plain methods on an idle machine."""
    return [
        run for run in place["runs"] if run["with"] == "plain" and run["load"] == "idle" and run.get("pairs")
    ]


def name_of(run: dict[str, Any]) -> str:
    return f"{run['method']}{' (partial)' if run['partial'] else ''}"


def grid(count: int, title: str) -> tuple[Any, Any, list[Any]]:
    """matplotlib and a figure with `count` panels."""
    rows = max(1, math.ceil(count / COLUMNS))
    plt, figure, axes = plot_panels(rows, COLUMNS, (11, 2.6 * rows + 0.5), layout="tight")
    figure.suptitle(title)
    for ax in axes.flat[count:]:
        ax.set_visible(False)
    return plt, figure, axes.flat[:count]


def save(plt: Any, figure: Any, png: Path) -> Path:
    page.save(plt, figure, png, dpi=110)
    return png


def pairs(place: Place, png: Path) -> Path:
    """Draw obtained against desired sleep, as in the papers' Fig. 3."""
    runs, title = plain(place), f"{place['title']}: obtained against desired sleep, first {SHOWN} requests"
    plt, figure, panels = grid(len(runs), title)
    for ax, run in zip(panels, runs):
        shown = run["pairs"][:SHOWN]
        ax.plot([0, 100], [0, 100], linestyle="--", color=GREY, zorder=1)
        ax.plot([d for d, _ in shown], [o / 1e6 for _, o in shown], ".", markersize=3, color=BLUE)
        ax.set_title(name_of(run), fontsize=9)
        ax.set(xlabel="desired, ms", xlim=(0, 100))
        from_zero(ax, "obtained, ms")
    return save(plt, figure, png)


def histogram(place: Place, png: Path) -> Path:
    """Draw histograms of the errors; early wake-ups in another colour."""
    runs = plain(place)
    plt, figure, panels = grid(len(runs), f"{place['title']}: error of a sleep")
    errors = [[o / 1e6 - d for d, o in run["pairs"]] for run in runs]
    top = max([abs(e) for one in errors for e in one] + [1.0])
    decades = math.log10(top / FLOOR_MS)
    edges = [FLOOR_MS * 10 ** (decades * i / BINS) for i in range(BINS + 1)]
    edges[-1] = top * 1.001
    for ax, run, one in zip(panels, runs, errors):
        late = [max(FLOOR_MS, e) for e in one if e >= 0]
        early = [max(FLOOR_MS, -e) for e in one if e < 0]
        ax.hist([late, early], bins=edges, color=[BLUE, RED], label=["late", "early"], stacked=True)
        ax.set_xscale("log")
        mean = run["error_ms"]["mean"]
        ax.set_title(f"{name_of(run)}: mean {mean:.3g} ms", fontsize=9)
        ax.set(xlabel="error, ms", ylabel="sleeps")
        if early:
            ax.legend(fontsize=7, frameon=False)
    return save(plt, figure, png)


def loads(place: Place, png: Path) -> Path | None:
    """Draw the 99th percentile for each condition and load; None if there is only one."""
    measured = [run for run in place["runs"] if run["n"]]
    kinds = sorted({(run["load"], run["with"]) for run in measured})
    kinds.sort(key=lambda kind: (["idle", "cpu", "disk", "paging"].index(kind[0]), len(kind[1]), kind[1]))
    seen = {run["method"] for run in measured if (run["load"], run["with"]) != ("idle", "plain")}
    if not seen:
        return None
    plt, figure, ((ax,),) = plot_panels(1, 1, (10, 4.2), layout="tight")
    for method in [run["method"] for run in plain(place) if run["method"] in seen]:
        by = {
            (run["load"], run["with"]): run["error_ms"]["p99"] for run in measured if run["method"] == method
        }
        at = [i for i, kind in enumerate(kinds) if kind in by]
        ax.plot(
            at, [max(FLOOR_MS, by[kinds[i]]) for i in at], "o-", linewidth=0.7, markersize=4, label=method
        )
    ax.set_yscale("log")
    ax.set_xticks(range(len(kinds)), [f"{load}\n{way}" for load, way in kinds], fontsize=7, rotation=30)
    ax.set_ylabel("99th percentile of the error, ms")
    ax.set_title(f"{place['title']}: conditions and loads")
    ax.legend(fontsize=8, frameon=False, ncol=3)
    return save(plt, figure, png)


def draw(files: list[Path], out: Path) -> list[Path]:
    """Draw all plots of all files; returns the pictures."""
    made: list[Path | None] = []
    out.mkdir(parents=True, exist_ok=True)
    for file in files:
        for place in places_of(file):
            if plain(place):
                made.append(pairs(place, out / f"sleep-{place['place']}-pairs.png"))
                made.append(histogram(place, out / f"sleep-{place['place']}-errors.png"))
            made.append(loads(place, out / f"sleep-{place['place']}-loads.png"))
    return [png for png in made if png]
