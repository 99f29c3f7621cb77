# SPDX-License-Identifier: GPL-2.0
"""What a key of a file may hold: how that is judged, and the same as a JSON Schema for editors.

A schema may let pass what is refused here, never the other way round.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Schema = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Kind(Generic[T]):
    """Called with a value, it gives what the value means, or raises BadValue."""

    parse: Callable[[Any], T]
    schema: Schema

    def __call__(self, value: object) -> T:
        return self.parse(value)


def kind(**schema: Any) -> Callable[[Callable[[Any], T]], Kind[T]]:
    """Makes a Kind of the function that follows; the words are JSON Schema's."""
    return lambda parse: Kind(parse, schema)


def whole_text(pattern: str) -> str:
    """Python matches patterns at the beginning or as a whole, JSON Schema anywhere."""
    return f"^(?:{pattern})$"


def one_or_more(of: Kind[Any], **schema: Any) -> Schema:
    """A list that is not empty."""
    return {"type": "array", "items": of.schema, "minItems": 1, **schema}


def by_name(pattern: str, of: Schema) -> Schema:
    """A table whose keys the user chooses."""
    return {"type": "object", "propertyNames": {"pattern": whole_text(pattern)}, "additionalProperties": of}


def defaults(made: Any) -> dict[str, Any]:
    """What a class has in place of keys that are missing, where that could stand in the file, too."""
    out: dict[str, Any] = {}
    for one in fields(made):
        value = one.default if one.default_factory is MISSING else one.default_factory()
        if value not in (MISSING, None, ""):
            out[one.name.removesuffix("_ns").removesuffix("_bps")] = value
    return out
