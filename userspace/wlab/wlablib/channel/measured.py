# SPDX-License-Identifier: GPL-2.0
"""A user's link as somebody has measured it: CSV with time and SINR, RSRP, CQI, MCS or rate."""

import csv
import math
import re
from dataclasses import dataclass, field

from ..lib.files import read_text
from ..lib.paths import LabError
from ..lib.units import RATE, BadValue, as_time, quantity
from .plan import Plan, User

# In the order in which they are preferred; what a header may add is a unit.
VALUES = ("sinr", "rsrp", "cqi", "mcs", "rate")
UNITS = {"time": ("s",), "sinr": ("db",), "rsrp": ("dbm",), "rate": ("bps", "bit")}
CELL = r"[A-Za-z0-9][A-Za-z0-9_-]{0,8}"


@dataclass
class Measured:
    """Row by row; `kind` is what the values are."""

    kind: str
    at_ns: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    bler: list[float] = field(default_factory=list)
    cell: list[str] = field(default_factory=list)


def column_of(header: str) -> str:
    """'SINR_dB', 'sinr (dB)' and 'sinr' are the same."""
    words: list[str] = re.findall(r"[a-z]+", header.lower().replace("_", " "))
    first = words[0] if words else ""
    if first in (*VALUES, "time", "bler", "cell") and set(words[1:]) <= set(UNITS.get(first, ())):
        return first
    if first in UNITS and words[1:]:
        raise BadValue(f"'{header}' is in {words[-1]}; {first} is in {UNITS[first][0]}")
    return ""


def number(row: dict[str, str], column: str) -> float:
    try:
        if column == "rate":
            return float(quantity(row[column], RATE, "a rate", "10mbit"))
        value = float(row[column])
    except ValueError as e:
        said = str(e) if isinstance(e, BadValue) else f"{row[column]!r} is not a number"
        raise BadValue(f"{column}: {said}") from None
    if not math.isfinite(value):
        raise BadValue(f"{column}: {row[column]!r} is not a number")
    return value


def judge(plan: Plan, kind: str, value: float) -> None:
    """Bounds of the radio's own; a rate may not be more than all resource blocks carry."""
    carrier = plan.carrier
    bounds = {
        "sinr": (-50.0, 100.0),
        "rsrp": (-200.0, 0.0),
        "cqi": (0.0, 15.0),
        "mcs": (0.0, len(carrier.sizes) - 1.0),
        "rate": (0.0, float(carrier.most_bps)),
    }
    low, high = bounds[kind]
    if kind == "rate" and value > high:
        raise BadValue(
            f"rate: {value:.0f} bit/s are more than the {carrier.bandwidth_mhz:g} MHz carry, {high:.0f}"
        )
    if not low <= value <= high:
        raise BadValue(f"{kind}: {value:g} is outside {low:g}..{high:g}")
    if kind in ("cqi", "mcs") and value != int(value):
        raise BadValue(f"{kind}: {value:g} is not a whole number")


def take(plan: Plan, user: User, out: Measured, row: dict[str, str], first_ns: int | None) -> int:
    """One more row; the time of the first one in the file."""
    for column in ("time", out.kind):
        if not row[column]:
            raise BadValue(f"{column}: there is no value, a hole")
    at_ns = round(number(row, "time") * 1e9)
    first_ns = at_ns if first_ns is None else first_ns
    at_ns -= first_ns
    if out.at_ns and at_ns <= out.at_ns[-1]:
        raise BadValue(f"time runs back: {row['time']} s is not after the row before")
    if out.at_ns and at_ns - out.at_ns[-1] > user.gap_ns:
        hole = as_time(at_ns - out.at_ns[-1])
        raise BadValue(f"a hole of {hole}, more than {as_time(user.gap_ns)}; see 'gap'")
    value = number(row, out.kind)
    judge(plan, out.kind, value)
    share = number(row, "bler") if row.get("bler") else 0.1
    if not 0 <= share <= 1:
        raise BadValue(f"bler: {share:g} is outside 0..1")
    cell = row.get("cell", "cell-1")
    if not re.fullmatch(CELL, cell):
        raise BadValue(f"in no cell: {cell!r} is not a name of 1 to 9 letters, digits, '-' and '_'")
    out.at_ns.append(at_ns)
    out.value.append(value)
    out.bler.append(share)
    out.cell.append(cell)
    return first_ns


def read(plan: Plan, user: User) -> Measured:
    """All of a file; a LabError names file, line and what is wrong there."""
    assert user.file
    where = f"user.{user.name}.file: {user.file}"
    try:
        rows = list(csv.reader(read_text(user.file).splitlines()))
    except (LabError, csv.Error) as e:
        raise LabError(f"user.{user.name}.file: {e}") from None
    line = 1
    try:
        columns = [column_of(one) for one in rows[0]] if rows else []
        kind = next((one for one in VALUES if one in columns), None)
        if "time" not in columns or kind is None:
            raise BadValue(f"its first line names no column 'time' and one of {', '.join(VALUES)}")
        out, first_ns = Measured(kind), None
        for line, cells in enumerate(rows[1:], 2):  # noqa: B007
            if cells and not cells[0].startswith("#"):
                row = {c: (cells[i].strip() if i < len(cells) else "") for i, c in enumerate(columns)}
                first_ns = take(plan, user, out, row, first_ns)
        if not out.at_ns:
            raise BadValue("it has no rows")
    except BadValue as e:
        raise LabError(f"{where}:{line}: {e}") from None
    last_ns = out.at_ns[-1]
    if plan.duration_ns - last_ns > user.gap_ns:
        hole = as_time(plan.duration_ns - last_ns)
        raise LabError(f"{where}:{line}: a hole of {hole} to the end, {as_time(plan.duration_ns)}; see 'gap'")
    return out
