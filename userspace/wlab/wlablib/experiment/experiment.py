# SPDX-License-Identifier: GPL-2.0
"""Reads an experiment: one TOML file with the cells of a sweep, its tables and figures.

The format is in wlab-experiment(5). Checks that need the cells are in
cells.py.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from ..lib import toml
from ..lib.keys import Table, name, table_of, tables_of, text, texts, whole, yes_no
from ..lib.kinds import Kind, defaults
from ..lib.paths import WLAB, LabError
from ..lib.units import near
from .check import check
from .parts import (
    Derived,
    Experiment,
    Explain,
    Figure,
    Grid,
    Ordering,
    Own,
    Printed,
    Published,
    Quick,
    Rule,
    Table as TablePart,
    Trace,
)
from .words import (
    alternatives,
    axes,
    cells,
    confidence,
    identifier,
    item,
    items,
    metric,
    metrics,
    number,
    one_or_more_cells,
    quick_axes,
    some,
    tables,
    values,
    width,
)

EXPERIMENTS = WLAB / "experiments"
# The file that makes a folder of experiments a set: see sets.py.
SET = "set.toml"
SEEDS_MAX = 1000
# The item of grids, figures and tables that name none.
ITEM = "results"
WITHHELD = "withheld"


PRINTED = Table({"value": number, "half_width": width}, ("value",))
HEAD = Table(
    {"item": item, "cell": values},
    ("item", "cell"),
    more={"additionalProperties": {"anyOf": [{"enum": [WITHHELD]}, PRINTED.schema]}, "minProperties": 3},
)
QUICK = Table({"seeds": whole(1, SEEDS_MAX), "set": texts}, ("seeds",))


def printed(raw: object, where: str) -> Printed | None:
    """Parse { value, half_width }; None for "withheld"."""
    if raw == WITHHELD:
        return None
    return Printed(**PRINTED.read(raw, where))


def read_published(raw: object, where: str) -> Published:
    """Parse [[published]]; keys other than `item` and `cell` are metrics."""
    if not isinstance(raw, dict):
        raise LabError(f"{where}: not a table")
    figures = {k: v for k, v in raw.items() if k not in ("item", "cell")}
    head = {k: v for k, v in raw.items() if k not in figures}
    parsed = HEAD.read(head, where)
    if not figures:
        raise LabError(f"{where}: no metric, as in goodput_kbit = {{ value = 290.5 }}")
    return Published(**parsed, values={k: printed(v, f"{where}.{k}") for k, v in figures.items()})


KEYS: dict[str, tuple[type, dict[str, Kind[Any]], tuple[str, ...]]] = {
    "rule": (Rule, {"when": alternatives, "set": texts, "merge": tables}, ("when",)),
    "grid": (Grid, {"items": items, "cells": cells, "axes": axes, "quick": quick_axes}, ()),
    "derived": (
        Derived,
        {"item": item, "metric": name, "of": metric, "against": values},
        ("metric", "of", "against"),
    ),
    "figure": (
        Figure,
        {"item": item, "x": text, "y": some, "series": some, "log_x": yes_no, "log_y": yes_no, "title": text},
        ("x", "y"),
    ),
    "table": (
        TablePart,
        {"item": item, "rows": some, "columns": some, "metrics": some, "title": text},
        ("rows", "metrics"),
    ),
    "trace": (Trace, {"item": item, "seed": whole(0, (1 << 63) - 1), "title": text}, ()),
    "ordering": (
        Ordering,
        {
            "item": item,
            "text": text,
            "metric": text,
            "where": alternatives,
            "more": one_or_more_cells,
            "less": one_or_more_cells,
            "falls": text,
            "rises": text,
            "ratio": yes_no,
            "margin": width,
            "claim": text,
        },
        ("item", "text", "metric"),
    ),
    "metric": (Own, {"name": identifier, "file": text, "text": text}, ("name", "file")),
    "explain": (
        Explain,
        {"item": item, "text": text, "cells": cells, "metrics": some, "claims": some, "of": items},
        ("item", "text"),
    ),
}
# Defaults of the parts beyond those of their classes.
DEFAULTS: dict[str, dict[str, Any]] = {
    "grid": {"items": [ITEM], "cells": [{}]},
    **{key: {"item": ITEM} for key in ("derived", "figure", "table", "trace")},
}
PARTS = {
    key: Table(known, need, {**defaults(made), **DEFAULTS.get(key, {})})
    for key, (made, known, need) in KEYS.items()
}
# A file of rules that experiments share.
RULES = Table({"rule": tables_of(PARTS["rule"], least=1)}, ("rule",))
# An experiment file.
FILE = Table(
    {
        "name": name,
        "paper": name,
        "title": text,
        "scenario": name,
        "seeds": whole(1, SEEDS_MAX),
        "first_seed": whole(0, 1 << 40),
        "confidence": confidence,
        "metrics": metrics,
        "set": texts,
        "rules": name,
        "quick": table_of(QUICK),
        "published": tables_of(HEAD),
        **{key: tables_of(part, least=int(key == "grid")) for key, part in PARTS.items()},
    },
    ("name", "title", "scenario", "seeds", "confidence", "metrics", "grid"),
    {"first_seed": 1, "set": []},
)


def array(top: dict[str, Any], key: str) -> list[object]:
    """The list [[key]] of a file."""
    found = top.get(key, [])
    if not isinstance(found, list):
        raise LabError(f"{key}: write [[{key}]] with two brackets")
    return found


def read_all(top: dict[str, Any], key: str) -> list[Any]:
    """Parse every [[key]] into its class."""
    cls, part_defaults = KEYS[key][0], DEFAULTS.get(key, {})
    found = [PARTS[key].read(raw, f"{key}.{i}") for i, raw in enumerate(array(top, key))]
    return [cls(**{**part_defaults, **keys}) for keys in found]


def read_shared(path: Path) -> list[Rule]:
    """The rules of a file that experiments share."""
    try:
        top = RULES.read(toml.load(path), "")
        return [replace(rule, shared=f"{path.name}: ") for rule in read_all(top, "rule")]
    except LabError as e:
        raise LabError(f"rules: {str(e) if str(e).startswith(str(path)) else f'{path}: {e}'}") from None


def read_quick(raw: object, seeds: int) -> Quick | None:
    """Parse [quick], if present."""
    if raw is None:
        return None
    keys = QUICK.read(raw, "quick")
    if keys["seeds"] > seeds:
        raise LabError(f"quick.seeds: {keys['seeds']} is more than the {seeds} of a full run")
    return Quick(keys["seeds"], keys.get("set", []))


def read(raw: dict[str, Any], path: Path) -> Experiment:
    """Parse and check a file; a LabError names the wrong key."""
    top = {**FILE.defaults, **FILE.read(raw, "")}
    if top["name"] != path.stem:
        raise LabError(f"name: '{top['name']}' is not '{path.stem}', the name of the file")
    shared = read_shared(path.parent / "rules" / f"{top['rules']}.toml") if "rules" in top else []
    same_keys = ("name", "title", "scenario", "seeds", "confidence", "metrics")
    exp = Experiment(
        path=path,
        **{k: top[k] for k in same_keys},
        paper=top.get("paper", ""),
        first_seed=top["first_seed"],
        set=top["set"],
        quick=read_quick(top.get("quick"), top["seeds"]),
        rules=shared + read_all(top, "rule"),
        grids=read_all(top, "grid"),
        published=[read_published(r, f"published.{i}") for i, r in enumerate(array(top, "published"))],
        derived=read_all(top, "derived"),
        figures=read_all(top, "figure"),
        tables=read_all(top, "table"),
        traces=read_all(top, "trace"),
        orderings=read_all(top, "ordering"),
        explains=read_all(top, "explain"),
        own=read_all(top, "metric"),
    )
    check(exp)
    return exp


def files(folder: Path) -> list[Path]:
    """The files of all experiments in a folder."""
    found = sorted(path for path in folder.glob("*.toml") if path.name != SET)
    if not found:
        raise LabError(f"{folder} has no experiment")
    return found


def names() -> list[str]:
    """The names of the experiments that wlab contains."""
    return [path.stem for path in files(EXPERIMENTS)]


def load(name: str | Path) -> Experiment:
    """Load an experiment by its name, or by the path of its file."""
    path = Path(name)
    if path.suffix != ".toml":
        if str(name) not in names():
            raise LabError(f"no experiment '{name}'; {near(str(name), names())}")
        path = EXPERIMENTS / f"{name}.toml"
    raw = toml.load(path)
    try:
        return read(raw, path)
    except LabError as e:
        raise LabError(f"{path}: {e}") from None
