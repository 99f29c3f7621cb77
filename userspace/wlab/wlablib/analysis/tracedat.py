# SPDX-License-Identifier: GPL-2.0
"""Raw recordings of wlinkctl record as trace.dat, the file of trace-cmd and KernelShark.

The format is version 6 of trace-cmd.dat(5). libtracecmd has functions that write it, but no
header that declares them.
"""

import os
import re
import struct
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ..lib.files import replacing
from ..lib.paths import LabError

MAGIC = b"wlink raw 1\n"
HEAD = struct.Struct("=IIQ")
MACHINE, HEADER, FORMAT, CPU, CLOCK, PAGE, ROUND, END, LINK = range(1, 10)
BLOCK_MAX = 1 << 20
# Of processors, as the kernel has them at most.
CPUS_MAX = 8192
# Of trace.dat's options.
TRACECLOCK = 4

# events/header_event of every kernel since 2.6.32: raw recordings do not have it.
HEADER_EVENT = b"""# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\ttime_stamp : type == 31
\tdata max type_len  == 28
"""


def blocks(f: BinaryIO, path: Path) -> Iterator[tuple[int, int, int, int]]:
    """Kind, processor, offset and length of each complete block; a recording may be cut off."""
    if f.read(len(MAGIC)) != MAGIC:
        raise LabError(f"{path} is no raw recording of wlinkctl record")
    size = os.fstat(f.fileno()).st_size
    while len(head := f.read(HEAD.size)) == HEAD.size:
        kind, cpu, length = HEAD.unpack(head)
        at = f.tell()
        good = MACHINE <= kind <= LINK and length <= BLOCK_MAX and cpu < CPUS_MAX
        if not good or (kind == END and length != 8):
            raise LabError(f"{path}, byte {at - HEAD.size}: no block of a recording")
        if at + length > size:
            return
        yield kind, cpu, at, length
        f.seek(at + length)


def page_bytes(header: bytes, path: Path) -> int:
    """Size of a page, from the kernel's events/header_page."""
    found = re.search(rb"char data;\s*offset:(\d{1,9});\s*size:(\d{1,9});", header)
    size = int(found[1]) + int(found[2]) if found else 0
    if size & (size - 1) or not 4096 <= size <= BLOCK_MAX:
        raise LabError(f"{path}: the description of pages makes no sense")
    return size


def sized(text: bytes, size: str = "=Q") -> bytes:
    """With its length before it."""
    return struct.pack(size, len(text)) + text


def preamble(header: bytes, formats: list[bytes], page: int, cpus: int) -> bytes:
    """All that stands before the list of the processors' pages."""
    out = b"\x17\x08\x44tracing6\0" + bytes([sys.byteorder == "big", struct.calcsize("@l")])
    out += struct.pack("=I", page)
    out += b"header_page\0" + sized(header) + b"header_event\0" + sized(HEADER_EVENT)
    # No format of ftrace's own; one system.
    out += struct.pack("=I", 0) + struct.pack("=I", 1) + b"wlink\0" + struct.pack("=I", len(formats))
    out += b"".join(map(sized, formats))
    # No symbols, no formats of trace_printk(), no names of processes.
    out += sized(b"", "=I") + sized(b"", "=I") + sized(b"")
    # Times are those of CLOCK_MONOTONIC.
    clock = b"local global counter uptime perf [mono] mono_raw boot tai\0"
    options = b"options  \0" + struct.pack("=HI", TRACECLOCK, len(clock)) + clock
    return out + struct.pack("=I", cpus) + options + struct.pack("=H", 0) + b"flyrecord\0"


def convert(raw: Path, out: Path) -> dict[str, int]:
    """Write it.

    Return: numbers of processors, pages and lost events.
    """
    texts: dict[int, list[bytes]] = defaultdict(list)
    pages: dict[int, list[tuple[int, int]]] = defaultdict(list)
    lost = 0
    with raw.open("rb") as f:
        for kind, cpu, at, length in blocks(f, raw):
            if kind == PAGE:
                pages[cpu].append((at, length))
            elif kind == CPU:
                pages[cpu]
            elif kind in (HEADER, FORMAT):
                texts[kind].append(f.read(length))
            elif kind == END:
                (lost,) = struct.unpack("=Q", f.read(length))
        if not texts[HEADER] or not texts[FORMAT]:
            raise LabError(f"{raw}: cut off before its first event")
        page = page_bytes(texts[HEADER][0], raw)
        cpus = max(pages, default=0) + 1
        start = preamble(texts[HEADER][0], texts[FORMAT], page, cpus)
        at = -(-(len(start) + 16 * cpus) // page) * page
        with replacing(out) as dat:
            dat.write(start)
            for cpu in range(cpus):
                size = len(pages.get(cpu, ())) * page
                dat.write(struct.pack("=QQ", at if size else 0, size))
                at += size
            dat.write(bytes(-dat.tell() % page))
            for cpu in range(cpus):
                for offset, length in pages.get(cpu, ()):
                    f.seek(offset)
                    dat.write(f.read(length).ljust(page, b"\0"))
    return {"cpus": cpus, "pages": sum(map(len, pages.values())), "lost": lost}
