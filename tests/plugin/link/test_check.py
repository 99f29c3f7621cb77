# SPDX-License-Identifier: GPL-2.0
"""`wlinkctl check`: what it prints and how it ends; that tc judges alike is tests/lab/link/grammar.py."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import Checks

DONE, USAGE = 0, 1
TABLES = Path(__file__).resolve().parents[2] / "tdc/tables.py"
TDC_FILES = sorted(TABLES.parent.glob("cases/*/*.toml"))
PLAIN = (
    "tti 0 delay 0 pdu 0 header 0 limit 1000 channel none sched dedicated prio 0 mode tm discard_timer off"
)
TAIL = "aqm droptail ramp_from off"

Done = subprocess.CompletedProcess[str]


class Check:
    """wlinkctl check under ASan."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, words: str, text: str = "", json_too: bool = False) -> Done:
        argv = [str(self.path), *(["--json"] if json_too else []), "check", *words.split()]
        return subprocess.run(argv, input=text, text=True, capture_output=True, check=False)

    def json(self, words: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self(words, json_too=True).stdout)
        return answer


@pytest.fixture
def check(build: Path) -> Check:
    return Check(build / "tests/plugin/wlinkctl")


# (words, what is printed, or the complaint)
ROWS: list[tuple[str, int, str]] = [
    ("rate 1mbit", DONE, f"rate 1mbit {PLAIN} {TAIL}"),
    ("qdisc rate 1000kbit prio 0x10", DONE, f"rate 1mbit {PLAIN} {TAIL}".replace("prio 0", "prio 16")),
    ("qdisc rate 1mbit profile sbd-3g", DONE, f"rate 1mbit {PLAIN} profile sbd-3g"),
    (
        "class limit 20",
        DONE,
        "rate 1mbit delay 0 pdu 0 header 0 limit 20 channel link prio 0 mode tm discard_timer off"
        " aqm droptail ramp_from off",
    ),
    ("", USAGE, "check needs words of a link, or - for lines of them"),
    ("qdisc", USAGE, "rate is required"),
    ("rate 1mbit pdu 65500 header 40", USAGE, "pdu plus header 65540 is outside 0..65535 bytes"),
    ("rate 1mbit window 9", USAGE, "rlc window is not part of mode tm"),
    ("class at next", USAGE, "at is for links and for changes; a new class begins at once"),
    ("rate 1mbit channel gilbert p 0.1", USAGE, "channel gilbert needs r"),
    ("class sched rr", USAGE, "sched belongs to the qdisc, not to class 1:2"),
    ("rate 1mbit tii 5ms", USAGE, 'unknown word "tii"; did you mean tti?'),
]


def check_rows(checks: Checks, check: Check) -> None:
    for words, code, text in ROWS:
        done = check(words)
        checks.equal(f"exit code of check {words}", done.returncode, code)
        if code == DONE:
            checks.equal(f"check {words}", (done.stdout.rstrip(), done.stderr), (text, ""))
            again = check(f"{'class' if words.startswith('class') else 'qdisc'} {done.stdout}")
            checks.equal(f"check {words}, what is printed", again.stdout, done.stdout)
        else:
            checks.equal(f"check {words}", (done.stdout, done.stderr), ("", f"wlinkctl: {text}\n"))


def check_lines(checks: Checks, check: Check) -> None:
    """A class is one of the link before it, an empty line and a comment say nothing."""
    text = (
        "qdisc rate 64kbit tti 10ms # a link\n\n# none\nclass prio 3\nclass tti 1ms\n"
        "qdisc tti 1ms\nclass\n" + "rate 1 " * 97 + "\n"
    )
    done = check("-", text)
    checks.equal("exit code of lines", done.returncode, USAGE)
    checks.equal("rates", re.findall(r"^rate (\w+)", done.stdout, re.M), ["64kbit", "64kbit", "1mbit"])
    checks.equal("complaints", re.findall(r"^wlinkctl: line (\d+)", done.stderr, re.M), ["5", "6", "8"])
    answers = [json.loads(line) for line in check("-", text, json_too=True).stdout.splitlines()]
    checks.equal("lines", [a["line"] for a in answers], [1, 4, 5, 6, 7, 8])
    checks.equal("good", [a["line"] for a in answers if "options" in a], [1, 4, 7])
    checks.equal("too many", answers[-1]["error"], "more than 192 words")
    checks.equal("no lines", check("-", "").returncode, DONE)
    batch = [str(check.path), "batch", "-"]
    script = subprocess.run(batch, input="check -\n", text=True, capture_output=True, check=False)
    checks.equal("in a batch", script.returncode, USAGE)
    checks.true("in a batch", "check reads no standard input" in script.stderr, script.stderr)


def check_json(checks: Checks, check: Check) -> None:
    good = check.json("rate unlimited seed 7")
    checks.equal("unlimited", good["options"]["rate_bps"], None)
    checks.equal("seed", good["options"]["seed"], 7)
    typed = [{"word": "rate", "value": "unlimited"}, {"word": "seed", "value": "7"}]
    checks.equal("typed", good["typed"], typed)
    checks.true("a seed that nobody has typed", "seed" not in check.json("rate 1mbit")["options"])
    checks.equal("a bad line is told", check.json("rate")["error"], "rate has no value")
    checks.equal("a word without value", check.json("rate")["typed"], [{"word": "rate"}])
    checks.equal("of a preset", check.json("preset umts-64")["options"]["rate_bps"], 64000)


def check_members(checks: Checks, check: Check) -> None:
    """Whose each word is; an alpha is of the words before it."""
    for words, members in (
        ("rate 1 channel gilbert p 0 r 1", {"p": "channel", "r": "channel"}),
        ("rate 1 rev_channel uniform rev_loss 1 loss 1", {"rev_loss": "rev_channel", "loss": "channel"}),
        ("rate 1 aqm sbd alpha 5 tr 1ms minth 9", {"alpha": "aqm", "tr": "aqm", "minth": "aqm"}),
        ("aqm sbd tr 1ms alpha 5", {"tr": "aqm", "alpha": "aqm"}),
        ("mode asr alpha 5 aqm sbd", {}),
        ("alpha 5 alpha 6", {}),
        ("fer 1 nonsense 5", {"fer": "channel"}),
    ):
        typed = check.json(words)["typed"]
        checks.equal(words, {pair["word"]: pair["of"] for pair in typed if "of" in pair}, members)


def check_class_room(checks: Checks, check: Check, tmp_path: Path) -> None:
    """What is too long for tc's message about a class is refused for one, and as tc says it."""
    path = tmp_path / "long"
    words = "red minth 5 maxth 9 maxp 0.1 count on gentle on from head weight 0.1 sdu 1500 ecn on"
    path.write_text("".join(f"{rate} {words} ramp_from 1ms ramp_to 2ms\n" for rate in range(1, 65)))
    checks.equal("qdisc", check(f"rate 5 profile {path}").returncode, DONE)
    done = check(f"class profile {path}")
    checks.true("class", "is too long for tc; wlinkctl can send it" in done.stderr, done.stderr)


def check_kernel(checks: Checks, check: Check) -> None:
    """The lines that tests/tdc adds a qdisc by, which the kernel itself judges there."""
    added = re.compile(r"\$TC qdisc add dev \$DUMMY root (?:handle 1: )?wlink ?(.*)")
    lines = []
    table = subprocess.run([TABLES, *TDC_FILES], capture_output=True, text=True, check=True).stdout
    for case in json.loads(table):
        found = added.fullmatch(case["cmdUnderTest"])
        if found and "$" not in found[1] and not case["setup"][1:]:
            lines.append((case["id"], found[1], case["expExitCode"]))
    checks.true("there are some", len(lines) > 30, len(lines))
    for case_id, words, code in lines:
        checks.equal(f"{case_id}: {words}", check(f"qdisc {words}").returncode == DONE, code == "0")
