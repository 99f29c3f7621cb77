# SPDX-License-Identifier: GPL-2.0
"""Users that move from cell to cell, and links that are silent for a while."""

import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

from brief import brief
from lab import Sdu, expect, run, sdus, wlab, write

MS = 10**6
# What the commands of an event may take, of virtual time.
SLACK_NS = 100_000
NET = brief("""duration = "10s"
[node.server] [node.core] [node.enb] count = 2
[node.ue] count = 3
[link.up] between = ["server", "core"]; wlink = "rate 100mbit delay 5ms"
[link.bh] between = ["core", "enb-*"]; wlink = "rate 100mbit delay 1ms"
[cell.a] at = "enb-1"; users = ["ue-1", "ue-2"]; down = "rate 3mbit sched rr limit 40"
up = "rate 3mbit sched rr limit 40"
[cell.b] at = "enb-2"; users = "ue-3"; down = "rate 3mbit sched rr limit 40"
up = "rate 3mbit sched rr limit 40"
""")


def flow(name: str, src: str, dst: str, rate: str = "200kbit", size: int = 500) -> str:
    ends = f'from = "{src}"\nto = "{dst}"\n'
    return f'[[flow]]\nname = "{name}"\nkind = "udp"\nrate = "{rate}"\nsize = {size}\n{ends}'


def move(time: str, user: str, to: str, *more: str) -> str:
    return "\n".join([f'[[at]]\ntime = "{time}"\nmove = "{user}"\nto = "{to}"', *more, ""])


BOTH = flow("dl", "server", "ue-1") + flow("ul", "ue-1", "server") + flow("file", "server", "ue-2")
GAP = 'interruption = "50ms"'
# No packet is sent at the end itself, to arrive after it.
THERE_AND_BACK = (NET.replace('"10s"', '"9990ms"') + BOTH
                  + move("4s", "ue-1", "b", GAP) + move("7s", "ue-1", "enb-1", GAP))


def over_air(folder: Path, name: str, way: str, cells: str = "ab") -> list[Sdu]:
    """A flow's packets in all cells, by arrival."""
    some = [s for cell in cells for s in sdus(folder, f"{cell}.{way}") if s.flow == name]
    return sorted(some, key=lambda s: s.arrival)


def all_there(result: dict[str, Any], folder: Path, name: str, way: str, wired: str) -> str:
    """Each packet of a flow is in one cell, and delivered there, dropped or held; none overtakes."""
    air = over_air(folder, name, way)
    before = {s.drop for s in air} - {"none", "flush"}
    expect(not before, f"{name}: dropped by {before}")
    sent, came = (result["flows"][name][key] for key in ("packets_sent", "packets"))
    flushed = sum(s.drop == "flush" for s in air)
    arrived = sum(1 for s in sdus(folder, wired) if s.flow == name and s.drop == "none")
    if way == "down":
        expect(arrived == len(air), f"{name}: {arrived} came to the cells, which tell of {len(air)}")
        expect(sent - came - flushed <= 1, f"{name}: {sent} sent, {came} came, {flushed} flushed")
    else:
        expect(sent == len(air), f"{name}: {sent} sent, the cells tell of {len(air)}")
    delivered = [s.deliver for s in air if s.drop == "none"]
    expect(delivered == sorted(delivered), f"{name}: one packet has overtaken another")
    rows = [line.split() for line in (folder / "series" / f"{name}.e2e.tsv").read_text().splitlines()]
    times = [int(row[1]) for row in rows]
    expect(times == sorted(times) and len(times) == came, f"{name}: not received in the order of sending")
    return f"{name} {sent} sent, {came} received, {flushed} dropped"


def check_a_round_trip() -> str:
    """There and back: every packet is accounted for, in order, and nothing passes within a gap."""
    result, folder = run("handover", THERE_AND_BACK)
    said = [
        all_there(result, folder, "dl", "down", "up.forward"),
        all_there(result, folder, "ul", "up", "up.back"),
    ]
    expect([m["interruption_ns"] for m in result["moves"]] == [50 * MS] * 2, f"{result['moves']}")
    for name, way in (("dl", "down"), ("ul", "up")):
        for time_ns, cell in ((4000 * MS, "b"), (7000 * MS, "a")):
            there_ns = time_ns + 50 * MS
            air = [s for s in over_air(folder, name, way) if s.drop == "none"]
            within = [s for s in air if time_ns + SLACK_NS < s.deliver < there_ns]
            expect(not within, f"{name}: delivered {[s.deliver for s in within]} within the gap")
            first = next(s for s in air if s.deliver > time_ns + SLACK_NS)
            expect(first.link == f"{cell}.{way}" and first.arrival < there_ns, f"{name}: first is {first}")
            # The PDU of another user may be on the air.
            late_ns = first.start - there_ns
            expect(0 <= late_ns < SLACK_NS + 4 * MS, f"{name}: sent {late_ns} ns after the gap")
            if cell == "b":
                expect(late_ns < SLACK_NS, f"{name}: sent {late_ns} ns after the gap in an empty cell")
    called = wlab("plot", str(folder))
    expect(called.status == 0 and (folder / "plot-users.png").exists(), called.err)
    again, _ = run("handover", THERE_AND_BACK, out="handover-again")
    expect(again["event_sha256"] == result["event_sha256"], "two runs have different events")
    return "; ".join(said)


FULL = (
    NET.replace('duration = "10s"', 'duration = "6s"')
    + flow("dl", "server", "ue-1", "5mbit", 1500)
    + flow("ul", "ue-1", "server", "5mbit", 1500)
)


def check_what_is_queued() -> str:
    """What is queued is dropped, or the old cell delivers it."""
    said = []
    for queue in ("drop", "deliver"):
        result, folder = run(f"handover-{queue}", FULL + move("3s", "ue-1", "b", f'queue = "{queue}"'))
        for name, way in (("dl", "down"), ("ul", "up")):
            old = [s for s in sdus(folder, f"a.{way}") if s.flow == name]
            flushed = sum(s.drop == "flush" for s in old)
            late = sum(s.drop == "none" and s.deliver > 3000 * MS + SLACK_NS for s in old)
            here, none = (flushed, late) if queue == "drop" else (late, flushed)
            expect(39 <= here <= 40 and not none, f"{name}, {queue}: {flushed} dropped, {late} late")
            new = [s for s in sdus(folder, f"b.{way}") if s.flow == name and s.drop == "none"]
            bps = 8 * sum(s.bytes for s in new) / 3
            expect(abs(bps / 3e6 - 1) < 0.01, f"{name}, {queue}: {bps} bit/s in the new cell")
        x = result["links"]["a.down"]["xstats"]
        said.append(f"{queue}: {x['drops']['flush']} dropped")
    return ", ".join(said)


def check_what_is_on_the_way() -> str:
    """What had been sent when the user left is lost with the queue, but was not in it."""
    text = NET.replace("sched rr limit 40", "sched rr limit 40 delay 200ms") + flow("dl", "server", "ue-1")
    result, folder = run("handover-on-the-way", text + move("3s", "ue-1", "b"))
    lost = [s for s in sdus(folder, "a.down") if s.drop == "flush"]
    counted = result["links"]["a.down"]["dropped"]["flush"]
    expect(8 <= len(lost) == counted, f"{len(lost)} lost, {counted} counted")
    wrong = [s for s in lost if not s.end < s.arrival + 5 * MS < s.t < 3000 * MS + SLACK_NS + 5 * MS]
    expect(len(wrong) <= 1, f"{wrong}")
    return f"{len(lost)} lost"


def check_what_is_forwarded() -> str:
    """All that one cell holds, both ways and whatever its scheduler gives, comes through the other."""
    text = THERE_AND_BACK.replace(GAP, GAP + '\nqueue = "forward"')
    result, folder = run("handover-forward", text)
    said = []
    for name in ("dl", "ul"):
        sent, came = (result["flows"][name][key] for key in ("packets_sent", "packets"))
        expect(sent == came, f"{name}: {sent} sent, {came} came")
        rows = [line.split() for line in (folder / "series" / f"{name}.e2e.tsv").read_text().splitlines()]
        times = [int(row[1]) for row in rows]
        expect(times == sorted(times), f"{name}: not received in the order of sending")
    # IPv6 has tables and rules of its own.
    full = 'addresses = "fd00::/64"\n' + FULL + move("3s", "ue-1", "b", 'queue = "forward"')
    result, folder = run("handover-forward-full", full)
    for name, way in (("dl", "down"), ("ul", "up")):
        old = [s for s in sdus(folder, f"a.{way}") if s.flow == name and s.drop == "forward"]
        new = sorted((s for s in sdus(folder, f"b.{way}") if s.flow == name), key=lambda s: s.seq)
        # The limit is 40, as one comes or leaves; one more is on the air.
        expect(39 <= len(old) <= 41, f"{name}: {len(old)} forwarded")
        expect([s.bytes for s in new[: len(old)]] == [s.bytes for s in old], f"{name}: others came first")
        late_ns = max(s.arrival for s in new[: len(old)]) - old[0].t
        expect(0 <= late_ns < SLACK_NS, f"{name}: {late_ns} ns on the way")
        bps = 8 * sum(s.bytes for s in new if s.drop == "none") / 3
        expect(abs(bps / 3e6 - 1) < 0.01, f"{name}: {bps} bit/s in the new cell")
        drops = result["links"][f"a.{way}"]["xstats"]["drops"]
        expect(drops["forward"] == len(old) and not drops["flush"], f"{name}: {drops}")
        said.append(f"{name}: {len(old)} forwarded")
    return ", ".join(said)


def check_an_interruption_by_chance() -> str:
    """An interruption with a distribution follows from the seed and stays within its bounds."""
    text = NET + flow("dl", "server", "ue-1") + move("2s", "ue-1", "b", 'interruption = "uniform 20ms 60ms"')
    text += move("4s", "ue-1", "a", 'interruption = "exponential 30ms 100ms"')
    several, _ = run("handover-drawn", text, "--runs", "3")
    results: list[dict[str, Any]] = [*several]  # type: ignore[list-item]
    gaps: list[list[int]] = [[m["interruption_ns"] for m in one["moves"]] for one in results]
    expect(all(20 * MS <= a <= 60 * MS and 0 <= b <= 100 * MS for a, b in gaps), f"{gaps}")
    expect(len({a for a, _ in gaps}) == len({b for _, b in gaps}) == 3, f"not by the seed: {gaps}")
    again, folder = run("handover-drawn", text, "--seed", "2", out="handover-drawn-2")
    expect([m["interruption_ns"] for m in again["moves"]] == gaps[1], f"{again['moves']}, {gaps[1]}")
    expect(again["event_sha256"] == results[1]["event_sha256"], "a seed has different events")
    there_ns = 2000 * MS + gaps[1][0]
    first = next(s for s in over_air(folder, "dl", "down") if s.link == "b.down")
    expect(0 <= first.start - there_ns < SLACK_NS, f"sent at {first.start}, not {there_ns}")
    return f"{gaps} ns"


def check_links_that_are_down() -> str:
    """A link, a direction of one and a cell go down and come up; what waits is not lost."""
    text = NET + BOTH
    for time, state in (("2s", "down"), ("3s", "up")):
        for link in ("up.forward", "bh-1", "a"):
            text += f'[[at]]\ntime = "{time}"\nlink = "{link}"\nstate = "{state}"\n'
    result, folder = run("outage", text)
    for name in ("up.forward", "bh-1.forward", "bh-1.back", "a.down", "a.up"):
        within = [s for s in sdus(folder, name) if 2010 * MS < s.deliver < 3000 * MS]
        expect(not within, f"{name}: {len(within)} delivered while it is down")
        x = result["links"][name]["xstats"]
        late = [s for s in sdus(folder, name) if s.drop == "none" and s.deliver > 3100 * MS]
        expect(len(late) > 100, f"{name}: {len(late)} delivered afterwards")
        held = x["drops"]["overflow"] if name[0] == "a" else 0
        expect(sum(x["drops"].values()) == held, f"{name}: {x['drops']}")
    expect(sum(1 for s in sdus(folder, "up.back") if 2010 * MS < s.deliver < 3000 * MS) == 0, "up.back")
    return "1 s of silence on five directions"


def check_a_line_that_is_refused() -> str:
    """A line that tc refuses ends the run, by the tool and the node."""
    text = NET + BOTH + '[[at]]\ntime = "1s"\nrun = "tc filter del dev {a.up} parent 1: pref 2"\n'
    called = wlab("run", str(write("handover-refused", text + move("2s", "ue-1", "b"))), "--force")
    expect(called.status == 1 and "tc" in called.err and "timed line in a" in called.err, called.err)
    return called.err.splitlines()[-2]


CELLS, USERS = 7, 14


def wandering(hours: float) -> str:
    """Seven cells, of which users leave one for another, one every 10 s."""
    text = f'duration = "{round(hours * 3600)}s"\nwarmup = "1s"\n[node.server]\n[node.enb]\ncount = {CELLS}\n'
    text += f'[node.ue]\ncount = {USERS}\n[link.core]\nbetween = ["server", "enb-*"]\n'
    text += 'wlink = "rate 100mbit delay 5ms"\n'
    at: dict[str, int] = {}
    for c in range(1, CELLS + 1):
        mine = [f"ue-{c}", f"ue-{c + CELLS}"]
        at |= dict.fromkeys(mine, c)
        text += f'[cell.c{c}]\nat = "enb-{c}"\nusers = {mine}\n'
        text += 'down = "rate 2mbit sched rr limit 40"\nup = "rate 2mbit sched rr limit 40"\n'
    text += flow("dl", "server", "ue-*", "2kbit", 500) + flow("ul", "ue-*", "server", "2kbit", 500)
    chance = random.Random(1)
    for time in range(10, round(hours * 3600) - 5, 10):
        user = chance.choice(sorted(at))
        at[user] = chance.choice([c for c in range(1, CELLS + 1) if c != at[user]])
        queue = 'queue = "forward"' if time % 20 else 'queue = "drop"'
        text += move(f"{time}s", user, f"c{at[user]}", 'interruption = "exponential 50ms 500ms"', queue)
    return text


# Of the processes that read timed lines, the largest; what the kernel keeps that is no cache of files.
RSS = (
    "ps -C ip,tc -o rss= --sort=-rss | head -n 1;"
    " awk '/^(SUnreclaim|KernelStack|PageTables)/ {s += $2} END {print s}' /proc/meminfo"
)


def check_hours_of_it() -> str:
    """Hours of it: everything is accounted for, and everybody still has what is sent to them."""
    hours = float(os.environ.get("WLAB_SOAK_HOURS", "0.5"))
    # What the kernel keeps for use again, and a reader until another one takes its place, grow less.
    look = f"sleep {hours * 1800}; {RSS}; sleep {hours * 1800 - 10}; {RSS}"
    text = wandering(hours) + f'[[program]]\nname = "rss"\nin = "server"\nrun = "{look}"\n'
    result, folder = run("handover-soak", text, "--timeout", "120")
    said = [int(word) for word in (folder / "programs" / "rss.out").read_text().split()]
    whose = "a process that reads timed lines", "the kernel"
    for what, began, now in zip(whose, said[:2], said[2:], strict=True):
        expect(now - began < 1000, f"{what} had {began} KiB in the middle, and has {now} at the end")
    for name, link in result["links"].items():
        x = link["xstats"]
        out = x["sdus_delivered"] + sum(x["drops"].values()) + x["sdus_held"]
        expect(x["sdus_in"] == out > 0, f"{name}: {x['sdus_in']} in, {out} delivered, dropped or held")
    expect(len(result["links"]) == 4 * CELLS, f"{len(result['links'])} links")
    lost = 0
    for name, one in result["flows"].items():
        missing = one["packets_sent"] - one["packets"]
        lost += missing
        expect(missing <= 2 + len(result["moves"]), f"{name}: {missing} of {one['packets_sent']} are missing")
    way = {"received": "down", "sent": "up"}
    links = result["links"]
    flushed = sum(links[f"c{c}.{w}"]["xstats"]["drops"]["flush"] for c in range(1, 8) for w in way.values())
    expect(lost <= flushed + 2 * USERS, f"{lost} are lost, {flushed} were dropped by moves")
    for node, have in result["metrics"]["nodes"].items():
        for did, bps in have.items():
            users = USERS if node == "server" else 1
            expect(abs(bps / users / (2000 * 472 / 500) - 1) < 0.05, f"{node} {did} {bps} bit/s")
    for a, b in pairwise(s.deliver for s in sdus(folder, "c1.down")):
        expect(b == -1 or a <= b, "events are not in order")
    did = f"{len(result['moves'])} moves in {hours:g} h, {flushed} packets dropped by them, {lost} lost"
    return f"{did}; the kernel kept {said[1]} KiB in the middle, {said[3]} at the end"
