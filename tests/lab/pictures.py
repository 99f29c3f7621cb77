# SPDX-License-Identifier: GPL-2.0
"""The demo and its pictures."""

import json
import re
import shutil
import struct
import time
from collections.abc import Callable
from pathlib import Path

from lab import OUT, Skipped, conserved, expect, wlab

WANTED_S = 10.0


def png_size(path: Path) -> tuple[int, int]:
    """Width and height, from the file's header."""
    data = path.read_bytes()
    expect(data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR", f"{path} is no PNG")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def demo() -> str:
    """All files there, figures that fit together, in time."""
    out = OUT / "demo"
    shutil.rmtree(out, ignore_errors=True)
    begin = time.monotonic()
    called = wlab("demo", "--out", str(out))
    wall = time.monotonic() - begin
    if "matplotlib is missing" in called.err:
        raise Skipped("no python3-matplotlib")
    expect(called.status == 0, called.err)
    result = json.loads((out / "result" / "result.json").read_text())
    conserved(result)
    brief = json.loads((out / "summary.json").read_text())
    expect(brief["event_sha256"] == result["event_sha256"], "summary and result differ")
    total = sum(f["goodput_bps"] for f in brief["flows"].values())
    # 50 s at 384 and 50 s at 128 kbit/s carry 256 on average; TCP pauses a little.
    ideal = 256_000 * 1460 / 1500
    expect(0.8 * ideal < total < ideal, f"{total:.0f} bit/s in all, at most {ideal:.0f}")
    expect(brief["links"]["radio.down"]["buffer_sdus_max"] == 40, "the buffer was never full")
    sizes = [png_size(out / name) for name in ("figure.png", "delays.png")]
    expect(all(w > 800 and h > 300 for w, h in sizes), f"pictures of {sizes}")
    page = (out / "report.html").read_text()
    expect(page.count("data:image/png;base64,") == 2, "the report lacks a picture")
    expect(not re.search(r'(src|href)="(?!data:)', page), "the report needs other files")
    expect(wall < WANTED_S, f"it took {wall:.1f} s, not below {WANTED_S:.0f}")
    return f"{total / 1e3:.1f} kbit/s in all, {wall:.1f} s with pictures"


CASES: dict[str, Callable[[], str]] = {"demo": demo}
