# SPDX-License-Identifier: GPL-2.0
"""The pages and pictures of a sweep made by hand."""

import csv
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import textwrap
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from unittest import mock
from urllib.parse import unquote

from brief import brief
from kit import HERE, Skipped, equals, expect, folder, near, refused
from report_kit import Seeds, Sweep, accept, grid, head
from wlablib.analysis.plots.run import pyplot
from wlablib.experiment.parts import Figure, Trace
from wlablib.experiment.results import LINES, addresses, read
from wlablib.experiment.words import Values
from wlablib.lib.page import LOOK
from wlablib.report import (
    data as reportdata,
    diagonal,
    figures,
    item as reportitem,
    order as reportorder,
    page as reportpage,
    report,
    trace as reporttrace,
)
from wlablib.report.claims import gap

PNG = b"\x89PNG\r\n\x1a\n"


def cell(tr: int, minth: int = 20, aqm: str = "sbd") -> Values:
    return {"aqm": aqm, "rate_kbit": 384, "minth": minth, "tr_ms": tr}


GRID = [cell(tr, minth) for tr in (50, 200, 1000) for minth in (10, 20)]
TEXT = (
    head("fig", "aqm", ["goodput_kbit", "delay_s"])
    + accept(aqm=["sbd"], rate_kbit=[384], minth=[10, 20], tr_ms=[50, 200, 1000])
    + grid(["figure 6"], GRID)
    + grid(["table 3"], [cell(200)])
    + brief("""[[figure]] item = "figure 6"; title = "One flow with SBD"; x = "tr_ms"
y = ["goodput_kbit", "delay_s"]
series = "minth"
log_x = true
[[table]] item = "table 3"; rows = ["rate_kbit"]; columns = ["tr_ms", "minth"]
metrics = ["goodput_kbit", "delay_s"]
[[published]] item = "table 3"; cell = { aqm = "sbd", rate_kbit = 384, minth = 20, tr_ms = 200 }
goodput_kbit = { value = 290.5, half_width = 4.2 }
delay_s = { value = 0.9, half_width = 0.03 }
[[ordering]] item = "figure 6"; text = "more T_r gives less delay"; metric = "delay_s"; falls = "tr_ms"
[[ordering]] item = "figure 6"; text = "a higher minth gives more goodput"; metric = "goodput_kbit"
more = { minth = 20 }
less = { minth = 10 }
[[explain]] item = "table 3"
text = "The paper's delay counts the wire twice; a wire half as long shows it."
cells = [ { aqm = "sbd", rate_kbit = 384, minth = 20, tr_ms = 50 } ]
metrics = ["delay_s"]
claims = ["aqm-tr-delay"]
""")
)


def spread(mean: float) -> Seeds:
    return [0.99 * mean, mean, 1.01 * mean]


def fill(sweep: Sweep) -> None:
    for i, values in enumerate(GRID):
        sweep.put(values, goodput_kbit=spread(280 + 2 * i), delay_s=spread(0.8 - 0.1 * (i // 2)))


def links_lead(to: Path) -> int:
    """Every link of every page leads to a file, and to an anchor where it names one."""
    seen = 0
    anchors: dict[Path, set[str]] = {}
    for page in to.glob("*.md"):
        for target in re.findall(r"\]\(([^) ]+)(?: \"[^\"]*\")?\)", page.read_text()):
            if "://" in target:
                continue
            name, _, anchor = unquote(target).partition("#")
            path = to / name if name else page
            expect(path.exists(), f"{page.name} leads to {name}, which is not there")
            if path.suffix == LINES and path not in anchors:
                anchors[path] = {str(one).partition("#")[2] for one in addresses(path)}
            elif anchor and path not in anchors:
                heads = re.findall(r"^## (.*)|id=\"(.*)\"", path.read_text(), re.M)
                anchors[path] = {head.lower() or known for head, known in heads}
            expect(not anchor or anchor in anchors[path], f"{page.name}: no anchor {anchor} in {name}")
            seen += 1
    return seen


def check_pages(where: Path) -> str:
    sweep = Sweep(where, {"fig": TEXT})
    fill(sweep)
    sweep.path(cell(1000, 10)).unlink()
    sweep.path(cell(1000, 10)).with_suffix(".error").write_text("oops | the guest has died\n")
    to = where / "pages"
    made = report.build(sweep.study(), to, traces=False)
    text = (to / "aqm.md").read_text()
    for words in (
        "![Figure 6: One flow with SBD](aqm-figure-6.png)",
        # Six digits of both: 290.5 is theirs, ours is the mean of cell 200, 20: 286.
        "| 384 | 200 | 20 | goodput (kbit/s) | [286.0 ± 4.8](cells/fig.jsonl#aqm=sbd,minth=20,",
        # 286 / 290.5 with hypot(4.82, 4.2 * .9845) / 290.5; 0.7 / .9 is .78 with .03.
        "| 290.5 ± 4.2 | 0.985 ± 0.022 | within 5 % |",
        "| 0.9 ± 0.03 | 0.778 ± 0.029 | cannot be told |",
        "Why: The paper's delay counts the wire twice",
        "* fig: aqm sbd, rate_kbit 384, minth 10, tr_ms 1000: oops | the guest has died",
        "* The paper says: more T_r gives less delay: **cannot be judged**. Of 1 comparisons 1 show it.",
        "### `aqm-tr-delay`: cannot be judged",
        "* 5 cells: stack `reno-2006`, congestion control `reno`, route `initcwnd 1`; this kernel has no"
        " `net.ipv4.tcp_plb_enabled`; not as wanted: `net.ipv4.tcp_frto` is 2, not 0.",
        # Five cells of 60 virtual, 18 wall and 36 processor seconds each.
        "| `fig` | 5 of 6 | 15 | 0.083 | 0.025 | 0.05 |",
        "Linux has no pure Reno",
        "kernel 6.1.1",
    ):
        expect(words in text, f"the page has no '{words}'")
    expect("quick set" not in text, "the page takes it for a quick set")
    seen = links_lead(to)
    expect(seen > 20, f"{seen} links only")
    copied = to / "cells" / "fig.jsonl"
    equals("copied", read(Path(f"{copied}#{sweep.path(cell(200)).stem}")), read(sweep.path(cell(200))))
    equals("its lines", copied.read_text().count("\n"), 5)
    found = json.loads((sweep.out / "results.json").read_text())
    # Five cells of figure 6 and one of table 3, two metrics each.
    equals("entries", len(found), 12)
    equals("nothing broken", made.broken, [])
    index = (to / "README.md").read_text()
    expect("Missing: 1 of 6 cells." in index, "no hole on the first page")
    # A cell that is gone takes its copy with it.
    sweep.path(cell(200)).unlink()
    report.build(sweep.study(), to, traces=False)
    equals("lines without it", copied.read_text().count("\n"), 4)
    links_lead(to)
    return f"{seen} links lead somewhere"


def check_pages_in_the_tree() -> str:
    """The pages that are kept promise no file that is not there."""
    results = HERE.parent.parent / "Documentation" / "results"
    seen = links_lead(results)
    for page in results.glob("*.md"):
        for name in re.findall(r"`([\w/.-]+\.json)`", page.read_text()):
            expect((results / name).exists(), f"{page.name} promises {name}")
    return f"{seen} links"


def check_commands_for_kept_results() -> str:
    """What the first page of the kept results says to type, typed."""
    if not shutil.which("jq") or not importlib.util.find_spec("pandas"):
        raise Skipped("no jq or no pandas; type: userspace/need papers")
    results = HERE.parent.parent / "Documentation" / "results"
    page = (results / "README.md").read_text()
    said = []
    for block in re.findall(r"(?:^    .*\n)+", page, re.M):
        argv = ["sh", "-euc", textwrap.dedent(block)]
        env = {**os.environ, "PATH": "/usr/bin:/bin"}
        done = subprocess.run(argv, cwd=results, env=env, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f"{block}{done.stderr}")
        said.append(done.stdout)
    means, scenario, seeds = said
    (file,) = set(re.findall(r"cells/[a-z-]+\.jsonl(?!#)", page))
    have = [read(one) for one in addresses(results / file)]
    metric = next(iter(have[0]["metrics"]))
    rows = [line.split("\t") for line in means.splitlines()]
    wanted = [[one["id"], *one["metrics"][metric].values()] for one in have]
    equals("means", [[row[0], *map(float, row[1:])] for row in rows], wanted)
    expect(json.loads(scenario) in [one["scenario"] for one in have], scenario)
    lines = list(csv.reader(seeds.strip().splitlines()))[1:]
    wanted = [[one["id"], *pair] for one in have for pair in zip(one["seeds"], one["values"][metric])]
    equals("seeds", [[name, int(seed), float(value)] for name, seed, value in lines], wanted)
    return f"{len(rows)} cells, {len(lines)} seeds"


def check_pages_beside_the_cells(where: Path) -> str:
    """Pages inside the sweep's folder lead to the cells there."""
    sweep = Sweep(where, {"fig": TEXT})
    fill(sweep)
    to = sweep.out / "report"
    report.build(sweep.study(), to, traces=False)
    expect(not (to / "cells").exists(), "cells were copied beside themselves")
    expect("](../cells/fig/" in (to / "aqm.md").read_text(), "no link to the cells")
    expect("in [`results.json`](../results.json)." in (to / "README.md").read_text(), "no results.json")
    links_lead(to)
    first = {p.name: p.read_bytes() for p in to.iterdir()}
    report.build(sweep.study(), to, traces=False)
    equals("twice the same", {p.name: p.read_bytes() for p in to.iterdir()} == first, True)
    return "and twice the same to the byte"


def check_pages_of_kept_results(where: Path) -> str:
    """Pages of results that are kept are those of the sweep that they are from."""
    sweep = Sweep(where, {"fig": TEXT})
    fill(sweep)
    report.build(sweep.study(), where / "kept", traces=False)
    study = reportdata.load(where / "kept", sweep.set)
    report.build(study, where / "pages", traces=False)
    pages = {p.name: p.read_text() for p in (where / "kept").glob("*.md")}
    equals("pages", {p.name: p.read_text() for p in (where / "pages").glob("*.md")} == pages, True)
    return f"{len(pages)} pages"


def check_the_first_page(where: Path) -> str:
    """It begins with every printed value against ours, and three sentences."""
    sweep = Sweep(where, {"fig": TEXT})
    fill(sweep)
    to = where / "pages"
    report.build(sweep.study(), to, traces=False)
    head = (to / "README.md").read_text().split("\n\n")
    equals("picture", head[1], "![Every published value against ours, with both intervals](printed.png)")
    expect((to / "printed.png").read_bytes().startswith(PNG), "no picture")
    values, claims, said = head[2].splitlines()
    # Goodput 0.985 +- 0.022 times the printed one, delay 0.778 +- 0.029.
    expect(values.startswith("* Of 2 values that are printed: 1 within 5 %, 1 cannot be told."), values)
    expect("goodput (kbit/s) 0.98 times, delay (s) 0.78 times" in values, values)
    expect(claims.startswith("* Of 17 claims 1 hold, 1 cannot be told, 15 cannot be judged."), claims)
    equals("sentences", said, "* Of 2 sentences that compare 2 hold.")
    item = reportitem.collect(sweep.study(), "aqm", "table 3")
    panels = diagonal.panels([item])
    equals("panels", list(panels), [("table 3", "goodput_kbit"), ("table 3", "delay_s")])
    plt = pyplot()
    figure, ax = plt.subplots()
    diagonal.draw_panel(ax, *("table 3", "goodput_kbit"), panels["table 3", "goodput_kbit"], set())
    (point,) = ax.containers
    equals("theirs, ours", point.lines[0].get_xydata().tolist(), [[290.5, 286.0]])
    theirs, ours = ((bar.get_segments()[0][1] - bar.get_segments()[0][0]) / 2 for bar in point.lines[2])
    equals("intervals", [round(theirs[0], 1), round(ours[1], 1)], [4.2, 4.8])
    lines = [line.get_xydata().tolist() for line in ax.lines if len(line.get_xydata()) == 2]
    expect(any(all(x == y for x, y in line) for line in lines), "no diagonal")
    plt.close(figure)
    return "2 values, 2 panels"


def check_pages_with_a_broken_file(where: Path) -> str:
    sweep = Sweep(where, {"fig": TEXT})
    fill(sweep)
    path = sweep.path(cell(50))
    path.write_text(path.read_text()[:-100])
    made = report.build(sweep.study(), where / "pages", traces=False)
    equals("broken", len(made.broken), 1)
    expect(str(path) in made.broken[0], made.broken[0])
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        equals("exit status", report.announce(sweep.study(), made), 1)
    expect(f"report: {path}: not JSON" in said.getvalue(), said.getvalue())
    words = f"{path}: not JSON"
    expect(words in (where / "pages" / "aqm.md").read_text(), f"the page does not say {words}")
    return "named, and the rest is told"


def check_figures(where: Path) -> str:
    sweep = Sweep(where, {"fig": TEXT})
    fill(sweep)
    item = reportitem.collect(sweep.study(), "aqm", "figure 6")
    ((_, fig),) = item.figures
    have = figures.panels(fig, item.entries)
    equals("panels", [p.metric for p in have], ["goodput_kbit", "delay_s"])
    equals("series", [s.name for s in have[0].series], ["minth 10", "minth 20"])
    line = have[0].series[1]
    points = [(s.x, s.y) for s in line.measured]
    equals("points", points, [(50.0, 282.0), (200.0, 286.0), (1000.0, 290.0)])
    expect(all(s.y_half and s.x_half is None for s in line.measured), "no interval")
    png = where / "one.png"
    with mock.patch.object(LOOK, "format", "pdf"):
        expect(figures.draw(fig, item.entries, png), "nothing drawn")
    expect(png.with_suffix(".pdf").read_bytes().startswith(b"%PDF-"), "no PDF beside it")
    data = png.read_bytes()
    expect(data.startswith(PNG) and len(data) < figures.BYTES_MAX, f"{len(data)} bytes")
    plane = Figure("figure 6", "delay_s", ["goodput_kbit"], ["minth"])
    spots = figures.panels(plane, item.entries)[0].series[0].measured
    # By the order of the cells, that of T_r: 0.8, 0.7, 0.6 s.
    equals("a plane", [(round(s.x, 9), s.y) for s in spots], [(0.8, 280.0), (0.7, 284.0), (0.6, 288.0)])
    expect(all(s.x_half for s in spots), "no interval on the axis of x")
    words = Figure("figure 6", "aqm", ["delay_s"])
    panel = figures.panels(words, item.entries)[0]
    equals("places by name", (panel.names, {s.x for s in panel.series[0].measured}), (["sbd"], {0.0}))
    empty = [e for e in item.entries if e.value is None]
    equals("nothing", figures.draw(fig, empty, where / "none.png"), False)
    # Two items' styles that a printer would make the same are not both a marker and a dash.
    looks = {(marker, str(dash)) for _, marker, dash in figures.STYLES}
    equals("styles", len(looks), len(figures.STYLES))
    return f"{len(data)} bytes"


def check_what_is_said_in_words(where: Path) -> str:
    sweep = Sweep(where, {"fig": TEXT})
    fill(sweep)

    def said() -> list[reportorder.Said]:
        return reportorder.of_item(sweep.study(), "aqm", "figure 6")

    falls, more = said()
    # Two lines of three T_r: the whole counts, two steps in each could only contradict it.
    equals("falls", (len(falls.found.shown), falls.verdict), (2, "holds"))
    # Each 2 kbit/s of 280 apart with the same seeds: surely told apart.
    equals("more", (len(more.found.shown), more.verdict), (3, "holds"))
    for tr in (50, 200, 1000):
        sweep.put(cell(tr, 20), goodput_kbit=spread(200), delay_s=spread(0.8))
    falls, more = said()
    equals("against", (len(more.found.against), more.verdict), (3, "does not hold"))
    equals("a level line", (len(falls.found.equal), falls.verdict), (1, "holds"))
    sweep.put(cell(1000, 10), goodput_kbit=spread(200), delay_s=spread(0.8))
    sweep.put(cell(50, 10), goodput_kbit=spread(200), delay_s=spread(0.8))
    falls, _ = said()
    equals("level lines, a step up in one", (len(falls.found.equal), falls.verdict), (2, "does not hold"))
    sweep.path(cell(50, 20)).unlink()
    _, more = said()
    equals("a hole", (len(more.found.missing), len(more.found.against)), (1, 1))
    return "both forms"


def check_what_is_said_of_gaps() -> str:
    """Sums of cells, products, margins; a gap that widens along a key."""
    kinds: list[tuple[str, list[float], str]] = [
        # Of minth 20 and 10 at T_r 50, 200, 1000.
        ('rises = "tr_ms"\n', [12, 10, 14, 10, 19, 10], "holds"),
        ('rises = "tr_ms"\n', [12, 10, 19, 10, 14, 10], "does not hold"),
        ('falls = "tr_ms"\n', [12, 10, 14, 10, 19, 10], "does not hold"),
        ("margin = 10\n", [12, 10, 12, 10, 10, 10.5], "holds"),
        ("", [12, 10, 12, 10, 10, 10.5], "does not hold"),
        ("margin = 10\n", [12, 10, 12, 10, 10, 12], "does not hold"),
        ("where = { tr_ms = [50, 200] }\n", [12, 10, 12, 10, 10, 12], "holds"),
    ]
    more = 'metric = "goodput_kbit"\nmore = { minth = 20 }\nless = { minth = 10 }\n'
    for words, values, wanted in kinds:
        with folder() as where:
            sweep = Sweep(where, {"fig": TEXT.replace(more, more + words)})
            for (tr, minth), value in zip([(t, m) for t in (50, 200, 1000) for m in (20, 10)], values):
                sweep.put(cell(tr, minth), goodput_kbit=spread(value), delay_s=spread(1))
            found = reportorder.of_item(sweep.study(), "aqm", "figure 6")[1]
            equals(f"{words!r}, {values}", found.verdict, wanted)
            if "rises" in words:
                # From end to end: of both gaps the larger one is the measure.
                (whole,) = (one for one in reportorder.pairs(found.found, found.order) if not one.step)
                difference = gap(whole.more, whole.less, "goodput_kbit")
                near("size", difference.size if difference else None, max(values[0], values[4]) - 10, 1e-9)
    # Half of the link and 10 kbit/s more at 200 than at 50; twice as much at 1000.
    two = "where = { tr_ms = 200 }\nmore = [{ minth = 20 }, { tr_ms = 50, minth = 10 }]\n"
    two = f'metric = "goodput_kbit"\n{two}less = [{{ minth = 10 }}, {{ tr_ms = 50, minth = 20 }}]\n'
    for words, wanted in (("", "holds"), ("ratio = true\n", "does not hold")):
        with folder() as where:
            sweep = Sweep(where, {"fig": TEXT.replace(more, two + words)})
            for tr, minth, value in ((50, 20, 30), (50, 10, 10), (200, 20, 70), (200, 10, 35)):
                sweep.put(cell(tr, minth), goodput_kbit=spread(value), delay_s=spread(1))
            found = reportorder.of_item(sweep.study(), "aqm", "figure 6")[1]
            equals(f"35 against 20, 2 against 3: {words!r}", found.verdict, wanted)
    return f"{len(kinds) + 2} of them"


def check_an_item_of_two_experiments(where: Path) -> str:
    """An item of two experiments: each table shows the cells of its own."""
    table = '[[table]]\nitem = "table 6"\ntitle = "{}"\nrows = ["aqm"]\nmetrics = ["goodput_kbit"]\n'
    texts = {
        aqm: head(aqm, "aqm", ["goodput_kbit"])
        + accept(aqm=[aqm])
        + grid(["table 6"], [{"aqm": aqm}])
        + table.format(f"All of {aqm}")
        for aqm in ("red", "sbd")
    }
    sweep = Sweep(where, texts)
    sweep.put({"aqm": "red"}, goodput_kbit=spread(100))
    sweep.put({"aqm": "sbd"}, goodput_kbit=spread(200))
    report.build(sweep.study(), where / "pages", traces=False)
    text = (where / "pages" / "aqm.md").read_text()
    first, second = text.partition("All of red:")[2].split("All of sbd:")
    expect("| red | goodput (kbit/s) | [100.0" in first and "| sbd |" not in first, first)
    expect("| sbd | goodput (kbit/s) | [200.0" in second and "| red |" not in second, second)
    expect("\n## Table 6\n" in text, "one of two titles is that of the item")
    return "two tables"


def check_explanations_from_another_page() -> str:
    """A claim is explained by any page; an item names those of its claims that are explained for it."""
    why = head("why", "start", ["goodput_kbit"]) + accept(aqm=["sbd"]) + grid(["results"], [{"aqm": "sbd"}])
    why += '[[explain]]\nitem = "results"\ntext = "So it is."\nclaims = ["aqm-tr-delay"]\n'
    falls = 'falls = "tr_ms"\n'
    text = TEXT[: TEXT.index("[[explain]]")].replace(falls, falls + 'claim = "aqm-tr-delay"\n')
    none = "No explanation of the"
    for of, begin, words in (
        ("", "Why: So it is.", ("claim `aqm-tr-delay`.", f"{none} other differences has been tested yet.")),
        ('of = ["table 3"]\n', "Why (table 3): So it is.", (f"{none} differences has been tested yet.",)),
    ):
        with folder() as where:
            sweep = Sweep(where, {"fig": text, "why": why + of})
            for values in GRID:
                delay = spread(float(str(values["tr_ms"])))
                sweep.put(values, goodput_kbit=spread(200), delay_s=delay)
            sweep.put({"aqm": "sbd"}, goodput_kbit=spread(200))
            report.build(sweep.study(), where / "pages", traces=False)
            page = (where / "pages" / "aqm.md").read_text()
            claim, _, rest = page.partition("### `aqm-tr-delay`: **does not hold**")[2].partition("### ")
            expect(begin in claim, claim)
            figure = rest.partition("## Figure 6")[2].partition("## ")[0]
            for word in words:
                expect(word in figure, figure)
    return "of another page, of another item"


def check_long_pages(where: Path) -> str:
    """However many cells there are, all are on the page."""
    cells: list[Values] = [{"aqm": "sbd", "tr_ms": n} for n in range(150)]
    text = head("many", "aqm", ["goodput_kbit"]) + accept(aqm=["sbd"], tr_ms=list(range(150)))
    text += "".join(grid([f"figure {n}"], cells) for n in range(6, 12))
    report.build(Sweep(where, {"many": text}).study(), where / "pages", traces=False)
    found = (where / "pages" / "aqm.md").read_text()
    equals("lines of tables", len(re.findall(r"^\| \d+ \| goodput ", found, re.M)), 6 * 150)
    links_lead(where / "pages")
    return f"{found.count(chr(10))} lines"


def check_slips() -> str:
    head_0, head_1 = 'item = "figure 6"\ntext', 'metric = "delay_s"\nfalls'
    forms = "it has more and less, and falls or rises, or one of both"
    cases = [
        ('falls = "tr_ms"\n', "", f"ordering.0: {forms}"),
        ('falls = "tr_ms"', 'falls = "tr_s"', "ordering.0: 'tr_s' is not a key of the cells"),
        ("less = { minth = 10 }\n", "", f"ordering.1: {forms}"),
        ("less = { minth = 10 }", 'rises = "minth"', f"ordering.1: {forms}"),
        ("less = { minth = 10 }", "less = []", "ordering.1.less: not a list of one table or more"),
        (
            "less = { minth = 10 }",
            "less = [{ minth = 10 }, {}]",
            "ordering.1: it has 1 in more and 2 in less",
        ),
        (head_1, 'metric = "file_s"\nfalls', "ordering.0.metric: 'file_s' is not measured"),
        (head_0, 'item = "figure 7"\ntext', "ordering.0.item: 'figure 7' is not an item of a grid"),
    ]
    for old, new, words in cases:
        with folder() as where:
            text = {"fig": TEXT.replace(old, new, 1)}
            refused(words, partial(Sweep, where, text))
    return f"{len(cases)} orderings"


def check_seeds_of_traces(where: Path) -> str:
    """Of a trace: the one it names, or the first that all its cells have."""
    sweep = Sweep(where, {"fig": TEXT})
    sweep.put(cell(50), goodput_kbit=spread(1), delay_s=spread(1))
    sweep.put(cell(200), first=2, goodput_kbit=spread(1), delay_s=spread(1))
    slots = [s for s in sweep.study().slots if s.record]
    equals("the first of both", reporttrace.seed_of(Trace("figure 6"), slots), 2)
    equals("named", reporttrace.seed_of(Trace("figure 6", 3), slots), 3)
    unknown = Trace("figure 6", 4)
    refused("figure 6: its cells have no seed 4", lambda: reporttrace.seed_of(unknown, slots))
    keys = {reporttrace.key(slots, 2), reporttrace.key(slots, 3), reporttrace.key(slots[:1], 2)}
    equals("pictures of their own", len(keys), 3)
    none = [s for s in sweep.study().slots if not s.record]
    equals("holes", reporttrace.draw(Trace("figure 6"), none, sweep.out, where / "x.png"), False)
    return "named, first of all, none"


def check_congestion_controls() -> str:
    """The congestion controls of a cell: the flows' own, that of the stack where one has none."""
    bulk, own, voice = {"kind": "tcp"}, {"kind": "web", "congestion": "bbr"}, {"kind": "media"}
    both = ["bbr", "cubic"]
    for flows, wanted in ([], ["cubic"]), ([bulk, voice], ["cubic"]), ([own], ["bbr"]), ([bulk, own], both):
        record = {"stack": {"congestion": "cubic"}, "scenario": {"flow": flows}}
        equals(f"{flows}", reportpage.congestion_of(record), wanted)
    return "of flows, of the stack, of both"
