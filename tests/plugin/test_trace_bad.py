# SPDX-License-Identifier: GPL-2.0
"""Traces that are broken or suspicious, and words that are wrong."""

import json
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from harness import Checks
from test_trace import DONE, NOT_FOUND, USAGE, Tool

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
    ("binary, format said", b"\x1f\x8b\x08\x01", "format jens", 1, 'is not a rate in kbit/s'),
    ("a long line", b"1" * 4097, "format jens", 1, "the line is longer than 4096 bytes"),
    ("a long comment", b"5\n#" + b"x" * 200000 + b"\n6\n", "", 2, "the line is longer than 4096 bytes"),
    ("a long line, guessed", b"," * 9999, "", 1, "the line is longer than 4096 bytes"),
    ("text", b"hello\n", "", 1, '"hello" is not a line of a trace'),
    ("three columns", b"1,2,3\n", "", 1, "is not a line of a trace"),
    ("mahimahi: time goes backwards", b"0\n5\n3\n10\n", "", 3, "time goes backwards: 3 ms after 5 ms"),
    ("mahimahi: time goes backwards, said", b"5\n3\n", "format mahimahi", 2, "time goes backwards: 3 ms after 5 ms"),
    ("mahimahi: seconds", b"0.012\n0.017\n", "", 1, '"0.012" is not a time in whole ms; are these seconds?'),
    ("mahimahi: negative", b"5\n-3\n", "", 2, '"-3" is not a time in whole ms'),
    ("mahimahi: a word", b"5\nfive\n", "", 2, '"five" is not a time in whole ms, one on each line'),
    ("mahimahi: columns", b"5\n6,7\n", "", 2, "a row of several columns; mahimahi has one"),
    ("mahimahi: no period", b"0\n0\n", "", 2, "the last time, which is the period, is 0"),
    ("mahimahi: longer than 10 days", b"1\n864000001\n", "", 2, "864000001 ms is past the greatest length of 864000000 ms"),
    ("mahimahi: past 64 bits", b"1\n" + b"9" * 30 + b"\n", "", 2, "is not a time in whole ms"),
    ("mahimahi: too much at once", b"7\n" * 715829, "", 715828, "more than 715827 lines of 7 ms"),
    ("jens: a word", b"1\nx\n", "format jens", 2, '"x" is not a rate in kbit/s'),
    ("jens: negative", b"1\n-2\n", "format jens", 2, '"-2" is not a rate, which is 0 or more'),
    ("jens: too fast", b"1\n100000001\n", "format jens", 2, "rate 100000001kbit is outside 0..100gbit"),
    ("jens: frequency 0", b"# :recommended_freqeuncy=0\n1\n", "", 1, "is not a header with a number of lines per second"),
    ("jens: late frequency", b"1\n# :recommended_freqeuncy=5\n", "format jens", 2, "comes after the first line"),
    ("csv: time goes backwards", b"time,rate\n0,1\n2.5,1\n1.5,1\n", "", 4, "time goes backwards: 1.500000000 s after 2.500000000 s"),
    ("csv: back before the first", b"5,1\n4,1\n", "", 2, "time goes backwards: 4.000000000 s after 5.000000000 s"),
    ("csv: a word as time", b"0,1\nx,1\n", "", 2, '"x" is not a time in s'),
    ("csv: a word as rate", b"0,1\n1,fast\n", "", 2, '"fast" is not a rate in bit/s'),
    ("csv: nothing as rate", b"0,1\n1,\n", "", 2, '"" is not a rate in bit/s'),
    ("csv: negative rate", b"0,1\n1,-5\n", "", 2, '"-5" is not a rate, which is 0 or more'),
    ("csv: negative time", b"-1,5\n", "format csv", 1, "\"-1\" is not a time from 0 on"),
    ("csv: not a number", b"0,nan\n", "", 1, '"nan" is not a rate in bit/s'),
    ("csv: infinite", b"0,1e99\n", "", 1, '"1e99" is not a rate in bit/s'),
    ("csv: one column", b"0,1\n1\n", "", 2, "one column; a row is time,rate"),
    ("csv: three columns", b"0,1\n1,2,3\n", "", 2, "more than two columns; a row is time,rate"),
    ("csv: two headers", b"a,b\nc,d\n0,1\n", "", 2, '"c" is not a time'),
    ("csv: too fast", b"0,100000000001\n", "", 1, "rate 100000000001bit is outside 0..100gbit"),
    ("csv: longer than 10 days", b"0,1\n864001,1\n", "", 2, "864001 s is past the greatest length of 864000 s"),
    ("csv: length too short", b"# length 1\n0,1\n2,1\n", "", 3, "its length is before its last row"),
    ("theaterq: KEEP 0", b"0,0,1000,0,10\n", "", 1, "KEEP 0: a row must last"),
    ("theaterq: RATE 0", b"5,0,0,0,10\n", "", 1, "RATE 0 is no limit in TheaterQ"),
    ("theaterq: LOSS", b"5,0,9,4294967296,10\n", "", 1, "LOSS 4294967296 is above 4294967295"),
    ("theaterq: LIMIT 0", b"5,0,9,0,0\n", "", 1, "limit_packets 0 is outside 1..1000000"),
    ("theaterq: LATENCY", b"5,3600000000001,9,0,1\n", "", 1, "delay 3600000000001ns is outside 0..3600s"),
    ("theaterq: a fraction", b"5,0.5,9,0,1\n", "", 1, '"0.5" is not LATENCY'),
    ("theaterq: six columns", b"5,0,9,0,1,2\n", "", 1, "6 columns; TheaterQ has 5, or 8 or 9 if extended"),
    ("theaterq: rows differ", b"5,0,9,0,1\n5,0,0,9,0,1,0,0,0\n", "", 2, "9 columns after rows of 5"),
    ("own: no header", b"wlink schedule\n0s 5\n", "", 2, 'there is no line "columns NAME ..." before the first step'),
    ("own: no length", b"wlink schedule\ncolumns rate\n0s 5\n", "", 3, 'there is no line "length TIME" before the first step'),
    ("own: a column", b"wlink schedule\ncolumns speed\n", "", 2, '"speed" is not a column: rate, delay'),
    ("own: twice", b"wlink schedule\ncolumns rate rate\n", "", 2, "column rate is given twice"),
    ("own: an end", b"wlink schedule\nend never\n", "", 2, '"never" is not hold, loop or stop'),
    ("own: few values", b"wlink schedule\ncolumns rate delay\nlength 1s\n0s 5\n", "", 4, "1 values for 2 columns"),
    ("own: many values", b"wlink schedule\ncolumns rate\nlength 1s\n0s 5 6\n", "", 4, "more values than the 1 columns"),
    ("own: a value", b"wlink schedule\ncolumns delay\nlength 1s\n0s 5\n", "", 4, '"5" is not delay'),
    ("own: bare time", b"wlink schedule\ncolumns rate\nlength 1s\n5 5\n", "", 4, '"5" is not a time with ns, us, ms or s'),
    ("own: backwards", b"wlink schedule\ncolumns rate\nlength 1s\n5ms 5\n4ms 5\n", "", 5, "time goes backwards: 4000000 ns after 5000000 ns"),
    ("own: after its end", b"wlink schedule\ncolumns rate\nlength 1s\n2s 5\n", "", 4, "the step is after the end"),
    ("own: too long", b"wlink schedule\nlength 864001s\n", "", 2, '"864001s" is not up to 864000s'),
    ("own: no steps", b"wlink schedule\ncolumns rate\nlength 1s\n", "", 3, "there is no step in it"),
]

# (what, content, words of check, line, a piece of what is said)
WARNINGS: list[tuple[str, str, str, int, str]] = [
    ("mahimahi: a gap", "0\n1500\n3000\n3001\n4002\n", "", 2, "nothing is sent for 1.500 s, from 0.000 s on"),
    ("mahimahi: a gap at the begin", "2500\n2501\n2502\n", "", 1, "nothing is sent for 2.500 s, from 0.000 s on"),
    ("mahimahi: us", "2000\n4000\n9000\n", "gap off", 3, "all times are multiples of 1000 ms: are they us, not ms?"),
    ("mahimahi: too slow", "1\n5000\n10001\n", "gap off", 3, "the mean rate is 3600bit, implausibly low: are the times us, not ms?"),
    ("mahimahi: too fast", "1\n" * 1000 + "2\n" * 1000, "", 2000, "implausibly high: are the times s, not ms?"),
    ("jens: a gap", "500\n" + "0\n" * 11 + "900\n", "format jens", 2, "nothing is sent for 1.100 s, from 0.100 s on"),
    ("jens: a gap to the end", "500\n" + "0\n" * 11, "format jens", 2, "nothing is sent for 1.100 s, from 0.100 s on"),
    ("jens: Mbit/s", "5\n7\n6\n", "format jens", 3, "the mean rate is 6kbit, implausibly low: are these Mbit/s, not kbit/s?"),
    ("jens: bit/s", "20000000\n10000000\n", "format jens", 2, "implausibly high: are these bit/s, not kbit/s?"),
    ("csv: kbit/s", "0,384\n1,128\n", "", 2, "implausibly low: are the rates kbit/s or Mbit/s, not bit/s?"),
    ("csv: ms", "0,384000\n100,128000\n200,384000\n", "", 3, "are the times ms, not s?"),
    ("csv: header", "time_ms,kbps\n0,50000\n", "", 1, 'the header says "ms", but bare times are read as s'),
    ("nothing at all", "0,0\n1,0\n", "gap off", 2, "nothing is ever sent"),
    ("theaterq: jitter", "5,0,5,99999,0,1,0,0\n5,0,0,99999,0,1,0,0\n5,0,1,99999,0,1,0,0\n", "", 1, "JITTER has no counterpart in a wlink and is left out, here and in 1 further rows"),
    ("theaterq: duplicates", "5,0,0,99999,0,1,0,0\n5,0,0,99999,0,1,7,0\n", "", 2, "DUP_PROB, duplicates, has no counterpart"),
    ("theaterq: routes", "5,0,0,99999,0,1,0,0,3\n", "", 1, "ROUTE_ID, reordering, has no counterpart"),
    ("theaterq: latency in us", "5,20,99999,0,1\n", "", 1, "no LATENCY reaches 1 us"),
    ("theaterq: KEEP in ns", "10000000000,0,99999,0,1\n", "gap off", 1, "is KEEP in ns, not us?"),
]  # fmt: skip

# (content, words of export, a piece of what is said)
REFUSED: list[tuple[str, str, str]] = [
    ("0\n5\n", "format jens", "opportunities are no rates; say bin 100ms"),
    ("0\n5\n", "format csv", "opportunities are no rates; say bin 100ms"),
    ("0\n5\n", "format theaterq", "opportunities are no rates; say bin 100ms"),
    ("0,50000\n0.25,6000\n", "format jens", "250000000 ns is no multiple of 100 ms; say bin 100ms to average"),
    ("0,5\n0.0000005,6\n", "format theaterq", "500 ns is no whole us"),
    ("0,50000\n", "format jens bin 300ms", "a bin of jens must divide a second"),
    ("0,50000\n", "format mahimahi bin 100ms", "a bin is for rates; mahimahi has opportunities"),
    ("0,11999\n", "format mahimahi", "there is no opportunity after 0 in it"),
    ("wlink schedule\ncolumns delay\nlength 1s\n0 1ms\n", "format csv", "there is no column rate in it"),
    ("wlink schedule\ncolumns delay\nlength 1s\n0 1ms\n", "format mahimahi", "there is no column rate or grant in it"),
    ("wlink schedule\ncolumns rate\nlength 1s\n1ms 5\n", "format csv", "the first step is not at 0"),
    ("wlink schedule\ncolumns rate\nlength 1s\n0s -\n", "format csv", "there is no rate yet"),
    ("wlink schedule\ncolumns grant\nlength 1s\n1us 1500\n", "format mahimahi", "1000 ns is no whole ms"),
    ("wlink schedule\ncolumns grant\nlength 1s\n1ms 1400\n", "format mahimahi", "1400 bytes are no multiple of Mahimahi's 1500"),
    ("0\n5\n5\n4\n", "format csv bin 100ms", "time goes backwards"),
]  # fmt: skip

# (words, exit code, a piece of standard error)
WORDS: list[tuple[str, int, str]] = [
    ("trace", USAGE, "trace needs import, export, check or play"),
    ("trace frob", USAGE, 'trace knows import, export, check and play, but got "frob"'),
    ("trace check", USAGE, "trace check needs a file"),
    ("trace check /no/such", USAGE, "/no/such: No such file"),
    ("trace check /tmp", USAGE, "/tmp: Is a directory"),
    ("trace check x format", USAGE, "format has no value"),
    ("trace check x format pcap", USAGE, 'format "pcap" is unknown: schedule, mahimahi, jens, theaterq or csv'),
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
    ("schedule start lo length 0s", USAGE, 'length "0s" is not a time from 1ns'),
    ("schedule start lo length 5s frob", USAGE, 'schedule start knows no word "frob"'),
    ("schedule stop lo x", USAGE, 'schedule stop takes no other word, but got "x"'),
    ("schedule show lo x", USAGE, 'schedule show takes no other word, but got "x"'),
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
        checks.equal(f"{what}: JSON", (code, [f["line"] for f in first], result.get("ok")), (USAGE, [line], False))
        checks.true(f"{what}: JSON text", bool(first) and piece in first[0]["text"], first)
        done = tool("trace", "import", path, *words.split())
        checks.equal(f"{what}: nothing is imported", (done.returncode, done.stdout), (USAGE, ""))


def check_warnings(checks: Checks, tool: Tool) -> None:
    for what, content, words, line, piece in WARNINGS:
        path = tool.file(content)
        done = tool("trace", "check", path, *words.split())
        checks.equal(f"{what}: exit code", done.returncode, USAGE)
        checks.true(f"{what}: said", f"{path}:{line}: warning: " in done.stderr and piece in done.stderr, done.stderr)
        code, result = report(tool, path, words)
        seen = [f for f in result["findings"] if f["grade"] == WARNING and f["line"] == line and piece in f["text"]]
        checks.equal(f"{what}: JSON", (code, len(seen), result["ok"]), (USAGE, 1, False))
        how = words.split() if words.startswith("format") else []
        checks.equal(f"{what}: it is imported all the same", tool("trace", "import", path, *how).returncode, DONE)
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
    checks.equal("rates of these", [result[k] for k in ("mean_bps", "min_bps", "max_bps")], [160000, 0, 360000])
    code, result = report(tool, tool.file("0,20000\n1,60000\n3,0\n3.5,10000\n"), "")
    want = {"format": "csv", "lines": 4, "steps": 4, "length_ns": 4 * 10**9, "bytes": 18125, "gaps": 0}
    checks.equal("figures of rates", {k: result[k] for k in want}, want)
    checks.equal("mean, min, max", [result[k] for k in ("mean_bps", "min_bps", "max_bps")], [36250, 0, 60000])
    code, result = report(tool, tool.file("0,20000\n1,0\n3,0\n3.5,10000\n"), "gap 2s")
    checks.equal("a gap over two rows", (code, result["gaps"], result["longest_gap"]), (USAGE, 1, 2.5))
    many = tool("trace", "check", tool.file("1\nx\n" * 50), "format", "jens")
    checks.equal("no more than 20 errors", many.stderr.count('"x" is not a rate'), 20)
    done = tool("trace", "export", tool.file("wlink schedule\ncolumns rate delay\nlength 1s\n0 5 1ms\n"), "format", "csv")
    checks.true("what is left out is told once", done.stderr.count("column delay has no place") == 1, done.stderr)


def measured(tool: Tool, path: Path) -> tuple[int, float, int, str]:
    """Exit code, seconds, greatest resident kB and standard error of a check."""
    with tempfile.TemporaryFile("w+") as err:
        begin = time.monotonic()
        process = subprocess.Popen([tool.path, "trace", "check", path], stdout=subprocess.DEVNULL, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.monotonic() - begin
        err.seek(0)
        return process.returncode, took, usage.ru_maxrss, err.read()


def check_size(checks: Checks, tool: Tool) -> None:
    """4 GB of nothing, 4 GB with a good begin, and more steps than there may be."""
    for what, content, want in (
        ("4 GB of holes", b"", ":1: binary"),
        ("4 GB after good lines", b"".join(b"%d\n" % i for i in range(100000)), ":100001: binary"),
    ):
        path = tool.file(content)
        os.truncate(path, 1 << 32)
        code, took, resident, err = measured(tool, path)
        checks.equal(f"{what}: {err}", (code, want in err), (USAGE, True))
        checks.true(f"{what}: in 5 s and 100 MB", took < 5 and resident < 100000, (took, resident))
    path = tool.folder / "many"
    with path.open("w") as f:
        for start in range(0, LIMIT + 1000, 1000):
            f.write("".join(f"{i}\n" for i in range(start, start + 1000)))
    code, took, resident, err = measured(tool, path)
    checks.equal(f"too many steps: {err}", (code, f":{LIMIT + 2}: more than {LIMIT} steps" in err), (USAGE, True))
    checks.true("too many steps: in 30 s and 100 MB", took < 30 and resident < 100000, (took, resident))
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


def check_pipe(checks: Checks, tool: Tool) -> None:
    done = subprocess.run([tool.path, "trace", "import", "-"], input="3\n9", text=True, capture_output=True, check=False)
    checks.equal("from a pipe", (done.returncode, done.stdout.splitlines()[-1]), (DONE, "9ms 1500"))
    for words, code, piece in WORDS:
        done = tool(*words.split())
        checks.equal(f"exit code of {words}", done.returncode, code)
        checks.true(f"{words}: {piece}", piece in done.stderr, done.stderr)


def run(checks: Checks, build: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(build, Path(folder))
        check_errors(checks, tool)
        check_warnings(checks, tool)
        check_good(checks, tool)
        check_size(checks, tool)
        check_noise(checks, tool)
        check_pipe(checks, tool)
    checks.group("broken traces")
