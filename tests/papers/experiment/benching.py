# SPDX-License-Identifier: GPL-2.0
"""The bench of congestion controls: its list of cases, its verdicts, and what its metrics count."""

import json
import re
import shutil
import struct
import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from kit import equals, expect, near, refused
from wlablib.bench import bench, cases
from wlablib.bench.cases import Bound
from wlablib.experiment import cells
from wlablib.report import verdict
from wlablib.scenario.controls import CONGESTION

CONTROLS = ["reno", "cubic", "bbr"]
# A log: two packets of 1500 bytes of which one waits, one that is dropped, and a change of the rate.
EVENTS = """# sdu\tt\tlink
sdu\t0\tradio.down\tsender\tforth\t1\t0\t0\t1500\t1\t0\tnone\t0\t0\t0\t1000000000
sdu\t0\tradio.down\tsender\tforth\t1\t0\t1\t1500\t1\t0\tnone\t0\t500000000\t0\t2000000000
sdu\t0\tradio.down\tsender\tforth\t1\t0\t2\t1500\t1\t0\toverflow\t0\t0\t0\t0
sdu\t0\tradio.up\tsender\tback\t1\t0\t2\t1500\t1\t0\tnone\t0\t0\t0\t1000000000
rate\t2000000000\tradio.down\t1\t12000\t24000\t1
"""
WATCHED = """at\t0.1\tSTARTUP\t10\t0\t40000
at\t0.5\tSTARTUP\t20\t9600000\t40000
at\t1.0\tDRAIN\t20\t9600000\t40000
event\t1.0
at\t1.2\tPROBE_UP\t20\t9600000\t40000
"""


def check_all_cases() -> None:
    """Every section of the appendix, A.7 for both of its phases, ten radio links; each cell is a scenario
    with any control of the lab."""
    parts = {part.experiment.name: part for part in cases.chosen("", list(CONGESTION), None)}
    equals("experiments", list(parts), ["bbr-draft", "bbr-paths", "radio"])
    sections = [int(re.match(r"A\.(\d+) ", case.of)[1]) for case in parts["bbr-draft"].cases]  # type: ignore[index]
    equals("sections", sections, sorted([*range(1, 23), 7]))
    equals("radio links", len(parts["radio"].cases), 10)
    paths = {case.name for case in parts["bbr-paths"].cases}
    rates, trips = ("64kbit", "1mbit", "10mbit", "100mbit", "1gbit", "10gbit"), ("1ms", "100ms", "1s")
    equals("paths", paths, {f"{rate}-{trip}" for rate in rates for trip in trips})
    for part in parts.values():
        found = cells.expand(part.experiment)
        named = [case.name for case in part.cases if not case.not_run]
        equals(part.experiment.name, len(found), len(named) * len(CONGESTION))
        equals("by name", {cell.scenario.name for cell in found}, set(named))
        controls = {cell.scenario.tcp.congestion for cell in found}
        equals("controls", controls, set(CONGESTION))


def check_some_cases() -> None:
    """By a word of the case or of the experiment, with as many seeds as are wanted."""
    parts = cases.chosen("startup", ["vegas"], 3)
    found = [cell for part in parts for cell in cells.expand(part.experiment, quick=True)]
    equals("cells", len(found), 5)
    equals("seeds", {len(cell.seeds) for cell in found}, {3})
    equals("by experiment", len(cases.chosen("radio", CONTROLS, None)[0].cases), 10)
    refused("--cc 'cubc' is unknown; did you mean 'cubic'?", partial(cases.chosen, "", ["cubc"], None))
    refused("--cc bbr: named twice", partial(cases.chosen, "", ["bbr", "bbr"], None))
    refused("did you mean 'policer'?", partial(cases.chosen, "polcer", CONTROLS, None))
    refused("10gbit-1s is not run: memory", partial(cases.chosen, "10gbit-1s", CONTROLS, None))


def check_wrong_cases(where: Path) -> None:
    """What cases.toml may not say."""
    before = cases.CASES
    whole = before.read_text()
    changes = {
        "bbr-draft.case: not the cases": whole.replace("\npolicer = ", "\npolice = "),
        "bounds.0: either least or most": whole.replace("least = 80", "least = 80, most = 90"),
        "bounds.0.metric: 'judgd' is not a metric": whole.replace('"judged", least', '"judgd", least', 1),
        "bounds is missing": re.sub(r'(A.17 [^"]*"), bounds = .*', r"\1 }", whole),
    }
    try:
        cases.CASES = where / "cases.toml"
        for words, text in changes.items():
            expect(text != whole, f"nothing changed for '{words}'")
            cases.CASES.write_text(text)
            refused(words, cases.load)
    finally:
        cases.CASES = before


def check_verdicts() -> None:
    """Computed by hand."""
    least, most = Bound("judged", "", least=95.0), Bound("judged", "", most=40.0)
    for bound, value, half, wanted in (
        (least, 96.0, 1.0, verdict.HOLDS),
        (least, 96.0, 1.1, verdict.UNTOLD),
        (least, 94.0, 0.9, verdict.FAILS),
        (most, 39.0, 0.0, verdict.HOLDS),
        (most, 41.0, 1.0, verdict.UNTOLD),
        (most, 41.1, 1.0, verdict.FAILS),
        (most, 39.0, None, verdict.UNTOLD),
        (most, None, None, bench.HOLE),
    ):
        equals(f"{value} +- {half}", bench.judge(bound, [1.0], value, half), wanted)
    equals("no event", bench.judge(most, [3.0, bench.NONE], 1.0, 1.0), bench.NO_PHASE)


def module(path: Path) -> ModuleType:
    made = ModuleType(path.stem)
    sys.modules[path.stem] = made
    exec(compile(path.read_text(), str(path), "exec"), made.__dict__)
    return made


def check_what_is_counted(where: Path) -> None:
    """What the metrics count, on a log of a few lines."""
    own = module(cases.FOLDER / "bench.py")
    result: dict[str, Any] = {"name": "drain-time", "ended_s": 4.0, "warmup_s": 0.0}
    result["scenario"] = {"radio": {"down": {"wlink": "rate 12kbit delay 1s"}}}
    (where / "programs").mkdir()
    (where / "result.json").write_text(json.dumps(result))
    (where / "events.tsv").write_text(EVENTS)
    (where / "programs" / "watch.out").write_text(WATCHED)
    run = own.Run(where)
    # 12000 bits of the 36000 of 12 kbit/s for a second and 24 kbit/s for another.
    near("share", run.share(1, 3), 100 * 24000 / 36000, 1e-9)
    near("share of a half", run.share(1.5, 2.5), 100 * 12000 / 18000, 1e-9)
    near("queue", run.queue_ms(0, 1), 0, 0)
    near("loss", own.loss_percent(result, where), 100 / 3, 1e-9)
    near("delay", own.delay_p95_ms(result, where), 2000, 1e-9)
    equals("event", own.event_s(result, where), 1.0)
    spells = [(s.phase, s.begin_s, s.end_s) for s in run.spells]
    equals("phases", spells, [("STARTUP", 0.1, 1.0), ("DRAIN", 1.0, 1.2), ("PROBE_UP", 1.2, 4.0)])
    equals("that of the event", run.at_event().phase, "DRAIN")
    # Three rounds of 40 ms.
    equals("as drafted", own.as_drafted(result, where), 0.0)
    (where / "programs" / "watch.out").write_text(WATCHED.replace("1.2", "1.1"))
    expect(own.drain_ends(own.Run(where)), "a drain of two and a half rounds")
    (where / "programs" / "watch.out").write_text("at\t0.1\tSLOW_START\t10\t0\t0\n")
    shutil.copytree(where, where / "reno")
    equals("without phases", own.as_drafted(result, where / "reno"), -1.0)
    equals("without an event", own.judged(result, where / "reno"), -1.0)


def check_what_is_looked_at() -> None:
    """What watch.py takes from the kernel's messages."""
    watch = module(cases.FOLDER / "scenarios" / "watch.py")

    def attribute(kind: int, data: bytes) -> bytes:
        return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)

    def seen(pacing: int, window: int, ssthresh: int = 0x7FFFFFFF, bps: int = 8, recovering: int = 0) -> Any:
        info = bytearray(104)
        info[1] = recovering
        struct.pack_into("=II", info, 76, ssthresh, 10)
        bbr = struct.pack("=5I", bps // 8, 0, 40000, pacing, window)
        message = bytes(72) + attribute(2, bytes(info)) + attribute(4, b"x\0")
        return watch.state(watch.attributes(message + (attribute(16, bbr) if pacing else b"")))

    equals("the start", seen(256, 256, bps=0), ("STARTUP", 10, 0, 40000))
    for pacing, window, phase in (
        (739, 739, "STARTUP"),
        (88, 739, "DRAIN"),
        (320, 512, "PROBE_UP"),
        (192, 512, "PROBE_DOWN"),
        (256, 512, "PROBE_CRUISE"),
        (256, 256, "PROBE_RTT"),
    ):
        equals(phase, seen(pacing, window), (phase, 10, 8, 40000))
    equals("slow start", seen(0, 0)[0], "SLOW_START")
    equals("avoidance", seen(0, 0, ssthresh=10)[0], "AVOIDANCE")
    equals("recovery", seen(0, 0, recovering=3)[0], "RECOVERY")
