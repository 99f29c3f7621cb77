# SPDX-License-Identifier: GPL-2.0
"""wlab run --on host: the machine is this VM, whose root we are and whose module is loaded."""

import json
import os
import signal
import subprocess
from pathlib import Path

from steps import PAYLOAD, case, conserved, expect, sh, until

WLAB = Path(PAYLOAD, "userspace", "wlab", "wlab")
OUT = Path("/tmp/onhost")
RATE_BPS, TTI_MS, DELAY_MS = 2_000_000, 10, 20
SCENARIO = f"""name = "onhost"
duration = "5s"
[radio]
wlink = "rate {RATE_BPS} tti {TTI_MS}ms delay {DELAY_MS}ms limit 40 channel uniform loss 0.01 mode am pdu 80"
[[flow]]
name = "bulk"
kind = "tcp"
stop = "4s"
[[flow]]
name = "pings"
kind = "udp"
rate = "64kbit"
size = 100
stop = "4s"
[[program]]
name = "look"
in = "ue"
run = "ip -br link; id -u; touch /etc/x || echo kept"
"""


def left() -> dict[str, object]:
    """What a run could leave on the machine or change of it."""
    return {
        "namespaces": sh("lsns -no NS,TYPE -t net; ip netns list"),
        "mounts": sh("wc -l </proc/self/mounts"),
        "instances": os.listdir("/sys/kernel/tracing/instances"),
        "sysctls": sh("sysctl net.ipv4.tcp_mem net.core.default_qdisc net.ipv4.tcp_rmem net.ipv4.ip_forward"),
        "name": sh("hostname; ip -br link"),
        "processes": sh("ps -e -o comm= | grep ^wlab || true"),
    }


def run(*words: str) -> "subprocess.Popen[str]":
    argv = [str(WLAB), "run", str(OUT / "onhost.toml"), "--on", "host", *words]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


OUT.mkdir()
(OUT / "onhost.toml").write_text(SCENARIO)
for made in Path(PAYLOAD, "build").rglob("*"):
    # Newer than what it is made of, as it was before all this was copied.
    made.touch()


@case("a scenario on this machine")
def _() -> str:
    before = left()
    with run("--json", "--out", str(OUT / "one")) as wlab:
        told, said = wlab.communicate()
    expect(wlab.returncode == 0, said)
    result = json.loads(told)
    expect(result["on"] == "host", f"it ran on {result['on']}")
    for name, link in result["links"].items():
        conserved(link["xstats"])
        expect(link["xstats"]["sdus_in"] > 100, f"{name}: {link['xstats']['sdus_in']} SDUs")
    # An SDU takes its bits of the rate and the delay, wherever it is; a segment may be short.
    for name, size in (("bulk", 53), ("pings", 100)):
        least = DELAY_MS * 1e6 + size * 8e9 / RATE_BPS
        have = result["flows"][name]["delay"]["min_ns"]
        expect(have >= least, f"{name}: {have} ns are below {least:.0f}")
    bits = 8 * result["flows"]["bulk"]["bytes"]
    expect(0 < bits <= RATE_BPS * 5, f"{bits} bits in 5 s")
    look = (OUT / "one" / "programs" / "look.out").read_text()
    expect("kept" in look and "\n0\n" in look, f"the program saw {look}")
    expect((after := left()) == before, f"it has left {after} of {before}")
    return f"{bits / 4e3:.0f} kbit/s"


def going_on(wlab: "subprocess.Popen[str]") -> None:
    """Wait for its first line of progress."""
    assert wlab.stderr
    for line in wlab.stderr:
        if " of 1000 seconds" in line:
            return
    expect(False, "it has ended")


@case("nothing is left of a run whose wlab is killed")
def _() -> None:
    before = left()
    with run("--set", "duration=1000s", "--out", str(OUT / "two")) as wlab:
        going_on(wlab)
        expect(left() != before, "a run in progress is not to be seen")
        wlab.send_signal(signal.SIGKILL)
    until(lambda: left() == before, "all is gone")


@case("two runs at a time are refused")
def _() -> None:
    with run("--set", "duration=1000s", "--out", str(OUT / "two")) as wlab:
        going_on(wlab)
        with run("--out", str(OUT / "three")) as other:
            _, said = other.communicate()
        wlab.send_signal(signal.SIGTERM)
        wlab.communicate()
    expect(other.returncode == 1 and "another run is in progress" in said, said)
    expect(wlab.returncode == 128 + signal.SIGTERM, f"it ended with {wlab.returncode}")


@case("a link that another takes the place of")
def _() -> None:
    before = left()
    replace = "at=[{time='1s',run='tc qdisc replace dev {down} root handle 9: wlink rate 1mbit'}]"
    with run("--set", replace, "--out", str(OUT / "gone")) as wlab:
        _, said = wlab.communicate()
    expect(wlab.returncode == 1 and "radio.down: its wlink was removed or replaced" in said, said)
    expect((after := left()) == before, f"it has left {after} of {before}")


@case("each preset, and words that none has, on this machine")
def _() -> str:
    argv = [f"{PAYLOAD}/tests/everywhere", "host", str(OUT)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr)
    return done.stdout
