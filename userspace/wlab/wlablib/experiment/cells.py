# SPDX-License-Identifier: GPL-2.0
"""From an experiment to its cells: one resolved scenario each, all judged before any is run."""

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Any

from ..analysis.metrics import check_of
from ..lib import toml
from ..lib.paths import LabError
from ..lib.units import near
from ..scenario import scenario
from ..scenario.files import Digests, Input, Origin, digests
from .functions import Functions, find as find_function
from .parts import Derived, Experiment, Grid, Rule
from .sets import Set, named
from .words import Value, Values, same

ID_MAX = 200
# These stay in a scenario's commands: see read_at() of scenario.py.
DEVICES = ("down", "up", "wired_down", "wired_up")
WORD = re.compile(r"\{([A-Za-z0-9_.-]+)\}")


@dataclass
class Cell:
    """One point of an experiment."""

    experiment: Experiment
    values: Values
    items: list[str]
    raw: dict[str, Any]
    quick: bool
    seeds: list[int] = field(default_factory=list)
    # Of its files; None where they are beside the scenario.
    origin: Origin | None = None
    # Metrics of one's own: the files that have them.
    functions: Functions = field(default_factory=dict)

    @property
    def id(self) -> str:
        return cell_id(self.values)

    @cached_property
    def scenario(self) -> scenario.Scenario:
        origin = self.origin or Origin(self.experiment.scenario_path().parent)
        return scenario.read(copy.deepcopy(self.raw), origin)

    @property
    def files(self) -> Digests:
        return digests(self.scenario.inputs)

    def functions_sha256(self) -> dict[str, str]:
        return {name: one.digest for name, one in self.functions.items()}

    def inputs(self) -> list[Input]:
        """All files that a run of it reads."""
        return [*self.scenario.inputs, *self.functions.values()]

    def scenario_sha256(self) -> str:
        return self.scenario.digest()

    def summary(self) -> dict[str, Any]:
        """What plan and result have of it."""
        return {
            "experiment": self.experiment.name,
            "paper": self.experiment.paper,
            "title": self.experiment.title,
            "id": self.id,
            "cell": self.values,
            "items": self.items,
            "confidence": self.experiment.confidence,
            "quick": self.quick,
            "scenario": self.raw,
            **({"files": self.files} if self.files else {}),
            **({"functions": self.functions_sha256()} if self.functions else {}),
        }

    def as_json(self) -> dict[str, Any]:
        """For programs that make a plan of it."""
        return {
            **self.summary(),
            "files": self.files,
            "metrics": self.experiment.measured(),
            "seeds": self.seeds,
            "virtual_s": self.scenario.duration_ns / 1e9 * len(self.seeds),
            "scenario_sha256": self.scenario_sha256(),
        }


def spell(v: Value) -> str:
    """As a person writes it: no exponent, no capitals of Python."""
    if isinstance(v, bool):
        return "true" if v else "false"
    return format(Decimal(repr(v)), "f") if isinstance(v, float) else str(v)


def cell_id(cell: Values) -> str:
    """The name of its result file."""
    return ",".join(f"{k}={spell(cell[k])}" for k in sorted(cell)) or "all"


def equal(a: Values, b: Values) -> bool:
    return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)


def points(grid: Grid, quick: bool) -> Iterator[Values]:
    """The product of a grid."""
    if quick and grid.quick is None:
        return
    axes = grid.quick_axes() if quick else grid.axes
    for cell in grid.cells:
        for combination in product(*axes.values()):
            yield {**cell, **dict(zip(axes, combination))}


def gather(exp: Experiment, quick: bool) -> dict[str, tuple[Values, list[str]]]:
    """Values and items by id; what comes in two grids is one cell of both's items."""
    out: dict[str, tuple[Values, list[str]]] = {}
    for i, grid in enumerate(exp.grids):
        for values in points(grid, quick):
            name = cell_id(values)
            if len(name) > ID_MAX:
                raise LabError(f"grid.{i}: '{name}' is longer than {ID_MAX} characters")
            have, items = out.setdefault(name, (values, []))
            if not equal(have, values):
                raise LabError(f"grid.{i}: {have} and {values} have the same name, '{name}'")
            items += [item for item in grid.items if item not in items]
    return out


def applies(rule: Rule, cell: Values) -> bool:
    return all(k in cell and any(same(cell[k], v) for v in vs) for k, vs in rule.when.items())


@dataclass
class Filler:
    """Puts a cell's values into a rule's texts, and notes which it has used."""

    cell: Values
    used: set[str] = field(default_factory=set)
    left: set[tuple[str, str]] = field(default_factory=set)

    def text(self, where: str, template: str) -> str:
        """What is no key of the cell may be a device or a flow, which is seen later."""

        def one(found: re.Match[str]) -> str:
            if found[1] in self.cell:
                self.used.add(found[1])
                return spell(self.cell[found[1]])
            if found[1] not in DEVICES:
                self.left.add((where, found[1]))
            return found[0]

        return WORD.sub(one, template)

    def tree(self, where: str, what: Any) -> Any:
        """Of `merge`; a text that is but one {key} becomes the value itself."""
        if isinstance(what, dict):
            return {k: self.tree(f"{where}.{k}", v) for k, v in what.items()}
        if isinstance(what, list):
            return [self.tree(where, v) for v in what]
        if not isinstance(what, str):
            return what
        alone = WORD.fullmatch(what)
        if alone and alone[1] in self.cell:
            self.used.add(alone[1])
            return self.cell[alone[1]]
        return self.text(where, what)


def merge(into: dict[str, Any], what: dict[str, Any]) -> None:
    """Tables are merged, lists appended, all else replaced."""
    for key, v in what.items():
        have = into.get(key)
        if isinstance(have, dict) and isinstance(v, dict):
            merge(have, v)
        elif isinstance(have, list) and isinstance(v, list):
            have += copy.deepcopy(v)
        else:
            into[key] = copy.deepcopy(v)


def settle(raw: dict[str, Any], where: str, settings: list[str]) -> None:
    """`set` of any place of the file."""
    for setting in settings:
        try:
            scenario.override(raw, setting)
        except LabError as e:
            raise LabError(f"{where}: {str(e).removeprefix('--set ')}") from None


def resolve(exp: Experiment, base: dict[str, Any], values: Values, quick: bool) -> dict[str, Any]:
    """The scenario of a cell, not judged yet."""
    raw = copy.deepcopy(base)
    fill = Filler(values)
    settle(raw, "set", exp.set)
    for i, rule in enumerate(exp.rules):
        if not applies(rule, values):
            continue
        where = f"rule.{i}"
        fill.used |= rule.when.keys()
        settle(raw, f"{where}.set", [fill.text(f"{where}.set", s) for s in rule.set])
        merge(raw, fill.tree(f"{where}.merge", rule.merge))
    if quick and exp.quick:
        settle(raw, "quick.set", exp.quick.set)
    flows = [str(f.get("name")) for f in raw.get("flow", []) if isinstance(f, dict)]
    for where, word in sorted(fill.left):
        # Numbered flows are called after theirs: see `count` in wlab(1).
        if not any(re.fullmatch(re.escape(flow) + r"\d*", word) for flow in flows):
            raise LabError(f"{where}: {{{word}}} is no value of this cell; {near(word, list(values))}")
    for key, v in values.items():
        # false says that something is not there, so that nothing need be done.
        if key not in fill.used and v is not False:
            what = f"{key} = {spell(v)} does nothing"
            raise LabError(f"{what}: no rule for this cell has it in `when` or as {{{key}}}")
    return raw


def read_base(exp: Experiment) -> dict[str, Any]:
    """The scenario that all cells start from."""
    try:
        return toml.load(exp.scenario_path())
    except LabError as e:
        raise LabError(f"scenario: {e}") from None


def check_metrics(metrics: list[str], sc: scenario.Scenario) -> None:
    """What a metric is of must be there before anything is run."""
    for name in metrics:
        try:
            check_of(name, {flow.name: flow.dst for flow in sc.flows}, list(sc.links))
        except LabError as e:
            raise LabError(f"metrics: {name}: {e}") from None


def _expand(exp: Experiment, quick: bool) -> list[Cell]:
    base = read_base(exp)
    own = {one.name: find_function(exp.path.parent, one.file, one.name) for one in exp.own}
    if quick and not exp.quick:
        raise LabError("quick: there is no [quick], which says what is less in a quick run")
    count = exp.quick.seeds if quick and exp.quick else exp.seeds
    seeds = list(range(exp.first_seed, exp.first_seed + count))
    out = []
    for name, (values, items) in gather(exp, quick).items():
        try:
            raw = resolve(exp, base, values, quick)
            cell = Cell(exp, values, items, raw, quick, seeds, functions=own)
            check_metrics(exp.metrics, cell.scenario)
        except LabError as e:
            raise LabError(f"cell {name}: {e}") from None
        out.append(cell)
    return out


def check_mentioned(exp: Experiment, cells: list[Cell]) -> None:
    """What a file says of its cells, of all of them: slips that a quick run would not show."""
    for i, rule in enumerate(exp.rules):
        if not any(applies(rule, c.values) for c in cells):
            raise LabError(f"rule.{i}.when: no cell is like this")
    ids = [c.id for c in cells]
    for i, pub in enumerate(exp.published):
        _there(f"published.{i}.cell", pub.cell, ids)
    for i, why in enumerate(exp.explains):
        for cell in why.cells:
            _there(f"explain.{i}.cells", cell, ids)


def _there(where: str, cell: Values, ids: list[str]) -> None:
    if cell_id(cell) not in ids:
        raise LabError(f"{where}: no grid has {cell_id(cell)}; {near(cell_id(cell), ids)}")


def expand(exp: Experiment, quick: bool = False) -> list[Cell]:
    """All cells of an experiment, in the order of its file, each with a scenario that is in order."""
    try:
        whole = _expand(exp, False)
        check_mentioned(exp, whole)
        return _expand(exp, True) if quick else whole
    except LabError as e:
        raise LabError(f"{exp.path}: {e}") from None


def find(exp: Experiment, name: str, quick: bool = False) -> Cell:
    """One cell by its id."""
    cells = expand(exp, quick)
    for cell in cells:
        if cell.id == name:
            return cell
    if quick and any(c.id == name for c in expand(exp)):
        raise LabError(f"{exp.name}: the cell '{name}' is none of a quick run")
    raise LabError(f"{exp.name}: no cell '{name}'; {near(name, [c.id for c in cells])}")


def partner(cell: Cell, against: Values, cells: list[Cell]) -> Cell | None:
    """The cell of the same page or experiment that is as this one but for these values.

    False matches a cell that has not the key, too.
    """
    wanted = {**cell.values, **against}
    for other in cells:
        keys = wanted.keys() | other.values.keys()
        if other.experiment.group == cell.experiment.group and all(
            same(wanted.get(k, False), other.values.get(k, False)) for k in keys
        ):
            return other
    return None


def comparisons(cell: Cell, cells: list[Cell]) -> list[tuple[Derived, Cell]]:
    """The derived metrics of a cell, each with the cell it is compared with."""
    out = []
    for i, one in enumerate(cell.experiment.derived):
        if one.item not in cell.items:
            continue
        other = partner(cell, one.against, cells)
        if other is None:
            wanted = {k: v for k, v in {**cell.values, **one.against}.items() if v is not False}
            where = f"{cell.experiment.path}: derived.{i}"
            raise LabError(f"{where}: for {cell.id} there is no cell {cell_id(wanted)}")
        if other is not cell:
            out.append((one, other))
    return out


def expand_all(what: list[str], quick: bool = False) -> list[Cell]:
    """The cells of these experiments or of a set, in which every derived metric must have its other cell."""
    have = named(what)
    exps = have.experiments if isinstance(have, Set) else have
    out = [cell for exp in exps for cell in expand(exp, quick)]
    if isinstance(have, Set):
        for cell in out:
            comparisons(cell, out)
    return out
