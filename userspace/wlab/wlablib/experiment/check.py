# SPDX-License-Identifier: GPL-2.0
"""What one part of an experiment says of another."""

from collections.abc import Iterable
from itertools import chain

from ..analysis.metrics import METRICS
from ..lib.paths import LabError
from ..lib.units import near
from . import functions
from .parts import Experiment, Grid, Ordering
from .words import same


def check(exp: Experiment) -> None:
    """What one part of a file says of another."""
    if not exp.grids:
        raise LabError("grid: none; an experiment has one or more")
    for i, grid in enumerate(exp.grids):
        check_grid(grid, f"grid.{i}")
        if exp.quick is None and grid.quick != {}:
            raise LabError(f"grid.{i}.quick: there is no [quick], which has the seeds of a quick run")
    check_own(exp)
    for i, one in enumerate(exp.derived):
        if one.of not in exp.metrics:
            raise LabError(f"derived.{i}.of: '{one.of}' is not measured; {near(one.of, exp.metrics)}")
        if one.metric in METRICS or one.metric in exp.measured():
            raise LabError(f"derived.{i}.metric: '{one.metric}' is the name of a measured metric")
    keys = list(dict.fromkeys(k for g in exp.grids for k in [*chain(*g.cells), *g.axes]))
    known = exp.all_metrics()
    quick = {item for grid in exp.grids if grid.quick is not None for item in grid.items}
    for item_ in exp.items():
        if item_ not in quick:
            raise LabError(f"grid: every grid of '{item_}' has quick = false; a quick run must have it, too")
    for i, fig in enumerate(exp.figures):
        among(f"figure.{i}.x", [fig.x], [*keys, *known], "a key of the cells or a metric")
        among(f"figure.{i}.y", fig.y, known, "a metric of this experiment")
        among(f"figure.{i}.series", fig.series, keys, "a key of the cells")
    for i, tab in enumerate(exp.tables):
        among(f"table.{i}.rows", tab.rows, keys, "a key of the cells")
        among(f"table.{i}.columns", tab.columns, keys, "a key of the cells")
        among(f"table.{i}.metrics", tab.metrics, known, "a metric of this experiment")
    for i, pub in enumerate(exp.published):
        among(f"published.{i}", pub.values, known, "a metric of this experiment")
    for i, order in enumerate(exp.orderings):
        check_ordering(order, f"ordering.{i}", keys, exp.measured())
    for i, why in enumerate(exp.explains):
        among(f"explain.{i}.metrics", why.metrics, known, "a metric of this experiment")
    for kind in ("published", "derived", "figures", "tables", "traces", "orderings", "explains"):
        for i, one in enumerate(getattr(exp, kind)):
            among(f"{kind.removesuffix('s')}.{i}.item", [one.item], exp.items(), "an item of a grid")


def check_own(exp: Experiment) -> None:
    """Each is in its file, and has a name of its own."""
    for i, one in enumerate(exp.own):
        where = f"metric.{i}"
        if one.name in METRICS:
            raise LabError(f"{where}.name: the lab has a metric '{one.name}'")
        if exp.measured().count(one.name) > 1:
            raise LabError(f"{where}.name: '{one.name}' comes twice")
        try:
            functions.find(exp.path.parent, one.file, one.name)
        except LabError as e:
            raise LabError(f"{where}.{e}") from None


def check_ordering(order: Ordering, where: str, keys: list[str], measured: list[str]) -> None:
    """One of three forms."""
    among(f"{where}.metric", [order.metric], measured, "measured")
    ways = [bool(order.more and order.less), bool(order.falls), bool(order.rises)]
    if sum(ways) != 1 or bool(order.more) != bool(order.less):
        raise LabError(f"{where}: it has either more and less, or falls, or rises")
    along = [word for word in (order.falls, order.rises) if word]
    among(where, [*order.where, *order.more, *order.less, *along], keys, "a key of the cells")


def among(where: str, words: Iterable[str], known: list[str], what: str) -> None:
    for word in words:
        if word not in known:
            raise LabError(f"{where}: '{word}' is not {what}; {near(word, known)}")


def check_grid(grid: Grid, where: str) -> None:
    """Axes and cells have different keys, and quick axes are a part of the axes."""
    for cell in grid.cells:
        for key in cell:
            if key in grid.axes:
                raise LabError(f"{where}.axes.{key}: the cells have it, too")
    for key, few in (grid.quick or {}).items():
        among(f"{where}.quick", [key], list(grid.axes), "an axis")
        for v in few:
            if not any(same(v, w) for w in grid.axes[key]):
                raise LabError(f"{where}.quick.{key}: {v!r} is not in axes.{key}")
