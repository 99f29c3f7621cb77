# SPDX-License-Identifier: GPL-2.0
"""Background load as packets, by closed forms: Poisson arrivals, M/G/oo, a recorded load to the packet."""

from collections.abc import Callable
from functools import partial
from itertools import accumulate
from math import exp, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from lab import OUT, expect, run, sdus

S = 10**9
SEEDS = 30
# Two transfers a second of a second each, on the average, from when the longest ones are in balance.
RATE, SIZE, TRANSFER, ARRIVAL_S, BEGIN_S, END_S = 64_000, 1000, 8000, 0.5, 40, 140
GAP_NS = SIZE * 8 * S // RATE
MEAN = TRANSFER * 8 / RATE / ARRIVAL_S
STEP_NS, LAG = S // 10, 20


def sent_ns(folder: Path, flow: str) -> list[int]:
    lines = (folder / "series" / f"{flow}.e2e.tsv").read_text().splitlines()
    return [int(line.split("\t")[1]) for line in lines]


def going_on(folder: Path) -> list[int]:
    """How many transfers there are at each STEP_NS: each packet is in the middle of its interval."""
    changes = [0] * (END_S * S // STEP_NS + 2)
    for at in sent_ns(folder, "load"):
        changes[max(0, -(-(at - GAP_NS // 2) // STEP_NS))] += 1
        changes[min(len(changes) - 1, -(-(at + GAP_NS // 2) // STEP_NS))] -= 1
    return list(accumulate(changes))[BEGIN_S * S // STEP_NS : END_S * S // STEP_NS]


def correlation(cv: float) -> float:
    """Of their number with that LAG steps later, which the transfers make that go on for longer than that:
    of the time of all transfers either kind has one half."""
    share = (1 + sqrt((cv * cv - 1) / (cv * cv + 1))) / 2
    lag_s = LAG * STEP_NS / S
    return sum(exp(-lag_s * 2 * part) for part in (share, 1 - share)) / 2


def drawn(cv: float) -> str:
    """Arrivals have the variance of a Poisson process; transfers at a time the mean and the variance of
    M/G/oo, whatever their sizes are, and a memory that is that of the sizes."""
    name = f"loads-{cv:g}"
    text = (
        f'duration = "{END_S}s"\n[radio]\nwlink = "rate 100mbit"\n[[flow]]\nname = "load"\nkind = "load"\n'
        f'rate = {RATE}\nsize = {SIZE}\narrival = "{ARRIVAL_S}s"\ntransfer = {TRANSFER}\ncv = {cv}\n'
    )
    results: Any
    results, folder = run(name, text, "--runs", str(SEEDS))
    flows = [one["flows"]["load"] for one in results]
    expect(all(flow["packets"] == flow["packets_sent"] > 500 for flow in flows), "packets are lost, or few")
    counts = [flow["transfers"] for flow in flows]
    mean = END_S / ARRIVAL_S
    expect(abs(fmean(counts) - mean) < 4 * sqrt(mean / SEEDS), f"{fmean(counts):.1f} arrivals, not {mean}")
    # Chi-square with 30 degrees of freedom, 0.1 % and 99.9 %.
    chi = sum((n - mean) ** 2 for n in counts) / mean
    expect(11.6 < chi < 59.7, f"arrivals' variance: chi-square {chi:.1f}")
    have = [going_on(folder / f"seed-{seed}") for seed in range(1, SEEDS + 1)]
    every = [n for one in have for n in one]
    load = fmean(every)
    # The standard error of the mean of T seconds is sqrt(mean (1 + cv^2) / T), of transfers of a second.
    error = sqrt(MEAN * (1 + cv * cv) / (SEEDS * (END_S - BEGIN_S)))
    expect(abs(load - MEAN) < 3.5 * error, f"{load:.3f} transfers at a time, not {MEAN} +- {error:.3f}")
    spread = fmean((n - MEAN) ** 2 for n in every)
    expect(abs(spread / MEAN - 1) < 0.25, f"their variance is {spread:.3f}, not {MEAN}")
    pairs = [(a - MEAN) * (b - MEAN) for one in have for a, b in zip(one, one[LAG:])]
    memory, want = fmean(pairs) / spread, correlation(cv)
    expect(abs(memory - want) < 0.1, f"correlation {memory:.3f}, by hand {want:.3f}")
    return f"{load:.3f} at a time, variance {spread:.3f}, correlation {memory:.3f} of {want:.3f}, {chi:.1f}"


# The rates of a load: what it says of its end, then (until, bit/s) by hand.
FILES: dict[str, tuple[str, list[tuple[float, int]]]] = {
    "hold": ("0,100kbit\n10,0\n20,1mbit\n21.5,50000\n",
             [(10, 100_000), (20, 0), (21.5, 1_000_000), (60, 50_000)]),
    "loop": (
        "wlink schedule\ncolumns background\nlength 20s\nend loop\n0 200kbit\n5s 0\n",
        [(5, 200_000), (20, 0), (25, 200_000), (40, 0), (45, 200_000), (60, 0)],
    ),
    "stop": ("wlink schedule\ncolumns rate\nlength 20s\nend stop\n0 80kbit\n5s 800kbit\n",
             [(5, 80_000), (20, 800_000), (60, 0)]),
}  # fmt: skip


def recorded(end: str) -> str:
    """In each step as many packets as its rate has, to half a packet at either end."""
    text, steps = FILES[end]
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"load-{end}.csv").write_text(text)
    _, folder = run(
        f"recorded-{end}",
        f'duration = "60s"\n[radio]\nwlink = "rate 100mbit"\n[[flow]]\nname = "load"\nkind = "load"\n'
        f'size = {SIZE}\nloads = "load-{end}.csv"\n',
    )
    times = sent_ns(folder, "load")
    begin, total = 0.0, 0.0
    for until, bps in steps:
        # All packets until then: neither their number nor a rate drifts.
        total += bps * (until - begin)
        have = sum(at < until * S for at in times)
        expect(abs(have - total / (8 * SIZE)) <= 0.5, f"until {until} s {have} packets of {total / 8 / SIZE}")
        begin = until
    return f"{len(times)} packets"


# Of a link of 1 Mbit/s: a load takes what it says, and at most the half of two in turn.
PLAYED = "time,background\n0,200kbit\n10,0\n20,600kbit\n30,400kbit\n"
LEFT_KBIT = (800, 1000, 500, 600)


def check_recorded_in_the_engine() -> str:
    """The same kind of file takes capacity inside the engine; a full buffer gets the rest."""
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "load-played.csv").write_text(PLAYED)
    _, folder = run(
        "load-played",
        'duration = "40s"\n[radio.down]\nwlink = "rate 1mbit tti 1ms rb 50 sched rr background 1 limit 20"\n'
        'trace = { file = "load-played.csv" }\n[radio.up]\nwlink = "rate 1mbit"\n'
        '[[flow]]\nname = "full"\nkind = "udp"\nrate = "2mbit"\nsize = 500\n',
    )
    ends = [s.end for s in sdus(folder) if s.drop == "none"]
    have = [sum(i * 10 + 1 <= end / S < i * 10 + 9 for end in ends) * 500 * 8 / 8e3 for i in range(4)]
    expect(all(abs(a / b - 1) < 0.002 for a, b in zip(have, LEFT_KBIT)), f"{have} kbit/s, not {LEFT_KBIT}")
    # What is told of the load is the rest of the 1 Mbit/s, and so are the bits that wlab plot draws.
    lines = (folder / "series" / "radio.down.background.tsv").read_text().splitlines()
    told = [[int(word) for word in line.split("\t")] for line in lines]
    for i, left in enumerate(LEFT_KBIT):
        part = sum(took for at, _, took in told if i * 10 + 1 <= at / S < i * 10 + 9) / (8 * S)
        expect(abs(part - (1 - left / 1000)) < 0.001, f"they took {part} of 8 s, {left} kbit/s are left")
    expect({users for _, users, _ in told} == {1}, "not one user")
    return ", ".join(f"{one:.1f}" for one in have) + " kbit/s are left"


CASES: dict[str, Callable[[], str]] = {
    "load: exponential sizes": partial(drawn, 1),
    "load: hyper-exponential sizes": partial(drawn, 3),
    **{f"load: recorded, {end}": partial(recorded, end) for end in FILES},
}
