# SPDX-License-Identifier: GPL-2.0
"""Traces: what each format comes to, what is guessed, written and refused, and how long it takes."""

import io
import json
import os
import random
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import traces
from harness import Checks
from wlablib.lib.beside import Stop
from wlablib.trace import command
from wlablib.trace.table import reader

DONE, USAGE = 0, 1
STEPS_MAX = 4194304
# What is too long for cases.txt.
LONG: list[tuple[str, bytes, str, int, str]] = [
    ("a long line", b"1" * 4097, "format jens", 1, "the line is longer than 4096 bytes"),
    ("a long comment", b"5\n#" + b"x" * 200000 + b"\n6\n", "", 2, "the line is longer than 4096 bytes"),
    ("a long line, guessed", b"," * 9999, "", 1, "the line is longer than 4096 bytes"),
    ("mahimahi: too much at once", b"7\n" * 715829, "", 715828, "more than 715827 lines of 7 ms"),
]
TOO_FAST = "mahimahi: too fast", b"1\n" * 1000 + b"2\n" * 1000, "", 2000, "implausibly high: are the times s"
# A child begins with its parent's greatest size, so it has a small one.
MEASURE = """
import os, sys
pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
status, usage = os.wait4(pid, 0)[1:]
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Tool:
    """The command trace, on files made for it."""

    def __init__(self, build: Path, folder: Path) -> None:
        self.program = build / "bin/wlinkctl-trace"
        self.folder = folder
        self.count = 0

    def file(self, content: bytes | str) -> Path:
        self.count += 1
        path = self.folder / f"t{self.count}"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def __call__(self, *words: str | Path) -> Done:
        out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = command.main([str(word) for word in words])
            except Stop as stop:
                code = stop.complain()
        texts = []
        for stream in (out, err):
            stream.flush()
            stream.seek(0)
            texts.append(stream.read())
        return Done(code, *texts)

    def convert(self, checks: Checks, *words: str | Path) -> str:
        """Standard output of a command that must succeed."""
        done = self(*words)
        checks.equal(f"exit code of trace {' '.join(map(str, words))} {done.err}", done.code, DONE)
        return done.out

    def report(self, path: Path, words: str) -> tuple[int, dict[str, Any]]:
        done = self("--json", "check", path, *words.split())
        return done.code, json.loads(done.out)


def check_formats(checks: Checks, tool: Tool) -> None:
    for what, content, words, want in traces.cases("imports"):
        got = tool.convert(checks, "import", tool.file(content.encode("latin-1")), *words.split())
        checks.equal(what, got, "wlink schedule\n" + want)
        without = re.sub(r"^#.*\n", "", got, flags=re.M)
        checks.equal(f"{what}, read again", tool.convert(checks, "import", tool.file(got)), without)
    for content, want in traces.cases("guesses"):
        done = tool("check", tool.file(content.encode("latin-1")))
        kind = done.out.partition(": ")[2].partition(" ")[0] or "unknown"
        checks.equal(f"guess of {content[:20]!r}", kind, want)
    for what, content, words, want in traces.cases("exports"):
        checks.equal(what, tool.convert(checks, "export", tool.file(content), "format", *words.split()), want)


def check_round_trips(checks: Checks, tool: Tool) -> None:
    """What a format can say comes back as it was."""
    for kind, content in (
        ("mahimahi", "0\n0\n5\n12\n12\n"),
        ("jens", "20219\n0\n7\n"),
        ("csv", "0,384000\n0.25,1500000\n0.75,0\n1.000000001,7\n"),
        ("theaterq", "100000,20000000,10000000,1,1000\n50,0,5000000,4294967295,1\n"),
    ):
        first = tool.convert(checks, "import", tool.file(content), "format", kind)
        back = tool.convert(checks, "export", tool.file(first), "format", kind)
        again = tool.convert(checks, "import", tool.file(back), "format", kind)
        checks.equal(f"{kind} there and back", again, first)
        rows = [line for line in back.splitlines() if line[0].isdigit()]
        if kind in ("mahimahi", "jens", "theaterq"):
            checks.equal(f"{kind} is written as it was", rows, content.split())


def grants_agree(checks: Checks, tool: Tool, path: Path) -> None:
    want, period = traces.mahimahi(path)
    got = traces.own(tool.convert(checks, "import", path))
    steps = [(at, int(values[0])) for at, values in got.steps]
    checks.equal(f"{path.name}: steps", len(steps), len(want))
    checks.true(f"{path.name}: each opportunity", steps == want)
    checks.equal(f"{path.name}: period and end", (got.length_ns, got.end), (period, "loop"))
    checks.true(f"{path.name}: bytes in 100 ms", traces.grant_bins(steps) == traces.grant_bins(want))
    back = tool.convert(checks, "export", path, "format", "mahimahi")
    checks.true(f"{path.name}: written as it was", back == path.read_text())
    rates = tool.convert(checks, "export", path, "format", "csv", "bin", "100ms").splitlines()
    ends = min(period, len(rates[2:]) * traces.BIN_NS)
    bins = traces.grant_bins([(min(at, ends - 1), size) for at, size in want])
    rest = (period - 1) % traces.BIN_NS + 1
    spans = [traces.BIN_NS] * (len(rates[2:]) - 1) + [rest]
    carry = 0
    for i, (line, span) in enumerate(zip(rates[2:], spans, strict=True)):
        bits = bins.get(i, 0) * 8 * 10**9 + carry
        carry = bits % span
        if int(line.split(",")[1]) != bits // span:
            checks.equal(f"{path.name}: mean rate of bin {i}", line, bits // span)
            break


def rates_agree(checks: Checks, tool: Tool, path: Path) -> None:
    want, length = traces.jens(path)
    got = traces.own(tool.convert(checks, "import", path))
    steps = [
        (at, 0 if values[0] == "0" else traces.number(values[0], traces.BIT)) for at, values in got.steps
    ]
    checks.equal(f"{path.name}: steps", len(steps), len(want))
    checks.true(f"{path.name}: each rate", steps == want)
    checks.equal(f"{path.name}: length", got.length_ns, length)
    checks.true(
        f"{path.name}: bytes in 100 ms",
        traces.rate_bins(steps, got.length_ns) == traces.rate_bins(want, length),
    )
    rows = tool.convert(checks, "export", path, "format", "jens").splitlines()[2:]
    checks.true(f"{path.name}: written as it was", [int(r) * 1000 for r in rows] == [bps for _, bps in want])
    stamps = tool.convert(checks, "export", path, "format", "mahimahi").split()
    total = int(sum(traces.rate_bins(want, length)))
    checks.equal(f"{path.name}: opportunities", len(stamps), total // 1500)


def check_shared(checks: Checks, tool: Tool) -> None:
    if not traces.shared("jens"):
        checks.skip(f"{traces.FOLDER} does not name a folder of measured links")
    for path in traces.shared("mahimahi"):
        grants_agree(checks, tool, path)
    for path in traces.shared("jens"):
        rates_agree(checks, tool, path)


def check_errors(checks: Checks, tool: Tool) -> None:
    table = [(what, text.encode("latin-1"), words, int(line), piece)
             for what, text, words, line, piece in traces.cases("errors")]  # fmt: skip
    for what, content, words, line, piece in [*table, *LONG]:
        path = tool.file(content)
        done = tool("check", path, *words.split())
        checks.equal(f"{what}: exit code {done.err}", done.code, USAGE)
        said = [text for text in done.err.splitlines() if f"{path}:{line}: " in text and piece in text]
        checks.true(f"{what}: line {line}", len(said) == 1, done.err)
        code, result = tool.report(path, words)
        none: dict[str, Any] = {"line": 0, "text": ""}
        first = next((f for f in result["findings"] if f["grade"] == "error"), none)
        got = code, first["line"], piece in first["text"], result["ok"]
        checks.equal(f"{what}: JSON {first}", got, (USAGE, line, True, False))
        done = tool("import", path, *words.split())
        checks.equal(f"{what}: nothing is imported", (done.code, done.out), (USAGE, ""))


def check_warnings(checks: Checks, tool: Tool) -> None:
    table = [(what, text.encode(), words, int(line), piece)
             for what, text, words, line, piece in traces.cases("warnings")]  # fmt: skip
    for what, content, words, line, piece in [*table, TOO_FAST]:
        path = tool.file(content)
        done = tool("check", path, *words.split())
        said = f"{path}:{line}: warning: " in done.err and piece in done.err
        checks.equal(f"{what}: {done.err}", (done.code, said), (USAGE, True))
        code, result = tool.report(path, words)
        seen = [f["text"] for f in result["findings"] if (f["grade"], f["line"]) == ("warning", line)]
        checks.equal(f"{what}: JSON", (code, result["ok"], piece in "".join(seen)), (USAGE, False, True))
        how = words.split() if words.startswith("format") else []
        checks.equal(f"{what}: it is imported all the same", tool("import", path, *how).code, DONE)
    for text, words, piece in traces.cases("refused"):
        done = tool("export", tool.file(text), *words.split())
        checks.equal(f"export {words} of {text!r}", (done.code, done.out), (USAGE, ""))
        checks.true(f"export {words}: {piece}", piece in done.err, done.err)
    for words, code_text, piece in traces.cases("words"):
        done = tool(*words.split()[1:])
        checks.equal(f"{words}: {done.err}", (str(done.code), piece in done.err), (code_text, True))


def check_good(checks: Checks, tool: Tool) -> None:
    """What is fine, the figures, and a note that does not count."""
    code, result = tool.report(tool.file("0\n0\n40\n300"), "")
    checks.equal("no last newline is fine", (code, result["ok"]), (DONE, True))
    checks.equal("but said", [(f["grade"], f["line"]) for f in result["findings"]], [("note", 4)])
    # 6000 bytes in 300 ms; 4500 in the first 100 ms, none in the second
    want = {"format": "mahimahi", "lines": 4, "steps": 3, "length_ns": 300000000, "bytes": 6000, "gaps": 0,
            "mean_bps": 160000, "min_bps": 0, "max_bps": 360000}  # fmt: skip
    checks.equal("figures of opportunities", {k: result[k] for k in want}, want)
    code, result = tool.report(tool.file("0\n12\n"), "")
    checks.equal("a short one is one bin", [result[k] for k in ("min_bps", "max_bps")], [2000000] * 2)
    code, result = tool.report(tool.file("0,20000\n1,60000\n3,0\n3.5,10000\n"), "")
    want = {"format": "csv", "lines": 4, "steps": 4, "length_ns": 4 * 10**9, "bytes": 18125, "gaps": 0,
            "mean_bps": 36250, "min_bps": 0, "max_bps": 60000}  # fmt: skip
    checks.equal("figures of rates", {k: result[k] for k in want}, want)
    code, result = tool.report(tool.file("0,20000\n1,0\n3,0\n3.5,10000\n"), "gap 2s")
    checks.equal("a gap over two rows", (code, result["gaps"], result["longest_gap"]), (USAGE, 1, 2.5))
    many = tool("check", tool.file("1\nx\n" * 50), "format", "jens")
    checks.equal("no more than 20 errors", many.err.count('"x" is not a rate'), 20)
    code, result = tool.report(tool.file("0,20000\n1,10000\n1,30000\n1,40000\n"), "")
    notes = [(f["grade"], f["line"], f["text"].split(":")[0]) for f in result["findings"]]
    checks.equal("two rows of one time", (code, notes), (DONE, [("note", 3, "a second row of one time")]))
    checks.equal("of which the last holds", result["mean_bps"], 30000)
    path = tool.file("t,rate_mbit\n0,1\n1,2\n2,4\n60,2\n")
    code, result = tool.report(path, "")
    notes = [(f["grade"], f["line"], f["text"]) for f in result["findings"]]
    gap = "no row for 58.000 s: the one before it holds"
    checks.equal("a gap in a table", (code, notes), (DONE, [("note", 5, gap)]))
    sources = {"time": {"column": "t", "unit": "s"}, "rate": {"column": "rate_mbit", "unit": "mbit"}}
    checks.equal("its columns", result["sources"], sources)
    # 1 s at 1 and at 2 Mbit/s, 58 s at 4, and the last row as long as the one before it, at 2.
    mean_bps = round((1 + 2 + 58 * 4 + 58 * 2) * 1e6 / 118)
    checks.equal("its figures", (result["seconds"], result["mean_bps"]), (118.0, mean_bps))
    kept, reader.TABLE_MAX = reader.TABLE_MAX, 10
    code, result = tool.report(path, "")
    reader.TABLE_MAX = kept
    said = result["findings"][0]["text"]
    checks.equal("a table that is too large", (code, said[:20]), (USAGE, "a table of more than"))
    own = "wlink schedule\ncolumns rate delay\nlength 1s\n0 5 1ms\n"
    done = tool("export", tool.file(own), "format", "csv")
    checks.equal("what is left out is told once", done.err.count("column delay has no place"), 1)


def check_program(checks: Checks, tool: Tool) -> None:
    """As a process: a pipe, 1 TB of nothing, and more steps than there may be.

    Who reads on after what is wrong does not come back.
    """
    argv = [str(tool.program.with_name("wlinkctl")), "trace", "import", "-"]
    done = subprocess.run(argv, input="3\n9", text=True, capture_output=True, check=False)
    checks.equal("from a pipe", (done.returncode, done.stdout.splitlines()[-1]), (DONE, "9ms 1500"))
    many = "".join(f"{i}\n" for i in range(STEPS_MAX + 1000)).encode()
    for what, content, size, want in (
        ("1 TB of holes", b"", 1 << 40, ":1: binary"),
        ("1 TB after good lines", b"".join(b"%d\n" % i for i in range(100000)), 1 << 40, ":100001: binary"),
        ("too many steps", many, len(many), f":{STEPS_MAX + 2}: more than {STEPS_MAX} steps"),
    ):
        path = tool.file(content)
        os.truncate(path, size)
        line = [sys.executable, "-ISc", MEASURE, str(tool.program), "check", str(path)]
        measured = subprocess.run(line, text=True, capture_output=True, check=True)
        code, resident = map(int, measured.stdout.split()[-2:])
        checks.equal(f"{what}: {measured.stderr}", (code, want in measured.stderr), (USAGE, True))
        checks.true(f"{what}: in 100 MB", resident < 100000, resident)
        path.unlink()


def check_noise(checks: Checks, tool: Tool) -> None:
    """Whatever is in a file, it is judged."""
    rng = random.Random(4)
    letters = b"0123456789,.-# \tewlinkshcduratgy\r\n\n\n\n\xb2\xff"
    formats = ["", "schedule", "mahimahi", "jens", "theaterq", "csv", "table", "ucc", "hsdpa"]
    for i in range(1200):
        content = bytes(rng.choice(letters) for _ in range(rng.randrange(400)))
        if i % len(formats) == 1:
            content = b"wlink schedule\ncolumns rate grant\nlength 9s\n" + content
        kind = formats[i % len(formats)]
        done = tool("check", tool.file(content), *(["format", kind] if kind else []))
        checks.true(f"noise {i} as {kind}", done.code in (DONE, USAGE), (content, done.err))


@pytest.fixture
def tool(build: Path, tmp_path: Path) -> Tool:
    return Tool(build, tmp_path)
