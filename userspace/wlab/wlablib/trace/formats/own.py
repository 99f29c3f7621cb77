# SPDX-License-Identifier: GPL-2.0
"""Our own format, all that a schedule is: "wlink schedule", columns, length, end, then the steps.

Numbers are written as for tc, "-" leaves a value as it is; # begins a comment.
"""

from collections.abc import Iterator

from ...lib.units import as_time
from ..lines import Bad
from ..numbers import COLUMNS, LENGTH_MAX_NS, is_number, time
from ..table.units import Source
from ..trace import Step, Trace, is_not

TITLE = "wlink schedule"
ENDS = ("hold", "loop", "stop")


class Reader:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.begun = False
        self.given: list[str] = []
        self.order: list[int] = []

    def columns(self, words: list[str]) -> None:
        if self.given:
            raise Bad("columns are given twice")
        for word in words:
            if word not in COLUMNS:
                *most, last = COLUMNS
                raise is_not(word, f"a column: {', '.join(most)} or {last}")
            if word in self.given:
                raise Bad(f"column {word} is given twice")
            self.given.append(word)
        if not self.given:
            raise Bad("columns names none")
        self.trace.columns = [name for name in COLUMNS if name in self.given]
        self.order = [self.given.index(name) for name in self.trace.columns]

    def header(self, word: str, value: str) -> None:
        if word == "columns":
            self.columns(words_of(value))
        elif word == "length":
            length = time(value)
            if not length:
                raise is_not(value, "a length with ns, us, ms or s")
            self.trace.length_ns = length
            if length > LENGTH_MAX_NS:
                raise is_not(value, "up to 864000s, which is 10 days")
        elif word != "end":
            raise is_not(word, "columns, length, end or a time with ns, us, ms or s")
        elif value in ENDS:
            self.trace.end = value
        else:
            raise is_not(value, "hold, loop or stop")

    def step(self, offset: int, words: list[str]) -> Step:
        trace, given = self.trace, self.given
        if not given or not trace.length_ns:
            what = "length TIME" if given else "columns NAME ..."
            raise Bad(f'there is no line "{what}" before the first step', stop=True)
        if offset > trace.length_ns:
            raise Bad("the step is after the end of the schedule")
        values: list[int | None] = []
        for name, word in zip(given, words):
            value = None if word == "-" else COLUMNS[name].read(word)
            if value is None and word != "-":
                raise is_not(word, name)
            values.append(value)
        if len(words) < len(given):
            raise Bad(f"{len(words)} values for {len(given)} columns")
        if len(words) > len(given):
            raise Bad(f"more values than the {len(given)} columns")
        return trace.lines.number, offset, [values[at] for at in self.order]

    def line(self, text: str) -> Step | None:
        text = text.partition("#")[0].rstrip(" \t")
        if not text:
            return None
        if not self.begun:
            if text != TITLE:
                raise is_not(text, f'"{TITLE}", the first line of one')
            self.begun = True
            return None
        word, *words = words_of(text)
        offset = time(word)
        if offset is not None:
            return self.step(offset, words)
        if is_number(word):
            raise is_not(word, "a time with ns, us, ms or s")
        self.header(word, text.strip(" \t")[len(word) :].lstrip(" \t"))
        return None

    def finish(self) -> None:
        if not self.trace.length_ns:
            raise Bad('there is no line "length TIME"')


def words_of(text: str) -> list[str]:
    return [word for word in text.replace("\t", " ").split(" ") if word]


def head(trace: Trace, _: int) -> str:
    end = trace.end or ("loop" if trace.format == "mahimahi" else "")
    length = f"columns {' '.join(trace.columns)}\nlength {as_time(trace.length_ns)}\n"
    sources = "".join(f"# {role}: {Source(**one)}\n" for role, one in trace.sources.items())
    return f"{TITLE}\n{sources}{length}" + (f"end {end}\n" if end else "")


def write(trace: Trace, steps: Iterator[Step], _: int) -> Iterator[str]:
    for _, offset, values in steps:
        row = [as_time(offset)]
        for name, value in zip(trace.columns, values):
            row.append("-" if value is None else COLUMNS[name].write(value))
        yield " ".join(row) + "\n"
