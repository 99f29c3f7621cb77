# SPDX-License-Identifier: GPL-2.0
"""Traces: what each format comes to, what is guessed, what is written."""

import subprocess
from pathlib import Path

import pytest
import traces
from harness import Checks

DONE, USAGE, NOT_FOUND = 0, 1, 3


class Tool:
    """wlinkctl trace under ASan, on files made for it."""

    def __init__(self, build: Path, folder: Path) -> None:
        self.path = build / "tests/plugin/wlinkctl"
        self.folder = folder
        self.count = 0

    def file(self, content: bytes | str) -> Path:
        self.count += 1
        path = self.folder / f"t{self.count}"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def __call__(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.path, *words], text=True, errors="replace", capture_output=True, check=False
        )

    def convert(self, checks: Checks, *words: str | Path) -> str:
        """Standard output of a command that must succeed."""
        done = self("trace", *words)
        checks.equal(f"exit code of trace {' '.join(map(str, words))} {done.stderr}", done.returncode, DONE)
        return done.stdout


# (what, content, words of import, our format)
IMPORTS: list[tuple[str, str, str, str]] = [
    (
        "mahimahi: equal times add up, the last one is the period",
        "0\n0\n0\n5\n12\n12\n",
        "",
        "columns grant\nlength 12ms\nend loop\n0s 4500\n5ms 1500\n12ms 3000\n",
    ),
    ("mahimahi: one line", "12\n", "", "columns grant\nlength 12ms\nend loop\n12ms 1500\n"),
    ("mahimahi: no last newline", "3\n12", "", "columns grant\nlength 12ms\nend loop\n3ms 1500\n12ms 1500\n"),
    ("mahimahi: CR LF", "3\r\n12\r\n", "", "columns grant\nlength 12ms\nend loop\n3ms 1500\n12ms 1500\n"),
    (
        "jens: ten lines a second",
        "# a header\n20219\n0\n7.5\n",
        "",
        "columns rate\nlength 300ms\n0s 20219kbit\n100ms 0\n200ms 7500bit\n",
    ),
    (
        "jens: the header's frequency",
        "# :recommended_freqeuncy=20\n384\n128\n",
        "",
        "columns rate\nlength 100ms\n0s 384kbit\n50ms 128kbit\n",
    ),
    ("jens: as said", "384\n385\n", "format jens", "columns rate\nlength 200ms\n0s 384kbit\n100ms 385kbit\n"),
    (
        "csv: header, fractions, units; the last row lasts as long as the one before",
        "time,rate\n0,384000\n0.25,1.5mbit\n750ms,64kbit\n1.5,1e6\n",
        "",
        "columns rate\nlength 2250ms\n0s 384kbit\n250ms 1500kbit\n750ms 64kbit\n1500ms 1mbit\n",
    ),
    ("csv: one row lasts a second", "0,5\n", "", "columns rate\nlength 1s\n0s 5bit\n"),
    (
        "csv: rounded to ns and bit/s",
        "0,1.5\n0.30000000000000004,2.4999\n1e-0,3\n",
        "",
        "columns rate\nlength 1700ms\n0s 2bit\n300ms 2bit\n1s 3bit\n",
    ),
    (
        "csv: times count from the first, a comment says the length",
        "# length 7.5\n100.5, 10\n 101 ,20\n",
        "",
        "columns rate\nlength 7500ms\n0s 10bit\n500ms 20bit\n",
    ),
    (
        "theaterq: simple",
        "KEEP,LATENCY,RATE,LOSS,LIMIT\n100000,20000000,10000000,0,1000\n50,0,5000000,4294967295,1\n",
        "",
        "columns rate delay loss limit_packets\nlength 100050us\n"
        "0s 10mbit 20ms 0 1000\n100ms 5mbit 0 1 1\n",
    ),
    (
        "theaterq: limits in bytes",
        "1,0,8,2147483648,9000\n",
        "limit bytes",
        "columns rate delay loss limit_bytes\nlength 1us\n0s 8bit 0 0.5 9000\n",
    ),
    (
        "theaterq: extended",
        "1000,7,0,8,0,1,0,0,0\n",
        "",
        "columns rate delay loss limit_packets\nlength 1ms\n0s 8bit 7ns 0 1\n",
    ),
    (
        "theaterq: extended, without routes",
        "1000,7,0,8,0,1,0,0\n",
        "",
        "columns rate delay loss limit_packets\nlength 1ms\n0s 8bit 7ns 0 1\n",
    ),
    (
        "our own, in any order and with comments",
        "# mine\nwlink schedule\nlength 2s\ncolumns delay rate # two\n\n0 1ms -\n1.5s  - 3bit # last\n",
        "",
        "columns rate delay\nlength 2s\n0s - 1ms\n1500ms 3bit -\n",
    ),
    (
        "our own, all columns",
        "wlink schedule\nend stop\nlength 1s\ncolumns rate delay loss limit_packets limit_bytes grant bler\n"
        "1ns 1 0 1% 5 9kb 1500 12.5%\n",
        "format schedule",
        "columns rate delay loss limit_packets limit_bytes grant bler\nlength 1s\nend stop\n"
        "1ns 1bit 0 0.01 5 9000 1500 0.125\n",
    ),
]

# (content, the guess)
GUESSES: list[tuple[str, str]] = [
    ("0\n5\n10\n", "mahimahi"),
    ("1\n" * 10, "mahimahi"),
    ("20000\n15000\n30000\n", "jens"),
    ("# x\n1\n2\n", "jens"),
    ("384.5\n128.25\n", "jens"),
    ("0,1\n", "csv"),
    ("time;x\n0,1\n", "unknown"),
    ("1,1,2,3,4\n", "theaterq"),
    ("# x\nwlink schedule\ncolumns rate\nlength 1s\n0 1kbit\n", "schedule"),
    ("\xef\xbb\xbf0,1000\n", "csv"),
]

# (what, content, words of export, what is written)
EXPORTS: list[tuple[str, str, str, str]] = [
    # 12000 bit at 1.2 Mbit/s take 10 ms; the second half has the rate of one in 25 ms.
    (
        "rates as mahimahi",
        "# length 0.1\n0,1200000\n0.05,480000\n",
        "mahimahi",
        "10\n20\n30\n40\n50\n75\n100\n",
    ),
    # 7/3 ms each: 2.33 4.67 7 9.33 11.67 14
    (
        "opportunities come when their last bit could be sent",
        "# length 0.014\n0,5142857.142857143\n",
        "mahimahi",
        # 12000 / 5142857 s = 2.3333334 ms, so the sixth is just after 14 ms
        "3\n5\n8\n10\n12\n",
    ),
    ("grants as mahimahi", "0\n0\n7\n", "mahimahi", "0\n0\n7\n"),
    # 2 * 1500 bytes in 100 ms are 240 kbit/s; the one at the very end is in the last bin.
    (
        "grants as jens",
        "0\n99\n100\n200\n",
        "jens bin 100ms",
        "# kbit/s\n# :recommended_freqeuncy=10\n240\n240\n",
    ),
    (
        "grants as csv",
        "0\n40\n",
        "csv bin 10ms",
        "# length 0.04\ntime,rate\n0,1200000\n0.01,0\n0.02,0\n0.03,1200000\n",
    ),
    # 1001 bit in a row of 100 ms: 10.01 kbit/s, then 10.02 with what was cut, ...
    (
        "jens carries what is rounded",
        "# length 0.5\n0,10400\n",
        "jens",
        "# kbit/s\n# :recommended_freqeuncy=10\n10\n10\n11\n10\n11\n",
    ),
    (
        "a mean over bins",
        "# length 0.2\n0,1000\n0.05,3000\n",
        "csv bin 100ms",
        "# length 0.2\ntime,rate\n0,2000\n0.1,3000\n",
    ),
    (
        "theaterq",
        "wlink schedule\ncolumns rate delay limit_packets\nlength 3s\n"
        "0 1mbit 5ms 10\n1s - - 20\n2s 2mbit 0 -\n",
        "theaterq",
        "1000000,5000000,1000000,0,10\n1000000,5000000,1000000,0,20\n1000000,0,2000000,0,20\n",
    ),
    ("a schedule", "5\n", "schedule", "wlink schedule\ncolumns grant\nlength 5ms\nend loop\n5ms 1500\n"),
]


def check_formats(checks: Checks, tool: Tool) -> None:
    for what, content, words, want in IMPORTS:
        got = tool.convert(checks, "import", tool.file(content), *words.split())
        checks.equal(what, got, "wlink schedule\n" + want)
        again = tool.convert(checks, "import", tool.file(got))
        checks.equal(f"{what}, read again", again, got)
    for content, want in GUESSES:
        done = tool("trace", "check", tool.file(content.encode("latin-1")))
        kind = done.stdout.partition(": ")[2].partition(" ")[0] or "unknown"
        checks.equal(f"guess of {content[:20]!r}", kind, want)
    for what, content, words, want in EXPORTS:
        got = tool.convert(checks, "export", tool.file(content), "format", *words.split())
        checks.equal(what, got, want)


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


@pytest.fixture
def tool(build: Path, tmp_path: Path) -> Tool:
    return Tool(build, tmp_path)
