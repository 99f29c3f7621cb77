# SPDX-License-Identifier: GPL-2.0
"""The commands of tc and ip by which the guest performs timed events (guest/process/batch.c).

A user has a link to each cell that it ever visits, and routes select one of them. A cell has a
class and a filter for its present users only. Virtual time stands still while commands run.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..scenario.events import Move, Outage
from ..scenario.link import WAYS, Link
from ..scenario.network import Cell, Network, Port, hops
from ..scenario.scenario import Scenario
from ..scenario.wlinkctl import check
from . import haproxy, traces

# The routing table of a cell's hub: packets that have crossed the air go to their user.
TABLE = 100
# The tables of a cell's node for users that have left: their packets go to the new cell's hub.
FIRST_PREF, FIRST_TABLE = 50, 101
# The time between two commands of which the second depends on the first, which other processes run.
STEP_NS, REAL_STEP_NS = 250_000, 10_000_000


def set_up(sc: Scenario) -> dict[str, list[str]]:
    """Lines of `ip -batch` by node, for cells that users enter or leave."""
    out = {}
    for cell in sc.net.cells.values():
        if not cell.movers:
            continue
        user_wires = [
            w for w in sc.net.wires if w.name.startswith(f"{cell.name}.") and w.ends[0].node == cell.name
        ]
        air = next(w for w in sc.net.wires if w.name == cell.name)
        out[cell.name] = [
            f"rule add pref {TABLE} iif {air.near(cell.name).device} lookup {TABLE}",
            *(
                f"route add {far.ip} via {far.ip} dev {w.near(cell.name).device} onlink table {TABLE}"
                for w in user_wires
                for far in [w.far(cell.name)]
            ),
        ]
    for (source, user), table in away_tables(sc.net).items():
        port = sc.net.port(f"{source}.down")
        rule = f"rule add pref {FIRST_PREF} iif {port.device} from {sc.net.nodes[user].alone} lookup {table}"
        out.setdefault(port.node, []).append(rule)
    return out


def away_tables(net: Network) -> dict[tuple[str, str], int]:
    """The table of each (forwarding cell, user), empty until the user leaves."""
    sources = dict.fromkeys(source for source, _ in net.forwarding)
    users = [(source, user) for source in sources for user in net.cells[source].movers]
    return {pair: table for table, pair in enumerate(users, FIRST_TABLE)}


def sysctl_lines(sc: Scenario) -> list[str]:
    """Lines of the plan that allow a node to send packets back where they came from."""
    keys = {"all.accept_local": 1, "all.send_redirects": 0, "default.send_redirects": 0} if sc.moves else {}
    return [f"sysctl {node} net.ipv4.conf.{key} {v}" for node in sc.net.nodes for key, v in keys.items()]


def options(link: Link, classes: list[str]) -> list[dict[str, Any]]:
    """What bearer 1 of a link and classes of it begin with, as tc(8) prints it."""
    words = [line.partition(" wlink")[2].strip() for line in classes]
    answers = check((f"qdisc {link.args}", *(f"class {class_args}".rstrip() for class_args in words)))
    return [dict(answer["options"]) for answer in answers]


def rates(link: Link) -> list[str]:
    """The rates of bearer 1 and of the link's classes, as arguments of tc."""
    rates_bps = [one["rate_bps"] for one in options(link, link.classes)]
    return ["unlimited" if bps is None else str(bps) for bps in rates_bps]


def bearers(sc: Scenario, name: str) -> dict[str, dict[str, Any]]:
    """The rate and the limit of each bearer but 1 that a link has or will have, by its number."""
    link, (cell_name, _, way) = sc.links[name], name.rpartition(".")
    cell = sc.net.cells.get(cell_name)
    later = [user for user in cell.movers if user not in cell.users] if cell else []
    classes = [*link.classes, *(sc.net.bearer(cell, user, way)[0] for user in later if cell)]
    if link.kind != "wlink" or not classes:
        return {}
    numbers = [int(line.split()[1].partition(":")[2], 16) for line in classes]
    return {
        str(number): {k: v for k, v in one.items() if k == "rate_bps" or k.startswith("limit_")}
        for number, one in zip(numbers, options(link, classes)[1:])
    }


@dataclass(frozen=True)
class Line:
    """A timed command of a tool of iproute2 in a node."""

    time_ns: int
    node: str
    tool: str
    text: str

    def __str__(self) -> str:
        return f"batch {self.node} {self.time_ns} {self.tool} {self.text}"


def rate_line(time_ns: int, port: Port, number: str, rate: str) -> Line:
    """Set a bearer's rate; 0 is an outage."""
    words = f"class change dev {port.device} parent 1: classid {number} wlink rate {rate}"
    return Line(time_ns, port.node, "tc", words)


def route_line(time_ns: int, ends: tuple[Port, Port], prefix: str, table: int) -> Line:
    """Route a prefix over a link, from its first end to the other."""
    near, far = ends
    words = f"route replace {prefix} via {far.ip} dev {near.device} onlink table {table}"
    return Line(time_ns, near.node, "ip", words)


class Cells:
    """The classes of the cells as users move."""

    def __init__(self, sc: Scenario, step_ns: int, folder: Path) -> None:
        self.sc, self.net = sc, sc.net
        self.step_ns = step_ns
        self.folder = folder
        # Pairs of cell and user whose downlink bearer has a schedule.
        self.playing = {(where.partition(".")[0], u) for where, one in sc.links.items() for u in one.traces}
        self.rates = {
            f"{name}.{way}": rates(Link("wlink", sc.links[f"{name}.{way}"].args, [f"- {cell.bearer}"]))[1]
            for name, cell in sc.net.cells.items()
            for way in WAYS
            if cell.movers
        }
        self.members = {(cell.name, user) for cell in sc.net.cells.values() for user in cell.users}
        self.tables = away_tables(sc.net)
        # By (cell, user) that has left with packets behind it: where its table leads.
        self.away: dict[tuple[str, str], tuple[Port, Port]] = {}

    def admit(self, time_ns: int, cell: Cell, user: str, gap: bool) -> list[Line]:
        """Add the user's class and filter in both directions, with rate 0 during an interruption."""
        new = (cell.name, user) not in self.members
        out = []
        if (cell.name, user) in self.away:
            out += [*self.lead_back(time_ns, cell, user), *([] if gap else self.resume(time_ns, cell, user))]
        self.members.add((cell.name, user))
        for way in WAYS:
            port = self.net.port(f"{cell.name}.{way}")
            class_line, filter_line = self.net.bearer(cell, user, way)
            number = cell.number(user)
            lines = [
                f"class add dev {port.device} parent 1: {class_line}",
                f"filter add dev {port.device} parent 1: pref {number} {filter_line}",
            ]
            out += [Line(time_ns, port.node, "tc", line) for line in lines if new]
            if gap:
                out.append(rate_line(time_ns, port, f"1:{number:x}", "0"))
        return out

    def lead(self, time_ns: int, source: Cell, cell: Cell, user: str) -> list[Line]:
        """Route packets that leave the old cell's air to or from a user to the new cell."""
        down, up = (wire.ends for wire in self.net.forwarding[source.name, cell.name])
        prefix = self.net.nodes[user].alone
        self.away[source.name, user] = up
        return [
            route_line(time_ns, down, prefix, TABLE),
            route_line(time_ns, up, "default", self.tables[source.name, user]),
        ]

    def lead_back(self, time_ns: int, cell: Cell, user: str) -> list[Line]:
        """Undo lead() for a user that returns to the cell."""
        near, far = self.away.pop((cell.name, user))
        wire = next(w for w in self.net.wires if w.name == cell.wire(user))
        table = self.tables[cell.name, user]
        return [
            route_line(time_ns, wire.ends, self.net.nodes[user].alone, TABLE),
            Line(time_ns, cell.at, "ip", f"route del default via {far.ip} dev {near.device} table {table}"),
        ]

    def forward(self, time_ns: int, cell: Cell, user: str) -> list[Line]:
        """Forward at once what a user's bearers hold."""
        ports = [self.net.port(f"{cell.name}.{way}") for way in WAYS]
        number = cell.number(user)
        return [
            Line(time_ns, port.node, "wlinkctl", f"bearer forward {port.device} bearer {number}")
            for port in ports
        ]

    def release(self, time_ns: int, cell: Cell, user: str) -> list[Line]:
        """Remove the user's class and filter; queued packets are dropped."""
        self.members.discard((cell.name, user))
        out = []
        for way in WAYS:
            port = self.net.port(f"{cell.name}.{way}")
            number = cell.number(user)
            out += [
                Line(time_ns, port.node, "tc", f"filter del dev {port.device} parent 1: pref {number}"),
                Line(time_ns, port.node, "tc", f"class del dev {port.device} classid 1:{number:x}"),
            ]
        return out

    def play(self, time_ns: int, cell: Cell, move: Move) -> list[Line]:
        """Start the schedule of the downlink bearer in the new cell."""
        if move.trace is None:
            return []
        self.playing.add((cell.name, move.user))
        port = self.net.port(f"{cell.name}.down")
        whom = f"{port.device} bearer {move.trace.bearer}"
        _, words = traces.schedule_of(self.sc, port.device, move.trace)
        texts = [f"load {whom} {self.folder / file_of(move)}", f"start {whom} {words} start now"]
        return [Line(time_ns, port.node, "wlinkctl", f"schedule {text}") for text in texts]

    def stop(self, time_ns: int, cell: Cell, user: str) -> list[Line]:
        """Stop the schedule, which would override a rate of 0."""
        if (cell.name, user) not in self.playing:
            return []
        self.playing.discard((cell.name, user))
        port = self.net.port(f"{cell.name}.down")
        words = f"schedule stop {port.device} bearer {cell.number(user)}"
        return [Line(time_ns, port.node, "wlinkctl", words)]

    def resume(self, time_ns: int, cell: Cell, user: str) -> list[Line]:
        """Restore the rate of the user's bearers after an interruption."""
        ways = [f"{cell.name}.{way}" for way in WAYS]
        number = f"1:{cell.number(user):x}"
        return [rate_line(time_ns, self.net.port(way), number, self.rates[way]) for way in ways]


def routes(sc: Scenario, move: Move, time_ns: int) -> list[Line]:
    """Change the routes to the user, and the user's default route."""
    net = sc.net
    old, new = (hops(net, move.user, cell) for cell in (move.source, move.cell))
    changed = {node: wire for node, wire in new.items() if old.get(node) is not wire}
    ways = [(move.user, "default", move.cell, new[move.cell])]
    ways += [(node, net.nodes[move.user].alone, move.user, wire) for node, wire in changed.items()]
    out = []
    for node, prefix, peer, wire in ways:
        words = f"route replace {prefix} via {wire.far(node).ip} dev {wire.near(node).device} onlink"
        words = f"{words} {haproxy.route(sc, node, peer)}".rstrip()
        out.append(Line(time_ns, node, "ip", words))
    return out


def forward(sc: Scenario, cells: Cells, move: Move) -> list[Line]:
    """Forward what the old cell holds, and what still arrives there.

    The old bearer stays, so that the result does not depend on the timing of processes.
    """
    source, cell = (sc.net.cells[name] for name in (move.source, move.cell))
    times = [move.time_ns + i * cells.step_ns for i in range(4)]
    number = f"1:{source.number(move.user):x}"
    ports = [sc.net.port(f"{source.name}.{way}") for way in WAYS]
    ways = routes(sc, move, times[2])
    return [
        *cells.stop(times[0], source, move.user),
        *(rate_line(times[0], port, number, "0") for port in ports),
        *cells.lead(times[0], source, cell, move.user),
        # The new cell has its route before the first forwarded packet arrives.
        *(replace(line, time_ns=times[0]) for line in ways if line.node == cell.at),
        *cells.forward(times[1], source, move.user),
        *(line for line in ways if line.node != cell.at),
        *cells.forward(times[3], source, move.user),
    ]


def of_move(sc: Scenario, cells: Cells, move: Move, seed: int) -> list[Line]:
    """The commands of one move."""
    source, cell = (sc.net.cells[name] for name in (move.source, move.cell))
    gap_ns = move.gap_ns(seed)
    out = cells.admit(move.time_ns, cell, move.user, gap_ns > 0)
    if move.queue == "forward":
        out += forward(sc, cells, move)
    else:
        out += routes(sc, move, move.time_ns)
    if move.queue == "drop":
        out += cells.release(move.time_ns, source, move.user)
    if gap_ns:
        out += cells.resume(move.time_ns + gap_ns, cell, move.user)
    # tc has added the class before.
    return out + cells.play(move.time_ns + max(gap_ns, cells.step_ns), cell, move)


def of_outage(sc: Scenario, outage: Outage, step_ns: int) -> list[Line]:
    """Set the rates of all bearers of the directions to 0, or back to those of the scenario.

    What waits is dropped by a limit of 1, until that has taken effect, at the latest two TTIs later.
    """
    out = []
    for way in outage.ways:
        port, link = sc.net.port(way), sc.links[way]
        numbers = ["1:1", *(line.split()[1] for line in link.classes)]
        for number, rate in zip(numbers, rates(link)):
            words = rate if outage.up else "0 limit 1" if outage.drop else "0"
            out.append(rate_line(outage.time_ns, port, number, words))
        again_ns = outage.time_ns + max(step_ns, 2 * link.options["tti_ns"])
        for number, one in zip(numbers, options(link, link.classes)) if outage.drop else ():
            change = f"class change dev {port.device} parent 1: classid {number} wlink {limit(one)}"
            out.append(Line(again_ns, port.node, "tc", change))
    return out


def limit(one: dict[str, Any]) -> str:
    """A bearer's limit, as arguments of tc."""
    units = {"limit_packets": "", "limit_bytes": "b", "limit_ns": "ns"}
    return next(f"limit {one[key]}{unit}" for key, unit in units.items() if one.get(key) is not None)


def file_of(move: Move) -> str:
    return f"move.{move.index}"


def write(sc: Scenario, out: Path) -> None:
    """The schedules that moves start."""
    for move in sc.moves:
        if move.trace:
            text, _ = traces.schedule_of(sc, f"{move.cell}.down", move.trace)
            (out / file_of(move)).write_text(text)


def lines(sc: Scenario, seed: int, real: bool, folder: Path = Path()) -> list[Line]:
    """The commands of all events, in the order of time; what write() has written is in the folder."""
    cells = Cells(sc, REAL_STEP_NS if real else STEP_NS, folder)
    out = [one for move in sc.moves for one in of_move(sc, cells, move, seed)]
    out += [one for outage in sc.outages for one in of_outage(sc, outage, cells.step_ns)]
    return sorted((one for one in out if one.time_ns < sc.duration_ns), key=lambda one: one.time_ns)


def moves(sc: Scenario, seed: int) -> list[dict[str, Any]]:
    """The moves as result.json has them."""
    return [
        {
            "time_s": move.time_ns / 1e9,
            "user": move.user,
            "from": move.source,
            "to": move.cell,
            "interruption_ns": move.gap_ns(seed),
            **({"failed": move.fails(seed)} if move.failure else {}),
        }
        for move in sc.moves
    ]
