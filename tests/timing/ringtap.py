# SPDX-License-Identifier: GPL-2.0
"""Events of the kernel with times to the ns, from the binary pages of its ring buffer.

The text that the kernel prints has only us.
"""

import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

TRACING = Path("/sys/kernel/tracing")
PAGE = os.sysconf("SC_PAGE_SIZE")
FIELD = re.compile(r"\tfield:([^;]*?)(\w+)(?:\[\d*\])?;\toffset:(\d+);\tsize:(\d+);\tsigned:([01]);")
LENGTH, MISSED = (1 << 27) - 1, 1 << 31
CODES = {1: "b", 2: "h", 4: "i", 8: "q"}


class Event:
    """One tracepoint: where its fields are in a record."""

    def __init__(self, instance: Path, name: str, condition: str = "") -> None:
        self.folder = instance / "events" / name
        text = (self.folder / "format").read_text()
        self.id = int(text.split("\nID: ")[1].split("\n")[0])
        self.fields = {
            n: (kind, int(offset), int(size), signed == "1")
            for kind, n, offset, size, signed in FIELD.findall(text)
        }
        self.name = name.split("/")[1]
        if condition:
            (self.folder / "filter").write_text(condition)

    def get(self, record: bytes, name: str) -> Any:
        """A number or a string."""
        kind, offset, size, signed = self.fields[name]
        if "__data_loc" in kind:
            at = struct.unpack_from("<I", record, offset)[0]
            return record[at & 0xFFFF :].split(b"\0")[0].decode()
        if "char" in kind and size > 1:
            return record[offset : offset + size].split(b"\0")[0].decode()
        code = CODES[size]
        return struct.unpack_from("<" + (code if signed else code.upper()), record, offset)[0]


def records(page: bytes) -> Iterator[tuple[int, bytes]]:
    """(ns, record) of one page."""
    now, commit = struct.unpack_from("<QQ", page)
    at, end = 16, 16 + (commit & (PAGE - 1 if commit & MISSED else LENGTH))
    while at < end:
        word = struct.unpack_from("<I", page, at)[0]
        kind, delta = word & 31, word >> 5
        at += 4
        if kind == 29:
            if not delta:
                return
            at += struct.unpack_from("<I", page, at)[0]
            now += delta
        elif kind >= 30:
            delta += struct.unpack_from("<I", page, at)[0] << 27
            now = (now >> 59 << 59) + delta if kind == 31 else now + delta
            at += 4
        else:
            size = kind * 4
            if not kind:
                size = struct.unpack_from("<I", page, at)[0] - 4
                at += 4
            now += delta
            yield now, page[at : at + size]
            at += size


class Tap:
    """An instance of the kernel's trace with CLOCK_MONOTONIC and some events."""

    def __init__(self, name: str, events: dict[str, str], kbytes: int = 2048) -> None:
        self.folder = TRACING / "instances" / name
        self.folder.mkdir()
        (self.folder / "trace_clock").write_text("mono")
        (self.folder / "buffer_size_kb").write_text(str(kbytes))
        self.events = [Event(self.folder, name, condition) for name, condition in events.items()]
        self.pipes = [
            os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            for path in sorted(self.folder.glob("per_cpu/cpu*/trace_pipe_raw"))
        ]
        for event in self.events:
            (event.folder / "enable").write_text("1")

    def read(self) -> list[tuple[int, Event, bytes]]:
        """What has come since the last look, in order of time."""
        by_id = {event.id: event for event in self.events}
        found: list[tuple[int, Event, bytes]] = []
        for pipe in self.pipes:
            while True:
                try:
                    page = os.read(pipe, PAGE)
                except BlockingIOError:
                    break
                if not page:
                    break
                for ns, record in records(page):
                    event = by_id.get(struct.unpack_from("<H", record)[0])
                    if event:
                        found.append((ns, event, record))
        found.sort(key=lambda one: one[0])
        return found

    def lost(self) -> int:
        """Events that found no room."""
        text = "".join(path.read_text() for path in self.folder.glob("per_cpu/cpu*/stats"))
        return sum(int(n) for n in re.findall(r"(?:overrun|dropped events): (\d+)", text))

    def close(self) -> None:
        for pipe in self.pipes:
            os.close(pipe)
        for event in self.events:
            (event.folder / "enable").write_text("0")
        with suppress(OSError):
            self.folder.rmdir()
