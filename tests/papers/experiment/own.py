# SPDX-License-Identifier: GPL-2.0
"""Experiments of no paper: what their files need not say."""

from functools import partial
from pathlib import Path

from brief import brief
from kit import SCENARIO, equals, expect, refused, write
from wlablib.analysis.metrics import BY_FLOW, BY_LINK, METRICS, needed
from wlablib.cli import cells as cli_cells
from wlablib.experiment import cells, experiment, inputs, results, sets
from wlablib.experiment.cellrun import Measured, record
from wlablib.lib.paths import WLAB
from wlablib.report import data as reportdata
from wlablib.report.words import metric_title

TEXT = brief("""name = "some"
title = "Mine"
scenario = "base"
seeds = 2
confidence = 95
metrics = ["goodput_kbit"]
[[rule]] when = {}; set = ["radio.wlink.limit={limit}"]
[[grid]] axes = { limit = [10, 20] }
""")
NO_WLINK = brief("""name = "base"
duration = "1s"
[node.a] [node.b]
[link.l] between = ["a", "b"]; netem = "delay 1ms"
[[flow]] name = "file"; kind = "tcp"; from = "a"; to = "b"
""")
QUICK = "[quick]\nseeds = 1\n"


def check_a_short_file(where: Path) -> str:
    found = cells.expand(write(where, TEXT))
    equals("cells", [c.id for c in found], ["limit=10", "limit=20"])
    equals("items", [c.items for c in found], [["results"], ["results"]])
    equals("paper", [c.summary()["paper"] for c in found], ["", ""])
    shown = TEXT + '[[table]]\nrows = "limit"\nmetrics = "goodput_kbit"\n'
    equals("a table's item", write(where, shown).tables[0].item, "results")
    named = TEXT.replace("[[grid]]", '[[grid]]\nitems = ["buffers"]') + "[[trace]]\n"
    refused("trace.0.item: 'results' is not an item of a grid", lambda: write(where, named))
    return "without paper, quick set, items and cells"


def check_no_quick_set(where: Path) -> None:
    exp = write(where, TEXT)
    refused(f"{exp.path}: quick: there is no [quick]", lambda: cells.expand(exp, True))
    some = TEXT + "quick = { limit = [10] }\n"
    refused("grid.0.quick: it needs [quick]", lambda: write(where, some))
    left = TEXT + "quick = false\n"
    refused("grid.0.quick: it needs [quick]", lambda: write(where, left))
    quick = write(where, TEXT.replace("[[rule]]", f"{QUICK}[[rule]]", 1))
    equals("seeds of a quick run", cells.expand(quick, True)[0].seeds, [1])


def check_beside_quick_ones(where: Path) -> None:
    """What has no quick set is awaited as a whole, whatever others have."""
    text = TEXT.replace("[[rule]]", f"{QUICK}[[rule]]", 1).replace('name = "some"', 'name = "other"')
    exp = write(where, TEXT)
    (where / "other.toml").write_text(text)
    other = experiment.load(where / "other.toml")
    for cell in cells.expand(other, True):
        got = Measured([1], {"goodput_kbit": [1.0]}, {"1": "0" * 64}, {}, {})
        results.write_json(where / "cells" / "other" / f"{cell.id}.json", record(cell, got))
    study = reportdata.load(where, sets.Set(where / "set.toml", "Mine", [], [other, exp]))
    equals("quick", [s.plan.quick for s in study.slots], [True, True, False, False])


def check_metrics_of_a_flow(where: Path) -> None:
    """A metric of one flow has a title and a unit."""
    names = '"goodput_kbit", "delay_p95_s@file", "jain_index"'
    exp = write(where, TEXT.replace('"goodput_kbit"', names))
    equals("cells", len(cells.expand(exp)), 2)
    titles = [metric_title(m) for m in exp.metrics]
    equals("titles", titles, ["goodput (kbit/s)", "delay p95 of file (s)", "jain index (of 1)"])
    expect(inputs.metrics_sha256(["delay_s@file"]) == inputs.metrics_sha256(["delay_s"]), "its code")
    expect(inputs.metrics_sha256(["delay_p95_s"]) != inputs.metrics_sha256(["delay_p99_s"]), "its rank")


def check_metrics_of_a_missing_link(where: Path) -> None:
    """Each metric over a link that is missing is refused before the first run."""
    grid = 'set = ["duration={duration}"]\n[[grid]]\naxes = { duration = ["1s"] }\n'
    text = TEXT.partition("set =")[0] + grid
    of_sockets = ("goodput_kbit", "received_kbit", "jain_index", "retransmissions", "file_s")
    for name in METRICS:
        exp = write(where, text.replace('"goodput_kbit"', f'"{name}"'), NO_WLINK)
        if name in (*of_sockets, "completion_s", "completion_p95_s"):
            equals(name, len(cells.expand(exp)), 1)
            continue
        some = name.startswith(("media_", "rtt_", "ping_")) or name == "transactions"
        kind = needed(name)[0] if some else ""
        words = f"no flow is {kind}" if kind else "no wlink is on the way"
        refused(words if needed(name) else "no radio downlink", partial(cells.expand, exp))
    for name in (*BY_LINK, *BY_FLOW):
        exp = write(where, text.replace('"goodput_kbit"', f'"{name}@x"'), NO_WLINK)
        refused("is called 'x'", partial(cells.expand, exp))


def check_what_a_cell_says(where: Path) -> None:
    """What `wlab cell` prints: the digits that the interval carries, and whether there is chance."""
    cell = cells.expand(write(where, TEXT))[0]
    for hashes, words in (("ab", "1015.3 ± 0.6 kbit/s"), ("aa", "nothing here is random")):
        events = dict(zip("12", hashes))
        got = Measured([1, 2], {"goodput_kbit": [1015.25, 1015.35]}, events, {}, {})
        lines = cli_cells.as_text(record(cell, got))
        expect(words in lines, f"no '{words}' in {lines}")


def check_scenarios(where: Path) -> None:
    """Beside the file; else the lab's own of that name."""
    text = TEXT.replace('"base"', '"demo"').replace("radio.wlink", "radio.down.wlink")
    exp = write(where, text)
    equals("the lab's", exp.scenario_path(), WLAB / "scenarios" / "demo.toml")
    equals("flows", len(cells.expand(exp)[0].scenario.flows), 2)
    own = where / "scenarios" / "demo.toml"
    own.write_text(SCENARIO)
    equals("one's own", exp.scenario_path(), own)
