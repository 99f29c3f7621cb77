# SPDX-License-Identifier: GPL-2.0
"""A parser of a value together with its JSON Schema, for editors.

A schema may accept what the parser refuses, never the reverse.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

T = TypeVar("T")
Schema = dict[str, Any]


class BadValue(ValueError):
    """A fault of a value; the caller adds the name of its key."""


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


def checked(of: Kind[T], good: Callable[[T], bool], wrong: str, **schema: Any) -> Kind[T]:
    """A kind with bounds; a fault has the value as it is written, {0}, and as it is read, {1}."""

    def parse(value: object) -> T:
        found = of(value)
        if not good(found):
            raise BadValue(wrong.format(value, found))
        return found

    return Kind(parse, {**of.schema, **schema})


class Key(NamedTuple):
    """A key of a file: the field of a dataclass that has its value, its kind, its other words there."""

    field: str
    kind: Kind[Any]
    words: tuple[Any, ...]


@cache
def keys_of(made: Any) -> dict[str, Key]:
    """The keys that make a dataclass: Annotated[TYPE, KIND, "KEY" where it is not the field's, WORDS...]."""
    out = {}
    for name, hint in get_type_hints(made, include_extras=True).items():
        kind, *words = getattr(hint, "__metadata__", (None,))
        if kind:
            key = str(words.pop(0)) if words[:1] and isinstance(words[0], str) else name
            out[key] = Key(name, kind, tuple(words))
    return out


def by_field(made: Any, values: dict[str, Any]) -> dict[str, Any]:
    """Values of keys by the fields of a dataclass."""
    return {keys_of(made)[key].field: value for key, value in values.items()}


def defaults(made: Any) -> dict[str, Any]:
    """The defaults of a dataclass by the file's keys; None where there is one that no file can express."""
    found = {}
    for key, (name, *_) in keys_of(made).items():
        member = made.__dataclass_fields__[name]
        value = member.default if member.default_factory is MISSING else member.default_factory()
        if value is not MISSING:
            found[key] = None if value == "" else value
    return found
