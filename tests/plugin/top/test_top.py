# SPDX-License-Identifier: GPL-2.0
"""What top makes of two looks at statistics that are known."""

import json
import os
import signal
import socket
import struct
from pathlib import Path
from typing import Any

import pytest
from fakekernel import FAMILY, GET, FakeKernel, message
from harness import Checks, WordTool, attr, stats
from wlablib.lib.beside import Stop
from wlablib.top import command
from wlablib.top.look import Look, Row, Shown, rows
from wlablib.top.screen import Screen
from wlablib.top.text import table

TOTAL = 5
SECOND = 10**9

OLD = {
    "sdus_in": 1000, "sdus_delivered": 900, "bytes_delivered": 900000, "bytes_in": 10**6, "drop_overflow": 60,
    "drop_channel": 5, "pdus_retx": 7, "drop_aqm": 3,
}  # fmt: skip
NEW = {
    "sdus_in": 1300, "sdus_delivered": 1000, "bytes_delivered": 1025000, "bytes_in": 1250000,
    "queue_ns": 10**8, "jitter_ns": 2 * 10**8, "drop_overflow": 62,
    "drop_channel": 5, "pdus_retx": 207, "drop_aqm": 10, "buffer_sdus": 30, "buffer_bytes": 45000,
    "rate_bps": 384000, "generation": 12, "aqm_level": 25, "play_state": 3, "play_steps": 200,
    "play_step": 50, "play_pass": 4,
}  # fmt: skip
REASONS = "overflow channel slots flush maxdat timer reset reestablish aqm segment forward"


class Top:
    """Bearers as wlinkctl shows them."""

    def __init__(self, tool: WordTool) -> None:
        self.tool = tool

    def bearer(
        self,
        values: dict[str, int],
        bins: dict[int, int] | None = None,
        words: str = "",
        number: int = 1,
        **states: str,
    ) -> Shown:
        """Bins of the whole delay; words that differ; states by their names."""
        typed, kind = words.split(), states.pop("aqm", "droptail")
        names = {"mode": "am", "limit": "40"} | dict(zip(typed[::2], typed[1::2]))
        text = " ".join(f"{name} {value}" for name, value in names.items())
        counted = stats(None, {(TOTAL, at): count for at, count in (bins or {}).items()}, **values)
        return {
            "dev": "lo",
            "handle": "1:",
            "bearer": number,
            "options": self.tool.json(self.tool.attributes(text)) | {"aqm": {"kind": kind}},
            "xstats": json.loads(self.tool.ask(f"stats {counted.hex()}")) | states,
        }

    @staticmethod
    def look(
        before: list[Shown],
        now: list[Shown],
        width: int = 0,
        height: int = 0,
        at: tuple[int, int] = (SECOND, 2 * SECOND),
    ) -> tuple[list[Row], list[str]]:
        found = rows(Look(at[0], before), Look(at[1], now))
        return found, table(found, at[0] > 0, width, height)


@pytest.fixture
def top(tool: WordTool) -> Top:
    return Top(tool)


def check_numbers(checks: Checks, top: Top) -> None:
    # 1000 SDUs of long ago in a high bin say nothing about this interval.
    before = top.bearer(OLD, {30: 1000, 21: 5})
    now = top.bearer(NEW, {30: 1000, 21: 95, 24: 10}, aqm="sbd", aqm_state="hold")
    said, lines = top.look([before], [now], at=(SECOND, 3 * SECOND))
    zero = dict.fromkeys(REASONS.split(), 0)
    want = {
        "dev": "lo",
        "handle": "1:",
        "bearer": 1,
        "mode": "am",
        "rate_bps": 384000,
        "generation": 12,
        "sdus_in": 300,
        "bytes_in": 250000,
        "offered_bps": 1000000.0,
        "sdus_delivered": 100,
        "bytes_delivered": 125000,
        "delivered_bps": 500000.0,
        "buffer_sdus": 30,
        "buffer_bytes": 45000,
        "limit": {"packets": 40},
        "full": 0.75,
        "aqm": {"kind": "sbd", "state": "hold", "level": 25},
        # 100 SDUs: 90 from 2^20 on, 10 from 2^23 on; each bin is as wide as that.
        "delay": {
            "p50_ns": 2**20 + 2**20 * 50 // 90,
            "p95_ns": 2**23 + 2**22,
            "p99_ns": 2**23 + 2**23 * 9 // 10,
        },
        # 0.1 s of queue and 0.2 s of jitter for 100 SDUs.
        "parts": {
            "queue": 10**6,
            "serial": 0,
            "prop": 0,
            "retx": 0,
            "hol": 0,
            "access": 0,
            "jitter": 2 * 10**6,
        },
        "drops": zero | {"overflow": 2, "aqm": 7},
        "drops_per_s": zero | {"overflow": 1.0, "aqm": 3.5},
        "pdus_retx": 200,
        "retx_per_s": 100.0,
        "play": {"state": "plays", "step": 50, "steps": 200, "pass": 4},
    }
    checks.equal("numbers of an interval", said, [want])
    checks.equal("their order", list(said[0]), list(want))
    checks.equal(
        "the same as a table",
        [" ".join(line.split()) for line in lines],
        [
            "N MODE RATE NOW SDUS BYTES FULL AQM P50 P95 P99 RETX PLAY DROPS/S",
            "lo 1:",
            "1 am 384k 500k 30 45.0k 75% sbd hold 1.6ms 13ms 16ms 100 25% overflow 1 aqm 3.5",
        ],
    )


def check_looks(checks: Checks, top: Top) -> None:
    """What was before, and what it makes of the interval's deliveries."""
    old, new = top.bearer(OLD, {21: 4}), top.bearer(NEW, {21: 10})
    more = NEW | {"sdus_in": 9999}
    others = [top.bearer(more, {21: 50}, number=number) for number in (3, 2)]
    one_and_half = 2**20 + 2**19
    for name, before, sdus, p50 in (
        ("the same bearer", [old], 100, one_and_half),
        ("others before it", [*others, old], 100, one_and_half),
        ("a bearer that is new", others, 1000, one_and_half),
        ("a link in the place of another", [top.bearer(more, {21: 50})], 1000, one_and_half),
        ("a histogram that was halved", [top.bearer(OLD, {21: 4, 22: 1})], 100, None),
        ("a histogram without news", [top.bearer(OLD, {21: 10})], 100, None),
    ):
        row = top.look(before, [new])[0][0]
        checks.equal(f"looks: {name}", (row["sdus_delivered"], row["delay"]["p50_ns"]), (sdus, p50))
    said, lines = top.look([], [new], at=(0, SECOND))
    checks.equal("the first look has no interval", said[0]["delivered_bps"], 0)
    dashes = [lines[2].split()[at] for at in (3, 8, 9, 10, 11, 13)]
    checks.equal("it has dashes", dashes, ["-"] * 6)
    checks.equal("no link at all", top.look([], [])[1][1:], ["no wlink here"])


def check_limits(checks: Checks, top: Top) -> None:
    for word, limit, full, text in (
        ("120", {"packets": 120}, 0.25, "25%"),
        ("90000b", {"bytes": 90000}, 0.5, "50%"),
        # 384 kbit/s for 1.25 s are 60000 bytes.
        ("1250ms", {"time_ns": 1250000000}, 0.75, "75%"),
    ):
        said, lines = top.look([], [top.bearer(NEW, words=f"limit {word}")])
        got = said[0]["limit"], said[0]["full"], lines[2].split()[6]
        checks.equal(f"limit {word}", got, (limit, full, text))


def check_states(checks: Checks, top: Top) -> None:
    for kind, state, level, text in (
        ("droptail", "none", 0, "droptail"),
        ("red", "none", 12345, "red 12.3"),
        ("red", "none", 45678901, "red 45.7k"),
        ("sbd", "idle", 0, "sbd idle"),
        ("sbd", "measure", 20, "sbd meas"),
        ("codel", "idle", 0, "codel idle"),
        ("codel", "dropping", 3, "codel drop"),
    ):
        bearer = top.bearer(NEW | {"aqm_level": level}, aqm=kind, aqm_state=state)
        _, lines = top.look([], [bearer], at=(0, 1))
        begin = lines[0].index("AQM")
        checks.equal(f"AQM {text}", lines[2][begin : lines[0].index("P50")].rstrip(), text)
    for number, text in enumerate(("-", "loaded", "waits", "25%", "holds")):
        _, lines = top.look([], [top.bearer(NEW | {"play_state": number})], at=(0, 1))
        checks.equal(f"schedule {text}", lines[2].split()[-2], text)


def check_numbers_text(checks: Checks, top: Top) -> None:
    """Three digits, at most five characters."""
    for value, text in (
        (0, "0"), (1, "1"), (999, "999"), (1000, "1.00k"), (9994, "9.99k"), (9996, "10.0k"),
        (99949, "99.9k"), (99951, "100k"), (999499, "999k"), (999500, "1.00M"), (123456789, "123M"),
        (10**11, "100G"), (2**64 - 1, "any"),
    ):  # fmt: skip
        _, lines = top.look([], [top.bearer({"rate_bps": value})])
        checks.equal(f"{value} in short", lines[2].split()[2], text)
    for drops, text in ((1, "0.3"), (3, "1"), (100, "33.3"), (29, "9.7"), (4000, "1.33k")):
        now = top.bearer({"drop_overflow": drops})
        _, lines = top.look([top.bearer({})], [now], at=(1, 1 + 3 * SECOND))
        checks.equal(f"{drops} drops in 3 s", lines[2].split()[-1], text)


def check_width(checks: Checks, top: Top) -> None:
    """At 80 columns all is there, the reasons with fewer letters."""
    many = NEW | {"drop_overflow": 12345, "drop_channel": 17, "drop_reset": 3, "drop_reestablish": 4}

    def codel(values: dict[str, int], words: str, number: int = 1) -> Shown:
        return top.bearer(values, {25: 9}, words, number, aqm="codel", aqm_state="dropping")

    now = [codel(many, "mode um", number) for number in range(1, 30)]
    before = [top.bearer(OLD, None, "mode um", number) for number in range(1, 30)]
    _, wide = top.look(before, now)
    want = "overflow 12.3k channel 12 reset 3 reestablish 4 aqm 7"
    checks.true("all names", wide[2].endswith(want), wide[2])
    _, lines = top.look(before, now, 80, 24)
    checks.true("no line is wider than the terminal", max(len(line) for line in lines) <= 80, lines[2])
    checks.equal("no more lines than the terminal has", len(lines), 24)
    checks.equal("the last one tells of the rest", lines[-1], "and 8 more bearers")
    checks.true("short names", lines[2].endswith(" ove12.3k+"), lines[2])
    checks.true("no bearer sends again", "RETX" not in lines[0] and "PLAY" in lines[0], lines[0])
    _, lines = top.look(before[:1], [codel(many | {"play_state": 0}, "")], 80, 24)
    checks.true("no schedule", "RETX" in lines[0] and "PLAY" not in lines[0], lines[0])
    checks.true("more room for reasons", lines[2].endswith(" ove12.3k cha12+"), lines[2])
    usual = top.bearer(NEW, {25: 9}, "mode um", aqm="sbd", aqm_state="hold")
    _, lines = top.look(before[:1], [usual], 80, 24)
    checks.true("a usual line fits", lines[2].endswith("overflow 2 aqm 7") and len(lines[2]) <= 80, lines[2])
    for width in range(1, 200, 23):
        for height in (1, 2, 3, 5, 33):
            _, lines = top.look(before, now, width, height)
            fits = len(lines) <= height and max(len(line) for line in lines) <= width
            checks.true(f"{width} x {height}", fits, lines)
    for mode in "tm lte-um fsr asr lte-am nr-am".split():
        bearer = top.bearer(NEW)
        bearer["options"]["mode"] = mode
        shown = "RETX" in top.look([], [bearer], 80, 24)[1][0]
        checks.equal(f"{mode} sends again", shown, mode not in ("tm", "lte-um"))
    _, lines = top.look(before[:2], now[:2], 80, 4)
    checks.true("the last one may have the last line", lines[-1].startswith("2 um"), lines)
    evil = [top.bearer(NEW) | {"dev": "l\033[2Jo"}]
    checks.equal("a name moves no cursor", top.look([], evil)[1][1], "l?[2Jo 1:")


def check_words(checks: Checks, capsys: pytest.CaptureFixture[str]) -> None:
    for words, code, piece in (
        ("--frob", 1, 'top knows no option "--frob"'),
        ("--interval", 1, "--interval has no value"),
        ("--interval 5", 1, '--interval "5" is not a time from 10ms to 3600s with its unit'),
        ("--interval 9ms", 1, '--interval "9ms" is not a time'),
        ("--interval 3601s", 1, '--interval "3601s" is not a time'),
        ("lo 1: bearer 1 2", 1, 'top takes a device, a handle and a bearer, but got "2"'),
        ("lo x", 1, 'top takes a device, a handle and a bearer, but got "x"'),
        ("lo bearer 0", 1, 'bearer "0" is not a number'),
        ("lo 0:", 1, '"0:" is not the handle of a qdisc, such as 1: or 8001:'),
        ("lo bearer", 1, "bearer has no value"),
        ("dev lo bearer 4097", 1, 'bearer "4097" is not a number from 1 to 4096'),
        ("no-such-dev", 3, 'no device "no-such-dev"'),
    ):
        with pytest.raises(Stop) as stop:
            command.main(words.split())
        checks.equal(f"top {words}", (stop.value.code, str(stop.value)[: len(piece)]), (code, piece))
    checks.equal("nothing else", capsys.readouterr(), ("", ""))


def check_slow(checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a look takes longer than the interval there is no time to wait, and yet somebody may leave."""
    wakes: list[int] = []
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(signal, "set_wakeup_fd", wakes.append)
    screen = Screen()
    checks.equal("nobody leaves", screen.wait(0, lambda: None), False)
    os.write(wakes[0], bytes([signal.SIGINT]))
    checks.equal("a signal is heard", screen.wait(0, lambda: None), True)


class Counting(FakeKernel):
    """Delivers 125000 bytes more each time it is asked."""

    asked = 0

    def change(self, peer: socket.socket, seq: int, request: bytes) -> None:
        assert request[16] == GET
        self.asked += 1
        counted = stats(None, None, bytes_delivered=125000 * self.asked, rate_bps=384000)
        self.send(peer, message(FAMILY, 0, seq, struct.pack("=BBH", GET, 2, 0) + counted))
        self.acknowledge(peer, seq, 0)


@pytest.fixture
def kernel(build: Path, tool: WordTool, monkeypatch: pytest.MonkeyPatch) -> Any:
    # Those of the process that runs tests stay.
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(signal, "set_wakeup_fd", lambda fd: None)
    with Counting() as one:
        monkeypatch.setenv("WLINKCTL", str(build / "tests/plugin/wlinkctl-fake"))
        monkeypatch.setenv("FAKE_KERNEL", str(one.path))
        # TCA_OPTIONS, and TCA_STATS2 with TCA_STATS_APP.
        body = attr(2 | 0x8000, tool.attributes("rate 384kbit mode am limit 40"))
        body += attr(7 | 0x8000, attr(4, bytes(8)))
        one.plan.link, one.plan.bearers = body, {1: body}
        yield one


def check_kernel(checks: Checks, kernel: Counting, capsys: pytest.CaptureFixture[str]) -> None:
    """One wlinkctl is asked for each look, and goes on after what it refuses."""
    for words, what in (
        ("lo 1: bearer 1", ""),
        ("", ""),
        ("lo bearer 2", "bearer 2"),
        ("lo 2:", "wlink 2:"),
    ):
        try:
            code, end = command.main(["--json", "--once", "--interval", "10ms", *words.split()]), ""
        except Stop as stop:
            code, end = stop.code, str(stop)
        checks.equal(f"{words}: end", (code, end), (3, f"no {what} on lo") if what else (0, ""))
        if text := capsys.readouterr().out:
            said = json.loads(text)
            (row,) = said["bearers"]
            got = row["dev"], row["bearer"], row["bytes_delivered"], row["delivered_bps"]
            # A look asks for the link and for its bearer.
            want = ("lo", 1, 250000, round(250000 * 8e9 / said["interval_ns"], 3))
            checks.equal(f"{words}: row", got, want)
        checks.equal(f"{words}: a line", bool(text), not what)
