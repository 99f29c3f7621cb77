# SPDX-License-Identifier: GPL-2.0
"""wlab merge on logs written by hand: their order, their errors and what is refused, worked out on paper."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
WLAB = ROOT / "userspace" / "wlab" / "wlab"
S, MS, US = 10**9, 10**6, 10**3

Line = dict[str, Any]


def equal(name: str, got: object, want: object) -> None:
    if got != want:
        raise AssertionError(f"{name}: {got!r}, not {want!r}")


def clock(mono: int, ahead: int, maxerror: int | None = 0, unc: int = 0, tai: int = 37, **more: Any) -> Line:
    """A clock line; without maxerror not synchronised."""
    told = {
        "mono_ns": mono,
        "tai_ns": mono + ahead,
        "uncertainty_ns": unc,
        "synchronised": maxerror is not None,
    }
    told |= {"maxerror_ns": 16 * S if maxerror is None else maxerror, "tai_utc_s": tai}
    return {"clock": told | more}


def event(mono: int, seq: int) -> Line:
    return {"event": "wlink_sdu", "ts_ns": mono, "tai_ns": 1, "cpu": 0, "seq": seq}


def end(lost: int, events: int) -> Line:
    return {"lost": lost, "events": events}


class Desk:
    """A folder with logs."""

    def __init__(self, folder: str) -> None:
        self.at = Path(folder)

    def log(self, name: str, *lines: Line | str, cut: bool = False) -> str:
        text = "".join(
            (x if isinstance(x, str) else json.dumps(x, separators=(",", ":"))) + "\n" for x in lines
        )
        (self.at / name).write_text(text[:-1] if cut else text)
        return name

    def call(self, *words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [WLAB, "merge", *words], cwd=self.at, text=True, capture_output=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    def merge(self, *words: str) -> tuple[list[Line], Line]:
        """(lines, what --json says)"""
        status, out, err = self.call(*words, "--json")
        if status:
            raise AssertionError(f"merge {words}: {err}")
        return [json.loads(line) for line in out.splitlines()], json.loads(err.splitlines()[-1])

    def refuses(self, name: str, piece: str, *words: str) -> None:
        status, out, err = self.call(*words)
        if status != 1 or piece not in err or "Traceback" in err:
            raise AssertionError(f"{name}: {status} {err!r}, not {piece!r}")
        equal(f"{name}: its last line", err.splitlines()[-1], "wlab: failed")


def order(lines: list[Line], key: str = "tai_ns") -> list[tuple[int, int, int, int | None]]:
    return [(line["log"], line["seq"], line[key], line["error_ns"]) for line in lines if "event" in line]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(str(tmp_path))


def check_two_machines(desk: Desk) -> None:
    """a: 100 s ahead, error 1 ms at 0 s; b: 95 s ahead, error 2 ms at 10 s, 0.5 ms at 12 s.

    a's events at 7, 8, 9 s are at 107, 108, 109 s, their errors 1 ms + 0.5 ms a second;
    b's at 11 s, 12 s + 1 ms, 13 s are at 106, 107.001, 108 s. b's error at 11 s is 2.5 ms,
    later 0.5 ms and what has grown since: 0.5 us in 1 ms, 0.5 ms in 1 s.
    Each distance is known to 1 ns, to which clocks are rounded.
    """
    desk.log("a", clock(0, 100 * S, MS, host="x", boot="1"), *(event(n * S, n) for n in (7, 8, 9)), end(3, 3))
    b = [clock(10 * S, 95 * S, 2 * MS, host="y", boot="2"), event(11 * S, 1), clock(12 * S, 95 * S, MS // 2)]
    desk.log("b", *b, event(12 * S + MS, 2), event(13 * S, 3), end(4, 3))
    lines, told = desk.merge("a", "b")
    want = [
        (1, 1, 106 * S, 2 * MS + 500 * US + 1),
        (0, 7, 107 * S, MS + 3500 * US + 1),
        (1, 2, 107 * S + MS, 500 * US + 500 + 1),
        (0, 8, 108 * S, MS + 4000 * US + 1),
        (1, 3, 108 * S, 500 * US + 500 * US + 1),
        (0, 9, 109 * S, MS + 4500 * US + 1),
    ]
    equal("order, times and errors", order(lines), want)
    # The worst of a is 5.5 ms, of b 2.5 ms. 7 and 2 are 1 ms apart, 8 and 3 are 0.
    equal("the bound of the order", (told["order_error_ns"], told["unsure"]), (8 * MS + 2, 2))
    equal("counts", (told["lost"], told["events"]), (7, 6))
    equal(
        "the first line",
        [(m["host"], m["offset_ns"]) for m in lines[0]["merge"]["logs"]],
        [("x", 100 * S), ("y", 95 * S)],
    )
    equal("the last line", lines[-1], {"lost": 7, "events": 6, "order_error_ns": 8 * MS + 2, "unsure": 2})
    equal("other fields stay", lines[1], {
        "log": 1, "tai_ns": 106 * S, "error_ns": 2 * MS + 500 * US + 1, "event": "wlink_sdu", "ts_ns": 11 * S,
        "cpu": 0, "seq": 1,
    })  # fmt: skip
    status, out, err = desk.call("a", "b", "--out", "m")
    said = out.splitlines()
    equal(
        "--out",
        (status, err, (desk.at / "m").read_text().splitlines()),
        (0, "", [json.dumps(x, separators=(",", ":")) for x in lines]),
    )
    equal("for a person", said, [
        "2 logs, 6 events, 7 lost",
        "a (x): 3 events; synchronised, error at most 5.5 ms; 3 lost",
        "b (y): 3 events; synchronised, error at most 2.5 ms; 4 lost",
        "order of events of different machines: certain where they are more than 8 ms apart;"
        " 2 neighbours are closer than their errors",
    ])  # fmt: skip


def check_same_boot(desk: Desk) -> None:
    """Two logs of one boot have one clock, however bad it is."""
    desk.log("a", clock(S, 5 * S, None, boot="1"), event(2 * S, 1), event(4 * S, 3), end(0, 2))
    desk.log("b", clock(3 * S, 5 * S, None, boot="1"), event(3 * S, 2), end(0, 1))
    lines, told = desk.merge("a", "b")
    equal("one boot", [e[1] for e in order(lines)], [1, 2, 3])
    equal("its order is exact", (told["order_error_ns"], told["unsure"]), (0, 0))
    equal("in words", desk.call("a", "b")[2].splitlines()[-1], "one clock, one boot: the order is exact")


def check_unsynchronised(desk: Desk) -> None:
    desk.log("a", clock(0, 0, MS), event(S, 1), event(3 * S, 2), end(0, 2))
    desk.log("b", clock(0, 0, None, tai=0), event(2 * S, 1))
    status, _, err = desk.call("a", "b")
    equal("37 s and nothing do not go together", status, 1)
    equal("it says so", "a has 37 s, b has 0 s (not set)" in err, True)
    desk.log("b", clock(0, 0, None), event(2 * S, 1))
    lines, told = desk.merge("a", "b")
    swapped = "2 neighbours may be swapped"
    equal("no error can be told", [e[3] for e in order(lines)], [MS + 500 * US + 1, None, MS + 1500 * US + 1])
    equal("nor a bound", (told["order_error_ns"], told["unsure"], told["lost"]), (None, 2, None))
    said = desk.call("a", "b")[2].splitlines()
    want = "b (unknown host): 1 events; NOT SYNCHRONISED: the order of its events among the others'"
    want += " is unknown; no last line, so the number of lost events is unknown"
    equal("it is marked", said[2], want)
    equal("and the order", said[3], f"order of events of different machines: no bound; {swapped}")


def check_utc(desk: Desk) -> None:
    """The same moment: TAI of one machine is 37 s ahead, of the other nobody has set it."""
    desk.log("a", clock(0, 137 * S, MS), event(2 * S, 1), end(0, 1))
    desk.log("b", clock(0, 100 * S, MS, tai=0), event(S, 2), event(3 * S, 3), end(0, 2))
    lines, told = desk.merge("a", "b", "--utc")
    equal("by UTC", [e[1:3] for e in order(lines, "utc_ns")], [(2, 101 * S), (1, 102 * S), (3, 103 * S)])
    equal("named so", (lines[0]["merge"]["clock"], told["unsure"]), ("utc", 0))


def check_steps(desk: Desk) -> None:
    """Set by -1 h at 10 s, then right: what came before moves, too; its error grows backwards."""
    back = 3600 * S
    desk.log(
        "a",
        clock(0, back, None),
        event(8 * S, 1),
        clock(10 * S, 0, MS, step_ns=-back),
        event(12 * S, 3),
        end(0, 2),
    )
    desk.log("b", clock(0, 0, 0), event(9 * S, 2), end(0, 1))
    lines, told = desk.merge("a", "b")
    want = [
        (0, 1, 8 * S, MS + 1000 * US + 1),
        (1, 2, 9 * S, 4500 * US + 1),
        (0, 3, 12 * S, MS + 1000 * US + 1),
    ]
    equal("a clock that was set", order(lines), want)
    equal("it is told", told["logs"][0]["steps_ns"], [-back])
    # Nobody has said which is right: the longer stretch counts.
    desk.log(
        "a", clock(0, back, None), clock(9 * S, back, None), clock(10 * S, 0, None), event(S, 1), end(0, 1)
    )
    equal("never right", desk.merge("a")[1]["logs"][0]["offset_ns"], back)
    # Set wrong by hand, which ends its being synchronised.
    desk.log(
        "a",
        clock(0, 5, MS),
        clock(10 * S, back, None),
        event(20 * S, 1),
        clock(90 * S, back, None),
        end(0, 1),
    )
    lines, told = desk.merge("a")
    equal("set wrong", order(lines), [(0, 1, 20 * S + 5, MS + 10 * MS + 1)])
    # TAI - UTC becomes known: a step of TAI.
    desk.log("a", clock(0, 0, MS, tai=0), clock(10 * S, 37 * S, MS), event(S, 1), end(0, 1))
    equal("set to 37 s", order(desk.merge("a")[0]), [(0, 1, 38 * S, MS + 4500 * US + 1)])


def check_brackets(desk: Desk) -> None:
    """Distances 100 +- 30, 150 +- 40, 90 +- 25 ns: each more 1 ns, all are 109 to 116, so 112 +- 4."""
    desk.log("a", clock(0, 100, 0, 30), clock(1, 150, 0, 40), clock(2, 90, 0, 25), event(2, 1), end(0, 1))
    lines, told = desk.merge("a")
    equal(
        "what all readings allow", (told["logs"][0]["offset_ns"], told["logs"][0]["uncertainty_ns"]), (112, 4)
    )
    equal("its share of the error", order(lines), [(0, 1, 114, 4)])
    # Each of the two readings is rounded: 2 ns may be that, 3 ns are a step.
    for far, found in ((1, []), (2, []), (3, [3]), (-3, [-3])):
        desk.log("a", clock(0, 100), clock(1, 100 + far), event(2, 1), end(0, 1))
        equal(f"a step of {far} ns", desk.merge("a")[1]["logs"][0]["steps_ns"], found)


def check_disorder(desk: Desk) -> None:
    """Written late, within the window; behind it; ties by place in the command line."""
    mixed = [event(n * US, n) for n in (5, 1, 2, 9, 3, 4, 8, 7, 6)]
    desk.log("a", clock(0, 0), *mixed, end(0, 9))
    desk.log("b", clock(0, 0), event(4 * US, 40), event(4 * US, 41), end(0, 2))
    got = [e[:2] for e in order(desk.merge("a", "b")[0])]
    want = [(0, n) for n in (1, 2, 3, 4)] + [(1, 40), (1, 41)] + [(0, n) for n in range(5, 10)]
    equal("late lines and ties", got, want)
    equal(
        "the other way round",
        [e[:2] for e in order(desk.merge("b", "a")[0])][3:6],
        [(0, 40), (0, 41), (1, 4)],
    )
    desk.log("c", clock(0, 0), *(event(n * S, n) for n in range(1, 1100)), event(7 * S, 0), end(0, 1100))
    desk.refuses(
        "far too late", "c, line 1101: 68.000000 s earlier than an event more than 1024 lines", "c"
    )


def check_cut_off(desk: Desk) -> None:
    desk.log("a", clock(0, 0), event(1, 1), '{"event":"wlink_sdu","ts_', cut=True)
    lines, told = desk.merge("a")
    equal(
        "half a line at the end",
        (len(order(lines)), told["logs"][0]["truncated"], told["lost"]),
        (1, True, None),
    )
    equal("it is said", "; last line cut off; no last line" in desk.call("a")[2], True)
    desk.log("a", clock(0, 0), event(1, 1), '{"clock":{"mono_n', cut=True)
    equal("half a clock line", desk.merge("a")[1]["logs"][0]["truncated"], True)
    desk.log("a", clock(0, 0), event(1, 1), event(2, 2), cut=True)
    lines, told = desk.merge("a")
    equal("only its newline", (len(order(lines)), told["logs"][0]["truncated"]), (2, False))


def check_bad_input(desk: Desk) -> None:
    good = desk.log("good", clock(0, 0), event(1, 1), end(0, 1))
    rows: list[tuple[str, str, list[Line | str]]] = [
        ("no clock line", "bad has no clock line in its 2 lines", [event(1, 1), end(0, 1)]),
        ("an empty file", "bad has no clock line in its 0 lines", []),
        (
            "garbage",
            "bad, line 3: not a JSON object: 'rubbish'",
            [clock(0, 0), event(1, 1), "rubbish", end(0, 1)],
        ),
        ("no object", "bad, line 2: not a JSON object: '[1]'", [clock(0, 0), "[1]", end(0, 0)]),
        (
            "half a line in the middle",
            "bad, line 2: not a JSON object",
            [clock(0, 0), '{"event":"wli', end(0, 0)],
        ),
        ("something else", "bad, line 2: neither an event nor a clock line", [clock(0, 0), {"x": 1}]),
        ("no time", "bad, line 2: an event without ts_ns", [clock(0, 0), {"event": "x"}]),
        (
            "a time that is none",
            "bad, line 2: an event without ts_ns",
            [clock(0, 0), {"event": "x", "ts_ns": 1.5}],
        ),
        (
            "a clock line",
            "bad, line 1: a malformed clock line ('mono_ns')",
            [{"clock": {"tai_ns": 1}}],
        ),
        (
            "a clock line, text",
            "a malformed clock line ('1' is not an int",
            [clock(0, 0, uncertainty_ns="1")],
        ),
        ("a clock line, no object", "bad, line 1: a malformed clock line", [{"clock": 7}]),
        ("a clock before 0", "bad, line 1: a malformed clock line (a negative time", [clock(-1, 0)]),
        ("lost", "bad, line 2: the count of lost events is not a number", [clock(0, 0), {"lost": -1}]),
        (
            "two in one",
            "bad, line 3: the recording ended in line 2",
            [clock(0, 0), end(0, 0), clock(0, 0), end(0, 0)],
        ),
        ("merged", "bad is a merged log", [{"merge": {}}, clock(0, 0)]),
        ("another TAI", "good has 37 s, bad has 36 s", [clock(0, 0, tai=36)]),
    ]
    for name, piece, lines in rows:
        desk.log("bad", *lines)
        desk.refuses(name, piece, good, "bad")
        desk.refuses(f"{name}, --out", piece, good, "bad", "--out", "new")
        equal(f"{name}: no file is left", [p.name for p in desk.at.iterdir() if "new" in p.name], [])
    (desk.at / "bad").write_bytes(b'{"clock"\xff\n')
    desk.refuses("no UTF-8", "bad, line 1: not a JSON object", "bad")
    desk.refuses("no file", "none: No such file or directory", good, "none")
    desk.refuses("a folder", ". is not a regular file", good, ".")
    desk.refuses("a device", "/dev/null is not a regular file", "/dev/null")
    desk.refuses("the same twice", "good is given twice", good, "./good")
    desk.refuses("into itself", "--out good is one of the logs", good, "--out", good)
    desk.refuses("a full disk", "/dev/full", good, "--out", "/dev/full/x")


def check_large(desk: Desk) -> None:
    """Memory does not grow with the logs."""

    def fill(name: str, n: int, shift: int) -> None:
        pad = "x" * 300
        with (desk.at / name).open("w") as f:
            f.write(json.dumps(clock(0, 0, MS), separators=(",", ":")) + "\n")
            for i in range(n):
                f.write(
                    f'{{"event":"wlink_sdu","ts_ns":{2 * i * US + shift},"tai_ns":0,"cpu":0,"pad":"{pad}"}}\n'
                )
            f.write(f'{{"lost": 0, "events": {n}}}\n')

    peaks = []
    for n in (2000, 60000):
        fill("a", n, 0)
        fill("b", n, US)
        code = (
            "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        words = ["/usr/bin/python3", "-c", code, str(WLAB), "merge", "a", "b", "--out", "m"]
        peaks.append(
            int(subprocess.run(words, cwd=desk.at, capture_output=True, check=True).stdout.split()[-1])
        )
        last = -1
        with (desk.at / "m").open() as f:
            for i, line in enumerate(f):
                told = json.loads(line)
                if "event" in told:
                    equal(f"event {i}", (told["log"], told["tai_ns"] > last), ((i - 1) % 2, True))
                    last = told["tai_ns"]
        equal("all events", told["events"], 2 * n)
    equal(f"memory for 30 times as much, {peaks} kB", peaks[1] < 1.15 * peaks[0], True)


def check_closed(desk: Desk) -> None:
    desk.log("a", clock(0, 0), *(event(n, n) for n in range(20000)), end(0, 20000))
    line = f"{WLAB} merge a | head -n 1 >/dev/null"
    done = subprocess.run(line, shell=True, cwd=desk.at, text=True, capture_output=True, check=False)
    equal(
        "a reader that leaves",
        done.stderr.splitlines(),
        ["standard output was closed", "wlab: failed"],
    )
