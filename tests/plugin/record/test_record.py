# SPDX-License-Identifier: GPL-2.0
"""The reader of the kernel's ring buffer, from pages that are known."""

import json
import random
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
import ring
from harness import Checks
from ring import END, MISSED, STORED, Instance, discarded, event, extend, odd, page, schedule, sdu, stamp

Said = tuple[int, list[dict[str, Any]], dict[str, int], str]


class Reader:
    """seetool record under ASan."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, of: Instance, *words: str) -> Said:
        done = subprocess.run(
            [self.path, "record", of.at, *words], text=True, capture_output=True, check=False
        )
        lines = done.stdout.splitlines()
        parsed = [json.loads(line) for line in lines if line.startswith("{")]
        if done.returncode or not parsed:
            return done.returncode, [], {}, done.stdout + done.stderr
        return 0, parsed[:-1], parsed[-1], ""


def seqs(said: Said) -> list[tuple[int, int, int]]:
    """Time, processor and number of each SDU."""
    return [(e["ts_ns"], e["cpu"], e["seq"]) for e in said[1]]


def check_fields(checks: Checks, reader: Reader, at: Path) -> None:
    of = Instance(at)
    of.cpu(
        0,
        page(
            10**9,
            event(1, sdu(2**64 - 1, 9, b'v"\x01a')),
            event(2, sdu(5, 77, b"0123456789abcdef", 0x1230004, -7)),
            event(3, schedule(4096, 3)),
            event(4, odd(1, -(2**63), -2, -3, b"there")),
            event(5, odd(0, 2**62, 2, 3, b"")),
        ),
    )
    said = reader(of)
    checks.equal("a clean end", (said[0], said[2], said[3]), (0, {"lost": 0, "damaged": 0}, ""))
    want: list[dict[str, Any]] = [
        {
            "event": "wlink_sdu",
            "ts_ns": 10**9 + 1,
            "tai_ns": 38 * 10**9 + 1,
            "cpu": 0,
            "dev": 'v"\x01a',
            "ifindex": 7,
            "handle": "1:",
            "seq": 2**64 - 1,
            "drop": "aqm",
            "sport": 5000,
        },
        {
            "event": "wlink_sdu",
            "ts_ns": 10**9 + 3,
            "tai_ns": 38 * 10**9 + 3,
            "cpu": 0,
            "dev": "0123456789abcdef",
            "ifindex": -7,
            "handle": 0x1230004,
            "seq": 5,
            "drop": 77,
            "sport": 5000,
        },
        {
            "event": "wlink_schedule",
            "ts_ns": 10**9 + 6,
            "tai_ns": 38 * 10**9 + 6,
            "cpu": 0,
            "bearer": 4096,
            "state": "plays",
        },
        {
            "event": "wlink_odd",
            "ts_ns": 10**9 + 10,
            "tai_ns": 38 * 10**9 + 10,
            "cpu": 0,
            "yes": True,
            "far": -(2**63),
            "near": -2,
            "least": -3,
            "text": "there",
            "list": None,
        },
        {
            "event": "wlink_odd",
            "ts_ns": 10**9 + 15,
            "tai_ns": 38 * 10**9 + 15,
            "cpu": 0,
            "yes": False,
            "far": 2**62,
            "near": 2,
            "least": 3,
            "text": "",
            "list": None,
        },
    ]
    checks.equal("every kind of field", said[1], want)
    checks.equal("order of the fields", [list(e) for e in said[1]], [list(e) for e in want])


def check_names(checks: Checks, reader: Reader, at: Path) -> None:
    """A device may have any bytes in its name; JSON is UTF-8."""
    rows: list[tuple[bytes, str]] = [
        ("wlän€😀".encode(), "wlän€😀"),
        (b"\x80\xbf", "\ufffd\ufffd"),
        (b"a\xc3", "a\ufffd"),
        (b"\xc0\xaf", "\ufffd\ufffd"),
        (b"\xe0\x9f\xbf", "\ufffd" * 3),
        (b"\xed\xa0\x80", "\ufffd" * 3),
        (b"\xed\x9f\xbf\xf4\x8f\xbf\xbf", "\ud7ff\U0010ffff"),
        (b"\xf4\x90\x80\x80", "\ufffd" * 4),
        (b"\xe2\x82x", "\ufffd\ufffdx"),
        (b'\\"\x7f\t', '\\"\x7f\t'),
    ]
    of = Instance(at)
    of.cpu(0, page(1, *(event(1, sdu(n, dev=name)) for n, (name, _) in enumerate(rows))))
    checks.equal("names of devices", [e["dev"] for e in reader(of)[1]], [text for _, text in rows])


def check_set_up(checks: Checks, reader: Reader, at: Path) -> None:
    of = Instance(at)
    of.cpu(0)
    reader(of, 'ifindex == 7 && dev == "va"')
    got = {
        name: (at / name).read_text()
        for name in (
            "tracing_on",
            "trace_clock",
            "options/overwrite",
            "buffer_percent",
            "buffer_size_kb",
            "events/wlink/wlink_schedule/filter",
            "events/wlink/enable",
        )
    }
    words = ["0", "mono", "0", "0", "4", 'ifindex == 7 && dev == "va"', "1"]
    checks.equal("what the instance is told", list(got.values()), words)


def check_events(checks: Checks, reader: Reader, at: Path) -> None:
    """Every kind of event that a buffer has."""
    top = 0b10110 << 59
    of = Instance(at)
    of.cpu(
        3,
        page(
            100,
            event(5, sdu(1)),
            event(0, sdu(2), long=True),
            discarded(7, 40),
            event(1, sdu(3)),
            END,
            b"\xff" * 8,
        ),
        page(2**40, extend(2**31 + 5), event(1, sdu(4)), extend(2**58), event(0, sdu(5))),
        page(top + 2**50, stamp(2**50 + 123456789), event(11, sdu(6))),
        page(2**63 + 2**50, event(1, sdu(7)), struct.pack("=I", 0)),
    )
    want = [
        (105, 3, 1),
        (105, 3, 2),
        (113, 3, 3),
        (2**40 + 2**31 + 6, 3, 4),
        (2**40 + 2**31 + 6 + 2**58, 3, 5),
        (top + 2**50 + 123456800, 3, 6),
        (2**63 + 2**50 + 1, 3, 7),
    ]
    said = reader(of)
    checks.equal("times of events of every kind", sorted(seqs(said)), sorted(want))
    checks.equal("an event of no length", said[2].get("damaged"), 1)


def check_merge(checks: Checks, reader: Reader, at: Path) -> None:
    """More pages than a round reads, on processors that are unlike each other."""
    of = Instance(at)
    dice = random.Random(7)
    want: list[tuple[int, int, int]] = []
    # Where time goes fast most waits for the others, in more room than at first.
    for cpu, pages, gap in ((0, 40, 2000), (2, 3, 2000), (10, 170, 300), (7, 120, 5000), (5, 0, 1)):
        made = []
        ts = 1000 * cpu
        for _ in range(pages):
            events = []
            for _ in range(dice.randrange(1, 60)):
                delta = dice.randrange(gap) + 1
                ts += delta
                want.append((ts, cpu, len(want)))
                # Time within a page counts from the event before.
                events.append((delta, sdu(len(want) - 1)))
            made.append(page(ts - sum(d for d, _ in events), *(event(d, data) for d, data in events)))
        of.cpu(cpu, *made)
    got = seqs(reader(of))
    checks.equal("all events of five processors", len(got), len(want))
    checks.equal("they are in order of time", [g[0] for g in got], sorted(w[0] for w in want))
    checks.equal("each is there once, on its processor", sorted(got), sorted(want))


E8 = 10**8
NUMBERS = (0, 9, 10, 99, 100, 12345, E8 - 1, E8, E8 + 1, 123 * E8, 124 * E8 - 1, 2**32, 2**63, 2**64 - 1)
SIGNED = (*(n for n in NUMBERS if n < 2**63), 2**63 - 1, -(2**63), -(2**63) + 1, -1, -E8, 1 - 2 * E8)
TEXTS = ("va", "vb", "", "0123456789abcdef", "\x01" * 16, 'v"')


def any_event(dice: random.Random) -> tuple[bytes, dict[str, Any]]:
    """An event, and what its line has."""
    text = dice.choice(TEXTS)
    kind = dice.randrange(8)
    if kind == 0:
        bearer, state = dice.choice((1, 10, 4096)), dice.choice((0, 3, 9))
        names = {0: "none", 3: "plays"}
        return schedule(bearer, state), {
            "event": "wlink_schedule",
            "bearer": bearer,
            "state": names.get(state, state),
        }
    if kind == 1:
        far, near = dice.choice(SIGNED), dice.choice((-32768, -1, 0, 32767))
        told = {"event": "wlink_odd", "yes": bool(near), "far": far, "near": near, "least": -3}
        return odd(bool(near), far, near, -3, text.encode()), told | {"text": text, "list": None}
    seq, minor, number = dice.choice(NUMBERS), dice.choice((0, 0, 4)), dice.choice((7, -7))
    data = sdu(seq, 9, text.encode(), 0x10000 | minor, number)
    handle = 0x10004 if minor else "1:"
    all_of_it: dict[str, Any] = {"ifindex": number, "handle": handle, "seq": seq, "drop": "aqm"}
    all_of_it["sport"] = 5000
    none_of_it: dict[str, Any] = {"ifindex": 0, "handle": "0:", "seq": 0, "drop": "none", "sport": 0}
    if kind == 2:
        return data[:12], {"event": "wlink_sdu", "dev": ""} | none_of_it
    told = {"event": "wlink_sdu", "dev": text} | all_of_it
    if kind == 3:
        return data[:40], told | {"drop": "none", "sport": 0}
    return data, told


def check_memory(checks: Checks, reader: Reader, at: Path) -> None:
    """Events that are like the one before, or end in other digits, or have more of them or fewer."""
    dice = random.Random(3)
    pages, want = [], []
    for begin in (0, E8 - 60, 10**10 - 60, 10**10, 124 * E8 - 60, 2**62):
        for ts in range(begin, begin + 4000, 100):
            made = [any_event(dice) for _ in range(25)]
            pages.append(page(ts, *(event(1, data) for data, _ in made)))
            for n, (_, told) in enumerate(made, 1):
                want.append({"ts_ns": ts + n, "tai_ns": ts + n + 37 * 10**9, "cpu": 0} | told)
    of = Instance(at)
    of.cpu(0, *pages)
    got = reader(of)[1]
    wrong = [pair for pair in zip(got, want) if pair[0] != pair[1]]
    checks.equal("as many events", len(got), len(want))
    checks.equal("each has its own numbers", wrong[:1], [])


def check_lost(checks: Checks, reader: Reader, at: Path) -> None:
    """(pages of a processor, its statistics, what is lost)"""
    one = event(1, sdu(1))
    tail = page(2, one, flags=MISSED)
    rows: list[tuple[str, list[bytes], dict[str, int], int]] = [
        ("nothing", [page(1, one)], {}, 0),
        ("a page that tells how many", [page(1, one, flags=MISSED | STORED, missed=41)], {}, 41),
        ("a page that does not tell", [tail], {}, 1),
        ("two pages", [page(1, one, flags=MISSED | STORED, missed=41), tail], {}, 42),
        (
            "pages and the same in the statistics",
            [page(1, one, flags=MISSED | STORED, missed=41)],
            {"overrun": 41},
            41,
        ),
        ("more in the statistics", [tail], {"overrun": 9}, 9),
        ("a full buffer", [page(1, one)], {"dropped": 448}, 448),
        ("all of it", [tail], {"overrun": 9, "commit": 20, "dropped": 300}, 329),
    ]
    for name, pages, stats, lost in rows:
        of = Instance(at)
        of.cpu(0, *pages, **stats)
        said = reader(of)
        checks.equal(f"lost: {name}", (said[2], len(said[1])), ({"lost": lost, "damaged": 0}, len(pages)))
    of = Instance(at)
    full = [event(1, sdu(n)) for n in range(78)] + [discarded(1, 4080 - 78 * 52 - 8)]
    of.cpu(0, page(1, *full, flags=MISSED | STORED)[:4096])
    checks.equal("lost: no room for how many", reader(of)[2], {"lost": 1, "damaged": 0})
    of.cpu(0, page(1, one), overrun=9, commit=20, dropped=300)
    of.cpu(1, dropped=5)
    checks.equal("lost on two processors", reader(of)[2]["lost"], 334)


def check_layouts(checks: Checks, reader: Reader, at: Path) -> None:
    """Pages of a 32-bit kernel and long ones."""
    of = Instance(at / "32", ring.HEADER_32)
    of.cpu(
        0,
        page(50, event(1, sdu(1)), flags=MISSED | STORED, missed=3, word="I"),
        page(60, event(1, sdu(2)), word="I"),
    )
    said = reader(of)
    checks.equal(
        "a long of 32 bits", (seqs(said), said[2]), ([(51, 0, 1), (61, 0, 2)], {"lost": 3, "damaged": 0})
    )
    of = Instance(at / "16k", ring.HEADER_16K)
    many = [event(1, sdu(n)) for n in range(300)]
    of.cpu(0, page(0, *many, size=16384), page(1000, *many, size=16384))
    checks.equal("pages of 16 KiB", len(reader(of)[1]), 600)


def check_damage(checks: Checks, reader: Reader, at: Path) -> None:
    """What is whole before the damage is kept; nothing is made up."""
    good = event(1, sdu(1))
    rows: list[tuple[str, bytes, int, int]] = [
        ("more data than a page", struct.pack("=QQ", 1, 4081) + good.ljust(4080, b"\0"), 0, 1),
        ("an event behind the data", page(1, good, struct.pack("=I", 20) + b"\0" * 8), 1, 1),
        ("a length behind the data", page(1, good, struct.pack("=II", 0, 5000)), 1, 1),
        ("half a word", page(1, good, b"\1\0"), 1, 1),
        ("a time stamp of one word", page(1, good, struct.pack("=I", 31)), 1, 1),
        ("discarded without a length", page(1, good, struct.pack("=I", 1 << 5 | 29)), 1, 1),
        ("half a page", page(1, good)[:12], 0, 1),
        ("a record of one byte", page(1, event(1, b"\1")), 0, 0),
        ("an unknown kind", page(1, event(1, struct.pack("=HHI", 7, 0, 0)), good), 1, 0),
        ("a record that is too short", page(1, event(1, sdu(1)[:12])), 1, 0),
    ]
    for name, data, events, damaged in rows:
        of = Instance(at)
        of.cpu(0, data)
        said = reader(of)
        checks.equal(
            f"damage: {name}", (len(said[1]), said[2], said[3]), (events, {"lost": 0, "damaged": damaged}, "")
        )
    of = Instance(at)
    of.cpu(0, page(1, event(1, sdu(3)), event(1, sdu(1)[:12])))
    short = {"dev": "", "ifindex": 0, "handle": "0:", "seq": 0, "drop": "none", "sport": 0}
    checks.equal("a record that is too short has nothing", reader(of)[1][1] | short, reader(of)[1][1])
    dice = random.Random(1)
    for n in range(60):
        of = Instance(at)
        pages = [bytearray(page(1, *(event(1, sdu(n), n % 3 == 0) for n in range(60)))) for _ in range(8)]
        for one in pages:
            for _ in range(dice.randrange(1, 40)):
                one[dice.randrange(8 if n % 2 else 16, 4096)] = dice.randrange(256)
        of.cpu(0, *(bytes(one) for one in pages))
        said = reader(of)
        checks.equal(f"noise {n}", (said[0], said[3]), (0, ""))


def check_refusals(checks: Checks, reader: Reader, at: Path) -> None:
    """Descriptions that make no sense are refused by name."""
    rows: list[tuple[str, str, str]] = [
        ("events/header_page", "", "events/header_page of this kernel cannot be read"),
        (
            "events/header_page",
            ring.HEADER_64.replace("size:8;\tsigned:1", "size:3;\tsigned:1"),
            "cannot be read",
        ),
        ("events/header_page", ring.HEADER_64.replace("offset:16", "offset:9"), "cannot be read"),
        ("events/header_page", ring.HEADER_64.replace("4080", "4000000"), "cannot be read"),
        (
            "events/wlink/wlink_sdu/format",
            "name: x\n",
            "events/wlink/wlink_sdu/format of this kernel cannot be read",
        ),
        ("events/wlink/wlink_sdu/format", ring.description("x", 3, *["u8 a 8 1 0"] * 49), "cannot be read"),
        ("events/wlink/wlink_sdu/format", "x" * 70000, "events/wlink/wlink_sdu/format: File too large"),
    ]
    for name, text, piece in rows:
        of = Instance(at)
        of.cpu(0)
        of.put(name, text)
        said = reader(of)
        checks.true(f"{name} is refused", said[0] == 2 and piece in said[3], said)
    of = Instance(at)
    (at / "events/wlink").rename(at / "none")
    said = reader(of)
    checks.true("no module", said[0] == 2 and "type: modprobe sch_wlink" in said[3], said)


@pytest.fixture
def reader(build: Path) -> Reader:
    return Reader(build / "tests/plugin/seetool")


@pytest.fixture
def at(tmp_path: Path) -> Path:
    return tmp_path / "tracing"
