# SPDX-License-Identifier: GPL-2.0
"""Traces that are broken: what is said, in which line, and how long it takes."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from harness import Checks
from test_trace import DONE, USAGE, Tool

LIMIT = 4194304
ERROR, WARNING = "error", "warning"

# (what, content, words of check, line, a piece of what is said)
ERRORS: list[tuple[str, bytes, str, int, str]] = [
    ("empty", b"", "", 1, "the file is empty"),
    ("empty, format said", b"", "format mahimahi", 1, "the file is empty"),
    ("comments only", b"# a\n\n# b\n", "", 3, "there is no step in it"),
    ("only blanks", b"\n\n", "format jens", 2, "there is no step in it"),
    ("binary", b"\x7fELF\x00\x01\x02\n", "", 1, "binary: there is a byte 0"),
    ("binary further on", b"1\n2\n\x00\x00\n", "", 3, "binary: there is a byte 0"),
    ("binary without 0", bytes(range(128, 200)), "", 1, "is not a line of a trace"),
    ("binary, format said", b"\x1f\x8b\x08\x01", "format jens", 1, "is not a rate in kbit/s"),
    ("a long line", b"1" * 4097, "format jens", 1, "the line is longer than 4096 bytes"),
    ("a long comment", b"5\n#" + b"x" * 200000 + b"\n6\n", "", 2, "the line is longer than 4096 bytes"),
    ("a long line, guessed", b"," * 9999, "", 1, "the line is longer than 4096 bytes"),
    ("text", b"hello\n", "", 1, '"hello" is not a line of a trace'),
    ("three columns", b"1,2,3\n", "", 1, "is not a line of a trace"),
    ("mahimahi: time goes backwards", b"0\n5\n3\n10\n", "", 3, "time goes backwards: 3 ms after 5 ms"),
    (
        "mahimahi: time goes backwards, said",
        b"5\n3\n",
        "format mahimahi",
        2,
        "time goes backwards: 3 ms after 5 ms",
    ),
    ("mahimahi: seconds", b"0.012\n0.017\n", "", 1, '"0.012" is not a time in whole ms; are these seconds?'),
    ("mahimahi: negative", b"5\n-3\n", "", 2, '"-3" is not a time in whole ms'),
    ("mahimahi: a word", b"5\nfive\n", "", 2, '"five" is not a time in whole ms, one on each line'),
    ("mahimahi: columns", b"5\n6,7\n", "", 2, "a row of several columns; mahimahi has one"),
    ("mahimahi: no period", b"0\n0\n", "", 2, "the last time, which is the period, is 0"),
    (
        "mahimahi: longer than 10 days",
        b"1\n864000001\n",
        "",
        2,
        "864000001 ms is past the greatest length of 864000000 ms",
    ),
    ("mahimahi: past 64 bits", b"1\n" + b"9" * 30 + b"\n", "", 2, "is not a time in whole ms"),
    ("mahimahi: too much at once", b"7\n" * 715829, "", 715828, "more than 715827 lines of 7 ms"),
    ("jens: a word", b"1\nx\n", "format jens", 2, '"x" is not a rate in kbit/s'),
    ("jens: negative", b"1\n-2\n", "format jens", 2, '"-2" is not a rate, which is 0 or more'),
    ("jens: too fast", b"1\n100000001\n", "format jens", 2, "rate 100000001kbit is outside 0..100gbit"),
    (
        "jens: frequency 0",
        b"# :recommended_freqeuncy=0\n1\n",
        "",
        1,
        "is not a header with a number of lines per second",
    ),
    (
        "jens: late frequency",
        b"1\n# :recommended_freqeuncy=5\n",
        "format jens",
        2,
        "comes after the first line",
    ),
    (
        "csv: time goes backwards",
        b"time,rate\n0,1\n2.5,1\n1.5,1\n",
        "",
        4,
        "time goes backwards: 1.500000000 s after 2.500000000 s",
    ),
    (
        "csv: back before the first",
        b"5,1\n4,1\n",
        "",
        2,
        "time goes backwards: 4.000000000 s after 5.000000000 s",
    ),
    ("csv: a word as time", b"0,1\nx,1\n", "", 2, '"x" is not a time in s'),
    ("csv: a word as rate", b"0,1\n1,fast\n", "", 2, '"fast" is not a rate in bit/s'),
    ("csv: nothing as rate", b"0,1\n1,\n", "", 2, '"" is not a rate in bit/s'),
    ("csv: negative rate", b"0,1\n1,-5\n", "", 2, '"-5" is not a rate, which is 0 or more'),
    ("csv: negative time", b"-1,5\n", "format csv", 1, '"-1" is not a time from 0 on'),
    ("csv: not a number", b"0,nan\n", "", 1, '"nan" is not a rate in bit/s'),
    ("csv: infinite", b"0,1e99\n", "", 1, '"1e99" is not a rate in bit/s'),
    ("csv: one column", b"0,1\n1\n", "", 2, "one column; a row is time,rate"),
    ("csv: three columns", b"0,1\n1,2,3\n", "", 2, "more than two columns; a row is time,rate"),
    ("csv: two headers", b"a,b\nc,d\n0,1\n", "", 2, '"c" is not a time'),
    ("csv: too fast", b"0,100000000001\n", "", 1, "rate 100000000001bit is outside 0..100gbit"),
    (
        "csv: longer than 10 days",
        b"0,1\n864001,1\n",
        "",
        2,
        "864001 s is past the greatest length of 864000 s",
    ),
    ("csv: length too short", b"# length 1\n0,1\n2,1\n", "", 3, "its length is before its last row"),
    ("theaterq: KEEP 0", b"0,0,1000,0,10\n", "", 1, "KEEP 0: a row must last"),
    ("theaterq: RATE 0", b"5,0,0,0,10\n", "", 1, "RATE 0 is no limit in TheaterQ"),
    ("theaterq: LOSS", b"5,0,9,4294967296,10\n", "", 1, "LOSS 4294967296 is above 4294967295"),
    ("theaterq: LIMIT 0", b"5,0,9,0,0\n", "", 1, "limit_packets 0 is outside 1..1000000"),
    (
        "theaterq: LATENCY",
        b"5,2592000000000001,9,0,1\n",
        "",
        1,
        "delay 2592000000000001ns is outside 0..2592000s",
    ),
    ("theaterq: a fraction", b"5,0.5,9,0,1\n", "", 1, '"0.5" is not LATENCY'),
    ("theaterq: six columns", b"5,0,9,0,1,2\n", "", 1, "6 columns; TheaterQ has 5, or 8 or 9 if extended"),
    ("theaterq: rows differ", b"5,0,9,0,1\n5,0,0,9,0,1,0,0,0\n", "", 2, "9 columns after rows of 5"),
    (
        "own: no header",
        b"wlink schedule\n0s 5\n",
        "",
        2,
        'there is no line "columns NAME ..." before the first step',
    ),
    (
        "own: no length",
        b"wlink schedule\ncolumns rate\n0s 5\n",
        "",
        3,
        'there is no line "length TIME" before the first step',
    ),
    ("own: a column", b"wlink schedule\ncolumns speed\n", "", 2, '"speed" is not a column: rate, delay'),
    ("own: twice", b"wlink schedule\ncolumns rate rate\n", "", 2, "column rate is given twice"),
    ("own: an end", b"wlink schedule\nend never\n", "", 2, '"never" is not hold, loop or stop'),
    (
        "own: few values",
        b"wlink schedule\ncolumns rate delay\nlength 1s\n0s 5\n",
        "",
        4,
        "1 values for 2 columns",
    ),
    (
        "own: many values",
        b"wlink schedule\ncolumns rate\nlength 1s\n0s 5 6\n",
        "",
        4,
        "more values than the 1 columns",
    ),
    ("own: a value", b"wlink schedule\ncolumns delay\nlength 1s\n0s 5\n", "", 4, '"5" is not delay'),
    (
        "own: bare time",
        b"wlink schedule\ncolumns rate\nlength 1s\n5 5\n",
        "",
        4,
        '"5" is not a time with ns, us, ms or s',
    ),
    (
        "own: backwards",
        b"wlink schedule\ncolumns rate\nlength 1s\n5ms 5\n4ms 5\n",
        "",
        5,
        "time goes backwards: 4000000 ns after 5000000 ns",
    ),
    (
        "own: after its end",
        b"wlink schedule\ncolumns rate\nlength 1s\n2s 5\n",
        "",
        4,
        "the step is after the end",
    ),
    ("own: too long", b"wlink schedule\nlength 864001s\n", "", 2, '"864001s" is not up to 864000s'),
    (
        "own: too short",
        b"wlink schedule\ncolumns rate\nlength 999ns\n0s 5\n",
        "",
        4,
        "its length of 999 ns is below 1000 ns",
    ),
    ("own: no steps", b"wlink schedule\ncolumns rate\nlength 1s\n", "", 3, "there is no step in it"),
]


def report(tool: Tool, path: Path, words: str) -> tuple[int, dict[str, Any]]:
    done = tool("trace", "check", path, *words.split(), "--json")
    return done.returncode, json.loads(done.stdout) if done.stdout else {"findings": [], "crash": done.stderr}


def check_errors(checks: Checks, tool: Tool) -> None:
    for what, content, words, line, piece in ERRORS:
        path = tool.file(content)
        done = tool("trace", "check", path, *words.split())
        checks.equal(f"{what}: exit code {done.stderr}", done.returncode, USAGE)
        said = [text for text in done.stderr.splitlines() if f"{path}:{line}: " in text and piece in text]
        checks.true(f"{what}: line {line}", len(said) == 1, done.stderr)
        code, result = report(tool, path, words)
        first = [f for f in result["findings"] if f["grade"] == ERROR][:1]
        checks.equal(
            f"{what}: JSON", (code, [f["line"] for f in first], result.get("ok")), (USAGE, [line], False)
        )
        checks.true(f"{what}: JSON text", bool(first) and piece in first[0]["text"], first)
        done = tool("trace", "import", path, *words.split())
        checks.equal(f"{what}: nothing is imported", (done.returncode, done.stdout), (USAGE, ""))


# A child begins with its parent's greatest size, so it has a small one.
MEASURE = """
import os, sys
pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
status, usage = os.wait4(pid, 0)[1:]
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def measured(tool: Tool, path: Path) -> tuple[int, int, str]:
    """Exit code, greatest resident kB and standard error of a check."""
    line = [sys.executable, "-ISc", MEASURE, str(tool.path), "trace", "check", str(path)]
    done = subprocess.run(line, text=True, capture_output=True, check=True)
    code, resident = done.stdout.split()[-2:]
    return int(code), int(resident), done.stderr


def check_size(checks: Checks, tool: Tool) -> None:
    """1 TB of nothing, 1 TB with a good begin, and more steps than there may be.

    Who reads on after what is wrong does not come back.
    """
    for what, content, want in (
        ("1 TB of holes", b"", ":1: binary"),
        ("1 TB after good lines", b"".join(b"%d\n" % i for i in range(100000)), ":100001: binary"),
    ):
        path = tool.file(content)
        os.truncate(path, 1 << 40)
        code, resident, err = measured(tool, path)
        checks.equal(f"{what}: {err}", (code, want in err), (USAGE, True))
        checks.true(f"{what}: in 100 MB", resident < 100000, resident)
    path = tool.folder / "many"
    with path.open("w") as f:
        for start in range(0, LIMIT + 1000, 1000):
            f.write("".join(f"{i}\n" for i in range(start, start + 1000)))
    code, resident, err = measured(tool, path)
    checks.equal(
        f"too many steps: {err}", (code, f":{LIMIT + 2}: more than {LIMIT} steps" in err), (USAGE, True)
    )
    checks.true("too many steps: in 100 MB", resident < 100000, resident)
    path.unlink()


def check_noise(checks: Checks, tool: Tool) -> None:
    """Whatever is in a file, it is judged: no crash, no sanitizer's complaint."""
    rng = random.Random(4)
    letters = b"0123456789,.-# \tewlinkshcduratgy\r\n\n\n\n"
    formats = ["", "schedule", "mahimahi", "jens", "theaterq", "csv"]
    for i in range(120):
        content = bytes(rng.choice(letters) for _ in range(rng.randrange(400)))
        if i % 6 == 1:
            content = b"wlink schedule\ncolumns rate grant\nlength 9s\n" + content
        kind = formats[i % 6]
        path = tool.file(content)
        done = tool("trace", "check", path, *(["format", kind] if kind else []))
        checks.true(f"noise {i} as {kind}", done.returncode in (DONE, USAGE), (content, done.stderr))


@pytest.fixture
def tool(build: Path, tmp_path: Path) -> Tool:
    return Tool(build, tmp_path)
