# SPDX-License-Identifier: GPL-2.0
"""What is measured: qdiscs under loads. A load is a group; ratios stay in one."""

from dataclasses import dataclass, replace

PASS = "wlink rate unlimited"
RADIO = "rate 1gbit delay 5ms"
GILBERT = "p 0.01 r 0.2"
# netem's third and fourth number are 1 - h and 1 - k: all is lost in the bad state, nothing in the good.
GEMODEL = "loss gemodel 1% 20% 100% 0%"
DEEP = 200000
BEARER_CONFIGS = {
    "dedicated, tti 0": "tti 0",
    "dedicated, tti 1ms": "tti 1ms",
    "rr, tti 1ms": "tti 1ms sched rr",
}


@dataclass(frozen=True)
class Load:
    """What pktgen offers: seconds of packets of so many bytes, pace in ns between them, 0 for none."""

    bytes: int
    pace_ns: int
    seconds: float


# What a longer flood says of one bearer a short one says, too: instructions are counted.
SHORT = Load(100, 0, 0.1)


@dataclass(frozen=True)
class Cell:
    """One qdisc under one load."""

    group: str
    config: str
    tc: str
    load: Load
    bearers: int = 1
    queue: int = 0
    each: str = ""
    """Words of every bearer but the first; it takes those of the qdisc."""
    filtered: bool = False
    """Classes are chosen by a filter, even where there is one."""
    record: bool = False
    """wlink_sdu records are written to the ring buffer, the oldest being overwritten."""
    drain_s: float = 0.1
    lossless: bool = True

    @property
    def qdisc(self) -> str:
        return self.tc.split()[0] if self.tc else "none"

    @property
    def key(self) -> str:
        return f"{self.group}/{self.config}/{self.bearers}/{self.queue}"


def flood() -> list[Cell]:
    """As fast as it goes, 100 bytes."""
    load = Load(100, 0, 0.4)
    limit = "limit 10000"
    both = f"{RADIO} {limit}"
    channel = f"channel gilbert {GILBERT}"

    def cell(config: str, tc: str, **more: object) -> Cell:
        return Cell("flood", config, tc, load, **more)  # type: ignore[arg-type]

    return [
        cell("no qdisc", ""),
        cell("pfifo", "pfifo limit 1000"),
        cell("delay", f"netem delay 5ms {limit}"),
        cell("loss gemodel", f"netem {GEMODEL} {limit}", lossless=False),
        cell("rate", f"netem rate 1gbit {limit}"),
        cell("rate+delay+loss gemodel", f"netem {both} {GEMODEL}", lossless=False),
        cell("tbf", "tbf rate 1gbit burst 125kb limit 1mb"),
        cell("fq_codel", "fq_codel"),
        cell("pass-through", PASS),
        cell("pass-through, recorded", PASS, record=True),
        cell("rate 100gbit", "wlink rate 100gbit"),
        cell("rate+delay", f"wlink {both}"),
        cell("rate+delay+Gilbert", f"wlink {both} {channel}", lossless=False),
        cell("rate+delay+Gilbert, tti 1ms", f"wlink {both} tti 1ms {channel}", lossless=False),
        cell("rate+delay+Gilbert, recorded", f"wlink {both} {channel}", lossless=False, record=True),
    ]


def bulk() -> list[Cell]:
    """1500 bytes of IP at 8000 a second: 96 Mbit/s."""
    load = Load(1514, 125000, 0.5)
    words = "rate 100mbit delay 5ms limit 1000"
    channel = f"channel gilbert {GILBERT}"

    def cell(config: str, tc: str, **more: object) -> Cell:
        return Cell("100 Mbit/s", config, tc, load, **more)  # type: ignore[arg-type]

    return [
        cell("pfifo", "pfifo limit 1000"),
        cell("rate+delay", f"netem {words}"),
        cell("rate+delay+loss gemodel", f"netem {words} {GEMODEL}", lossless=False),
        cell("rate+delay", f"wlink {words}"),
        cell("rate+delay+Gilbert", f"wlink {words} {channel}", lossless=False),
        cell("rate+delay+Gilbert, tti 1ms", f"wlink {words} tti 1ms {channel}", lossless=False),
        cell("AM, pdu 1500, tti 1ms", f"wlink mode am {words} tti 1ms pdu 1500"),
    ]


def umts() -> list[Cell]:
    """1000 bytes of IP at 225 a second: 1.8 Mbit/s."""
    load = Load(1014, 4444444, 8.0)
    words = "delay 25ms limit 200"
    am = f"wlink mode am {words} tti 10ms pdu 40"
    lossy = "channel rayleigh fer 0.1 fdt 0.1"
    sbd = "aqm sbd minth 20 tr 200ms maxth limit"

    def cell(config: str, tc: str, **more: object) -> Cell:
        return Cell("umts", config, tc, load, drain_s=3.0, **more)  # type: ignore[arg-type]

    return [
        cell("pfifo", "pfifo limit 1000"),
        cell("rate+delay+loss gemodel", f"netem rate 2mbit {words} {GEMODEL}", lossless=False),
        cell("AM, pdu 40, tti 10ms", f"{am} rate 2mbit"),
        cell("AM, pdu 40, tti 10ms, fading", f"{am} rate 2.2mbit {lossy}", lossless=False),
        cell("AM, pdu 40, tti 10ms, SBD", f"{am} rate 1.5mbit {sbd}", lossless=False),
    ]


def bearers(counts: list[int]) -> list[Cell]:
    """The flood, over so many busy bearers; a filter of four instructions chooses one."""
    load = Load(100, 0, 0.4)

    def cell(config: str, count: int, tc: str, each: str) -> Cell:
        return Cell("bearers", config, tc, load, bearers=count, each=each, filtered=True, lossless=False)

    cells = []
    for count in counts:
        for config, words in BEARER_CONFIGS.items():
            rate = 10**9 if "rr" in config else 10**9 // count
            tc = f"wlink rate {rate}bit delay 5ms limit {max(DEEP // count, 100)} {words}"
            cells.append(cell(config, count, f"{tc} channel gilbert {GILBERT}", ""))
    return cells


def queues(depths: list[int]) -> list[Cell]:
    """8000 packets a second through a delay so long that so many are held."""
    cells = []
    for depth in depths:
        pace_us = 125
        hold_us = pace_us * depth
        load = Load(100, 1000 * pace_us, max(0.5, 1.5 * hold_us / 1e6))
        for tc in (f"netem delay {hold_us}us", f"wlink rate 100gbit delay {hold_us}us"):
            words = f"{tc} limit {DEEP}"
            cells.append(Cell("queue", "delay", words, load, queue=depth, drain_s=0.1 + hold_us / 1e6))
    return cells


def cells(quick: bool) -> list[Cell]:
    """All that is measured; quick: what the bounds are about."""
    if quick:
        wanted = ("pfifo", "rate+delay+loss gemodel", "pass-through", "rate+delay+Gilbert")
        few = [cell for cell in flood() if cell.config.removesuffix(", recorded") in wanted]
        # In turns: the median of three is near the bounds that it is compared with.
        return 3 * [replace(cell, load=SHORT) for cell in few] + bearers([1, 1024])
    return flood() + bulk() + umts() + bearers([1, 16, 256, 1024]) + queues([10, 100, 1000, 10000, 100000])
