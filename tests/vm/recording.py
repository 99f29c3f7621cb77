# SPDX-License-Identifier: GPL-2.0
"""A link with its traffic recorded, and what its counters say of the same packets."""

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from steps import ENV, a, expect, sh

DEV = "dev va"
WORDS = (
    "mode am rate 2mbit tti 10ms delay 20ms pdu 40 channel uniform loss 0.05 limit 30 "
    "aqm red minth 8 maxp 0.1 discard timer discard_timer 200ms"
)
INSTANCES = Path("/sys/kernel/tracing/instances")
OUT = Path("/tmp/record.jsonl")


@contextmanager
def link(words: str = WORDS) -> Iterator[None]:
    """A link that nothing but the test's own traffic goes through."""
    for at, name, number in (("a", "va", 2), ("b", "vb", 1)):
        where = f"10.0.0.{number} lladdr 02:00:00:00:00:0{number} dev {name}"
        sh(f"ip -n {at} neigh replace {where} nud permanent")
    a(f"tc qdisc add {DEV} root handle 1: wlink {words}")
    try:
        yield
    finally:
        a(f"tc qdisc del {DEV} root")


@contextmanager
def gate() -> Iterator[None]:
    """Nothing comes to va's root qdisc but between let_in(True) and let_in(False).

    Whoever looks at it from before the one until after the other has drained sees the
    same packets as anybody else; the last ACK of a connection comes when it likes.
    """
    a(f"tc qdisc add {DEV} clsact")
    try:
        let_in(False)
        yield
    finally:
        a(f"tc qdisc del {DEV} clsact")


def let_in(packets: bool) -> None:
    a(f"tc filter {'del' if packets else 'add'} {DEV} egress pref 1 matchall action drop")


def recording() -> bool:
    for one in INSTANCES.iterdir():
        # It may be half made.
        with suppress(OSError):
            made = ("tracing_on", "events/wlink/wlink_sdu/enable")
            if all((one / name).read_text() == "1\n" for name in made):
                return True
    return False


@contextmanager
def record() -> Iterator[list[dict[str, Any]]]:
    """wlinkctl record of va; the list gets its SDUs in the end."""
    events: list[dict[str, Any]] = []
    recorder = subprocess.Popen(
        ["ip", "netns", "exec", "a", "wlinkctl", "record", "va", str(OUT)],
        env=ENV, stderr=subprocess.PIPE, text=True,
    )
    try:
        while not recording():
            expect(recorder.poll() is None, "wlinkctl record did not begin")
            time.sleep(0.02)
        yield events
    finally:
        recorder.send_signal(signal.SIGINT)
        err = recorder.communicate(timeout=60)[1]
    lines = [json.loads(line) for line in OUT.read_text().splitlines()]
    said = f"{recorder.returncode} {err}"
    told = [line for line in lines if "event" in line]
    clocks = [line["clock"] for line in lines if "clock" in line]
    expect(len(clocks) > 1 and not any("step_ns" in one for one in clocks), f"clocks {clocks}")
    far = {clock["tai_ns"] - clock["mono_ns"] for clock in clocks}
    unsure = max(clock["uncertainty_ns"] for clock in clocks)
    expect(max(far) - min(far) <= 2 * unsure, f"distances {far}, uncertainty {unsure} ns")
    expect(recorder.returncode == 0 and lines[-1] == {"lost": 0, "events": len(told)}, said)
    expect(not list(INSTANCES.iterdir()), "its instance is still there")
    events += [e for e in told if e["event"] == "wlink_sdu"]


def dropped(stats: dict[str, Any]) -> dict[str, int]:
    return {reason: count for reason, count in stats["drops"].items() if count}


def sums(sdus: list[dict[str, Any]]) -> dict[str, int]:
    """What the link's counters say of the same packets."""
    done = [e for e in sdus if e["drop"] == "none"]
    ends = [("queue_ns", "arrival_ns", "start_ns"), ("serial_ns", "start_ns", "end_ns")]
    ends += [("prop_ns", "end_ns", "due_ns"), ("retx_ns", "due_ns", "whole_ns")]
    ends += [("hol_ns", "whole_ns", "deliver_ns"), ("late_ns", "deliver_ns", "handover_ns")]
    out = {name: sum(e[end] - e[begin] for e in done) for name, begin, end in ends}
    out |= {"sdus_in": len(sdus), "bytes_in": sum(e["bytes"] for e in sdus)}
    out |= {"sdus_delivered": len(done), "bytes_delivered": sum(e["bytes"] for e in done)}
    return out | {"buffer_sdus_max": max(e["buffer_sdus"] for e in sdus)}
