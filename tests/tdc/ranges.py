# SPDX-License-Identifier: GPL-2.0
"""Refusals that follow from the table of words: each attribute below and above its range, and twice."""

import importlib
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "userspace/spec"))
words: Any = importlib.import_module("words")

Row = dict[str, Any]
MOST: dict[str, int] = words.MOST
UNITS = {"TIME": " ns", "RATE": " bit/s", "PERCENT": " percent", "PROB": " / 2^32"}
UNITS |= {"BYTES": " bytes", "OCTETS": " bytes", "TTIS": " TTIs", "PDUS": " PDUs", "SYMBOLS": " symbols"}
# One of a type that is no number of a word's; a nest is empty.
OTHERS = {"STRING": "=str:x", "BINARY": "=zero:8", "U64": "=u64:1", "nest": " { }"}
# The kernel has 80 bytes for a message and its end.
ROOM = 80


def message(row: Row, value: int) -> str:
    name = row["name"] if row["nest"] == "options" else f"{row['nest']} {row['name']}"
    unit = UNITS.get(row["unit"] or "", "")
    if row["text"]:
        return f"wlink: {name} {value}{unit} is outside {row['text']}"
    text = f"wlink: {name} {value} is outside {row['min']}..{row['max']}{unit}"
    if len(text) < ROOM:
        return text
    side, bound = ("below", row["min"]) if value < row["min"] else ("above", row["max"])
    return f"wlink: {row['name']:.21} {value} is {side} {bound}"


def attributes(nest: list[Row], row: Row, value: int) -> str:
    """What raw.py sends: the value, and in its nest what a kind that has it cannot do without."""
    one = f"{row['number']}={row['type']}:{value}"
    if row["nest"] == "options":
        return one
    kind = (row["kinds"] & -row["kinds"]).bit_length() - 1
    if row["nest"] == "rlc":
        return f"mode=u32:{kind} rlc {{ {one} }}"
    if row["nest"] == "reverse":
        return f"mode=u32:2 reverse {{ {one} }}"
    if row["kinds"]:
        others = [o for o in nest if o["needed"] and o["kinds"] >> kind & 1 and o is not row]
        one = " ".join(
            ["kind=u32:" + str(kind), *(f"{o['number']}={o['type']}:{o['min']}" for o in others), one]
        )
    return f"{row['nest']} {{ {one} }}"


def twice(row: Row) -> tuple[str, str]:
    """What raw.py sends, and what is said of it."""
    nest = row["nest"]
    one = str(row["number"]) + OTHERS.get(row["type"], f"={row['type']}:{row['min']}")
    sent = f"{one} {one}" if nest == "options" else f"{nest} {{ {one} {one} }}"
    name = row["name"] if nest == "options" else f"{nest} {row['name']}"
    return f"profile {{ {sent} }}" if nest == "row" else sent, f"wlink: {name} comes twice"


def lines() -> Iterator[tuple[str, tuple[str, str]]]:
    """Of a [refused.NAME]: the case's id, what is sent, what is said."""
    for name, nest in words.nests().items():
        for row in nest:
            if row["type"] != "REJECT" and (name, row["name"]) != ("profile", "row"):
                sent, said = twice(row)
                yield f"{zlib.crc32(said.encode()):08x}", (sent, said)
            if row["type"] not in MOST or name in ("row", "profile") or not row["max"]:
                continue
            for value in (row["min"] - 1, row["max"] + 1):
                # What is beyond its type, or stands for something else.
                if not 0 <= value <= MOST[row["type"]] or (row["text"] and value == row["value"]):
                    continue
                said = message(row, value)
                yield f"{zlib.crc32(said.encode()):08x}", (attributes(nest, row, value), said)
