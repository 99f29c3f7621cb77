# SPDX-License-Identifier: GPL-2.0
"""What the keys of a TOML table may hold, and errors that name them."""

import re
from collections.abc import Callable
from typing import Any

from .paths import LabError
from .units import BadValue, near

Parser = Callable[[Any], Any]


def text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadValue(f"{value!r} is not a text")
    if "\n" in value:
        raise BadValue("a text of more than one line")
    if bad := re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", value):
        raise BadValue(f"a text with the character {bad[0]!r}")
    return value.strip()


def args_text(value: object) -> str:
    """tc arguments; some qdiscs need none."""
    return value.strip() if isinstance(value, str) and not value.strip() else text(value)


def name(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}", value):
        raise BadValue(f"{value!r} is not a name of 1 to 40 letters, digits, '-', '_' and '.'")
    return value


def one_of(*known: str) -> Parser:
    def parse(value: object) -> str:
        if value not in known:
            raise BadValue(f"{value!r} is unknown; {near(str(value), list(known))}")
        return str(value)

    return parse


def whole(low: int, high: int) -> Parser:
    def parse(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadValue(f"{value!r} is not a whole number in {low}..{high}")
        return value

    return parse


def yes_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadValue(f"{value!r} is neither true nor false")
    return value


def table(value: object, where: str, known: dict[str, Parser], need: tuple[str, ...] = ()) -> dict[str, Any]:
    """A TOML table with these keys and no others."""
    if not isinstance(value, dict):
        raise LabError(f"{where}: {value!r} is not a table")
    dot = f"{where}." if where else ""
    for key in value:
        if key not in known:
            raise LabError(f"{dot}{key}: unknown key; {near(key, list(known))}")
    for key in need:
        if key not in value:
            raise LabError(f"{dot}{key} is missing")
    out = {}
    for key, item in value.items():
        try:
            out[key] = known[key](item)
        except BadValue as e:
            raise LabError(f"{dot}{key}: {e}") from None
    return out


def as_is(value: object) -> Any:
    return value


def texts(value: object) -> list[str]:
    if not isinstance(value, list):
        raise BadValue(f"{value!r} is not a list of texts")
    return [text(v) for v in value]
