# SPDX-License-Identifier: GPL-2.0
"""Rows as a table, for a terminal of any size or none."""

import re

from .look import Row

HEADS = "N MODE RATE NOW SDUS BYTES FULL AQM P50 P95 P99 RETX PLAY".split()
# Words stand at the left, numbers at the right.
WORDS = ("MODE", "AQM", "PLAY")
# Modes that send again.
ARQ = ("am", "fsr", "asr", "lte-am", "nr-am")


def number(value: float) -> str:
    """Three digits: 384k, 1.23M, 0.5."""
    unit = 0
    while value >= 999.5 and unit < 4:
        value /= 1000
        unit += 1
    whole = value >= 99.95 or (not unit and value == int(value))
    digits = 0 if whole else 1 if value >= 9.995 or not unit else 2
    return f"{value:.{digits}f}{' kMGT'[unit].strip()}"


def time(ns: float | None) -> str:
    if ns is None:
        return "-"
    unit = 0
    while ns >= 999.5 and unit < 3:
        ns /= 1000
        unit += 1
    return f"{ns:.{0 if ns >= 9.95 or ns == int(ns) else 1}f}{('ns', 'us', 'ms', 's')[unit]}"


def aqm(row: Row) -> str:
    kind = str(row.get("aqm", {}).get("kind", "-"))
    if kind == "red":
        return f"red {number(row['aqm']['level'] / 1000)}"
    return f"{kind} {row['aqm']['state'][:4]}" if kind in ("sbd", "codel") else kind


def play(row: Row) -> str:
    state, step, steps = (row["play"][name] for name in ("state", "step", "steps"))
    if state == "plays" and steps:
        return f"{100 * step / steps:.0f}%"
    return "-" if state == "none" else str(state)


def cells(row: Row, interval: bool) -> list[str]:
    """What needs an interval, and what needs a delivery in it, is a dash elsewhere."""
    rate = row["rate_bps"]
    return [
        str(row["bearer"]),
        row["mode"],
        "any" if rate is None else number(rate),
        number(row["delivered_bps"]) if interval else "-",
        number(row["buffer_sdus"]),
        number(row["buffer_bytes"]),
        f"{100 * row['full']:.0f}%",
        aqm(row),
        *(time(ns) for ns in row["delay"].values()),
        number(row["retx_per_s"]) if interval else "-",
        play(row),
    ]


def some_drops(row: Row, room: int | None, letters: int) -> tuple[str, bool]:
    """Names have so many letters at most; what does not fit is a plus. Was there room for all?"""
    left = [name for name, count in row["drops"].items() if count]
    text = ""
    while left:
        name = left.pop(0)
        gap = " " if letters > 3 else ""
        more = f"{text} {name[:letters]}{gap}{number(row['drops_per_s'][name])}".lstrip()
        # All but the last leave room for the plus.
        if room is not None and len(more) + bool(left) > room:
            return text + "+" if room else "", False
        text = more
    return text, True


def drops(row: Row, room: int | None) -> str:
    """Whole names where there is room, first letters elsewhere."""
    text, whole = some_drops(row, room, 16)
    return text if whole else some_drops(row, room, 3)[0]


def says_something(rows: list[Row], head: str) -> bool:
    """On a terminal room is dear: what says nothing of any bearer is left out."""
    if head == "RETX":
        return any(row["mode"] in ARQ for row in rows)
    return head != "PLAY" or any(row["play"]["state"] != "none" for row in rows)


def table(rows: list[Row], interval: bool, width: int = 0, height: int = 0) -> list[str]:
    """Lines; a width or a height of 0 is any."""
    texts = [cells(row, interval) for row in rows]
    shown = [at for at, head in enumerate(HEADS) if not width or says_something(rows, head)]
    widths = [max(len(line[at]) for line in [HEADS, *texts]) for at in range(len(HEADS))]

    def line(row: list[str], last: str) -> str:
        put = (row[at].ljust(widths[at]) if HEADS[at] in WORDS else row[at].rjust(widths[at]) for at in shown)
        return " ".join([*put, last])

    room = max(0, width - sum(widths[at] + 1 for at in shown)) if width else None
    lines, link = [line(HEADS, "DROPS/S")], ""
    for at, row in enumerate(rows):
        name = f"{row['dev']} {row['handle']}"
        head = [name] if name != link else []
        # A line is kept for what there is no room for.
        if height and height - len(lines) < 2 + len(head) and at + 1 < len(rows):
            lines.append(f"and {len(rows) - at} more bearers")
            break
        lines += [*head, line(texts[at], drops(row, room) if interval else "-")]
        link = name
    if not rows:
        lines.append("no wlink here")
    # What others may have put into a name must not move the cursor.
    clean = [re.sub(r"[\x00-\x1f\x7f]", "?", text) for text in lines]
    return [text[: width or None] for text in clean][: height or None]
