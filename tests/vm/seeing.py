# SPDX-License-Identifier: GPL-2.0
"""What people look at a link with, on a stock kernel: record, top, the bpftrace scripts.

Every number is compared with the link's own counters.
"""

import json
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

from recording import INSTANCES, dropped, gate, link, record
from steps import PAYLOAD, a, case, drained, expect, sh, udp, xstats


@case("wlinkctl record where CLOCK_MONOTONIC is another one")
def _() -> None:
    with link():
        shift = "unshare --time --monotonic 100 --fork"
        said = a(f"{shift} wlinkctl record va /dev/null --for 1s", fails=True)
    expect("CLOCK_MONOTONIC is not that of this time namespace" in said, said)
    expect(not list(INSTANCES.iterdir()), "its instance is still there")


@case("wlinkctl top --once")
def _() -> str:
    rate, seconds = 1_000_000, 5
    with link(f"rate {rate} limit 20 delay 10ms"), record() as sdus, udp(60.0):
        time.sleep(1)
        before = xstats()
        said = json.loads(a(f"wlinkctl top va --once --json --interval {seconds}s"))
        after = xstats()
        table = a("wlinkctl top va --once --interval 100ms")
    row, end = said["bearers"][0], said["time_ns"]
    begin = end - said["interval_ns"]
    expect(0.99 * seconds < said["interval_ns"] / 1e9 < 1.2 * seconds, f"{end - begin} ns between its looks")

    def events(drop: str, when: str, slack: int) -> int:
        """How many there were between its looks, or up to the slack beside them."""
        return sum(e["drop"] == drop and begin - slack < e[when] < end + slack for e in sdus)

    # A look takes a moment; all of it is between the two looks of tc, too.
    slack = 2 * 10**8
    delivered, lost = row["sdus_delivered"], row["drops"]["overflow"]
    for drop, when, got in (("none", "handover_ns", delivered), ("overflow", "arrival_ns", lost)):
        least, most = events(drop, when, -slack), events(drop, when, slack)
        expect(least <= got <= most, f"{drop}: {got}, recorded {least} to {most}")
    most = after["sdus_delivered"] - before["sdus_delivered"]
    expect(0 < delivered <= most, f"{delivered} of {most}")
    expect(row["bytes_delivered"] == delivered * 1028, f"{delivered} of {row['bytes_delivered']} bytes")
    most = after["drops"]["overflow"] - before["drops"]["overflow"]
    expect(0 < lost <= most, f"{lost} of {most}")
    expect(abs(row["delivered_bps"] / rate - 1) < 0.02, f"{row['delivered_bps']} bit/s of {rate}")
    expect(row["buffer_sdus"] >= 15 and row["full"] == row["buffer_sdus"] / 20, f"{row['buffer_sdus']} SDUs")
    # 20 packets of 1028 bytes wait for each other: 0.16 s, in a bin from 0.134 to 0.268 s.
    for name, ns in row["delay"].items():
        expect(2**27 <= ns < 2**28, f"{name} {ns}")
    expect(table.splitlines()[2].split()[:3] == ["1", "tm", "1.00M"], table)
    return f"{row['delivered_bps']:.0f} bit/s, {row['drops_per_s']['overflow']} drops a second"


stats: dict[str, Any] = {}
windows: set[int] = set()
timeouts: list[int] = []
seen: list[dict[str, Any]] = []
SCRIPTS = ["occupancy-cwnd.bt", "drops-by-flow.bt", "delay-parts.bt", "lateness.bt"]


@case("bpftrace: four scripts and record at the same traffic")
def _() -> str:
    with gate(), link(), record() as sdus:
        said = sh(f"/usr/bin/python3 {PAYLOAD}/seeing_load.py {' '.join(SCRIPTS)}")
        stats.update(drained())
    timeouts.append(int(said.split("timeouts ")[1].split()[0]))
    windows.update(map(int, said.split("windows ")[1].splitlines()[0].split()))
    seen.extend(sdus)
    expect("ERROR" not in said and "Lost" not in said, said[-2000:])
    enough = stats["sdus_delivered"] > 200 and len(dropped(stats)) > 1
    expect(enough, f"too little: {stats['sdus_delivered']} delivered, {stats['drops']}")
    return f"{len(seen)} packets, drops {dropped(stats)}"


def traced(script: str) -> str:
    """What a script has said of the packets of seen, which stats has counted."""
    expect(bool(seen), "nothing to compare with")
    said = Path("/tmp", script).read_text()
    expect("ERROR" not in said and "Lost" not in said, said[-2000:])
    return said


MAP = re.compile(r"^@(\w+)\[([^\]]*)\]: (.*)$", re.M)
BIN = re.compile(r"^[\[(](\d+)([KMGT]?)(?:, (\d+)([KMGT]?)\)|\]) +(\d+) \|", re.M)
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def histograms(said: str) -> dict[tuple[str, str], dict[int, int]]:
    """Least value of each bin that has something, by map and key."""
    found = {}
    for block in re.split(r"\n(?=@)", said):
        head = re.match(r"@(\w+)\[([^\]]*)\]:", block)
        bins = {int(b[0]) * UNITS[b[1]]: int(b[4]) for b in BIN.findall(block)}
        if head and bins:
            found[head[1], head[2]] = {least: n for least, n in bins.items() if n}
    return found


def binned(values: list[int]) -> dict[int, int]:
    """The same of values that are known: bins begin at powers of two, and at 0."""
    return dict(Counter(1 << v.bit_length() - 1 if v else 0 for v in values))


@case("bpftrace: every field has a name that a script can use")
def _() -> str:
    script, count = "BEGIN { exit(); }", 0
    for file in Path("/sys/kernel/tracing/events/wlink").glob("*/format"):
        fields = re.findall(r"^\tfield:.*?(\w+)(?:\[\d*\])?;", file.read_text(), re.M)
        used = [f"@{name} = args->{name};" for name in fields if not name.startswith("common_")]
        script += f" tracepoint:wlink:{file.parent.name} {{ {' '.join(used)} }}"
        count += len(used)
    said = sh(f"bpftrace -e '{script}' 2>&1")
    expect(count > 50 and "ERROR" not in said, said[-2000:])
    return f"{count} fields"


@case("bpftrace occupancy-cwnd.bt")
def _() -> str:
    said = traced("occupancy-cwnd.bt")
    rows = [line.split("\t") for line in said.splitlines() if "\t" in line]
    buffer = [row for row in rows if row[0] == "buffer"]
    got = sorted((int(r[1]), int(r[4]), int(r[5]), int(r[6]), r[7] == "drop") for r in buffer)
    names = ("arrival_ns", "sport", "dport", "buffer_sdus")
    want = sorted((*(e[name] for name in names), e["drop"] != "none") for e in seen)
    expect(got == want, f"{len(got)} lines of {len(want)} packets, or other ones")
    expect(len(got) == stats["sdus_in"], f"{len(got)} lines, {stats['sdus_in']} packets")
    most = max(row[3] for row in got)
    expect(most == stats["buffer_sdus_max"], f"at most {most}, not {stats['buffer_sdus_max']}")
    cwnd = [[int(word) for word in row[1:]] for row in rows if row[0] == "cwnd"]
    expect(len(cwnd) > 10 and all(row[2] == 5000 for row in cwnd), f"windows {cwnd[:5]}")
    expect(cwnd == sorted(cwnd) and all(x[3] != y[3] for x, y in zip(cwnd, cwnd[1:])), "no change")
    # An ACK that comes shows the window before it changes it: only one that a timeout ends goes
    # unseen, and the last one.
    said_of, top = {row[3] for row in cwnd}, max(row[3] for row in cwnd)
    expect(9 <= cwnd[0][3] <= 12, f"it began with {cwnd[0]}")
    unseen = windows - said_of
    expect(
        len(windows) > 1 and len(unseen) <= sum(timeouts) + 1,
        f"the socket had {windows}, of which {unseen} are not in {said_of}, after {sum(timeouts)} timeouts",
    )
    began, ended = got[0][0], max(e["handover_ns"] for e in seen)
    expect(began < cwnd[0][0] and cwnd[-1][0] < ended + 10**9, "times of another clock")
    return f"{len(buffer)} packets, {len(cwnd)} windows, at most {most} SDUs and {top} segments"


@case("bpftrace drops-by-flow.bt")
def _() -> str:
    said = traced("drops-by-flow.bt")
    got: dict[str, dict[tuple[str, ...], int]] = {"dropped": {}, "delivered": {}}
    for name, key, count in MAP.findall(said):
        got[name][tuple(word.strip() for word in key.split(","))] = int(count)
    flow = [("va", str(e["bearer"]), str(e["proto"]), str(e["sport"]), str(e["dport"])) for e in seen]
    lost = Counter((*f, e["drop"]) for f, e in zip(flow, seen) if e["drop"] != "none")
    done = Counter(f for f, e in zip(flow, seen) if e["drop"] == "none")
    expect(got == {"dropped": lost, "delivered": done}, f"{got}, not {lost} {done}")
    reasons: Counter[str] = Counter()
    for key, n in got["dropped"].items():
        reasons[key[-1]] += n
    expect(reasons == dropped(stats), f"{reasons}, not {stats['drops']}")
    expect(sum(got["delivered"].values()) == stats["sdus_delivered"], "not all that was delivered")
    expect({key[2] for key in lost} == {"6", "17"}, f"only one flow has lost: {lost}")
    return ", ".join(f"{' '.join(key[2:])} {n}" for key, n in sorted(lost.items()))


@case("bpftrace delay-parts.bt")
def _() -> str:
    said = traced("delay-parts.bt")
    done = [e for e in seen if e["drop"] == "none"]
    found = histograms(said)
    ends = {"queue": ("arrival", "start"), "serial": ("start", "end"), "prop": ("end", "due")}
    ends |= {"retx": ("due", "whole"), "hol": ("whole", "deliver")}
    for name, (begin, end) in ends.items():
        want = binned([(e[f"{end}_ns"] - e[f"{begin}_ns"]) // 1000 for e in done])
        got = found.get((f"{name}_us", "1"))
        expect(got == want, f"{name}: {got}, not {want}")
        expect(sum(want.values()) == stats["sdus_delivered"], f"{name}: {sum(want.values())} packets")
    expect(len(found) == len(ends), f"maps {list(found)}")
    return f"{len(done)} packets, {sum(map(len, found.values()))} bins"


@case("bpftrace lateness.bt")
def _() -> str:
    said = traced("lateness.bt")
    late = [e["handover_ns"] - e["deliver_ns"] for e in seen if e["drop"] == "none"]
    found = histograms(said).get(("late_ns", "va"))
    expect(found == binned(late), f"{found}, not {binned(late)}")
    told = re.search(r"@stats_ns\[va\]: count (\d+), average (\d+), total (\d+)", said)
    counted = stats["sdus_delivered"], stats["late_ns"] // len(late), stats["late_ns"]
    expect(told is not None and tuple(map(int, told.groups())) == counted, f"{told}, not {counted}")
    return f"{len(late)} packets, mean {stats['late_ns'] / len(late) / 1000:.0f} us"
