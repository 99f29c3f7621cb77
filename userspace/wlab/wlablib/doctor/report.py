# SPDX-License-Identifier: GPL-2.0
"""Checks in tables, their findings, and how these are printed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

VERDICTS = ("ok", "note", "warn", "fail")
OK, NOTE, WARN, FAIL = VERDICTS

# Verdict, what was found, what changes it if anything does, why this matters if not as usual.
Answer = tuple[str, ...]
Answers = Answer | list[Answer] | None
Check = Callable[..., Answers]
# Its name, why it matters, what does it.
Checks = list[tuple[str, str, Check]]


class Unknown(Exception):
    """It could not be found out; the text says why."""


@dataclass
class Finding:
    verdict: str
    check: str
    dev: str
    what: str
    why: str
    change: str = ""

    def as_text(self) -> str:
        """What is as it should be takes one line."""
        text = f"{self.verdict:4}  {self.dev}{' ' if self.dev else ''}{self.check}: {self.what}\n"
        if self.verdict != OK:
            text += f"      why: {self.why}\n"
            text += f"      change: {self.change}\n" if self.change else ""
        return text

    def as_json(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if value or key not in ("dev", "change")}


def check(table: Checks, name: str) -> Callable[[Check], Check]:
    """Add a function to a table; its docstring is what a user reads as the reason."""

    def add(function: Check) -> Check:
        table.append((name, " ".join((function.__doc__ or "").split()), function))
        return function

    return add


def run(table: Checks, *facts: object, dev: str = "") -> Iterator[Finding]:
    """The findings of all checks of a table."""
    for name, why, function in table:
        try:
            found = function(*facts)
        except Unknown as error:
            found = (NOTE, f"unknown: {error}")
        for verdict, what, *more in found if isinstance(found, list) else [found] if found else []:
            change, because = [*more, "", ""][:2]
            yield Finding(verdict, name, dev, what, because or why, change)


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    verdicts = [finding.verdict for finding in findings]
    return {verdict: verdicts.count(verdict) for verdict in VERDICTS}


def three_digits(value: float, units: tuple[str, ...]) -> str:
    """As in "4.17 ms"; each unit is 1000 of the one before."""
    unit = 0
    while unit < len(units) - 1 and value >= 999.5:
        value /= 1000
        unit += 1
    digits = 0 if not unit or value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f} {units[unit]}"


def time_text(ns: float) -> str:
    return three_digits(ns, ("ns", "us", "ms", "s"))


def rate_text(bps: float) -> str:
    return three_digits(bps, ("bit/s", "kbit/s", "Mbit/s", "Gbit/s"))


def bytes_text(amount: float) -> str:
    return three_digits(amount, ("B", "kB", "MB", "GB", "TB"))
