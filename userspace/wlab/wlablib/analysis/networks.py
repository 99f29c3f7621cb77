# SPDX-License-Identifier: GPL-2.0
"""Metrics of a network: throughput of nodes, fairness of cells, utilisation of links."""

import re
from collections.abc import Iterable
from math import fsum
from pathlib import Path
from typing import Any

from ..analysis.traffic import FIRST_USER, Traffic

# (key of a flow's end, name of the metric at the node there).
ENDS = (("to", "received"), ("from", "sent"))
# The link and the bearer of a SDU in the event log.
BEARER = re.compile(rb"^sdu\t-?\d+\t([^\t]+)\t[^\t]+\t\w+\t(\d+)\t", re.MULTILINE)


def jain(values: Iterable[float]) -> float | None:
    """Jain's index: 1 if all values are equal, 1/n if only one is not 0; None if all are 0."""
    some = list(values)
    square = fsum(some) ** 2
    return square / (len(some) * fsum(v * v for v in some)) if square else None


def of_nodes(result: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Payload received and sent by each node after the warm-up, divided by the time since then."""
    span_s = result["ended_s"] - result["warmup_s"]
    out: dict[str, dict[str, float]] = {}
    for flow in result["flows"].values():
        for end, did in ENDS:
            have = out.setdefault(flow[end], {})
            have[f"{did}_bps"] = have.get(f"{did}_bps", 0.0) + 8 * flow["bytes"] / span_s
    return out


def of_some(nodes: dict[str, dict[str, float]], users: Iterable[str]) -> dict[str, float | None]:
    """Sums and fairness over the users that have a flow in a direction."""
    out: dict[str, float | None] = {}
    for _, did in ENDS:
        some = [nodes[u][f"{did}_bps"] for u in users if f"{did}_bps" in nodes.get(u, {})]
        if some:
            out |= {f"{did}_bps": fsum(some), f"{did}_jain": jain(some)}
    return out


def bearers_of(traffic: Traffic, link: str) -> set[int]:
    """The bearers of a cell's users, or else bearer 1 and those that SDUs have come to."""
    users = {m["user"] for m in traffic.result.get("moves", [])}
    users |= {user for cell in traffic.cells.values() for user in cell["users"]}
    some = {n for n in range(FIRST_USER, FIRST_USER + len(users)) if traffic.user(link, n)}
    return some or {1, *(int(n) for where, n in BEARER.findall(traffic.log) if where == link.encode())}


def capacity_bits(traffic: Traffic, link: str) -> float | None:
    """What a link could have carried in the run; None if a rate is unlimited or not known."""
    if grants := traffic.grants(link):
        return 8 * fsum(size for _, size in grants)
    steps = traffic.capacity(link, bearers_of(traffic, link))
    if steps is None:
        return None
    ends = [t for t, _ in steps[1:]] + [traffic.result["ended_s"] * 1e9]
    return fsum(bps * (end - begin) / 1e9 for (begin, bps), end in zip(steps, ends))


def utilisation_percent(link: dict[str, Any], bits: float) -> float:
    """Delivered bits in percent of those that the link could have carried."""
    return float(100 * 8 * link["xstats"]["bytes_delivered"] / bits)


def of_links(traffic: Traffic) -> dict[str, dict[str, float | None]]:
    """Metrics of each direction with a wlink over the whole run; other qdiscs do not count them."""
    out: dict[str, dict[str, float | None]] = {}
    for name, link in traffic.result["links"].items():
        if link["kind"] != "wlink":
            continue
        bits = capacity_bits(traffic, name)
        out[name] = {
            "delivered_bps": 8 * link["xstats"]["bytes_delivered"] / traffic.result["ended_s"],
            # Forwarded SDUs are not lost: another link carries them on.
            "dropped_sdus": sum(n for why, n in link["xstats"]["drops"].items() if why != "forward"),
            "utilisation_percent": utilisation_percent(link, bits) if bits else None,
        }
    return out


def metrics(result: dict[str, Any], cells: dict[str, list[str]], folder: Path) -> dict[str, Any]:
    """`metrics` of result.json; `cells` has the users of each cell."""
    nodes = of_nodes(result)
    all_users = [user for users in cells.values() for user in users]
    out: dict[str, Any] = {
        "nodes": nodes,
        "cells": {name: {"users": users, **of_some(nodes, users)} for name, users in cells.items()},
        # Without a cell all nodes count as users.
        "users": of_some(nodes, all_users if cells else nodes),
    }
    return out | {"links": of_links(Traffic(folder, {**result, "metrics": out}))}


def as_text(figures: dict[str, Any]) -> list[str]:
    """What `wlab run` prints: a line for each node and each cell."""

    def line(name: str, have: dict[str, Any]) -> str:
        words = f"{name:<14}"
        for _, did in ENDS:
            bps, fair = (have.get(f"{did}_{key}") for key in ("bps", "jain"))
            words += "-".rjust(16) if bps is None else f"{bps / 1e3:>16.3f}"
            words += " " * 8 if fair is None else f"{fair:>8.4f}"
        return words.rstrip()

    heads = "".join(f"{f'{did} kbit/s':>16}{'Jain':>8}" for _, did in ENDS)
    lines = [f"{'node':<14}{heads}", *(line(n, one) for n, one in figures["nodes"].items())]
    lines += [line(f"cell {n}", one) for n, one in figures["cells"].items()]
    return [*lines, line("all users", figures["users"])]
