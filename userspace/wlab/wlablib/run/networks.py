# SPDX-License-Identifier: GPL-2.0
"""Metrics of a network: what each node has sent and received, how fair its cells are, what links carry."""

from collections.abc import Iterable
from math import fsum
from pathlib import Path
from typing import Any

from ..lib.units import UNLIMITED_BPS
from .resultfile import rows

# Of a node: the end of a flow at which it counts, and what is said of the node then.
ENDS = (("to", "received"), ("from", "sent"))


def jain(values: Iterable[float]) -> float | None:
    """Jain's index: 1 where all have the same, 1/n where one has all; None where nobody has anything."""
    some = list(values)
    square = fsum(some) ** 2
    return square / (len(some) * fsum(v * v for v in some)) if square else None


def of_nodes(result: dict[str, Any]) -> dict[str, dict[str, float]]:
    """By node, payload that it has received and sent since the warm-up, by the time since then."""
    span_s = result["ended_s"] - result["warmup_s"]
    out: dict[str, dict[str, float]] = {}
    for flow in result["flows"].values():
        for end, did in ENDS:
            have = out.setdefault(flow[end], {})
            have[f"{did}_bps"] = have.get(f"{did}_bps", 0.0) + 8 * flow["bytes"] / span_s
    return out


def of_some(nodes: dict[str, dict[str, float]], users: Iterable[str]) -> dict[str, float | None]:
    """Sums and fairness of those users that have a flow; a way that none has is left out."""
    out: dict[str, float | None] = {}
    for _, did in ENDS:
        some = [nodes[u][f"{did}_bps"] for u in users if f"{did}_bps" in nodes.get(u, {})]
        if some:
            out |= {f"{did}_bps": fsum(some), f"{did}_jain": jain(some)}
    return out


def rate_bits(link: dict[str, Any], series: Path, end_s: float) -> float | None:
    """Bits that a link's rate allows, step by step, until the end; None where it is unlimited."""
    steps = [(t, bps) for t, bps, *_ in rows(series, int, int)] or [(0, link["xstats"]["rate_bps"])]
    if any(bps is None or bps >= UNLIMITED_BPS for _, bps in steps):
        return None
    ends = [t for t, _ in steps[1:]] + [end_s * 1e9]
    return fsum(bps * (end - begin) / 1e9 for (begin, bps), end in zip(steps, ends))


def utilisation_percent(link: dict[str, Any], bits: float) -> float:
    """Bits delivered of those that its rate allows."""
    return float(100 * 8 * link["xstats"]["bytes_delivered"] / bits)


def of_links(result: dict[str, Any], folder: Path) -> dict[str, dict[str, float | None]]:
    """Of each direction that is a wlink, in the whole run; no other qdisc counts it."""
    out: dict[str, dict[str, float | None]] = {}
    for name, link in result["links"].items():
        if link["kind"] != "wlink":
            continue
        bits = rate_bits(link, folder / "series" / f"{name}.rate.tsv", result["ended_s"])
        out[name] = {
            "delivered_bps": 8 * link["xstats"]["bytes_delivered"] / result["ended_s"],
            # What is forwarded is another link's.
            "dropped_sdus": sum(n for why, n in link["xstats"]["drops"].items() if why != "forward"),
            "utilisation_percent": utilisation_percent(link, bits) if bits else None,
        }
    return out


def metrics(result: dict[str, Any], cells: dict[str, list[str]], folder: Path) -> dict[str, Any]:
    """What result.json has under this name; cells are with their users."""
    nodes = of_nodes(result)
    all_users = [user for users in cells.values() for user in users]
    return {
        "nodes": nodes,
        "cells": {name: {"users": users, **of_some(nodes, users)} for name, users in cells.items()},
        # Without a cell everybody is a user.
        "users": of_some(nodes, all_users if cells else nodes),
        "links": of_links(result, folder),
    }


def as_text(figures: dict[str, Any]) -> list[str]:
    """For `wlab run`: a line for each node and each cell."""

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
