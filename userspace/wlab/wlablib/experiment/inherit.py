# SPDX-License-Identifier: GPL-2.0
"""What files of experiments say once: `base`, the experiment that one changes, and `each`, parts alike."""

from pathlib import Path
from typing import Any

from ..lib import toml
from ..lib.keys import Table, later
from ..lib.kinds import Kind, Schema
from ..lib.paths import LabError
from ..lib.units import near

BASE, EACH = "base", "each"


def over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """A table over another: tables of both key by key, else the value of the upper one."""
    both = {k for k in above if isinstance(above[k], dict) and isinstance(below.get(k), dict)}
    return {**below, **{k: over(below[k], v) if k in both else v for k, v in above.items()}}


def spread(raw: object, where: str) -> list[tuple[str, Any]]:
    """A part with its place; with `each` one for each table in that, over what they share."""
    if not isinstance(raw, dict) or EACH not in raw:
        return [(where, raw)]
    shared, each = {k: v for k, v in raw.items() if k != EACH}, raw[EACH]
    if not isinstance(each, list) or not each or not all(isinstance(one, dict) for one in each):
        raise LabError(f"{where}.{EACH}: not a list of one table or more")
    for i, one in enumerate(each):
        for key in (key for key in one if key in shared and over(shared, {key: one[key]}) == shared):
            raise LabError(f"{where}.{EACH}.{i}.{key}: what all have, {shared[key]!r}, once more")
    return [(f"{where}.{EACH}.{i}", over(shared, one)) for i, one in enumerate(each)]


def partial(schema: Any) -> Any:
    """A schema of what can lack any key."""
    if isinstance(schema, list):
        return [partial(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: partial(value) for key, value in schema.items() if key not in ("required", "minProperties")}


def parts_of(table: Table, least: int = 0) -> Kind[Any]:
    """[[key]], a part or, with `each`, several, which can replace what they share."""
    one: Schema = partial(table.schema)
    each: Schema = {"type": "array", "items": one, "minItems": 1}
    shared: Schema = {
        "type": "object",
        "properties": {**dict.fromkeys(one["properties"], {}), EACH: each},
        "additionalProperties": one["additionalProperties"] is not False,
        "required": [EACH],
    }
    return later({"type": "array", "items": {"anyOf": [table.schema, shared]}, "minItems": least})


def bases(raw: dict[str, Any], path: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The files that one is over, the lowest first, and itself."""
    chain = [(path, raw)]
    while BASE in chain[0][1]:
        below, at = chain[0][1][BASE], chain[0][0]
        known = [p.stem for p in sorted(path.parent.glob("*.toml"))]
        start = f"{at}: " if at != path else ""
        if below not in known:
            raise LabError(f"{start}{BASE}: no experiment {below!r} beside it; {near(str(below), known)}")
        if below in (p.stem for p, _ in chain):
            raise LabError(f"{start}{BASE}: '{below}' has this one for its own base")
        chain.insert(0, (found := path.with_name(f"{below}.toml"), toml.load(found)))
    return chain
