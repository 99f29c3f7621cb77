# SPDX-License-Identifier: GPL-2.0
"""wlinkctl record --from: raw recordings made by hand."""

import json
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import ring
from harness import Checks
from ring import MISSED, STORED, event, page, sdu

MACHINE, HEADER, FORMAT, CPU, CLOCK, PAGE, ROUND, END, LINK = range(1, 10)
MAGIC = b"wlink raw 1\n"
S = 10**9

Said = tuple[int, list[dict[str, Any]], str]


def block(kind: int, data: bytes = b"", cpu: int = 0) -> bytes:
    return struct.pack("=IIQ", kind, cpu, len(data)) + data


def number(kind: int, value: int) -> bytes:
    return block(kind, struct.pack("=Q", value))


def clock(mono: int, ahead: int, maxerror: int = 9, synchronised: int = 1) -> bytes:
    """struct clock_sample: TAI - UTC 37 s."""
    numbers = (mono, mono + ahead, 7, 0, -5, maxerror, 2, 0x2001, 0, 37, synchronised)
    data = struct.pack("=QQQi4xqQQIiiB3x", *numbers)
    return block(CLOCK, data)


def begin(
    *cpus: int, machine: bytes = b',"host":"x","boot":"y"', formats: Iterable[str] = ring.FORMATS.values()
) -> bytes:
    out = MAGIC + block(MACHINE, machine) + block(HEADER, ring.HEADER_64.encode())
    out += b"".join(block(FORMAT, text.encode()) for text in formats)
    return out + b"".join(block(CPU, cpu=n) for n in cpus)


def header(commit: int = 8, data: int = 16, size: int = 4080) -> bytes:
    """A recording whose pages are described so."""
    fields = (("u64 timestamp", 0, 8), ("local_t commit", commit, 8), ("char data", data, size))
    lines = [f"\tfield: {name};\toffset:{at};\tsize:{n};\tsigned:0;\n" for name, at, n in fields]
    return MAGIC + block(HEADER, "".join(lines).encode())


def used(one: bytes) -> bytes:
    """A page up to the end of its data, as the recorder cuts it."""
    (flags,) = struct.unpack_from("=Q", one, 8)
    return one[: 16 + (flags & 0xFFFFF) + (8 if flags & STORED else 0)]


class Reader:
    """wlinkctl under ASan."""

    def __init__(self, path: Path, at: Path) -> None:
        self.path, self.at = path, at / "raw"

    def raw(self, data: bytes) -> tuple[int, str, str]:
        self.at.write_bytes(data)
        words = [str(self.path), "record", "--from", str(self.at)]
        done = subprocess.run(words, text=True, errors="replace", capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def __call__(self, data: bytes) -> Said:
        code, out, err = self.raw(data)
        return code, [json.loads(line) for line in out.splitlines()], err


def check_good(checks: Checks, reader: Reader) -> None:
    """Two processors, two rounds, the clock is set between them."""
    look = block(LINK, b'{"link":{"bearer":1}}\n')
    data = begin(0, 3) + clock(S, 37 * S) + look
    data += block(PAGE, used(page(2 * S, event(1, sdu(1)), event(5, sdu(4)))), cpu=0)
    data += block(PAGE, used(page(2 * S, event(3, sdu(2)))), cpu=3) + number(ROUND, 2 * S + 4)
    data += clock(2 * S + 5, 36 * S) + block(PAGE, used(page(2 * S + 3, event(1, sdu(3)))), cpu=3)
    data += clock(3 * S, 36 * S) + number(ROUND, 3 * S) + look + number(END, 12)
    code, lines, err = reader(data)
    checks.equal("it ends well", (code, '{"lost": 12, "events": 4}\n' in err), (0, True))
    got = [(e["ts_ns"] - 2 * S, e["tai_ns"] - e["ts_ns"], e["cpu"], e["seq"]) for e in lines if "event" in e]
    want = [(1, 37 * S, 0, 1), (3, 37 * S, 3, 2), (4, 37 * S, 3, 3), (6, 36 * S, 0, 4)]
    checks.equal("events in order, with the clock of their time", got, want)
    kinds = [next(one for one in ("clock", "link", "event", "lost") if one in line) for line in lines]
    wanted = ["clock", "link", *["event"] * 3, "clock", "event", "clock", "link", "lost"]
    checks.equal("clock lines by their time", kinds, wanted)
    checks.equal("the last line", lines[-1], {"lost": 12, "events": 4})
    first = {
        "mono_ns": S, "tai_ns": 38 * S, "uncertainty_ns": 7, "synchronised": True, "ntp_offset_ns": -5,
        "maxerror_ns": 9, "esterror_ns": 2, "status": 0x2001, "state": "ok",
        "tai_utc_s": 37, "tai_utc_set": True, "host": "x", "boot": "y",
    }  # fmt: skip
    checks.equal("the first line, with who it was", lines[0], {"clock": first})
    checks.equal("the step", lines[5]["clock"]["step_ns"], -S)


def check_pages(checks: Checks, reader: Reader) -> None:
    """Pages are cut behind what they hold; those that tell of missed events tell it again."""
    full = page(S, *(event(1, sdu(n)) for n in range(70)))
    data = begin(0) + clock(1, 0) + block(PAGE, full) + block(PAGE, used(full)) + number(END, 0)
    code, lines, _ = reader(data)
    checks.equal("a whole page and a cut one", (code, sum("event" in one for one in lines)), (0, 140))
    told = used(page(S, event(1, sdu(1)), flags=MISSED | STORED, missed=5))
    code, lines, err = reader(begin(0) + clock(1, 0) + block(PAGE, told) + number(END, 5))
    checks.equal("missed events are counted once", (code, lines[-1]), (0, {"lost": 5, "events": 1}))
    checks.true("and told", "5 events were lost" in err, err)


def check_renamed(checks: Checks, reader: Reader) -> None:
    """A recording of a module whose wlink_schedule was called wlink_play."""
    older = ring.FORMATS["wlink_schedule"].replace("wlink_schedule", "wlink_play")
    one = used(page(S, event(1, ring.schedule(2, 3))))
    data = begin(0, formats=[older]) + clock(1, 0) + block(PAGE, one) + number(END, 0)
    code, lines, err = reader(data)
    got = [(e["event"], e["bearer"], e["state"]) for e in lines if "event" in e]
    checks.equal(f"as it was called {err}", (code, got), (0, [("wlink_play", 2, "plays")]))


def check_bad(checks: Checks, reader: Reader) -> None:
    good = begin(0) + clock(1, 0) + block(PAGE, used(page(S, event(1, sdu(1)))))
    at = len(good)
    makes_none = "byte 12: a description of pages that makes no sense"
    rows = [
        ("empty", b"", "byte 0: no raw recording of wlinkctl record --raw", 0),
        ("lines", b'{"clock":{"mono_ns":1}}\n', "byte 0: no raw recording", 0),
        ("no end", good, f"byte {at}: the recording has no end; what it lost is not known", 1),
        ("half a head", good + block(PAGE)[:9], f"byte {at}: the recording has no end", 1),
        ("half a page", good + block(PAGE, bytes(100))[:-1], f"byte {at}: the recording has no end", 1),
        ("an unknown kind", good + block(99), f"byte {at}: no block of a recording", 1),
        ("too long", good + struct.pack("=IIQ", PAGE, 0, 1 << 40), f"byte {at}: a block longer than any", 1),
        ("a processor", good + block(PAGE, cpu=9), f"byte {at}: a page of an unknown processor", 1),
        ("a clock", good + block(CLOCK, bytes(8)), f"byte {at}: a clock of another machine or version", 1),
        ("a number", good + block(ROUND, b"1"), f"byte {at}: no number", 1),
        ("a page first", MAGIC + block(PAGE), "byte 12: a page before its description", 0),
        ("no layout", MAGIC + block(CPU) + block(PAGE), "byte 28: a page before its description", 0),
        ("a layout", MAGIC + block(HEADER, b"x"), "byte 12: a description of pages that makes no sense", 0),
        (
            "a format",
            MAGIC + block(FORMAT, b"x"),
            "byte 12: a description of an event that makes no sense",
            0,
        ),
        # Each read or wrote beyond its room once.
        (
            "a format behind a processor",
            begin(0) + block(FORMAT, ring.FORMATS["wlink_sdu"].encode()),
            "the recording has no end",
            0,
        ),
        ("an offset that wraps", header(data=2**32 - 8, size=4096), makes_none, 0),
        ("a commit that wraps", header(commit=2**32 - 4), makes_none, 0),
    ]
    _, lines, err = reader(begin(0) + clock(1, 0, synchronised=7) + number(END, 0))
    checks.equal("neither true nor false", (lines[0]["clock"]["synchronised"], err[:9]), (True, '{"lost": '))
    for name, data, piece, events in rows:
        code, lines, err = reader(data)
        got = sum("event" in one for one in lines)
        checks.equal(f"raw, {name}", (code, piece in err, got), (1, True, events))
    damaged = good + block(PAGE, struct.pack("=QQ", S, 4000) + bytes(20)) + number(END, 0)
    code, lines, err = reader(damaged)
    checks.equal(
        "a damaged page", (code, "1 pages of the kernel's buffer could not be read" in err), (1, True)
    )
    for at in range(0, len(good), 37):
        wrong = bytearray(good + number(END, 0))
        wrong[at] ^= 0xFF
        code, _, err = reader.raw(bytes(wrong))
        checks.true(f"a wrong byte {at}", code in (0, 1) and "Sanitizer" not in err, err[:300])


def check_words(checks: Checks, reader: Reader) -> None:
    for words in (["--raw"], ["--live"], ["--for", "1s"], ["--buffer", "1mib"], ["a", "b"]):
        command = [str(reader.path), "record", "--from", "/dev/null", *words]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        said = "record --from takes a file to write and nothing else"
        checks.true(f"--from with {words}", done.returncode == 1 and said in done.stderr, done.stderr)
    done = subprocess.run(
        [str(reader.path), "record", "--from", "/no"], text=True, capture_output=True, check=False
    )
    checks.equal("no file", (done.returncode, "/no: No such file" in done.stderr), (1, True))


@pytest.fixture
def reader(build: Path, tmp_path: Path) -> Reader:
    return Reader(build / "tests/plugin/wlinkctl", tmp_path)
