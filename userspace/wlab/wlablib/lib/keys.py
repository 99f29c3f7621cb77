# SPDX-License-Identifier: GPL-2.0
"""Parsers of the values in TOML files, and tables of them; errors name the key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .faults import within
from .kinds import Kind, Schema, defaults, keys_of, kind, list_of, spelt, table_by, whole_text
from .paths import LabError
from .units import BadValue, near

NAME = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}"
Keys = Mapping[str, Kind[Any]]
SEED_MAX = (1 << 63) - 1


@kind(type="string", pattern=r"^[^\x00-\x08\x0a-\x1f\x7f]*$", minLength=1)
def text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadValue(f"{value!r} is not a string, or is empty")
    if "\n" in value:
        raise BadValue("a string of more than one line")
    if bad := re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", value):
        raise BadValue(f"a string with the character {bad[0]!r}")
    return value.strip()


@kind(type="string", minLength=1)
def paragraphs(value: object) -> str:
    """A string of any number of lines."""
    text(value.replace("\n", " ") if isinstance(value, str) else value)
    return str(value).strip()


@kind(type="string")
def args_text(value: object) -> str:
    """Arguments of a qdisc as in tc; empty for a qdisc that needs none."""
    return value.strip() if isinstance(value, str) and not value.strip() else text(value)


name = spelt(NAME, "{0!r} is not a name of 1 to 40 letters, digits, '-', '_' and '.'")
# A key that is a name elsewhere, checked there.
any_name = Kind(text.parse, {"type": "string", "pattern": whole_text(".*")})


def one_of(*known: str) -> Kind[str]:
    @kind(enum=list(known))
    def parse(value: object) -> str:
        if value not in known:
            raise BadValue(f"{value!r} is unknown; {near(str(value), list(known))}")
        return str(value)

    return parse


def whole(low: int, high: int) -> Kind[int]:
    @kind(type="integer", minimum=low, maximum=high)
    def parse(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadValue(f"{value!r} is not a whole number in {low}..{high}")
        return value

    return parse


def real(low: float, high: float) -> Kind[float]:
    @kind(type="number", minimum=low, maximum=high)
    def parse(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise BadValue(f"{value!r} is not a number in {low:g}..{high:g}")
        return float(value)

    return parse


@kind(type="boolean")
def yes_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadValue(f"{value!r} is neither true nor false")
    return value


texts = list_of(text, "{0!r} is not a list of strings")


@dataclass(frozen=True, eq=False)
class Table:
    """The keys of a TOML table with their parsers, the required keys, and defaults of the others.

    `more` adds rules to the JSON Schema that the parsers do not express; the code that reads the
    table checks them itself.
    """

    keys: Keys
    need: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    more: Schema = field(default_factory=dict)

    @classmethod
    def of(cls, made: Any, more: Schema | None = None, **besides: Any) -> "Table":
        """The table that makes a dataclass; what has no default is required, but for those besides."""
        known = {**defaults(made), **besides}
        keys = {key: one.kind for key, one in keys_of(made).items()}
        need = tuple(key for key in keys if key not in known)
        return cls(keys, need, {k: v for k, v in known.items() if v is not None}, more or {})

    def read(self, value: object, where: str) -> dict[str, Any]:
        """Parse each value; a LabError names the key that is unknown, missing or wrong."""
        if not isinstance(value, dict):
            raise LabError(f"{where}: {value!r} is not a table")
        dot = f"{where}." if where else ""
        for key in value:
            if key not in self.keys:
                raise LabError(f"{dot}{key}: unknown key; {near(key, list(self.keys))}")
        for key in self.need:
            if key not in value:
                raise LabError(f"{dot}{key} is missing")
        parsed = {}
        for key, raw in value.items():
            with within(f"{dot}{key}: ", BadValue):
                parsed[key] = self.keys[key](raw)
        return parsed

    @property
    def schema(self) -> Schema:
        defaults = {k: {"default": v} for k, v in self.defaults.items()}
        return {
            "type": "object",
            "properties": {k: {**parser.schema, **defaults.get(k, {})} for k, parser in self.keys.items()},
            "additionalProperties": False,
            **({"required": list(self.need)} if self.need else {}),
            **self.more,
        }


def later(schema: Schema) -> Kind[Any]:
    """A value that is parsed later, by code that knows more of the file."""
    return Kind(lambda value: value, schema)


def table_of(table: Table) -> Kind[Any]:
    """[key]"""
    return later(table.schema)


def tables_of(table: Table, least: int = 0) -> Kind[Any]:
    """[[key]]"""
    return later({"type": "array", "items": table.schema, "minItems": least})


def tables_named(table: Table) -> Kind[Any]:
    """[key.NAME]"""
    return table_by(name, table_of(table), "{0!r} is not a table of tables")
