# SPDX-License-Identifier: GPL-2.0
"""Command lines that end before anything is sent, and the plugin inside tc."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from harness import Checks

DONE, USAGE, NOT_FOUND, TIMEOUT = 0, 1, 3, 4
SOURCES = Path(__file__).resolve().parents[3] / "userspace/wlinkctl"

# (words, exit code, a piece of standard error)
ROWS: list[tuple[str, int, str]] = [
    ("", USAGE, "Usage: wlinkctl"),
    ("help", DONE, ""),
    ("--help", DONE, ""),
    ("help me", USAGE, 'help takes no word, but got "me"'),
    ("version", DONE, ""),
    ("-V", DONE, ""),
    ("version 2", USAGE, 'version takes no word, but got "2"'),
    ("frob", USAGE, 'unknown command "frob"; try wlinkctl help'),
    ("sho", USAGE, 'unknown command "sho"'),
    ("show no-such-dev", NOT_FOUND, 'no device "no-such-dev"'),
    ("show lo 1:1", USAGE, '"1:1" is not the handle of a qdisc'),
    ("show lo :", USAGE, '":" is not the handle of a qdisc'),
    ("show lo 10000:", USAGE, '"10000:" is not the handle of a qdisc'),
    ("show lo 0:", USAGE, '"0:" is not the handle of a qdisc'),
    ("show lo 1: x", USAGE, 'show takes a device, a handle and a bearer, but got "x"'),
    ("set", USAGE, "set needs a device and a keyword with its value"),
    ("set lo", USAGE, "set needs a device"),
    ("set lo 1:", USAGE, "set needs a device"),
    ("set lo rate", USAGE, "rate has no value"),
    ("set lo rate 101gbit", USAGE, "rate 101gbit is outside 0..100gbit, or unlimited"),
    ("set lo 1: tti 11s", USAGE, "tti 11s is outside 0..10s"),
    ("set lo 1:2 rate 5", USAGE, '"1:2" is not the handle of a qdisc'),
    ("set lo speed 5", USAGE, 'unknown word "speed"'),
    ("set no-such-dev rate 5kbit", NOT_FOUND, 'no device "no-such-dev"'),
    ("watch --frob", USAGE, 'watch knows no option "--frob"'),
    ("watch --count", USAGE, "--count has no value"),
    ("watch --count 0", USAGE, '--count "0" is not a number from 1 on'),
    ("watch --timeout 5", USAGE, '--timeout "5" is not a time with ns, us, ms or s'),
    ("watch no-such-dev", NOT_FOUND, 'no device "no-such-dev"'),
    ("watch lo lo", USAGE, 'watch takes one device, but got "lo"'),
    ("show dev no-such-dev", NOT_FOUND, 'no device "no-such-dev"'),
    ("show dev lo bearer", USAGE, "bearer has no value"),
    ("show lo bearer 0", USAGE, 'bearer "0" is not a number from 1 to 4096'),
    ("show lo bearer 4097", USAGE, 'bearer "4097" is not a number from 1 to 4096'),
    ("show lo bearer two", USAGE, 'bearer "two" is not a number from 1 to 4096'),
    ("show lo bearer 2 x", USAGE, 'show takes a device, a handle and a bearer, but got "x"'),
    ("set lo bearer 2", USAGE, "set needs a device and a keyword with its value"),
    ("set lo bearer all rate 5", USAGE, "set takes bearers by number, each with its words"),
    ("set dev lo bearer 2 rate 101gbit", USAGE, "rate 101gbit is outside 0..100gbit, or unlimited"),
    ("set dev lo 1: bearer 2 mode tm maxdat 3", USAGE, "maxdat does not belong to mode tm"),
    ("set no-such-dev bearer 2 rate 5", NOT_FOUND, 'no device "no-such-dev"'),
    ("bearer", USAGE, "bearer needs add, del or forward"),
    ("bearer frob", USAGE, 'bearer knows add, del and forward, but got "frob"'),
    ("bearer add", USAGE, "bearer add needs a device"),
    ("bearer add lo", USAGE, "bearer add needs a device and a bearer with its number"),
    ("bearer add lo bearer all", USAGE, "bearer add needs a device and a bearer"),
    ("bearer add lo bearer 2 mode xm", USAGE, 'mode "xm" is unknown'),
    ("bearer add lo bearer 2 aqm red minth 5", USAGE, "aqm red needs maxp"),
    ("bearer del lo bearer 2 rate 5", USAGE, 'bearer del takes no other word, but got "rate"'),
    ("bearer forward lo", USAGE, "bearer forward needs a device and a bearer with its number"),
    ("bearer forward lo bearer 2 rate 5", USAGE, 'bearer forward takes no other word, but got "rate"'),
    ("bearer forward no-such-dev bearer 2", NOT_FOUND, 'no device "no-such-dev"'),
    ("bearer del dev no-such-dev bearer 2", NOT_FOUND, 'no device "no-such-dev"'),
    ("preset", USAGE, "preset needs list, or show and the name of one"),
    ("preset show", USAGE, "preset needs list"),
    ("preset list", DONE, ""),
    ("preset show umts-384", DONE, ""),
    ("preset show lte", NOT_FOUND, 'preset "lte" is unknown; wlinkctl preset list names them'),
    ("record no-such-dev", NOT_FOUND, 'no device "no-such-dev"; a file alone needs a / or a . in its name'),
    ("record dev", USAGE, "record takes a device and a file, but got no device"),
    ("record lo a b", USAGE, "record takes a device and a file, but got b"),
    ("record --frob", USAGE, 'record knows no option "--frob"'),
    ("record --raw --live", USAGE, "record takes --raw or --live, not both"),
    ("record --for", USAGE, "--for has no value"),
    ("record --for 0", USAGE, '--for "0" is not a time above 0'),
    ("record --buffer 1", USAGE, '--buffer "1" is not a size from 1kib to 1024mib'),
    ("record --buffer 1025mib", USAGE, '--buffer "1025mib" is not a size'),
    ("watch bearer", USAGE, "bearer has no value"),
    ("watch lo bearer 0", USAGE, 'bearer "0" is not a number'),
    ("batch", USAGE, "batch needs one file, or - for standard input"),
    ("batch /no/such/file", USAGE, "/no/such/file: No such file or directory"),
]

NETLINK_ROWS: list[tuple[str, int, str]] = [
    ("watch --timeout 1ms", DONE, ""),
    ("watch lo --count 5 --timeout 1ms", TIMEOUT, ""),
    ("show lo", NOT_FOUND, "no wlink on lo"),
    ("show lo 77:", NOT_FOUND, "no wlink 77: on lo"),
    ("show lo bearer 2", NOT_FOUND, "no wlink at the root of lo"),
    ("show lo 77: bearer all", NOT_FOUND, "no wlink 77: on lo"),
    ("set dev lo bearer 2 rate 5", NOT_FOUND, "no wlink at the root of lo"),
    ("bearer del dev lo 77: bearer 2", NOT_FOUND, "no wlink 77: on lo"),
    ("watch dev lo bearer 2 --timeout 1ms", DONE, ""),
    ("show", DONE, ""),
    ("top --once --interval 10ms", DONE, ""),
    ("top lo --once", NOT_FOUND, "no wlink on lo"),
    ("top lo 77: --once", NOT_FOUND, "no wlink 77: on lo"),
    ("top lo bearer 2 --once", NOT_FOUND, "no bearer 2 on lo"),
]


class Cli:
    """wlinkctl under ASan."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.path, *words.split()], input=text, text=True, capture_output=True, check=False
        )


def agree(checks: Checks, cli: Cli, rows: list[tuple[str, int, str]]) -> None:
    for words, code, piece in rows:
        done = cli(words)
        checks.equal(f"exit code of wlinkctl {words}", done.returncode, code)
        if piece:
            checks.true(f"wlinkctl {words} says {piece}", piece in done.stderr, done.stderr)
        else:
            checks.equal(f"wlinkctl {words} is silent", done.stderr, "")


def check_json(checks: Checks, cli: Cli) -> None:
    checks.equal("version", json.loads(cli("version --json").stdout), {"version": "test"})
    commands = [row["command"] for row in json.loads(cli("-j help").stdout)]
    defined = re.compile(r"^(?:static )?int cmd_(\w+)\(", re.M)
    functions = {name for path in SOURCES.rglob("*.c") for name in defined.findall(path.read_text())}
    known = re.search(r"^programs :=(.*)$", (SOURCES / "sources.mk").read_text(), re.M)
    programs = set(known[1].split()) if known else set()
    checks.equal("help has each command", set(commands), functions | programs)
    checks.equal("help has it once", len(commands), len(set(commands)))


def check_batch(checks: Checks, cli: Cli) -> None:
    done = cli("batch -", "version\n# nothing\n\n  frob # x\nversion\n")
    checks.equal("batch stops", (done.returncode, done.stdout), (USAGE, "wlinkctl test\n"))
    checks.true("batch names the line", "line 4 failed" in done.stderr, done.stderr)
    done = cli("batch --force -", "frob\nversion --json\nversion\n")
    checks.equal("batch goes on", done.returncode, USAGE)
    checks.equal("JSON is for its line", done.stdout, '{"version":"test"}\nwlinkctl test\n')
    done = cli("-batch -", "batch -\n")
    checks.true("no batch in a batch", "cannot start another" in done.stderr, done.stderr)
    done = cli("batch -", "set " + "x " * 200)
    checks.true("a long line", "more than 192 words" in done.stderr, done.stderr)
    with tempfile.NamedTemporaryFile("w", suffix=".batch") as script:
        script.write("version")
        script.flush()
        done = cli(f"batch {script.name}")
    checks.equal("a file without newline", (done.returncode, done.stdout), (0, "wlinkctl test\n"))
    with Path("/dev/full").open("w", encoding="ascii") as full:
        code = subprocess.run(
            [cli.path, "version"], stdout=full, stderr=subprocess.DEVNULL, check=False
        ).returncode
    checks.equal("a full disk is noticed", code, USAGE)


def check_tc(checks: Checks, build: Path) -> None:
    tc = shutil.which("tc", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not tc:
        checks.skip("no tc on this machine")
    env = dict(os.environ, TC_LIB_DIR=str(build / "tc"))
    for words, piece in (
        ("help", "[rate RATE|unlimited] [tti TIME]"),
        ("help", "[at TIME|next]"),
        ("rate 101gbit", "wlink: rate 101gbit is outside 0..100gbit, or unlimited"),
        ("rate 5kbit aqm sbd minth 5", "wlink: aqm sbd needs tr"),
        ("rate 5kbit profile lte", 'wlink: profile "lte" is unknown'),
        ("rate 5kbit limit 5x", 'wlink: limit "5x" has an unknown unit'),
    ):
        command = [tc, "qdisc", "add", "dev", "lo", "root", "wlink", *words.split()]
        done = subprocess.run(command, env=env, text=True, capture_output=True, check=False)
        checks.equal(f"exit code of tc ... wlink {words}", done.returncode, 1)
        checks.true(f"tc ... wlink {words}", piece in done.stderr, done.stderr)


def check_tc_room(checks: Checks, build: Path) -> None:
    """tc's message for a class is short; what does not fit is said, not cut."""
    tc = shutil.which("tc", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not tc:
        checks.skip("no tc on this machine")
    env = dict(os.environ, TC_LIB_DIR=str(build / "tc"))
    with tempfile.NamedTemporaryFile("w", suffix=".profile") as profile:
        words = "red minth 5 maxth 9 maxp 0.1 count on gentle on from head weight 0.1 sdu 1500 ecn on"
        profile.writelines(f"{rate} {words} ramp_from 1ms ramp_to 2ms\n" for rate in range(1, 65))
        profile.flush()
        rows = (("class", "parent 1: classid 1:2", True), ("qdisc", "root", False))
        for what, where, refused in rows:
            command = [tc, what, "add", "dev", "no-such-dev", *where.split(), "wlink", "rate", "5", "profile"]
            done = subprocess.run(
                [*command, profile.name], env=env, text=True, capture_output=True, check=False
            )
            said = "is too long for tc; wlinkctl can send it" in done.stderr
            checks.equal(f"64 rates for a {what} of tc", said, refused)


@pytest.fixture
def cli(build: Path) -> Cli:
    return Cli(build / "tests/plugin/wlinkctl")


def check_commands(checks: Checks, cli: Cli) -> None:
    agree(checks, cli, ROWS)


def check_netlink(checks: Checks, cli: Cli) -> None:
    if cli("show").returncode != DONE:
        checks.skip("no rtnetlink here")
    agree(checks, cli, NETLINK_ROWS)
