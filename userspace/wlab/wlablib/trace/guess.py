# SPDX-License-Identifier: GPL-2.0
"""What a file is, by its first lines."""

import re

from .formats.own import TITLE
from .lines import Bad
from .numbers import decimal, is_number
from .table.reader import recognized
from .table.sets import known
from .trace import Trace, is_not

# Of JENS' own headers.
JENS = re.compile(r"recommended_fre|kbit|drp", re.I)
OURS = re.compile(r"[ \t\"]*time[ \t\"]*,[ \t\"]*(rate|background)[ \t\"]*", re.I)
ROWS = 4096
# Of comments and empty lines before the first row.
HEAD_MAX = 1 << 16
# Where a file of times begins.
EARLY_MS = 1000
KNOWN = "if it is, say format mahimahi, jens, theaterq or csv"


def by_words(trace: Trace, text: str) -> tuple[str, str]:
    """A first line that is no number alone."""
    fields = [field.strip(' \t"') for field in text.split(",")]
    if len(fields) == 2 and (OURS.fullmatch(text) or is_number(fields[0])) and not known(fields):
        return "csv", "two columns"
    if len(fields) >= 5 and (fields[0] == "KEEP" or all(map(is_number, fields))):
        return "theaterq", "five or more columns"
    found = recognized(trace)
    if not found:
        raise is_not(text, f"a line of a trace that is known here; {KNOWN}")
    return found


def by_numbers(rows: list[int], fraction: bool, comments: bool) -> tuple[str, str]:
    """Times never fall, rates do; a broken file of times falls once or so."""
    falls = sum(b < a for a, b in zip(rows, rows[1:]))
    late = rows[0] >= EARLY_MS
    if comments:
        return "jens", "one number per line under a header"
    if fraction and (falls or late):
        return "jens", "numbers with fractions"
    if falls * 16 > len(rows) and (falls > 2 or late):
        return "jens", "numbers that rise and fall"
    return "mahimahi", "whole numbers that do not fall"


def guess(trace: Trace) -> tuple[str, str]:
    """The format, and what says so."""
    rows: list[int] = []
    fraction = comments = False
    if trace.lines.begin()[:1] in (b"{", b"["):
        return recognized(trace) or ("table", "JSON")
    try:
        for text in trace.lines:
            if not text or text[0] == "#":
                comments |= JENS.search(text) is not None
                if not rows and trace.lines.number > HEAD_MAX:
                    raise Bad(f"no step in the first {HEAD_MAX} lines")
                continue
            if text == TITLE:
                return "schedule", "first line"
            value = decimal(text, 0)
            if value is None and rows:
                break  # the reader of numbers will say what is wrong
            if value is None:
                return by_words(trace, text)
            rows.append(value)
            fraction |= re.search("[.eE]", text) is not None
            if len(rows) == ROWS:
                break
    except Bad as bad:
        if not rows or str(bad).startswith("cannot be read"):
            raise
    if not rows:
        raise Bad("there is no step in it" if trace.lines.number else "the file is empty")
    return by_numbers(rows, fraction, comments)
