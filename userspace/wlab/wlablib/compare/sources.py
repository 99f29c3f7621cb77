# SPDX-License-Identifier: GPL-2.0
"""Finds and reads the results to compare, in groups of seeds."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..analysis import why
from ..analysis.occupancy import Steps
from ..analysis.plots.data import Result
from ..experiment import results
from ..lib.paths import LabError
from ..run import resultfile

# More curves than this cannot be distinguished.
GROUPS_MAX = 64
RUN = "result.json"
SERIES = "runs.json"


@dataclass
class Packets:
    """The data packets of a flow on its radio link, in the order of the log; times in ns."""

    arrival: list[int] = field(default_factory=list)
    deliver: list[int] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    drops: list[tuple[int, str]] = field(default_factory=list)

    def delays_s(self, from_ns: int = 0) -> list[float]:
        """Delays of packets that arrive from `from_ns` on, as in result.json."""
        return [(d - a) / 1e9 for a, d in zip(self.arrival, self.deliver) if a >= from_ns]

    def dropped(self, from_ns: int = 0) -> list[str]:
        """Reasons of drops from `from_ns` on, as counted in result.json."""
        return [reason for t, reason in self.drops if t >= from_ns]


@dataclass
class Run:
    """A run with the parts of its event log that plots need."""

    result: Result
    packets: dict[str, Packets]
    grants: list[tuple[int, int]]
    occupancy: dict[int, Steps]

    @property
    def end_ns(self) -> int:
        return round(self.result.end * 1e9)

    @property
    def warmup_ns(self) -> int:
        return round(float(self.result.data.get("warmup_s", 0)) * 1e9)

    @property
    def kind(self) -> str:
        """The kind of the radio link's qdisc; only a wlink records packets."""
        return str(self.result.data["links"][self.result.link].get("kind", "wlink"))


@dataclass
class Group:
    """Runs that are averaged: all seeds of one scenario."""

    path: Path
    runs: list[Run]
    label: str = ""


def read(folder: Path) -> Run:
    """Read a result folder, its event log once."""
    result = Result(folder)
    resultfile.events(folder)
    ways = {name: resultfile.link_of(flow) for name, flow in result.flows.items()}
    packets = {name: Packets() for name in ways}
    grants: list[tuple[int, int]] = []
    sdus: list[list[str]] = []
    for words in why.lines(folder, "grant"):
        link = words[why.LINK]
        if words[0] == "grant":
            if link == result.link:
                grants.append((int(words[1]), int(words[5])))
            continue
        if link == result.link:
            sdus.append(words)
        flow = words[why.FLOW]
        if words[why.WAY] == "forth" and words[why.PAYLOAD] != "0" and ways.get(flow) == link:
            add(packets[flow], words)
    return Run(result, packets, grants, result.occupancy_of(sdus))


def add(to: Packets, words: list[str]) -> None:
    """Add one SDU; packets that the link holds at the end are neither delivered nor dropped."""
    if words[why.DROP] == "none":
        to.arrival.append(int(words[why.ARRIVAL]))
        to.deliver.append(int(words[why.DELIVER]))
        to.bytes.append(int(words[8]))
    elif words[why.DROP] != "flush":
        to.drops.append((int(words[1]), words[why.DROP]))


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
