# SPDX-License-Identifier: GPL-2.0
"""Timed events of a network: users that move to another cell, links that fail and recover."""

import math
import random
from dataclasses import dataclass
from typing import Any

from ..lib.keys import name, one_of, real, text
from ..lib.kinds import Kind, kind
from ..lib.paths import LabError
from ..lib.units import BadValue, as_time, near, time_ns
from .flows import own_seed
from .link import Link, Trace
from .network import Cell, Network, matching

SHAPES = ("uniform", "exponential", "lognormal")
QUEUES = ("drop", "deliver", "forward")
# An upper bound of the time that a handover with forwarding takes.
FORWARD_NS = 50_000_000


@dataclass(frozen=True)
class Gap:
    """The distribution of a handover's interruption, and its longest value.

    `sigma` is that of the logarithm of a log-normal one.
    """

    shape: str
    first_ns: int
    most_ns: int
    sigma: float = 0

    def draw_ns(self, seed: int) -> int:
        """Draw the interruption of one move."""
        generator = random.Random(seed)
        if self.shape == "uniform":
            return generator.randint(self.first_ns, self.most_ns)
        gap_ns = self.most_ns + 1
        while gap_ns > self.most_ns:
            if self.shape == "lognormal":
                gap_ns = round(self.first_ns * math.exp(generator.gauss(0, self.sigma)))
            else:
                gap_ns = round(generator.expovariate(1 / self.first_ns))
        return gap_ns


NO_GAP = Gap("uniform", 0, 0)
REESTABLISHMENT = Gap("uniform", 1_000_000_000, 3_000_000_000)


@dataclass(frozen=True)
class Move:
    """The handover of a user from one cell to another, in both directions at once."""

    index: int
    time_ns: int
    user: str
    source: str
    cell: str
    gap: Gap
    queue: str
    failure: float = 0
    reestablishment: Gap = NO_GAP
    # The schedule of its downlink bearer in the new cell.
    trace: Trace | None = None

    @property
    def until_ns(self) -> int:
        """The latest end of the handover."""
        longest_ns = max(self.gap.most_ns, self.reestablishment.most_ns if self.failure else 0)
        return self.time_ns + max(longest_ns, FORWARD_NS if self.queue == "forward" else 0)

    def fails(self, seed: int) -> bool:
        """Whether the handover fails and the connection is re-established in the new cell."""
        return random.Random(own_seed(seed, f"at.{self.index}.failure")).random() < self.failure

    def gap_ns(self, seed: int) -> int:
        gap = self.reestablishment if self.fails(seed) else self.gap
        return gap.draw_ns(own_seed(seed, f"at.{self.index}"))


@dataclass(frozen=True)
class Outage:
    """Directions of links fail or recover."""

    time_ns: int
    ways: list[str]
    up: bool
    # Of a failure: what waits in the buffers is lost.
    drop: bool = False


def read_sigma(word: str) -> float:
    """Of a log-normal distribution; with more than 3 few draws would be below its longest value."""
    try:
        sigma = float(word)
    except ValueError:
        sigma = 0
    if not 0 < sigma <= 3:
        raise BadValue(f"'{word}' is not a sigma above 0 and up to 3, as in 'lognormal 50ms 0.5 500ms'")
    return sigma


@kind(type="string")
def read_gap(value: object) -> Gap:
    """Parse TIME, or a distribution with two times."""
    words = text(value).split()
    sigma = 0.0
    if len(words) == 4 and words[0] == "lognormal":
        sigma = read_sigma(words.pop(2))
    if len(words) == 1:
        fixed = time_ns(words[0])
        return Gap("uniform", fixed, fixed)
    if len(words) != 3 or words[0] not in SHAPES or (words[0] == "lognormal") > bool(sigma):
        raise BadValue(
            f"{value!r} is neither a time nor of the form 'uniform 20ms 60ms' (from, to)"
            ", 'exponential 50ms 500ms' (mean, at most)"
            " or 'lognormal 50ms 0.5 500ms' (median, sigma, at most)"
        )
    first, most = map(time_ns, words[1:])
    if first > most or not most or (words[0] != "uniform" and not first):
        raise BadValue(f"{value!r}: the second time is below the first, or the mean is 0")
    return Gap(words[0], first, most, sigma)


KEYS: dict[str, Kind[Any]] = {
    "move": name,
    "to": name,
    "interruption": read_gap,
    "failure": real(0, 1),
    "reestablishment": read_gap,
    "queue": one_of(*QUEUES),
    "trace": text,
    "link": name,
    "state": one_of("down", "up"),
}
# For each kind of [[at]] its required and its optional keys besides the time.
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "run": (("run",), ("in",)),
    "move": (("move", "to"), ("interruption", "failure", "reestablishment", "queue", "trace")),
    "link": (("link", "state"), ()),
}


def kind_of(event: dict[str, Any], where: str) -> str:
    """The kind of an [[at]]; a LabError for keys of another kind."""
    kinds = [key for key in KINDS if key in event]
    if len(kinds) != 1:
        raise LabError(f"{where}.run is missing, or 'move' or 'link': exactly one of these")
    required, optional = KINDS[kinds[0]]
    for key in required:
        if key not in event:
            raise LabError(f"{where}.{key} is missing")
    for key in event:
        if key not in ("time", *required, *optional):
            raise LabError(f"{where}.{key}: not with '{kinds[0]}'")
    return kinds[0]


def cell_of(net: Network, to: str, where: str) -> Cell:
    """Find a cell by its name or by its base station's node."""
    if to in net.cells:
        return net.cells[to]
    cells = [cell for cell in net.cells.values() if cell.at == to]
    if len(cells) > 1:
        raise LabError(f"{where}: {to} has the cells {', '.join(c.name for c in cells)}; name one")
    if not cells:
        known = [*net.cells, *(c.at for c in net.cells.values())]
        raise LabError(f"{where}: no cell and no node with a cell is called '{to}'; {near(to, known)}")
    return cells[0]


def read_user(net: Network, user: str, where: str) -> str:
    """Check that a node can move; returns its first cell."""
    if user not in net.nodes:
        raise LabError(f"{where}: {user!r} is unknown; {near(user, list(net.nodes))}")
    home = next((c.name for c in net.cells.values() if user in c.users), None)
    if home is None:
        raise LabError(f"{where}: {user} is in no cell; make it a user of one")
    if len([w for w in net.used() if user in (w.ends[0].node, w.ends[1].node)]) > 1:
        raise LabError(f"{where}: {user} has links besides its cell's; a user that moves must not")
    for node in net.nodes.values():
        if node.via and (node.name == user or any(matching(pattern, [user]) for pattern in node.via)):
            raise LabError(
                f"{where}: node.{node.name}.via fixes a route of {user}, which must be free as the user moves"
            )
    return home


def read_moves(events: list[tuple[int, dict[str, Any]]], net: Network) -> list[Move]:
    """Parse the moves in the order of time; each starts from the cell of the one before."""
    out: list[Move] = []
    last: dict[str, Move] = {}
    for i, event in sorted(events, key=lambda item: int(item[1]["time"])):
        where = f"at.{i}"
        user, time = event["move"], event["time"]
        home = read_user(net, user, f"{where}.move")
        cell = cell_of(net, event["to"], f"{where}.to").name
        before = last.get(user)
        source = before.cell if before else home
        if before and time <= before.until_ns:
            until = as_time(before.until_ns)
            raise LabError(f"{where}.time: {user} moves to {source} until {until}; move it later")
        if source == cell:
            raise LabError(f"{where}.to: {user} is in cell {cell} already at {as_time(time)}")
        gap, again = event.get("interruption", NO_GAP), event.get("reestablishment", REESTABLISHMENT)
        trace = None
        if "trace" in event:
            trace = Trace(event["trace"], bearer=net.cells[cell].number(user))
        queue, failure = event.get("queue", "drop"), event.get("failure", 0)
        last[user] = Move(i, time, user, source, cell, gap, queue, failure, again, trace)
        if last[user].queue == "forward":
            net.forward(source, cell)
        out.append(last[user])
    return out


def read_outage(event: dict[str, Any], where: str, net: Network, links: dict[str, Link]) -> Outage:
    """Parse a failure or recovery of a link, or of one of its directions."""
    named = event["link"]
    directions = {w.name: [end.way for end in w.ends] for w in net.wires}
    ways = directions.get(named, [named])
    wlinks = [way for way in ways if way in links and links[way].kind == "wlink"]
    candidates = [*(n for n, ways_ in directions.items() if {*ways_} & {*links}), *links]
    if not {*ways} & {way for ways_ in directions.values() for way in ways_}:
        raise LabError(f"{where}.link: no link '{named}'; {near(named, candidates)}")
    if len(wlinks) < len(ways):
        raise LabError(
            f"{where}.link: {named} is not a wlink in both directions; only a wlink can be {event['state']}"
        )
    moved = [c for c in net.cells.values() if c.movers and ways[0].rpartition(".")[0] == c.name]
    if moved:
        raise LabError(
            f"{where}.link: users move in or out of cell {moved[0].name}, which stays up;"
            " a move with an 'interruption' is an outage of its user"
        )
    return Outage(event["time"], ways, event["state"] == "up")


def of_pauses(way: str, link: Link, duration_ns: int) -> list[Outage]:
    """The failures and recoveries of a direction by its own outages and handovers."""
    spans = []
    for key, pause in link.pauses.items():
        begins = pause.begins(duration_ns)
        if begins[0] >= duration_ns:
            raise LabError(f"{way}.{key}: {as_time(begins[0])} is not before the end of the run")
        spans += [(begin, begin + pause.length_ns, pause.drop) for begin in begins]
    spans.sort()
    for (_, end, _), (begin, *_) in zip(spans, spans[1:]):
        if begin <= end:
            times = f"one begins at {as_time(begin)}, another one ends at {as_time(end)}"
            raise LabError(f"{way}: 'outage' and 'handover' overlap: {times}")
    return [
        Outage(at_ns, [way], up, drop and not up)
        for begin, end, drop in spans
        for at_ns, up in ((begin, False), (end, True))
    ]
