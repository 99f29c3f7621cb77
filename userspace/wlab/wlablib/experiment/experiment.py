# SPDX-License-Identifier: GPL-2.0
"""Reads an experiment: one TOML file with the cells of a sweep, its tables and figures.

The format is in wlab-experiment(5). Checks that need the cells are in
cells.py.
"""

from pathlib import Path
from typing import Any

from ..lib import toml
from ..lib.faults import within
from ..lib.keys import Table, name, table_of, texts, whole
from ..lib.kinds import keys_of
from ..lib.paths import ROOT, LabError
from ..lib.units import near
from . import parts as of_file
from .check import check
from .inherit import BASE, bases, over, parts_of, spread
from .parts import SEEDS_MAX, Experiment, Part, Printed, Published, Quick, Rule

EXPERIMENTS = ROOT / "userspace" / "papers"
# The file that makes a folder of experiments a set: see sets.py.
SET = "set.toml"
# The item of grids, figures and tables that name none.
ITEM = "results"
WITHHELD = "withheld"


PRINTED = Table.of(Printed)
HEAD = Table.of(
    Published, {"additionalProperties": {"anyOf": [{"enum": [WITHHELD]}, PRINTED.schema]}, "minProperties": 3}
)
QUICK = Table({"seeds": whole(1, SEEDS_MAX), "set": texts}, ("seeds",))


def printed(raw: object, where: str) -> Printed | None:
    """Parse { value, half_width }; None for "withheld"."""
    if raw == WITHHELD:
        return None
    return Printed(**PRINTED.read(raw, where))


def read_published(where: str, raw: object) -> Published:
    """Parse [[published]]; keys other than `item` and `cell` are metrics."""
    if not isinstance(raw, dict):
        raise LabError(f"{where}: not a table")
    figures = {k: v for k, v in raw.items() if k not in ("item", "cell")}
    head = {k: v for k, v in raw.items() if k not in figures}
    parsed = HEAD.read(head, where)
    if not figures:
        raise LabError(f"{where}: no metric, as in goodput_kbit = {{ value = 290.5 }}")
    found = {k: printed(v, f"{where}.{k}") for k, v in figures.items()}
    return Published(**parsed, values=found, place=where)


KEYS: dict[str, type[Part]] = {
    "rule": Rule,
    "grid": of_file.Grid,
    "derived": of_file.Derived,
    "figure": of_file.Figure,
    "table": of_file.Table,
    "trace": of_file.Trace,
    "ordering": of_file.Ordering,
    "metric": of_file.Own,
    "explain": of_file.Explain,
}
# What an Experiment calls the parts that are read alike.
FIELDS = {key: {"metric": "own", "derived": key}.get(key, f"{key}s") for key in KEYS if key != "rule"}
# Defaults of the parts beyond those of their classes.
DEFAULTS: dict[str, dict[str, Any]] = {
    "grid": {"items": [ITEM], "cells": [{}]},
    **{key: {"item": ITEM} for key in ("derived", "figure", "table", "trace")},
}
PARTS = {key: Table.of(made, **DEFAULTS.get(key, {})) for key, made in KEYS.items()}
# A file of rules that experiments share.
RULES = Table({"rule": parts_of(PARTS["rule"], least=1)}, ("rule",))
NEED = ("name", "title", "scenario", "seeds", "confidence", "metrics", "grid")
# An experiment file; with a base it needs a name.
FILE = Table(
    {
        **Table.of(Experiment).keys,
        BASE: name,
        "rules": name,
        "quick": table_of(Table(QUICK.keys)),
        "published": parts_of(HEAD),
        **{key: parts_of(part, least=int(key == "grid")) for key, part in PARTS.items()},
    },
    ("name",),
    {"first_seed": 1, "set": []},
    {"anyOf": [{"required": [BASE]}, {"required": list(NEED), "properties": {"quick": QUICK.schema}}]},
)


def array(top: dict[str, Any], key: str) -> list[object]:
    """The list [[key]] of a file."""
    found = top.get(key, [])
    if not isinstance(found, list):
        raise LabError(f"{key}: write [[{key}]] with two brackets")
    return found


def places(top: dict[str, Any], key: str, file: str = "") -> list[tuple[str, Any]]:
    """Every part of [[key]] with its place in the file, of which another one is named."""
    listed = [spread(raw, f"{file}{key}.{i}") for i, raw in enumerate(array(top, key))]
    return [place for part in listed for place in part]


def read_all(top: dict[str, Any], key: str, file: str = "") -> list[Any]:
    """Parse every [[key]] into its class."""
    part_defaults = DEFAULTS.get(key, {})
    found = [(where, PARTS[key].read(raw, where)) for where, raw in places(top, key, file)]
    return [KEYS[key](**{**part_defaults, **keys}, place=where) for where, keys in found]


def read_rules(top: dict[str, Any], file: str) -> list[Rule]:
    """The rules of a file that experiments share."""
    found: list[Rule] = read_all(top, "rule", file)
    for rule in found:
        rule.shared = bool(file)
    return found


def read_shared(path: Path) -> list[Rule]:
    """The rules of a file in the folder `rules`."""
    try:
        top = toml.load(path)
        RULES.read(top, "")
        return read_rules(top, f"{path.name}: ")
    except LabError as e:
        said = str(e).removeprefix(f"{path.name}: ")
        raise LabError(f"rules: {said if said.startswith(str(path)) else f'{path}: {said}'}") from None


def read_quick(raw: object, seeds: int) -> Quick | None:
    """Parse [quick], if present."""
    if raw is None:
        return None
    keys = QUICK.read(raw, "quick")
    if keys["seeds"] > seeds:
        raise LabError(f"quick.seeds: {keys['seeds']} is more than the {seeds} of a full run")
    return Quick(keys["seeds"], keys.get("set", []))


def read_over(raw: dict[str, Any], path: Path, files: dict[str, str]) -> Experiment:
    """Parse and check a file over its bases; `files` names that of each list which is from one of them."""
    top = {**FILE.defaults, **Table(FILE.keys, NEED).read(raw, "")}
    if top["name"] != path.stem:
        raise LabError(f"name: '{top['name']}' is not '{path.stem}', the name of the file")
    shared = read_shared(path.parent / "rules" / f"{top['rules']}.toml") if "rules" in top else []
    parts: dict[str, Any] = {at: read_all(top, key, files.get(key, "")) for key, at in FIELDS.items()}
    exp = Experiment(
        path=path,
        **{key: top.get(key, "") for key in keys_of(Experiment)},
        quick=read_quick(top.get("quick"), top["seeds"]),
        rules=shared + read_rules(top, files.get("rule", "")),
        published=[read_published(*p) for p in places(top, "published", files.get("published", ""))],
        **parts,
    )
    check(exp)
    return exp


def read(raw: dict[str, Any], path: Path) -> Experiment:
    """Parse and check a file, each of its bases first; a LabError names the wrong key."""
    top: dict[str, Any] = {}
    files: dict[str, str] = {}
    for at, found in bases(raw, path):
        own = {k: v for k, v in found.items() if k != BASE}
        for key in (k for k in own if BASE in found and own[k] == [] and k in ("published", *KEYS)):
            if not top.get(key):
                raise LabError(f"{key}: an empty list, where {found[BASE]} has none, either")
        top, files = over(top, own), {k: of for k, of in files.items() if k not in own}
        try:
            exp = read_over(top, at, files)
        except LabError as e:
            raise e if at == path else LabError(f"{BASE}: {at}: {e}") from None
        files |= dict.fromkeys(own, f"{at.name}: ")
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
    with within(f"{path}: "):
        return read(raw, path)
