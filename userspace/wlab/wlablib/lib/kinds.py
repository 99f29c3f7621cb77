# SPDX-License-Identifier: GPL-2.0
"""A parser of a value together with its JSON Schema, for editors.

A schema may accept what the parser refuses, never the reverse.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Schema = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Kind(Generic[T]):
    """A parser, called with the raw value; raises BadValue."""

    parse: Callable[[Any], T]
    schema: Schema

    def __call__(self, value: object) -> T:
        return self.parse(value)


def kind(**schema: Any) -> Callable[[Callable[[Any], T]], Kind[T]]:
    """Decorate a parser with its JSON Schema."""
    return lambda parse: Kind(parse, schema)


def whole_text(pattern: str) -> str:
    """Anchor a pattern: JSON Schema would match it anywhere in the string."""
    return f"^(?:{pattern})$"


def one_or_more(of: Kind[Any], **schema: Any) -> Schema:
    """The schema of a list that is not empty."""
    return {"type": "array", "items": of.schema, "minItems": 1, **schema}


def by_name(pattern: str, of: Schema) -> Schema:
    """The schema of a table whose keys the user chooses."""
    return {"type": "object", "propertyNames": {"pattern": whole_text(pattern)}, "additionalProperties": of}


def defaults(cls: Any) -> dict[str, Any]:
    """The defaults of a dataclass by the file's keys, those that a file can express."""
    found: dict[str, Any] = {}
    for member in fields(cls):
        value = member.default if member.default_factory is MISSING else member.default_factory()
        if value not in (MISSING, None, ""):
            found[member.name.removesuffix("_ns").removesuffix("_bps")] = value
    return found
