# SPDX-License-Identifier: GPL-2.0
"""Links that are replayed for their whole length: the event log against the file."""

import os
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

from lab import OUT, Skipped, events, expect, run, sdus

# Its cases do not use each other's results.
APART = True
# A folder of recorded links: mahimahi/* has opportunities, jens/* rates.
FOLDER = "WLINK_TRACES"
LINK = "radio.down"
S, MS, BIN = 10**9, 10**6, 10**8
PACKET = 1500
BASE = 3_000_000
UDP_BPS, FLOW_NS = 4_000_000, 5 * 10**8 + 2 * S

Steps = list[tuple[int, int]]


def opportunities(path: Path) -> tuple[Steps, int]:
    """[(ns, bytes)] and the period, by Mahimahi's own words: a packet per line."""
    stamps = [int(line) for line in path.read_text().split()]
    return [(ms * MS, PACKET * n) for ms, n in sorted(Counter(stamps).items())], stamps[-1] * MS


def rates(path: Path) -> tuple[Steps, int]:
    """[(ns, bit/s)] and the length: kbit/s, ten lines a second."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
    return [(i * BIN, 1000 * int(line)) for i, line in enumerate(lines)], len(lines) * BIN


def grant_bins(steps: Steps) -> Counter[int]:
    """Bytes by bin of 100 ms."""
    bins: Counter[int] = Counter()
    for at, size in steps:
        bins[at // BIN] += size
    return bins


def rate_bins(steps: Steps, length: int) -> list[int]:
    """Bits times 10^9 by bin of 100 ms, of rates that last until the next one."""
    bins = [0] * -(-length // BIN)
    for (begin, bps), end in zip(steps, [at for at, _ in steps[1:]] + [length]):
        at = begin
        while at < end:
            to = min(end, (at // BIN + 1) * BIN)
            bins[at // BIN] += bps * (to - at)
            at = to
    return bins


def scenario(path: Path, words: str, seconds: int, more: str = "") -> str:
    """Loaded at 1 s, to start a second later."""
    return (
        f'duration = "{seconds}s"\n[radio.up]\nwlink = "rate 10mbit"\n'
        f'[radio.down]\nwlink = "rate {BASE} mode tm limit 100"\n{more}'
        f'[[at]]\ntime = "1s"\nrun = "wlinkctl trace play {{down}} {path} {words} start +1s"\n'
    )


def plays(folder: Path) -> list[tuple[int, str]]:
    """When the schedule came to which state."""
    return [(int(at), state) for at, link, _, _, state, _ in events(folder, "play") if link == LINK]


def origin_of(folder: Path) -> int:
    """When it started: a second after it was loaded, which takes no virtual time."""
    states = [(at, state) for at, state in plays(folder) if state == "plays"]
    expect(len(states) == 1, f"it started {len(states)} times")
    at = states[0][0]
    expect(2 * S <= at < 2 * S + 50 * MS, f"it started at {at} ns")
    return at


def grants_of(folder: Path, origin: int) -> list[tuple[int, int, int]]:
    """(ns since the start, bytes, used) of each opportunity."""
    return [
        (int(at) - origin, int(size), int(used))
        for at, link, _, _, size, used in events(folder, "grant")
        if link == LINK
    ]


def same_steps(name: str, got: Steps, want: Steps) -> None:
    """Each step, and where the first one differs."""
    for one, other in zip(got, want):
        expect(one == other, f"{name}: {one}, not {other}")
    expect(len(got) == len(want), f"{name}: {len(got)} steps, not {len(want)}")


def replay_grants(path: Path) -> Callable[[], str]:
    """A file of opportunities, without traffic, once."""

    def case() -> str:
        want, period = opportunities(path)
        _, folder = run(f"replay-{path.name}", scenario(path, "stop", period // S + 4))
        origin = origin_of(folder)
        got = grants_of(folder, origin)
        expect(all(used == 0 for _, _, used in got), "an opportunity was used without traffic")
        steps = [(at, size) for at, size, _ in got]
        same_steps(path.name, steps, want)
        expect(grant_bins(steps) == grant_bins(want), "bytes in 100 ms differ")
        ends = [at - origin for at, state in plays(folder) if state == "none"]
        expect(ends == [period], f"it ended at {ends}, not at {period} ns")
        total = sum(size for _, size in want)
        return f"{len(want)} opportunities of {total} bytes in {period / S:.3f} s, all exact"

    return case


def replay_rates(path: Path) -> Callable[[], str]:
    """A file of rates, without traffic, once."""

    def case() -> str:
        want, length = rates(path)
        _, folder = run(f"replay-{path.stem}", scenario(path, "stop", length // S + 4))
        origin = origin_of(folder)
        changes = [
            (int(at) - origin, int(old), int(new))
            for at, link, _, old, new, _ in events(folder, "rate")
            if link == LINK and old != new
        ]
        expect(changes[0][1] == BASE, f"the rate before was {changes[0][1]} bit/s")
        expect(changes[-1] == (length, want[-1][1], BASE), f"the end was {changes[-1]}")
        got = [(at, new) for at, _, new in changes[:-1]]
        distinct = [step for i, step in enumerate(want) if not i or step[1] != want[i - 1][1]]
        same_steps(path.name, got, distinct)
        bins = rate_bins(want, length)
        expect(rate_bins(got, length) == bins, "bytes in 100 ms differ")
        return f"{len(want)} rates, {sum(bins) // (8 * S)} bytes in {length / S:.1f} s, all exact"

    return case


def used_up(folder: Path, got: list[tuple[int, int, int]], origin: int) -> tuple[int, int]:
    """used = min(bytes, what waits); how many were full, how many not.

    What waits is what has arrived and was not refused, less all that was used
    before. A packet that arrives at the very time of an opportunity may be of it.
    """
    kept = sorted((s.arrival - origin, s.bytes) for s in sdus(folder, LINK) if s.drop in ("none", "flush"))
    times = [at for at, _ in kept]
    sums = [0, *accumulate(size for _, size in kept)]
    sent = full = short = 0
    for at, size, used in got:
        least = min(size, sums[bisect_left(times, at)] - sent)
        most = min(size, sums[bisect_right(times, at)] - sent)
        expect(least <= used <= most, f"{used} bytes used of {size} at {at} ns, not {least}..{most}")
        sent += used
        full += used == size
        short += used < size
    return full, short


def all_delivered(folder: Path, got: list[tuple[int, int, int]], origin: int) -> int:
    """All that has been used is in packets that ended, but for a part of one."""
    ends = sorted(
        (s.end - origin, s.bytes) for s in sdus(folder, LINK) if s.drop == "none" and s.end > origin
    )
    at_grant = {at for at, _, _ in got}
    late = [end for end, _ in ends if end not in at_grant]
    expect(not late, f"{len(late)} packets ended outside opportunities, the first at {late[:1]} ns")
    times = [end for end, _ in ends]
    sums = [0, *accumulate(size for _, size in ends)]
    sent = 0
    for i, (at, _, used) in enumerate(got):
        sent += used
        if i + 1 < len(got) and got[i + 1][0] == at:
            continue  # the end of a pass and the begin of the next
        part = sent - sums[bisect_right(times, at)]
        expect(0 <= part < max(size for _, size in ends), f"{part} bytes at {at} ns are in no packet")
    return len(ends)


def traffic(path: Path, name: str, bps: int, passes: int, always: bool) -> Callable[[], str]:
    """A file of opportunities under UDP, over and over: what each one carries."""

    def case() -> str:
        want, period = opportunities(path)
        seconds = 2 + passes * period // S
        flow = f'[[flow]]\nname = "f"\nkind = "udp"\nrate = {bps}\nstart = "{FLOW_NS}ns"\n'
        _, folder = run(f"replay-{name}", scenario(path, "loop", seconds, flow))
        origin = origin_of(folder)
        got = grants_of(folder, origin)
        until = seconds * S - origin
        every = [
            (at + i * period, size) for i in range(passes) for at, size in want if at + i * period <= until
        ]
        offered: Counter[int] = Counter()
        for at, size, _ in got:
            offered[at] += size
        wanted: Counter[int] = Counter()
        for at, size in every:
            wanted[at] += size
        same_steps(name, sorted(offered.items()), sorted(wanted.items()))
        full, short = used_up(folder, got, origin)
        ended = all_delivered(folder, got, origin)
        expect(full > 1000, f"only {full} opportunities were used whole")
        empty = [at for at, size, used in got if used < size and at + origin > FLOW_NS]
        expect(
            not empty or not always,
            f"{len(empty)} opportunities were not used whole, the first at {empty[:1]} ns",
        )
        expect(bool(empty) or always, "the queue was never empty")
        return f"{full} opportunities used whole, {short} as far as there was something; {ended} packets"

    return case


def put(path: Path, text: str) -> None:
    """Once; others may be reading it."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def made() -> tuple[Path, Path]:
    """Opportunities (10 s have all kinds) and rates of our own: bursts, pauses, times that come twice."""
    OUT.mkdir(parents=True, exist_ok=True)
    stamps = [ms for ms in range(1, 10_001) for _ in range(ms * 7919 % 5 if ms // 700 % 3 else ms % 13 == 0)]
    grants = OUT / "made.up"
    put(grants, "".join(f"{ms}\n" for ms in [*stamps, 10_001]))
    rates_of = OUT / "made.csv"
    put(rates_of, "# made\n" + "".join(f"{1 + i * 7919 % 60_000 // (1 + i // 50 % 3)}\n" for i in range(300)))
    return grants, rates_of


def absent() -> str:
    raise Skipped(f"{FOLDER} does not name a folder of recorded links")


def cases() -> dict[str, Callable[[], str]]:
    """One for each file there is."""
    grants, rates_of = made()
    found = {"replay of opportunities": replay_grants(grants), "replay of rates": replay_rates(rates_of)}
    # Its bursts are faster than UDP_BPS and its pauses slower: the queue is full at times, then empty.
    udp = "replay under UDP"
    found[f"{udp}, the queue never empty"] = traffic(grants, "full", 30_000_000, 1, always=True)
    found[f"{udp}, twice, the queue empty at times"] = traffic(grants, "mixed", UDP_BPS, 2, always=False)
    if not (folder := os.environ.get(FOLDER)):
        return found | {"replay of recorded links": absent}
    for kind, case in (("mahimahi", replay_grants), ("jens", replay_rates)):
        for path in sorted((Path(folder) / kind).iterdir()):
            found[f"replay of {path.name}"] = case(path)
    return found


CASES = cases()
