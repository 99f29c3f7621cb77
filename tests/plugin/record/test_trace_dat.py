# SPDX-License-Identifier: GPL-2.0
"""wlab trace-dat: raw recordings as trace-cmd reads them."""

import json
import re
import subprocess
from pathlib import Path

import ring
from harness import Checks
from ring import MISSED, STORED, event, page, sdu
from test_raw import CPU, END, FORMAT, HEADER, MAGIC, PAGE, S, begin, block, clock, header, number, used

WLAB = Path(__file__).resolve().parents[3] / "userspace/wlab/wlab"


def convert(at: Path, data: bytes, *options: str) -> tuple[int, str]:
    (at / "one.raw").write_bytes(data)
    words = [str(WLAB), "trace-dat", str(at / "one.raw"), str(at / "one.dat"), *options]
    done = subprocess.run(words, text=True, capture_output=True, check=False)
    return done.returncode, done.stdout + done.stderr


def events(at: Path) -> list[str]:
    """What trace-cmd reports: processor, time, kind and fields of each event.

    trace-cmd 3.3 puts what it knows of the process behind the processor.
    """
    words = ["trace-cmd", "report", "-i", str(at / "one.dat"), "-R", "-t"]
    out = subprocess.run(words, text=True, capture_output=True, check=True).stdout
    lines = [" ".join(line.split()[1:]) for line in out.splitlines() if "wlink_" in line or "DROPPED" in line]
    return [re.sub(r"^(\[\d+\])-0x0 ", r"\1 ", line) for line in lines]


def fields(seq: int) -> str:
    return f"wlink_sdu: dev=va ifindex=7 handle=65536 seq={seq} drop=0 sport=5000"


def check_good(checks: Checks, tmp_path: Path) -> None:
    """Two processors whose pages come in turns; one has lost events."""
    data = begin(0, 3) + clock(S, 37 * S)
    data += block(PAGE, used(page(2 * S, event(1, sdu(1)), event(5, sdu(4)))), cpu=0)
    data += block(PAGE, used(page(2 * S, event(3, sdu(2)))), cpu=3)
    data += block(PAGE, used(page(3 * S, event(0, sdu(5)))), cpu=0)
    data += block(PAGE, used(page(2 * S + 30, event(1, sdu(3)), flags=MISSED | STORED, missed=5)), cpu=3)
    code, text = convert(tmp_path, data + number(END, 12), "--json")
    checks.equal("it ends well", code, 0)
    checks.equal("what was found", json.loads(text), {"cpus": 4, "pages": 4, "lost": 12})
    want = [
        f"[000] 2.000000001: {fields(1)}",
        f"[003] 2.000000003: {fields(2)}",
        f"[000] 2.000000006: {fields(4)}",
        "[5 EVENTS DROPPED]",
        f"[003] 2.000000031: {fields(3)}",
        f"[000] 3.000000000: {fields(5)}",
    ]
    checks.equal("events in order", events(tmp_path), want)


def check_page_sizes(checks: Checks, tmp_path: Path) -> None:
    """Pages of 16 KiB, of a machine that has such."""
    texts = b"".join(block(FORMAT, text.encode()) for text in ring.FORMATS.values())
    data = MAGIC + block(HEADER, ring.HEADER_16K.encode()) + texts + block(CPU)
    many = [event(1, sdu(n)) for n in range(200)]
    data += block(PAGE, used(page(S, *many, size=16384)))
    checks.equal("it ends well", convert(tmp_path, data)[0], 0)
    got = events(tmp_path)
    checks.equal("all events", [len(got), got[-1]], [200, f"[000] 1.000000200: {fields(199)}"])


def check_bad(checks: Checks, tmp_path: Path) -> None:
    """What is no recording, and one that was cut off: its complete pages are converted."""
    good = begin(0) + block(PAGE, used(page(S, event(1, sdu(1)))))
    formats = b"".join(block(FORMAT, text.encode()) for text in ring.FORMATS.values())
    for name, data, text in (
        ("another file", b"trace.dat", "is no raw recording of wlinkctl record"),
        ("a wrong kind of block", good + block(77), f"byte {len(good)}: no block of a recording"),
        ("without a format", MAGIC + block(HEADER, ring.HEADER_64.encode()), "cut off before its first"),
        ("too many processors", good + block(CPU, cpu=8192), f"byte {len(good)}: no block of a recording"),
        ("a number that is none", good + block(END, b"1234"), f"byte {len(good)}: no block of a recording"),
        ("great pages", header(size=(1 << 30) - 16) + formats, "of pages makes no sense"),
        ("a long number", header(size=10**4200) + formats, "of pages makes no sense"),
        ("a wrong description", begin(0).replace(b"size:4080", b"size:4081"), "of pages makes no sense"),
    ):
        code, out = convert(tmp_path, data)
        checks.equal(name, (code, text in out, [p.name for p in tmp_path.iterdir()]), (1, True, ["one.raw"]))
    checks.equal("cut off", convert(tmp_path, good + block(PAGE, used(page(S, event(2, sdu(2)))))[:40])[0], 0)
    checks.equal("one event", events(tmp_path), [f"[000] 1.000000001: {fields(1)}"])
