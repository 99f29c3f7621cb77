# SPDX-License-Identifier: GPL-2.0
"""A trace that is read: step by step, whatever its format is, however long it is."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from ..lib.beside import USAGE, Stop
from .lines import Bad, Lines
from .numbers import COLUMNS, LENGTH_MAX_NS

STEPS_MAX = 1 << 22
LENGTH_MIN_NS = 1000
ERRORS_MAX = 20
SHOWN = 40

# Line of the file, offset in ns, and a value for each of the trace's columns; None leaves it as it is.
Step = tuple[int, int, Sequence[int | None]]
# Told "note", "warning" or "error", the line, 0 for none, and a sentence.
Say = Callable[[str, int, str], None]


class Failed(Stop):
    """The trace cannot be used; why has been said."""

    def __init__(self) -> None:
        super().__init__(USAGE)


class Reader(Protocol):
    """One format. Both may raise Bad. `rows`, where there are any, stand for the lines."""

    def line(self, text: Any) -> Step | None: ...

    def finish(self) -> Step | None:
        """After the last line; sets the trace's length."""


def is_not(word: str, what: str) -> Bad:
    """A word is not what it should be."""
    shown = "".join(c if " " <= c <= "~" else "?" for c in word[:SHOWN])
    binary = re.search(r"[^ -~\t]", word[:SHOWN])
    more = "..." if len(word) > SHOWN else ""
    return Bad(f'"{shown}{more}" is not {what}' + ("; it is binary: is this a trace?" if binary else ""))


def seconds(ns: int, places: int = 9) -> str:
    return f"{ns // 10**9}.{ns % 10**9 // 10 ** (9 - places):0{places}}"


class Trace:
    """A file and what is known of it; all of it after the last step."""

    def __init__(self, name: str, say: Say, bytes_limit: bool = False) -> None:
        self.name = name
        self.say = say
        self.bytes_limit = bytes_limit
        self.format = ""
        self.why = ""
        self.columns: list[str] = []
        # Words that say how it is read; of a table, the columns read and their units.
        self.words: Mapping[str, Any] = {}
        self.sources: dict[str, dict[str, str]] = {}
        self.end = ""
        self.length_ns = 0
        self.count = 0
        self.last_ns = 0
        self.errors = 0
        self.keep_going = False
        try:
            self.lines = Lines(name)
        except OSError as e:
            self.errors = 1
            say("error", 0, e.strerror or str(e))
            raise Failed from e

    def warn(self, text: str, line: int = 0, grade: str = "warning") -> None:
        """Of a line, or of the one just read: in an empty file that is the first."""
        self.say(grade, line or self.lines.number or 1, text)

    def failed(self, bad: Bad) -> None:
        """Say what is wrong, and go on only where that was asked for."""
        self.errors += 1
        self.warn(str(bad), grade="error")
        if bad.stop or not self.keep_going or self.errors >= ERRORS_MAX:
            raise Failed

    def steps(self, make: Callable[["Trace"], Reader]) -> Iterator[Step]:
        """All that are good; raises Failed at once, or at the end where it is to keep going."""
        try:
            reader = make(self)
        except Bad as bad:
            self.failed(bad)
            raise Failed from bad
        rows: Iterable[object] = getattr(reader, "rows", self.lines)
        lines = iter(rows)
        text: object = ""
        while text is not None:
            try:
                text = next(lines, None)
                step = reader.finish() if text is None else reader.line(text)
                if step:
                    self.judge(step)
            except Bad as bad:
                self.failed(bad)
            else:
                if step:
                    yield step
        if not self.errors:
            try:
                self.judge_length()
            except Bad as bad:
                self.failed(bad)
        if self.errors:
            raise Failed

    def judge(self, step: Step) -> None:
        """What holds for a step of any format."""
        _, offset, values = step
        if offset < self.last_ns:
            raise Bad(f"time goes backwards: {offset} ns after {self.last_ns} ns")
        if offset > LENGTH_MAX_NS:
            raise Bad(f"{offset // 10**9} s is past the greatest length of {LENGTH_MAX_NS // 10**9} s")
        for name, value in zip(self.columns, values):
            column = COLUMNS[name]
            if value is not None and not column.least <= value <= column.most:
                low, high = column.write(column.least), column.write(column.most)
                raise Bad(f"{name} {column.write(value)} is outside {low}..{high}")
        if self.count == STEPS_MAX:
            raise Bad(f"more than {STEPS_MAX} steps, the most of one schedule", stop=True)
        self.last_ns = offset
        self.count += 1

    def judge_length(self) -> None:
        if not self.count:
            raise Bad("there is no step in it" if self.lines.number else "the file is empty")
        if self.length_ns > LENGTH_MAX_NS:
            raise Bad(f"its length of {self.length_ns // 10**9} s is above {LENGTH_MAX_NS // 10**9} s")
        if self.length_ns < LENGTH_MIN_NS:
            raise Bad(f"its length of {self.length_ns} ns is below {LENGTH_MIN_NS} ns")
