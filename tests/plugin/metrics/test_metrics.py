# SPDX-License-Identifier: GPL-2.0
"""What wlinkctl metrics prints of statistics that are known, by the reader of Prometheus' own library."""

import configparser
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from harness import Checks, WordTool, stats
from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics
from wlablib.lib.beside import Stop
from wlablib.metrics import command
from wlablib.metrics.families import families, lines

MONITORING = Path(__file__).resolve().parents[3] / "userspace/monitoring"
QUEUE, TOTAL = 0, 5
COUNTED = {
    "sdus_in": 1300, "sdus_delivered": 1000, "bytes_delivered": 1025000, "drop_overflow": 62, "drop_aqm": 10,
    "buffer_sdus": 30, "rate_bps": 384000, "queue_ns": 1500000001, "prop_ns": 2 * 10**9, "late_ns": 5000,
    "late_p50_ns": 3, "late_p99_ns": 2**20, "late_max_ns": 2**63, "delay_p95_ns": 10**9 + 1,
}  # fmt: skip
ODD = 'a"\\\nb'

Shown = dict[str, Any]
Key = tuple[str, tuple[tuple[str, str], ...]]


def shown(tool: WordTool, number: int, dev: str = "va", /, **values: int) -> Shown:
    counted = json.loads(tool.ask(f"stats {stats(None, {(QUEUE, 21): 1000}, **values).hex()}"))
    return {"dev": dev, "handle": "1:", "bearer": number, "xstats": counted}


def link(tool: WordTool, dev: str = "va") -> Shown:
    return {"dev": dev, "handle": "1:", "xstats": shown(tool, 0, bearers=2, memory=4096)["xstats"]}


def read(text: str, openly: bool = True) -> dict[Key, float]:
    """Every sample, as the library reads it."""
    reader: Any = openmetrics if openly else parser
    found = reader.text_string_to_metric_families(text)
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in found for s in family.samples}


def key(name: str, bearer: int | None = 1, dev: str = "va", **labels: str) -> Key:
    of = {} if bearer is None else {"bearer": str(bearer)}
    return f"wlink_{name}", tuple(sorted({"dev": dev, "handle": "1:", **of, **labels}.items()))


@pytest.fixture
def text(tool: WordTool) -> str:
    bearers = [shown(tool, 1, **COUNTED), shown(tool, 2, ODD, rate_bps=2**64 - 1)]
    return "".join(f"{line}\n" for line in lines(families([link(tool)], bearers)))


def check_numbers(checks: Checks, text: str) -> None:
    have = read(text)
    for name, want in (
        (key("sdus_in_total"), 1300),
        (key("bytes_delivered_total"), 1025000),
        (key("sdus_dropped_total", reason="overflow"), 62),
        (key("sdus_dropped_total", reason="aqm"), 10),
        (key("sdus_dropped_total", reason="channel"), 0),
        (key("buffer_sdus"), 30),
        (key("rate_bps"), 384000),
        (key("delay_seconds_sum", part="queue"), 1.500000001),
        (key("delay_seconds_sum", part="total"), 3.500000001),
        (key("delay_seconds_count", part="hol"), 1000),
        (key("delay_seconds", part="total", quantile="0.95"), 1.000000001),
        # The middle of the bin from 2^20 on, which is as wide.
        (key("delay_seconds", part="queue", quantile="0.5"), 1.5 * 2**20 / 1e9),
        (key("late_seconds_sum"), 5e-6),
        (key("late_seconds", quantile="0.5"), 3e-9),
        (key("late_seconds", quantile="0.99"), 2**20 / 1e9),
        (key("late_max_seconds"), 2**63 / 1e9),
        (key("rate_bps", 2, ODD), float("inf")),
        (key("sdus_in_total", 2, ODD), 0),
        (key("bearers", None), 2),
        (key("memory", None), 4096),
    ):
        checks.equal(str(name), have.get(name), want)
    of_links = [name for name in have if "bearer" not in dict(name[1])]
    checks.equal("nothing else is of a link", of_links, [key("bearers", None), key("memory", None)])
    checks.equal("node_exporter's reader finds the same", read(text, openly=False).keys(), have.keys())


def check_whole(checks: Checks, tool: WordTool, text: str) -> None:
    """What `show` has counted of a bearer is there, or is a part of something that is."""
    names = " ".join(name for name, _ in read(text))
    for name, value in shown(tool, 1)["xstats"].items():
        if type(value) is int and not re.match(r"(queue|serial|prop|retx|hol|access|jitter|late)_", name):
            checks.true(name, f"wlink_{name.removesuffix('_ns')}" in names)
    checks.equal("nothing at all", list(lines(families([], []))), ["# EOF"])


def check_dashboard(checks: Checks, text: str) -> None:
    known = {name for name, _ in read(text)}
    board = json.loads((MONITORING / "grafana.json").read_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    queries += [v["query"] for v in board["templating"]["list"] if v["type"] == "query"]
    for query in queries:
        used = re.findall(r"wlink_\w+", query)
        checks.true(query, bool(used) and set(used) <= known, used)


class Asked:
    """Stands for wlinkctl, as an executable."""

    def __init__(self, at: Path, links: list[Shown], bearers: list[Shown]) -> None:
        at.write_text(
            "#!/bin/sh\ncase \"$*\" in\n*bearer*) cat <<'E'\n"
            f"{json.dumps(bearers)}\nE\n;;\n*) cat <<'E'\n{json.dumps(links)}\nE\nesac\n"
        )
        at.chmod(0o755)


def check_command(
    checks: Checks,
    tool: WordTool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WLINKCTL", str(tmp_path / "wlinkctl"))
    Asked(tmp_path / "wlinkctl", [link(tool)], [shown(tool, 1, **COUNTED)])
    out = tmp_path / "wlink.prom"
    checks.equal("to standard output", command.main([]), 0)
    text = capsys.readouterr().out
    checks.equal("a value", read(text)[key("sdus_in_total")], 1300)
    command.main(["--out", str(out)])
    checks.equal("to a file", (out.read_text(), oct(out.stat().st_mode & 0o777)), (text, "0o644"))
    checks.equal("nothing beside it", sorted(p.name for p in tmp_path.iterdir()), ["wlink.prom", "wlinkctl"])
    command.main(["--json", "dev", "lo"])
    found = json.loads(capsys.readouterr().out)
    checks.equal("as JSON", {f["name"]: f["kind"] for f in found}["wlink_delay_seconds"], "summary")
    # As a device node, which only root can make.
    os.mkfifo(tmp_path / "pipe")
    for words, code, piece in (
        (["--no"], 1, 'metrics knows no option "--no"'),
        (["--out"], 1, "--out has no value"),
        (["--out", ""], 1, "--out has no value"),
        (["--out", str(tmp_path / "pipe")], 1, "pipe is no regular file"),
        (["lo", "eth"], 1, 'metrics takes a device, but got "eth"'),
        (["--json", "--out", "x"], 1, "not both"),
        (["nothing0"], 3, 'no device "nothing0"'),
        (["--out", str(tmp_path / "none/x")], 1, "No such file"),
    ):
        with pytest.raises(Stop, match=re.escape(piece)) as stop:
            command.main(words)
        checks.equal(" ".join(words), stop.value.code, code)
    checks.true("what is no file is as before", (tmp_path / "pipe").is_fifo())


def check_unit(checks: Checks, tool: WordTool, tmp_path: Path) -> None:
    """What the unit runs, in another folder, and what its timer starts."""
    service, timer = (configparser.ConfigParser(interpolation=None) for _ in range(2))
    for unit, end in ((service, "service"), (timer, "timer")):
        # Names of units keep their case.
        unit.optionxform = str  # type: ignore[assignment]
        unit.read(MONITORING / f"wlink-metrics.{end}")
    folder = service["Service"]["ReadWritePaths"]
    wlinkctl, *words = service["Service"]["ExecStart"].replace(folder, str(tmp_path)).split()
    checks.equal("what it runs", (wlinkctl, words[0]), ("/usr/local/bin/wlinkctl", "metrics"))
    Asked(tmp_path / "wlinkctl", [link(tool)], [shown(tool, 1)])
    program = Path(__file__).resolve().parents[3] / "build/bin/wlinkctl-metrics"
    env = {"WLINKCTL": str(tmp_path / "wlinkctl"), "PATH": "/usr/bin:/bin"}
    subprocess.run([program, *words[1:]], env=env, check=True)
    checks.equal("its file", read((tmp_path / "wlink.prom").read_text())[key("sdus_in_total")], 0)
    checks.equal("when", timer["Timer"]["OnUnitActiveSec"], "15s")
    checks.equal("enabled by", timer["Install"]["WantedBy"], "timers.target")
