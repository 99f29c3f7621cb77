# SPDX-License-Identifier: GPL-2.0
"""pyroute2 sends the attributes that tc sends, and reads those and the statistics."""

# pyroute2 has no types.
# mypy: disable-error-code="import"
import importlib.util
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from harness import WordTool

PROGRAM = Path(__file__).resolve().parents[3] / "userspace/spec/pyroute"
LINES: list[tuple[str, dict[str, Any]]] = [
    ("rate 1mbit", {"rate": 10**6}),
    ("rate 384kbit tti 10ms delay 25ms pdu 40 limit 40 seed 7",
     {"rate": 384000, "tti": 10**7, "delay": 25 * 10**6, "pdu": 40, "limit": 40, "seed": 7}),
    ("rate 1mbit mode am window 512 status list poll_timer 200ms",
     {"rate": 10**6, "mode": "am", "window": 512, "status": "list", "poll_timer": 2 * 10**8}),
    ("rate 1mbit channel uniform loss 1", {"rate": 10**6, "channel": "uniform", "loss": 2**32 - 1}),
    ("rate 1mbit limit 100kib aqm codel target 5ms ecn on",
     {"rate": 10**6, "limit_bytes": 102400, "aqm": "codel", "target": 5 * 10**6, "ecn": "on"}),
    ("rate 5mbit sched rr prio 3", {"rate": 5 * 10**6, "sched": "rr", "prio": 3}),
]  # fmt: skip


@pytest.fixture(scope="session")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("pyroute") / "pyroute2_wlink.py"
    file.write_text(subprocess.run([PROGRAM], check=True, capture_output=True, text=True).stdout)
    pytest.importorskip("pyroute2")
    spec = importlib.util.spec_from_file_location("pyroute2_wlink", file)
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.modules["pyroute2_wlink"] = made
    spec.loader.exec_module(made)
    return made


def message(*attributes: tuple[int, bytes]) -> bytes:
    """A message about a qdisc, with these attributes."""
    body = struct.pack("=BBHiIII", 0, 0, 0, 1, 0x10000, 0xFFFFFFFF, 1)
    for number, payload in attributes:
        body += struct.pack("=HH", 4 + len(payload), number) + payload + bytes(-len(payload) % 4)
    return struct.pack("=IHHII", 16 + len(body), 36, 0, 0, 0) + body


@pytest.mark.parametrize(("words", "kwargs"), LINES)
def check_options(module: Any, tool: WordTool, words: str, kwargs: dict[str, Any]) -> None:
    from pyroute2.netlink.rtnl.tcmsg import tcmsg

    sent = tcmsg()
    sent["attrs"] = [["TCA_KIND", "wlink"], ["TCA_OPTIONS", module.get_parameters(kwargs)]]
    sent.encode()
    wanted = tool.attributes(words)
    assert bytes(sent.data).endswith(wanted), f"{bytes(sent.data).hex()} has no {wanted.hex()}"
    read = tcmsg(message((1, b"wlink\0"), (2, wanted)))
    read.decode()
    found = read.get_attr("TCA_OPTIONS")
    again = module.get_parameters(kwargs)["attrs"]

    def plain(attrs: Any) -> Any:
        return [[name, plain(value["attrs"]) if isinstance(value, dict) else value] for name, value in attrs]

    assert plain(found["attrs"]) == plain(again)


def check_stats(module: Any) -> None:
    from pyroute2.netlink.rtnl.tcmsg import tcmsg

    numbers = struct.pack("=20Q", *range(100, 120))
    app = struct.pack("=HH", 4 + len(numbers), 4) + numbers
    read = tcmsg(message((1, b"wlink\0"), (7, app)))
    read.decode()
    stats = read.get_attr("TCA_STATS2").get_attr("TCA_STATS_APP")
    assert stats["sdus_in"] == 100 and stats["drop_overflow"] == 107 and len(stats) == 20
