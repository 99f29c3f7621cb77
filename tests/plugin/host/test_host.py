# SPDX-License-Identifier: GPL-2.0
"""wlinkctl --host with an ssh that is a script: what arrives there, and several machines at one time."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import Checks
from wlablib.host.clock import Clock, apart_ns

# Options, --, the host, one word for a shell: as ssh does with it.
SSH = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
cd "$BOXES/$2" || { echo "ssh: Could not resolve hostname $2" >&2; exit 255; }
PATH=$BOXES/$2:$PATH exec sh -c "$3"
"""
# A machine whose clocks and answers are in files beside it.
BOX = """#!/usr/bin/python3
import json, sys
words = [word for word in sys.argv[1:] if word != "--json"]
with open("calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
state = json.load(open("state"))
if words[0] == "clock":
    print(json.dumps({"clock": state["clock"]}))
elif words[0] == "pending":
    print(json.dumps(state.get("pending", [])))
elif words[0] == "cancel":
    print(json.dumps({"cancelled": state.get("cancelled", 1)}))
elif words[0] == "set":
    if "refuse" in state:
        sys.exit("wlinkctl: kernel: " + state["refuse"])
    at_ns = int(words[words.index("at") + 1][:-2])
    print(json.dumps({"cookie": 7, "applied_ns": None, "at_ns": at_ns + state.get("tti", 0)}))
else:
    print(sys.stdin.read(), end="")
    sys.stderr.write("said\\n")
    sys.exit(3)
"""
SECOND = 10**9
TAI = 1_800_000_000 * SECOND


def clock_of(host: str, mono_ns: int, ahead_ns: int = 0, **of: Any) -> dict[str, Any]:
    """A machine that has been up for another time, and whose CLOCK_TAI is ahead by some ns."""
    return {
        "host": host, "boot": host, "mono_ns": mono_ns, "tai_ns": TAI + ahead_ns, "uncertainty_ns": 100,
        "synchronised": True, "maxerror_ns": 3_000_000, "esterror_ns": 50_000,
        "state": "ok", "tai_utc_s": 37,
    } | of  # fmt: skip


class Boxes:
    def __init__(self, folder: Path, build: Path) -> None:
        self.folder, self.wlinkctl = folder, build / "bin/wlinkctl"
        (folder / "bin").mkdir()
        self.program(folder / "bin/ssh", SSH)

    @staticmethod
    def program(path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)

    def box(self, name: str, clock: dict[str, Any], **state: Any) -> None:
        (self.folder / name).mkdir(exist_ok=True)
        self.program(self.folder / name / "wlinkctl", BOX)
        (self.folder / name / "state").write_text(json.dumps({"clock": clock, **state}))
        (self.folder / name / "calls").write_text("")

    def calls(self, name: str) -> list[list[str]]:
        return [json.loads(line) for line in (self.folder / name / "calls").read_text().splitlines()]

    def verbs(self, name: str) -> list[str]:
        return [next(word for word in call if word != "--json") for call in self.calls(name)]

    def run(self, *words: str, text: str = "") -> "subprocess.CompletedProcess[str]":
        environ = {
            **os.environ,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "BOXES": str(self.folder),
        }
        return subprocess.run(
            [self.wlinkctl, *words], env=environ, input=text, capture_output=True, text=True, check=False
        )


@pytest.fixture
def boxes(tmp_path: Path, build: Path) -> Boxes:
    return Boxes(tmp_path, build)


def check_words(checks: Checks, boxes: Boxes) -> None:
    """Each word arrives as it is, and a shell runs nothing of it. All streams are those of the command."""
    boxes.box("r@a", clock_of("a", SECOND))
    odd = ["$(touch x)", "a b", "'", '"', ";reboot", "*", "`id`", "\\", "\n", "é", "--"]
    done = boxes.run("--host", "r@a", "echo", *odd, text="input\n")
    checks.equal("words", boxes.calls("r@a"), [["echo", *odd]])
    checks.equal(
        "streams and exit status", (done.stdout, done.stderr, done.returncode), ("input\n", "said\n", 3)
    )
    checks.equal(
        "nothing was run",
        sorted(p.name for p in (boxes.folder / "r@a").iterdir()),
        ["calls", "state", "wlinkctl"],
    )
    boxes.run("--json", "--host", "r@a", "show", "eth1")
    boxes.run("host", "r@a", "show", "--json")
    checks.equal(
        "--json goes with it", boxes.calls("r@a")[1:], [["--json", "show", "eth1"], ["--json", "show"]]
    )
    checks.equal("a host that is none", boxes.run("--host", "nowhere", "show").returncode, 255)


def check_together(checks: Checks, boxes: Boxes) -> None:
    """One time of CLOCK_TAI is another time of each machine's CLOCK_MONOTONIC."""
    boxes.box("a", clock_of("a", 5 * SECOND))
    boxes.box("b", clock_of("b", 700 * SECOND, 1_000_000, maxerror_ns=5_000_000), tti=2_000_000)
    # So far ahead that all have accepted it by then.
    words = "--host a set eth1 rate 1mbit --host b set eth2 rate 2mbit at +600s".split()
    done = boxes.run("--json", *words)
    checks.equal("done", (done.returncode, done.stderr), (0, ""))
    answer = json.loads(done.stdout)
    # From the clock that is ahead.
    at_ns = TAI + 1_000_000 + 600 * SECOND
    checks.equal("the time", answer["tai_ns"], at_ns)
    sent = {name: next(call for call in boxes.calls(name) if "set" in call) for name in "ab"}
    checks.equal(
        "to a", sent["a"], f"--json set eth1 rate 1mbit at {5 * SECOND + 600_001_000_000}ns --no-wait".split()
    )
    checks.equal("to b", sent["b"], f"--json set eth2 rate 2mbit at {1300 * SECOND}ns --no-wait".split())
    # 2 ms to the start of a TTI; each clock's error has grown by 500 us a second since a second before it was
    # read.
    grown = 601_001_000_000 * 500 // 10**6 + 601_002_000_000 * 500 // 10**6
    apart = 2_000_000 + 100 + 3_000_000 + 100 + 5_000_000 + grown
    checks.equal("apart", answer["apart_ns"], apart)
    checks.equal("states", [one["maxerror_ns"] for one in answer["hosts"]], [3_000_000, 5_000_000])
    text = boxes.run(*words).stdout
    checks.true("as text", f"apart by at most {apart / 1e6:.3f} ms" in text, text)
    one_time = boxes.run(
        "--json", *"--host a --host b set eth1 rate 3mbit at".split(), f"{TAI + 900 * SECOND}ns"
    )
    checks.equal("a given time, words for both", json.loads(one_time.stdout)["tai_ns"], TAI + 900 * SECOND)
    checks.equal(
        "words of b",
        [c for c in boxes.calls("b") if "3mbit" in c][0][:5],
        "--json set eth1 rate 3mbit".split(),
    )
    boxes.box("b", clock_of("b", 700 * SECOND, synchronised=False))
    text = boxes.run(*words).stdout
    checks.true("not synchronised", "b: at" in text and "unknown" in text.splitlines()[-1], text)
    answer = json.loads(boxes.run("--json", *words).stdout)
    checks.equal("as JSON", (answer["apart_ns"], answer["hosts"][1]["synchronised"]), (None, False))


def check_refused(checks: Checks, boxes: Boxes) -> None:
    """All or none: what one refuses the others take back."""
    words = "--host a set eth1 rate 1mbit --host b set eth1 rate 2mbit at +10s".split()
    boxes.box("a", clock_of("a", SECOND))
    boxes.box("b", clock_of("b", SECOND), refuse="wlink: rate 2mbit is outside")
    done = boxes.run(*words)
    checks.true("named", "b: kernel: wlink: rate 2mbit is outside" in done.stderr, done.stderr)
    checks.true("and that nothing was changed", "nothing has been changed" in done.stderr, done.stderr)
    checks.equal("a takes it back", boxes.verbs("a"), ["clock", "pending", "set", "cancel"])
    checks.equal("b has nothing to", boxes.verbs("b"), ["clock", "pending", "set"])
    boxes.box("a", clock_of("a", SECOND), cancelled=0)
    done = boxes.run(*words)
    checks.true("too late", "a had been changed already" in done.stderr, done.stderr)
    boxes.box("a", clock_of("a", SECOND), pending=[{"at_ns": 1}])
    boxes.box("b", clock_of("b", SECOND))
    done = boxes.run(*words)
    checks.true("a change waits there", "a: a change waits" in done.stderr, done.stderr)
    checks.equal("nothing was sent", "set" in boxes.verbs("b"), False)
    boxes.box("a", clock_of("a", SECOND))
    done = boxes.run(*words[:-1], "+0s")
    checks.true("no time is left", "give a later one" in done.stderr, done.stderr)
    checks.equal("both take it back", [boxes.verbs(name)[-1] for name in "ab"], ["cancel", "cancel"])
    cases = {
        "--host a show --host b show": '"set" together',
        "--host a set eth1 rate 1 at +1s --host b set eth1 rate 1 at +2s": "one time for all",
        "--host a set eth1 rate 1 --host a set eth1 rate 2": "one device of one host twice",
        "--host a set eth1 rate 1 --host b set eth1 rate 2 at soon": '"soon"',
        "--host a --host b": "a command follows",
        "--host a set eth1 rate 1 --host -oProxyCommand=x set eth1 rate 1": "no host",
        "--host a set eth1 rate 1 --host nowhere set eth1 rate 2": "Could not resolve",
    }
    for text, message in cases.items():
        done = boxes.run(*text.split())
        checks.true(f"{text}: refused", done.returncode != 0)
        checks.true(f"{text}: named", message in done.stderr, done.stderr)


def check_apart(checks: Checks) -> None:
    one = Clock("h", "boot", 0, TAI, 30, False, None, None)
    checks.equal("two names of one machine", apart_ns([one, one], [TAI, TAI + 5]), 65)
    three = [Clock(name, name, 0, TAI, 0, True, error, 0) for name, error in (("a", 1), ("b", 2), ("c", 4))]
    # By 500 us of the second before they were read, too.
    checks.equal("the worst pair of three", apart_ns(three, [TAI] * 3), 1_000_006)


# What b's clock says where a's says TAI, and the ns by which the two may be apart 10 s later: two readings of
# 100 ns, two maximum errors, and 500 us for each of 11 s. None: unknown. A text: why nothing is changed.
UTC = TAI - 37 * SECOND
STATES: dict[str, tuple[dict[str, Any], dict[str, Any], int | None | str]] = {
    "alike": ({}, {}, 2 * (100 + 3_000_000 + 5_500_000)),
    "read 40 us late": ({}, {"uncertainty_ns": 40_000}, 17_000_200 + 39_900),
    "a server that is far away": ({}, {"maxerror_ns": 250_000_000}, 17_000_200 + 247_000_000),
    # The time is 10.8 s after that of a.
    "b was read 800 ms later": ({}, {"tai_ns": TAI + 800_000_000}, 17_000_200 + 400_000),
    "not synchronised": ({}, {"synchronised": False, "state": "error", "maxerror_ns": 16 * SECOND}, None),
    "adjtimex() refused": ({}, {"synchronised": False, "tai_utc_s": None, "maxerror_ns": None}, None),
    "no TAI - UTC on either": ({"tai_utc_s": 0}, {"tai_utc_s": 0}, 17_000_200),
    # Clocks that agree on UTC are 37 s apart in CLOCK_TAI.
    "no TAI - UTC on one": ({}, {"tai_utc_s": 0, "tai_ns": UTC}, "a has 37 s, b has 0 s"),
    "an old table": ({}, {"tai_utc_s": 36, "tai_ns": TAI - SECOND}, "a has 37 s, b has 36 s"),
    "neither set nor synchronised": ({}, {"tai_utc_s": 0, "synchronised": False}, "a has 37 s, b has 0 s"),
    # The second goes into UTC; CLOCK_TAI goes on, and CLOCK_MONOTONIC, which the machines go by, too.
    "a leap second is pending": ({"state": "ins"}, {"state": "ins"}, 17_000_200),
    "only one knows of it": ({"state": "ins"}, {}, 17_000_200),
    "one has had it": ({"state": "wait", "tai_utc_s": 38}, {"state": "ins"}, "a has 38 s, b has 37 s"),
}


def check_states(checks: Checks, boxes: Boxes) -> None:
    """How far apart two machines may be, by hand, for each state that their clocks may be in."""
    words = "--json --host a set eth1 rate 1mbit --host b set eth1 rate 2mbit at +10s".split()
    for name, (of_a, of_b, apart) in STATES.items():
        boxes.box("a", clock_of("a", 5 * SECOND, **of_a))
        boxes.box("b", clock_of("b", 700 * SECOND, **of_b))
        done = boxes.run(*words)
        verbs = [boxes.verbs(box) for box in "ab"]
        if isinstance(apart, str):
            checks.true(f"{name}: named", f"TAI - UTC differs: {apart}" in done.stderr, done.stderr)
            checks.equal(f"{name}: refused", (done.returncode, verbs), (2, [["clock"], ["clock"]]))
            continue
        answer = json.loads(done.stdout)
        checks.equal(f"{name}: apart", answer["apart_ns"], apart)
        checks.equal(f"{name}: sent", verbs, [["clock", "pending", "set"]] * 2)
