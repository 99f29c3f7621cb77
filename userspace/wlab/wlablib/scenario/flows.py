# SPDX-License-Identifier: GPL-2.0
"""The flows of a scenario: what each kind has, and what is wrong with it."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from ..lib.keys import Table, name, one_of, text, whole, yes_no
from ..lib.kinds import Kind, defaults, kind
from ..lib.paths import LabError
from ..lib.units import BadValue, near, rate_bps, size_bytes, time_ns
from .network import Network, reachable
from .tcp import CONGESTION

# IP, UDP, and what the guest writes in each packet.
UDP_MIN = 28 + 16
UDP_IPV6_MIN = 48 + 16
COUNT_MAX = 64


@dataclass
class Flow:
    """One flow of packets; what its kind does not have stays as it is here."""

    name: str
    kind: str
    # Nodes.
    src: str = "server"
    dst: str = "ue"
    direction: str = "down"
    start_ns: int = 0
    stop_ns: int | None = None
    bytes: int = 0
    rate_bps: int = 0
    size: int = 1500
    congestion: str | None = None
    read: int | None = None
    connections: int = 1
    pipeline: bool = False
    persistent: bool = True
    think_ns: int = 0
    talk_ns: int = 0
    silence_ns: int = 0

    @property
    def transport(self) -> str:
        """What its packets are to the log."""
        return "tcp" if self.kind in ("tcp", "web") else "udp"


def own_seed(seed: int, which: str) -> int:
    """Each link and each flow has random numbers of its own."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{which}".encode()).digest()[:8], "big")


@kind(**size_bytes.schema)
def packet(value: object) -> int:
    size = size_bytes(value)
    if not UDP_MIN <= size <= 1500:
        raise BadValue(f"{size} is outside {UDP_MIN}..1500 bytes")
    return size


@kind(**time_ns.schema)
def span_ns(value: object) -> int:
    """A time that is not 0."""
    ns = time_ns(value)
    if not ns:
        raise BadValue("a time of 0 makes no spurts")
    return ns


@kind(**rate_bps.schema)
def sending_bps(value: object) -> int:
    bps = rate_bps(value)
    if not bps:
        raise BadValue("a rate of 0 sends nothing")
    return bps


KEYS: dict[str, Kind[Any]] = {
    "name": name,
    "kind": one_of("tcp", "udp", "web", "media"),
    "count": whole(1, COUNT_MAX),
    "direction": one_of("down", "up"),
    "from": text,
    "to": text,
    "start": time_ns,
    "stop": time_ns,
    "bytes": size_bytes,
    "rate": sending_bps,
    "size": packet,
    "congestion": one_of(*CONGESTION),
    "read": size_bytes,
    "connections": whole(1, 16),
    "pipeline": yes_no,
    "persistent": yes_no,
    "think": time_ns,
    "talk": span_ns,
    "silence": time_ns,
}
# Which kinds have a key; a key that is not here is for all of them.
ONLY = {
    "direction": ("tcp", "udp", "media"),
    "bytes": ("tcp", "udp"),
    "rate": ("udp", "media"),
    "size": ("udp", "media"),
    "congestion": ("tcp", "web"),
    "read": ("tcp", "web"),
    "connections": ("web",),
    "pipeline": ("web",),
    "persistent": ("web",),
    "think": ("web",),
    "talk": ("media",),
    "silence": ("media",),
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "media": {"rate": 56_000, "size": 250, "talk": 10**9, "silence": 1_350_000_000},
}
FLOW = Table(
    KEYS,
    ("name", "kind"),
    {k: v for k, v in defaults(Flow).items() if k in KEYS and k not in DEFAULTS["media"]},
    {
        "dependentSchemas": {
            key: {"properties": {"kind": {"enum": list(kinds)}}} for key, kinds in ONLY.items()
        },
        "if": {"properties": {"kind": {"enum": ["udp"]}}},
        "then": {"required": ["rate"]},
    },
)
RENAMED = {
    "from": "src",
    "to": "dst",
    "start": "start_ns",
    "stop": "stop_ns",
    "rate": "rate_bps",
    "think": "think_ns",
    "talk": "talk_ns",
    "silence": "silence_ns",
}


def read_ends(have: dict[str, Any], where: str, net: Network) -> list[tuple[str, str, str]]:
    """(what is added to the name, from, to) of each flow that it stands for."""
    if net.short:
        for key in ("from", "to"):
            if key in have:
                raise LabError(f"{where}.{key}: between server and UE it is 'direction' that says it")
        down = have.get("direction", "down") == "down"
        return [("", "server", "ue") if down else ("", "ue", "server")]
    if "direction" in have:
        raise LabError(f"{where}.direction: in a network it is 'from' and 'to' that say it")
    for key in ("from", "to"):
        if key not in have:
            raise LabError(f"{where}.{key} is missing: the node; {near('', list(net.nodes))}")
    some = {key: net.named(have.pop(key), f"{where}.{key}") for key in ("from", "to")}
    pairs = [(a, b) for a in some["from"] for b in some["to"]]
    if min(map(len, some.values())) > 1:
        raise LabError(f"{where}: both ends are several nodes; one must be one")
    for a, b in pairs:
        if a == b:
            raise LabError(f"{where}: from {a} to itself; name another node")
        reachable(net, a, b, where)
    many = "to" if len(some["to"]) > 1 else "from"
    return [(f".{b if many == 'to' else a}" if len(pairs) > 1 else "", a, b) for a, b in pairs]


def judge_flow(have: dict[str, Any], where: str, duration: int) -> None:
    """What its kind and its times allow."""
    kind = have["kind"]
    for key, kinds in ONLY.items():
        if key in have and kind not in kinds:
            some = ", ".join(kinds[:-1])
            raise LabError(f"{where}.{key}: only {some + ' and ' if some else ''}{kinds[-1]} flows have it")
    if kind == "udp" and "rate" not in have:
        raise LabError(f"{where}.rate is missing")
    for key in ("start", "stop"):
        if have.get(key, 0) > duration:
            raise LabError(f"{where}.{key}: after the end of the run")
    if "stop" in have and have["stop"] <= have.get("start", 0):
        raise LabError(f"{where}.stop: not after its start")
    if have.get("pipeline") and not have.get("persistent", True):
        raise LabError(f"{where}.pipeline: needs persistent connections")


def read_flow(value: object, index: int, duration: int, net: Network) -> tuple[str, list[Flow]]:
    """The name of a [[flow]] and the flows that it stands for."""
    have = FLOW.read(value, f"flow.{index}")
    where = f"flow.{have['name']}"
    judge_flow(have, where, duration)
    ends = read_ends(have, where, net)
    count = have.pop("count", None)
    have = {**DEFAULTS.get(have["kind"], {}), **have}
    if net.ipv6 and have.get("size", UDP_IPV6_MIN) < UDP_IPV6_MIN:
        raise LabError(f"{where}.size: {have['size']} is below {UDP_IPV6_MIN}, the least by IPv6")
    one = Flow(**{RENAMED.get(k, k): v for k, v in have.items()})
    some = [replace(one, name=one.name + more, src=a, dst=b) for more, a, b in ends]
    if count is not None:
        some = [
            replace(f, name=f"{f.name}{'' if f.name == one.name else '.'}{i}")
            for f in some
            for i in range(1, count + 1)
        ]
    return one.name, some


def words(flow: Flow, read: int) -> str:
    """What the guest is to know of a flow beyond what all kinds have."""
    pairs = {
        "tcp": {"bytes": flow.bytes, "read": read},
        "udp": {"bytes": flow.bytes, "rate": flow.rate_bps, "size": flow.size},
        "web": {
            "connections": flow.connections,
            "pipeline": int(flow.pipeline),
            "persistent": int(flow.persistent),
            "think": flow.think_ns,
            "read": read,
        },
        "media": {
            "rate": flow.rate_bps,
            "size": flow.size,
            "talk": flow.talk_ns,
            "silence": flow.silence_ns,
        },
    }
    return " ".join(f"{k}={v}" for k, v in pairs[flow.kind].items())
