# SPDX-License-Identifier: GPL-2.0
"""Labels of results, from the differences of their scenarios."""

from collections import Counter
from pathlib import Path
from typing import Any

from ..scenario.link import QDISCS

# With more differences than this the labels are names of folders.
KEYS_MAX = 4
VALUE_MAX = 32
Flat = dict[str, str]


def text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def flatten(value: Any, where: str = "") -> Flat:
    """Flatten a scenario by the keys of --set; a wlink's arguments become keys of their own."""
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
    """Keys whose values differ, with the value of each scenario, None if it lacks the key."""
    keys = dict.fromkeys(k for flat in flats for k in flat)
    columns = {k: [flat.get(k) for flat in flats] for k in keys}
    return {k: values for k, values in columns.items() if len({*values}) > 1}


def short_names(columns: dict[str, list[str | None]]) -> dict[str, list[str | None]]:
    """Shorten keys to their last parts where these are unique; drop keys with equal values."""
    last = {k: k.rpartition(".")[2] for k in columns}
    out: dict[str, list[str | None]] = {}
    for key, values in columns.items():
        others = [columns[k] for k in columns if last[k] == last[key]]
        out[last[key] if all(o == values for o in others) else key] = values
    return out


def cut(value: str) -> str:
    return value if len(value) <= VALUE_MAX else value[: VALUE_MAX - 1] + "…"


def label_text(columns: dict[str, list[str | None]], which: int) -> str:
    """A label such as 'congestion=bbr, profile not set'."""
    values = {k: v[which] for k, v in columns.items()}
    return ", ".join(f"{k} not set" if v is None else f"{k}={cut(v)}" for k, v in values.items())


def append_to_duplicates(labels: list[str], more: list[str]) -> list[str]:
    """Append words to labels that are not unique."""
    many = Counter(labels)
    return [f"{a}, {b}" if many[a] > 1 and b and a else a or b for a, b in zip(labels, more)]


def names_of(paths: list[Path]) -> list[str]:
    """The last part of each path, or the path if that is not unique."""
    many = Counter(p.name for p in {*paths})
    return [p.name if p.name and many[p.name] == 1 else str(p) for p in paths]


def labels(flats: list[Flat], seeds: list[str], paths: list[Path]) -> list[str]:
    """A unique label for each result; `seeds` has the seed of groups with one run."""
    found = short_names(differing([{k: v for k, v in f.items() if k != "seed"} for f in flats]))
    named = found.pop("name", None)
    names = names_of(paths)
    if len(found) > KEYS_MAX or (named and not found):
        out = names
    else:
        out = [label_text(found, i) for i in range(len(flats))]
    if len({*seeds}) > 1 and len({*out}) < len(out):
        out = append_to_duplicates(out, [f"seed={s}" if s else "" for s in seeds])
    if len({*out}) < len(out) or not all(out):
        out = append_to_duplicates(out, names)
    if len({*out}) < len(out):
        out = append_to_duplicates(out, [f"number {i}" for i in range(1, len(out) + 1)])
    return out
