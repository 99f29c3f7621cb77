# SPDX-License-Identifier: GPL-2.0
"""`base` and `each`: the same experiment as the long file, and what is refused of them."""

import re
from functools import partial
from pathlib import Path

from kit import equals, expect, folder, refused, write
from reading import TEXT
from wlablib.experiment import cells, experiment

ONE = TEXT[TEXT.index("[[published]]") : TEXT.index("[[derived]]")]
# Two parts that are alike, at length and with each.
LONG = ONE + ONE.replace("buffer = 10", "buffer = 20").replace("290.5", "300")
EACH = """[[published]]
item = "figure 1"
cell = { rate_kbit = 384 }
goodput_kbit = { half_width = 4.2 }
delay_s = "withheld"
each = [
    { cell = { buffer = 10 }, goodput_kbit = { value = 290.5 } },
    { cell = { buffer = 20 }, goodput_kbit = { value = 300 } },
]
"""
WITH_EACH = TEXT.replace(ONE, EACH)
UPPER = 'base = "some"\nname = "upper"\n'


def expanded(where: Path, name: str, **texts: str) -> list[cells.Cell]:
    """All cells of one of the experiments with these texts, beside each other."""
    write(where, TEXT)
    for stem, text in texts.items():
        (where / f"{stem}.toml").write_text(text)
    return cells.expand(experiment.load(where / f"{name}.toml"))


def check_each(where: Path) -> str:
    """The parts are those of the long file; the place of one names its table."""
    equals("published", write(where, WITH_EACH), write(where, TEXT.replace(ONE, LONG)))
    (where / "rules").mkdir()
    rules = '[[rule]]\nset = ["radio.wlink.limit={buffer}"]\neach = [{ when = { buffer = [10, 20] } }]\n'
    (where / "rules" / "both.toml").write_text(rules)
    plain = re.sub(r"\[\[rule\]\]\nwhen = { buffer.*\n.*\n", "", TEXT)
    exp = write(where, plain.replace("[quick]", 'rules = "both"\n[quick]'))
    equals("rule", exp.rules[0].place, "both.toml: rule.0.each.0")
    equals("cells", [c.id for c in cells.expand(exp, quick=True)], ["buffer=10,rate_kbit=384"])
    return "published, rules"


# (what stands in the text with each, what instead, words)
SLIPS = (
    ("{ cell = { buffer = 20 }", "{ cell = { buffer = 30 }", "published.0.each.1.cell: no grid has buffer"),
    ("{ cell = { buffer = 20 }", "{ item = 2, cell = { buffer = 20 }", "published.0.each.1.item: 2 is not"),
    ("{ value = 300 }", "{ vlaue = 300 }", "published.0.each.1.goodput_kbit.vlaue: unknown key"),
    ("{ value = 300 }", '{ value = 300 }, delay_s = "withheld"', "each.1.delay_s: what all have, 'withheld'"),
    ("{ value = 300 }", "{ value = 300, value = 301 }", "(at line 29, column 72)"),
    ("{ value = 300 }", "{ value = 300 }, each = []", "published.0.each.1.each: [] is not a table"),
    ("{ cell = { buffer = 20 }", "5, { cell = { buffer = 20 }", "each: not a list of one table or more"),
    (EACH[EACH.index("each") :], "each = []\n", "published.0.each: not a list of one table or more"),
    (EACH[EACH.index("each") :], "each = 5\n", "published.0.each: not a list of one table or more"),
    ("when = {}\n", "each = [{}]\n", "rule.0.each.0.when is missing"),
    ("[quick]", "each = []\n[quick]", "each: unknown key"),
)


def check_slips_in_each() -> str:
    for old, new, words in SLIPS:
        expect(WITH_EACH.count(old) == 1, f"'{old}' is not in the text")
        with folder() as where:
            call = partial(expanded, where, "some", some=WITH_EACH.replace(old, new))
            for said in words, str(where / "some.toml"):
                refused(said, call)
    return f"{len(SLIPS)} of them, each with its place"


def check_a_base(where: Path) -> str:
    """It has what its base has: single values, tables key by key, lists as a whole; and so on downwards."""
    text = UPPER + 'title = "Others"\ntrace = []\nset = ["duration=9s"]\n[quick]\nset = ["duration=2s"]\n'
    text += '[[table]]\nitem = "figure 1"\nrows = ["buffer"]\nmetrics = ["goodput_kbit"]\n'
    full, below = expanded(where, "upper", upper=text), write(where, TEXT)
    exp = full[0].experiment
    for key in ("paper", "scenario", "seeds", "metrics", "grids", "published", "orderings", "explains"):
        equals(key, getattr(exp, key), getattr(below, key))
    equals("of its own", (exp.name, exp.title, exp.set), ("upper", "Others", ["duration=9s"]))
    equals("quick", exp.quick and (exp.quick.seeds, exp.quick.set), (3, ["duration=2s"]))
    equals("lists", (exp.traces, [t.rows for t in exp.tables]), ([], [["buffer"]]))
    equals("scenarios", [c.raw["duration"] for c in full], ["9s", "9s"])
    top = expanded(where, "top", top='base = "upper"\nname = "top"\nseeds = 7\n')[0].experiment
    equals("of both", (top.seeds, top.title, top.paper), (7, "Others", "aqm"))
    # A rule of the base that no cell has any more is no slip.
    grid = '[[grid]]\nitems = ["figure 1"]\ncells = [{ rate_kbit = 128 }]\n'
    gone = ("published", "derived", "figure", "table", "ordering", "explain")
    slow = UPPER + "".join(f"{key} = []\n" for key in gone) + grid
    equals("cells", [c.id for c in expanded(where, "upper", upper=slow)], ["rate_kbit=128"])
    return "over one, over two"


# (the upper file, what stands in the lower one, what instead, words)
BASES = (
    ('base = "smoe"\nname = "upper"\n', "", "", "base: no experiment 'smoe' beside it; did you mean 'some'?"),
    ('base = 5\nname = "upper"\n', "", "", "base: no experiment 5 beside it"),
    ('base = "upper"\nname = "upper"\n', "", "", "base: 'upper' has this one for its own base"),
    (UPPER, 'paper = "aqm"', 'base = "upper"', "some.toml: base: 'upper' has this one for its own base"),
    (UPPER, 'paper = "aqm"', 'base = "uper"', "some.toml: base: no experiment 'uper' beside it"),
    (UPPER, "seeds = 20", "seeds = 0", "some.toml: seeds: 0 is not a whole number"),
    (UPPER, "seeds = 20", "seeds = ", "some.toml: Invalid value (at line 5, column 9)"),
    ('base = "some"\n', "", "", "name: 'some' is not 'upper', the name of the file"),
    (UPPER + "seed = 3\n", "", "", "seed: unknown key; did you mean 'seeds'?"),
    (UPPER + "seeds = 2\n", "", "", "quick.seeds: 3 is more than the 2 of a full run"),
    (UPPER + 'metrics = ["goodput_kbit"]\n', "", "", "upper.toml: some.toml: table.0.metrics: 'delay_s' is"),
    (UPPER + "metric = []\n", "", "", "metric: an empty list, where some has none, either"),
    (UPPER + "grid = []\n", "", "", "grid: an experiment needs"),
    (UPPER + "[[rule]]\nwhen = { buffer = 40 }\n", "", "", "rate_kbit = 384 has no effect"),
)


def check_slips_of_bases() -> str:
    for text, old, new, words in BASES:
        expect(old in TEXT, f"'{old}' is not in the text")
        with folder() as where:
            call = partial(expanded, where, "upper", upper=text, some=TEXT.replace(old, new, 1))
            for said in words, str(where / "upper.toml"):
                refused(said, call)
    return f"{len(BASES)} of them, each with its file"
