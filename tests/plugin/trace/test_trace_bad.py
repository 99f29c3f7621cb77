# SPDX-License-Identifier: GPL-2.0
"""Traces that are suspicious or cannot be written, and words that are wrong."""

import subprocess
from pathlib import Path

import pytest
from harness import Checks
from test_trace import DONE, NOT_FOUND, USAGE, Tool
from test_trace_errors import WARNING, report

# (what, content, words of check, line, a piece of what is said)
WARNINGS: list[tuple[str, str, str, int, str]] = [
    ("mahimahi: a gap", "0\n1500\n3000\n3001\n4002\n", "", 2, "nothing is sent for 1.500 s, from 0.000 s on"),
    (
        "mahimahi: a gap at the begin",
        "2500\n2501\n2502\n",
        "",
        1,
        "nothing is sent for 2.500 s, from 0.000 s on",
    ),
    (
        "mahimahi: us",
        "2000\n4000\n9000\n",
        "gap off",
        3,
        "all times are multiples of 1000 ms: are they us, not ms?",
    ),
    (
        "mahimahi: too slow",
        "1\n5000\n10001\n",
        "gap off",
        3,
        "the mean rate is 3600bit, implausibly low: are the times us, not ms?",
    ),
    (
        "mahimahi: too fast",
        "1\n" * 1000 + "2\n" * 1000,
        "",
        2000,
        "implausibly high: are the times s, not ms?",
    ),
    (
        "jens: a gap",
        "500\n" + "0\n" * 11 + "900\n",
        "format jens",
        2,
        "nothing is sent for 1.100 s, from 0.100 s on",
    ),
    (
        "jens: a gap to the end",
        "500\n" + "0\n" * 11,
        "format jens",
        2,
        "nothing is sent for 1.100 s, from 0.100 s on",
    ),
    (
        "jens: Mbit/s",
        "5\n7\n6\n",
        "format jens",
        3,
        "the mean rate is 6kbit, implausibly low: are these Mbit/s, not kbit/s?",
    ),
    (
        "jens: bit/s",
        "20000000\n10000000\n",
        "format jens",
        2,
        "implausibly high: are these bit/s, not kbit/s?",
    ),
    ("csv: kbit/s", "0,384\n1,128\n", "", 2, "implausibly low: are the rates kbit/s or Mbit/s, not bit/s?"),
    ("csv: ms", "0,384000\n100,128000\n200,384000\n", "", 3, "are the times ms, not s?"),
    ("csv: header", "time_ms,kbps\n0,50000\n", "", 1, 'the header says "ms", but bare times are read as s'),
    ("nothing at all", "0,0\n1,0\n", "gap off", 2, "nothing is ever sent"),
    (
        "theaterq: jitter",
        "5,0,5,99999,0,1,0,0\n5,0,0,99999,0,1,0,0\n5,0,1,99999,0,1,0,0\n",
        "",
        1,
        "JITTER has no counterpart in a wlink and is left out, here and in 1 further rows",
    ),
    (
        "theaterq: duplicates",
        "5,0,0,99999,0,1,0,0\n5,0,0,99999,0,1,7,0\n",
        "",
        2,
        "DUP_PROB, duplicates, has no counterpart",
    ),
    ("theaterq: routes", "5,0,0,99999,0,1,0,0,3\n", "", 1, "ROUTE_ID, reordering, has no counterpart"),
    ("theaterq: latency in us", "5,20,99999,0,1\n", "", 1, "no LATENCY reaches 1 us"),
    ("theaterq: KEEP in ns", "10000000000,0,99999,0,1\n", "gap off", 1, "is KEEP in ns, not us?"),
]

# (content, words of export, a piece of what is said)
REFUSED: list[tuple[str, str, str]] = [
    ("0\n5\n", "format jens", "opportunities are no rates; say bin 100ms"),
    ("0\n5\n", "format csv", "opportunities are no rates; say bin 100ms"),
    ("0\n5\n", "format theaterq", "opportunities are no rates; say bin 100ms"),
    (
        "0,50000\n0.25,6000\n",
        "format jens",
        "250000000 ns is no multiple of 100 ms; say bin 100ms to average",
    ),
    ("0,5\n0.0000005,6\n", "format theaterq", "500 ns is no whole us"),
    ("0,50000\n", "format jens bin 300ms", "a bin of jens must divide a second"),
    ("0,50000\n", "format mahimahi bin 100ms", "a bin is for rates; mahimahi has opportunities"),
    ("0,11999\n", "format mahimahi", "there is no opportunity after 0 in it"),
    ("wlink schedule\ncolumns delay\nlength 1s\n0 1ms\n", "format csv", "there is no column rate in it"),
    (
        "wlink schedule\ncolumns delay\nlength 1s\n0 1ms\n",
        "format mahimahi",
        "there is no column rate or grant in it",
    ),
    ("wlink schedule\ncolumns rate\nlength 1s\n1ms 5\n", "format csv", "the first step is not at 0"),
    ("wlink schedule\ncolumns rate\nlength 1s\n0s -\n", "format csv", "there is no rate yet"),
    ("wlink schedule\ncolumns grant\nlength 1s\n1us 1500\n", "format mahimahi", "1000 ns is no whole ms"),
    (
        "wlink schedule\ncolumns grant\nlength 1s\n1ms 1400\n",
        "format mahimahi",
        "1400 bytes are no multiple of Mahimahi's 1500",
    ),
    ("0\n5\n5\n4\n", "format csv bin 100ms", "time goes backwards"),
]

# (words, exit code, a piece of standard error)
WORDS: list[tuple[str, int, str]] = [
    ("trace", USAGE, "trace needs import, export, check or play"),
    ("trace frob", USAGE, 'trace knows import, export, check and play, but got "frob"'),
    ("trace check", USAGE, "trace check needs a file"),
    ("trace check /no/such", USAGE, "/no/such: No such file"),
    ("trace check /tmp", USAGE, "/tmp: Is a directory"),
    ("trace check x format", USAGE, "format has no value"),
    (
        "trace check x format pcap",
        USAGE,
        'format "pcap" is unknown: schedule, mahimahi, jens, theaterq or csv',
    ),
    ("trace check x gap 5", USAGE, 'gap "5" is not a time'),
    ("trace check x bin 5s", USAGE, 'trace check knows no word "bin"'),
    ("trace check x limit 5", USAGE, 'limit "5" is neither packets nor bytes'),
    ("trace import x bin 5s", USAGE, 'trace import knows no word "bin"'),
    ("trace export x", USAGE, "trace export needs format and the format to write"),
    ("trace export x format csv bin 1us", USAGE, 'bin "1us" is not a time from 1000000ns'),
    ("trace export x format schedule bin 1s", USAGE, "a schedule is exported as it is"),
    ("trace play lo", USAGE, "trace play needs a device and a file"),
    ("trace play no-such-dev x", NOT_FOUND, 'no device "no-such-dev"'),
    ("trace play lo bearer 0 x", USAGE, 'bearer "0" is not a number'),
    ("trace play lo bearer all x", USAGE, "a schedule is for one bearer at a time"),
    ("trace play lo x start never", USAGE, 'start "never" is not now, packet, +TIME or a TIME'),
    ("trace play lo x start 5", USAGE, 'start "5" is not now'),
    ("trace play lo x start +5", USAGE, 'start "5" is not a time'),
    ("trace play lo x twice", USAGE, 'trace play knows no word "twice"'),
    ("schedule", USAGE, "schedule needs load, start, stop or show"),
    ("schedule frob", USAGE, "schedule knows load, start, stop and show"),
    ("schedule load", USAGE, "schedule load needs a device"),
    ("schedule load lo", USAGE, "schedule load needs a file"),
    ("schedule load no-such-dev x", NOT_FOUND, 'no device "no-such-dev"'),
    ("schedule start lo", USAGE, "schedule start needs length"),
    ("schedule start lo length 0s", USAGE, 'length "0s" is not a time from 1000ns to 864000s'),
    ("schedule start lo length 999ns", USAGE, 'length "999ns" is not a time from 1000ns'),
    ("schedule start lo length 864001s", USAGE, 'length "864001s" is not a time from 1000ns to 864000s'),
    ("schedule start lo length 5s frob", USAGE, 'schedule start knows no word "frob"'),
    ("schedule stop lo x", USAGE, 'schedule stop takes no other word, but got "x"'),
    ("schedule show lo x", USAGE, 'schedule show takes no other word, but got "x"'),
]


def check_warnings(checks: Checks, tool: Tool) -> None:
    for what, content, words, line, piece in WARNINGS:
        path = tool.file(content)
        done = tool("trace", "check", path, *words.split())
        checks.equal(f"{what}: exit code", done.returncode, USAGE)
        checks.true(
            f"{what}: said", f"{path}:{line}: warning: " in done.stderr and piece in done.stderr, done.stderr
        )
        code, result = report(tool, path, words)
        seen = [
            f
            for f in result["findings"]
            if f["grade"] == WARNING and f["line"] == line and piece in f["text"]
        ]
        checks.equal(f"{what}: JSON", (code, len(seen), result["ok"]), (USAGE, 1, False))
        how = words.split() if words.startswith("format") else []
        checks.equal(
            f"{what}: it is imported all the same", tool("trace", "import", path, *how).returncode, DONE
        )
    for content, words, piece in REFUSED:
        done = tool("trace", "export", tool.file(content), *words.split())
        checks.equal(f"export {words} of {content!r}", (done.returncode, done.stdout), (USAGE, ""))
        checks.true(f"export {words}: {piece}", piece in done.stderr, done.stderr)


def check_good(checks: Checks, tool: Tool) -> None:
    """What is fine, the figures, and a note that does not count."""
    code, result = report(tool, tool.file("0\n0\n40\n300"), "")
    checks.equal("no last newline is fine", (code, result["ok"]), (DONE, True))
    checks.equal("but said", [(f["grade"], f["line"]) for f in result["findings"]], [("note", 4)])
    want = {"format": "mahimahi", "lines": 4, "steps": 3, "length_ns": 300000000, "bytes": 6000, "gaps": 0}
    checks.equal("figures of opportunities", {k: result[k] for k in want}, want)
    # 6000 bytes in 300 ms; 4500 in the first 100 ms, none in the second
    checks.equal(
        "rates of these", [result[k] for k in ("mean_bps", "min_bps", "max_bps")], [160000, 0, 360000]
    )
    code, result = report(tool, tool.file("0,20000\n1,60000\n3,0\n3.5,10000\n"), "")
    want = {"format": "csv", "lines": 4, "steps": 4, "length_ns": 4 * 10**9, "bytes": 18125, "gaps": 0}
    checks.equal("figures of rates", {k: result[k] for k in want}, want)
    checks.equal("mean, min, max", [result[k] for k in ("mean_bps", "min_bps", "max_bps")], [36250, 0, 60000])
    code, result = report(tool, tool.file("0,20000\n1,0\n3,0\n3.5,10000\n"), "gap 2s")
    checks.equal("a gap over two rows", (code, result["gaps"], result["longest_gap"]), (USAGE, 1, 2.5))
    many = tool("trace", "check", tool.file("1\nx\n" * 50), "format", "jens")
    checks.equal("no more than 20 errors", many.stderr.count('"x" is not a rate'), 20)
    done = tool(
        "trace",
        "export",
        tool.file("wlink schedule\ncolumns rate delay\nlength 1s\n0 5 1ms\n"),
        "format",
        "csv",
    )
    checks.true(
        "what is left out is told once", done.stderr.count("column delay has no place") == 1, done.stderr
    )


def check_pipe(checks: Checks, tool: Tool) -> None:
    done = subprocess.run(
        [tool.path, "trace", "import", "-"], input="3\n9", text=True, capture_output=True, check=False
    )
    checks.equal("from a pipe", (done.returncode, done.stdout.splitlines()[-1]), (DONE, "9ms 1500"))
    for words, code, piece in WORDS:
        done = tool(*words.split())
        checks.equal(f"exit code of {words}", done.returncode, code)
        checks.true(f"{words}: {piece}", piece in done.stderr, done.stderr)


@pytest.fixture
def tool(build: Path, tmp_path: Path) -> Tool:
    return Tool(build, tmp_path)
