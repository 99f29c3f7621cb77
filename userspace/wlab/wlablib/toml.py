# SPDX-License-Identifier: GPL-2.0
"""Writes TOML, which Python's library only reads."""

import json
import re
from typing import Any


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
