# SPDX-License-Identifier: GPL-2.0
"""Reads a result folder; what is broken in it is named by file and line."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..lib.paths import LabError

# What every result has that anything here asks of it.
SHAPE: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "seed": int,
    "ended_s": (int, float),
    "flows": dict,
    "links": dict,
    "event_sha256": (str, type(None)),
}


def result(folder: Path) -> dict[str, Any]:
    """What is in result.json."""
    path = folder / "result.json"
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        hint = ""
        if (folder / "runs.json").exists():
            hint = f"; it holds several, as {next(folder.glob('seed-*'), folder)}"
        raise LabError(f"{folder} has no result.json{hint}") from None
    except ValueError as e:
        raise LabError(f"{path} is broken, run it again: {e}") from None
    for key, kind in SHAPE.items():
        if not isinstance(found, dict) or not isinstance(found.get(key), kind):
            raise LabError(f"{path} is no result of this wlab, run it again: '{key}' is not as it must be")
    return dict(found)


def link_of(flow: dict[str, Any]) -> str:
    """The link that a flow's delays are of."""
    return str(flow.get("link") or f"radio.{flow['direction']}")


def events(folder: Path) -> Path:
    """The event log, if it is what the run has written."""
    path = folder / "events.tsv"
    said = result(folder)["event_sha256"]
    try:
        with path.open("rb") as f:
            digest = hashlib.file_digest(f, "sha256").hexdigest()
    except FileNotFoundError:
        raise LabError(f"{folder} has no events.tsv") from None
    if said is not None and digest != said:
        raise LabError(f"{path} is cut off or changed, run it again: its SHA-256 is not that of result.json")
    return path


def rows(path: Path, *kinds: Callable[[str], Any]) -> Iterator[list[Any]]:
    """A series, a list of values a line, words beyond the kinds as they are; none where there is no file."""
    if not path.exists():
        return
    with path.open(errors="replace") as f:
        for n, line in enumerate(f, 1):
            words = line.rstrip("\n").split("\t")
            try:
                if len(words) < len(kinds) or not line.endswith("\n"):
                    raise ValueError
                yield [kind(word) for kind, word in zip(kinds, words)] + words[len(kinds) :]
            except ValueError:
                raise LabError(f"{path}: line {n} is broken, run it again") from None
