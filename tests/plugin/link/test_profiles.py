# SPDX-License-Identifier: GPL-2.0
"""Profiles: the papers' numbers, files good and bad, and what is sent of them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import Checks, N, WordTool, attr, nest, u32, u64

MS = 10**6
DONE, USAGE, NOT_FOUND = 0, 1, 3

# The AQM paper's Table 3: kbit/s, T_r in ms, minth; and Table 5: kbit/s, maxp, minth.
TABLE_3 = [(64, 2500, 10), (128, 1300, 15), (256, 500, 20), (384, 200, 20)]
TABLE_5 = [(64, 0.3, 10), (128, 0.2, 10), (256, 0.06, 15), (384, 0.05, 20)]


def row(rate: int, *aqm: bytes) -> bytes:
    return nest(N.PROFILE_ROW, u64(N.ROW_RATE, rate), nest(N.ROW_AQM, *aqm))


def profile(name: str, *rows: bytes) -> bytes:
    return nest(N.PROFILE, attr(N.PROFILE_NAME, name.encode() + b"\0"), *rows)


def sdus(minth: int, *more: bytes) -> bytes:
    return u32(N.UNIT, 0) + u32(N.MINTH, minth) + b"".join(more)


def check_tables(checks: Checks, tool: WordTool) -> None:
    for name, more in (("sbd-3g", b""), ("sbd-3g-clamp", u32(N.CLAMP, 1))):
        want = profile(
            name,
            *(
                row(
                    rate * 1000,
                    u32(N.KIND, N.SBD),
                    sdus(minth, u32(N.MAXTH, 0), u32(N.ALPHA, 5), u64(N.TR, tr * MS), u32(N.HOLD, 0), more),
                )
                for rate, tr, minth in TABLE_3
            ),
        )
        checks.equal(f"Table 3, {name}", tool.words(f"profile {name}"), want)
    want = profile(
        "red-3g",
        *(
            row(
                rate * 1000,
                u32(N.KIND, N.RED),
                sdus(minth, u32(N.MAXTH, 0), u32(N.MAXP, round(maxp * 2**32))),
            )
            for rate, maxp, minth in TABLE_5
        ),
    )
    checks.equal("Table 5", tool.words("profile red-3g"), want)
    whole = tool.words("profile red-3g rate 5")
    checks.equal("the profile stands last", whole, u64(N.RATE, 5) + want)
    checks.equal("a class may have one", tool.words("profile red-3g", is_class=True), want)
    checks.equal("none", tool.words("profile none"), profile(""))
    both = nest(N.AQM, u32(N.KIND, N.DROPTAIL)) + profile("")
    checks.equal("none, and an AQM instead", tool.words("profile none aqm droptail"), both)


def check_shown(checks: Checks, tool: WordTool) -> None:
    """A name says it all; JSON says what is in force, too."""
    aqm = nest(N.AQM, u32(N.KIND, N.CODEL), u64(N.TARGET, 5 * MS))
    payload = u64(N.RATE, 5000) + aqm + profile("red-3g")
    checks.equal("text of a profile", tool.show(payload), "rate 5kbit profile red-3g")
    want: dict[str, Any] = {
        "rate_bps": 5000,
        "profile": "red-3g",
        "aqm": {"kind": "codel", "target_ns": 5 * MS},
    }
    checks.equal("JSON of a profile", tool.json(payload), want)
    payload = u64(N.RATE, 5000) + aqm + profile("")
    checks.equal("text without one", tool.show(payload), "rate 5kbit aqm codel target 5ms")
    checks.equal("JSON without one", tool.json(payload), want | {"profile": None})
    payload = tool.attributes("profile red-3g")
    checks.equal("typed back", tool.words(tool.show(payload)), payload)
    checks.equal("control characters", tool.show(profile("a\x1b[2Jb")), "profile a?[2Jb")
    for name, shown in (
        ("/home/jörg/€/\U0001f4e1".encode(), "/home/jörg/€/\U0001f4e1"),
        (b"a\xffb\xc3", "a?b?"),
        (b"\xc0\x80\xe0\x80\x80", "?????"),
        (b"\xed\xa0\x80", "???"),
        (b"\xf4\x90\x80\x80\xf8", "?????"),
        (b"\xc2\x9b\x7f", "???"),
    ):
        payload = nest(N.PROFILE, attr(N.PROFILE_NAME, name))
        checks.equal(f"the name {name!r}", tool.json(payload), {"profile": shown})
    checks.equal("the longest name", tool.show(profile("x" * 91)), "profile " + "x" * 91)
    checks.equal("a name too long", tool.show(profile("x" * 92)), "")
    payload = nest(N.PROFILE, attr(N.PROFILE_NAME, b"abc"))
    checks.equal("a name without its end", tool.show(payload), "profile abc")


BAD_WORDS = [
    ("profile", "profile has no value"),
    ("profile lte", 'profile "lte" is unknown; it is sbd-3g, sbd-3g-clamp, red-3g, none or a file'),
    ("profile /no/such", "profile /no/such: No such file or directory"),
    ("profile /", "profile /: Is a directory"),
    ("profile /proc/self/mem", "profile /proc/self/mem: Input/output error"),
    ("profile red-3g profile sbd-3g", "profile is given twice"),
    ("aqm codel profile red-3g", "profile red-3g brings its own aqm; type the one or the other"),
    ("profile red-3g aqm codel", "profile red-3g brings its own aqm; type the one or the other"),
    ("profile red-3g rate 101gbit", "rate 101gbit is outside 0..100gbit, or unlimited"),
    ("profile red-3g channel rayleigh", "channel rayleigh needs both fer and fdt"),
    (
        "profile " + "x" * 92,
        'profile "' + "x" * 80 + '..." has more than 91 bytes',
    ),
]

GOOD_FILES: list[tuple[str, bytes, list[bytes]]] = [
    ("one row", b"5kbit codel\n", [row(5000, u32(N.KIND, N.CODEL))]),
    ("no final newline", b"5kbit codel", [row(5000, u32(N.KIND, N.CODEL))]),
    (
        "comments, blanks and DOS",
        b"# rate, AQM\n\n  \t\r\n5kbit\tdroptail # slow\r\n# between\n7kbit red minth 3 maxp 0.5\r\n",
        [
            row(5000, u32(N.KIND, N.DROPTAIL)),
            row(7000, u32(N.KIND, N.RED), sdus(3, u32(N.MAXP, 2**31))),
        ],
    ),
    (
        "64 rows",
        b"".join(b"%d sbd minth %d tr 5ms\n" % (n, n) for n in range(1, 65)),
        [row(n, u32(N.KIND, N.SBD), sdus(n, u64(N.TR, 5 * MS))) for n in range(1, 65)],
    ),
    ("a line of 1000 bytes", b"5 codel #" + b"x" * 991 + b"\n", [row(5, u32(N.KIND, N.CODEL))]),
    ("UTF-8 in a comment", "5 codel # über\n".encode(), [row(5, u32(N.KIND, N.CODEL))]),
]

BAD_FILES: list[tuple[str, bytes, str]] = [
    ("empty", b"", "1: the file is empty"),
    ("comments only", b"# a\n#b\n", "2: no rate up to the end of the file"),
    ("a newline only", b"\n", "1: no rate up to the end of the file"),
    ("binary", b"5 codel\n\x7fELF\2\1\1\0", "2: byte 1 is 0x7f; this is no text, hence no profile"),
    ("a zero byte", b"5 co\0del\n", "1: byte 5 is 0x00; this is no text, hence no profile"),
    ("zeros", bytes(10**5), "1: byte 1 is 0x00; this is no text, hence no profile"),
    ("a long line", b"5 codel\n7 codel #" + b"x" * 992 + b"\n", "2: longer than 1000 bytes"),
    ("a huge file", b"# x\n" * 70000, " above 262144 bytes, which no profile needs"),
    ("no rate", b"codel\n", '1: rate "codel" is not a number'),
    ("a bad rate", b"5 codel\n101gbit codel\n", "2: rate 101gbit is outside 0..100gbit"),
    ("an unknown unit", b"5k codel\n", '1: rate "5k" has an unknown unit; it takes bit, kbit'),
    ("a rate alone", b"5kbit\n", "1: rate 5kbit has no aqm behind it"),
    ("a rate and a comment", b"5kbit # codel\n", "1: rate 5kbit has no aqm behind it"),
    ("out of order", b"7kbit codel\n# x\n5kbit codel\n", "3: rate 5kbit is below that of line 1; rates must"),
    ("twice", b"5kbit codel\n7kbit codel\n5kbit codel\n", "3: rate 5kbit is in line 1 already"),
    ("twice in other units", b"8kbit codel\n1kbps codel\n", "2: rate 8kbit is in line 1 already"),
    ("an unknown AQM", b"5 pie\n", '1: aqm "pie" is unknown; it is droptail, red, sbd or codel'),
    ("an unknown word", b"5 red minth 5 mxp 0.1\n", '1: unknown word "mxp"'),
    ("a word of the link", b"5 codel delay 5ms\n", "1: delay is no word of an aqm"),
    ("another AQM", b"5 codel aqm codel\n", "1: aqm is given twice"),
    ("a profile in a profile", b"5 codel profile red-3g\n", "1: profile is no word of an aqm"),
    ("a word of another AQM", b"5 codel minth 5\n", "1: minth does not belong to aqm codel"),
    ("a word without value", b"5 sbd minth 5 tr\n", "1: tr has no value"),
    ("minth above maxth", b"5 red minth 50 maxth 40 maxp 0.1\n", "1: minth 50 is not below maxth 40"),
    ("maxp 0", b"5 red minth 5 maxp 0\n", "1: maxp 0 is outside 0.0000000002..1"),
    ("maxp above 1", b"5 red minth 5 maxp 1.5\n", "1: maxp 1.5 is outside 0.0000000002..1"),
    ("no maxp", b"5 codel\n\n6 red minth 5\n", "3: aqm red needs maxp"),
    ("no tr", b"5 sbd minth 5\n", "1: aqm sbd needs tr"),
    ("ECN of droptail", b"5 droptail ecn on\n", "1: aqm droptail cannot mark, ecn needs red, sbd or codel"),
    ("65 rows", b"".join(b"%d codel\n" % n for n in range(1, 66)), "65: more than 64 rates"),
    ("many words", b"5 codel" + b" ecn on" * 40 + b"\n", "1: more than 64 words"),
]


class Files:
    """Profiles on disk, the words that read them, and wlinkctl."""

    def __init__(self, folder: Path, tool: WordTool, build: Path) -> None:
        self.path = folder / "mine"
        self.tool = tool
        self.program = build / "tests/plugin/wlinkctl"

    def words(self, text: bytes) -> bytes | str:
        self.path.write_bytes(text)
        return self.tool.words(f"profile {self.path}")

    def ctl(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.program), "profile", *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.path.parent)


def check_files(checks: Checks, files: Files) -> None:
    for name, text, rows in GOOD_FILES:
        checks.equal(f"a file: {name}", files.words(text), profile(str(files.path), *rows))
        done = files.ctl("check", str(files.path))
        checks.equal(f"checked: {name}", done.stdout, f"{files.path}: good, {len(rows)} rates\n")
        checks.equal(f"exit code: {name}", (done.returncode, done.stderr), (DONE, ""))
    for name, text, sentence in BAD_FILES:
        answer = files.words(text)
        assert isinstance(answer, str), name
        checks.true(f"a bad file: {name}", answer.startswith(f"{files.path}:{sentence}"), answer)
        done = files.ctl("check", str(files.path))
        checks.equal(f"exit code of a bad file: {name}", (done.returncode, done.stdout), (USAGE, ""))
        checks.true(f"wlinkctl: {name}", f"{files.path}:{sentence}" in done.stderr, done.stderr)


def check_commands(checks: Checks, files: Files) -> None:
    listed = json.loads(files.ctl("list", "--json").stdout)
    checks.equal("profiles", [entry["name"] for entry in listed], ["red-3g", "sbd-3g", "sbd-3g-clamp"])
    lines = files.ctl("list").stdout.splitlines()
    names = ["red-3g", "sbd-3g", "sbd-3g-clamp"]
    checks.equal("profiles for readers", [line.split()[0] for line in lines], names)
    for name, table in (("sbd-3g", "Table 3"), ("sbd-3g-clamp", "Table 3"), ("red-3g", "Table 5")):
        text = files.ctl("show", name).stdout
        rows = [line for line in text.splitlines() if not line.startswith("#")]
        checks.true(f"{name}: each row has its source", all(table in line for line in rows), text)
        rows_of = files.tool.attributes(f"profile {name}")[len(profile(name)) :]
        got = files.words(text.encode())
        checks.equal(f"{name}: what is shown is a file", got[len(profile(str(files.path))) :], rows_of)
        shown = json.loads(files.ctl("show", name, "--json").stdout)
        rates = [entry["rate_bps"] // 1000 for entry in shown["rows"]]
        checks.equal(f"{name}: rates", rates, [64, 128, 256, 384])
        checks.equal(f"{name}: kinds", {entry["aqm"]["kind"] for entry in shown["rows"]}, {name[:3]})
        checks.true(f"{name}: sources", all(table in entry["source"] for entry in shown["rows"]), shown)
    files.path.write_text("# mine\n5kbit sbd minth 9 tr 1s\n")
    shown = json.loads(files.ctl("check", str(files.path), "--json").stdout)
    aqm = {"kind": "sbd", "unit": "sdus", "minth": 9, "tr_ns": 10**9}
    want_json = {"name": str(files.path), "rows": [{"rate_bps": 5000, "aqm": aqm, "line": 2}]}
    checks.equal("JSON of a file", shown, want_json)
    done = files.ctl("show", "mine")
    checks.equal("a file of this folder", (done.returncode, done.stdout), (DONE, "5kbit sbd minth 9 tr 1s\n"))
    for words, code, piece in (
        ("", USAGE, "profile needs list, show NAME"),
        ("show", USAGE, "profile needs list"),
        ("show lte", NOT_FOUND, 'profile "lte" is unknown; it is sbd-3g, sbd-3g-clamp, red-3g, none or'),
        ("check /no/such", USAGE, "profile /no/such: No such file or directory"),
        ("load", USAGE, "profile load needs a device"),
        ("load lo", USAGE, "profile load needs a device and, as its last word, a profile"),
        ("load lo lte", USAGE, 'profile "lte" is unknown'),
        ("load no-such-dev red-3g", NOT_FOUND, 'no device "no-such-dev"'),
        ("load dev lo 1: bearer 2 3 red-3g", USAGE, "profile load needs a device and, as its last word"),
        ("load lo bearer 2 bearer 3 red-3g", USAGE, "profile load needs a device and, as its last word"),
        ("load lo bearer all red-3g", USAGE, "profile load takes bearers by number"),
    ):
        done = files.ctl(*words.split())
        checks.equal(f"exit code of profile {words}", done.returncode, code)
        checks.true(f"profile {words}", piece in done.stderr, done.stderr)


def check_bad_words(checks: Checks, tool: WordTool) -> None:
    for words, sentence in BAD_WORDS:
        checks.equal(f"bad words: {words}", tool.words(words), sentence)


@pytest.fixture
def files(tmp_path: Path, tool: WordTool, build: Path) -> Files:
    return Files(tmp_path, tool, build)
