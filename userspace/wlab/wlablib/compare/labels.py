# SPDX-License-Identifier: GPL-2.0
"""Names for results, by what differs between them."""

from collections import Counter
from pathlib import Path
from typing import Any

from ..scenario.link import QDISCS

# More differences than this are no name.
KEYS_MAX = 4
VALUE_MAX = 32
Flat = dict[str, str]


def text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def flatten(value: Any, where: str = "") -> Flat:
    """By the keys that --set takes; the words of a wlink one by one, too."""
    dot = f"{where}." if where else ""
    if isinstance(value, dict):
        parts = [flatten(v, f"{dot}{k}") for k, v in value.items()]
        return {k: v for part in parts for k, v in part.items()}
    if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        parts = [flatten(v, f"{dot}{v.get('name', i)}") for i, v in enumerate(value)]
        return {k: v for part in parts for k, v in part.items()}
    if isinstance(value, str) and where.rpartition(".")[2] in QDISCS:
        words = value.split()
        names = words[::2]
        if len(words) % 2 == 0 and len({*names}) == len(names):
            return {f"{dot}{name}": word for name, word in zip(names, words[1::2])}
    return {where: text(value)}


def differing(flats: list[Flat]) -> dict[str, list[str | None]]:
    """Keys whose values are not all the same, with a value for each, None where it has none."""
    keys = dict.fromkeys(k for flat in flats for k in flat)
    columns = {k: [flat.get(k) for flat in flats] for k in keys}
    return {k: values for k, values in columns.items() if len({*values}) > 1}


def short_names(columns: dict[str, list[str | None]]) -> dict[str, list[str | None]]:
    """By the last parts of keys where these are clear; keys with the same values stand once."""
    last = {k: k.rpartition(".")[2] for k in columns}
    out: dict[str, list[str | None]] = {}
    for key, values in columns.items():
        others = [columns[k] for k in columns if last[k] == last[key]]
        out[last[key] if all(o == values for o in others) else key] = values
    return out


def cut(value: str) -> str:
    return value if len(value) <= VALUE_MAX else value[: VALUE_MAX - 1] + "…"


def said(columns: dict[str, list[str | None]], which: int) -> str:
    """As 'congestion=bbr, profile not set'."""
    values = {k: v[which] for k, v in columns.items()}
    return ", ".join(f"{k} not set" if v is None else f"{k}={cut(v)}" for k, v in values.items())


def apart(labels: list[str], more: list[str]) -> list[str]:
    """More words for those that are the same."""
    many = Counter(labels)
    return [f"{a}, {b}" if many[a] > 1 and b and a else a or b for a, b in zip(labels, more)]


def names_of(paths: list[Path]) -> list[str]:
    """The last part of each path, or all of it where that is not clear."""
    many = Counter(p.name for p in {*paths})
    return [p.name if p.name and many[p.name] == 1 else str(p) for p in paths]


def labels(flats: list[Flat], seeds: list[str], paths: list[Path]) -> list[str]:
    """A name for each that no other has; seeds are of those with one seed."""
    found = short_names(differing([{k: v for k, v in f.items() if k != "seed"} for f in flats]))
    named = found.pop("name", None)
    names = names_of(paths)
    if len(found) > KEYS_MAX or (named and not found):
        out = names
    else:
        out = [said(found, i) for i in range(len(flats))]
    if len({*seeds}) > 1 and len({*out}) < len(out):
        out = apart(out, [f"seed={s}" if s else "" for s in seeds])
    if len({*out}) < len(out) or not all(out):
        out = apart(out, names)
    if len({*out}) < len(out):
        out = apart(out, [f"number {i}" for i in range(1, len(out) + 1)])
    return out
