# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: wlinkctl top against the link's own counters.

top_guest.py CASE
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from time import sleep
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from seeing_kit import Blast, Recorder, classes, device, expect, idle, main, sh

OUT = Path("/tmp/out.jsonl")
INTERVAL = 500_000_000
AM = "mode am rate 1mbit tti 5ms delay 20ms pdu 40 channel uniform loss 0.1 limit 60 aqm sbd minth 10 tr 0.1s"
UM = "1:2 wlink mode um rate 300kbit pdu 60 channel gilbert p 0.05 r 0.3 limit 5kb aqm codel"


def looks(seconds: float) -> list[dict[str, Any]]:
    """What top says while traffic comes, and some time after."""
    with subprocess.Popen(
        ["wlinkctl", "top", "va", "--json", "--interval", "500ms"], stdout=subprocess.PIPE, text=True
    ) as top:
        blasts = [Blast("va", 1, int(seconds / 0.004), 0.004), Blast("va", 2, int(seconds / 0.01), 0.01)]
        for blast in blasts:
            blast.join()
        idle("va")
        sleep(2 * INTERVAL / 1e9)
        top.terminate()
        assert top.stdout
        lines = [json.loads(line) for line in top.stdout]
    expect(top.returncode == 0, f"top ended with {top.returncode}")
    return lines


def near_quantile(delays: list[int], percent: int, said: int) -> bool:
    """Within the bin, a factor of two, of the nearest rank; one SDU more or less."""
    delays = sorted(delays)
    rank = (len(delays) * percent + 99) // 100 - 1
    around = delays[max(0, rank - 2) : rank + 3]
    return min(around) / 2 <= said <= max(around) * 2


def row_is_right(row: dict[str, Any], begin: int, end: int, sdus: list[dict[str, Any]]) -> int:
    """A line of top against the events of its interval. Return: quantiles checked."""
    own = [e for e in sdus if e["bearer"] == row["bearer"] and e["drop"] == "none"]
    own = [e for e in own if begin < e["handover_ns"] <= end]
    where = f"bearer {row['bearer']} at {end}"
    # What is handed over at the very time of a look may be on either side of it.
    expect(
        abs(len(own) - row["sdus_delivered"]) <= 2, f"{where}: {row['sdus_delivered']} SDUs, not {len(own)}"
    )
    bps = row["bytes_delivered"] * 8e9 / (end - begin)
    expect(abs(row["delivered_bps"] - bps) < 0.001, f"{where}: {row['delivered_bps']} bit/s, not {bps}")
    if row["delay"]["p50_ns"] is None:
        expect(row["sdus_delivered"] == 0, f"{where}: no delay of {row['sdus_delivered']} SDUs")
        return 0
    if len(own) < 20:
        return 0
    delays = [e["deliver_ns"] - e["arrival_ns"] for e in own]
    for percent in (50, 95, 99):
        said = row["delay"][f"p{percent}_ns"]
        expect(near_quantile(delays, percent, said), f"{where}: p{percent} {said}, but {sorted(delays)}")
    return 3


def numbers() -> str:
    """Every interval against the recorded events, their sum against the counters."""
    device("va", AM, UM)
    recorder = Recorder(f"va {OUT}", OUT)
    lines = looks(8)
    recorder.end(signal.SIGTERM)
    sdus = [e for e in recorder.read()[0] if e["event"] == "wlink_sdu"]
    counters = classes("va")
    checked = 0
    for line in lines:
        begin, end = line["time_ns"] - line["interval_ns"], line["time_ns"]
        expect(0.9 < line["interval_ns"] / INTERVAL < 1.1, f"an interval of {line['interval_ns']} ns")
        checked += sum(row_is_right(row, begin, end, sdus) for row in line["bearers"])
    expect(checked > 50, f"only {checked} quantiles")
    for number, x in counters.items():
        rows = [row for line in lines for row in line["bearers"] if row["bearer"] == number]
        for name in ("sdus_delivered", "bytes_delivered", "pdus_retx"):
            total = sum(row[name] for row in rows)
            expect(total == x[name], f"bearer {number}: {name} sums up to {total}, not {x[name]}")
        for reason, count in x["drops"].items():
            total = sum(row["drops"][reason] for row in rows)
            expect(total == count, f"bearer {number}: {total} drops for {reason}, not {count}")
        expect(max(row["full"] for row in rows) > 0.3, f"bearer {number} was never full")
        states = {row["aqm"]["state"] for row in rows}
        expect(len(states) > 1, f"bearer {number}: {rows[0]['aqm']['kind']} was always {states}")
        expect(all(row["full"] <= 1 for row in rows), f"bearer {number} was more than full")
    return f"{len(lines)} intervals, {checked} quantiles, sums equal the counters"


class Screen:
    """top on a terminal of its own."""

    def __init__(self, width: int, height: int, words: str = "") -> None:
        self.pid, self.fd = pty.fork()
        if not self.pid:
            # Until the size is there.
            os.read(0, 1)
            os.execvp("wlinkctl", f"wlinkctl top va --interval 100ms {words}".split())
        self.before = termios.tcgetattr(self.fd)
        self.size(width, height)
        os.write(self.fd, b"\n")
        self.text = ""

    def size(self, width: int, height: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def read(self, seconds: float) -> str:
        """What comes in some time, or up to the end."""
        end = time.monotonic() + seconds
        said = b""
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                break
            try:
                said += os.read(self.fd, 1 << 16)
            except OSError:
                break
        self.text += said.decode()
        return said.decode()

    def picture(self, width: int, height: int) -> list[str]:
        """The lines of the last whole picture, which must fit."""
        said = self.read(1)
        frames = said.split("\033[H")
        expect(len(frames) > 8, f"{len(frames)} pictures in a second")
        lines = frames[-1].replace("\033[J", "").replace("\033[K", "").split("\r\n")
        expect(len(lines) <= height, f"{len(lines)} lines on {height}: {lines}")
        expect(max(len(line) for line in lines) <= width, f"a line wider than {width}: {lines}")
        expect("\033" not in "".join(lines), f"more codes: {lines}")
        return lines

    def gone(self, status: int = 0) -> None:
        """It has left, and left the terminal as it was."""
        self.read(1)
        expect(
            self.text.count("\033[?1049h") == self.text.count("\033[?1049l") > 0,
            "the screen is not given back",
        )
        expect(self.text.rstrip().endswith("\033[?1049l"), f"it ends in {self.text[-40:]!r}")
        expect(self.text.count("\033[?25l") == self.text.count("\033[?25h"), "the cursor is not given back")
        expect(termios.tcgetattr(self.fd) == self.before, "the terminal's modes are not given back")
        got = os.waitpid(self.pid, 0)[1]
        expect(os.waitstatus_to_exitcode(got) == status, f"it ended with {got}")
        os.close(self.fd)


def live() -> str:
    """Keys, signals, sizes."""
    device("va", AM, UM, *(f"1:{n:x} wlink rate 1mbit" for n in range(3, 30)))
    Blast("va", 1, 60000, 0.001)
    screen = Screen(80, 24)
    lines = screen.picture(80, 24)
    expect(lines[0].split()[:4] == ["N", "MODE", "RATE", "NOW"] and lines[1] == "va 1:", f"{lines}")
    row = lines[2].split()
    expect(row[:3] == ["1", "am", "1.00M"], lines[2])
    expect(re.fullmatch(r"[\d.]+[kM]?", row[3]) is not None, lines[2])
    expect("overflow" in lines[2] or "ove" in lines[2], lines[2])
    expect("more bearers" in lines[-2] and "q quits" in lines[-1] and len(lines) == 24, f"{lines}")
    for width, height in ((200, 50), (40, 6), (10, 3), (1, 1), (80, 24)):
        screen.size(width, height)
        screen.read(0.05)
        lines = screen.picture(width, height)
    expect(not termios.tcgetattr(screen.fd)[3] & (termios.ICANON | termios.ECHO), "keys are not single")
    os.write(screen.fd, b"xyz")
    screen.picture(80, 24)
    os.write(screen.fd, b"q")
    screen.gone()
    for end in (0, signal.SIGTERM, signal.SIGHUP):
        screen = Screen(80, 24, "bearer 2")
        lines = screen.picture(80, 24)
        expect(len(lines) == 4 and lines[2].startswith("2 um"), f"{lines}")
        if end:
            os.kill(screen.pid, end)
        else:
            os.write(screen.fd, b"\x03")
        screen.gone()
    return "keys, signals and sizes"


def stopped() -> str:
    """^Z gives the terminal back, and what was missed is not made up."""
    device("va", AM)
    screen = Screen(80, 24)
    screen.picture(80, 24)
    os.write(screen.fd, b"\x1a")
    screen.read(0.5)
    status = os.waitpid(screen.pid, os.WUNTRACED)[1]
    expect(os.WIFSTOPPED(status), f"not stopped: {status}")
    expect(screen.text.rstrip().endswith("\033[?1049l"), "stopped with the other screen")
    expect(termios.tcgetattr(screen.fd) == screen.before, "stopped with single keys")
    sleep(30)
    os.kill(screen.pid, signal.SIGCONT)
    frames = screen.read(1).split("\033[H")
    expect(8 < len(frames) < 16, f"{len(frames)} pictures in the second after")
    sh("tc qdisc del dev va root")
    expect("no wlink here" in screen.read(1), "the link is gone, but it does not say so")
    os.write(screen.fd, b"q")
    screen.gone()
    return "stopped, continued, left without a link"


if __name__ == "__main__":
    main({f.__name__: f for f in (numbers, live, stopped)})
