# SPDX-License-Identifier: GPL-2.0
"""Checks the references between the parts of an experiment's file."""

from collections.abc import Iterable
from itertools import chain

from ..analysis.metrics import METRICS
from ..lib.faults import within
from ..lib.paths import LabError
from ..lib.units import near
from . import functions
from .parts import Experiment, Grid, Ordering
from .words import same


def check(exp: Experiment) -> None:
    """Check the references between the parts of a file."""
    if not exp.grids:
        raise LabError("grid: an experiment needs at least one")
    if not exp.measured():
        raise LabError("metrics: not a list of one metric or more, nor is there a [[metric]]")
    for grid in exp.grids:
        check_grid(grid)
        if exp.quick is None and grid.quick != {}:
            raise LabError(f"{grid.place}.quick: it needs [quick] with the seeds of a quick run")
        if grid.seeds and grid.seeds <= exp.seeds:
            raise LabError(f"{grid.place}.seeds: {grid.seeds} is not more than the {exp.seeds} of every cell")
    check_own(exp)
    for part in exp.derived:
        if part.of not in exp.metrics:
            raise LabError(f"{part.place}.of: '{part.of}' is not measured; {near(part.of, exp.metrics)}")
        if part.metric in METRICS or part.metric in exp.measured():
            raise LabError(f"{part.place}.metric: '{part.metric}' is the name of a measured metric")
    keys = exp.keys()
    known = exp.all_metrics()
    quick = {item for grid in exp.grids if grid.quick is not None for item in grid.items}
    for item_ in exp.items():
        if item_ not in quick:
            raise LabError(
                f"grid: every grid of '{item_}' has quick = false, but a quick run needs each item"
            )
    for figure in exp.figures:
        among(f"{figure.place}.x", [figure.x], [*keys, *known], "a key of the cells or a metric")
        among(f"{figure.place}.y", figure.y, known, "a metric of this experiment")
        among(f"{figure.place}.series", figure.series, keys, "a key of the cells")
    for table in exp.tables:
        among(f"{table.place}.rows", table.rows, keys, "a key of the cells")
        among(f"{table.place}.columns", table.columns, keys, "a key of the cells")
        among(f"{table.place}.metrics", table.metrics, known, "a metric of this experiment")
    for published in exp.published:
        among(published.place, published.values, known, "a metric of this experiment")
    for order in exp.orderings:
        check_ordering(order, keys, exp.measured())
        if not exp.paper:
            check_compared(order, order.place, keys)
    for explain in exp.explains:
        among(f"{explain.place}.metrics", explain.metrics, known, "a metric of this experiment")
    for kind in ("published", "derived", "figures", "tables", "traces", "orderings", "explains"):
        for shown in getattr(exp, kind):
            among(f"{shown.place}.item", [shown.item], exp.items(), "an item of a grid")


def check_own(exp: Experiment) -> None:
    """Check that own metrics exist in their files and have unique names."""
    for own in exp.own:
        where = own.place
        if own.name in METRICS:
            raise LabError(f"{where}.name: '{own.name}' is the name of a built-in metric")
        if exp.measured().count(own.name) > 1:
            raise LabError(f"{where}.name: '{own.name}' is defined twice")
        with within(f"{where}."):
            functions.find(exp.path.parent, own.file, own.name)


def check_ordering(order: Ordering, keys: list[str], measured: list[str]) -> None:
    """Check that an ordering has cells to compare, or one key along which to go, or both."""
    where = order.place
    among(f"{where}.metric", [order.metric], measured, "measured")
    along = [word for word in (order.falls, order.rises) if word]
    if bool(order.more) != bool(order.less) or len(along) > 1 or not (order.more or along):
        raise LabError(f"{where}: it has more and less, and falls or rises, or one of both")
    if len(order.more) != len(order.less):
        raise LabError(f"{where}: it has {len(order.more)} in more and {len(order.less)} in less")
    among(where, [*order.where, *along], keys, "a key of the cells")


def check_compared(order: Ordering, where: str, keys: list[str]) -> None:
    """Check the cells of an ordering, which may be any of its page."""
    among(where, chain(*order.more, *order.less), keys, "a key of the cells")


def among(where: str, words: Iterable[str], known: list[str], what: str) -> None:
    for word in words:
        if word not in known:
            raise LabError(f"{where}: '{word}' is not {what}; {near(word, known)}")


def check_grid(grid: Grid) -> None:
    """Check that axes and cells have different keys, and that quick axes are parts of the axes."""
    for cell in grid.cells:
        for key in cell:
            if key in grid.axes:
                raise LabError(f"{grid.place}.axes.{key}: the cells have the same key")
    for key, quick_values in (grid.quick or {}).items():
        among(f"{grid.place}.quick", [key], list(grid.axes), "an axis")
        for v in quick_values:
            if not any(same(v, w) for w in grid.axes[key]):
                raise LabError(f"{grid.place}.quick.{key}: {v!r} is not in axes.{key}")
