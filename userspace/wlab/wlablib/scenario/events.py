# SPDX-License-Identifier: GPL-2.0
"""Timed events of a network, beside commands: users that move to another cell, links that are silent."""

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
# Longer than the commands take by which a cell hands to another what it holds.
FORWARD_NS = 50_000_000


@dataclass(frozen=True)
class Gap:
    """How long a user that moves is without a cell: what is said of it, and the longest.

    `sigma` is of a log-normal one, of the natural logarithm.
    """

    shape: str
    first_ns: int
    most_ns: int
    sigma: float = 0

    def draw_ns(self, seed: int) -> int:
        """Of one move in a run."""
        drawn = random.Random(seed)
        if self.shape == "uniform":
            return drawn.randint(self.first_ns, self.most_ns)
        gap_ns = self.most_ns + 1
        while gap_ns > self.most_ns:
            if self.shape == "lognormal":
                gap_ns = round(self.first_ns * math.exp(drawn.gauss(0, self.sigma)))
            else:
                gap_ns = round(drawn.expovariate(1 / self.first_ns))
        return gap_ns


NO_GAP = Gap("uniform", 0, 0)
REESTABLISHMENT = Gap("uniform", 1_000_000_000, 3_000_000_000)


@dataclass(frozen=True)
class Move:
    """A user goes from one cell to another, both ways at once."""

    index: int
    time_ns: int
    user: str
    source: str
    cell: str
    gap: Gap
    queue: str
    failure: float = 0
    again: Gap = NO_GAP
    # What its bearer in the new cell plays.
    trace: Trace | None = None

    @property
    def until_ns(self) -> int:
        """When it is over at the latest."""
        longest_ns = max(self.gap.most_ns, self.again.most_ns if self.failure else 0)
        return self.time_ns + max(longest_ns, FORWARD_NS if self.queue == "forward" else 0)

    def fails(self, seed: int) -> bool:
        """The connection is lost, and established again in the new cell."""
        return random.Random(own_seed(seed, f"at.{self.index}.failure")).random() < self.failure

    def gap_ns(self, seed: int) -> int:
        gap = self.again if self.fails(seed) else self.gap
        return gap.draw_ns(own_seed(seed, f"at.{self.index}"))


@dataclass(frozen=True)
class Outage:
    """Directions become silent, or are no longer."""

    time_ns: int
    ways: list[str]
    up: bool


def as_sigma(word: str) -> float:
    """Of a log-normal distribution; more than 3 would draw for ever."""
    try:
        sigma = float(word)
    except ValueError:
        sigma = 0
    if not 0 < sigma <= 3:
        raise BadValue(f"'{word}' is not a sigma above 0 and up to 3, as in 'lognormal 50ms 0.5 500ms'")
    return sigma


@kind(type="string")
def read_gap(value: object) -> Gap:
    """TIME, or the shape of a distribution and two times."""
    words = text(value).split()
    sigma = 0.0
    if len(words) == 4 and words[0] == "lognormal":
        sigma = as_sigma(words.pop(2))
    if len(words) == 1:
        fixed = time_ns(words[0])
        return Gap("uniform", fixed, fixed)
    if len(words) != 3 or words[0] not in SHAPES or (words[0] == "lognormal") > bool(sigma):
        raise BadValue(
            f"{value!r} is neither a time nor as 'uniform 20ms 60ms' (from, to)"
            ", 'exponential 50ms 500ms' (mean, at most)"
            " or 'lognormal 50ms 0.5 500ms' (median, sigma, at most)"
        )
    first, most = map(time_ns, words[1:])
    if first > most or not most or (words[0] != "uniform" and not first):
        raise BadValue(f"{value!r}: the second time is below the first, or a mean of 0")
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
# What each kind of [[at]] needs and may have, besides the time.
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "run": (("run",), ("in",)),
    "move": (("move", "to"), ("interruption", "failure", "reestablishment", "queue", "trace")),
    "link": (("link", "state"), ()),
}


def kind_of(have: dict[str, Any], where: str) -> str:
    """Which of them it is; it has the keys of no other."""
    some = [key for key in KINDS if key in have]
    if len(some) != 1:
        raise LabError(f"{where}.run is missing, or 'move' or 'link': exactly one of these")
    need, may = KINDS[some[0]]
    for key in need:
        if key not in have:
            raise LabError(f"{where}.{key} is missing")
    for key in have:
        if key not in ("time", *need, *may):
            raise LabError(f"{where}.{key}: not with '{some[0]}'")
    return some[0]


def cell_of(net: Network, to: str, where: str) -> Cell:
    """A cell by its name or by the node where it is."""
    if to in net.cells:
        return net.cells[to]
    there = [cell for cell in net.cells.values() if cell.at == to]
    if len(there) > 1:
        raise LabError(f"{where}: {to} has the cells {', '.join(c.name for c in there)}; name one")
    if not there:
        known = [*net.cells, *(c.at for c in net.cells.values())]
        raise LabError(f"{where}: no cell '{to}', nor a node with one; {near(to, known)}")
    return there[0]


def read_user(net: Network, user: str, where: str) -> str:
    """A node that can move."""
    if user not in net.nodes:
        raise LabError(f"{where}: {user!r} is unknown; {near(user, list(net.nodes))}")
    home = next((c.name for c in net.cells.values() if user in c.users), None)
    if home is None:
        raise LabError(f"{where}: {user} is in no cell; make it a user of one")
    if len([w for w in net.used() if user in (w.ends[0].node, w.ends[1].node)]) > 1:
        raise LabError(f"{where}: {user} has other links than its cell's; who moves has none")
    for node in net.nodes.values():
        if node.via and (node.name == user or any(matching(pattern, [user]) for pattern in node.via)):
            raise LabError(f"{where}: node.{node.name}.via fixes a way of {user}; who moves has none that is")
    return home


def read_moves(some: list[tuple[int, dict[str, Any]]], net: Network) -> list[Move]:
    """Moves in the order of time, each from where the one before has led."""
    out: list[Move] = []
    last: dict[str, Move] = {}
    for i, have in sorted(some, key=lambda one: int(one[1]["time"])):
        where = f"at.{i}"
        user, time = have["move"], have["time"]
        home = read_user(net, user, f"{where}.move")
        cell = cell_of(net, have["to"], f"{where}.to").name
        before = last.get(user)
        source = before.cell if before else home
        if before and time <= before.until_ns:
            until = as_time(before.until_ns)
            raise LabError(f"{where}.time: {user} moves to {source} until {until}; move it later")
        if source == cell:
            raise LabError(f"{where}.to: {user} is in cell {cell} already at {as_time(time)}")
        gap, again = have.get("interruption", NO_GAP), have.get("reestablishment", REESTABLISHMENT)
        trace = None
        if "trace" in have:
            trace = Trace(have["trace"], bearer=net.cells[cell].number(user))
        queue, failure = have.get("queue", "drop"), have.get("failure", 0)
        last[user] = Move(i, time, user, source, cell, gap, queue, failure, again, trace)
        if last[user].queue == "forward":
            net.forward(source, cell)
        out.append(last[user])
    return out


def read_outage(have: dict[str, Any], where: str, net: Network, links: dict[str, Link]) -> Outage:
    """Of a link by its name, or of one of its directions."""
    asked = have["link"]
    mine = {w.name: [end.way for end in w.ends] for w in net.wires}
    ways = mine.get(asked, [asked])
    wlinks = [way for way in ways if way in links and links[way].kind == "wlink"]
    known = [*(n for n, some in mine.items() if {*some} & {*links}), *links]
    if not {*ways} & {way for some in mine.values() for way in some}:
        raise LabError(f"{where}.link: no link '{asked}'; {near(asked, known)}")
    if len(wlinks) < len(ways):
        raise LabError(f"{where}.link: {asked} is no wlink both ways; only a wlink can be {have['state']}")
    moved = [c for c in net.cells.values() if c.movers and ways[0].rpartition(".")[0] == c.name]
    if moved:
        raise LabError(f"{where}.link: users move in or out of cell {moved[0].name}, which stays up")
    return Outage(have["time"], ways, have["state"] == "up")
