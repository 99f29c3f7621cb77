# SPDX-License-Identifier: GPL-2.0
"""What an experiment's file is refused for, and with which words."""

import re
from functools import partial
from pathlib import Path

from brief import brief
from kit import SCENARIO, equals, expect, folder, refused, write
from wlablib.analysis.metrics import METRICS
from wlablib.experiment import cells, experiment, results
from wlablib.scenario import scenario

TEXT = brief("""name = "some"
paper = "aqm"
title = "Some cells"
scenario = "base"
seeds = 20
confidence = 90
metrics = ["goodput_kbit", "delay_s"]
set = ["duration=10s"]
[quick] seeds = 3
[[rule]] when = {}; set = ["radio.wlink.rate={rate_kbit}kbit"]
[[rule]] when = { buffer = [10, 20] }; set = ["radio.wlink.limit={buffer}"]
[[grid]] items = ["figure 1"]; cells = [{ rate_kbit = 384 }]; axes = { buffer = [10, 20] }
quick = { buffer = [10] }
[[published]] item = "figure 1"; cell = { rate_kbit = 384, buffer = 10 }
goodput_kbit = { value = 290.5, half_width = 4.2 }
delay_s = "withheld"
[[derived]] item = "figure 1"; metric = "gain_percent"; of = "goodput_kbit"; against = { buffer = 10 }
[[figure]] item = "figure 1"; x = "buffer"; y = ["goodput_kbit", "gain_percent"]; series = "rate_kbit"
log_x = true
[[table]] item = "figure 1"; rows = ["rate_kbit"]; columns = ["buffer"]; metrics = ["delay_s"]
[[trace]] item = "figure 1"; seed = 2
[[ordering]] item = "figure 1"; text = "More buffer, more of it."; metric = "goodput_kbit"
where = { rate_kbit = 384 }
rises = "buffer"
[[explain]] item = "figure 1"; text = "It is so."; cells = [{ rate_kbit = 384, buffer = 20 }]
metrics = ["delay_s"]
""")

# (what is replaced, by what, words of the error)
SLIPS = [
    ('name = "some"', 'name = "other"', "name: 'other' is not 'some', the name of the file"),
    ('name = "some"', 'name = "a b"', "name: 'a b' is not a name"),
    ('title = "Some cells"\n', "", "title is missing"),
    ('title = "Some cells"', "title = 5", "title: 5 is not a string"),
    ('paper = "aqm"', 'paper = "a b"', "paper: 'a b' is not a name of 1 to 40 letters"),
    ('paper = "aqm"', 'pages = "aqm"', "pages: unknown key; did you mean 'paper'?"),
    ("seeds = 20", "seeds = 0", "seeds: 0 is not a whole number in 1..1000"),
    ("seeds = 3", "seeds = 21", "quick.seeds: 21 is more than the 20 of a full run"),
    ("seeds = 3", "runs = 3", "quick.runs: unknown key"),
    ("[quick]\nseeds = 3\n", "", "grid.0.quick: it needs [quick]"),
    ("confidence = 90", "confidence = 100", "confidence: 100 is outside 0..100 percent"),
    ("confidence = 90", 'confidence = "90 %"', "confidence: '90 %' is not a number"),
    ('"delay_s"]\nset', '"delays"]\nset', "metrics: no metric 'delays'; did you mean 'delay_s'?"),
    ('"delay_s"]\nset', '"delay_s", "delay_s@fiel"]\nset', "metrics: delay_s@fiel: no flow is called 'fiel'"),
    ('"delay_s"]\nset', '"overflow_else@file"]\nset', "metrics: overflow_else is of the whole run only"),
    ('"delay_s"]\nset', '"delay_s@"]\nset', "metrics: 'delay_s@' does not name a flow, node or link, as in"),
    ('"delay_s"]\nset', '"goodput_kbit"]\nset', "metrics: 'goodput_kbit' appears twice"),
    ('["goodput_kbit", "delay_s"]\nset', "[]\nset", "metrics: not a list of one metric or more"),
    ('set = ["duration=10s"]', 'set = "duration=10s"', "set: 'duration=10s' is not a list of strings"),
    ('set = ["duration=10s"]', 'set = ["duration"]', "set: duration: not KEY=VALUE"),
    ('set = ["duration=10s"]', 'set = ["duration=10"]', "duration: '10' is not a time"),
    ('set = ["duration=10s"]', 'set = ["flow.fiel.start=1s"]', "set: flow.fiel.start=1s: there is no 'fiel'"),
    ("when = {}\n", "", "rule.0.when is missing"),
    ("when = {}", "when = { rate = 384 }", "rate_kbit = 384 has no effect: no rule for this cell has it"),
    ("when = {}", "whne = {}", "rule.0.whne: unknown key; did you mean 'when'?"),
    ("when = { buffer = [10, 20] }", "when = { buffer = [] }", "rule.1.when: buffer: [] is not a list"),
    ("when = { buffer = [10, 20] }", "when = { buffer = 10 }", "buffer = 20 has no effect"),
    ("limit={buffer}", "limit={buffr}", "{buffr} is not a key of this cell; did you mean 'buffer'?"),
    ("limit={buffer}", "limit=many", 'limit "many" is not a number'),
    ("limit={buffer}", "limt={buffer}", 'unknown word "limt"; did you mean limit?'),
    ("rate={rate_kbit}kbit", "rate={rate_kbit}kbps;", 'radio.wlink: rate "384kbps;" has an unknown unit'),
    ('items = ["figure 1"]', "items = []", "grid.0.items: [] is not a list of items"),
    ('items = ["figure 1"]', 'items = ["Figure 1"]', "'Figure 1' is not the name of a table or figure"),
    ("cells = [{ rate_kbit = 384 }]\na", "seeds = 20\na", "grid.0.seeds: 20 is not more than the 20"),
    ("cells = [{ rate_kbit = 384 }]\na", "cells = []\na", "grid.0.cells: not a list of one table or more"),
    ("cells = [{ rate_kbit = 384 }]\na", "cells = [5]\na", "grid.0.cells: 5 is not a table"),
    ("[{ rate_kbit = 384 }]", "[{ Rate = 384 }]", "grid.0.cells: 'Rate' is not a key"),
    ("[{ rate_kbit = 384 }]", '[{ rate_kbit = "a/b" }]', "rate_kbit: 'a/b' is not 1 to 40 letters"),
    ("[{ rate_kbit = 384 }]", "[{ rate_kbit = nan }]", "rate_kbit: nan is not a value of a cell"),
    ("[{ rate_kbit = 384 }]", "[{ rate_kbit = [1] }]", "rate_kbit: [1] is neither a string, a number"),
    ("[{ rate_kbit = 384 }]", "[{ rate_kbit = 384, buffer = 1 }]", "grid.0.axes.buffer: the cells have the"),
    ("axes = { buffer = [10, 20] }", "axes = { buffer = [] }", "grid.0.axes: buffer: [] is not a list"),
    ("axes = { buffer = [10, 20] }", "axes = { buffer = [10, 10] }", "grid.0.axes: buffer: 10 appears twice"),
    ("axes = { buffer = [10, 20] }", "axes = [10, 20]", "grid.0.axes: [10, 20] is not a table"),
    ("quick = { buffer = [10] }", "quick = { buffer = [30] }", "grid.0.quick.buffer: 30 is not in"),
    ("quick = { buffer = [10] }", "quick = { bufer = [10] }", "grid.0.quick: 'bufer' is not an axis"),
    ("quick = { buffer = [10] }", "quick = false", "every grid of 'figure 1' has quick = false"),
    ("rate_kbit = 384, buffer = 10 }", "buffer = 10 }", "published.0.cell: no grid has buffer=10"),
    ("goodput_kbit = { value = 290.5", "goodput = { value = 290.5", "published.0: 'goodput' is not a metric"),
    ("{ value = 290.5", "{ vlaue = 290.5", "published.0.goodput_kbit.vlaue: unknown key"),
    ("value = 290.5", 'value = "290"', "published.0.goodput_kbit.value: '290' is not a number"),
    ("half_width = 4.2", "half_width = -4.2", "published.0.goodput_kbit.half_width: -4.2 is below 0"),
    ('"withheld"', '"unknown"', "published.0.delay_s: 'unknown' is not a table"),
    ('of = "goodput_kbit"', 'of = "file_s"', "derived.0.of: 'file_s' is not measured"),
    ('metric = "gain_percent"', 'metric = "file_s"', "derived.0.metric: 'file_s' is the name of a measured"),
    ('x = "buffer"', 'x = "bufer"', "figure.0.x: 'bufer' is not a key of the cells or a metric"),
    ('"gain_percent"]', '"gain"]', "figure.0.y: 'gain' is not a metric of this experiment"),
    ('series = "rate_kbit"', 'series = "rate"', "figure.0.series: 'rate' is not a key of the cells"),
    ("log_x = true", "log_x = 1", "figure.0.log_x: 1 is neither true nor false"),
    ('rows = ["rate_kbit"]', 'rows = ["rate"]', "table.0.rows: 'rate' is not a key of the cells"),
    ('columns = ["buffer"]', 'columns = ["buf"]', "table.0.columns: 'buf' is not a key of the cells"),
    ('"delay_s"]\n[[trace]]', '"file_s"]\n[[trace]]', "table.0.metrics: 'file_s' is not a metric of this"),
    ('[[trace]]\nitem = "figure 1"', '[[trace]]\nitem = "figure 2"', "trace.0.item: 'figure 2' is not an"),
    ("seed = 2", "seed = -1", "trace.0.seed: -1 is not a whole number"),
    ("rate_kbit = 384, buffer = 20 }", "buffer = 20 }", "explain.0.cells: no grid has buffer=20"),
    ('text = "It is so."\n', "", "explain.0.text is missing"),
    ('metric = "goodput_kbit"\nw', 'metric = "file_s"\nw', "ordering.0.metric: 'file_s' is not measured"),
    ("where = { rate_kbit", "where = { rate", "ordering.0: 'rate' is not a key of the cells"),
    ('rises = "buffer"', 'rises = "bufer"', "ordering.0: 'bufer' is not a key of the cells"),
    ('rises = "buffer"\n', "", "ordering.0: it has more and less"),
    ('rises = "buffer"', "more = { buffer = 10 }", "ordering.0: it has more and less"),
    (
        'rises = "buffer"',
        'rises = "buffer"\nfalls = "buffer"',
        "ordering.0: it has more and less, and falls or",
    ),
    ("[[explain]]", "[explain]", "explain: write [[explain]] with two brackets"),
    ("[[explain]]", "[[explain]", "Expected"),
    ('scenario = "base"', 'scenario = "bsae"', "scenarios/bsae.toml: No such file or directory"),
]


def one_slip(text: str, words: str) -> None:
    with folder() as where:
        refused(words, lambda: cells.expand(write(where, text)))
        refused(str(where), lambda: cells.expand(write(where, text)))


def check_slips() -> str:
    for old, new, words in SLIPS:
        expect(TEXT.count(old) >= 1, f"'{old}' is not in the text")
        one_slip(TEXT.replace(old, new, 1), words)
    return f"{len(SLIPS)} of them, each with the file's name"


def check_more_that_is_refused(where: Path) -> str:
    refused("No such file or directory", lambda: experiment.load(where / "none.toml"))
    refused("no experiment 'amq-sbd'", lambda: experiment.load("amq-sbd"))
    nothing = TEXT[: TEXT.index("[[grid]]")].replace("[[rule]]", "[[rule]]", 1)
    refused("grid is missing", lambda: write(where, nothing))
    empty = re.sub(r"\[quick\]", "grid = []\n[quick]", nothing)
    refused("grid: an experiment needs", lambda: write(where, empty))
    dead = TEXT + "[[rule]]\nwhen = { buffer = 40 }\n"
    refused("rule.2.when: no cell matches", lambda: cells.expand(write(where, dead)))
    bad = SCENARIO + "[[flow]\n"
    refused("scenario: ", lambda: cells.expand(write(where, TEXT, bad)))
    slip = SCENARIO.replace('kind = "tcp"', 'kind = "tpc"')
    words = "cell buffer=10,rate_kbit=384: flow.0.kind: 'tpc' is unknown"
    refused(words, lambda: cells.expand(write(where, TEXT, slip)))
    return "missing files, grids that are not there, scenarios with slips"


def check_a_whole_file(where: Path) -> str:
    exp = write(where, TEXT)
    equals("metrics", exp.all_metrics(), ["goodput_kbit", "delay_s", "gain_percent"])
    (pub,) = exp.published
    equals("withheld", pub.values["delay_s"], None)
    printed = pub.values["goodput_kbit"]
    equals("printed", printed and (printed.value, printed.half_width), (290.5, 4.2))
    equals("series", exp.figures[0].series, ["rate_kbit"])
    equals("items", exp.items(), ["figure 1"])
    for name, metric in METRICS.items():
        expect(bool(metric.unit and metric.sentence), f"{name} has neither unit nor sentence")
    return "all parts of a file"


DEEP = "nested more than 30 deep"
# What a file may be made of to break its reader: (text, what is said).
HOSTILE = (
    (f"x = {'[' * 100000}{']' * 100000}", DEEP),
    (f"x = {'{ a = ' * 100000}1{' }' * 100000}", DEEP),
    (f"[tcp.sysctl]\n{'a.' * 2000}b = 1", DEEP),
    (f"x = {'[' * 31}{']' * 31}", DEEP),
    (f"[{'a.' * 31}b]", DEEP),
    (f"x = {'9' * 10000}", "4300 digits"),
    (f"x = 0x{'f' * 10000}", "a number of more than 1000 digits"),
    (f"duration = '{'9' * 10000}s'", "is not a time"),
    ("x = [", "Invalid value"),
    ("\0", "Invalid statement"),
)


def check_hostile_files(where: Path) -> str:
    """Scenarios, experiments and their scenarios, and results: named, and no traceback."""
    for text, words in HOSTILE:
        path = where / "some.toml"
        path.write_text(f'name = "some"\nradio = 1\n{text}' if text[0] == "d" else text)
        refused(f"{path}: ", partial(scenario.load, path, []))
        refused(words, partial(scenario.load, path, []))
        if text[0] != "d":
            refused(words, partial(experiment.load, path))
            refused(words, partial(cells.expand, write(where, TEXT, text)))
    path = where / "some.json"
    for text in ("[" * 100000, '{"scenario": ' * 100000 + "1" + "}" * 100000):
        path.write_text(text)
        refused(f"{path}: ", partial(results.read, path))
    return f"{len(HOSTILE)} files refused"


# (the link, --set of it, the link then)
SETTINGS = (
    ("rate 1mbit limit 40", "rate=2mbit", "rate 2mbit limit 40"),
    ("rate 1mbit", "tti=10ms", "tti 10ms rate 1mbit"),
    ("rate 1mbit channel gilbert p 0.1 r 0.2 limit 9", "channel=none", "rate 1mbit channel none limit 9"),
    ("rate 5 channel uniform loss 1%", "channel=gilbert p 0.1 r 0.2", "rate 5 channel gilbert p 0.1 r 0.2"),
    ("rate 1mbit", "channel=uniform loss 1%", "channel uniform loss 1% rate 1mbit"),
    ("channel gilbert rate 1mbit p 0.1 r 0.2", "channel=none", "channel none rate 1mbit"),
    ("preset umts-384 fer 5%", "channel=none", "channel none preset umts-384"),
    (
        "rate 1mbit mode am pdu 40 rev_channel uniform rev_loss 1% channel uniform loss 2%",
        "rev_channel=link",
        "rate 1mbit mode am pdu 40 rev_channel link channel uniform loss 2%",
    ),
    (
        "rate 1mbit mode asr pdu 250 alpha 2 aqm sbd minth 20 tr 1ms alpha 5 limit 40",
        "aqm=codel",
        "rate 1mbit mode asr pdu 250 alpha 2 aqm codel limit 40",
    ),
    ("limit 40 aqm red minth 5 maxp 0.1", "rate=1mbit", "rate 1mbit limit 40 aqm red minth 5 maxp 0.1"),
    ("rate 1mbit limit", "aqm=codel", "aqm codel rate 1mbit limit"),
)


def check_one_word_of_a_link() -> str:
    """One word of a link is set; with a channel or an AQM goes all that is its own."""
    for link, setting, then in SETTINGS:
        raw = {"radio": {"wlink": link}}
        scenario.override(raw, f"radio.wlink.{setting}")
        equals(f"{setting} in {link}", raw["radio"]["wlink"], then)
    return f"{len(SETTINGS)} links"
