# SPDX-License-Identifier: GPL-2.0
"""One direction of a link: a qdisc, its classes and filters, the trace that is played on it."""

import copy
import re
from dataclasses import dataclass, field
from typing import Any

from ..lib.keys import Keys, Table, args_text, one_of, table_of, text, texts, whole
from ..lib.paths import LabError
from ..lib.units import BadValue, time_ns
from .wlinkctl import check

QDISCS = ("wlink", "netem", "tbf", "pfifo", "fq_codel", "red")
FORMATS = ("schedule", "mahimahi", "jens", "theaterq", "csv")


@dataclass
class Trace:
    """A recorded link that is played from `start` on; words are of `wlinkctl trace play`."""

    file: str
    start_ns: int = 0
    bearer: int = 1
    words: str = ""


@dataclass
class Link:
    """One direction of a leg: a qdisc, its classes and filters, as tc has them."""

    kind: str
    args: str
    classes: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)
    trace: Trace | None = None
    # Of a cell, by user, of its bearer.
    traces: dict[str, Trace] = field(default_factory=dict)
    # Of a wlink: whether its words have a seed; its rate, None where that is unlimited.
    seeded: bool = False
    rate_bps: int | None = None


def class_words(kind: str, line: str) -> str:
    """Of 'classid 1:N wlink ...', the rest of `tc class add dev DEV parent 1:`."""
    found = re.match(r"classid (\S+) (\S+) ?(.*)$", line)
    if not found or not re.fullmatch(r"1:[0-9a-f]{1,4}", found[1]):
        raise BadValue(f'"{line}" is not as in "classid 1:2 wlink mode am pdu 40"')
    if found[2] != kind:
        raise BadValue(f"'{found[2]}' is not '{kind}', the kind of the qdisc")
    return found[3]


def judge_wlink(link: Link, where: str, classes: list[str]) -> None:
    """Its words and those of its classes."""
    lines = (f"qdisc {link.args}", *(f"class {words}" for words in classes))
    answers = check(lines)
    for key, answer in zip(("wlink", *(f"classes.{i}" for i in range(len(classes)))), answers):
        if "error" in answer:
            raise LabError(f"{where}.{key}: {answer['error']}")
    link.seeded = any(pair["word"] == "seed" for pair in answers[0]["typed"])
    link.rate_bps = answers[0]["options"]["rate_bps"]


TRACE = Table(
    {
        "file": text,
        "format": one_of(*FORMATS),
        "limit": one_of("packets", "bytes"),
        "end": one_of("hold", "loop", "stop"),
        "length": time_ns,
        "start": time_ns,
        "bearer": whole(1, 4096),
    },
    ("file",),
    {"start": 0, "bearer": 1},
)
LINK_LISTS = {"classes": texts, "filters": texts}
LINK = Table(
    {**dict.fromkeys(QDISCS, args_text), **LINK_LISTS, "trace": table_of(TRACE)},
    more={
        "oneOf": [{"required": [qdisc]} for qdisc in QDISCS],
        "dependentRequired": {"trace": ["wlink"]},
    },
)


def read_link(value: object, where: str) -> Link:
    have = LINK.read(value, where)
    lists = {k: have.pop(k, []) for k in LINK_LISTS}
    trace = read_trace(have.pop("trace"), f"{where}.trace") if "trace" in have else None
    if len(have) != 1:
        raise LabError(f"{where}: exactly one of {', '.join(QDISCS)} makes a link")
    kind, args = next(iter(have.items()))
    classes = []
    for i, line in enumerate(lists["classes"]):
        try:
            classes.append(class_words(kind, line))
        except BadValue as e:
            raise LabError(f"{where}.classes.{i}: {e}") from None
    link = Link(kind, args, **lists, trace=trace)
    if kind == "wlink":
        judge_wlink(link, where, classes)
    if trace and kind != "wlink":
        raise LabError(f"{where}.trace: only a wlink plays one")
    return link


def read_trace(value: object, where: str) -> Trace:
    """The words of `wlinkctl trace play`."""
    have = {**TRACE.defaults, **TRACE.read(value, where)}
    words = [f"{key} {have[key]}" for key in ("format", "limit") if key in have]
    words += [have["end"]] if "end" in have else []
    words += [f"length {have['length']}ns"] if "length" in have else []
    return Trace(have["file"], have["start"], have["bearer"], " ".join(words))


def sides_of(sides: tuple[str, str], need: tuple[str, ...] = (), more: Keys | None = None) -> Table:
    """A qdisc for both directions, or one for each; other keys beside them."""
    each: Keys = dict.fromkeys(sides, table_of(LINK))
    other = more or {}
    some = [Table({**LINK.keys, **other}, more=LINK.more), Table({**each, **other}, need)]
    return Table({**each, **LINK.keys, **other}, more={"anyOf": [one.schema for one in some]})


WAYS = ("down", "up")
# A wired leg may lack them.
LEG = sides_of(WAYS)
RADIO = sides_of(WAYS, WAYS)


def read_sides(have: dict[str, Any], leg: str, sides: tuple[str, str]) -> dict[str, Link]:
    """[leg.down] and [leg.up], or one qdisc for both."""
    both = {k: v for k, v in have.items() if k not in sides}
    each = {k: v for k, v in have.items() if k in sides}
    if both and each:
        one, other = sides
        raise LabError(f"{leg}: give either one qdisc for both directions or {leg}.{one} and {leg}.{other}")
    if both:
        link = read_link(both, leg)
        return {f"{leg}.{side}": copy.deepcopy(link) for side in sides}
    return {f"{leg}.{side}": read_link(v, f"{leg}.{side}") for side, v in each.items()}
