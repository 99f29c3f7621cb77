# SPDX-License-Identifier: GPL-2.0
"""Reads a result folder; errors name file and line."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..lib.faults import within
from ..lib.files import parse_json, read_bytes, read_lines
from ..lib.paths import LabError
from ..lib.units import BadValue

# Keys that every result has, with their types.
SHAPE: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "seed": int,
    "ended_s": (int, float),
    "flows": dict,
    "links": dict,
    "event_sha256": (str, type(None)),
}


def result(folder: Path) -> dict[str, Any]:
    """Read result.json."""
    path = folder / "result.json"
    if not path.exists():
        hint = ""
        if (folder / "runs.json").exists():
            hint = f"; it holds several results, such as {next(folder.glob('seed-*'), folder)}"
        raise LabError(f"{folder} has no result.json{hint}")
    with within(f"{path} is damaged, run the scenario again: ", BadValue):
        found = parse_json(read_bytes(path))
    for key, kind in SHAPE.items():
        if not isinstance(found, dict) or not isinstance(found.get(key), kind):
            raise LabError(
                f"{path} is not a result of this wlab, run the scenario again: '{key}' is missing or wrong"
            )
    return dict(found)


def spins(data: dict[str, Any]) -> list[str]:
    """A line about a program that would have stopped virtual time."""
    if not (name := data.get("spins")):
        return []
    return [
        f"{'clock':<14} {name} looks at it without waiting: from the 10,000th look on each took 10us;"
        " set clock.price = '10us'"
    ]


def seed_folders(folder: Path) -> list[Path]:
    """The result folders of a series of seeds, by seed; the folder itself if it is no series."""
    if not (folder / "runs.json").exists():
        return [folder]
    found = [p for p in folder.glob("seed-*") if p.name[5:].isdigit()]
    return sorted(found, key=lambda p: int(p.name[5:]))


def link_of(flow: dict[str, Any]) -> str:
    """The link on which a flow's delays are measured."""
    return str(flow.get("link") or f"radio.{flow['direction']}")


def events(folder: Path) -> Path:
    """The path of the event log, after checking its digest."""
    return unchanged(folder, "events.tsv", result(folder)["event_sha256"])


def series(folder: Path, data: dict[str, Any], name: str) -> Path:
    """The path of a series of a result, after checking its digest; there is none of what has not been."""
    known = data.get("series_sha256", {})
    path = folder / "series" / f"{name}.tsv"
    return unchanged(folder, f"series/{name}.tsv", known[name]) if name in known else path


def unchanged(folder: Path, name: str, expected: str | None) -> Path:
    """The path of a file of a result, after checking its digest."""
    path = folder / name
    if not path.exists():
        raise LabError(f"{folder} has no {name}")
    if not path.is_file():
        raise LabError(f"{path} is no regular file")
    with path.open("rb") as f:
        digest = hashlib.file_digest(f, "sha256").hexdigest()
    if expected is not None and digest != expected:
        raise LabError(
            f"{path} is truncated or changed, run the scenario again: its SHA-256 differs from result.json's"
        )
    return path


def rows(path: Path, *kinds: Callable[[str], Any]) -> Iterator[list[Any]]:
    """The rows of a series, its first columns parsed by `kinds`; none for a missing file."""
    if not path.exists():
        return
    for n, raw in enumerate(read_lines(path), 1):
        line = raw.decode(errors="replace")
        words = line.rstrip("\n").split("\t")
        try:
            if len(words) < len(kinds) or not line.endswith("\n"):
                raise ValueError
            yield [kind(word) for kind, word in zip(kinds, words)] + words[len(kinds) :]
        except ValueError:
            raise LabError(f"{path}: line {n} is damaged, run the scenario again") from None
