# SPDX-License-Identifier: GPL-2.0
"""A recording of wlinkctl as a result folder, so that what reads a run reads it, too."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..lib.files import read_lines
from ..lib.paths import LabError
from ..lib.scratch import scratch
from .merge import log as mergelog
from .merge.clock import Clock
from .traffic import DELIVERED, NO_FLOW

# Columns of events.tsv, as the lab's log has them.
COLUMNS = {
    "sdu": "t link flow way bearer gen seq bytes pdus pdus_lost drop arrival start end deliver tcp_seq"
    " payload due whole retx buffer ecn",
    "rate": "t link gen old_bps new_bps bearer",
    "channel": "t link bad bearer gen",
    "grant": "t link bearer gen bytes used",
    "play": "t link bearer gen state pass",
    "access": "t link bearer gen seq access access_tx",
    "impaired": "t link bearer gen seq jitter impaired",
}
# Names of columns in a recording, where they are not the same; schedules had another name in older ones.
NAMES = {"gen": "generation", "payload": "payload_bytes", "buffer": "buffer_sdus"}
KINDS = {"schedule": "play"}
TIMES = ("arrival", "start", "end", "deliver", "due", "whole")
WAITS = {"access": ("access_ns", "access_tx_ns"), "impaired": ("jitter_ns", "impaired")}
Record = dict[str, Any]


@dataclass
class Recorded:
    """What result.json has of a link."""

    drops: Counter[str] = field(default_factory=Counter)
    delivered: int = 0
    # By bearer: its rate when the recording began, or at its end.
    rates: dict[int, int | None] = field(default_factory=dict)
    # (ns, bit/s) of bearer 1.
    changes: list[tuple[int, int]] = field(default_factory=list)

    def summary(self) -> Record:
        bearers = {str(bearer): {"rate_bps": bps} for bearer, bps in sorted(self.rates.items())}
        dropped = dict(sorted(self.drops.items()))
        xstats = {
            "sdus_in": self.delivered + self.drops.total(), "sdus_delivered": self.delivered, "sdus_held": 0,
            "drops": dropped, **bearers.pop("1", {}),
        }  # fmt: skip
        return {"kind": "wlink", "options": {}, "xstats": xstats, "bearers": bearers, "dropped": dropped}


def link_of(record: Record) -> str:
    return f"{record['dev']} {record['handle']}"


class Writer:
    """Makes the lines of a log, whose times are from `zero_ns` on."""

    def __init__(self, zero_ns: int) -> None:
        self.zero_ns = zero_ns
        self.links: dict[str, Recorded] = defaultdict(Recorded)

    def look(self, look: Record) -> None:
        """What there was at the begin; of what came later, at the end."""
        self.links[link_of(look)].rates.setdefault(int(look["bearer"]), look["rate_bps"])

    def lines(self, record: Record) -> Iterator[str]:
        kind = str(record["event"]).removeprefix("wlink_")
        kind, link = KINDS.get(kind, kind), self.links[link_of(record)]
        if kind == "sdu":
            yield from self.sdu(record, link)
        elif kind in COLUMNS:
            at_ns = int(record["at_ns"]) - self.zero_ns
            if kind == "rate" and record["bearer"] == 1:
                link.changes = [*(link.changes or [(0, record["old_bps"])]), (at_ns, record["new_bps"])]
            yield self.line(kind, record, {"t": at_ns})

    def sdu(self, record: Record, link: Recorded) -> Iterator[str]:
        come = record["drop"] == DELIVERED
        link.delivered += come
        link.drops.update([] if come else [record["drop"]])
        times = {name: int(record[f"{name}_ns"]) for name in TIMES}
        last = record["handover_ns"] if come else times["deliver"]
        known = {name: t - self.zero_ns if t else -1 for name, t in times.items()}
        known |= {} if come else dict.fromkeys(("deliver", "due", "whole"), -1)
        for kind, names in WAITS.items():
            if any(record.get(name) for name in names):
                waits = dict(zip(COLUMNS[kind].split()[-2:], (record.get(name, 0) for name in names)))
                yield self.line(kind, record, {"t": known["end"], **waits})
        yield self.line("sdu", record, {"t": last - self.zero_ns, "flow": NO_FLOW, "way": "forth", **known})

    def line(self, kind: str, record: Record, known: Record) -> str:
        have = {**record, "link": link_of(record), **known}
        words = (have[name] if name in have else have[NAMES[name]] for name in COLUMNS[kind].split())
        return "\t".join([kind, *(str(int(w) if isinstance(w, bool) else w) for w in words)]) + "\n"


def convert(path: Path, folder: Path) -> Path:
    """Write a result folder of a recording; a LabError names a line that is none of it."""
    found = mergelog.scan(path)
    clock = Clock(found.samples)
    times = [sample.mono for sample in found.samples]
    for event in mergelog.events(found, 0, clock, lambda _: None):
        times += [int(event.record.get("arrival_ns", event.mono)), event.mono]
        times = [min(times), max(times)]
    writer = Writer(min(times))
    digest = hashlib.sha256()
    with (folder / "events.tsv").open("wb") as out:

        def put(text: str) -> None:
            digest.update(text.encode())
            out.write(text.encode())

        for kind, columns in COLUMNS.items():
            put("\t".join([f"# {kind}", *columns.split()]) + "\n")
        for number, line in enumerate(read_lines(path), 1):
            if line.startswith(b'{"link"') and (record := mergelog.parse(found, number, line)):
                try:
                    writer.look(record["link"])
                except (KeyError, TypeError, ValueError) as e:
                    raise found.bad(number, f"a record without {e}", line) from None
        for event in mergelog.events(found, 0, clock, lambda _: None):
            try:
                for text in writer.lines(event.record):
                    put(text)
            except (KeyError, TypeError, ValueError) as e:
                raise found.bad(event.number, f"a record without {e}", b"") from None
    if not any(link.delivered + link.drops.total() for link in writer.links.values()):
        raise LabError(f"{path}: no packet in it")
    (folder / "series").mkdir()
    for name, link in writer.links.items():
        if link.changes:
            rows = "".join(f"{at_ns}\t{bps}\n" for at_ns, bps in link.changes)
            (folder / "series" / f"{name}.rate.tsv").write_text(rows)
    summary = {
        "name": path.name, "seed": 0, "ended_s": (max(times) - min(times)) / 1e9, "flows": {}, "warmup_s": 0,
        "links": {name: link.summary() for name, link in sorted(writer.links.items())},
        "event_sha256": digest.hexdigest(), "lost": found.lost,
    }  # fmt: skip
    (folder / "result.json").write_text(json.dumps(summary))
    return folder


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """A result folder; of a recording one that is there meanwhile."""
    if path.is_dir() or not path.exists():
        yield path
    else:
        with scratch() as folder:
            yield convert(path, folder)


def beside(path: Path, name: str) -> Path:
    """Where a picture of this name goes: into a result, beside a recording."""
    return path / name if path.is_dir() else path.with_name(f"{path.stem}-{name}")
