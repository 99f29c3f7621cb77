# SPDX-License-Identifier: GPL-2.0
"""The page of an experiment of no paper, alone: `wlab report mine.toml`."""

import contextlib
import io
import re
import subprocess
from functools import partial
from pathlib import Path

from brief import brief
from kit import equals, expect, refused
from report_kit import Seeds, Sweep, accept, head
from wlablib.experiment import experiment
from wlablib.experiment.words import Values
from wlablib.lib.paths import WLAB
from wlablib.report import data as reportdata, item as reportitem, report

EXAMPLE = WLAB / "examples" / "congestion.toml"
PLAIN = (
    re.sub(r"paper = .*\n|\[quick\]\nseeds = 2\n", "", head("mine", "aqm", ["goodput_kbit", "delay_s"], 95))
    + accept(way=["a", "b"], size=[10, 20, 40])
    + '[[grid]]\naxes = { way = ["a", "b"], size = [10, 20, 40] }\n'
)
SHOWN = brief("""[[table]] title = "Only this"; rows = ["way"]; columns = ["size"]; metrics = "delay_s"
[[ordering]] item = "results"; text = "More room, more delay."; metric = "delay_s"; rises = "size"
""")


def spread(mean: float) -> Seeds:
    return [mean - 0.15, mean, mean + 0.15]


def fill(sweep: Sweep, but: Values | None = None, same: bool = False) -> None:
    for way, size in ((way, size) for way in "ab" for size in (10, 20, 40)):
        values: Values = {"way": way, "size": size}
        if values != but:
            goodput = [1015.3] * 3 if same else spread(1015.3)
            sweep.put(values, same=same, goodput_kbit=goodput, delay_s=[size / 30 + 0.1] * 3)


def page(sweep: Sweep, to: Path) -> str:
    study = reportdata.load(sweep.out, sweep.exps)
    made = report.build(study, to, traces=False)
    equals("files", made.files, [to / "mine.md"])
    with contextlib.redirect_stdout(io.StringIO()) as said:
        equals("status", report.announce(study, made), 0)
    expect("claims" not in said.getvalue(), f"it tells of claims: {said.getvalue()}")
    for name in ("README.md", "results.json"):
        expect(not (to / name).exists() and not (sweep.out / name).exists(), f"{name} is a set's")
    return (to / "mine.md").read_text()


def check_plain_page(where: Path) -> None:
    """A picture and a table for each metric, and nothing of any paper."""
    sweep = Sweep(where, {"mine": PLAIN})
    fill(sweep, {"way": "b", "size": 40})
    text = page(sweep, where / "pages")
    for words in (
        "# The experiment mine\n",
        "`wlab sweep ",
        "6 cells of `mine`; 3 seeds each, 95 % intervals.",
        "### goodput (kbit/s)\n\n`goodput_kbit`: payload that the receivers",
        "### delay (s)",
        "| size | way a | way b |",
        "[1015.3 ± 0.4](cells/mine.jsonl#size=10,way=a ",
        "**hole**",
        "* mine: way b, size 40: not run yet",
    ):
        expect(words in text, f"no '{words}' in {text}")
    for words in (" paper", "theirs", "verdict", "Verdict", "Summary", "Claims", "random"):
        expect(words not in text, f"'{words}' in {text}")
    pictures = re.findall(r"!\[.*\]\((.*)\)", text)
    equals("pictures", pictures, ["mine-results.png", "mine-results-2.png"])
    for name in pictures:
        expect((where / "pages" / name).stat().st_size > 1000, f"{name} is empty")


def check_plain_figures(where: Path) -> None:
    """Over the key with the most numbers; what does not vary is no line."""
    sweep = Sweep(where, {"mine": PLAIN})
    fill(sweep)
    item = reportitem.collect(reportdata.load(sweep.out, sweep.exps), "mine", "results")
    shown = [(f.x, f.y, f.series) for _, f in item.figures]
    equals("figures", shown, [("size", ["goodput_kbit"], ["way"]), ("size", ["delay_s"], ["way"])])


def check_own_table(where: Path) -> None:
    """What the file asks for is all there is; what it expects is judged."""
    sweep = Sweep(where, {"mine": PLAIN + SHOWN})
    fill(sweep)
    text = page(sweep, where / "pages")
    for words in ("Only this", "| way | size | metric | mean | file |", "* Expected: More room, more"):
        expect(words in text, f"no '{words}' in {text}")
    expect("**holds**" in text, "it is not judged")
    expect("goodput" not in text and "![" not in text, f"more than was asked for: {text}")


def check_nothing_random(where: Path) -> None:
    sweep = Sweep(where, {"mine": PLAIN})
    fill(sweep, same=True)
    text = page(sweep, where / "pages")
    expect("Nothing is random here: all seeds of a cell gave the same run." in text, text)
    expect("±" not in text and "[1015](" in text, f"an interval of nothing: {text}")
    sweep.put({"way": "b", "size": 40}, goodput_kbit=spread(1.5), delay_s=[1 / 3] * 3)
    text = page(sweep, where / "pages")
    expect("Nothing is random in way a, size 10; way a, size 20" in text, text)
    # What rounding leaves of an interval is none.
    expect("[0.3333 ± 0](" in text, text)


def check_papers_alone(where: Path) -> None:
    """An experiment of a paper can stand alone, beside what it has printed."""
    printed = (
        '[[published]]\nitem = "results"\ncell = { way = "a", size = 10 }\n'
        "goodput_kbit = { value = 1000, half_width = 20 }\n"
    )
    sweep = Sweep(where, {"mine": PLAIN + printed})
    fill(sweep)
    text = page(sweep, where / "pages")
    expect("(theirs 1000 ± 20: inside their interval)" in text, text)
    expect("## Summary" in text, text)


def check_refused(where: Path) -> None:
    sweep = Sweep(where, {"mine": PLAIN})
    words = f"{sweep.out} has no cell of mine; type: wlab sweep {where}/mine.toml --out {sweep.out}"
    refused(words, partial(report.load, sweep.out, None, [str(where / "mine.toml")]))
    none = where / "none"
    refused("/none has no cells; type: wlab sweep ", partial(report.load, none, None, [str(EXAMPLE)]))
    (where / "more").mkdir()
    (where / "more" / "mine.toml").write_text(PLAIN)
    both = [str(where / "mine.toml"), str(where / "more" / "mine.toml")]
    refused("two experiments have the name 'mine'", partial(report.load, sweep.out, None, both))


def check_command(where: Path) -> None:
    """Each experiment has its page."""
    sweep = Sweep(where, {"mine": PLAIN, "other": PLAIN.replace('"mine"', '"other"')})
    fill(sweep)
    error = sweep.out / "cells" / "mine" / "size=10,way=a.error"
    error.parent.mkdir()
    error.write_text("it has died\n")
    files = [str(exp.path) for exp in sweep.exps]
    argv = [str(WLAB / "wlab"), "report", *files, "--out", str(sweep.out)]
    said = subprocess.run(argv, capture_output=True, text=True, check=True)
    to = sweep.out / "report"
    # The kit puts cells by their values: all are the other's.
    equals("output", said.stdout, f"12 cells, 6 holes\n{to}/mine.md\n{to}/other.md\n")
    text = (to / "mine.md").read_text()
    expect("experiment mine" in text and "* mine: way a, size 10: it has died" in text, text)


def check_example() -> None:
    exp = experiment.load(EXAMPLE)
    equals("of a paper", (exp.paper, exp.quick), ("", None))
    for word in ("sweep", "report"):
        expect(f"wlab {word} userspace/wlab/examples/congestion.toml" in EXAMPLE.read_text(), word)
