# SPDX-License-Identifier: GPL-2.0
"""A parser of a value together with its JSON Schema, for editors.

A schema may accept what the parser refuses, never the reverse.
"""

import re
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


def spelt(pattern: str, wrong: str) -> Kind[str]:
    """A string that matches; a fault has the value as it is written, {0}, here and below."""

    def parse(value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise BadValue(wrong.format(value))
        return value

    return Kind(parse, {"type": "string", "pattern": whole_text(pattern)})


def list_of(of: Kind[T], wrong: str, least: int = 0) -> Kind[list[T]]:
    """A list of so many values at least."""

    def parse(value: object) -> list[T]:
        if not isinstance(value, list) or len(value) < least:
            raise BadValue(wrong.format(value))
        return [of(one) for one in value]

    return Kind(parse, {"type": "array", "items": of.schema, **({"minItems": least} if least else {})})


def by_name(pattern: str, of: Schema) -> Schema:
    """The schema of a table whose keys the user chooses."""
    return {"type": "object", "propertyNames": {"pattern": whole_text(pattern)}, "additionalProperties": of}


def table_by(name: Kind[str], of: Kind[T], wrong: str) -> Kind[dict[str, T]]:
    """A table of values whose keys the user chooses; their faults begin with the key."""

    def parse(value: object) -> dict[str, T]:
        if not isinstance(value, dict):
            raise BadValue(wrong.format(value))
        out = {}
        for key, one in value.items():
            chosen = name(key)
            try:
                out[chosen] = of(one)
            except BadValue as e:
                raise BadValue(f"{key}: {e}") from None
        return out

    pattern = {"pattern": name.schema["pattern"]}
    return Kind(parse, {"type": "object", "propertyNames": pattern, "additionalProperties": of.schema})


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
