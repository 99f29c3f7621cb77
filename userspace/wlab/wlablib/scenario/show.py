# SPDX-License-Identifier: GPL-2.0
"""A scenario's network as text, as JSON and as a drawing."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..lib.files import write_file
from ..lib.paths import LabError
from .network import Port, Wire
from .scenario import Scenario

FORMATS = ("png", "svg", "pdf", "dot")
ROUTE = ("prefix", "via", "device")


def qdisc(sc: Scenario, way: str) -> str:
    """The qdisc's arguments as in the scenario."""
    link = sc.links.get(way)
    return f"{link.kind} {link.args}".rstrip() if link else ""


def as_dict(sc: Scenario) -> dict[str, Any]:
    """What --json prints."""
    net = sc.net

    def end(port: Port) -> dict[str, str]:
        return {**asdict(port), "qdisc": qdisc(sc, port.way)}

    return {
        "name": sc.name,
        "nodes": [
            {
                "name": node.name,
                "address": node.address,
                "cell": node.name in net.cells,
                "devices": [port.device for port in net.ports(node.name)],
                "forwards": net.forwards(node.name),
                "stack": node.tcp.stack,
                "routes": [{k: getattr(r, k) for k in ROUTE} for r in net.routes.get(node.name, [])],
            }
            for node in net.nodes.values()
        ],
        "links": [
            {
                "name": wire.name,
                "mtu": wire.mtu or 1500,
                "used": wire.name not in net.unused,
                "ends": [end(port) for port in wire.ends],
            }
            for wire in net.wires
        ],
        "cells": [{"name": c.name, "at": c.at, "users": c.users} for c in net.cells.values()],
        "flows": [
            {"name": f.name, "from": f.src, "to": f.dst, "ways": net.ways(f.src, f.dst)} for f in sc.flows
        ],
        "moves": [
            {"time_s": m.time_ns / 1e9, "user": m.user, "from": m.source, "to": m.cell} for m in sc.moves
        ],
        "proxies": [*map(asdict, sc.proxies)],
    }


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Align columns."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    return ["  ".join(word.ljust(w) for word, w in zip(row, widths)).rstrip() for row in [head, *rows]]


def as_text(sc: Scenario) -> str:
    """What `wlab show` prints."""
    data = as_dict(sc)
    nodes = [(n["name"], n["address"], " ".join(n["devices"])) for n in data["nodes"]]
    ends = [
        (
            *(one["way"], one["node"], other["node"], one["device"], one["address"]),
            one["qdisc"] or ("-" if link["used"] else "- (not at the start)"),
        )
        for link in data["links"]
        for one, other in (link["ends"], link["ends"][::-1])
    ]
    routes = [
        (node["name"], *route.values()) for node in data["nodes"] for route in node["routes"]
    ]
    flows = [(f["name"], f["from"], f["to"], " ".join(f["ways"])) for f in data["flows"]]
    parts = [
        table(("NODE", "ADDRESS", "DEVICES"), nodes),
        table(("LINK", "FROM", "TO", "DEVICE", "ADDRESS", "QDISC"), ends),
        table(("NODE", "ROUTE TO", "VIA", "DEVICE"), routes),
    ]
    if flows:
        parts.append(table(("FLOW", "FROM", "TO", "OVER"), flows))
    proxies = [
        (proxy.name, proxy.on, s.client or "any", f"{s.server} {s.port}", s.flow or "-")
        for proxy in sc.proxies
        for s in proxy.splits
    ]
    if proxies:
        parts.append(table(("PROXY", "ON", "FROM", "TO", "FLOW"), proxies))
    if moves := [(f"{m['time_s']:g}s", m["user"], m["from"], m["to"]) for m in data["moves"]]:
        parts.append(table(("AT", "MOVES", "FROM", "TO"), moves))
    return "\n\n".join("\n".join(part) for part in parts)


def quoted(text: str) -> str:
    """A string of DOT, which has the escapes of JSON."""
    return json.dumps(text, ensure_ascii=False)


def as_dot(sc: Scenario) -> str:
    """The network in graphviz's language, an edge for each link."""

    def edge(wire: Wire) -> str:
        a, b = wire.ends
        ways = [f"{port.way}: {qdisc(sc, port.way)}" for port in wire.ends if port.way in sc.links]
        style = f"label={quoted(chr(10).join(ways))}" if ways else "style=dashed"
        return f"  {quoted(a.node)} -- {quoted(b.node)} [{style}];"

    lines = [f"graph {quoted(sc.name)} {{", "  rankdir=LR; node [shape=box]; edge [fontsize=9];"]
    for node in sc.net.nodes.values():
        shape = ", shape=ellipse" if node.name in sc.net.cells else ""
        lines.append(f"  {quoted(node.name)} [label={quoted(node.name + chr(10) + node.address)}{shape}];")
    return "\n".join([*lines, *map(edge, sc.net.used()), "}"]) + "\n"


def draw(sc: Scenario, path: Path) -> None:
    """Draw the network in the format of the file's suffix."""
    file_format = path.suffix.removeprefix(".")
    if file_format not in FORMATS:
        raise LabError(f"{path}: a drawing's name ends with .{', .'.join(FORMATS)}")
    if file_format == "dot":
        write_file(path, as_dot(sc))
        return
    if not shutil.which("dot"):
        raise LabError("dot is missing: apt install graphviz, or name a file that ends with .dot")
    done = subprocess.run(
        ["dot", f"-T{file_format}"], input=as_dot(sc).encode(), capture_output=True, check=False
    )
    if done.returncode:
        raise LabError(f"dot: {done.stderr.decode(errors='replace').strip()}")
    write_file(path, done.stdout)
