# SPDX-License-Identifier: GPL-2.0
"""Metrics of a network: throughput of nodes, fairness of cells, utilisation of links."""

from collections.abc import Iterable
from math import fsum
from pathlib import Path
from typing import Any

from ..lib.units import UNLIMITED_BPS
from .resultfile import rows

# (key of a flow's end, name of the metric at the node there).
ENDS = (("to", "received"), ("from", "sent"))


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


def rate_bits(link: dict[str, Any], series: Path, end_s: float) -> float | None:
    """The integral of a link's rate over the run, in bits; None if it is unlimited."""
    steps = [(t, bps) for t, bps, *_ in rows(series, int, int)] or [(0, link["xstats"]["rate_bps"])]
    if any(bps is None or bps >= UNLIMITED_BPS for _, bps in steps):
        return None
    ends = [t for t, _ in steps[1:]] + [end_s * 1e9]
    return fsum(bps * (end - begin) / 1e9 for (begin, bps), end in zip(steps, ends))


def utilisation_percent(link: dict[str, Any], bits: float) -> float:
    """Delivered bits in percent of those that the rate allows."""
    return float(100 * 8 * link["xstats"]["bytes_delivered"] / bits)


def of_links(result: dict[str, Any], folder: Path) -> dict[str, dict[str, float | None]]:
    """Metrics of each direction with a wlink over the whole run; other qdiscs do not count them."""
    out: dict[str, dict[str, float | None]] = {}
    for name, link in result["links"].items():
        if link["kind"] != "wlink":
            continue
        bits = rate_bits(link, folder / "series" / f"{name}.rate.tsv", result["ended_s"])
        out[name] = {
            "delivered_bps": 8 * link["xstats"]["bytes_delivered"] / result["ended_s"],
            # Forwarded SDUs are not lost: another link carries them on.
            "dropped_sdus": sum(n for why, n in link["xstats"]["drops"].items() if why != "forward"),
            "utilisation_percent": utilisation_percent(link, bits) if bits else None,
        }
    return out


def metrics(result: dict[str, Any], cells: dict[str, list[str]], folder: Path) -> dict[str, Any]:
    """`metrics` of result.json; `cells` has the users of each cell."""
    nodes = of_nodes(result)
    all_users = [user for users in cells.values() for user in users]
    return {
        "nodes": nodes,
        "cells": {name: {"users": users, **of_some(nodes, users)} for name, users in cells.items()},
        # Without a cell all nodes count as users.
        "users": of_some(nodes, all_users if cells else nodes),
        "links": of_links(result, folder),
    }


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
