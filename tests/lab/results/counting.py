# SPDX-License-Identifier: GPL-2.0
"""Counts of an event log that share no code with wlab's: what commands show is compared with them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brief import brief
from lab import expect

# A flow to a user of cell a, beside which cell b has none.
TWO_CELLS = brief("""[node.server] [node.enb] count = 2
[node.ue]
[link.bh] between = ["server", "enb-*"]; wlink = "rate 50mbit delay 1ms"
[cell.a] at = "enb-1"; users = "ue"; down = "rate 3mbit tti 1ms delay 5ms limit 60 sched rr"
up = "rate 3mbit tti 1ms delay 5ms limit 60 sched rr"
[cell.b] at = "enb-2"; users = []; down = "rate 2mbit tti 1ms delay 5ms limit 60 sched rr"
up = "rate 2mbit tti 1ms delay 5ms limit 60 sched rr"
[[flow]] name = "f"; kind = "tcp"; from = "server"; to = "ue"
""")

# Columns of events.tsv.
AT, LINK, FLOW, WAY, BEARER, BYTES, DROP, ARRIVAL, START, END, DELIVER, SEQ, PAYLOAD, BUFFER = (
    *(1, 2, 3, 4, 5, 8, 11, 12, 13, 14, 15, 16, 17, 21),
)


@dataclass
class Packet:
    """A delivered packet; times in ns."""

    begin: int
    end: int
    bytes: int


@dataclass
class Count:
    """A flow's packets."""

    delivered: list[Packet] = field(default_factory=list)
    # Of those that arrived after the warm-up.
    delays: list[int] = field(default_factory=list)
    dropped: int = 0
    # From where to where in the stream, of what was delivered.
    parts: set[tuple[int, int]] = field(default_factory=set)

    def stream(self) -> int:
        """The bytes of TCP that were delivered in order, behind the SYN."""
        end = 1
        for begin, until in sorted(self.parts):
            end = max(end, until) if begin <= end else end
        return end - 1


def lines(folder: Path) -> Iterator[tuple[list[str], bool]]:
    """The words of each SDU's line, and whether it is a copy."""
    copy = False
    for line in (folder / "events.tsv").read_text().splitlines():
        w = line.split("\t")
        if w[0] == "impaired":
            copy = w[7] in ("2", "3")
        elif w[0] == "sdu":
            yield w, copy
            copy = False


def warm_ns(result: dict[str, Any]) -> int:
    return round(float(result["warmup_s"]) * 1e9)


# Where packets go from a link of the networks of these tests, if their flow goes on.
THEN = {
    "x.forward": "y.forward",
    "y.forward": "z.forward",
    "z.back": "y.back",
    "y.back": "x.back",
    "bh-1.forward": "a.down",
    "bh-2.forward": "b.down",
    # To one of two.
    "core.forward": "bh",
    "bh1.back": "bh",
    "bh2.back": "bh",
    "bh1.forward": "a.down",
    "bh2.forward": "b.down",
    "a.up": "bh-1.back",
    "b.up": "bh-2.back",
    # Forwarded ones.
    "a.down": "bh-1.back",
    "bh-1.back": "bh-2.forward",
}


TO_CELLS = ("bh1.forward", "bh2.forward")
# When users leave cells in these tests.
LEFT = ((10**9, "a."), (2 * 10**9, "b."))


def counts(folder: Path, result: dict[str, Any], of: dict[str, tuple[str, ...]]) -> dict[str, Count]:
    """Count what became of the packets of flows, each over its links, from the first to the last one."""
    warm = warm_ns(result)
    out: dict[str, Count] = {name: Count() for name in of}
    rows: dict[str, list[list[str]]] = defaultdict(list)
    for w, copy in lines(folder):
        names = [n for n, links in of.items() if w[LINK] in links and w[FLOW] == n.partition(" ")[0]]
        if w[WAY] == "forth" and w[PAYLOAD] != "0" and not copy and names:
            rows[names[0]].append(w)
    for name, some in rows.items():
        # Links, and when packets left these and came to the first one.
        waiting: dict[tuple[str, str], list[tuple[str, int, int]]] = defaultdict(list)
        for w in sorted(some, key=lambda w: int(w[ARRIVAL])):
            arrival, link, one = int(w[ARRIVAL]), w[LINK], out[name]
            under_way = waiting[w[SEQ], w[PAYLOAD]]
            ways = {(THEN.get(at, ""), left): (at, left, come) for at, left, come in under_way}
            # A forwarded packet where links in between are not of interest.
            ways |= {("b.", left): (at, left, come) for at, left, come in under_way if at.startswith("a.")}
            # What comes to the cell that its user has left.
            ways |= {
                (f"{at[:3]}.back", left): (at, left, come) for at, left, come in under_way if at in TO_CELLS
            }
            fit = [left for to, left in ways if left <= arrival and to in (link, link[:2])]
            if fit:
                was = next(ways[to, min(fit)] for to in (link, link[:2]) if (to, min(fit)) in ways)
                under_way.remove(was)
                arrival = was[2]
            # A cell delivers to the user; only what it forwards goes on.
            then = any(one.startswith(THEN.get(link, "-")) for one in of[name])
            goes_on = w[DROP] == "none" and then and link != "a.down"
            if goes_on or w[DROP] == "forward":
                under_way.append((link, int(w[DELIVER] if goes_on else w[AT]), arrival))
            elif w[DROP] == "none":
                one.delivered.append(Packet(arrival, int(w[DELIVER]), int(w[BYTES])))
                one.parts.add((int(w[SEQ]), int(w[SEQ]) + int(w[PAYLOAD])))
                if arrival >= warm:
                    one.delays.append(int(w[DELIVER]) - arrival)
            elif (
                any(abs(int(w[AT]) - at) < 10**7 and link.startswith(cell) for at, cell in LEFT)
                if w[DROP] == "flush"
                else int(w[AT]) >= warm
            ):
                one.dropped += 1
    return out


def rank(delays: list[int], percent: int) -> float:
    return sorted(delays)[-(-len(delays) * percent // 100) - 1] / 1e9


def near(what: str, have: float | None, wanted: float, part: float = 1e-9) -> None:
    good = have is not None and abs(have - wanted) <= part * max(1.0, abs(wanted))
    expect(good, f"{what}: shown {have}, counted {wanted}")


def occupied(folder: Path, links: Collection[str], spans: list[tuple[float, float]]) -> list[float]:
    """The mean number of SDUs in the buffers of links that forget what they have sent, in each span of s."""
    some = [w for w, _ in lines(folder) if w[LINK] in links and w[BUFFER] != "0"]
    last = max((int(w[END]) for w in some), default=0)
    begun: dict[tuple[str, str], int] = {}
    stays = []
    # Backwards: who is on its way at the end of the run has left when the next one began.
    for w in reversed(some):
        end, of = int(w[END]), (w[LINK], w[BEARER])
        if w[DROP] == "flush" and end == last:
            end = begun.get(of, end)
        stays.append((int(w[ARRIVAL]) / 1e9, end / 1e9))
        if w[START] != "-1":
            begun[of] = int(w[START])
    return [sum(max(0.0, min(e, b) - max(s, a)) for s, e in stays) / (b - a) for a, b in spans]


def series(label: str, told: dict[str, Any], one: Count, spans: list[tuple[int, int]]) -> None:
    """The curves of throughput, delay and its distribution; spans are of ns."""
    drawn = told["plots"]["throughput"].get(label, {"y": []})["y"]
    for (a, b), bps in zip(spans, drawn):
        bits = sum(8 * p.bytes for p in one.delivered if a <= p.end < b)
        last = sum(8 * p.bytes for p in one.delivered if p.end == b == spans[-1][1])
        near(f"{label}: throughput from {a} ns", bps, (bits + last) * 1e9 / (b - a), 1e-6)
    expect(bool(drawn) or not one.delivered, f"{label}: no throughput is drawn")
    means = told["plots"]["delay"].get(label, {"y": []})["y"]
    for (a, b), mean in zip(spans, means):
        come = [p.end - p.begin for p in one.delivered if a <= p.begin < b]
        expect((mean is None) == (not come), f"{label}: delay {mean} from {a} ns, of {len(come)} packets")
        if come:
            near(f"{label}: delay from {a} ns", mean, sum(come) / len(come) / 1e9)
    expect(bool(means) or not one.delivered, f"{label}: no delay is drawn")
    cdf = told["plots"]["delay-cdf"].get(label, {"x": [], "y": []})
    order = sorted(one.delays)
    for x, y in zip(cdf["x"], cdf["y"]):
        near(f"{label}: {y} of the delays", x, order[round(y * len(order)) - 1] / 1e9)
    expect(bool(cdf["x"]) or not order, f"{label}: no distribution is drawn")


def of_links(folder: Path, result: dict[str, Any], told: dict[str, Any]) -> None:
    """What `wlab why` has printed, against the kernel's counters and a count of each flow's SDUs."""
    for name, link in result["links"].items():
        if link["kind"] != "wlink":
            continue
        some, x = [row for row in told["bearers"] if row["link"] == name], link["xstats"]
        have = {what: sum(row[what] for row in some) for what in ("count", "held", "forwarded", "copies")}
        wanted = {"count": x["sdus_delivered"], "held": x["sdus_held"]}
        wanted |= {"forwarded": x["drops"]["forward"], "copies": x["sdus_duplicated"]}
        expect(have == wanted, f"{folder.name} {name}: why has {have}, the kernel {wanted}")
        dropped = {why: n for why, n in x["drops"].items() if n and why != "forward"}
        shown = {why: sum(row["drops"].get(why, 0) for row in some) for row in some for why in row["drops"]}
        expect(shown == dropped, f"{folder.name} {name}: why has drops {shown}, the kernel {dropped}")
    delays: dict[tuple[str, ...], list[int]] = defaultdict(list)
    drops: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for w, _ in lines(folder):
        key = (w[LINK], w[BEARER], w[FLOW], w[WAY])
        if w[DROP] == "none":
            delays[key].append(int(w[DELIVER]) - int(w[ARRIVAL]))
        else:
            # What was flushed is apart from what was held by the check of the counters.
            drops[key]["kept" if w[DROP] in ("forward", "flush") else w[DROP]] += 1
    for row in told["flows"]:
        key = (row["link"], str(row["bearer"]), row["flow"], row["way"])
        what, found = " ".join(key), delays.pop(key, [])
        count = row["count"]
        expect(count == len(found), f"{folder.name}: why has {count} of {what}, not {len(found)}")
        if found:
            near(f"{what}: p95", row["total"]["p95_ns"] / 1e9, rank(found, 95))
        shown = Counter({k: n for k, n in row["drops"].items() if k != "flush"})
        shown["kept"] = row["forwarded"] + row["held"] + row["drops"].get("flush", 0)
        expect(+shown == drops[key], f"{folder.name} {what}: why has {+shown}, the log {drops[key]}")
    expect(not delays, f"{folder.name}: why lacks {[*delays]}")
