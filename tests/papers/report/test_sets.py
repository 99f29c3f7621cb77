# SPDX-License-Identifier: GPL-2.0
"""A set of one's own: pages, texts and a claim, by the commands."""

import subprocess
from pathlib import Path

from brief import brief
from kit import equals, expect
from report_kit import Seeds, Sweep, accept, head
from wlablib.lib.paths import WLAB

SET = brief("""title = "What room does"
[page.room] title = "Goodput and delay"; text = "A. Author: *Of room*."; file = "mine.py"
[page.room.claim.more-room] text = "more room, more goodput"; items = ["results"]; function = "rises"
given = { metric = "goodput_kbit" }
[[tcp]] pages = ["room"]; text = "It is that of *today*."
""")
CODE = """from wlab import Evidence

def rises(found: Evidence, metric: str) -> str:
    for cell in found.having(size=20):
        found.compare(cell, found.partner(cell, {"size": 10}), metric, lambda gap: gap.above())
    return "Of two sizes."
"""


def text(name: str, way: str) -> str:
    """An experiment with two cells."""
    out = head(name, "room", ["goodput_kbit"], 95) + accept(way=[way], size=[10, 20])
    return out + f'[[grid]]\ncells = [{{ way = "{way}" }}]\naxes = {{ size = [10, 20] }}\n'


def spread(mean: float) -> Seeds:
    return [mean - 1, mean, mean + 1]


def wlab(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([WLAB / "wlab", *words], capture_output=True, text=True, check=False)


def check_own_set(where: Path) -> None:
    """Both experiments are on the page; the claim holds, fails, has an exception."""
    sweep = Sweep(where, {"first": text("first", "a"), "second": text("second", "b")})
    path, to = where / "set.toml", sweep.out / "report"
    path.write_text(SET)
    (where / "mine.py").write_text(CODE)
    for way in "ab":
        for size in (10, 20):
            sweep.put({"way": way, "size": size}, goodput_kbit=spread(100 * size))
    said = wlab("report", path, "--out", sweep.out)
    counts = "1 hold, 0 do not hold, 0 too wide in the paper, 0 cannot be told, 0 cannot be judged"
    made = f"4 cells, 0 holes; claims: {counts}"
    wanted = [made, f"{sweep.out}/results.json", f"{to}/README.md"]
    equals("report", (said.stdout + said.stderr).splitlines(), wanted)
    page, index = (to / "room.md").read_text(), (to / "README.md").read_text()
    for words in (
        "# Goodput and delay\n\nA. Author: *Of room*.\n",
        "### `more-room`: holds\n\nMore room, more goodput.\n\nOf 2 comparisons 2 show it. Of two sizes.",
        "## TCP\n\nIt is that of *today*.\n",
        "4 cells of `first`, `second`; 3 seeds each, 95 % intervals.",
    ):
        expect(words in page, f"no '{words}' in {page}")
    for words in ("theirs", "paper says", "## Summary"):
        expect(words not in page, f"'{words}' in {page}")
    for words in (
        "# What room does\n",
        "| page |\n|:--|\n| [Goodput and delay](room.md) |\n",
        f"report`; `wlab sweep {path} --out {sweep.out}` makes everything again.",
        "| claim | here |\n|:--|:--|\n| more room, more goodput ([`more-room`](room.md#claims)) | holds",
    ):
        expect(words in index, f"no '{words}' in {index}")
    sweep.put({"way": "b", "size": 20}, goodput_kbit=spread(900))
    said = wlab("claims", sweep.out, "--set", path)
    equals("claims", said.returncode, 1)
    equals("TAP", said.stdout.splitlines()[:2], ["1..1", "not ok 1 - more-room: more room, more goodput"])
    words = "Against it: way b, size 20: 900 against 1000, difference -100 ± 0."
    expect(words in said.stdout, said.stdout)
    sweep.path({"way": "b", "size": 20}).unlink()
    said = wlab("export", path, "--out", sweep.out, "--to", where / "x.csv")
    equals("export", said.stderr, "export: first, second: 1 of 4 cells have no result\n")
    (where / "mine.py").write_text(CODE.replace("found.partner", "found.none"))
    said = wlab("claims", sweep.out, "--set", path)
    words = "more-room: line 5: AttributeError: 'Evidence' object has no attribute 'none'"
    expect(words in said.stderr, said.stderr)
