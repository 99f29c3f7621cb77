# SPDX-License-Identifier: GPL-2.0
"""What a picture shows, as numbers: by hand, and against a buffer that is simulated here."""

import json
import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kit import Skipped, equals, expect
from wlablib.analysis.occupancy import Stay, occupancy, stays
from wlablib.analysis.plots import run as plot
from wlablib.analysis.plots.data import (
    Result,
    loads,
    mean_rate,
    played as played_by,
    rate_heads,
    rate_text,
    size_text,
)
from wlablib.lib.paths import LabError

MS = 10**6
END_MS = 1000


Steps = list[tuple[float, int]]


def sdu(
    bearer: int, arrival: float, found: int, sent: float, delivered: float, drop: str = "none"
) -> list[str]:
    """A line of events.tsv; times in ms, 100 bytes each but for the numbers of the bearer."""
    a, e, d = (round(t * MS) for t in (arrival, sent, delivered))
    words = ["sdu", e, "radio.down", "f", "forth", bearer, 0, 1, 100 * bearer, 1, 0, drop, a, a, e, d, 1, 60]
    return [str(w) for w in (*words, d, d, 0, found, 0)]


def of_link(lines: list[list[str]]) -> dict[int, list[Stay]]:
    return stays(iter(lines), ["radio.down"], END_MS * MS)["radio.down"]


def steps(lines: list[list[str]], back_ms: int = 0, left: int | None = None) -> dict[int, Steps]:
    """(ms, SDUs) of each bearer."""
    got = occupancy(of_link(lines), back_ms * MS, END_MS * MS, left)
    return {b: [(round(t * 1e3, 6), n) for t, n in zip(s.t_s, s.sdus)] for b, s in got.items()}


def check_a_buffer_until_sdus_are_sent() -> str:
    """tm, um: an SDU leaves with its last bit; what comes as another leaves may be before or after it."""
    lines = [
        sdu(1, 10, 1, 30, 80),
        sdu(1, 20, 2, 60, 110),
        # It comes just as the first has left, and waits for the second.
        sdu(1, 30, 2, 90, 140),
        sdu(1, 200, 1, 220, 220, "overflow"),
        # Still there at the end.
        sdu(1, 900, 1, 1000, -1, "flush"),
        # Never in the buffer.
        sdu(1, 50, 0, 50, -1, "overflow"),
    ]
    wanted = [(0, 0), (10, 1), (20, 2), (30, 2), (60, 1), (90, 0), (200, 1), (220, 0), (900, 1), (1000, 1)]
    equals("steps", steps(lines), {1: [(float(t), n) for t, n in wanted]})
    return "8 changes and both ends"


def check_a_buffer_until_sdus_are_acknowledged() -> str:
    """am: through an outage it stays, and it is empty when all is acknowledged."""
    lines = [
        sdu(1, 10, 1, 30, 100),
        sdu(1, 20, 2, 60, 400),
        # It finds the others, so that the first goes after it and not at 120.
        sdu(1, 200, 3, 210, 410),
        # All have gone meanwhile: at 420 and 430 the way back has passed.
        sdu(1, 500, 1, 510, 600),
    ]
    wanted = [(0.0, 0), (10.0, 1), (20.0, 2), (200.0, 3), (200.000001, 2), (420.0, 1), (430.0, 0)]
    equals("steps", steps(lines, 20)[1], [*wanted, (500.0, 1), (620.0, 0), (1000.0, 0)])
    # The kernel says that one has not been acknowledged at the end.
    held = steps(lines, 20, left=1)[1]
    equals("held at the end", held[-2:], [(500.0, 1), (1000.0, 1)])
    return "an outage, the end"


def check_two_bearers() -> str:
    """Each has its own steps and bytes; no line goes from one to the other."""
    lines = [sdu(1, 10, 1, 30, 30), sdu(2, 15, 1, 90, 90), sdu(1, 20, 2, 60, 60), sdu(2, 40, 2, 95, 95)]
    got = occupancy(of_link(lines), 0, END_MS * MS, 0)
    equals("bearers", list(got), [1, 2])
    equals("of 1:1", got[1].bytes, [0, 100, 200, 100, 0, 0])
    equals("of 1:2", got[2].bytes, [0, 200, 400, 200, 0, 0])
    equals("times of 1:2", got[2].t_s, [0.0, 0.015, 0.04, 0.09, 0.095, 1.0])
    return "two"


def check_a_simulated_buffer() -> str:
    """A buffer whose SDUs are acknowledged some time after delivery: true at each arrival and never early."""
    checked = 0
    for seed in range(20):
        rng = random.Random(seed)
        arrivals = sorted(rng.sample(range(1, 900), 60))
        delivered = [a + rng.randrange(5, 60) for a in arrivals]
        acked = [d + 20 + rng.randrange(0, 80) for d in delivered]
        lines = []
        for i, a in enumerate(arrivals):
            # Half a ms off, so that nothing comes as another leaves.
            found = sum(x <= a and y + 0.5 > a for x, y in zip(arrivals, acked))
            lines.append(sdu(1, a, found, a + 1, delivered[i]))
        left = sum(y + 0.5 > END_MS for y in acked)
        got = steps(lines, 20, left)[1]
        for a in arrivals:
            have = [n for t, n in got if t <= a][-1]
            true = sum(x <= a and y + 0.5 > a for x, y in zip(arrivals, acked))
            equals(f"seed {seed}, at {a}", have, true)
            checked += 1
        for t, n in got:
            there = sum(x <= t < d + 20 for x, d in zip(arrivals, delivered))
            expect(n >= there, f"seed {seed}, at {t}: {n} in the buffer, {there} cannot be acknowledged")
        equals(f"seed {seed}, at the end", got[-1][1], left)
    return f"{checked} arrivals"


def check_words() -> str:
    """Rates in the unit that fits, as many as can be told; sizes as tc takes them."""
    for bps, text in (
        (20e6, "20 Mbit/s"),
        (384e3, "384 kbit/s"),
        (1544e3, "1.544 Mbit/s"),
        (1e9, "1 Gbit/s"),
        (999, "999 bit/s"),
        (0, "0 bit/s"),
    ):
        equals("rate", rate_text(bps), text)
    equals("sizes", [size_text(n) for n in (60_000, 2_000_000, 1500)], ["60kb", "2mb", "1500b"])
    rates = [(0.0, 384e3), (50.0, 128e3)]
    equals("heads", rate_heads(rates, 100.0), [(25.0, "384 kbit/s"), (75.0, "128 kbit/s")])
    equals("mean", mean_rate(rates, 100.0), 256e3)
    many = [(float(i), 4e6 if i % 2 else 6e6) for i in range(100)]
    equals("many", rate_heads(many, 100.0), [(50.0, "100 rates, 5 Mbit/s on average")])
    return "rates, sizes, heads"


def result(where: Path, options: dict[str, Any], xstats: dict[str, Any], lines: list[list[str]]) -> Result:
    """A result folder of a run of 1 s."""
    link = {"kind": "wlink", "options": options, "xstats": xstats}
    flow = {"kind": "tcp", "direction": "down", "mss": 1000, "end_ns": END_MS * MS}
    data = {"name": "n", "seed": 1, "ended_s": END_MS / 1e3, "flows": {"f": flow}, "event_sha256": None}
    (where / "result.json").write_text(json.dumps({**data, "links": {"radio.down": link}}))
    (where / "events.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
    return Result(where)


LINES = [sdu(1, 10, 1, 30, 30), sdu(1, 20, 2, 60, 60), sdu(2, 40, 1, 95, 95)]


def check_limits(where: Path) -> str:
    """In packets, in bytes, and in time, which follows the rate but for outages."""
    cases: list[tuple[dict[str, Any], str, bool, list[tuple[float, float]]]] = [
        ({"limit_packets": 1000}, "limit 1000", False, [(0.0, 1000)]),
        ({"limit_packets": None, "limit_bytes": 60_000}, "limit 60kb", True, [(0.0, 60_000)]),
        ({"limit_ns": 100 * MS}, "limit 100 ms", True, [(0.0, 4800.0), (0.5, 1600.0)]),
    ]
    for options, text, in_bytes, at in cases:
        # Of one bearer: what others have as their limit in time goes by their own rates.
        one = result(where, options, {"rate_bps": 384_000}, LINES[:2])
        (where / "series").mkdir(exist_ok=True)
        rates = "0\t384000\n300000000\t0\n500000000\t128000\n"
        (where / "series" / "radio.down.rate.tsv").write_text(rates)
        limit = one.limit("radio.down")
        assert limit
        equals("limit", (limit.text, limit.in_bytes, limit.steps), (text, in_bytes, at))
    packets = result(where, {"limit_packets": 1000}, {}, LINES).limit("radio.down")
    assert packets
    equals("far", [packets.far(most) for most in (2, 333, 400)], [True, True, False])
    return "three kinds"


def check_a_trace(where: Path) -> str:
    """Where a trace gives opportunities, the rate of the idle link says nothing."""
    xstats = {"rate_bps": 12_000_000, "grants": 417, "grant_bytes": 625_500}
    told = "opportunities of 5 Mbit/s on average"
    equals("heads", result(where, {}, xstats, LINES).heads("radio.down"), [(0.5, told)])
    xstats = {"rate_bps": 12_000_000, "grants": 0, "grant_bytes": 0}
    equals("heads", result(where, {}, xstats, LINES[:2]).heads("radio.down"), [(0.5, "12 Mbit/s")])
    return "5 Mbit/s, not 12"


def check_what_is_drawn(where: Path) -> str:
    """What the panel of the buffer has: a line of steps for each bearer, the limit, and words."""
    try:
        plt = plot.pyplot()
    except LabError as e:
        raise Skipped(str(e)) from None
    for limit, lines, texts in (
        ({"limit_packets": 4}, 3, ["limit 4"]),
        ({"limit_bytes": 400}, 3, ["limit 400b"]),
        ({"limit_packets": 1000}, 2, ["limit 1000 \N{UPWARDS ARROW}"]),
    ):
        figure, ax = plt.subplots()
        plot.draw_buffer(ax, result(where, limit, {}, LINES), "radio.down")
        equals(f"lines with {limit}", len(ax.lines), lines)
        equals("steps", {line.get_drawstyle() for line in ax.lines}, {"steps-post"})
        equals("words", [t.get_text() for t in ax.texts], texts)
        legend = [t.get_text() for t in ax.get_legend().get_texts()]
        equals("legend", legend, ["bearer 1:1", "bearer 1:2"])
        unit = 1000 if "limit_bytes" in limit else 1
        size = 100 if unit > 1 else 1
        wanted = [n * size / unit for n in (0, 1, 2, 1, 0, 0)]
        equals("of 1:1", list(ax.lines[0].get_ydata()), wanted)
        equals("times", list(ax.lines[0].get_xdata()), [0.0, 0.01, 0.02, 0.03, 0.06, 1.0])
        plt.close(figure)
    return "lines, limit, words"


def check_a_background_load(where: Path) -> str:
    """What is offered counts when it comes, dropped or not; what is delivered when it is."""
    try:
        plt = plot.pyplot()
    except LabError as e:
        raise Skipped(str(e)) from None
    load = [sdu(1, 10, 1, 30, 250), sdu(3, 240, 1, 260, 700), sdu(1, 300, 1, 300, -1, "overflow")]
    load += [sdu(1, 900, 1, 1000, -1, "flush")]
    for line in load:
        line[3] = "l"
    back = sdu(5, 20, 1, 30, 40)
    back[4] = "back"
    one = result(where, {}, {}, [*load, back, sdu(2, 100, 1, 110, 120), sdu(1, 990, 1, 999, 1000)])
    one.flows["l"] = {"kind": "load", "direction": "down"}
    have = loads(one, 4)
    equals("edges", have.edges_s, [0.0, 0.25, 0.5, 0.75, 1.0])
    # 100 bytes in a quarter of a second are 3200 bit/s.
    equals("offered", have.offered, [3200.0 * n for n in (1 + 3, 1, 0, 1)])
    equals("delivered", have.delivered, [3200.0 * n for n in (0, 1, 3, 0)])
    equals("others", have.others, [3200.0 * n for n in (2, 0, 0, 1)])
    figure, ax = plt.subplots()
    plot.draw_loads(ax, one)
    texts = [t.get_text() for t in ax.get_legend().get_texts()]
    equals("legend", texts, ["load", "load delivered", "other flows delivered"])
    equals("unit", ax.get_ylabel(), "background\n(kbit/s)")
    # A hundred parts of 10 ms each; 100 bytes in one are 80 kbit/s.
    equals("drawn", [sum(p.get_data().values) for p in ax.patches], [6 * 80.0, 4 * 80.0, 3 * 80.0])
    plt.close(figure)
    plot.draw(one, where / "p.png")
    expect((where / "p.png").stat().st_size > 10_000, "no picture")
    return "three rates, a panel"


def check_a_link_that_plays_a_trace(where: Path) -> str:
    """A link that plays: rates and opportunities as capacity, behind all packets, those back, too."""
    try:
        plt = plot.pyplot()
    except LabError as e:
        raise Skipped(str(e)) from None
    play = ["play", "0", "radio.down", "1", "1", "plays", "0"]
    # 60 packets of 100 bytes, a part for ten of them; one dropped, one of another link.
    packets = [sdu(1, 16 * n, 1, 16 * n, 16 * n + 8) for n in range(60)]
    packets[3][4] = "back"
    dropped, other = sdu(1, 505, 1, 505, -1, "overflow"), sdu(1, 505, 1, 505, 506)
    other[2] = "radio.up"
    grants = [["grant", f"{ms * MS}", "radio.down", "1", "1", "250", "100"] for ms in (100, 200, 900)]
    one = result(where, {}, {}, [*packets, dropped, other])
    equals("no trace", played_by(one), {})
    (where / "series").mkdir()
    (where / "series" / "radio.down.rate.tsv").write_text(f"0\t8000\n{250 * MS}\t16000\n")
    have = played_by(result(where, {}, {}, [play, *packets, dropped, other]))["radio.down"]
    equals("edges", [round(6 * t) for t in have.edges_s], [0, 1, 2, 3, 4, 5, 6])
    # Of the second part, from 167 to 333 ms, a half has each rate.
    equals("capacity", [round(bps) for bps in have.capacity], [8000, 12000, *[16000] * 4])
    came = [sum(i == 6 * 16 * n // 1000 for n in range(60)) for i in range(6)]
    came[3] += 1
    equals("sent", [round(bps / 4800, 6) for bps in have.sent], came)
    left = [sum(i == 6 * (16 * n + 8) // 1000 for n in range(60)) for i in range(6)]
    equals("received", [round(bps / 4800, 6) for bps in have.received], left)
    one = result(where, {}, {}, [play, *packets, *grants])
    have = played_by(one)["radio.down"]
    equals("opportunities", [round(bps) for bps in have.capacity], [12000, 12000, 0, 0, 0, 12000])
    figure, ax = plt.subplots()
    plot.draw_played(ax, "radio.down", have)
    texts = [t.get_text() for t in ax.get_legend().get_texts()]
    equals("legend", texts, ["capacity", "sent", "received"])
    plt.close(figure)
    plot.draw(one, where / "p.png")
    expect((where / "p.png").stat().st_size > 10_000, "no picture")
    return "rates, opportunities, a panel"


def check_users_inside_the_cell(where: Path) -> str:
    """Users in the background of a cell: their airtime at the rate in force at the start of each TTI."""
    try:
        plt = plot.pyplot()
    except LabError as e:
        raise Skipped(str(e)) from None
    one = result(where, {}, {}, [sdu(1, 0, 1, 5, 10)])
    with patch.object(plot, "draw_loads") as panel:
        plot.draw(one, where / "p.png")
        equals("panels without", panel.call_count, 0)
        (where / "series").mkdir()
        (where / "series" / "radio.down.rate.tsv").write_text(f"0\t8000\n{500 * MS}\t16000\n")
        # Of TTIs of 10 ms a half, nothing, a quarter just before the change of the rate, and then all.
        rows = ((0, 1, 5), (10, 0, 0), (490, 1, 2.5), (500, 3, 10), (990, 3, 10))
        (where / "series" / "radio.down.background.tsv").write_text(
            "".join(f"{ms * MS}\t{users}\t{round(took * MS)}\n" for ms, users, took in rows)
        )
        plot.draw(one, where / "p.png")
        equals("panels", panel.call_count, 1)
    # A ms at 8 kbit/s is 8 bits, in a quarter of a second 32 bit/s.
    equals("taken", loads(one, 4).taken, [32.0 * n for n in (5, 2.5, 2 * 10, 2 * 10)])
    figure, ax = plt.subplots()
    plot.draw_loads(ax, one)
    texts = [t.get_text() for t in ax.get_legend().get_texts()]
    equals("legend", texts, ["other flows delivered", "taken in the cell"])
    equals("unit", ax.get_ylabel(), "background\n(kbit/s)")
    # In a hundredth of a second 0.8 kbit/s.
    equals("drawn", sum(ax.patches[1].get_data().values), 0.8 * (5 + 2.5 + 2 * 10 + 2 * 10))
    plt.close(figure)
    return "airtime by rate, a panel"
