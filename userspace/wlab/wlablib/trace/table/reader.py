# SPDX-License-Identifier: GPL-2.0
"""Steps from a table. pandas parts it into columns; the numbers are read exactly, by line."""

import json
import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from statistics import median
from typing import Any, NamedTuple
from warnings import filterwarnings

from ...lib.packages import package
from ...lib.paths import LabError
from ..lines import Bad
from ..numbers import is_number
from ..trace import Step, Trace, seconds
from .sets import SETS, known
from .units import BYTES, DATE, Source, proposed, read, with_unit

# A table is held whole.
TABLE_MAX = 1 << 28
NOTHING = {"", "-", "nan", "null", "none", "na", "n/a"}
ROLES = ("rate", "delay", "loss")
NAME = r"([^\W\d_\x80-\x9f][\w .,/()\[\]%:#^-]*)?"
UCC_DATE = r"(\d{4})\.(\d\d)\.(\d\d)_(\d\d)\.(\d\d)\.(\d\d)"
ALONE_NS = 10**9
MORE = "\0"


class Row(NamedTuple):
    line: int
    number: int
    values: dict[str, str]


class Shape(NamedTuple):
    """How the text is laid out."""

    skip: int
    separator: str
    fields: list[str]
    names: list[str] | None
    json: bool = False

    def named(self) -> list[str]:
        return self.names or [str(n + 1) for n in range(len(self.fields))]


def fields_of(text: str, separator: str) -> list[str]:
    parts = text.split() if separator == r"\s+" else text.split(separator)
    return [part.strip(" \t\"'") for part in parts]


def shape_of(trace: Trace) -> Shape | None:
    """By the first line that is neither empty nor a comment, and the comment before it."""
    comment = ""
    for text in trace.lines:
        if text.startswith("#"):
            comment = text.lstrip("# \t")
        elif text[:1] in ("{", "["):
            return Shape(0, "", [], None, json=True)
        elif text:
            separator = max((",", ";", "\t", "|"), key=text.count)
            separator = separator if separator in text else r"\s+"
            fields = fields_of(text, separator)
            if not any(map(is_number, fields)):
                return Shape(trace.lines.number, separator, fields, fields)
            names = fields_of(comment, separator)
            alike = len(names) == len(fields) and not any(map(is_number, names))
            return Shape(trace.lines.number - 1, separator, fields, names if alike else None)
    return None


def recognized(trace: Trace) -> tuple[str, str] | None:
    """A set by name, or a table; and what says so."""
    shape = shape_of(trace)
    if not shape or len(shape.fields) < 2 and not shape.json:
        return None
    # Of text that is no table, and of what is binary.
    if shape.names and not all(re.fullmatch(NAME, name) for name in shape.names):
        return None
    if shape.json:
        name = next((n for n, one in SETS.items() if one.rows and holds(trace, one.rows)), "")
        return (name, f"it has {SETS[name].rows}") if name else ("table", "JSON")
    if name := known(shape.fields):
        return name, "its columns" if shape.names else "its first row"
    return ("table", "its columns have names" if shape.names else f"{len(shape.fields)} columns")


def text_of(trace: Trace) -> bytes:
    data = trace.lines.all(TABLE_MAX)
    if len(data) > TABLE_MAX:
        raise Bad(f"a table of more than {TABLE_MAX >> 20} MiB: cut it into pieces", stop=True)
    return data


def holds(trace: Trace, key: str) -> bool:
    return re.search(rb'"%s"\s*:\s*\[' % key.encode(), text_of(trace)) is not None


class Reader:
    """Of tables and sets; `said` are the words that name columns."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        try:
            self.pandas = package("pandas", "frames")
        except LabError as error:
            raise Bad(str(error), stop=True) from None
        known_set = SETS.get(trace.format)
        said: Mapping[str, Any] = trace.words
        self.only: tuple[str, str] | None = said.get("only")
        self.every_ns = int(said.get("every") or (known_set.every_ns if known_set else 0))
        columns: dict[str, Source] = dict(known_set.columns) if known_set else {}
        columns |= {role: said[role] for role in ("time", *ROLES) if role in said}
        if "every" in said:
            columns.pop("time", None)
        self.frame, self.first_line = self.read(known_set.rows if known_set else "")
        self.columns = self.chosen(columns)
        trace.columns = [role for role in ROLES if role in self.columns]
        trace.sources = {role: one._asdict() for role, one in self.columns.items()}
        self.rows = self.all_rows()
        self.now: dict[str, int] = {}
        self.first_ns = self.seen_ns = self.without = self.twice = 0
        self.gaps: list[int] = []
        self.longest = (0, 0)
        self.waits: tuple[int, int] | None = None

    # What is read of the file.

    def read(self, key: str) -> tuple[Any, int]:
        data = text_of(self.trace)
        shape = shape_of(self.trace)
        self.named = True
        if shape and shape.json:
            return self.from_json(data, key), 1
        self.named = shape is not None and shape.names is not None
        if not shape:
            raise Bad("there is no row in it", stop=True)
        # One column more than there should be takes what rows have too much; a first row of ours makes room.
        names = [*shape.named(), MORE]
        head = ("x " if shape.separator == r"\s+" else "x" + shape.separator) * len(names)
        rest = data.split(b"\n", shape.skip)[shape.skip :]
        filterwarnings("ignore", category=self.pandas.errors.ParserWarning)
        try:
            frame = self.pandas.read_csv(
                BytesIO(head.strip(" ").encode() + b"\n" + b"".join(rest)), sep=shape.separator, header=0,
                names=names, dtype=str, skip_blank_lines=False, keep_default_na=False, na_values=[],
                skipinitialspace=True, index_col=False, encoding="latin-1",
            )  # fmt: skip
        except (self.pandas.errors.ParserError, ValueError) as e:
            raise Bad(str(e), stop=True) from None
        frame = frame.fillna("")
        for number in frame.index[frame.pop(MORE) != ""][:1]:
            self.trace.lines.number = shape.skip + 1 + int(number)
            raise Bad(f"more than the {len(shape.fields)} columns of the first row", stop=True)
        return frame, shape.skip + 1

    def from_json(self, data: bytes, key: str) -> Any:
        """One list of rows, a row on each line, or columns; numbers as they are spelt."""
        text = data.decode("utf-8", "replace")
        as_text: dict[str, Any] = {"parse_int": str, "parse_float": str, "parse_constant": str}
        number = 0
        try:
            try:
                whole: Any = json.loads(text, **as_text)
            except json.JSONDecodeError as e:
                if e.msg != "Extra data":
                    raise
                whole = []
                for line in text.splitlines():
                    whole += [json.loads(line, **as_text)] if line.strip() else []
                    number += 1
        except json.JSONDecodeError as e:
            self.trace.lines.number = number + e.lineno
            raise Bad(f"no JSON: {e.msg}", stop=True) from None
        except RecursionError:
            raise Bad("JSON that is nested too deep", stop=True) from None
        if isinstance(whole, dict):
            lists = [name for name, value in whole.items() if isinstance(value, list)]
            rows = key or ("" if len(lists) != 1 else lists[0])
            whole = whole.get(rows) if rows else self.pandas.DataFrame(whole).to_dict("records")
        if not isinstance(whole, list) or not all(isinstance(row, dict) for row in whole):
            raise Bad("JSON that is no list of rows with named values", stop=True)
        return self.pandas.json_normalize(whole).astype(object).where(lambda f: f.notna(), "")

    def find(self, role: str, one: Source) -> Source:
        names = list(self.frame.columns)
        if one.column in names:
            return one
        if one.column.isdecimal() and 0 < int(one.column) <= len(names):
            return Source(names[int(one.column) - 1], one.unit)
        raise Bad(f'{role}: there is no column "{one.column}"; it has {", ".join(names[:40])}', stop=True)

    def chosen(self, columns: dict[str, Source]) -> dict[str, Source]:
        """With those that names propose where none is said, and with units."""
        names = list(map(str, self.frame.columns))
        for role in ("time", "rate"):
            has = {"time", *columns} if self.every_ns else columns
            if role in has or role == "rate" and columns.keys() & set(ROLES):
                continue
            found = proposed(role, names)
            if not found:
                instead = " or every TIME" if role == "time" else ""
                instead += "" if self.named else f", or its set: format {', '.join(SETS)}"
                instead += f"; its columns are {', '.join(names[:40])}"
                raise Bad(f"no column looks like a {role}: say {role} COLUMN:UNIT{instead}", stop=True)
            columns = {**columns, role: Source(found[0], "")}
            if len(found) > 1:
                said = ", ".join(found[1:])
                self.trace.warn(f"{role} is {found[0]}; there are {said}, too", 1, "note")
        if self.only and self.only[0] not in names:
            raise Bad(f'only: there is no column "{self.only[0]}"', stop=True)
        units = {}
        for role, one in columns.items():
            one = self.find(role, one)
            values = [str(text) for text in self.frame[one.column] if str(text).lower() not in NOTHING]
            if not values:
                raise Bad(f"column {one.column} has no value", stop=True)
            units[role] = with_unit(role, one, values)
        return units

    def times(self) -> list[str]:
        """The column of times; dates as ns."""
        one = self.columns["time"]
        texts = self.frame[one.column].astype(str)
        if one.unit != DATE:
            return [str(text).strip() for text in texts]
        plain = texts.str.replace(UCC_DATE, r"\1-\2-\3T\4:\5:\6", regex=True)
        stamps = self.pandas.to_datetime(plain, utc=True, errors="coerce")
        known_ns = stamps.astype("datetime64[ns, UTC]").astype("int64")
        return [str(ns) if good else "" for ns, good in zip(known_ns, stamps.notna())]

    def all_rows(self) -> Iterator[Row]:
        times = self.times() if "time" in self.columns else None
        used = {role: self.frame[one.column].astype(str).tolist() for role, one in self.columns.items()}
        chosen = self.frame[self.only[0]].astype(str).tolist() if self.only else None
        number = 0
        for i in range(len(self.frame)):
            if chosen and self.only and chosen[i] != self.only[1]:
                continue
            values = {role: column[i].strip() for role, column in used.items()}
            if times:
                values["time"] = times[i]
            yield Row(self.first_line + i, number, values)
            number += 1

    # One row after the other.

    def line(self, row: Row) -> Step | None:
        trace = self.trace
        trace.lines.number = row.line
        values = {role: text for role, text in row.values.items() if text.lower() not in NOTHING}
        when = self.time_of(row, values)
        if when is None:
            return None
        if not row.number:
            self.first_ns = when
        offset = when - self.first_ns
        if offset < self.seen_ns:
            last = seconds(self.first_ns + self.seen_ns)
            raise Bad(f"time goes backwards: {seconds(when)} s after {last} s")
        if offset > self.seen_ns:
            self.gaps.append(offset - self.seen_ns)
            self.longest = max(self.longest, (self.gaps[-1], row.line))
        elif row.number:
            self.twice = self.twice or row.line
        self.seen_ns = offset
        return self.since(offset, values) if self.is_bytes() else self.step(offset, values)

    def is_bytes(self) -> bool:
        return "rate" in self.columns and self.columns["rate"].unit == BYTES

    def time_of(self, row: Row, values: dict[str, str]) -> int | None:
        if "time" not in self.columns:
            return row.number * self.every_ns
        one = self.columns["time"]
        if "time" not in values:
            self.without += any(values.values())
            return None
        return read("time", Source(one.column, "ns") if one.unit == DATE else one, values["time"])

    def step(self, offset: int, values: dict[str, str]) -> Step | None:
        has = [role for role in self.trace.columns if role in values]
        new = {role: read(role, self.columns[role], values[role]) for role in has}
        if not new:
            self.without += 1
            return None
        self.now |= new
        return self.trace.lines.number, offset, [new.get(role) for role in self.trace.columns]

    def since(self, offset: int, values: dict[str, str]) -> Step | None:
        """Bytes came since the row before: its time is where their rate begins."""
        before, self.waits = self.waits, (self.trace.lines.number, offset)
        if before is None or "rate" not in values:
            self.without += before is not None
            return None
        if offset == before[1]:
            raise Bad("a second row of one time: its bytes came in no time")
        size = read("rate", Source(self.columns["rate"].column, "bps"), values["rate"])
        self.now["rate"] = (2 * size * 10**9 + offset - before[1]) // (2 * (offset - before[1]))
        return before[0], before[1], [self.now["rate"]]

    def finish(self) -> None:
        trace = self.trace
        if self.twice:
            trace.warn("a second row of one time: of such rows the last one holds", self.twice, "note")
        if self.without:
            trace.warn(f"{self.without} rows have no value; the one before them holds", grade="note")
        usual_ns = int(median(self.gaps)) if self.gaps else 0
        if self.longest[0] > 10 * usual_ns:
            gap = seconds(self.longest[0], 3)
            trace.warn(f"no row for {gap} s: the one before it holds", self.longest[1], "note")
        last_ns = self.gaps[-1] if self.gaps else self.every_ns or ALONE_NS
        trace.length_ns = self.seen_ns + (0 if self.is_bytes() else last_ns)
