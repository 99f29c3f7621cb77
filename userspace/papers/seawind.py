# SPDX-License-Identifier: GPL-2.0
"""What the experiment seawind measures beside throughput and time: errors as section 3.2 of the
emulation paper has them, of the line rate and of the time that a test takes."""

from pathlib import Path
from typing import Any

Result = dict[str, Any]


def link_of(result: Result) -> Result:
    """The channel of the data."""
    link: Result = result["links"][result["flows"]["bulk"]["link"]]
    return link


def requested_s(result: Result) -> float:
    """The time of the test's packets at the rate that is set."""
    flow = result["flows"]["bulk"]
    packets = -(-flow["sent_bytes"] // flow["mss"])
    return float(8 * (flow["sent_bytes"] + 40 * packets) / link_of(result)["options"]["rate_bps"])


def elapsed_s(result: Result) -> float:
    flow = result["flows"]["bulk"]
    return float((flow["end_ns"] - flow["start_ns"]) / 1e9)


def excess_s(result: Result, folder: Path) -> float:
    return elapsed_s(result) - requested_s(result)


def excess_percent(result: Result, folder: Path) -> float:
    return 100 * excess_s(result, folder) / requested_s(result)


def line_error_percent(result: Result, folder: Path) -> float:
    """Of the packets that left while others waited: their bits by the time from one to the next."""
    name = result["flows"]["bulk"]["link"]
    last_ns, bits, busy_ns = 0, 0, 0
    for line in (folder / "events.tsv").read_text().splitlines():
        words = line.split("\t")
        if words[0] != "sdu" or words[2] != name or words[11] != "none":
            continue
        size, arrival_ns, end_ns = int(words[8]), int(words[12]), int(words[14])
        if arrival_ns < last_ns:
            bits += 8 * size
            busy_ns += end_ns - last_ns
        last_ns = end_ns
    return float(100 * (bits / (busy_ns / 1e9) / link_of(result)["options"]["rate_bps"] - 1))


def used_percent(result: Result, folder: Path) -> float:
    allowed = link_of(result)["options"]["rate_bps"] * elapsed_s(result)
    return float(100 * 8 * link_of(result)["xstats"]["bytes_delivered"] / allowed)


def dropped(result: Result, folder: Path) -> float:
    """Not those that are held when the test ends."""
    drops = [link["xstats"]["drops"] for link in result["links"].values() if link["kind"] == "wlink"]
    return float(sum(count for one in drops for why, count in one.items() if why != "flush"))
