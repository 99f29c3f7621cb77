# SPDX-License-Identifier: GPL-2.0
"""wlink's virtual-time lab for Python: what the command wlab does, with frames of pandas.

    >>> import wlab
    >>> scenario = wlab.load("demo.toml", ["duration=60s"])
    >>> result = wlab.run(scenario, seed=3, out="mine")
    >>> sdus = result.events["sdu"]
    >>> down = sdus[(sdus["link"] == "radio.down") & (sdus["drop"] == "none")]
    >>> delay_ms = (down["deliver"] - down["arrival"]) / 1e6
    >>> bool(delay_ms.min() > 20)
    True

All times are in ns from the start of the run. Every fault of a file or a run raises a
LabError with the text that the command would print. wlab(1) describes results,
wlab-scenario(5) and wlab-experiment(5) the files.
"""

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from wlablib.analysis import frames, recorded, resultfile
from wlablib.analysis.interval import gain, half_width, student
from wlablib.experiment import results as kept, sets
from wlablib.experiment.schema import schema
from wlablib.experiment.sweep.sweep import sweep as run_sweep
from wlablib.experiment.words import Values
from wlablib.lib import toml
from wlablib.lib.paths import RESULTS, LabError
from wlablib.lib.units import BadValue
from wlablib.link import link as links
from wlablib.report.claims import Agrees, Evidence, Gap
from wlablib.report.data import Slot
from wlablib.report.entries import Entry, paired
from wlablib.report.words import cell_text, number
from wlablib.run import run as runs
from wlablib.scenario import scenario as scenarios
from wlablib.scenario.files import Origin
from wlablib.scenario.scenario import Scenario

if TYPE_CHECKING:
    # Debian's pandas has no types.
    from pandas import DataFrame  # type: ignore[import]

__all__ = [
    "LabError", "Link", "LinkResult", "Result", "Results", "Scenario", "link", "load", "open", "parse", "run",
    "schema", "sweep",
]  # fmt: skip
# What the claims of a set are written with.
__all__ += ["Agrees", "Entry", "Evidence", "Gap", "Slot", "Values", "cell_text", "gain", "half_width"]
__all__ += ["number", "paired", "student"]

Name = str | os.PathLike[str]


class Result:
    """A result folder; its parts are read when they are used.

    >>> result = wlab.open("first")
    >>> print(result)  # doctest: +ELLIPSIS
    demo, seed 3, events ...
    flow              kbit/s   mean ms    p95 ms  retrans       bytes
    flow1...
    """

    def __init__(self, folder: Name) -> None:
        self.folder = Path(folder)
        if self.folder.is_file():
            # It goes with the object.
            self._temporary = TemporaryDirectory(prefix="wlab-recorded.")
            self.folder = recorded.convert(self.folder, Path(self._temporary.name))
        #: The contents of result.json.
        self.summary: dict[str, Any] = resultfile.result(self.folder)

    def __str__(self) -> str:
        """What `wlab run` prints."""
        from wlablib.cli.main import table

        return table(self.summary)

    def __repr__(self) -> str:
        return f"wlab.open({str(self.folder)!r})"

    @property
    def hash(self) -> str | None:
        """The SHA-256 of all events: runs with the same hash are equal; None without events.

        >>> again = wlab.run(wlab.load("demo.toml", ["duration=60s"]), seed=3, out="again")
        >>> again.hash == wlab.open("first").hash
        True
        """
        digest: str | None = self.summary["event_sha256"]
        return digest

    @cached_property
    def events(self) -> "dict[str, DataFrame]":
        """The event log: a frame for each kind of event: sdu, rate, channel, grant, play, tcp.

        >>> wlab.open("first").events["tcp"].columns[:4].to_list()
        ['t', 'flow', 'cwnd', 'ssthresh']
        """
        return frames.events(self.folder)

    @cached_property
    def series(self) -> "dict[str, DataFrame]":
        """The series by name, such as FLOW.cwnd, FLOW.seq and LINK.buffer.

        >>> wlab.open("first").series["radio.down.buffer"].columns.to_list()
        ['t', 'sdus', 'bytes']
        """
        return frames.series(self.folder)

    @cached_property
    def flows(self) -> "DataFrame":
        """A row for each flow, and for the programs of each user and direction.

        >>> wlab.open("first").flows[["kind", "retransmissions"]].index.to_list()
        ['flow1', 'flow2']
        """
        return frames.figures(frames.flow_figures(self.folder, self.summary))

    @cached_property
    def links(self) -> "DataFrame":
        """A row for each link, with the statistics of its qdisc in xstats.*.

        >>> links = wlab.open("first").links
        >>> bool(links.loc["radio.down", "xstats.sdus_in"] > 0)
        True
        """
        return frames.figures(self.summary["links"])


class Results:
    """The cells in a sweep's folder or in kept results, of all experiments or of one."""

    def __init__(self, folder: Name, experiment: str = "*") -> None:
        self.folder = Path(folder)
        #: The result file of each cell, which `wlab verify` can check.
        cells = self.folder / "cells"
        files = [*cells.glob(f"{experiment}/*.json"), *cells.glob(f"{experiment}{kept.LINES}")]
        self.records = [kept.read(one) for p in sorted(files) for one in kept.addresses(p)]
        if not self.records:
            raise LabError(f"{self.folder} has no cell of a sweep")

    @cached_property
    def cells(self) -> "DataFrame":
        """A row for each cell: its values, and mean and half width of each metric."""
        return frames.cells(self.records)

    @cached_property
    def runs(self) -> "DataFrame":
        """A row for each run: the values of its cell, its seed, its metrics."""
        return frames.runs(self.records)


def load(path: Name, settings: Sequence[str] = ()) -> Scenario:
    """Load a scenario file, changed by settings as by `wlab run --set`.

    >>> wlab.load("demo.toml", ["radio.down.wlink.profile=sbd-3g"]).name
    'demo'
    >>> wlab.load("demo.toml", ["durations=5s"])
    Traceback (most recent call last):
    wlablib.lib.paths.LabError: demo.toml: durations: unknown key; did you mean 'duration'?
    """
    return scenarios.load(Path(path), list(settings))


def parse(text: str, folder: Name | None = None) -> Scenario:
    """Parse a scenario from a string; the files that it reads are relative to `folder`.

    >>> scenario = wlab.parse('''
    ... name = "short"
    ... duration = "5s"
    ... [radio]
    ... wlink = "rate 1mbit delay 20ms limit 40"
    ... [[flow]]
    ... name = "download"
    ... kind = "tcp"
    ... ''')
    >>> [flow.name for flow in scenario.flows]
    ['download']
    """
    try:
        raw = toml.loads(text)
    except BadValue as e:
        raise LabError(str(e)) from None
    return scenarios.read(raw, None if folder is None else Origin(Path(folder)))


def run(
    scenario: Scenario | Name,
    seed: int | None = None,
    out: Name | None = None,
    *,
    force: bool = False,
    timeout: float | None = None,
    on: str = "lab",
) -> Result:
    """Run a scenario or a scenario file as `wlab run` does, in the place `on`.

    Seed and folder have the command's defaults. force replaces an existing result; timeout is
    in seconds of wall time without progress.

    >>> wlab.run("demo.toml", out="first")
    Traceback (most recent call last):
    wlablib.lib.paths.LabError: first holds a result; --force replaces it, --out DIR keeps both
    """
    sc = scenario if isinstance(scenario, Scenario) else load(scenario)
    seeds = [sc.seed if seed is None else seed]
    return Result(runs.run(sc, seeds, None if out is None else Path(out), timeout, force=force, on=on)[1])


class LinkResult(Result):
    """The result of a command behind a link: `down` and `up` have throughput_bps, loss and delay."""

    def __init__(self, folder: Name) -> None:
        super().__init__(folder)
        found = links.ways(self.folder)
        #: The link to the command, and the one from it.
        self.down, self.up = found["down"], found["up"]
        #: What the command has printed.
        self.output = links.output(self.folder)


class Link:
    """A link for one command after the other."""

    def __init__(self, words: links.Link, out: Path | None = None) -> None:
        self.words, self.out = words, out

    def run(
        self, command: Sequence[str], *, server: str = "", files: Sequence[str] = (), seed: int = 1,
        longest: str = "600s", on: str = "lab",
    ) -> LinkResult:  # fmt: skip
        """Run a command behind it; a server is a line for sh on the other side, at $SERVER."""
        sc = links.build(self.words, command, server, files, longest)
        return LinkResult(links.run(sc, seed, self.out, force=True, on=on))


def link(preset: str = "", *, down: str = "", up: str = "", trace: str = "", out: Name | None = None) -> Link:
    """A link as `wlab link` has it; each run replaces the result in `out`.

    >>> behind = wlab.link(down="rate 1mbit tti 0 delay 20ms limit 40")
    >>> result = behind.run(["sh", "-c", "echo hello"])
    >>> result.output
    'hello\\n'
    >>> result.down.delay.why
    'no packet with payload'
    """
    return Link(links.of(preset, down, up, trace), None if out is None else Path(out))


def open(folder: Name) -> Result:
    """Open the result of an earlier run, or a log of `wlinkctl record`.

    >>> wlab.open("first").summary["seed"]
    3
    """
    return Result(folder)


def sweep(
    experiment: Name, out: Name | None = None, *, quick: bool = False, jobs: int | None = None
) -> Results:
    """Run all cells of an experiment that are missing or out of date, as `wlab sweep` does.

    The experiment is a file, a set.toml, or the name of one of the papers' experiments; jobs is
    the number of parallel cells, by default one for each processor.
    """
    at = Path(out) if out is not None else RESULTS / "papers"
    run_sweep([os.fspath(experiment)], quick, jobs, at)
    have = sets.named([os.fspath(experiment)])
    return Results(at, have[0].name if isinstance(have, list) else "*")
