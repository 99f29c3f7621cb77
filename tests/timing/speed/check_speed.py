# SPDX-License-Identifier: GPL-2.0
"""What `make timing` puts beside ns-3's LTE module is the load that it says."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from unittest import mock

import speedkit
from guestrun import HERE, OUT, ROOT
from speedkit import GOALS, GOODPUT_BPS, LIKE_NS3, NEAR, Load

sys.path.insert(0, str(ROOT / "userspace" / "wlab"))

from wlablib.lab import boot, fence
from wlablib.run import run
from wlablib.scenario import scenario as scenarios

SPAN_S = 100.0
# What a lab kernel may ask the host for in all: for an event, with none of which a program has to
# do, and until it plays an empty run. Before threads were switched without it, and memory mapped in
# few calls, that was 3.1 and 84,000 of four flows, and of 70 users 1.0 and 201,000.
EVENT_CALLS = 0.25
START_CALLS, USERS_START_CALLS = 60_000, 175_000
BULK = Load(4, 200_000_000, 0, stack="linux")


def host_calls(text: Callable[[float], str], *seconds: float) -> list[tuple[int, int]]:
    """Events, and what the lab kernel has asked of the host, for runs of that length."""
    OUT.mkdir(parents=True, exist_ok=True)
    out = []
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        library, told, path = (Path(folder) / name for name in ("hostcalls.so", "calls", "speed.toml"))
        source = HERE / "speed" / "hostcalls.c"
        flags = ["-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, "-o", str(library), str(source)], check=True)
        words = ["/usr/bin/env", f"LD_PRELOAD={library}", f"HOST_CALLS={told}"]
        command = boot.command
        # A lab kernel in the sandbox could not write what it has counted.
        with (
            mock.patch.dict(os.environ, {fence.SANDBOX: "off"}),
            mock.patch.object(boot, "command", lambda *args: [*words, *command(*args)]),
        ):
            for span in seconds:
                path.write_text(text(span))
                results, _ = run.run(scenarios.load(path, []), [1], Path(folder) / "run", force=True)
                out.append((results[0]["events"], sum(map(int, told.read_text().split()))))
                told.unlink()
    return out


def few_calls(text: Callable[[float], str], start: int) -> str:
    """Packets cost the host's kernel next to nothing, and the start no more than it has to."""
    (_, empty), (few, before), (many, after) = host_calls(text, 0.001, 1.0, 2.0)
    assert many > few + 5000, f"only {many - few} events in a second: it shows nothing"
    each = (after - before) / (many - few)
    assert each <= EVENT_CALLS, f"{each:.3f} calls of the host for an event, at most {EVENT_CALLS}"
    assert empty <= start, f"{empty} calls of the host for the start, at most {start}"
    return f"{each:.3f} calls of the host for an event, {empty} for the start"


def check_speed_calls_of_the_host_for_bulk() -> str:
    """Four flows of today's TCP at 200 Mbit/s, whose receivers are threads."""
    return few_calls(BULK.text, START_CALLS)


def check_speed_calls_of_the_host_for_cells() -> str:
    """70 users of seven LTE cells, 100 Mbit/s in all."""

    def text(seconds: float) -> str:
        return speedkit.network(seconds, down=speedkit.LTE[100], up=speedkit.LTE_UP)

    return few_calls(text, USERS_START_CALLS)


def check_speed_equal_load() -> str:
    """What is put beside ns-3 is what it says: a bearer in AM for each UE."""
    for ues, load in LIKE_NS3.items():
        text = load.text(1)
        assert load.flows == load.bearers == ues, f"{load.flows} flows on {load.bearers} bearers"
        assert text.count("mode am ") == ues + 1, "not every bearer is in acknowledged mode"
        assert text.count("[[flow]]") == ues and text.count("classid 1:") == 2 * (ues - 1), text
        pdus = load.rate_bps * load.tti_ms / 8000 / load.pdu
        assert pdus == 1, f"{pdus} PDUs a TTI, not one as in LTE"
        assert load.wired_bps == speedkit.NS3_LOADS[ues][0], "another bottleneck than ns-3's"
    return "1 bearer and 4 in acknowledged mode, TTIs of 1 ms, the bottleneck before them as in ns-3"


def check_speed_a_network() -> str:
    """What is put beside three nodes: 100 of them, of whose links seven have all their traffic."""
    told, _, _ = speedkit.told_by(speedkit.network(2.0))
    flows, links = told["flows"], told["links"]
    assert len(flows) == speedkit.CELLS * speedkit.USERS, f"{len(flows)} flows"
    nodes = {name.rpartition(".")[0] for name in links}
    assert len(nodes) == 2 * speedkit.CELLS + 100 - 1 - 12 * speedkit.CELLS, f"{len(nodes)} links and cells"
    small, _, _ = speedkit.told_by(speedkit.three_nodes(2.0))
    carried = [sum(f["bytes"] for f in one["flows"].values()) for one in (told, small)]
    factor = carried[0] / carried[1]
    assert abs(factor / speedkit.CELLS - 1) < speedkit.NEAR, f"{factor} times what three nodes carry"
    return f"{carried[0]} bytes on 100 nodes, {carried[1]} on three"


def goodput(ues: int) -> str:
    """What the lab carries of that load, not how fast."""
    have = speedkit.lab(LIKE_NS3[ues], SPAN_S)["goodput_bps"]
    low = GOODPUT_BPS[ues] * (1 - NEAR)
    assert have >= low, f"the lab's load is only {have / 1e6:.3f} Mbit/s of {GOODPUT_BPS[ues] / 1e6}"
    return f"{have / 1e6:.3f} Mbit/s"


def check_speed_bad_load() -> str:
    """A load that cannot be is said by name, and no figure comes of it."""
    try:
        speedkit.lab(Load(1, 1_000_000, 70_000), 1.0)
    except RuntimeError as error:
        assert "pdu" in str(error), str(error)
        return "PDUs of 70000 bytes"
    raise AssertionError("PDUs of 70000 bytes were taken")


def check_speed_goodput_of_a_plain_link() -> str:
    """Four flows of today's TCP fill a link without RLC up to their headers."""
    have = speedkit.lab(Load(4, 10_000_000, 0, stack="linux"), 5.0)["goodput_bps"] / 1e6
    # 1448 bytes of each packet of 1500; slow start takes less than half a second.
    most = 10 * 1448 / 1500
    assert 0.9 * most < have <= most, have
    return f"{have:.2f} of {most:.2f} Mbit/s"


def table() -> list[list[str]]:
    """The rows of the table of speeds."""
    text = (ROOT / "Documentation/timing.md").read_text().partition("\n## The lab\n")[2]
    head, *lines = text.partition("\n| what runs |")[2].partition("\n\n")[0].splitlines()
    assert head.count("|") == 5, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def check_speed_the_table() -> str:
    """README's range is that of the table, whose rows and goals are those of run_curve."""
    rows = table()
    idle = [float(row[4]) for row in rows if row[4]]
    pattern = r"\[(\d+) to (\d+) times faster than\s+real time\]\(Documentation/timing\.md#the-lab\)"
    found = re.search(pattern, (ROOT / "README.md").read_text())
    assert found, "README has no range"
    bounds = [float(f"{speed:.2g}") if speed > 10 else round(speed) for speed in (min(idle), max(idle))]
    assert [*map(float, found.groups())] == bounds, f"README: {found.groups()}, the table: {bounds}"
    loader = SourceFileLoader("run_curve", str(HERE / "speed/run_curve"))
    spec = spec_from_loader("run_curve", loader)
    assert spec
    loader.exec_module(curve := module_from_spec(spec))
    names = [name for name, _ in curve.rows()]
    # A machine without ngtcp2 has no row of it.
    measured = [row for row in rows if row[2] and (len(names) == 12 or "QUIC" not in row[0])]
    assert len(measured) == len(names), f"{len(measured)} rows of {len(names)}"
    for name in GOALS:
        assert name in names, f"a goal of {name}, which nothing measures"
    return f"{found[1]} to {found[2]}"


CASES: dict[str, Callable[[], str]] = {
    "speed, goodput of one UE": lambda: goodput(1),
    "speed, goodput of four UEs": lambda: goodput(4),
}
