# SPDX-License-Identifier: GPL-2.0
"""The cells of an experiment, each with its scenario; all are checked before any is run."""

import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any

from ..analysis.metrics import Way, check_of
from ..lib import toml
from ..lib.faults import within
from ..lib.paths import LabError
from ..lib.units import near
from ..plan.plan import leg_of
from ..scenario import scenario
from ..scenario.files import Digests, Input, Origin, digests
from ..scenario.flows import Flow
from ..scenario.scenario import Scenario
from . import channels
from .functions import Functions, find as find_function
from .parts import Derived, Experiment, Grid, Rule
from .sets import Set, named
from .words import Value, Values, same

ID_MAX = 200
# Names of devices in a scenario's commands: see read_at() of scenario.py.
DEVICES = ("down", "up", "wired_down", "wired_up")
WORD = re.compile(r"\{([A-Za-z0-9_.-]+)\}")


@dataclass
class Cell:
    """A cell: one combination of an experiment's values."""

    experiment: Experiment
    values: Values
    items: list[str]
    raw: dict[str, Any]
    quick: bool
    seeds: list[int] = field(default_factory=list)
    # Where its files are; None if they are beside the scenario.
    origin: Origin | None = None
    # The files of the experiment's own metrics.
    functions: Functions = field(default_factory=dict)
    # By seed where each has a scenario of its own, of which `raw` is the first.
    raws: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return cell_id(self.values)

    def read(self, raw: dict[str, Any]) -> Scenario:
        origin = self.origin or Origin(folder_of(self.experiment))
        return scenario.read(copy.deepcopy(raw), origin)

    @cached_property
    def scenario(self) -> Scenario:
        return self.read(self.raw)

    @cached_property
    def scenarios(self) -> list[Scenario]:
        """One for each seed."""
        if not self.raws:
            return [self.scenario] * len(self.seeds)
        return [self.scenario, *(self.read(self.raws[str(seed)]) for seed in self.seeds[1:])]

    @property
    def read_files(self) -> list[Input]:
        """What the scenarios read."""
        return list({file.name: file for sc in self.scenarios for file in sc.inputs}.values())

    @property
    def files(self) -> Digests:
        return digests(self.read_files)

    def functions_sha256(self) -> dict[str, str]:
        return {name: one.digest for name, one in self.functions.items()}

    def inputs(self) -> list[Input]:
        """All files that its runs read."""
        return [*self.read_files, *self.functions.values()]

    def scenario_sha256(self) -> str:
        return digest(self.raw, self.raws, self.files)

    def summary(self) -> dict[str, Any]:
        """The keys that plan and result share."""
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
            **({"scenarios": self.raws} if self.raws else {}),
            **({"files": self.files} if self.files else {}),
            **({"functions": self.functions_sha256()} if self.functions else {}),
        }

    def as_json(self) -> dict[str, Any]:
        """What `wlab cells --json` prints."""
        return {
            **self.summary(),
            "files": self.files,
            "metrics": self.experiment.measured(),
            "seeds": self.seeds,
            "virtual_s": self.scenario.duration_ns / 1e9 * len(self.seeds),
            "scenario_sha256": self.scenario_sha256(),
        }


def digest(raw: dict[str, Any], raws: dict[str, dict[str, Any]], files: Digests) -> str:
    """The digest of a cell's scenario, or of those of all seeds, and of the files that they read."""
    return scenario.digest({"scenarios": raws} if raws else raw, files)


def spell(v: Value) -> str:
    """Print a value as a person writes it, without exponents."""
    if isinstance(v, bool):
        return "true" if v else "false"
    return format(Decimal(repr(v)), "f") if isinstance(v, float) else str(v)


def cell_id(cell_values: Values) -> str:
    """The id of a cell, which is the name of its result file."""
    return ",".join(f"{k}={spell(cell_values[k])}" for k in sorted(cell_values)) or "all"


def equal(a: Values, b: Values) -> bool:
    return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)


def points(grid: Grid, quick: bool) -> Iterator[Values]:
    """The cells of a grid: the product of its axes."""
    if quick and grid.quick is None:
        return
    axes = grid.quick_axes() if quick else grid.axes
    for base in grid.cells:
        for combination in product(*axes.values()):
            yield {**base, **dict(zip(axes, combination))}


def gather(exp: Experiment, quick: bool) -> dict[str, tuple[Values, list[str], int]]:
    """Values, items, number of seeds by id; a cell of two grids has the items of both and the more seeds."""
    least = exp.quick.seeds if quick and exp.quick else exp.seeds
    out: dict[str, tuple[Values, list[str], int]] = {}
    for grid in exp.grids:
        for values in points(grid, quick):
            name = cell_id(values)
            if len(name) > ID_MAX:
                raise LabError(f"{grid.place}: '{name}' is longer than {ID_MAX} characters")
            first_values, items, seeds = out.get(name, (values, [], least))
            if not equal(first_values, values):
                raise LabError(f"{grid.place}: {first_values} and {values} have the same name, '{name}'")
            more = [item for item in grid.items if item not in items]
            out[name] = first_values, [*items, *more], seeds if quick else max(seeds, grid.seeds)
    return out


def applies(rule: Rule, cell: Values) -> bool:
    return all(k in cell and any(same(cell[k], v) for v in vs) for k, vs in rule.when.items())


@dataclass
class Filler:
    """Puts a cell's values into the strings of rules, and records which values are used."""

    cell: Values
    used: set[str] = field(default_factory=set)
    unknown: set[tuple[str, str]] = field(default_factory=set)

    def text(self, where: str, template: str) -> str:
        """Replace {KEY} by the cell's value; other words may be devices or flows, and are checked later."""

        def replacement(found: re.Match[str]) -> str:
            if found[1] in self.cell:
                self.used.add(found[1])
                return spell(self.cell[found[1]])
            if found[1] not in DEVICES:
                self.unknown.add((where, found[1]))
            return found[0]

        return WORD.sub(replacement, template)

    def tree(self, where: str, node: Any) -> Any:
        """Replace in a tree of `merge`; a string that is only {KEY} becomes the value with its type."""
        if isinstance(node, dict):
            return {k: self.tree(f"{where}.{k}", v) for k, v in node.items()}
        if isinstance(node, list):
            return [self.tree(where, v) for v in node]
        if not isinstance(node, str):
            return node
        alone = WORD.fullmatch(node)
        if alone and alone[1] in self.cell:
            self.used.add(alone[1])
            return self.cell[alone[1]]
        return self.text(where, node)


def merge(into: dict[str, Any], tree: dict[str, Any]) -> None:
    """Merge a tree into a scenario: tables are merged, lists appended, other values replaced."""
    for key, v in tree.items():
        current = into.get(key)
        if isinstance(current, dict) and isinstance(v, dict):
            merge(current, v)
        elif isinstance(current, list) and isinstance(v, list):
            current += copy.deepcopy(v)
        else:
            into[key] = copy.deepcopy(v)


def expanded(setting: str) -> list[str]:
    """KEY{A,B}KEY=VALUE stands for a setting with each of them."""
    found = re.match(r"([^=]*)\{(\w+(?:,\w+)+)\}([^=]*=.*)$", setting)
    return [found[1] + word + found[3] for word in found[2].split(",")] if found else [setting]


def apply_settings(raw: dict[str, Any], where: str, settings: list[str]) -> None:
    """Apply a list of `set` options; errors name its place in the file."""
    for setting in (one for group in map(expanded, settings) for one in group):
        try:
            scenario.override(raw, setting)
        except LabError as e:
            raise LabError(f"{where}: {str(e).removeprefix('--set ')}") from None


def resolve(exp: Experiment, base: dict[str, Any], values: Values, quick: bool) -> dict[str, Any]:
    """The scenario of a cell, not yet checked."""
    raw = copy.deepcopy(base)
    fill = Filler(values)
    apply_settings(raw, "set", exp.set)
    for rule in exp.rules:
        if not applies(rule, values):
            continue
        where = rule.place
        fill.used |= rule.when.keys()
        apply_settings(raw, f"{where}.set", [fill.text(f"{where}.set", s) for s in rule.set])
        merge(raw, fill.tree(f"{where}.merge", rule.merge))
    if quick and exp.quick:
        apply_settings(raw, "quick.set", exp.quick.set)
    flows = [str(f.get("name")) for f in raw.get("flow", []) if isinstance(f, dict)]
    for where, word in sorted(fill.unknown):
        # `count` numbers the names of flows: see wlab-scenario(5).
        if not any(re.fullmatch(re.escape(flow) + r"\d*", word) for flow in flows):
            raise LabError(f"{where}: {{{word}}} is not a key of this cell; {near(word, list(values))}")
    for key, v in values.items():
        # false means that something is absent, so that no rule need use it.
        if key not in fill.used and v is not False:
            what = f"{key} = {spell(v)} has no effect"
            raise LabError(f"{what}: no rule for this cell has it in `when` or as {{{key}}}")
    return raw


def folder_of(exp: Experiment) -> Path:
    """Where the files are that scenarios of an experiment read."""
    return channels.folder_of(exp.channel) if exp.channel else exp.scenario_path().parent


def read_base(exp: Experiment, seed: int) -> dict[str, Any]:
    """Read the scenario that all cells start from, with this seed where each has its own."""
    with within("scenario: "):
        return channels.scenario(exp.channel, seed) if exp.channel else toml.load(exp.scenario_path())


def way_of(sc: scenario.Scenario, flow: Flow) -> Way:
    """What metrics need to know of a flow's way."""
    ways, air = leg_of(sc, flow)
    return Way(flow.dst, flow.kind, bool(ways), sc.links[air].kind == "wlink" if air in sc.links else False)


def check_metrics(metrics: list[str], sc: scenario.Scenario) -> None:
    """Check that metrics have the flows and links that they are of."""
    for name in metrics:
        with within(f"metrics: {name}: "):
            flows = {flow.name: way_of(sc, flow) for flow in sc.flows}
            check_of(name, flows, {way: link.kind for way, link in sc.links.items()})


def _expand(exp: Experiment, quick: bool) -> list[Cell]:
    base = cache(partial(read_base, exp))
    own_functions = {one.name: find_function(exp.path.parent, one.file, one.name) for one in exp.own}
    if quick and not exp.quick:
        raise LabError("quick: there is no [quick], which defines a quick run")
    out = []
    for name, (values, items, count) in gather(exp, quick).items():
        seeds = list(range(exp.first_seed, exp.first_seed + count))
        with within(f"cell {name}: "):
            own = {str(seed): resolve(exp, base(seed), values, quick) for seed in seeds if exp.channel}
            raw = own.get(str(seeds[0])) or resolve(exp, base(0), values, quick)
            cell = Cell(exp, values, items, raw, quick, seeds, functions=own_functions, raws=own)
            check_metrics(exp.metrics, cell.scenario)
        out.append(cell)
    return out


def check_mentioned(exp: Experiment, cells: list[Cell]) -> None:
    """Check what the file says about cells against all cells, since a quick run has only some of them."""
    for rule in exp.rules:
        if not rule.shared and not any(applies(rule, c.values) for c in cells):
            raise LabError(f"{rule.place}.when: no cell matches")
    ids = [c.id for c in cells]
    for pub in exp.published:
        _check_exists(f"{pub.place}.cell", pub.cell, ids)
    for why in exp.explains:
        for cell in why.cells:
            _check_exists(f"{why.place}.cells", cell, ids)


def _check_exists(where: str, cell_values: Values, ids: list[str]) -> None:
    if cell_id(cell_values) not in ids:
        raise LabError(f"{where}: no grid has {cell_id(cell_values)}; {near(cell_id(cell_values), ids)}")


def expand(exp: Experiment, quick: bool = False) -> list[Cell]:
    """All cells of an experiment in the order of its file, each with a checked scenario."""
    with within(f"{exp.path}: "):
        full = _expand(exp, False)
        check_mentioned(exp, full)
        return _expand(exp, True) if quick else full


def find(exp: Experiment, name: str, quick: bool = False) -> Cell:
    """Find a cell by its id."""
    cells = expand(exp, quick)
    for cell in cells:
        if cell.id == name:
            return cell
    if quick and any(c.id == name for c in expand(exp)):
        raise LabError(f"{exp.name}: the cell '{name}' is not part of a quick run")
    raise LabError(f"{exp.name}: no cell '{name}'; {near(name, [c.id for c in cells])}")


def partner(cell: Cell, against: Values, cells: list[Cell]) -> Cell | None:
    """The cell of the same page or experiment that differs only by these values.

    False also matches a cell without the key.
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
    """The derived metrics of a cell, each with the cell that it refers to."""
    out = []
    for derived in cell.experiment.derived:
        if derived.item not in cell.items:
            continue
        other = partner(cell, derived.against, cells)
        if other is None:
            wanted = {k: v for k, v in {**cell.values, **derived.against}.items() if v is not False}
            where = f"{cell.experiment.path}: {derived.place}"
            raise LabError(f"{where}: for {cell.id} there is no cell {cell_id(wanted)}")
        if other is not cell:
            out.append((derived, other))
    return out


def expand_all(names: Sequence[str | Experiment], quick: bool = False) -> list[Cell]:
    """The cells of experiments, named or read, or of a set; in a set every derived metric must have its
    other cell."""
    read = [exp for exp in names if isinstance(exp, Experiment)]
    loaded = read or named([name for name in names if isinstance(name, str)])
    experiments = loaded.experiments if isinstance(loaded, Set) else loaded
    out = [cell for exp in experiments for cell in expand(exp, quick)]
    if isinstance(loaded, Set):
        for cell in out:
            comparisons(cell, out)
    return out
