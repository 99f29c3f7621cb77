# SPDX-License-Identifier: GPL-2.0
"""`wlab why`: which part of the delay made the packets of a result late.

The delay of a delivered SDU is the sum of seven parts: see parts_of().
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..lib.delay import PARTS as PARTS, parts_of
from ..lib.files import read_large, read_lines
from ..lib.paths import LabError
from . import resultfile
from .packets import rank
from .traffic import COPY, FLUSHED, FORWARDED, flushes

# Those that are told of only where there are any.
RARE = ("access", "jitter")
TITLES = {
    "queue": "queue",
    "serial": "serialisation",
    "prop": "propagation",
    "retx": "retransmission",
    "hol": "head of line",
    "access": "access",
    "jitter": "jitter",
    "total": "total",
}

# What became of SDUs that are neither delivered nor dropped.
KEPT = ("forwarded", "held", "copies")

PERCENTILES = (50, 95, 99)
LATE = 95

# Columns of events.tsv behind the kind.
TIME, LINK, FLOW, WAY, BEARER, BYTES, PDUS, LOST, DROP = 1, 2, 3, 4, 5, 8, 9, 10, 11
ARRIVAL, END, DELIVER, PAYLOAD = 12, 14, 15, 17
TIMES = (ARRIVAL, 13, END, 18, 19, DELIVER)
RETX = 20
# Of a line that goes before that of a SDU which has waited for access: until its first bit, and
# from there to its last one.
WAITS = (6, 7)
# The same of one that was late behind the receiver.
JITTER = 6


class Dark:
    """When a bearer had the rate 0, as the log goes on."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []
        self.since: int | None = None

    def rate(self, at_ns: int, bps: int) -> None:
        if self.since is not None and bps:
            self.spans.append((self.since, at_ns))
        self.since = None if bps else at_ns if self.since is None else self.since

    def within(self, begin: int, end: int) -> int:
        """For how many ns of an interval that is over."""
        dark = 0 if self.since is None else max(0, end - max(begin, self.since))
        for a, b in reversed(self.spans):
            if b <= begin:
                break
            dark += max(0, min(b, end) - max(a, begin))
        return dark


@dataclass
class Group:
    """The SDUs of one row of the table."""

    link: str
    bearer: int
    flow: str | None = None
    way: str | None = None
    arrivals: list[int] = field(default_factory=list)
    parts: dict[str, list[int]] = field(default_factory=lambda: {p: [] for p in PARTS})
    totals: list[int] = field(default_factory=list)
    # Of these delays and of the late ones, what lay in outages, in any of the parts.
    dark: list[int] = field(default_factory=list)
    drops: Counter[str] = field(default_factory=Counter)
    pdus: int = 0
    lost: int = 0
    retx: int = 0

    def add(self, words: list[str], waits: tuple[int, int], jitter: int, copy: bool, dark: Dark) -> None:
        """Add one SDU's line of the event log, its waits for access, its jitter, and whether it is a copy."""
        self.drops["copies"] += copy
        self.pdus += int(words[PDUS])
        self.lost += int(words[LOST])
        self.retx += int(words[RETX])
        if words[DROP] != "none":
            self.drops[words[DROP]] += 1
            return
        times = [int(words[i]) for i in TIMES]
        for part, span in zip(PARTS, parts_of(times, *waits, jitter), strict=True):
            if span < 0:
                raise LabError(f"SDU {words[7]} of {self.link} has a {part} of {span} ns")
            self.parts[part].append(span)
        self.arrivals.append(times[0])
        self.totals.append(times[-1] - times[0])
        self.dark.append(dark.within(times[0], times[-1]))

    def figures(self) -> dict[str, Any]:
        """The figures of the row."""
        out: dict[str, Any] = {"link": self.link, "bearer": self.bearer}
        if self.flow is not None:
            out |= {"flow": self.flow, "way": self.way}
        out |= {
            "count": len(self.totals),
            "drops": dict(sorted((why, n) for why, n in self.drops.items() if why not in KEPT)),
            **{what: self.drops[what] for what in KEPT},
            "pdus": self.pdus,
            "pdus_lost": self.lost,
            "pdus_retx": self.retx,
        }
        if not self.totals:
            return out
        threshold = rank(sorted(self.totals), LATE)
        late = [i for i, t in enumerate(self.totals) if t >= threshold]
        total, total_of_late = sum(self.totals), sum(self.totals[i] for i in late)
        for name, values in {**self.parts, "total": self.totals}.items():
            order = sorted(values)
            out[name] = {
                "sum_ns": sum(values),
                "mean_ns": sum(values) / len(values),
                **{f"p{p}_ns": rank(order, p) for p in PERCENTILES},
                "max_ns": order[-1],
                "share": sum(values) / total if total else 0.0,
                "share_of_late": sum(values[i] for i in late) / total_of_late if total_of_late else 0.0,
            }
        out["outage"] = {
            "sum_ns": sum(self.dark),
            "mean_ns": sum(self.dark) / len(self.dark),
            "share": sum(self.dark) / total if total else 0.0,
            "share_of_late": sum(self.dark[i] for i in late) / total_of_late if total_of_late else 0.0,
        }
        return out


def lines(folder: Path, *more: str) -> Iterator[list[str]]:
    """The lines of SDUs in the event log, split into words, and lines of other kinds."""
    begins = tuple(f"{kind}\t".encode() for kind in ("sdu", *more))
    for line in read_lines(folder / "events.tsv"):
        if line.startswith(begins):
            words = line.decode(errors="replace").rstrip("\n").split("\t")
            if words[0] == "sdu" and len(words) <= RETX:
                raise LabError(f"{folder} is from an older wlab; run the scenario again")
            yield words


def sdus(
    folder: Path, rate: Callable[[list[str]], None] | None = None
) -> Iterator[tuple[list[str], tuple[int, int], int, bool]]:
    """The lines of SDUs, and of each its waits for access, its jitter, and whether it is a copy.

    Those of changed rates go to a function.
    """
    waits, jitter, copy = (0, 0), 0, False
    for words in lines(folder, "access", "impaired", *(["rate"] if rate else [])):
        if words[0] == "access":
            waits = int(words[WAITS[0]]), int(words[WAITS[1]])
        elif words[0] == "impaired":
            jitter, copy = int(words[JITTER]), bool(int(words[JITTER + 1]) & COPY)
        elif rate and words[0] == "rate":
            rate(words)
        else:
            yield words, waits, jitter, copy
            waits, jitter, copy = (0, 0), 0, False


def fate(words: list[str], flushed: dict[str, set[int]]) -> str:
    """What became of a SDU: the reason of its drop, "none", or one of KEPT."""
    if words[DROP] == FLUSHED and int(words[TIME]) not in flushed[words[LINK]]:
        return "held"
    return "forwarded" if words[DROP] == FORWARDED else words[DROP]


def read(folder: Path) -> tuple[list[Group], list[Group]]:
    """The SDUs of a result by bearer, and by bearer and flow, in the order of their names."""
    flushed = flushes(read_large(folder / "events.tsv"), resultfile.result(folder)["links"])
    bearers: dict[tuple[str, int], Group] = {}
    flows: dict[tuple[str, int, str, str], Group] = {}
    dark: dict[tuple[str, int], Dark] = defaultdict(Dark)

    def rate(words: list[str]) -> None:
        dark[words[LINK], int(words[6])].rate(int(words[TIME]), int(words[5]))

    for words, waits, jitter, copy in sdus(folder, rate):
        words[DROP] = fate(words, flushed)
        key = words[LINK], int(words[BEARER])
        way = *key, words[FLOW], words[WAY]
        for group in bearers.setdefault(key, Group(*key)), flows.setdefault(way, Group(*way)):
            group.add(words, waits, jitter, copy, dark[key])
    return [bearers[k] for k in sorted(bearers)], [flows[k] for k in sorted(flows)]


def why(folder: Path) -> dict[str, Any]:
    """What --json prints."""
    result = resultfile.result(folder)
    resultfile.events(folder)
    bearers, flows = read(folder)
    return {
        "name": result["name"],
        "seed": result["seed"],
        "bearers": [g.figures() for g in bearers],
        "flows": [g.figures() for g in flows],
    }


def drops_text(row: dict[str, Any]) -> str:
    drops = ", ".join(f"{why} {n}" for why, n in row["drops"].items())
    kept = "".join(f", {row[what]} {what}" for what in KEPT if row[what])
    return (f"dropped: {drops}" if drops else "none dropped") + kept


def as_text(parts: dict[str, Any]) -> str:
    """What `wlab why` prints."""
    out = [f"{parts['name']}, seed {parts['seed']}; delays in ms"]
    if not parts["bearers"]:
        return f"{out[0]}\nno packet has passed a wlink; other qdiscs have no events"
    for row in parts["bearers"]:
        sent = f"{row['pdus']} PDUs, {row['pdus_lost']} lost, {row['pdus_retx']} retransmitted"
        out += [
            "",
            f"{row['link']} 1:{row['bearer']:x}: {row['count']} SDUs delivered, {drops_text(row)}; {sent}",
        ]
        if not row["count"]:
            continue
        heads = "".join(f"{h:>12}" for h in ("mean", "p50", "p95", "p99", "share", f"of last {100 - LATE}%"))
        out.append(f"  {'':<15}{heads}")
        out += [part_line(name, row[name]) for name in TITLES if name not in RARE or row[name]["sum_ns"]]
        if row["outage"]["sum_ns"]:
            shares = "".join(f"{row['outage'][k]:>12.1%}" for k in ("share", "share_of_late"))
            out.append(f"  {'in outages':<15}{row['outage']['mean_ns'] / 1e6:>12.3f}{'':36}{shares}")
    out += ["", f"{'flow':<28}{'SDUs':>8}{'dropped':>9}{'mean':>10}{'p50':>10}{'p95':>10}  mean of parts"]
    out += [flow_line(row) for row in parts["flows"]]
    return "\n".join(out)


def part_line(name: str, part: dict[str, Any]) -> str:
    times = "".join(f"{part[k] / 1e6:>12.3f}" for k in ("mean_ns", "p50_ns", "p95_ns", "p99_ns"))
    shares = "".join(f"{part[k]:>12.1%}" for k in ("share", "share_of_late"))
    return f"  {TITLES[name]:<15}{times}{shares}"


def flow_line(row: dict[str, Any]) -> str:
    name = f"{row['flow']} {row['way']} {row['link']} 1:{row['bearer']:x}"
    text = f"{name:<28}{row['count']:>8}{sum(row['drops'].values()):>9}"
    if row["count"]:
        text += "".join(f"{row['total'][k] / 1e6:>10.1f}" for k in ("mean_ns", "p50_ns", "p95_ns"))
        parts = [f"{p} {row[p]['mean_ns'] / 1e6:.1f}" for p in PARTS if row[p]["sum_ns"]]
        text += "  " + ", ".join(parts)
    return text
