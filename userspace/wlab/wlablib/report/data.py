# SPDX-License-Identifier: GPL-2.0
"""What a sweep has left: every cell that an experiment has, measured or a hole."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..experiment import cells, results, verify
from ..experiment.parts import Experiment
from ..experiment.sets import Page, Set
from ..experiment.words import Values, same
from ..lib.paths import LabError


@dataclass
class Slot:
    """A cell of an experiment: its result and the address of that, or why there is none."""

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
        have = self.record["metrics"].get(metric) if self.record else None
        return None if have is None else have["value"]

    def half(self, metric: str) -> float | None:
        have = self.record["metrics"].get(metric) if self.record else None
        return None if have is None else have["half_width"]

    def by_seed(self, metric: str) -> dict[int, float]:
        """What each seed gave."""
        if self.record is None or metric not in self.record["values"]:
            return {}
        pairs = zip(self.record["seeds"], self.record["values"][metric])
        return {seed: v for seed, v in pairs if v is not None}

    def one_run(self) -> bool:
        """Whether all of several seeds gave the same events, so that nothing in it is random."""
        hashes = list(self.record["event_sha256"].values()) if self.record else []
        return len(hashes) > 1 and len(set(hashes)) == 1

    def old(self) -> bool:
        """Whether it was measured with another scenario than the experiment has now, or another function."""
        if self.record is None:
            return False
        own = self.record.get("functions", {}), self.plan.functions_sha256()
        return bool(own[0] != own[1] or self.record["scenario_sha256"] != self.plan.scenario_sha256())


Found = dict[str, tuple[Path, results.Result | LabError]]


def check(slot: Slot, record: results.Result) -> None:
    """Whole, unchanged and of this cell."""
    if results.signature(record) != record["sha256"]:
        raise LabError(f"{slot.path}: edited by hand: sha256 is not that of the rest")
    if wrong := verify.inside(record):
        raise LabError(f"{slot.path}: {wrong[0]}")
    if (record["experiment"], record["id"]) != (slot.exp.name, slot.id):
        raise LabError(f"{slot.path}: of another cell: {record['experiment']}, {record['id']}")


def load_slot(plan: cells.Cell, out: Path, found: Found) -> Slot:
    """With the result that was found, or what the ID.error in its place says."""
    path = out / "cells" / plan.experiment.name / f"{plan.id}.json"
    error = path.with_name(f"{plan.id}.error")
    if plan.id not in found:
        why = f"{error} is empty" if error.exists() else "not run yet"
        said = error.read_text(errors="replace").strip() if error.exists() else ""
        return Slot(plan, path, trouble=said or why)
    address, one = found[plan.id]
    slot = Slot(plan, address)
    try:
        if isinstance(one, LabError):
            raise one
        check(slot, one)
        slot.record = one
    except LabError as e:
        slot.trouble, slot.broken = str(e), True
    return slot


def matches(values: Values, wanted: Values) -> bool:
    """false is as good as not there."""
    return all(same(values.get(k, False), v) for k, v in wanted.items())


@dataclass
class Study:
    """All slots, in the order of the experiments' files.

    A page is of all experiments of a set that name it, or of one: of each where there is no set.
    """

    out: Path
    slots: list[Slot] = field(default_factory=list)
    set: Set | None = None

    def __post_init__(self) -> None:
        self._at = {(s.exp.name, s.id): s for s in self.slots}

    def page(self, exp: Experiment) -> str:
        return exp.group if self.set else exp.name

    def experiments(self, page: str | None = None) -> list[Experiment]:
        have = {s.exp.name: s.exp for s in self.slots if page in (None, self.page(s.exp))}
        return list(have.values())

    def pages(self) -> list[str]:
        return list(dict.fromkeys(self.page(s.exp) for s in self.slots))

    def about(self, page: str) -> Page:
        """What the set says of it; that of an experiment has its title."""
        known = {p.name: p for p in self.set.pages} if self.set else {}
        return known.get(page) or Page(page, self.experiments(page)[0].title)

    def of(self, exp: Experiment, item: str | None = None) -> list[Slot]:
        return [s for s in self.slots if s.exp is exp and (item is None or item in s.plan.items)]

    def having(self, page: str, items: Iterable[str], **wanted: Any) -> list[Slot]:
        """Slots of these items of a page with these values."""
        any_of = set(items)
        return [
            s
            for s in self.slots
            if self.page(s.exp) == page and any_of & set(s.plan.items) and matches(s.values, wanted)
        ]

    def partner(self, slot: Slot, against: Values, items: Iterable[str] = ()) -> Slot | None:
        """The slot of the same group, or of items of its page, that differs by these values only."""
        among = self.having(self.page(slot.exp), items) if items else self.slots
        found = cells.partner(slot.plan, against, [s.plan for s in among])
        return self._at[found.experiment.name, found.id] if found else None

    def holes(self) -> list[Slot]:
        return [s for s in self.slots if s.record is None]


def quick_ones(found: Found) -> bool:
    """Whether the results of an experiment are those of a quick run: all that can be read say so."""
    have = [one["quick"] for _, one in found.values() if isinstance(one, dict)]
    return bool(have) and all(have)


def again(command: str, out: Path, files: list[Path]) -> str:
    """How to call a command for these."""
    return shlex.join(["wlab", command, *map(str, files), "--out", str(out)])


def load(out: Path, what: Set | list[Experiment], quick: bool | None = None) -> Study:
    """A set, or each alone; quick: whether the cells of a quick run are awaited (None: as results say)."""
    of, experiments = (what, what.experiments) if isinstance(what, Set) else (None, what)
    if not (out / "cells").is_dir():
        files = of.words if of else [exp.path for exp in experiments]
        raise LabError(f"{out} has no cells; type: {again('sweep', out, files)}")
    found = {exp.name: results.every(out, exp.name) for exp in experiments}
    for exp in [] if of else experiments:
        if not found[exp.name] and not any((out / "cells" / exp.name).glob("*.error")):
            raise LabError(f"{out} has no cell of {exp.name}; type: {again('sweep', out, [exp.path])}")
    ones = {name: quick_ones(have) for name, have in found.items() if have}
    # What has no result yet is awaited as the rest is.
    rest = bool(ones) and all(ones.values())
    slots = []
    for exp in experiments:
        # What has no quick set is awaited as a whole.
        few = quick if quick is not None else bool(exp.quick) and ones.get(exp.name, rest)
        slots += [load_slot(plan, out, found[exp.name]) for plan in cells.expand(exp, few)]
    return Study(out, slots, of)
