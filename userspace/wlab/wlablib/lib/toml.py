# SPDX-License-Identifier: GPL-2.0
"""Reads TOML with bounds, and writes it, which Python's library does not."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from .paths import LabError
from .units import BadValue

DEPTH_MAX = 30
INT_MAX = 10**1000


def check_bounds(table: Any) -> None:
    """What is nested deeper, or has numbers that are longer, than anybody here can work with."""
    level = [table]
    for _ in range(DEPTH_MAX):
        inner: list[Any] = []
        for one in level:
            inner += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
            if isinstance(one, int) and abs(one) > INT_MAX:
                raise BadValue("a number of more than 1000 digits")
        level = inner
    if level:
        raise BadValue(f"tables and lists nested more than {DEPTH_MAX} deep")


def loads(text: str) -> dict[str, Any]:
    """All that is wrong with a text is a BadValue."""
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise BadValue(f"tables and lists nested more than {DEPTH_MAX} deep") from None
    except ValueError as e:
        raise BadValue(str(e)) from None
    check_bounds(found)
    return found


def load(path: Path) -> dict[str, Any]:
    """A file; all that is wrong with it is a LabError."""
    try:
        return loads(path.read_text())
    except OSError as e:
        raise LabError(f"{path}: {e.strerror}") from None
    except ValueError as e:
        raise LabError(f"{path}: {e}") from None


def key(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else text(word)


def text(word: str) -> str:
    """JSON's escapes are TOML's, but for one character that TOML wants escaped, too."""
    return json.dumps(word, ensure_ascii=False).replace("\x7f", "\\u007f")


def value(what: Any) -> str:
    """In one line."""
    if isinstance(what, dict):
        return "{ " + ", ".join(f"{key(k)} = {value(v)}" for k, v in what.items()) + " }"
    if isinstance(what, list):
        return "[" + ", ".join(value(v) for v in what) + "]"
    if isinstance(what, bool):
        return "true" if what else "false"
    return text(what) if isinstance(what, str) else repr(what)


def tables(what: Any) -> bool:
    """Whether it is written as [[...]]."""
    return isinstance(what, list) and bool(what) and all(isinstance(v, dict) for v in what)


def lines(table: dict[str, Any], above: str) -> list[str]:
    out = []
    parts = {k: v for k, v in table.items() if isinstance(v, dict) or tables(v)}
    out += [f"{key(k)} = {value(v)}" for k, v in table.items() if k not in parts]
    for k, part in parts.items():
        where = f"{above}{key(k)}"
        for one in [part] if isinstance(part, dict) else part:
            head = f"[{where}]" if isinstance(part, dict) else f"[[{where}]]"
            out += ["", head, *lines(one, f"{where}.")]
    return out


def dumps(table: dict[str, Any]) -> str:
    """A whole file."""
    return "\n".join(lines(table, "")) + "\n"
