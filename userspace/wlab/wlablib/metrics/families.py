# SPDX-License-Identifier: GPL-2.0
"""Metric families of OpenMetrics 1.0, made of what `wlinkctl --json show` prints."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ..lib.delay import PARTS

Shown = dict[str, Any]
Labels = dict[str, str]

# Statistics that may fall; all others are counters.
GAUGES = frozenset(
    """sdus_held bytes_held window_pdus rto_ns buffer_sdus buffer_bytes buffer_sdus_max buffer_bytes_max
    rate_bps generation channel_bad aqm_level pending play_steps play_step bearers memory rrc_state
    late_max_ns""".split()
)
# These are in the summaries, the drops by reason and the names of states.
ELSEWHERE = {f"{name}_ns" for name in (*PARTS, "late", "late_p50", "late_p90", "late_p99")}
# Of the link, not of a bearer.
OF_LINK = ("bearers", "memory")
QUANTILES = {"0.5": "p50_ns", "0.95": "p95_ns", "0.99": "p99_ns"}


@dataclass
class Sample:
    """A number, and what its name has behind that of the family."""

    labels: Labels
    value: str
    suffix: str = ""


@dataclass
class Family:
    name: str
    kind: str
    unit: str = ""
    samples: list[Sample] = field(default_factory=list)


class Families:
    """By name; the samples of a family stand together."""

    def __init__(self) -> None:
        self.have: dict[str, Family] = {}

    def add(self, name: str, kind: str, unit: str, labels: Labels, value: str, suffix: str = "") -> None:
        full = f"wlink_{name}_{unit}" if unit else f"wlink_{name}"
        self.have.setdefault(full, Family(full, kind, unit)).samples.append(Sample(labels, value, suffix))

    def add_statistic(self, key: str, labels: Labels, value: int | None) -> None:
        gauge = key in GAUGES
        # The rate of a link without a limit.
        text = "+Inf" if value is None else seconds(value) if key.endswith("_ns") else str(value)
        unit = "seconds" if key.endswith("_ns") else ""
        name = key.removesuffix("_ns")
        self.add(name, "gauge" if gauge else "counter", unit, labels, text, "" if gauge else "_total")

    def add_summary(
        self, name: str, labels: Labels, quantiles: dict[str, int], sum_ns: int, count: int
    ) -> None:
        """Quantiles are of all time, as the kernel has them; they may be absent."""
        for quantile, ns in quantiles.items():
            self.add(name, "summary", "seconds", {**labels, "quantile": quantile}, seconds(ns))
        self.add(name, "summary", "seconds", labels, seconds(sum_ns), "_sum")
        self.add(name, "summary", "seconds", labels, str(count), "_count")


def seconds(ns: int) -> str:
    """Exact, and without an exponent."""
    return f"{Decimal(ns).scaleb(-9):f}"


def families(links: list[Shown], bearers: list[Shown]) -> list[Family]:
    """Of all bearers; their sum is the link, so that sum() in a query counts nothing twice."""
    found = Families()
    for link in links:
        for key in OF_LINK:
            found.add_statistic(key, labels_of(link), link["xstats"][key])
    for bearer in bearers:
        add_bearer(found, {**labels_of(bearer), "bearer": str(bearer["bearer"])}, bearer["xstats"])
    return sorted(found.have.values(), key=lambda family: family.name)


def labels_of(shown: Shown) -> Labels:
    return {"dev": shown["dev"], "handle": shown["handle"]}


def add_bearer(found: Families, labels: Labels, stats: Shown) -> None:
    for key, value in stats.items():
        if key not in ELSEWHERE and key not in OF_LINK and (value is None or type(value) is int):
            found.add_statistic(key, labels, value)
    for reason, count in stats["drops"].items():
        found.add("sdus_dropped", "counter", "", {**labels, "reason": reason}, str(count), "_total")
    delivered = stats["sdus_delivered"]
    for part, of in stats["why"].items():
        ranks = {quantile: of[key] for quantile, key in QUANTILES.items() if key in of}
        found.add_summary("delay", {**labels, "part": part}, ranks, of["sum_ns"], delivered)
    late = {"0.5": stats["late_p50_ns"], "0.9": stats["late_p90_ns"], "0.99": stats["late_p99_ns"]}
    found.add_summary("late", labels, late, stats["late_ns"], delivered)


def lines(found: list[Family]) -> Iterator[str]:
    """The text format, with the line that says that nothing is missing."""
    for family in found:
        yield f"# TYPE {family.name} {family.kind}"
        if family.unit:
            yield f"# UNIT {family.name} {family.unit}"
        for sample in family.samples:
            labels = ",".join(f'{key}="{escaped(text)}"' for key, text in sample.labels.items())
            yield f"{family.name}{sample.suffix}{{{labels}}} {sample.value}"
    yield "# EOF"


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
