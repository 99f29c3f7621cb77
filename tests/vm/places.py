# SPDX-License-Identifier: GPL-2.0
"""One scenario in the lab and in wlab's VM: two clocks, one model. Nothing here depends on how fast
the machine is: the VM's time is its instructions."""

import json
import os
import pty
import shutil
import subprocess
import tty
from pathlib import Path
from typing import Any

from steps import case, conserved, expect

ROOT = Path(__file__).resolve().parents[2]
WLAB = ROOT / "userspace" / "wlab" / "wlab"
EVERYWHERE = ROOT / "tests" / "everywhere"
OUT = ROOT / "build" / "vm-check" / "places"
SEEDS = 3
RATE_BPS, PACKET_BYTES, DELAY_MS, SECONDS = 1_000_000, 500, 30, 8
SCENARIO = f"""name = "places"
duration = "{SECONDS}s"
[radio]
wlink = "rate {RATE_BPS} tti 10ms delay {DELAY_MS}ms limit 30 channel uniform loss 0.02 mode am pdu 80"
[[flow]]
name = "bulk"
kind = "tcp"
start = "1s"
stop = "7s"
[[flow]]
name = "paced"
kind = "udp"
direction = "up"
rate = "80kbit"
size = {PACKET_BYTES}
stop = "7s"
[[at]]
time = "4s"
run = "wlinkctl set {{down}} rate 500kbit"
"""
found: dict[str, list[dict[str, Any]]] = {}


def wlab(*words: str) -> str:
    done = subprocess.run([WLAB, *words], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr)
    return done.stdout


def run_on(place: str) -> None:
    """All seeds of it; what holds of every run wherever it is."""
    path = OUT / "places.toml"
    words = ("--on", place, "--runs", str(SEEDS), "--out", str(OUT / place), "--json")
    found[place] = json.loads(wlab("run", str(path), *words))
    for one in found[place]:
        expect(one["on"] == place, f"it says that it was on {one['on']}")
        for link in one["links"].values():
            conserved(link["xstats"])
        least = DELAY_MS * 1e6 + PACKET_BYTES * 8e9 / RATE_BPS
        have = one["flows"]["paced"]["delay"]["min_ns"]
        expect(have >= least, f"delay of {have} ns, {least:.0f} at least")
        changes = one["links"]["radio.down"]["xstats"]["generation"]
        expect(changes == 1, f"the rate has changed {changes} times")


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)
(OUT / "places.toml").write_text(SCENARIO)


@case("in the lab")
def _() -> None:
    run_on("lab")


@case("in a stock kernel's VM")
def _() -> None:
    run_on("vm")


@case("the same packets were offered, and the link has carried as many bits")
def _() -> str:
    sent = {place: {one["flows"]["paced"]["packets_sent"] for one in some} for place, some in found.items()}
    expect(sent["lab"] == sent["vm"] and len(sent["lab"]) == 1, f"UDP: {sent}")
    # TCP fills the link, whose rate is the model's; what its start and its losses cost differs.
    bits = {place: sum(one["flows"]["bulk"]["goodput_bps"] for one in some) for place, some in found.items()}
    ratio = bits["vm"] / bits["lab"]
    expect(0.8 < ratio < 1.25, f"goodput of the VM is {ratio:.3f} of the lab's")
    return f"goodput of the VM is {ratio:.3f} of the lab's"


@case("each preset, and words that none has, in a stock kernel's VM")
def _() -> str:
    done = subprocess.run([EVERYWHERE, "vm", OUT / "everywhere"], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr)
    return done.stdout


@case("a terminal in a stock kernel's VM, in a scenario's topology, in real time")
def _() -> str:
    """Each answer is to what was typed; what is typed before the first prompt is nobody's."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    with (OUT / "shell.err").open("w") as errors:
        argv = [str(WLAB), "vm", "shell", str(OUT / "places.toml")]
        shell = subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=errors)
    os.close(theirs)
    said = ""
    for answer, typed in (
        ("wlab:router:/# ", "uname -r; tc qdisc show dev radio-down; cat\n"),
        ("ramp_from off \r\n", "once\n"),
        # What the terminal echoes and what cat does; an interrupt ends cat, not the shell.
        ("once\r\nonce\r\n", "\x03"),
        ("wlab:router:/# ", "exit 7\n"),
    ):
        before = len(said)
        while answer not in said[before:]:
            try:
                said += os.read(ours, 65536).decode(errors="replace")
            except OSError:
                break
        expect(answer in said[before:], f"no {answer!r} in {said!r}; {(OUT / 'shell.err').read_text()}")
        os.write(ours, typed.encode())
    status = shell.wait()
    expect(status == 7 and "-amd64" in said, f"{status}: {said}")
    return said.partition("-amd64")[0].split()[-1]


# Packets come in the middle of a TTI: one that the VM sends late is in the same TTI still.
LOSSES = """name = "losses"
duration = "6s"
[radio]
wlink = "rate 1mbit tti 10ms delay 20ms limit 50 mode um pdu 80 channel gilbert p 0.05 r 0.2"
[[flow]]
name = "paced"
kind = "udp"
start = "15ms"
rate = "400kbit"
size = 500
"""


@case("a channel that changes by time loses the same packets in both")
def _() -> str:
    path = OUT / "losses.toml"
    path.write_text(LOSSES)
    fates, starts = {}, {}
    for place in ("lab", "vm"):
        out = OUT / f"losses-{place}"
        wlab("run", str(path), "--on", place, "--out", str(out))
        rows = [line.split("\t") for line in (out / "events.tsv").read_text().splitlines()]
        some = sorted((row for row in rows if row[0] == "sdu"), key=lambda row: int(row[7]))
        fates[place] = [row[11] for row in some][:590]
        # The first one is there before its link begins.
        starts[place] = [int(row[13]) for row in some[2:590]]
    lost = fates["lab"].count("channel")
    expect(50 < lost < 250, f"{lost} of {len(fates['lab'])} lost")
    other = [i for i, pair in enumerate(zip(*fates.values())) if pair[0] != pair[1]]
    in_vm = fates["vm"].count("channel")
    expect(not other, f"{lost} lost in the lab, {in_vm} in the VM; others: {other[:9]}")
    late = {b - a for a, b in zip(starts["lab"], starts["vm"], strict=True)}
    expect(len(late) == 1 and 0 < min(late) < 250_000, f"TTIs of the VM are later by {late} ns")
    return f"{lost} lost, each TTI {min(late)} ns later in the VM"


@case("goodput within 1 % and median delay within 1 ms of the lab's, ten seeds of three scenarios")
def _() -> str:
    """Those whose queue TCP does not fill, so that they take little; tests/timing/run clocks has all ten."""
    clocks = ROOT / "tests" / "timing" / "clocks" / "run_clocks"
    done = subprocess.run([clocks, "plain", "overload", "um"], capture_output=True, text=True, check=False)
    rows = [line for line in done.stdout.splitlines() if line.startswith(("| plain", "| overload", "| um"))]
    expect(done.returncode == 0 and len(rows) == 3, "\n".join([*done.stderr.splitlines()[-1:], *rows]))
    return " ".join(rows)


@case("wlab compare has both")
def _() -> str:
    try:
        said = wlab("compare", str(OUT / "lab"), str(OUT / "vm"), "--out", str(OUT / "both"), "--json")
    except AssertionError as error:
        if "is missing; type" in str(error):
            return f"# SKIP {error}"
        raise
    told = json.loads(said)
    low, high = told["kolmogorov"]["interval"]
    distance = told["kolmogorov"]["distance"]
    expect(0 <= low <= high <= 1 and 0 <= distance < 0.5, f"{told['kolmogorov']}")
    expect(sorted(told["kolmogorov_flows"]) == ["bulk", "paced"], f"{told['kolmogorov_flows']}")
    more = told["differences"]["goodput_bps"]
    expect(more["half_width"] is not None, f"{more}")
    expect(any(note.startswith("Places of the runs") for note in told["notes"]), f"{told['notes']}")
    return f"distance {distance:.3f}, goodput {more['percent']:.2f} % above"
