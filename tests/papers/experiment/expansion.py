# SPDX-License-Identifier: GPL-2.0
"""Experiments become the cells, ids and scenarios that they say."""

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any
from unittest import mock

from brief import brief
from kit import SCENARIO, TINY, Skipped, equals, expect, folder, refused, write
from wlablib.experiment import cells, channels, experiment
from wlablib.experiment.cells import Cell
from wlablib.experiment.parts import Quick
from wlablib.experiment.sweep import plan as plans
from wlablib.scenario.files import digests, keep

HEAD = """name = "some"
paper = "aqm"
title = "Some cells"
scenario = "base"
seeds = 20
first_seed = 5
confidence = 90
metrics = ["goodput_kbit"]
set = ["duration=10s"]
[quick]
seeds = 3
set = ["duration=5s"]
"""

RULES = brief("""[[rule]] when = {}; set = ["radio.wlink.rate={rate_kbit}kbit"]
[[rule]] when = { aqm = "droptail" }
[[rule]] when = { aqm = ["sbd", "red"] }; set = ["radio.wlink.limit={minth}"]
[[rule]] when = { aqm = "sbd" }; set = ["radio.wlink.delay={tr_ms}ms"]
[[rule]] when = { aqm = "red" }; merge = { tcp = { sysctl = { "net.ipv4.tcp_ecn" = "{maxp}" } } }
[[rule]] when = { media = true }
merge = { flow = [{ name = "talk", kind = "udp", rate = "{talk_kbit}kbit" }] }
""")

GRIDS = brief("""[[grid]] items = ["figure 6"]
cells = [{ aqm = "sbd", rate_kbit = 384 }, { aqm = "sbd", rate_kbit = 128 }]
axes = { tr_ms = [50, 100, 200], minth = [5, 10, 15, 20] }
quick = { tr_ms = [200], minth = [5, 10] }
[[grid]] items = ["table 3", "table 6"]
cells = [{ minth = 5, tr_ms = 50, rate_kbit = 384, aqm = "sbd" }, { aqm = "droptail", rate_kbit = 384 }]
[[grid]] items = ["table 4"]; cells = [{ aqm = "red", rate_kbit = 64.0, minth = 5, maxp = 0.00005 }]
axes = { media = [false, true], talk_kbit = [56] }
quick = false
[[grid]] items = ["table 4"]; cells = [{ aqm = "red", rate_kbit = 128, minth = 5, maxp = 1 }]
""")
DERIVED = """[[derived]]
item = "table 6"
metric = "goodput_gain_percent"
of = "goodput_kbit"
against = { aqm = "droptail", minth = false, tr_ms = false, maxp = false }
"""
# talk_kbit does nothing where there is no talk; one more rule lets it be.
TEXT = HEAD + RULES + '[[rule]]\nwhen = { media = false, talk_kbit = 56 }\n' + GRIDS + DERIVED


def some(text: str = TEXT, quick: bool = False) -> list[Cell]:
    with folder() as where:
        return cells.expand(write(where, text), quick)


def raw(found: list[Cell], name: str) -> dict[str, Any]:
    return next(c.raw for c in found if c.id == name)


def check_counts_items_seeds() -> str:
    found = some()
    # 2 x 3 x 4, of which one is in table 3, too; drop-tail; 2 with media; 1 more.
    equals("cells", len(found), 24 + 1 + 2 + 1)
    equals("names", len({c.id for c in found}), 28)
    both = [c for c in found if len(c.items) > 1 and "figure 6" in c.items]
    equals("items of both", [(c.id, c.items) for c in both], [BOTH])
    equals("first", found[0].id, "aqm=sbd,minth=5,rate_kbit=384,tr_ms=50")
    equals("seeds", found[0].seeds, list(range(5, 25)))
    return "28 cells of 4 grids"


def check_seeds_of_a_grid() -> str:
    """A cell has the seeds of that of its grids which has most; of a quick run all have the same."""
    more = 'items = ["table 3"]\nquick = false\nseeds = 25\ncells = [{ aqm = "droptail", rate_kbit = 384 }]\n'
    text = f"{TEXT}[[grid]]\n{more}"
    found = {c.id: c.seeds for c in some(text)}
    equals("more", found.pop("aqm=droptail,rate_kbit=384"), list(range(5, 30)))
    equals("the rest", {len(seeds) for seeds in found.values()}, {20})
    equals("quick", {len(c.seeds) for c in some(text, quick=True)}, {3})
    return "25 of one cell, 20 of 27"


BOTH = ("aqm=sbd,minth=5,rate_kbit=384,tr_ms=50", ["figure 6", "table 3", "table 6"])


def check_a_quick_run() -> str:
    found = some(quick=True)
    # 2 x 1 x 2; the one of table 3, whose axes are elsewhere; drop-tail; RED.
    equals("cells", len(found), 4 + 1 + 1 + 1)
    equals("seeds", found[0].seeds, [5, 6, 7])
    equals("duration", {c.raw["duration"] for c in found}, {"5s"})
    equals("duration of a whole run", {c.raw["duration"] for c in some()}, {"10s"})
    equals("items", {i for c in found for i in c.items}, {"figure 6", "table 3", "table 4", "table 6"})
    return "7 cells, 3 seeds, 5 s"


def check_scenarios() -> str:
    found = some()
    sbd = raw(found, "aqm=sbd,minth=20,rate_kbit=128,tr_ms=200")
    equals("sbd", sbd["radio"]["wlink"], "delay 200ms rate 128kbit tti 10ms limit 20")
    droptail = raw(found, "aqm=droptail,rate_kbit=384")
    equals("droptail", droptail["radio"]["wlink"], "rate 384kbit tti 10ms limit 40")
    red = raw(found, "aqm=red,maxp=0.00005,media=true,minth=5,rate_kbit=64,talk_kbit=56")
    equals("a table merged", red["tcp"], {"sysctl": {"net.ipv4.tcp_ecn": 0.00005}})
    equals("flows", [f["name"] for f in red["flow"]], ["file", "talk"])
    equals("a value in a list", red["flow"][1]["rate"], "56kbit")
    without = raw(found, "aqm=red,maxp=0.00005,media=false,minth=5,rate_kbit=64,talk_kbit=56")
    equals("flows without media", [f["name"] for f in without["flow"]], ["file"])
    return "rules in order, tables merged, lists appended"


def check_names_of_cells() -> str:
    equals("no values", cells.cell_id({}), "all")
    equals("sorted", cells.cell_id({"b": True, "a": "x-1"}), "a=x-1,b=true")
    equals("a small number", cells.cell_id({"p": 1e-7}), "p=0.0000001")
    equals("a large number", cells.spell(1.5e20), "150000000000000000000")
    same = TEXT + '[[grid]]\nitems = ["table 4"]\ncells = [{ aqm = "droptail", rate_kbit = "384" }]\n'
    refused("have the same name, 'aqm=droptail,rate_kbit=384'", lambda: some(same))
    long = [f"k{i} = {'1' * 30}" for i in range(9)]
    refused("is longer than 200 characters", lambda: some(TEXT + LONG % ", ".join(long)))
    return "ids for file names"


LONG = '[[grid]]\nitems = ["table 4"]\ncells = [{ %s }]\n'


def check_words_in_braces() -> str:
    """Words in braces that are a scenario's own stay."""
    rule = """[[rule]]
when = { aqm = "droptail" }
set = ['at=[{time="1s",run="wlinkctl set {down} rate 64kbit"}]']
merge = { radio = { filters = ["protocol ip u32 match ip dport {file} 0xffff classid 1:1"] } }
"""
    text = TEXT + rule
    at = raw(some(text), "aqm=droptail,rate_kbit=384")
    equals("at", at["at"][0]["run"], "wlinkctl set {down} rate 64kbit")
    expect("{file}" in at["radio"]["filters"][0], f"filters are {at['radio']['filters']}")
    refused("rule.7.set: {minht} is not a key of this cell", lambda: some(text.replace("{down}", "{minht}")))
    refused("rule.7.merge.radio.filters: {fle}", lambda: some(text.replace("{file}", "{fle}")))
    return "{down} and {file} stay, others are refused"


def check_shared_rules(where: Path) -> str:
    """A file of rules gives the same cells as its rules in the experiment; it may have more of them."""
    named = TEXT.replace(RULES, "").replace('scenario = "base"', 'scenario = "base"\nrules = "common"')
    whole = [c.as_json() for c in cells.expand(write(where, TEXT))]
    (where / "rules").mkdir()
    common = where / "rules" / "common.toml"
    refused(f"rules: {common}: No such file", lambda: write(where, named))
    unused = '[[rule]]\nwhen = { aqm = "codel" }\n'
    common.write_text(RULES + unused)
    equals("cells", [c.as_json() for c in cells.expand(write(where, named))], whole)
    own = named + '[[rule]]\nwhen = { aqm = "fq" }\n'
    refused("some.toml: rule.1.when: no cell matches", lambda: cells.expand(write(where, own)))
    common.write_text(RULES.replace("radio.wlink.rate", "name.wlink.rate"))
    refused("common.toml: rule.0.set: ", lambda: cells.expand(write(where, named)))
    common.write_text(RULES.replace("when = {}", "whan = {}"))
    refused(f"rules: {common}: rule.0.whan: unknown key", lambda: write(where, named))
    common.write_text("")
    refused(f"rules: {common}: rule is missing", lambda: write(where, named))
    return "four files refused"


def check_both_directions(where: Path) -> None:
    """{A,B} in a key stands for two settings; a value keeps its braces."""
    both = ["radio.down.wlink.limit=7", "radio.up.wlink.limit=7"]
    equals("a key", cells.expanded("radio.{down,up}.wlink.limit=7"), both)
    equals("a value", cells.expanded("at={down,up}"), ["at={down,up}"])
    scenario = SCENARIO.replace("[radio]", "[radio.down]") + '[radio.up]\nwlink = "rate 64kbit limit 5"\n'
    text = TEXT.replace("radio.wlink.", "radio.down.wlink.")
    text = text.replace('"duration=10s"', '"radio.{down,up}.wlink.pdu=40"')
    one = cells.expand(write(where, text, scenario))[0].raw["radio"]
    equals("set", [one[way]["wlink"].count("pdu 40") for way in ("down", "up")], [1, 1])


def check_the_cell_to_compare_with(where: Path) -> str:
    found = some()
    one = next(c for c in found if c.items == ["figure 6", "table 3", "table 6"])
    ((derived, other),) = cells.comparisons(one, found)
    equals("metric", derived.metric, "goodput_gain_percent")
    equals("against", other.id, "aqm=droptail,rate_kbit=384")
    equals("none of its own", cells.comparisons(other, found), [])
    # In whichever experiment of the same paper it is, and in no other.
    exp = write(where, TEXT)
    elsewhere = replace(other, experiment=replace(exp, name="others"))
    equals("another file", cells.comparisons(one, [one, elsewhere])[0][1], elsewhere)
    abroad = replace(other, experiment=replace(exp, paper="link"))
    refused(
        "derived.0: for aqm=sbd,minth=5,rate_kbit=384,tr_ms=50 there is no cell aqm=droptail,rate_kbit=384",
        lambda: cells.comparisons(one, [one, abroad]),
    )
    return "found in the paper, refused where missing"


def check_finding_a_cell(where: Path) -> str:
    exp = write(where, TEXT)
    equals("one", cells.find(exp, "aqm=droptail,rate_kbit=384", True).quick, True)
    refused("some: no cell 'aqm=sdb'", lambda: cells.find(exp, "aqm=sdb"))
    gone = "aqm=sbd,minth=20,rate_kbit=384,tr_ms=50"
    refused("is not part of a quick run", lambda: cells.find(exp, gone, True))
    return "by its id"


def check_the_example() -> str:
    found = cells.expand(experiment.load(TINY))
    equals("cells", [c.id for c in found], ["buffer=10,flows=2", "buffer=40,flows=2"])
    plan = found[0].as_json()
    equals("virtual seconds", plan["virtual_s"], 10.0)
    equals("seeds", plan["seeds"], [1, 2])
    return "two cells"


def check_all_experiments() -> str:
    """Every experiment of the lab, whole and quick, and all that they compare with."""
    if not experiment.names():
        raise Skipped("there are no experiments yet")
    whole, few = cells.expand_all([]), cells.expand_all([], quick=True)
    for name in experiment.names():
        items = [{i for c in found if c.experiment.name == name for i in c.items} for found in (whole, few)]
        equals(f"items of {name} in a quick run", items[1], items[0])
    return f"{len(experiment.names())} experiments, {len(whole)} cells, {len(few)} in a quick run"


def check_a_scenario_for_each_seed() -> str:
    """With a file of `wlab channel` each seed has a radio of its own; all that they read counts."""
    text = HEAD.replace("seeds = 20", "seeds = 3").replace("first_seed = 5", "first_seed = 1")
    text += '[[rule]]\nwhen = {}\nset = ["link.core-1.wlink=rate 1gbit delay {delay_ms}ms"]\n'
    text += '[rule.merge]\nflow = [{ name = "bulk", kind = "tcp", from = "server", to = "ue-1" }]\n'
    text += "[[grid]]\naxes = { delay_ms = [10, 20] }\n"
    channel = 'name = "base"\nduration = "500ms"\n[user.ue]\ncount = 2\n'
    with folder() as where, mock.patch.object(channels, "MADE", where / "made"):
        exp = write(where, text)
        file = where / "channels" / "base.toml"
        file.parent.mkdir()
        file.write_text(channel)
        first, second = cells.expand(exp)
        names = [[f"{seed}/ue-{number}.1.schedule" for number in (1, 2)] for seed in (1, 2, 3)]
        equals("each its own", [list(digests(sc.inputs)) for sc in first.scenarios], names)
        equals("files", list(first.files), [*chain(*names)])
        equals("others", len({*first.files.values()}), 6)
        links = {sc.links["core-1.forward"].args for sc in second.scenarios}
        equals("rules apply", links, {"rate 1gbit delay 20ms"})
        equals("flows", [[f.name for f in sc.flows] for sc in second.scenarios], [["bulk"]] * 3)
        quick_cells = cells.expand(replace(exp, quick=Quick(1, [])), True)
        equals("a quick run", [list(c.files) for c in quick_cells], names[:1] * 2)
        plan = plans.as_plan(first)
        keep(first.inputs(), where / "out" / "files")
        again = plans.from_plan(plan, where / "out" / "plan" / "some" / "one.json")
        equals("by its plan", again.scenario_sha256(), first.scenario_sha256())
        file.write_text(f"{channel}[radio]\nnoise_figure_db = 3\n")
        expect(cells.expand(exp)[0].files != first.files, "another channel makes the same files")
        file.write_text(f"{channel}[radio]\nnoise = 3\n")
        refused("base.toml: radio.noise: unknown key", lambda: cells.expand(exp))
    return "3 seeds"
