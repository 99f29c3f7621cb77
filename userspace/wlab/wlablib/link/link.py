# SPDX-License-Identifier: GPL-2.0
"""A scenario of one command behind a link, and of a server for it; run, and its figures."""

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..analysis import resultfile, why
from ..compare import compare, sources
from ..lib.files import read_large
from ..lib.paths import RESULTS, LabError
from ..run import run as runs
from ..scenario import scenario
from ..scenario.files import Origin
from ..scenario.link import WAYS
from ..scenario.scenario import Scenario
from ..scenario.wlinkctl import of_preset

SERVER, COMMAND = "server", "command"
# Where programs find the server; it listens before the command starts.
ADDRESS, LEAD = "10.0.1.1", "100ms"
# Under a trace, which has the rates.
PLAYED = "rate 100mbit tti 0 delay 20ms limit 300"
# A result that nobody gave a folder is replaced by the next one.
OUT = RESULTS / "results" / "link"


@dataclass(frozen=True)
class Link:
    """Both directions: words of tc-wlink(8), and a trace that the downlink plays, or nothing."""

    down: str
    up: str
    trace: str = ""


def of(preset: str = "", down: str = "", up: str = "", trace: str = "") -> Link:
    """One direction that is given alone holds for both; a preset has its own uplink."""
    if not preset and not down and not up and not trace or preset and (down or up or trace):
        raise LabError("which link? one of: --preset NAME, --trace FILE, or --down LINE and --up LINE")
    if preset:
        return Link(*of_preset(preset))
    if trace:
        down = down or PLAYED
        up = up or PLAYED
    return Link(down or up, up or down, trace)


def named_files(lines: Iterable[str], more: Sequence[str]) -> list[str]:
    """Files of this folder that the commands name, in quotes, too, and those that are given."""
    words = {word for line in lines for word in re.split(r"[\s'\"=;|&<>()]+", line)}
    found = [word for word in words if word and not word.startswith("/") and Path(word).is_file()]
    return sorted({*found, *more})


def build(link: Link, command: Sequence[str], server: str, files: Sequence[str], longest: str) -> Scenario:
    """The scenario; the files of the commands are copied into the run."""
    lines = {COMMAND: shlex.join(command), **({SERVER: server} if server else {})}
    copies = named_files(lines.values(), files)
    alike = {"files": copies, "env": {"SERVER": ADDRESS}}
    programs = [
        {"name": name, "in": node, "run": lines[name], "start": start, **alike}
        for name, node, start in ((SERVER, "server", 0), (COMMAND, "ue", LEAD))
        if name in lines
    ]
    down: dict[str, Any] = {"wlink": link.down}
    if link.trace:
        down["trace"] = {"file": link.trace}
    raw = {
        "name": "link", "duration": longest, "until": COMMAND,
        "radio": {"down": down, "up": {"wlink": link.up}},
        "program": programs,
    }  # fmt: skip
    return scenario.read(raw, Origin(Path.cwd()))


def run(sc: Scenario, seed: int, out: Path | None, force: bool = False, on: str = "lab") -> Path:
    """The folder of its result."""
    return runs.run(sc, [seed], out or OUT, force=force or out is None, on=on)[1]


@dataclass(frozen=True)
class Delay:
    """Of packets with payload, in s; `why` is what it is made of, for the text of a failed test."""

    p50: float | None
    p95: float | None
    p99: float | None
    why: str


@dataclass(frozen=True)
class Way:
    """One direction, by the definitions of wlab compare; None where no packet with payload came."""

    throughput_bps: float | None
    loss: float | None
    delay: Delay
    shares: dict[str, float]


def shares(folder: Path) -> dict[str, dict[str, float]]:
    """By direction, the share of each part in the delay, as wlab why has it."""
    found: dict[str, dict[str, float]] = {way: {} for way in WAYS}
    for row in why.why(folder)["bearers"]:
        parts = [(float(row[name]["share"]), why.TITLES[name]) for name in why.TITLES if name != "total"]
        if row["count"]:
            way = row["link"].removeprefix("radio.")
            found[way] = {name: share for share, name in sorted(parts, reverse=True) if share}
    return found


def ways(folder: Path) -> dict[str, Way]:
    """Both directions."""
    rows, parts = compare.of_one(sources.find([folder])), shares(folder)
    found = {}
    for way in WAYS:
        row = rows.get(f"programs radio.{way}", {})
        text = ", ".join(f"{name} {share:.0%}" for name, share in parts[way].items())
        p50, p95, p99 = (row.get(f"delay_p{p}_s") for p in (50, 95, 99))
        delay = Delay(p50, p95, p99, text or "no packet with payload")
        found[way] = Way(row.get("throughput_bps"), row.get("loss"), delay, parts[way])
    return found


def output(folder: Path) -> str:
    """What the command has printed."""
    texts = [(folder / "programs" / f"{COMMAND}.{end}") for end in ("out", "err")]
    return "".join(read_large(path).decode(errors="replace") for path in texts if path.exists())


def as_text(folder: Path, found: dict[str, Way]) -> str:
    """Figures and shares of both directions."""
    lines = [f"{'':<6}{'Mbit/s':>10}{'p50 ms':>10}{'p95 ms':>10}{'p99 ms':>10}{'loss %':>8}  delay is"]
    for name, way in found.items():
        cells = [way.throughput_bps, way.delay.p50, way.delay.p95, way.delay.p99, way.loss]
        sizes = (1e-6, 1e3, 1e3, 1e3, 1e2)
        shown = [f"{one * size:.3f}" if one is not None else "-" for one, size in zip(cells, sizes)]
        figures = "".join(f"{text:>10}" for text in shown[:-1])
        lines.append(f"{name:<6}{figures}{shown[-1]:>8}  {way.delay.why}")
    data = resultfile.result(folder)
    lines += resultfile.spins(data)
    lines.append(f"{data['ended_s']:g} s; results in {folder}: wlab why, plot and compare take it")
    return "\n".join(lines)
