# SPDX-License-Identifier: GPL-2.0
"""Sets of experiments: what a set.toml is refused for, and in which order a set is."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

from brief import brief
from kit import SCENARIO, equals, expect, folder, refused
from own import TEXT
from wlablib.experiment import cells, functions, sets
from wlablib.lib import units
from wlablib.lib.paths import ROOT

SET = brief("""title = "What buffers do"
again = "make buffers"
[page.long] title = "Long buffers"
text = \"\"\"
One line.

* Another.\"\"\"
compares = false
file = "mine.py"
[page.long.claim.room] text = "more room, more goodput"; items = ["results"]; function = "more"
given = { metric = "goodput_kbit" }
[page.short] title = "Short ones"
[[tcp]] pages = ["long"]; text = "As it is."
""")
EXPLAIN = '[[explain]]\nitem = "results"\ntext = "So it is."\nclaims = ["room"]\n'
CLAIM = SET[SET.index("[page.long.claim") : SET.index("[page.short]")].replace(".long.", ".short.")
READING = '[page.short.reading.one]\nof = "{}"\ntext = "as it is"\ncells = {}\n\n[[tcp]]'
WHEN = '[{ when = { protocol = "asr" }, values = { start = "air" } }]'
# A boot of the lab; of cells that are kept from a quick run it is in what they took.
START_S = 1.5
UNSAID = "[{ values = {} }]"
# (what is replaced, by what, words of the error); of the set's file, then of an experiment's.
SLIPS = [
    ('title = "What', 'titel = "What', "titel: unknown key; did you mean 'title'?"),
    ('title = "Short ones"', "", "page.short.title is missing"),
    ("[page.short]", "[pages.short]", "pages: unknown key; did you mean 'page'?"),
    ("[page.short]", "[page.shirt]", "page.shirt: no experiment has paper = 'shirt'"),
    ("[page.short]", '[page."a b"]', "page: 'a b' is not a name"),
    ("[page.short]", "[page.c]", "page.c: an experiment without a page has this name"),
    ("[page.long.claim.room]", "[[page.long.claim]]", "page.long.claim: ["),
    ('file = "mine.py"', "", "page.long.file is missing"),
    ('"mine.py"', '"none.py"', "page.long.file: {}/none.py: No such file"),
    ('"mine.py"', '"../mine.py"', "page.long.file: '../mine.py' is not the name of a file beside"),
    ('"more"', '"mare"', "page.long.claim.room.function: 'mare' is not a function of mine.py; did you mean"),
    ('items = ["results"]', "", "page.long.claim.room.items is missing"),
    ("items = [", 'items = ["table 1", ', "page.long.claim.room.items: 'table 1' is not an item of"),
    ('{ metric = "goodput_kbit" }', "1", "page.long.claim.room.given: 1 is not a table"),
    ('"Short ones"', f'"Short ones"\nfile = "mine.py"\n{CLAIM}', "page: two claims have the name 'room'"),
    ("[[tcp]]", READING.format("lang", WHEN), "page.short.reading.one.of: 'lang' is not a page of the set"),
    ("[[tcp]]", READING.format("long", "[]"), "page.short.reading.one.cells: an empty list"),
    ("[[tcp]]", READING.format("long", UNSAID), "page.short.reading.one.cells.0.when is missing"),
    ('["long"]', '["lang"]', "tcp.0.pages: 'lang' is not a page of the set; did you mean 'long'?"),
    ('"As it is."', '" "', "tcp.0.text: ' ' is not a string"),
    ('paper = "long"', 'paper = "lung"', "a.toml: paper: 'lung' is not a page of the set"),
    ('["room"]', '["roam"]', "a.toml: explain.0.claims: 'roam' is not a claim of the set"),
]


def prepared(where: Path, old: str = "", new: str = "") -> Path:
    """Four experiments, of two pages and of none; in one file something is replaced."""
    texts = {"mine.py": "def more(found, metric): ...\n", "set.toml": SET}
    for name, paper in ("d", "short"), ("a", "long"), ("b", "long"), ("c", ""):
        head = f'name = "{name}"\n' + (f'paper = "{paper}"\n' if paper else "")
        texts[f"{name}.toml"] = TEXT.replace('name = "some"\n', head) + (EXPLAIN if name == "a" else "")
    (where / "scenarios").mkdir(exist_ok=True)
    (where / "scenarios" / "base.toml").write_text(SCENARIO)
    at = next(file for file, text in [*texts.items()][1:] if old in text)
    for file, text in texts.items():
        (where / file).write_text(text.replace(old, new, 1) if old and file == at else text)
    return where / "set.toml"


def check_slips() -> str:
    for old, new, words in SLIPS:
        with folder() as where:
            path = prepared(where, old, new)
            refused(f"{path}: {words.format(where)}", partial(sets.load, path))
    return f"{len(SLIPS)} files refused"


def check_order(where: Path) -> None:
    """By pages, then by names; what is of no page comes last."""
    path = prepared(where)
    have = sets.load(path)
    equals("experiments", [e.name for e in have.experiments], ["a", "b", "d", "c"])
    equals("text", have.pages[0].text, "One line.\n\n* Another.")
    equals("cells", [c.experiment.name for c in cells.expand_all([str(path)])][::2], ["a", "b", "d", "c"])
    more = [str(path), str(where / "a.toml")]
    refused("a set must be the only argument", lambda: sets.named(more))
    twice = sets.named(more[1:] * 2)
    equals("each once", isinstance(twice, list) and [e.name for e in twice], ["a"])
    for one in where.glob("?.toml"):
        one.unlink()
    refused(f"{where} has no experiment", lambda: sets.load(path))


def check_that_of_the_papers() -> None:
    """What the tool knows of no paper."""
    have = sets.load()
    wanted = ["aqm", "link", "start", "wire", "beyond", "cell", "seawind", "split", "split-radio"]
    equals("pages", [p.name for p in have.pages], wanted)
    for page in have.pages:
        for path in (ROOT / "userspace/wlab/wlablib").glob("**/*.py"):
            expect(page.title not in path.read_text(), f"{path} has '{page.title}'")


def check_the_example(where: Path) -> None:
    """The examples of wlab-experiment(5)."""
    text = (ROOT / "Documentation" / "man" / "wlab-experiment.5").read_text()
    blocks = re.findall(r"^\.Bd -literal\n(.*?)^\.Ed", text, re.M | re.S)
    for file, block in zip(("buffer.toml", "spread.py", "set.toml", "claims.py"), blocks):
        (where / file).write_text(block)
    (have,) = sets.load(where / "set.toml").pages
    equals("claims", [c.name for c in have.claims], ["room"])
    result = {"seed": 1, "flows": {"a": {"delay": {"p50_ns": 10**6, "p95_ns": 3 * 10**6}}}}
    spread = {"spread_ms": functions.find(where, "spread.py", "spread_ms")}
    equals("metric", functions.measure(spread, result, where), {"spread_ms": 2.0})


def length(raw: dict[str, Any]) -> float:
    """What a run takes goes by the bytes of the transfer that ends it, or else by its time."""
    ends = [flow["bytes"] for flow in raw.get("flow", []) if flow["name"] == raw.get("until")]
    return units.size_bytes(ends[0]) if ends else units.time_ns(raw["duration"])


def check_quick() -> str:
    """Two processors, busy for eight tenths, make the quick set in 20 minutes, by the processor time that the
    kept cells took."""
    kept: dict[tuple[str, str], Any] = {}
    for path in (ROOT / "Documentation" / "results" / "cells").glob("*.jsonl"):
        for line in path.read_text().splitlines():
            one = json.loads(line)
            kept[one["experiment"], one["id"]] = one
    seconds = 0.0
    for cell in cells.expand_all([str(ROOT / "userspace/papers/set.toml")], True):
        one = kept[cell.experiment.name, cell.id]
        run_s = one["cost"]["cpu_s"] / len(one["seeds"]) * length(cell.raw) / length(one["scenario"])
        seconds += START_S * (not one["quick"]) + len(cell.seeds) * run_s
    expect(seconds < 0.8 * 2 * 20 * 60, f"{seconds:.0f} processor seconds")
    return f"{seconds:.0f} processor seconds"
