# SPDX-License-Identifier: GPL-2.0
"""wlinkctl set: what it sends, and how it waits for what comes of it."""

import errno
import json
import os
import resource
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakekernel import APPLIED, CANCEL, GROUP, SCHEDULE, Change, FakeKernel, Plan, applied, event
from harness import Checks, N, attr, counted, nest, u32, u64

TCA_OPTIONS = 2
DONE, USAGE, REFUSED = 0, 1, 2
LATE = "wlinkctl: warning: it has not taken effect yet; no longer waited for\n"


class Ctl:
    """wlinkctl that talks to a kernel of ours."""

    def __init__(self, program: Path, kernel: FakeKernel) -> None:
        self.program = program
        self.kernel = kernel
        self.env = dict(os.environ, FAKE_KERNEL=str(kernel.path))

    def __call__(self, plan: Plan, words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        self.kernel.plan = plan
        command = [str(self.program), *words.split()]
        return subprocess.run(command, env=self.env, input=text, text=True, capture_output=True, check=False)


def one(checks: Checks, name: str, plan: Plan) -> Change:
    checks.equal(f"{name}: one message", len(plan.changes), 1)
    return plan.changes[0] if plan.changes else Change([])


def check_sent(checks: Checks, ctl: Ctl) -> None:
    """What goes to which bearer, and when; bearer 1 comes first."""
    rate = u64(N.RATE, 5)
    codel = nest(N.AQM, u32(N.KIND, N.CODEL))
    rows: list[tuple[str, list[tuple[int, bytes]], int | None]] = [
        ("lo rate 5", [(1, rate)], None),
        ("dev lo 1: rate 5", [(1, rate)], None),
        ("lo bearer 2 rate 5", [(2, rate)], None),
        ("lo 1: bearer 1 rate 5", [(1, rate)], None),
        ("lo at 9s rate 5", [(1, rate)], 9 * 10**9),
        ("lo bearer 7 rate 5 at now", [(7, rate)], 0),
        ("lo rate 5 bearer 2 rate 6 aqm codel", [(1, rate), (2, u64(N.RATE, 6) + codel)], None),
        (
            "lo 1: bearer 4096 aqm codel bearer 1 rate 5 bearer 3 rate 7 at next",
            [(1, rate), (4096, codel), (3, u64(N.RATE, 7))],
            2**64 - 1,
        ),
        ("lo profile none", [(1, nest(N.PROFILE, attr(N.PROFILE_NAME, b"\0")))], None),
    ]
    for words, parts, at in rows:
        plan = Plan()
        done = ctl(plan, f"set {words} --no-wait")
        checks.equal(f"set {words}", (done.returncode, done.stdout, done.stderr), (DONE, "", ""))
        checks.equal(f"sent by set {words}", one(checks, words, plan), Change(parts, at))
        checks.equal(f"set {words} hears nothing", plan.joined, [])


BAD = [
    ("set lo rate 5 bearer", "bearer has no value"),
    ("set lo rate 5 bearer 0 rate 6", 'bearer "0" is not a number from 1 to 4096'),
    ("set lo rate 5 bearer 2", "bearer 2 has no words behind it"),
    ("set lo bearer 2 bearer 3 rate 5", "bearer 2 has no words behind it"),
    ("set lo bearer 2 rate 5 bearer 2 rate 6", "bearer 2 is given twice"),
    ("set lo rate 5 bearer 1 rate 6", "bearer 1 is given again; words before any bearer are its own"),
    ("set lo rate 5 at now bearer 2 rate 6 at now", "at is given twice; it is for all bearers together"),
    ("set lo rate 5 bearer 2 rat 6", 'unknown word "rat"'),
    ("set lo rate bearer 2 rate 6", 'rate "bearer" is neither a number nor unlimited'),
    ("set lo rate 5 profile red-3g bearer 2 profile lte", 'profile "lte" is unknown'),
]


def check_refused(checks: Checks, ctl: Ctl) -> None:
    for words, piece in BAD:
        plan = Plan()
        done = ctl(plan, words)
        checks.equal(f"{words}: nothing sent", (done.returncode, plan.changes), (USAGE, []))
        checks.true(f"{words}: {piece}", piece in done.stderr, done.stderr)
    words = "set lo " + " ".join(f"bearer {n} profile sbd-3g" for n in range(1, 400))
    plan = Plan()
    done = ctl(plan, words)
    checks.equal("too much for one message", (done.returncode, plan.changes), (USAGE, []))
    piece = "words of 399 bearers are too much for a message"
    checks.true("too much for one message is said", piece in done.stderr, done.stderr)
    # Behind the headers (20), IFINDEX, HANDLE (8 each), PART, BEARER, OPTIONS (16), RATE (12), PART,
    # BEARER, OPTIONS (16), AQM (4), KIND, UNIT (8 each).
    plan = Plan(error=errno.ERANGE, text="wlink: bearer 2: minth 99 is too much", offset=100)
    done = ctl(plan, "set lo rate 5 bearer 2 aqm red minth 99")
    checks.equal("the kernel refuses", (done.returncode, done.stdout), (REFUSED, ""))
    want = [(1, u64(N.RATE, 5)), (2, nest(N.AQM, u32(N.KIND, N.RED), u32(N.UNIT, 0), u32(N.MINTH, 99)))]
    checks.equal("it was sent", one(checks, "refused", plan).parts, want)
    piece = "kernel: wlink: bearer 2: minth 99 is too much (byte 100 of the request: minth)\n"
    checks.equal("the attribute is named", done.stderr, "wlinkctl: " + piece)


def check_versions(checks: Checks, ctl: Ctl) -> None:
    """A module that speaks another version, or none, is told apart before anything is sent."""
    for version, piece in (
        (1, "has interface 1: the module is too old"),
        (3, "has interface 3: the program is too old"),
    ):
        for words in ("set lo rate 5", "cancel lo", "schedule stop lo", "profile load lo red-3g"):
            plan = Plan(version=version)
            done = ctl(plan, words)
            checks.equal(f"{words}: interface {version}", (done.returncode, plan.changes), (REFUSED, []))
            checks.true(
                f"{words}: {piece}", piece in done.stderr and "has interface 2," in done.stderr, done.stderr
            )
    done = ctl(Plan(family=False), "set lo rate 5")
    piece = "the module sch_wlink is not loaded, or too old for wlinkctl"
    checks.true("no family", done.returncode == REFUSED and piece in done.stderr, done.stderr)


def check_waits(checks: Checks, ctl: Ctl) -> None:
    said = "applied at 12.345678901 s, generation 7\n"
    at = 12345678901

    def now(cookie: int) -> list[bytes]:
        return [applied(cookie, at, 7)]

    plan = Plan(done=(at, 7))
    done = ctl(plan, "set lo rate 5")
    checks.equal("told in the answer", (done.returncode, done.stdout, done.stderr), (DONE, said, ""))
    plan = Plan(before=now)
    done = ctl(plan, "set lo rate 5")
    checks.equal("told before the answer", (done.returncode, done.stdout, done.stderr), (DONE, said, ""))
    checks.equal("the group was joined", plan.joined, [GROUP])

    def later(cookie: int) -> list[tuple[float, bytes]]:
        noise = [applied(cookie + 1), applied(0), event(SCHEDULE, u64(7, cookie))]
        noise += [b"\x10\0\0\0\x21\0" + bytes(10), event(APPLIED), event(APPLIED, u64(7, cookie)[:-4])]
        return [(0, packet) for packet in noise * 50] + [(0.3, applied(cookie, at, 7, (1, 3)))]

    # Its patience ends after that time, however slow we are.
    due = time.monotonic_ns() + 600 * 10**9
    plan = Plan(after=later, due=due)
    done = ctl(plan, "set lo rate 5 bearer 3 rate 6 at +100ms")
    checks.equal("among those of others", (done.returncode, done.stdout, done.stderr), (DONE, said, ""))
    plan = Plan(after=lambda cookie: [(0.1, event(CANCEL, u64(7, cookie)))], due=due)
    done = ctl(plan, "set lo rate 5 at +100ms")
    piece = "wlinkctl: it has been cancelled before it took effect\n"
    checks.equal("cancelled", (done.returncode, done.stdout, done.stderr), (REFUSED, "", piece))
    link = nest(TCA_OPTIONS, u64(N.RATE, 4), nest(N.AQM, u32(N.KIND, N.CODEL)))
    plan = Plan(after=later, link=link, due=due)
    done = ctl(plan, "set lo --json rate 5 bearer 3 rate 6")
    want = {
        "dev": "lo",
        "ifindex": 1,
        "kind": "wlink",
        "handle": "1:",
        "root": True,
        "options": {"rate_bps": 4, "aqm": {"kind": "codel"}},
        "cookie": 101,
        "applied_ns": at,
        "asked_ns": at - 3,
        "generation": 7,
        "bearers": [1, 3],
    }
    checks.equal("JSON", json.loads(done.stdout), want)
    plan = Plan(bearers={2: b"", 3: link}, due=9)
    done = ctl(plan, "set lo bearer 3 --json rate 5 --no-wait")
    told = {key: want[key] for key in ("dev", "ifindex", "kind", "handle", "options", "cookie")}
    told |= {"bearer": 3, "applied_ns": None, "asked_ns": 2, "at_ns": 9}
    checks.equal("JSON of a bearer", json.loads(done.stdout), told)
    done = ctl(Plan(before=now), "profile load lo bearer 2 red-3g")
    checks.equal("profile load waits", (done.returncode, done.stdout), (DONE, said))


def check_patience(checks: Checks, ctl: Ctl) -> None:
    """Two seconds after the asked time it is late; the wait costs nothing."""
    for words, least, due in (("set lo rate 5", 2.0, 0), ("set lo rate 5 --json", 2.5, 500 * 10**6)):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        done = ctl(Plan(due=time.monotonic_ns() + due), words)
        took = time.monotonic() - start
        more = resource.getrusage(resource.RUSAGE_CHILDREN)
        cost = more.ru_utime + more.ru_stime - used.ru_utime - used.ru_stime
        checks.equal(f"{words}: late", (done.returncode, done.stderr), (DONE, LATE))
        checks.true(f"{words}: as long as said", took >= least, took)
        checks.true(f"{words}: asleep", cost < took / 4, cost)
        told = json.loads(done.stdout or "{}").get("applied_ns", 0)
        checks.equal(f"{words}: output", told, None if "json" in words else 0)
        checks.true(f"{words}: text", "json" in words or not done.stdout, done.stdout)
    # TCA_STATS2, TCA_STATS_APP: a TTI of 3 s goes on.
    waits = nest(7, attr(4, counted(pending=1)))
    done = ctl(Plan(after=lambda cookie: [(2.6, applied(cookie, 10**9, 3))], link=waits), "set lo rate 5")
    said = "applied at 1.000000000 s, generation 3\n"
    checks.equal("a long TTI", (done.returncode, done.stdout, done.stderr), (DONE, said, ""))
    due = time.monotonic_ns() + 600 * 10**9
    done = ctl(Plan(after=lambda cookie: [(0, b"")], due=due), "set lo rate 5")
    piece = "warning: notifications were lost; it may have taken effect"
    checks.true("lost notifications", piece in done.stderr and done.returncode == DONE, done.stderr)


def check_batch(checks: Checks, ctl: Ctl) -> None:
    plan = Plan(before=lambda cookie: [applied(cookie, 10**9, 3)])
    done = ctl(plan, "batch -", "set lo rate 5\nset lo rate 6 --wait\nset lo rate 7\n")
    said = "applied at 1.000000000 s, generation 3\n"
    checks.equal("a batch", (done.returncode, done.stdout), (DONE, said))
    checks.equal("three are sent, one waits", (len(plan.changes), plan.joined), (3, [GROUP]))


@pytest.fixture
def ctl(build: Path) -> Iterator[Ctl]:
    with FakeKernel() as kernel:
        yield Ctl(build / "tests/plugin/wlinkctl-fake", kernel)
