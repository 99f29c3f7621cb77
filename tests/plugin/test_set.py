# SPDX-License-Identifier: GPL-2.0
"""wlinkctl set: what it sends, and how it waits for what comes of it."""

import errno
import json
import os
import resource
import subprocess
import time
from pathlib import Path

from fakekernel import (
    ACK,
    APPLIED,
    ECHO,
    GENERIC,
    GROUP,
    NEWQDISC,
    NEWTCLASS,
    PLAY,
    REPLACE,
    REQUEST,
    ROOT,
    TCA_KIND,
    TCA_OPTIONS,
    Change,
    FakeKernel,
    Plan,
    applied,
    bearer,
    event,
)
from harness import (
    AQM,
    AT,
    CODEL,
    COOKIE,
    KIND,
    MINTH,
    PROFILE,
    PROFILE_NAME,
    RATE,
    RED,
    UNIT,
    Checks,
    attr,
    nest,
    u32,
    u64,
)

DONE, USAGE, REFUSED = 0, 1, 2
PLAIN = REQUEST | ACK
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
    return plan.changes[0] if plan.changes else Change(0, 0, 0, 0, 0, b"")


def check_sent(checks: Checks, ctl: Ctl) -> None:
    """Messages laid out by hand; without a wait there is no cookie."""
    rate = u64(RATE, 5)
    codel = nest(AQM, u32(KIND, CODEL))
    rows: list[tuple[str, int, int, int, int, bytes]] = [
        ("lo rate 5", NEWQDISC, REPLACE, 0, ROOT, rate),
        ("dev lo 1: rate 5", NEWQDISC, REPLACE, 0x10000, 0, rate),
        ("lo bearer 2 rate 5", NEWTCLASS, 0, 0x10002, 0, rate),
        ("lo 1: bearer 1 rate 5", NEWTCLASS, 0, 0x10001, 0, rate),
        ("lo at 9s rate 5", NEWQDISC, REPLACE, 0, ROOT, u64(AT, 9 * 10**9) + rate),
        ("lo bearer 7 rate 5 at now", NEWTCLASS, 0, 0x10007, 0, u64(AT, 0) + rate),
        (
            "lo rate 5 bearer 2 rate 6 aqm codel",
            NEWQDISC,
            REPLACE,
            0,
            ROOT,
            rate + bearer(2, u64(RATE, 6), codel),
        ),
        (
            "lo 1: bearer 4096 aqm codel bearer 1 rate 5 bearer 3 rate 7 at next",
            NEWQDISC,
            REPLACE,
            0x10000,
            0,
            u64(AT, 2**64 - 1) + bearer(4096, codel) + rate + bearer(3, u64(RATE, 7)),
        ),
        ("lo profile none", NEWQDISC, REPLACE, 0, ROOT, nest(PROFILE, attr(PROFILE_NAME, b"\0"))),
    ]
    for words, kind, flags, handle, parent, options in rows:
        plan = Plan()
        done = ctl(plan, f"set {words} --no-wait")
        checks.equal(f"set {words}", (done.returncode, done.stdout, done.stderr), (DONE, "", ""))
        want = Change(kind, PLAIN | flags, 1, handle, parent, options)
        checks.equal(f"sent by set {words}", one(checks, words, plan), want)
        checks.equal(f"set {words} hears nothing", GENERIC in plan.opened, False)
    checks.group("what set sends")


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
    # Behind the cookie (12), rate (12), BEARER (4), NUMBER (8), OPTIONS (4), AQM (4), KIND,
    # UNIT (8 each).
    plan = Plan(error=errno.ERANGE, text="wlink: bearer 2: minth 99 is too much", offset=60)
    done = ctl(plan, "set lo rate 5 bearer 2 aqm red minth 99")
    checks.equal("the kernel refuses", (done.returncode, done.stdout), (REFUSED, ""))
    want = u64(RATE, 5) + bearer(2, nest(AQM, u32(KIND, RED), u32(UNIT, 0), u32(MINTH, 99)))
    checks.equal("it was sent", one(checks, "refused", plan).options[12:], want)
    piece = "kernel: wlink: bearer 2: minth 99 is too much (byte 112 of the request: minth)\n"
    checks.equal("the attribute is named", done.stderr, "wlinkctl: " + piece)
    checks.group("what set refuses")


def check_waits(checks: Checks, ctl: Ctl) -> None:
    said = "applied at 12.345678901 s, generation 7\n"
    at = 12345678901

    def now(cookie: int) -> list[bytes]:
        return [applied(cookie, at, 7)]

    plan = Plan(before=now)
    done = ctl(plan, "set lo rate 5")
    checks.equal("told before the answer", (done.returncode, done.stdout, done.stderr), (DONE, said, ""))
    change = one(checks, "told before the answer", plan)
    checks.equal("a cookie goes before", change.options, u64(COOKIE, change.cookie()) + u64(RATE, 5))
    checks.true("the cookie is a number", change.cookie() > 2**32, change)
    checks.equal("the group was joined", plan.joined, [GROUP])

    def later(cookie: int) -> list[tuple[float, bytes]]:
        noise = [applied(cookie + 1), applied(0), event(PLAY, u64(7, cookie))]
        noise += [b"\x10\0\0\0\x21\0" + bytes(10), event(APPLIED), event(APPLIED, u64(7, cookie)[:-4])]
        return [(0, packet) for packet in noise * 50] + [(0.3, applied(cookie, at, 7, (1, 3)))]

    plan = Plan(after=later)
    done = ctl(plan, "set lo rate 5 bearer 3 rate 6 at +100ms")
    checks.equal("among those of others", (done.returncode, done.stdout, done.stderr), (DONE, said, ""))
    first = one(checks, "among those of others", plan).cookie()
    options = nest(AQM, u32(KIND, CODEL))
    tcm = bytes(4) + (1).to_bytes(4, "little") + b"\0\0\1\0" + b"\xff" * 4 + bytes(4)
    echo = tcm + attr(TCA_KIND, b"wlink\0") + nest(TCA_OPTIONS, u64(RATE, 4), options)
    plan = Plan(after=later, echo=echo)
    done = ctl(plan, "set lo --json rate 5 bearer 3 rate 6")
    want = {
        "dev": "lo",
        "ifindex": 1,
        "kind": "wlink",
        "handle": "1:",
        "root": True,
        "options": {"rate_bps": 4, "aqm": {"kind": "codel"}},
        "applied_ns": at,
        "asked_ns": at - 3,
        "generation": 7,
        "bearers": [1, 3],
    }
    checks.equal("JSON", json.loads(done.stdout), want)
    second = one(checks, "JSON", plan)
    checks.equal("JSON asks for an echo", second.flags, PLAIN | ECHO | REPLACE)
    checks.true("cookies differ", second.cookie() != first, (first, second.cookie()))
    plan = Plan(family=False, echo=echo)
    done = ctl(plan, "set lo --json rate 5")
    for key in ("applied_ns", "asked_ns", "generation", "bearers"):
        del want[key]
    checks.equal("an older module in JSON", json.loads(done.stdout), want)
    checks.equal("an older module gets no cookie", one(checks, "older", plan).options, u64(RATE, 5))
    done = ctl(Plan(family=False), "set lo rate 5")
    checks.equal("an older module", (done.returncode, done.stdout, done.stderr), (DONE, "", ""))
    done = ctl(Plan(before=now), "profile load lo bearer 2 red-3g")
    checks.equal("profile load waits", (done.returncode, done.stdout), (DONE, said))
    checks.group("set waits")


def check_patience(checks: Checks, ctl: Ctl) -> None:
    """Two seconds after the asked time it is late; the wait costs nothing."""
    for words, least in (("set lo rate 5", 2.0), ("set lo rate 5 at +500ms --json", 2.5)):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        done = ctl(Plan(), words)
        took = time.monotonic() - start
        more = resource.getrusage(resource.RUSAGE_CHILDREN)
        cost = more.ru_utime + more.ru_stime - used.ru_utime - used.ru_stime
        checks.equal(f"{words}: late", (done.returncode, done.stderr), (DONE, LATE))
        checks.true(f"{words}: as long as said", least <= took < least + 1.5, took)
        checks.true(f"{words}: asleep", cost < least / 4, cost)
        checks.equal(f"{words}: output", done.stdout, '{"applied_ns":null}\n' if "json" in words else "")
    # TCA_STATS2, TCA_STATS_APP, TCA_WLINK_XSTATS_PENDING: a TTI of 3 s goes on.
    waits = nest(7, nest(4, u64(62, 1)))
    start = time.monotonic()
    done = ctl(Plan(after=lambda cookie: [(2.6, applied(cookie, 10**9, 3))], link=waits), "set lo rate 5")
    said = "applied at 1.000000000 s, generation 3\n"
    checks.equal("a long TTI", (done.returncode, done.stdout, done.stderr), (DONE, said, ""))
    checks.true("a long TTI: no longer", 2.5 <= time.monotonic() - start < 4)
    done = ctl(Plan(after=lambda cookie: [(0, b"")]), "set lo rate 5")
    piece = "warning: notifications were lost; it may have taken effect"
    checks.true("lost notifications", piece in done.stderr and done.returncode == DONE, done.stderr)
    checks.group("set loses patience")


def check_batch(checks: Checks, ctl: Ctl) -> None:
    def now(cookie: int) -> list[bytes]:
        return [applied(cookie, 10**9, 3)] if cookie else []

    plan = Plan(before=now)
    start = time.monotonic()
    done = ctl(plan, "batch -", "set lo rate 5\nset lo rate 6 --wait\nset lo rate 7\n")
    said = "applied at 1.000000000 s, generation 3\n"
    checks.equal("a batch", (done.returncode, done.stdout), (DONE, said))
    checks.equal("only one waits", [change.cookie() > 0 for change in plan.changes], [False, True, False])
    checks.true("a batch is quick", time.monotonic() - start < 1.5)
    checks.group("set in a batch")


def run(checks: Checks, build: Path) -> None:
    with FakeKernel() as kernel:
        ctl = Ctl(build / "tests/plugin/wlinkctl-fake", kernel)
        check_sent(checks, ctl)
        check_refused(checks, ctl)
        check_waits(checks, ctl)
        check_patience(checks, ctl)
        check_batch(checks, ctl)
