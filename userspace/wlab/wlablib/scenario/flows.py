# SPDX-License-Identifier: GPL-2.0
"""The flows of a scenario: parsed and checked."""

import hashlib
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Annotated, Any

from ..lib.keys import Table, name, one_of, real, text, whole, yes_no
from ..lib.kinds import by_field, checked, keys_of
from ..lib.paths import LabError
from ..lib.units import as_time, near, rate_bps, size_bytes, time_ns
from .controls import control
from .loads import Loads
from .network import Network, reachable

# Headers of IP and UDP, or of IP and ICMP; those of IPv6 are longer by so much.
HEADERS, IPV6_MORE = 28, 20
# What the guest puts at least into a packet: a number and a time; of a ping its number.
OWN, OWN_PING = 16, 8
PACKET_MAX = 1500
# Of a request or answer over TCP.
MESSAGE_MAX = 1 << 20
# By their numbers in the guest (guest/flow/ping.c).
PROTOCOLS = ("icmp", "udp", "tcp")
INTERVAL_MIN_NS = 1000
COUNT_MAX = 64
# What the pages of web flows are made of, by their numbers in the guest (guest/web/web.c).
PAGES = ("mah", "2011")
# The first ports of flows, each of which has one of its own of both; a web flow's server sends.
SEND_PORT = 10001
RECEIVE_PORT = 20001


def own_seed(seed: int, which: str) -> int:
    """Derive the seed of one link or flow, so that each has random numbers of its own."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{which}".encode()).digest()[:8], "big")


span_ns = checked(time_ns, bool, "a mean length of 0")
interval = checked(time_ns, INTERVAL_MIN_NS.__le__, "{1} ns is below 1000 ns")
some_bytes = checked(size_bytes, bool, "a mean of 0 bytes")
sending_bps = checked(rate_bps, bool, "a rate of 0 sends nothing")
# The coefficient of variation of sizes, from exponential ones on.
variation = real(1, 10)

# The kinds of flow that a key belongs to; other keys belong to all kinds.
WEB, LOAD, PING = ("web",), ("load",), ("ping",)
TCP, SIZED = ("tcp", "web"), ("udp", "media", "load", "ping")


@dataclass
class Flow:
    """One flow; keys that its kind does not have keep their defaults."""

    name: Annotated[str, name]
    kind: Annotated[str, one_of("tcp", "udp", "web", "media", "load", "ping")]
    # The names of two nodes.
    src: Annotated[str, text, "from"] = "server"
    dst: Annotated[str, text, "to"] = "ue"
    direction: Annotated[str, one_of("down", "up"), ("tcp", *SIZED)] = "down"
    start_ns: Annotated[int, time_ns, "start"] = 0
    stop_ns: Annotated[int | None, time_ns, "stop"] = None
    bytes: Annotated[int, size_bytes, ("tcp", "udp")] = 0
    rate_bps: Annotated[int, sending_bps, "rate", ("udp", "media", "load")] = 0
    size: Annotated[int, size_bytes, SIZED] = 1500
    congestion: Annotated[str | None, control, TCP] = None
    read: Annotated[int | None, size_bytes, TCP] = None
    connections: Annotated[int, whole(1, 16), WEB] = 1
    pipeline: Annotated[bool, yes_no, WEB] = False
    persistent: Annotated[bool, yes_no, WEB] = True
    pages: Annotated[str, one_of(*PAGES), WEB] = PAGES[0]
    think_ns: Annotated[int, time_ns, "think", WEB] = 0
    talk_ns: Annotated[int, span_ns, "talk", ("media",)] = 0
    silence_ns: Annotated[int, time_ns, "silence", ("media",)] = 0
    arrival_ns: Annotated[int, span_ns, "arrival", LOAD] = 0
    transfer: Annotated[int, some_bytes, LOAD] = 0
    cv: Annotated[float, variation, LOAD] = 1.0
    protocol: Annotated[str, one_of(*PROTOCOLS), PING] = PROTOCOLS[0]
    answer: Annotated[int, size_bytes, PING] = 0
    interval_ns: Annotated[int, interval, "interval", PING] = 0
    random: Annotated[bool, yes_no, PING] = False
    pings: Annotated[int, whole(1, 10**9), PING] = 0
    # A file and, once that is found, what it says.
    loads: Annotated[str, text, LOAD] = ""
    steps: Loads = field(default_factory=list)

    @property
    def transport(self) -> str:
        """The protocol of its packets."""
        return self.protocol if self.kind == "ping" else "tcp" if self.kind in ("tcp", "web") else "udp"


ONLY = {key: one.words[0] for key, one in keys_of(Flow).items() if one.words}
# A load is a recorded one, or has these.
DRAWN = ("rate", "arrival", "transfer")
DEFAULTS: dict[str, dict[str, Any]] = {
    "media": {"rate": 56_000, "size": 250, "talk": 10**9, "silence": 1_350_000_000},
    # As ping(8).
    "ping": {"size": 84, "interval": 10**9},
}
# Without a default of all kinds.
OF_KIND = (*(key for one in DEFAULTS.values() for key in one), *DRAWN, "answer", "pings", "from", "to")
RULES = {
    "dependentSchemas": {key: {"properties": {"kind": {"enum": list(kinds)}}} for key, kinds in ONLY.items()},
    "if": {"properties": {"kind": {"enum": ["udp"]}}},
    "then": {"required": ["rate"]},
}
OF_FLOW = Table.of(Flow, RULES, **dict.fromkeys(OF_KIND))
FLOW = replace(OF_FLOW, keys={**OF_FLOW.keys, "count": whole(1, COUNT_MAX)})
def read_ends(keys: dict[str, Any], where: str, net: Network) -> list[tuple[str, str, str]]:
    """(suffix of the name, from, to) of each flow that a [[flow]] stands for."""
    if net.short:
        for key in ("from", "to"):
            if key in keys:
                raise LabError(f"{where}.{key}: use 'direction' between server and UE")
        down = keys.get("direction", "down") == "down"
        return [("", "server", "ue") if down else ("", "ue", "server")]
    if "direction" in keys:
        raise LabError(f"{where}.direction: use 'from' and 'to' in a network")
    for key in ("from", "to"):
        if key not in keys:
            raise LabError(f"{where}.{key} is missing: the node; {near('', list(net.nodes))}")
    ends = {key: net.named(keys.pop(key), f"{where}.{key}") for key in ("from", "to")}
    pairs = [(a, b) for a in ends["from"] for b in ends["to"]]
    if min(map(len, ends.values())) > 1:
        raise LabError(f"{where}: 'from' and 'to' both name several nodes; one of them must be a single node")
    for a, b in pairs:
        if a == b:
            raise LabError(f"{where}: from {a} to itself; name another node")
        reachable(net, a, b, where)
    many = "to" if len(ends["to"]) > 1 else "from"
    return [(f".{b if many == 'to' else a}" if len(pairs) > 1 else "", a, b) for a, b in pairs]


def check_flow(keys: dict[str, Any], where: str, duration: int) -> None:
    """Check the keys against the flow's kind and the run's duration."""
    kind = keys["kind"]
    for key, kinds in ONLY.items():
        if key in keys and kind not in kinds:
            others = ", ".join(kinds[:-1])
            raise LabError(
                f"{where}.{key}: only {others + ' and ' if others else ''}{kinds[-1]} flows have it"
            )
    if kind == "udp" and "rate" not in keys:
        raise LabError(f"{where}.rate is missing")
    if kind == "load":
        check_load(keys, where)
    for key in ("start", "stop"):
        if keys.get(key, 0) > duration:
            raise LabError(f"{where}.{key}: after the end of the run")
    if "stop" in keys and keys["stop"] <= keys.get("start", 0):
        raise LabError(f"{where}.stop: not after its start")
    if keys.get("pipeline") and not keys.get("persistent", True):
        raise LabError(f"{where}.pipeline: needs persistent connections")


def check_sizes(keys: dict[str, Any], where: str, ipv6: bool) -> None:
    """Check sizes: of packets, or of what a ping over TCP sends."""
    least = HEADERS + (IPV6_MORE if ipv6 else 0) + (OWN_PING if keys["kind"] == "ping" else OWN)
    most = PACKET_MAX
    if keys.get("protocol") == "tcp":
        least, most = 1, MESSAGE_MAX
    for key in ("size", "answer"):
        if key in keys and not least <= keys[key] <= most:
            raise LabError(f"{where}.{key}: {keys[key]} is outside {least}..{most} bytes")


def check_ping(keys: dict[str, Any], where: str, duration: int) -> None:
    """Check that all pings fit into the run, and that an answer can have its size; complete the keys."""
    if keys.get("protocol", PROTOCOLS[0]) == "icmp" and keys.get("answer", keys["size"]) != keys["size"]:
        raise LabError(f"{where}.answer: an echo of ICMP is as long as its request; over udp and tcp not")
    keys.setdefault("answer", keys["size"])
    until, start, pings = keys.get("stop", duration), keys.get("start", 0), keys.get("pings", 0)
    if start + max(0, pings - 1) * keys["interval"] >= until:
        fit = -(-(until - start) // keys["interval"])
        end = "the flow stops" if "stop" in keys else "the run ends"
        raise LabError(
            f"{where}.pings: {pings} of them, one in {as_time(keys['interval'])}, are more than the {fit}"
            f" that go before {end}"
        )


def check_load(keys: dict[str, Any], where: str) -> None:
    """Check that a load is either recorded or drawn."""
    for key in (*DRAWN, "cv"):
        if "loads" in keys and key in keys:
            raise LabError(f"{where}.{key}: not with 'loads', which has the rates")
        if "loads" not in keys and key in DRAWN and key not in keys:
            raise LabError(f"{where}.{key} is missing: a load has {', '.join(DRAWN)}, or 'loads'")


def short_q32(cv: float) -> int:
    """The probability of a short transfer, times 2^32: hyper-exponential with balanced means."""
    square = cv * cv
    return round(2**31 * (1 + sqrt((square - 1) / (square + 1))))


def read_flow(value: object, index: int, duration: int, net: Network) -> tuple[str, list[Flow]]:
    """Parse a [[flow]]: its name, and the flows that it stands for."""
    keys = FLOW.read(value, f"flow.{index}")
    where = f"flow.{keys['name']}"
    check_flow(keys, where, duration)
    ends = read_ends(keys, where, net)
    count = keys.pop("count", None)
    keys = {**DEFAULTS.get(keys["kind"], {}), **keys}
    check_sizes(keys, where, net.ipv6)
    if keys["kind"] == "ping":
        check_ping(keys, where, duration)
    prototype = Flow(**by_field(Flow, keys))
    flows = [replace(prototype, name=prototype.name + suffix, src=a, dst=b) for suffix, a, b in ends]
    if count is not None:
        flows = [
            replace(f, name=f"{f.name}{'' if f.name == prototype.name else '.'}{i}")
            for f in flows
            for i in range(1, count + 1)
        ]
    return prototype.name, flows


def words(flow: Flow, read: int, ipv6: bool) -> str:
    """The parameters of a flow for the guest beyond those of all kinds."""
    headers = 0 if flow.transport == "tcp" else HEADERS + (IPV6_MORE if ipv6 else 0)
    pairs: dict[str, dict[str, int | str]] = {
        "tcp": {"bytes": flow.bytes, "read": read},
        "udp": {"bytes": flow.bytes, "rate": flow.rate_bps, "size": flow.size},
        "web": {
            "connections": flow.connections,
            "pipeline": int(flow.pipeline),
            "persistent": int(flow.persistent),
            "pages": PAGES.index(flow.pages),
            "think": flow.think_ns,
            "read": read,
        },
        "media": {
            "rate": flow.rate_bps,
            "size": flow.size,
            "talk": flow.talk_ns,
            "silence": flow.silence_ns,
        },
        "ping": {
            "over": PROTOCOLS.index(flow.protocol),
            "request": flow.size - headers,
            "answer": flow.answer - headers,
            "interval": flow.interval_ns,
            "random": int(flow.random),
            "pings": flow.pings,
        },
        "load": {"size": flow.size, "loads": ",".join(f"{at_ns}:{bps}" for at_ns, bps in flow.steps)}
        if flow.steps
        else {
            "rate": flow.rate_bps,
            "size": flow.size,
            "arrival": flow.arrival_ns,
            "transfer": flow.transfer,
            "short": short_q32(flow.cv),
        },
    }
    return " ".join(f"{k}={v}" for k, v in pairs[flow.kind].items())
