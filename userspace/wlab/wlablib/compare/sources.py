# SPDX-License-Identifier: GPL-2.0
"""Finds and reads the results to compare, in groups of seeds."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..analysis import resultfile
from ..analysis.occupancy import Steps
from ..analysis.plots.data import Result
from ..analysis.traffic import Packet, Traffic
from ..experiment import results
from ..lib.paths import LabError

# More curves than this cannot be distinguished.
GROUPS_MAX = 64
RUN = "result.json"
SERIES = "runs.json"


@dataclass
class Run:
    """A run with the parts of its event log that plots need; packets of each flow and of programs."""

    result: Result
    traffic: Traffic
    packets: dict[str, list[Packet]]
    occupancy: dict[str, dict[int, Steps]]

    @property
    def end_ns(self) -> int:
        return round(self.result.end * 1e9)

    @property
    def warmup_ns(self) -> int:
        return round(float(self.result.data.get("warmup_s", 0)) * 1e9)

    def unlogged(self) -> list[str]:
        """The radio links of flows that are no wlink, with their kind; these record no packets."""
        links = self.result.data["links"]
        names = {resultfile.link_of(f) for f in self.result.flows.values()} & links.keys()
        return [f"{n} is {links[n]['kind']}" for n in sorted(names) if not self.traffic.logged(n)]

    def logs(self, name: str) -> bool:
        """Whether the packets of a flow or of programs are recorded."""
        return name not in self.result.flows or bool(self.traffic.last(name))


@dataclass
class Group:
    """Runs that are averaged: all seeds of one scenario."""

    path: Path
    runs: list[Run]
    label: str = ""


def read(folder: Path) -> Run:
    """Read a result folder."""
    result = Result(folder)
    resultfile.events(folder)
    return Run(result, result.traffic, result.traffic.packets(), result.occupancy)


def groups_in(path: Path) -> list[tuple[Path, list[Path]]]:
    """(folder, folders of its runs) of a run, of a series of seeds, or of each in a folder of these."""
    if (path / RUN).exists():
        return [(path, [path])]
    if (path / SERIES).exists():
        return [(path, resultfile.seed_folders(path))]
    inner = [p for p in sorted(path.glob("*/")) if not p.name.startswith(".")]
    return [group for p in inner if (p / RUN).exists() or (p / SERIES).exists() for group in groups_in(p)]


def cells_in(path: Path) -> list[Path]:
    """The addresses of cells in a sweep's folder or in kept results."""
    if f"{results.LINES}#" in path.name:
        return [path]
    if path.is_file():
        return results.addresses(path) if path.suffix in (".json", results.LINES) else []
    folder = path / "cells" if (path / "cells").is_dir() else path
    files = [p for p in folder.rglob("*") if p.suffix in (".json", results.LINES)]
    return [address for p in sorted(files) if not p.name.startswith(".") for address in results.addresses(p)]


@dataclass
class Inputs:
    """The runs or cells that the command line names."""

    groups: list[tuple[Path, list[Path]]] = field(default_factory=list)
    cells: list[Path] = field(default_factory=list)


def find(paths: list[Path]) -> Inputs:
    """Find all runs and cells, before reading any."""
    out = Inputs()
    for path in paths:
        if not path.exists() and f"{results.LINES}#" not in path.name:
            raise LabError(f"{path}: no such folder or file")
        runs = groups_in(path) if path.is_dir() else []
        cells = [] if runs else cells_in(path)
        if not runs and not cells:
            raise LabError(f"{path} is neither a result of wlab run nor a cell, nor a folder of them")
        out.groups += runs
        out.cells += cells
    if out.groups and out.cells:
        raise LabError("runs cannot be compared with cells of a sweep, which keep no events")
    number = len(out.groups) or len(out.cells)
    if number > GROUPS_MAX:
        raise LabError(
            f"{number} results are more than {GROUPS_MAX}; name fewer, such as a folder of DIR/cells"
        )
    return out


def scenario_of(run: Run) -> dict[str, Any]:
    """A run's scenario with the digests of the files that it read."""
    raw = run.result.data.get("scenario")
    files = {name: str(digest)[:12] for name, digest in run.result.data.get("files", {}).items()}
    return {**(raw if isinstance(raw, dict) else {}), **({"files": files} if files else {})}
