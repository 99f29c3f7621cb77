# SPDX-License-Identifier: GPL-2.0
"""One direction of a link: its qdisc, classes and filters, and the trace that is played on it."""

import copy
import re
import shlex
from dataclasses import dataclass, field
from typing import Any

from ..lib.beside import Stop
from ..lib.faults import within
from ..lib.keys import Keys, Table, args_text, one_of, table_of, text, texts, whole
from ..lib.kinds import Kind, kind
from ..lib.paths import LabError
from ..lib.units import BadValue, time_ns
from ..trace.command import FORMATS, SOURCES, TABLES
from . import pauses
from .pauses import Pause
from .wlinkctl import check

QDISCS = (
    *("wlink", "netem", "tbf", "pfifo", "fq_codel", "red"),
    *("cake", "codel", "dualpi2", "fq", "fq_pie", "pie"),
)

# What wlinkctl says of a wlink without one.
NO_RATE = "rate is required"


@dataclass
class Trace:
    """A recorded link and when to play it; `words` are options of `wlinkctl trace play`."""

    file: str
    start_ns: int = 0
    bearer: int = 1
    words: str = ""
    # Whether it must have rates, since its link has none.
    rates: bool = False


@dataclass
class Link:
    """The arguments of a qdisc, its classes and filters, as tc takes them."""

    kind: str
    args: str
    classes: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)
    trace: Trace | None = None
    # By user of a cell.
    traces: dict[str, Trace] = field(default_factory=dict)
    # By key: "outage" or "handover".
    pauses: dict[str, Pause] = field(default_factory=dict)
    # Of a wlink: whether its arguments set a seed, and whether time alone changes its state (TTIs,
    # channels); its rate, None for unlimited; its options.
    seeded: bool = False
    moves: bool = False
    rate_bps: int | None = None
    options: dict[str, Any] = field(default_factory=dict)


def class_words(kind: str, line: str) -> str:
    """The arguments of a class from the scenario's 'classid 1:N wlink ...'."""
    found = re.match(r"classid (\S+) (\S+) ?(.*)$", line)
    if not found or not re.fullmatch(r"1:[0-9a-f]{1,4}", found[1]):
        raise BadValue(f'"{line}" is not of the form "classid 1:2 wlink mode am pdu 40"')
    if found[2] != kind:
        raise BadValue(f"'{found[2]}' is not '{kind}', the kind of the qdisc")
    return found[3]


def moves(options: dict[str, Any]) -> bool:
    channels = [options["channel"], options.get("reverse", {}).get("channel", {})]
    timed = any(channel.get("kind") in ("gilbert", "twostate") for channel in channels)
    return timed or bool(options.get("tti_ns"))


def check_wlink(link: Link, where: str, classes: list[str]) -> None:
    """Check the arguments of a wlink and of its classes."""
    own = tuple(f"class {words}" for words in classes)
    results = check((f"qdisc {link.args}", *own))
    if link.trace and link.trace.bearer == 1 and results[0].get("error") == NO_RATE:
        # It has that of the trace; before its start nothing is sent.
        link.args, link.trace.rates = f"rate 0 {link.args}", True
        results = check((f"qdisc {link.args}", *own))
    for key, result in zip(("wlink", *(f"classes.{i}" for i in range(len(classes)))), results):
        if "error" in result:
            raise LabError(f"{where}.{key}: {result['error']}")
    link.seeded = any(pair["word"] == "seed" for pair in results[0]["typed"])
    link.options = results[0]["options"]
    link.moves = any(moves(result["options"]) for result in results)
    link.rate_bps = link.options["rate_bps"]


def source(word: str) -> Kind[str]:
    """Words of `wlinkctl trace` that say what a table has."""

    @kind(**text.schema)
    def parse(value: object) -> str:
        try:
            SOURCES[word](text(value))
        except Stop as error:
            raise BadValue(str(error)) from None
        return text(value)

    return parse


TRACE = Table(
    {
        "file": text,
        "format": one_of(*FORMATS, *TABLES),
        "limit": one_of("packets", "bytes"),
        "end": one_of("hold", "loop", "stop"),
        "length": time_ns,
        "start": time_ns,
        "bearer": whole(1, 4096),
        **{word: source(word) for word in SOURCES},
    },
    ("file",),
    {"start": 0, "bearer": 1},
)
LINK_LISTS = {"classes": texts, "filters": texts}
LINK = Table(
    {**dict.fromkeys(QDISCS, args_text), **LINK_LISTS, "trace": table_of(TRACE), **pauses.KEYS},
    more={
        "oneOf": [{"required": [qdisc]} for qdisc in QDISCS],
        "dependentRequired": dict.fromkeys(("trace", *pauses.KEYS), ["wlink"]),
    },
)


def read_link(value: object, where: str) -> Link:
    keys = LINK.read(value, where)
    lists = {k: keys.pop(k, []) for k in LINK_LISTS}
    trace = read_trace(keys.pop("trace"), f"{where}.trace") if "trace" in keys else None
    paused = {key: keys.pop(key) for key in pauses.KEYS if key in keys}
    if len(keys) != 1:
        raise LabError(f"{where}: exactly one of {', '.join(QDISCS)} must be given for a link")
    kind, args = next(iter(keys.items()))
    classes = []
    for i, line in enumerate(lists["classes"]):
        with within(f"{where}.classes.{i}: ", BadValue):
            classes.append(class_words(kind, line))
    link = Link(kind, args, **lists, trace=trace, pauses=paused)
    if kind == "wlink":
        check_wlink(link, where, classes)
    if trace and kind != "wlink":
        raise LabError(f"{where}.trace: only a wlink can play a trace")
    for key in paused:
        if kind != "wlink" or trace:
            why = "the trace has the rates, put it there" if trace else f"only a wlink can have it, no {kind}"
            raise LabError(f"{where}.{key}: {why}")
    return link


def read_trace(value: object, where: str) -> Trace:
    """Parse a [trace] into options of `wlinkctl trace play`."""
    keys = {**TRACE.defaults, **TRACE.read(value, where)}
    words = [f"{key} {shlex.quote(keys[key])}" for key in ("format", "limit", *SOURCES) if key in keys]
    words += [keys["end"]] if "end" in keys else []
    words += [f"length {keys['length']}ns"] if "length" in keys else []
    return Trace(keys["file"], keys["start"], keys["bearer"], " ".join(words))


def sides_of(sides: tuple[str, str], required: tuple[str, ...] = (), more: Keys | None = None) -> Table:
    """A table with one qdisc for both directions or one for each, and more keys."""
    each: Keys = dict.fromkeys(sides, table_of(LINK))
    more_keys = more or {}
    forms = [Table({**LINK.keys, **more_keys}, more=LINK.more), Table({**each, **more_keys}, required)]
    return Table({**each, **LINK.keys, **more_keys}, more={"anyOf": [form.schema for form in forms]})


WAYS = ("down", "up")
# A wired leg may lack a qdisc.
LEG = sides_of(WAYS)
RADIO = sides_of(WAYS, WAYS)


def read_sides(keys: dict[str, Any], leg: str, sides: tuple[str, str]) -> dict[str, Link]:
    """Parse [leg.down] and [leg.up], or one qdisc for both."""
    both = {k: v for k, v in keys.items() if k not in sides}
    each = {k: v for k, v in keys.items() if k in sides}
    if both and each:
        first, second = sides
        raise LabError(
            f"{leg}: give either one qdisc for both directions or {leg}.{first} and {leg}.{second}"
        )
    if both:
        link = read_link(both, leg)
        return {f"{leg}.{side}": copy.deepcopy(link) for side in sides}
    return {f"{leg}.{side}": read_link(v, f"{leg}.{side}") for side, v in each.items()}
