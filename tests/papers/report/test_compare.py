# SPDX-License-Identifier: GPL-2.0
"""`wlab compare`: its curves and figures against what this file makes of the event log by itself."""

import json
from functools import partial
from math import isclose
from pathlib import Path
from typing import Any
from unittest import mock

from kit import Skipped, equals, expect, near, refused
from wlablib.analysis import interval, why
from wlablib.analysis.plots import run
from wlablib.compare import compare, figures, labels, series, sources
from wlablib.lib import page
from wlablib.lib.paths import LabError

MS = 10**6
END_MS = 1000
Sdu = tuple[str, int, int, str]


def sdu_line(flow: str, arrival: int, deliver: int, drop: str, way: str = "forth", payload: int = 60) -> str:
    """Of 100 bytes; times in ms."""
    a, d = arrival * MS, deliver * MS
    words = ["sdu", d, "radio.down", flow, way, 1, 0, 1, 100, 1, 0, drop, a, a, d, d, 1, payload, d, d]
    return "\t".join(map(str, [*words, 0, 1, 0]))


def made(seed: int, shift: int = 0) -> list[Sdu]:
    """Packets of two flows, a few of them dropped."""
    out = []
    for i in range(60):
        arrival = 16 * i + seed
        drop = "overflow" if (i + seed) % 13 == 0 else "aqm" if (i + seed) % 17 == 0 else "none"
        out.append(("f" if i % 3 else "g", arrival, arrival + 5 + shift + (7 * i + seed) % 31, drop))
    return [s for s in out if s[2] < END_MS]


def write_run(
    where: Path, scenario: dict[str, Any], seed: int, packets: list[Sdu], end_ms: int = END_MS
) -> Path:
    """A result folder."""
    (where / "series").mkdir(parents=True)
    lines = ["rate\t500000000\tradio.down\t1\t80000\t40000\t1"]
    lines += [sdu_line(*packet) for packet in packets]
    # Neither an acknowledgement nor what the link still holds counts.
    lines += [sdu_line("f", 10, 20, "none", "back"), sdu_line("f", 10, 20, "none", "forth", 0)]
    lines += [sdu_line("f", 990, end_ms, "flush")]
    (where / "events.tsv").write_text("\n".join(lines) + "\n")
    (where / "series" / "radio.down.rate.tsv").write_text("0\t80000\n500000000\t40000\n")
    acks = "".join(f"{t * MS}\t{2 + t // 100}\t99\t{1000 * t}\n" for t in range(0, 1000, 50))
    flow: dict[str, Any] = {"kind": "tcp", "direction": "down", "mss": 60, "start_ns": 0}
    flow["end_ns"] = end_ms * MS
    flows = {}
    for i, name in enumerate("fg"):
        (where / "series" / f"{name}.cwnd.tsv").write_text(acks)
        flows[name] = {**flow, "goodput_bps": 10000.0 + 1000 * i + seed, "retransmissions": 3}
    data = {"name": "n", "seed": seed, "ended_s": end_ms / 1e3, "flows": flows, "event_sha256": None}
    links = {"radio.down": {"kind": "wlink", "options": {}, "xstats": {"buffer_sdus": 0}}}
    (where / "result.json").write_text(json.dumps({**data, "links": links, "scenario": scenario}))
    return where


def pair(where: Path) -> tuple[Path, Path]:
    """A series of three seeds, and one run of another congestion control."""
    scenario = {"name": "n", "tcp": {"congestion": "reno"}, "radio": {"wlink": "rate 80kbit limit 9"}}
    for seed in (1, 2, 10):
        write_run(where / "a" / f"seed-{seed}", scenario, seed, made(seed))
    (where / "a" / "runs.json").write_text("[]")
    write_run(where / "b", {**scenario, "tcp": {"congestion": "cubic"}}, 4, made(4, 20))
    return where / "a", where / "b"


def drawing() -> None:
    try:
        run.pyplot()
        interval.student(1, 95)
    except LabError as e:
        raise Skipped(str(e)) from None


def check_curves(where: Path) -> str:
    """Each point of each plot over time, the distribution and the drops."""
    drawing()
    a, b = pair(where)
    told = compare.compare([a, b], "run", "", where / "out").numbers
    width = told["interval_s"]
    equals("width", width, 0.01)
    names = ["congestion=reno", "congestion=cubic"]
    equals("labels", list(told["figures"]), names)
    points = 0
    for label, seeds in zip(names, ([made(s) for s in (1, 2, 10)], [made(4, 20)])):
        thr, delay = told["plots"]["throughput"][label], told["plots"]["delay"][label]
        for i in range(100):
            low, high = 10 * i, 10 * i + 10
            many = sum(w == "none" and low <= d < high for s in seeds for _, _, d, w in s)
            near(f"{label}: throughput {i}", thr["y"][i], 800 / 0.01 * many / len(seeds), 1e-6)
            ways = [[d - t for _, t, d, w in s if w == "none" and low <= t < high] for s in seeds]
            mean = [sum(w) / len(w) / 1e3 for w in ways if w]
            expect((delay["y"][i] is None) == (not mean), f"{label}: delay {i} is {delay['y'][i]}")
            if mean:
                near(f"{label}: delay {i}", delay["y"][i], sum(mean) / len(mean), 1e-9)
            points += 2
        order = sorted((d - t) / 1e3 for s in seeds for _, t, d, w in s if w == "none")
        cdf = told["plots"]["delay-cdf"][label]
        for x, y in zip(cdf["x"], cdf["y"]):
            at = [i + 1 for i, v in enumerate(order) if isclose(v, x, abs_tol=1e-12)]
            expect(any(isclose(n / len(order), y) for n in at), f"{label}: {y} of packets below {x}")
        equals("all of them", cdf["y"][-1], 1.0)
        drops = told["plots"]["drops"][label]
        for reason in ("overflow", "aqm"):
            wanted = sum(w == reason for s in seeds for *_, w in s) / len(seeds)
            near(f"{label}: {reason}", dict(zip(drops["x"], drops["y"]))[reason], wanted, 1e-9)
        steps = [80000.0] * 50 + [40000.0] * 50
        equals("capacity", [round(v, 3) for v in told["capacity"][label]["y"]], steps)
        rtt = told["plots"]["rtt"][label]["y"]
        expect(rtt[0] is None, "the first ACK has measured nothing")
        for i in range(5, 100, 5):
            near(f"{label}: rtt {i}", rtt[i], i / 100, 1e-9)
        cwnd = told["plots"]["cwnd"][label]["y"]
        for i in range(100):
            near(f"{label}: cwnd {i}", cwnd[i], 2 + i // 10, 1e-9)
    for name in ("index.html", "compare.png", "compare.svg"):
        expect((where / "out" / name).stat().st_size > 1000, f"{name} is empty")
    html = (where / "out" / "index.html").read_text()
    expect(html.count("data:image/svg+xml;base64,") == 1 and names[0] in html, "the page lacks something")
    expect('src="compare' not in html, "the page needs another file")
    return f"{points} points over time"


def check_table(where: Path) -> str:
    """Figures of seeds with their interval, in the unit that fits."""
    drawing()
    where_word = "Places of the runs"
    equals("digits", figures.number(1015.3217, 0.1837), "1015.3 ± 0.2")
    equals("rounded up", figures.number(3.14159, 0.0961), "3.1 ± 0.1")
    equals("tens", figures.number(1234.0, 37.0), "1230 ± 40")
    equals("one", [figures.number(v) for v in (0.12345, 20000.0, None)], ["0.1235", "20000", "-"])
    equals("units", [figures.time_unit(0.2), figures.time_unit(12.0)], [(1e-3, "ms"), (1.0, "s")])
    equals("jain", [series.jain([1.0, 1.0]), series.jain([1.0, 0.0]), series.jain([1.0])], [1.0, 0.5, None])
    a, b = pair(where)
    told = compare.compare([a, b], "run", "drops", where / "out")
    # 21002, 21004, 21020 bit/s: s = 9.866, t(2) = 4.303, over the root of 3.
    wanted = ["goodput kbit/s", "21.01 ± 0.02", "21.01", "-0.0006667"]
    equals("goodput", [line[1] for line in told.table], wanted)
    order = sorted(d - t for _, t, d, w in made(4, 20) if w == "none")
    p50 = order[(len(order) + 1) // 2 - 1]
    near("p50", told.numbers["figures"]["congestion=cubic"]["delay_p50_s"]["value"], p50 / 1e3, 1e-9)
    lost = sum(w != "none" for *_, w in made(4, 20)) / len(made(4, 20))
    near("loss", told.numbers["figures"]["congestion=cubic"]["loss"]["value"], lost, 1e-9)
    one, other = ([(d - t) for s in seeds for _, t, d, w in s if w == "none"]
                  for seeds in ([made(1), made(2), made(10)], [made(4, 20)]))  # fmt: skip
    below = [abs(sum(v <= x for v in one) / len(one) - sum(v <= x for v in other) / len(other))
             for x in one + other]  # fmt: skip
    near("distance", told.numbers["kolmogorov"]["distance"], max(below), 1e-9)
    expect("no interval with one seed" in told.notes[-1], told.notes[-1])
    equals("flows", sorted(told.numbers["kolmogorov_flows"]), ["f", "g"])
    apart = told.numbers["differences"]["goodput_bps"]
    near("difference", apart["value"], 21008.0 - 63026 / 3, 1e-6)
    near("in percent", apart["percent"], 100 * (21008 * 3 / 63026 - 1), 1e-9)
    equals("of one seed", apart["half_width"], None)
    write_run(where / "c" / "seed-5", {"name": "n"}, 5, made(5, 9))
    write_run(where / "c" / "seed-6", {"name": "n"}, 6, made(6, 9))
    (where / "c" / "runs.json").write_text("[]")
    found = compare.compare([a, where / "c"], "run", "drops", where / "out").numbers["kolmogorov"]
    low, high = found["interval"]
    expect(0 < low <= high <= 1, f"{found}")
    expect(not any(where_word in note for note in told.notes), f"{told.notes}")
    for folder_of, on in ((b, "vm"), (where / "c" / "seed-5", "lab")):
        path = folder_of / "result.json"
        made_there = {"on": on, "versions": {"module_sha256": on}}
        path.write_text(json.dumps(json.loads(path.read_text()) | made_there))
    told = compare.compare([b, where / "c" / "seed-5"], "run", "drops", where / "out")
    expect(any(where_word in note and " vm, " in note for note in told.notes), f"{told.notes}")
    expect(not any("different builds" in note for note in told.notes), f"{told.notes}")
    return "3 seeds against 1"


def check_labels() -> str:
    """By what differs, in the keys of --set; else by folder."""
    base: dict[str, Any] = {"radio": {"wlink": "rate 1mbit limit 9"}, "flow": [{"name": "f", "kind": "tcp"}]}
    bbr = {**base, "flow": [{"name": "f", "kind": "tcp", "congestion": "bbr"}]}
    wide = {**base, "radio": {"wlink": "rate 2mbit limit 9"}}
    flats = [labels.flatten(one) for one in (base, bbr, wide)]
    paths = [Path("x/a"), Path("x/b"), Path("y/b")]
    wanted = ["rate=1mbit, congestion not set", "rate=1mbit, congestion=bbr"]
    wanted.append("rate=2mbit, congestion not set")
    keys = ["flow.f.congestion", "flow.f.kind", "flow.f.name", "radio.wlink.limit", "radio.wlink.rate"]
    equals("keys", sorted(flats[1]), keys)
    equals("labels", labels.labels(flats, ["1", "1", "1"], paths), wanted)
    equals("seeds", labels.labels(flats[:1] * 2, ["1", "2"], paths[:2]), ["seed=1", "seed=2"])
    equals("folders", labels.labels(flats[:1] * 2, ["1", "1"], paths[:2]), ["a", "b"])
    twice = labels.labels(flats[:1] * 2, ["1", "1"], paths[:1] * 2)
    equals("the same", twice, ["a, number 1", "a, number 2"])
    return "keys, seeds, folders, numbers"


def check_slips(where: Path) -> str:
    """Bad input, and what is odd but good."""
    drawing()
    a, b = pair(where)
    out = where / "out"
    (where / "empty").mkdir()
    refused("no such folder", lambda: compare.compare([where / "nowhere"], "run", "", out))
    refused("neither a result", lambda: compare.compare([where / "empty"], "run", "", out))
    refused("--plot delays: unknown; did you", lambda: compare.compare([a], "run", "delays", out))
    refused("it shows the link", lambda: compare.compare([a], "flow", "buffer", out))
    (where / "file").write_text("")
    with mock.patch.object(sources, "read", side_effect=AssertionError("read before --out was tried")):
        refused("cannot be written", lambda: compare.compare([b], "run", "", where / "file" / "out"))
    expect(not out.exists(), "refused, and yet something was written")
    alone = compare.compare([b], "run", "drops", out)
    equals("alone", [line[0] for line in alone.table], ["", "b"])
    twice = compare.compare([b, b], "run", "drops", out)
    equals("twice", twice.numbers["kolmogorov"]["distance"], 0.0)
    by_key = compare.compare([b, a / "seed-1", a / "seed-2", b], "key", "drops", out).numbers["figures"]
    seeds = {label: len(f["loss"]["values"]) for label, f in by_key.items()}
    equals("by key", seeds, {"congestion=cubic": 1, "congestion=reno": 2})
    flows = compare.compare([b], "flow", "", out).numbers
    equals("by flow", list(flows["figures"]), ["f", "g"])
    expect("buffer" not in flows["plots"], "a buffer of a flow")
    short = write_run(where / "short", {"name": "n"}, 1, [], 500)
    told = compare.compare([b, short], "run", "delay", out)
    expect("end at different times" in told.notes[0] and "after 0.5 s" in told.notes[0], told.notes[0])
    expect("no packet with payload was delivered" in " ".join(told.notes), "nothing is told of it")
    compare.compare([short], "run", "delay-cdf", out)
    (short / "events.tsv").unlink()
    refused("has no events.tsv", lambda: compare.compare([short, b], "run", "", out))
    return "8 refused"


def check_each_log_once(where: Path) -> str:
    """The event log of each of fifty runs is parsed once."""
    drawing()
    for seed in range(1, 51):
        write_run(where / "all" / f"r{seed}", {"name": "n", "x": seed}, seed, made(seed))
    read: list[Path] = []
    true = why.lines

    def counted(path: Path, *more: str) -> Any:
        read.append(path)
        return true(path, *more)

    with mock.patch.object(why, "lines", counted):
        told = compare.compare([where / "all"], "run", "throughput,drops", where / "out")
    equals("logs", sorted(read), sorted((where / "all").iterdir()))
    equals("curves", len(told.numbers["figures"]), 50)
    return "50 logs"


def check_cells(where: Path) -> str:
    """Of a sweep, kept or in files of their own: their metrics, by what differs."""
    drawing()
    kept = Path(__file__).resolve().parents[3] / "Documentation/results/cells/link-open.jsonl"
    lines = [line for line in kept.read_text().splitlines() if "errors=uniform" in line][:2]
    records = [json.loads(line) for line in lines]
    some = [where / f"{i}.json" for i in range(2)]
    for path, line in zip(some, lines):
        path.write_text(line)
    told = compare.compare(some, "run", "", where / "out")
    for row, record in zip(told.table[1:], records, strict=True):
        first = next(iter(record["metrics"].values()))
        equals(record["id"], row[1], figures.number(first["value"], first["half_width"]))
    addresses = [Path(f"{kept}#{record['id']}") for record in records]
    equals("kept", compare.compare(addresses, "run", "", where / "kept").table, told.table)
    expect(all("=" in line[0] for line in told.table[1:]), f"{told.table}")
    mixed = [some[0], pair(where)[1]]
    refused("which keep no events", lambda: compare.compare(mixed, "run", "", where / "out"))
    refused("no cell", lambda: compare.compare([Path(f"{kept}#none")], "run", "", where / "none"))
    return f"{len(some)} cells"


def look(**wanted: Any) -> Any:
    return mock.patch.multiple(page.LOOK, **wanted)


def check_for_a_paper(where: Path) -> str:
    """Format, size, title and style are those of the options; a file is the same each time."""
    drawing()
    equals("89x60mm", [round(side, 3) for side in page.size("89x60mm")], [3.504, 2.362])
    for text in ("9", "0x2", "3x", "3.5x2.5ft", "nanxnan", "200x2"):
        refused(f"--size {text}: not WIDTHxHEIGHT", partial(page.size, text))
    a, b = pair(where)
    sheet = where / "small.mplstyle"
    sheet.write_text("font.size: 5\naxes.edgecolor: 123456\n")
    wanted = {"format": "pdf", "inches": (3.5, 2.5), "title": "Two of them", "style": str(sheet)}
    files = []
    for to in (where / "one", where / "two"):
        with look(**wanted):
            told = compare.compare([a, b], "run", "cwnd", to)
        expect(str(to / "compare.pdf") in told.numbers["files"], f"{told.numbers['files']}")
        files.append([(to / f"compare.{kind}").read_bytes() for kind in ("pdf", "svg")])
    expect(files[0] == files[1], "one picture gives different files")
    expect(b"/MediaBox [ 0 0 252 180 ]" in files[0][0], "not 3.5 x 2.5 inches")
    expect(b">Two of them<" in files[0][1] and b"#123456" in files[0][1], "no title, or no style")
    with look(style=str(where / "none")):
        refused(f"--style {where / 'none'}", lambda: compare.compare([a, b], "run", "cwnd", where / "c"))
    with look(style="/dev/zero"):
        refused("/dev/zero: ", lambda: compare.compare([a, b], "run", "cwnd", where / "c"))
    # For what is drawn in this process later.
    run.pyplot().rcdefaults()
    return f"{len(files[0][0])} bytes"
