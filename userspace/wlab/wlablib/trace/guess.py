# SPDX-License-Identifier: GPL-2.0
"""What a file is, by its first lines."""

import re

from .formats.own import TITLE
from .lines import Bad
from .numbers import decimal
from .trace import Trace, is_not

ROWS = 4096
# Of comments and empty lines before the first row.
HEAD_MAX = 1 << 16
# Where a file of times begins.
EARLY_MS = 1000
KNOWN = "if it is, say format mahimahi, jens, theaterq or csv"


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
    try:
        for text in trace.lines:
            if not text or text[0] == "#":
                comments |= bool(text)
                if not rows and trace.lines.number > HEAD_MAX:
                    raise Bad(f"no step in the first {HEAD_MAX} lines")
                continue
            if text == TITLE:
                return "schedule", "first line"
            value = decimal(text, 0)
            if value is None and rows:
                break  # the reader of numbers will say what is wrong
            if value is None:
                commas = text.count(",")
                if commas == 1:
                    return "csv", "two columns"
                if commas >= 4:
                    return "theaterq", "five or more columns"
                raise is_not(text, f"a line of a trace that is known here; {KNOWN}")
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
