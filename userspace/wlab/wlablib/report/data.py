# SPDX-License-Identifier: GPL-2.0
"""The results of a sweep: every cell of the experiments, measured or missing."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..experiment import cells, results, verify
from ..experiment.parts import Experiment
from ..experiment.sets import Page, Set
from ..experiment.words import Values, same
from ..lib.files import read_bytes
from ..lib.paths import LabError


@dataclass
class Slot:
    """A cell of an experiment with its result, or the reason why there is none."""

    plan: cells.Cell
    path: Path
    record: dict[str, Any] | None = None
    trouble: str = ""
    broken: bool = False

    @property
    def values(self) -> Values:
        return self.plan.values

    @property
    def id(self) -> str:
        return self.plan.id

    @property
    def exp(self) -> Experiment:
        return self.plan.experiment

    @property
    def sha(self) -> str:
        return str(self.record["sha256"]) if self.record else ""

    def value(self, metric: str) -> float | None:
        metric_record = self.record["metrics"].get(metric) if self.record else None
        return None if metric_record is None else metric_record["value"]

    def half(self, metric: str) -> float | None:
        metric_record = self.record["metrics"].get(metric) if self.record else None
        return None if metric_record is None else metric_record["half_width"]

    def by_seed(self, metric: str) -> dict[int, float]:
        """The metric's value for each seed."""
        if self.record is None or metric not in self.record["values"]:
            return {}
        pairs = zip(self.record["seeds"], self.record["values"][metric])
        return {seed: v for seed, v in pairs if v is not None}

    def deterministic(self) -> bool:
        """Whether several seeds all gave the same events, so that nothing is random."""
        hashes = list(self.record["event_sha256"].values()) if self.record else []
        return len(hashes) > 1 and len(set(hashes)) == 1

    def outdated(self) -> bool:
        """Whether the experiment's scenario or own metrics have changed since the measurement."""
        if self.record is None:
            return False
        functions = self.record.get("functions", {}), self.plan.functions_sha256()
        return bool(
            functions[0] != functions[1] or self.record["scenario_sha256"] != self.plan.scenario_sha256()
        )


Found = dict[str, tuple[Path, results.Result | LabError]]


def check(slot: Slot, record: results.Result) -> None:
    """Check that a result is consistent, unedited and of this cell."""
    if results.signature(record) != record["sha256"]:
        raise LabError(f"{slot.path}: edited by hand: sha256 is not that of the rest")
    if wrong := verify.contradictions(record):
        raise LabError(f"{slot.path}: {wrong[0]}")
    if (record["experiment"], record["id"]) != (slot.exp.name, slot.id):
        raise LabError(f"{slot.path}: of another cell: {record['experiment']}, {record['id']}")


def load_slot(plan: cells.Cell, out: Path, found: Found) -> Slot:
    """The slot of a cell, with the result found or with the text of ID.error."""
    path = out / "cells" / plan.experiment.name / f"{plan.id}.json"
    error = path.with_name(f"{plan.id}.error")
    if plan.id not in found:
        why = f"{error} is empty" if error.exists() else "not run yet"
        error_text = read_bytes(error).decode(errors="replace").strip() if error.exists() else ""
        return Slot(plan, path, trouble=error_text or why)
    address, result = found[plan.id]
    slot = Slot(plan, address)
    try:
        if isinstance(result, LabError):
            raise result
        check(slot, result)
        slot.record = result
    except LabError as e:
        slot.trouble, slot.broken = str(e), True
    return slot


def matches(values: Values, wanted: dict[str, Any]) -> bool:
    """Whether the values match, each one value or one of a list; false matches a missing key."""
    lists = {k: v if isinstance(v, list) else [v] for k, v in wanted.items()}
    return all(any(same(values.get(k, False), v) for v in those) for k, those in lists.items())


@dataclass
class Study:
    """All slots, in the order of the experiments' files.

    With a set, a page has all experiments that name it; without one, each experiment has a page.
    again: the command that writes them, where it is not sweep and report.
    """

    out: Path
    slots: list[Slot] = field(default_factory=list)
    set: Set | None = None
    again: str = ""

    def __post_init__(self) -> None:
        self._at = {(s.exp.name, s.id): s for s in self.slots}
        self._of_page: dict[str, list[Slot]] = {}
        for slot in self.slots:
            self._of_page.setdefault(self.page(slot.exp), []).append(slot)

    def page(self, exp: Experiment) -> str:
        return exp.group if self.set else exp.name

    def experiments(self, page: str | None = None) -> list[Experiment]:
        by_name = {s.exp.name: s.exp for s in self.slots if page in (None, self.page(s.exp))}
        return list(by_name.values())

    def pages(self) -> list[str]:
        return list(self._of_page)

    def about(self, page: str) -> Page:
        """The page in the set; without a set, a page with the experiment's title."""
        known = {p.name: p for p in self.set.pages} if self.set else {}
        return known.get(page) or Page(page, self.experiments(page)[0].title)

    def of(self, exp: Experiment, item: str | None = None) -> list[Slot]:
        return [s for s in self.slots if s.exp is exp and (item is None or item in s.plan.items)]

    def having(self, page: str, items: Iterable[str], **wanted: Any) -> list[Slot]:
        """The slots of these items of a page that match these values."""
        any_of, slots = set(items), self._of_page.get(page, [])
        return [s for s in slots if not any_of.isdisjoint(s.plan.items) and matches(s.values, wanted)]

    def partner(self, slot: Slot, against: Values, items: Iterable[str] = ()) -> Slot | None:
        """The slot of the same group, or of items of its page, that differs only by these values."""
        among = self.having(self.page(slot.exp), items) if items else self.slots
        found = cells.partner(slot.plan, against, [s.plan for s in among])
        return self._at[found.experiment.name, found.id] if found else None

    def holes(self) -> list[Slot]:
        return [s for s in self.slots if s.record is None]


def all_quick(found: Found) -> bool:
    """Whether all readable results of an experiment are of a quick run."""
    flags = [result["quick"] for _, result in found.values() if isinstance(result, dict)]
    return bool(flags) and all(flags)


def command_line(command: str, out: Path, files: list[Path]) -> str:
    """The command line of a command for these files."""
    return shlex.join(["wlab", command, *map(str, files), "--out", str(out)])


def load(out: Path, selected: Set | list[Experiment], quick: bool | None = None) -> Study:
    """Load the results of a set or of experiments; quick: expect a quick run's cells (None: as they are)."""
    set_, experiments = (selected, selected.experiments) if isinstance(selected, Set) else (None, selected)
    if not (out / "cells").is_dir():
        files = set_.words if set_ else [exp.path for exp in experiments]
        raise LabError(f"{out} has no cells; type: {command_line('sweep', out, files)}")
    found = {exp.name: results.every(out, exp.name) for exp in experiments}
    for exp in [] if set_ else experiments:
        if not found[exp.name] and not any((out / "cells" / exp.name).glob("*.error")):
            raise LabError(f"{out} has no cell of {exp.name}; type: {command_line('sweep', out, [exp.path])}")
    quick_by_name = {name: all_quick(have) for name, have in found.items() if have}
    # What has no result yet is awaited as the rest is.
    rest = bool(quick_by_name) and all(quick_by_name.values())
    slots = []
    for exp in experiments:
        # What has no quick set is awaited as a whole.
        is_quick = quick if quick is not None else bool(exp.quick) and quick_by_name.get(exp.name, rest)
        slots += [load_slot(plan, out, found[exp.name]) for plan in cells.expand(exp, is_quick)]
    return Study(out, slots, set_)
