# SPDX-License-Identifier: GPL-2.0
"""A million steps on their way to a link, as fast as they have to be."""

import json
import time

from steps import a, case, expect, qdisc

DEV = "dev va"
FILE = "/tmp/schedule"
STEPS = 1_000_000
# At 10^9 instructions a second: 1500 a step.
WANTED_S = 1.5
OPPORTUNITIES = "".join(f"{i}ms 1500\n" for i in range(1, STEPS + 1))
RATES = "".join(f"{i * 10}ms {i % 90000 + 1}kbit\n" for i in range(STEPS))


def write(column: str, steps: str) -> None:
    with open(FILE, "w", encoding="ascii") as f:
        f.write(f"wlink schedule\ncolumns {column}\nlength {STEPS * 10}ms\n{steps}")


def fast(column: str, steps: str, words: str = "") -> str:
    """The whole command, from its start to its end; the VM's time goes by instructions."""
    write(column, steps)
    began = time.monotonic()
    result = json.loads(a(f"wlinkctl schedule load va {FILE} --json"))
    took = time.monotonic() - began
    text = f"{took:.2f} s, of these {result['seconds']:.2f} s of loading"
    expect(result["steps"] == STEPS, f"{result['steps']} steps")
    expect(took < WANTED_S, text)
    start(words)
    return text


def start(words: str = "") -> None:
    a(f"wlinkctl schedule start va length {STEPS * 10}ms {words}")


def state() -> tuple[str, int, int]:
    """What is playing, its steps, and opportunities so far."""
    x = qdisc()["xstats"]
    return x["play_state"], x["play_steps"], x["grants"]


def link() -> None:
    a(f"tc qdisc add {DEV} root handle 1: wlink rate 10mbit mode tm")


def playing() -> tuple[str, int, int]:
    """The state of a link that plays the opportunities; a case that failed has left none."""
    if "wlink" not in a(f"tc qdisc show {DEV}"):
        link()
        write("grant", OPPORTUNITIES)
        a(f"wlinkctl schedule load va {FILE}")
        start()
    return state()


@case("upload: a million opportunities of 1500 instructions each at most")
def _() -> str:
    link()
    said = fast("grant", OPPORTUNITIES)
    expect(state()[:2] == ("plays", STEPS), str(state()))
    return said


@case("upload: a million rates of 1500 instructions each at most beside a schedule that plays")
def _() -> str:
    before = playing()
    said = fast("rate", RATES, "start packet")
    after = state()
    expect(after[:2] == before[:2] == ("plays", STEPS), f"{before}, then {after}")
    expect(after[2] > before[2], "it has stood still")
    return said


@case("upload: a file that is broken at its end leaves alone what plays")
def _() -> None:
    before = playing()
    write("grant", OPPORTUNITIES + "5ms 1500\n")
    said = a(f"wlinkctl schedule load va {FILE}", fails=True)
    expect(f"{FILE}:{STEPS + 4}: time goes backwards" in said, said)
    after = state()
    expect(after[:2] == before[:2] and after[2] > before[2], f"{before}, then {after}")
    a("wlinkctl schedule stop va")
    time.sleep(0.1)
    expect(state()[0] == "none", str(state()))
    a(f"tc qdisc del {DEV} root")


@case("upload: a trace of another format is converted and played")
def _() -> None:
    link()
    with open(FILE, "w", encoding="ascii") as f:
        f.write("0\n0\n500\n1000\n")
    result = json.loads(a(f"wlinkctl trace play va {FILE} --json"))
    expect((result["format"], result["steps"], result["length_ns"]) == ("mahimahi", 3, 10**9), str(result))
    expect(state()[:2] == ("plays", 3), str(state()))
    a(f"tc qdisc del {DEV} root")
