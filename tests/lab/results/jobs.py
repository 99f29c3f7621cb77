# SPDX-License-Identifier: GPL-2.0
"""Five jobs of users: from a clean shell, in at most three commands of the manuals, to what they look at."""

import json
import os
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from brief import brief
from captures import read
from counting import AT, BYTES, DROP, LINK, PAYLOAD, WAY, lines
from lab import OUT, WLAB, call, expect, wlab

LTE = brief("""name = "lte"
duration = "4s"
[radio.down] wlink = "preset lte-good"; outage = "300ms at 2s"; handover = "gap 50ms forward at 3s"
[radio.up] wlink = "preset lte-good-up"
[[flow]] name = "download"; kind = "tcp"
""")
SERVER = """import asyncio


async def answer(reader, writer):
    while line := await reader.readline():
        writer.write(line.upper())
        await writer.drain()


async def main():
    async with await asyncio.start_server(answer, port=7000) as server:
        await server.serve_forever()


asyncio.run(main())
"""
CLIENT = """import asyncio, os, time


async def main():
    reader, writer = await asyncio.open_connection(os.environ["SERVER"], 7000)
    longest = 0.0
    for n in range(20):
        began = time.monotonic()
        writer.write(b"request %d\\n" % n)
        assert await reader.readline() == b"REQUEST %d\\n" % n
        longest = max(longest, time.monotonic() - began)
        await asyncio.sleep(0.05)
    print(longest)


asyncio.run(main())
"""
BOUND = """import pytest


@pytest.mark.parametrize("delay", ["40ms", "160ms"])
def test_answers_in_300_ms(wlab_link, delay):
    behind = wlab_link(down=f"rate 1mbit delay {delay}")
    link = behind.run(["python3", "client.py"], server="python3 server.py")
    assert float(link.output) < 0.3, link.down.delay
"""
CONFTEST = 'pytest_plugins = ["wlablib.link.fixture"]\n'
# A drive test as UCC's are, in kbit/s each second.
DOWN_KBIT, UP_KBIT = (2178, 3178, 1200, 0, 2200), (494, 894, 394, 294, 494)
DRIVE = brief("""name = "drive"
duration = "5s"
capture = true
[radio.down] wlink = "rate 1mbit delay 20ms limit 200"; trace = { file = "drive.csv" }
[radio.up] wlink = "rate 1mbit delay 20ms limit 200"
trace = { file = "drive.csv", rate = "UL_bitrate:kbit" }
[[flow]] name = "both"; kind = "tcp"
[[flow]] name = "up"; kind = "udp"; direction = "up"; rate = "800kbit"
""")
# `tests/check-long jobs` has 20 cells of 10 seeds.
SMALL = brief("""name = "small"
duration = "3s"
[radio] wlink = "rate 1mbit tti 1ms delay 10ms limit 10 channel uniform loss 1%"
[[flow]] name = "download"; kind = "tcp"
""")
BUFFERS = brief("""name = "buffers"
title = "Goodput over the buffer"
scenario = "small"
seeds = {seeds}
confidence = 95
metrics = ["goodput_kbit"]
[[rule]] when = {{}}; set = ["tcp.congestion={{congestion}}", "radio.wlink.limit={{buffer}}"]
[[grid]] axes = {{ congestion = ["cubic", "reno"], buffer = {buffers} }}
""")
# Segments of a second: the greatest rate below 0.8 of what the last one came with, at most 2 s ahead.
RATES_KBIT, SEGMENTS, AHEAD_S, PART = (400, 1000, 2500), 12, 2.0, 0.8
SEGMENT_SERVER = """import http.server


class Segments(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(bytes(int(self.path[1:]) * 125))


http.server.HTTPServer(("", 8000), Segments).serve_forever()
"""
PLAYER = f"""import json, sys, time, urllib.request

ahead_s = stalled_s = bps = 0.0
for number in range({SEGMENTS}):
    kbit = max([r for r in {RATES_KBIT} if r * 1000 <= {PART} * bps], default={RATES_KBIT[0]})
    time.sleep(max(0.0, ahead_s - {AHEAD_S}))
    ahead_s = min(ahead_s, {AHEAD_S})
    asked_s = time.monotonic()
    size = len(urllib.request.urlopen(f"{{sys.argv[1]}}/{{kbit}}").read())
    came_s = time.monotonic()
    bps = 8 * size / (came_s - asked_s)
    if number:
        stalled_s += max(0.0, came_s - asked_s - ahead_s)
        ahead_s = max(0.0, ahead_s - (came_s - asked_s))
    ahead_s += 1.0
    print(json.dumps({{"kbit": kbit, "asked_s": asked_s, "came_s": came_s, "stalled_s": stalled_s}}))
"""
DASH = brief("""name = "dash"
duration = "60s"
until = "player"
[radio.down] wlink = "rate 3mbit delay 20ms limit 100"; trace = { file = "falls.csv" }
[radio.up] wlink = "rate 1mbit delay 20ms"
[[program]] name = "server"; in = "server"; run = "exec python3 server.py"; files = ["server.py"]
[[program]] name = "player"; in = "ue"; start = "100ms"; run = "exec python3 player.py http://10.0.1.1:8000"
files = ["player.py"]
keep = ["*.json"]
""")


def job(name: str, files: dict[str, str], *commands: str, status: int = 0) -> tuple[Path, list[str]]:
    """The folder after the commands, and what each has printed."""
    at = OUT / "jobs" / name
    shutil.rmtree(at, ignore_errors=True)
    for file, text in files.items():
        (at / file).parent.mkdir(parents=True, exist_ok=True)
        (at / file).write_text(text)
    (at / "bin").mkdir()
    (at / "bin" / "wlab").symlink_to(WLAB)
    # What an installation has: wlab by its name, and its package where Python looks.
    env = {"PATH": f"{at}/bin:{Path(sys.executable).parent}:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(at)}
    env |= {"PYTHONPATH": str(WLAB.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    expect(len(commands) <= 3, "more than three commands")
    texts = []
    for n, command in enumerate(commands, 1):
        done = call(["sh", "-c", command], cwd=at, env=env)
        wanted = status if n == len(commands) else 0
        expect(done.returncode == wanted, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        texts.append(done.stdout)
    return at, texts


def delivered(folder: Path, link: str) -> list[tuple[float, int]]:
    """(s, bytes) of packets of flows' data that a link has delivered."""
    some = (line for line, _ in lines(folder) if line[LINK] == link and line[WAY] == "forth")
    return [(int(w[AT]) / 1e9, int(w[BYTES])) for w in some if w[DROP] == "none" and int(w[PAYLOAD])]


def begins(path: Path, with_: bytes) -> None:
    expect(path.read_bytes().startswith(with_), f"{path} does not begin with {with_!r}")


def check_three_congestion_controls_over_lte() -> str:
    """CUBIC, BBR and Reno over LTE with an outage and a handover: throughput and delay beside each other."""
    at, (_, told) = job(
        "overlay",
        {"lte.toml": LTE},
        "wlab run lte.toml --vary tcp.congestion=cubic,bbr,reno --out three",
        "wlab compare three --plot throughput,delay --out page --json",
    )
    have = json.loads(told)
    width, plots = have["interval_s"], have["plots"]
    names = [f"congestion={name}" for name in ("bbr", "cubic", "reno")]
    expect(sorted(plots) == ["delay", "throughput"] and sorted(plots["delay"]) == names, f"{[*plots]}")
    for name in names:
        come = delivered(at / "three" / name, "radio.down")
        count = Counter(min(int(t / width), int(4 / width) - 1) for t, _ in come)
        sums = [8 * sum(n for t, n in come if int(t / width) == i) / width for i in range(int(4 / width))]
        curve = plots["throughput"][name]["y"]
        for i, (drawn, counted) in enumerate(zip(curve, sums, strict=True)):
            # A packet at the bound of two intervals may be in either.
            expect(abs(drawn - counted) <= 3 * 12000 / width, f"{name}, {i * width:g} s: {drawn}, {counted}")
        dark = [i for i in range(len(curve)) if i * width >= 2.05 and (i + 1) * width <= 2.3]
        expect(dark != [] and all(curve[i] == 0 for i in dark), f"{name}: something came in the outage")
        expect(count[int(1 / width)] > 0 and count[int(3.5 / width)] > 0, f"{name}: nothing at 1 s or 3.5 s")
        longest = max(v for v in plots["delay"][name]["y"] if v is not None)
        expect(longest > 0.25, f"{name}: the outage is not in the delay, which is {longest} s at most")
    begins(at / "page" / "compare.png", b"\x89PNG")
    expect(all(one in (at / "page" / "index.html").read_text() for one in names), "a name is not on the page")
    return ", ".join(names)


def check_a_bound_in_pytest() -> str:
    """An asyncio server and client with a bound of 300 ms: held with 80 ms there and back, not with 320."""
    files = {"server.py": SERVER, "client.py": CLIENT, "test_bound.py": BOUND, "conftest.py": CONFTEST}
    python = Path(sys.executable).name
    _, (told,) = job("bound", files, f"{python} -m pytest -q -p no:cacheprovider", status=1)
    expect("1 failed, 1 passed" in told and "test_answers_in_300_ms[160ms]" in told, told)
    expect("assert 0.32" in told, f"not twice 160 ms and a little more: {told}")
    expect("why='propagation 100%" in told, told)
    return "80 ms holds, 320 ms does not"


def check_a_drive_test_both_ways() -> str:
    """A drive test both ways: a log of all packets, captures for Wireshark, a picture with the capacity."""
    rows = [
        f"2017.11.22_10.07.0{n},LTE,{down},{up},D" for n, (down, up) in enumerate(zip(DOWN_KBIT, UP_KBIT))
    ]
    table = "\n".join(["Timestamp,NetworkMode,DL_bitrate,UL_bitrate,State", *rows, ""])
    at, _ = job(
        "drive",
        {"drive.toml": DRIVE, "drive.csv": table},
        "wlab run drive.toml --out result",
        "wlab plot result --format pdf",
    )
    counts = []
    for way, kbit in (("down", DOWN_KBIT), ("up", UP_KBIT)):
        link = f"radio.{way}"
        series = (at / f"result/series/{link}.rate.tsv").read_text()
        rates = [line.split("\t")[1] for line in series.splitlines()]
        # Before the trace begins, the rate is that of tc.
        played = [rate for n, rate in enumerate(rates) if n and rate != rates[n - 1]]
        expect(played == [str(rate * 1000) for rate in kbit], f"{link} has played {rates}")
        seen = read(at / f"result/capture/{link}.pcapng", f"radio-{way}", link)
        log = [line for line, _ in lines(at / "result") if line[LINK] == link]
        expect(len(seen) == len(log) > 50, f"{link}: {len(seen)} packets captured, {len(log)} in the log")
        # What is on its way when a second begins comes in it.
        for second, most in enumerate(kbit):
            bits = sum(8 * n for t, n in delivered(at / "result", link) if second + 0.05 <= t < second + 1)
            expect(bits <= most * 1000, f"{link}: {bits} bit in second {second}, of {most} kbit")
        counts.append(len(seen))
    begins(at / "result" / "plot.pdf", b"%PDF")
    return f"{counts} packets"


def check_cells_and_seeds_for_a_paper() -> str:
    """A figure of many cells and seeds with their intervals, as PDF."""
    cells, seeds = (20, 10) if os.environ.get("WLAB_JOBS") == "long" else (2, 2)
    experiment = BUFFERS.format(seeds=seeds, buffers=[4 + 3 * n for n in range(cells // 2)])
    at, _ = job(
        "figure",
        {"buffers.toml": experiment, "scenarios/small.toml": SMALL},
        "wlab sweep buffers.toml --out out",
        "wlab report buffers.toml --out out --format pdf --size 89x60mm",
        "wlab export buffers.toml --out out --to runs.csv",
    )
    records = [json.loads(path.read_text()) for path in (at / "out/cells/buffers").glob("*.json")]
    expect(len(records) == cells, f"{len(records)} cells")
    page = (at / "out/report/buffers.md").read_text()
    for record in records:
        values = record["values"]["goodput_kbit"]
        metric = record["metrics"]["goodput_kbit"]
        expect(len(values) == seeds and len(set(values)) > 1, f"seeds of {record['cell']}: {values}")
        expect(abs(metric["value"] - sum(values) / seeds) < 1e-6 < metric["half_width"], f"{metric}")
    expect(page.count("±") >= cells and "hole" not in page, "an interval is missing")
    expect((at / "runs.csv").read_text().count("\n") == 1 + cells * seeds, "not a row for each run")
    for picture in (pdfs := [*(at / "out/report").glob("*.pdf")]):
        begins(picture, b"%PDF")
    expect(len(pdfs) >= 1, "no figure")
    return f"{cells} cells of {seeds} seeds"


def rule(segments: list[dict[str, Any]]) -> float:
    """Checks the rates by the rule and gives the time of stalls, from when the segments came."""
    shown_s, stalled_s, bps = segments[0]["came_s"], 0.0, 0.0
    for n, one in enumerate(segments):
        fits = [rate for rate in RATES_KBIT if rate * 1000 <= PART * bps]
        expect(one["kbit"] == (max(fits) if fits else RATES_KBIT[0]), f"segment {n} at {bps} bit/s: {one}")
        stalled_s += max(0.0, one["came_s"] - shown_s)
        shown_s = max(one["came_s"], shown_s) + 1.0
        bps = one["kbit"] * 1000 / (one["came_s"] - one["asked_s"])
    return stalled_s


def check_a_player_under_two_traces() -> str:
    """A player under two traces: where the rate falls it stalls, then asks for less."""
    files = {"dash.toml": DASH, "server.py": SEGMENT_SERVER, "player.py": PLAYER}
    files |= {"steady.csv": "0,3mbit\n60,3mbit\n", "falls.csv": "0,6mbit\n4,500kbit\n12,6mbit\n60,6mbit\n"}
    at, _ = job(
        "player",
        files,
        "wlab run dash.toml --vary radio.down.trace.file=steady.csv,falls.csv --out two",
        "wlab compare two --out page",
    )
    stalls, rates = [], []
    for trace in ("steady", "falls"):
        folder = at / "two" / f"file={trace}.csv"
        segments = [json.loads(line) for line in (folder / "programs/player.out").read_text().splitlines()]
        expect(len(segments) == SEGMENTS, f"{trace}: {len(segments)} segments")
        stalled_s = rule(segments)
        expect(abs(segments[-1]["stalled_s"] - stalled_s) < 1e-6, f"{trace}: {stalled_s} s, {segments[-1]}")
        size = sum(int(line[PAYLOAD]) for line, _ in lines(folder) if line[LINK] == "radio.down")
        bytes_ = sum(125 * one["kbit"] for one in segments)
        expect(bytes_ < size < 1.1 * bytes_, f"{trace}: {size} bytes came for {bytes_}")
        stalls.append(stalled_s)
        rates.append([one["kbit"] for one in segments])
    expect(stalls[0] == 0 < stalls[1], f"stalls of {stalls} s")
    expect({*rates[0][1:]} == {1000}, f"of 3 Mbit/s: {rates[0]}")
    expect(2500 in rates[1] and 400 in rates[1][rates[1].index(2500) :], f"6 and 0.5 Mbit/s: {rates[1]}")
    return f"stalls of {stalls[1]:.1f} s"


def check_keys_of_a_table() -> str:
    """What a table has is said in the scenario as to wlinkctl; a slip is refused before anything boots."""
    at, _ = job("keys", {"drive.toml": DRIVE, "drive.csv": "t_s,kbps\n0,5\n"}, "true")
    for setting, why in (
        ("format=mahimahii", "did you mean 'mahimahi'?"),
        ("every=soon", 'every "soon" is not a time'),
        ("only=run", 'only "run" is not COLUMN=VALUE'),
        ("rate=DL:kbit", "drive.csv"),
    ):
        words = ["--set", f"radio.down.trace.{setting}", "--out", str(at / "r")]
        called = wlab("run", str(at / "drive.toml"), *words)
        expect(called.status == 1 and why in called.err, f"{setting}: {called.err}")
        expect("booting" not in called.err and "Traceback" not in called.err, f"{setting}: {called.err}")
    return "4 slips"
