# SPDX-License-Identifier: GPL-2.0
"""The demo and its pictures."""

import json
import re
import shutil
import struct
from pathlib import Path
from typing import Any

from lab import OUT, ROOT, Skipped, conserved, expect, wlab

DEMO = ROOT / "userspace" / "wlab" / "scenarios" / "demo.toml"


def png_size(path: Path) -> tuple[int, int]:
    """Width and height, from the file's header."""
    data = path.read_bytes()
    expect(data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR", f"{path} is no PNG")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def paper(brief: dict[str, Any]) -> None:
    """The figures tell what the AQM paper's Figs. 2, 14 and 15 show."""
    tail, red, sbd, clamped = brief["variants"].values()
    expect(tail["overflow"]["start"] > 0 and tail["overflow"]["switch"] > 0, f"drop-tail: {tail['overflow']}")
    expect(red["overflow"]["start"] > 0 == red["overflow"]["switch"], f"RED: {red['overflow']}")
    expect(sbd["overflow"]["start"] < tail["overflow"]["start"] / 2, f"SBD: {sbd['overflow']}")
    expect(clamped["overflow"]["start"] == 0 == clamped["overflow"]["switch"], f"{clamped['overflow']}")
    expect(tail["drops"]["aqm"] == 0, "drop-tail has dropped by an AQM")
    for one in (red, sbd, clamped):
        expect(one["drops"]["aqm"] > 0, f"{one['title']} has dropped nothing")
        expect(one["delay_mean_ms"] < tail["delay_mean_ms"], f"{one['title']}: more delay than drop-tail")
        share = one["goodput_bps"] / tail["goodput_bps"]
        expect(share > 0.96, f"{one['title']}: {share:.1%} of drop-tail's goodput")


def check_demo() -> str:
    """All files there, figures that fit together."""
    out = OUT / "demo"
    shutil.rmtree(out, ignore_errors=True)
    called = wlab("demo", "--out", str(out))
    if "matplotlib is missing" in called.err:
        raise Skipped("no python3-matplotlib")
    expect(called.status == 0, called.err)
    brief = json.loads((out / "summary.json").read_text())
    # 50 s at 384 and 50 s at 128 kbit/s carry 256 on average, less a tenth;
    # TCP pauses a little.
    ideal = 256_000 * 0.9 * 1460 / 1500
    for name, one in brief["variants"].items():
        result = json.loads((out / one["folder"] / "result.json").read_text())
        conserved(result)
        expect(one["event_sha256"] == result["event_sha256"], f"{name}: summary and result differ")
        total = one["goodput_bps"]
        expect(0.8 * ideal < total < ideal, f"{name}: {total:.0f} bit/s in all, at most {ideal:.0f}")
        # Drops of packets with payload, told by two logs that know nothing of each other.
        lost = result["links"]["radio.down"]["xstats"]["drops"]
        for reason in ("overflow", "aqm"):
            expect(one["drops"][reason] == lost[reason], f"{name}: {one['drops']} told, {lost} counted")
        expect(sum(one["overflow"].values()) == lost["overflow"], f"{name}: {one['overflow']}")
    same = brief["variants"]["droptail"]["event_sha256"]
    expect(brief["event_sha256"] == same, "no variant is the scenario's")
    expect(brief["links"]["radio.down"]["buffer_sdus_max"] == 40, "the buffer was never full")
    paper(brief)
    sizes = [png_size(out / name) for name in ("figure.png", "delays.png")]
    expect(all(w > 800 and h > 300 for w, h in sizes), f"pictures of {sizes}")
    page = (out / "report.html").read_text()
    expect(page.count("data:image/png;base64,") == 2, "the report lacks a picture")
    expect(not re.search(r'(src|href)="(?!data:)', page), "the report needs other files")
    for one in brief["variants"].values():
        expect(one["title"] in called.out and one["title"] in page, f"{one['title']} is not told")
    return f"{len(brief['variants'])} variants, with pictures"


def check_demo_one_variant_alone() -> str:
    """A variant run by itself, as the report says, is the same to the ns."""
    out = OUT / "demo"
    brief = json.loads((out / "summary.json").read_text())
    one = brief["variants"]["sbd-3g"]
    settings = [word for setting in one["set"] for word in ("--set", setting)]
    called = wlab("run", str(DEMO), *settings, "--out", str(OUT / "demo-alone"), "--force", "--json")
    expect(called.status == 0, called.err)
    digest = json.loads(called.out)["event_sha256"]
    expect(digest == one["event_sha256"], f"{digest} alone, {one['event_sha256']} in the demo")
    return str(digest[:16])
