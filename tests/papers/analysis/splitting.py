# SPDX-License-Identifier: GPL-2.0
"""What the experiments on a split proxy measure, by hand."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from kit import HERE, equals, near

PAPERS = HERE.parent.parent / "userspace" / "papers"
# Of a video of 5.76 MB, 64 kB a second, the first 4 s are 256 kB.
WHOLE = 5_760_000


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, PAPERS / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    # dataclasses look for it.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def seen(arrivals: list[tuple[float, int]], end_s: float = 200.0) -> tuple[float, int, float]:
    """Wait, interruptions, standing still, of a video asked for at 10 s."""
    found = load("split_video").play(arrivals, 10.0, end_s)
    return found.wait_s, found.times, round(found.still_s, 9)


def check_a_videos_play_out() -> str:
    """Waits and interruptions, from when its bytes come."""
    cases: dict[str, tuple[list[tuple[float, int]], tuple[float, int, float]]] = {
        "at once": ([(11.0, WHOLE)], (1.0, 0, 0.0)),
        "its start in two": ([(12.0, 64_000), (13.0, 256_000), (14.0, WHOLE)], (3.0, 0, 0.0)),
        # From 11 s on for 4 s; goes on at 20 s.
        "one hole": ([(11.0, 256_000), (20.0, WHOLE)], (1.0, 1, 5.0)),
        # One second more is there at 16, shown at 17; the rest comes at 18.
        "two holes": ([(11.0, 256_000), (16.0, 320_000), (18.0, WHOLE)], (1.0, 2, 2.0)),
        # A byte less than a second is not enough to go on.
        "too little": ([(11.0, 256_000), (16.0, 319_999), (18.0, WHOLE)], (1.0, 1, 3.0)),
        "just in time": ([(11.0, 256_000), (15.0, WHOLE)], (1.0, 0, 0.0)),
        "nothing": ([], (190.0, 0, 0.0)),
        # Until the end of the run.
        "then nothing": ([(11.0, 256_000)], (1.0, 1, 185.0)),
    }
    for name, (arrivals, wanted) in cases.items():
        equals(name, seen(arrivals), wanted)
    return f"{len(cases)} videos"


def check_who_is_satisfied() -> None:
    """8 s, 3 times and 2 s are the bounds."""
    of = load("split_video").Seen
    equals("at the bounds", of(7.999, 3, 2.0).satisfied, True)
    for name, bad in (("wait", of(8.0, 0, 0)), ("times", of(1, 4, 1)), ("still", of(1, 1, 2.001))):
        equals(name, bad.satisfied, False)


def check_bytes_in_order(where: Path) -> None:
    """What fills a hole counts with what waited behind it, and what comes twice counts once."""
    rows = [
        "1000000000\tsent\t0\t100",
        "2000000000\treceived\t0\t100",
        "3000000000\treceived\t200\t100",
        "3000000000\tdropped\t100\t100\taqm",
        "4000000000\treceived\t0\t100",
        "5000000000\treceived\t100\t100",
    ]
    (where / "v.seq.tsv").write_text("\n".join(rows) + "\n")
    equals("in order", load("split_video").in_order(where / "v.seq.tsv"), [(2.0, 100), (5.0, 300)])


def check_videos_of_a_run(where: Path) -> None:
    """Of three flows two are videos; one of these is there in time."""
    result: dict[str, Any] = {
        "ended_s": 100.0,
        "flows": {name: {"start_ns": 0} for name in ("v1", "v2", "ftp1")},
    }
    (where / "series").mkdir()
    for name, s in (("v1", 1), ("v2", 9)):
        (where / "series" / f"{name}.seq.tsv").write_text(f"{s}000000000\treceived\t0\t{WHOLE}\n")
    module = load("split_video")
    equals("satisfied", module.satisfied_percent(result, where), 50.0)
    equals("wait", module.wait_s(result, where), 5.0)
    equals("still", module.interrupted_s(result, where), 0.0)


def check_means_of_users_and_pages() -> None:
    """Over users of downloads; over pages, of which a user may have none."""
    page = {"kind": "web", "transaction": {"count": 3, "mean_ns": 2e9}}
    other = {"kind": "web", "transaction": {"count": 1, "mean_ns": 6e9}}
    flows: dict[str, Any] = {
        "a": {"kind": "tcp", "goodput_bps": 1e6},
        "b": {"kind": "tcp", "goodput_bps": 3e6},
        "c": page,
        "d": other,
        "e": {"kind": "web", "transaction": None},
    }
    near("a user's kbit/s", load("split_ftp").user_kbit({"flows": flows}, Path()), 2000, 1e-9)
    near("a page's time", load("split_page").page_s({"flows": flows}, Path()), 3.0, 1e-9)


def check_a_file_by_tcp_or_quic(where: Path) -> None:
    """The time of a flow, or what the client of QUIC has printed, ns."""
    done_s = load("split_quic").done_s
    result: dict[str, Any] = {
        "scenario": {"until": "file"},
        "flows": {"file": {"start_ns": 1_000_000_000, "end_ns": 3_500_000_000}},
    }
    near("by TCP", done_s(result, Path("/none")), 2.5, 1e-9)
    (where / "programs").mkdir()
    (where / "programs" / "client.out").write_text("2250000000\n")
    near("by QUIC", done_s({"scenario": {"until": "client"}, "flows": {}}, where), 2.25, 1e-9)
