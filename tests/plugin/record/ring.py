# SPDX-License-Identifier: GPL-2.0
"""Pages of the kernel's ring buffer and descriptions of events, made by hand."""

import struct
from pathlib import Path

HEADER_64 = """\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;
"""
HEADER_32 = """\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:12;\tsize:4084;\tsigned:1;
"""
HEADER_16K = HEADER_64.replace("4080", "16368")

COMMON = """format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""

MISSED, STORED = 1 << 31, 1 << 30


def description(name: str, number: int, *fields: str) -> str:
    """A format file; a field is "TYPE NAME OFFSET SIZE SIGNED"."""
    text = f"name: {name}\nID: {number}\n{COMMON}"
    for field in fields:
        kind, offset, size, signed = field.rsplit(" ", 3)
        text += f"\tfield:{kind};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n"
    return text + '\nprint fmt: "field:%u;\toffset:8;\tsize:8;", REC->seq\n'


SDU, SCHEDULE, ODD = 1201, 1202, 65535
FORMATS = {
    "wlink_sdu": description(
        "wlink_sdu",
        SDU,
        "char dev[16] 8 16 0",
        "int ifindex 24 4 1",
        "u32 handle 28 4 0",
        "u64 seq 32 8 0",
        "u8 drop 40 1 0",
        "u16 sport 42 2 0",
    ),
    "wlink_schedule": description("wlink_schedule", SCHEDULE, "u32 bearer 8 4 0", "u8 state 12 1 0"),
    "wlink_odd": description(
        "wlink_odd",
        ODD,
        "bool yes 8 1 0",
        "s64 far 16 8 1",
        "s16 near 24 2 1",
        "s8 least 26 1 1",
        "__data_loc char[] text 28 4 0",
        "u32 list[2] 32 8 0",
    ),
}

Event = tuple[int, bytes]


def sdu(seq: int, drop: int = 0, dev: bytes = b"va", handle: int = 0x10000, ifindex: int = 7) -> bytes:
    head = struct.pack("=HBBi", SDU, 0, 0, 99) + dev.ljust(16, b"\0")
    return head + struct.pack("=iIQBxH4x", ifindex, handle, seq, drop, 5000)


def schedule(bearer: int, state: int) -> bytes:
    return struct.pack("=HBBiIB3x", SCHEDULE, 0, 0, 99, bearer, state)


def odd(yes: int, far: int, near: int, least: int, text: bytes) -> bytes:
    head = struct.pack("=HBBiB7xqhbx", ODD, 0, 0, 99, yes, far, near, least)
    return head + struct.pack("=I2I", 40 | len(text) << 16, 1, 2) + text


def event(delta: int, data: bytes, long: bool = False) -> bytes:
    """An event of the buffer, with its length in its head or before its data."""
    data += b"\0" * (-len(data) % 4)
    if long or len(data) > 112:
        return struct.pack("=II", delta << 5, len(data) + 4) + data
    return struct.pack("=I", delta << 5 | len(data) // 4) + data


def extend(delta: int) -> bytes:
    return struct.pack("=II", (delta & 0x7FFFFFF) << 5 | 30, delta >> 27)


def stamp(ts: int) -> bytes:
    return struct.pack("=II", (ts & 0x7FFFFFF) << 5 | 31, ts >> 27 & 0xFFFFFFFF)


def discarded(delta: int, size: int) -> bytes:
    return struct.pack("=II", delta << 5 | 29, size + 4) + b"\xee" * size


END = struct.pack("=I", 29)


def page(
    ts: int, *events: bytes, flags: int = 0, missed: int = 0, size: int = 4096, word: str = "Q"
) -> bytes:
    """A page whose first event counts its time from ts."""
    data = b"".join(events)
    whole = struct.pack(f"=Q{word}", ts, len(data) | flags) + data
    if flags & STORED and len(whole) < size:
        whole += struct.pack(f"={word}", missed)
    assert len(whole) <= size
    return whole.ljust(size, b"\0")


class Instance:
    """A folder that looks like a tracing instance."""

    def __init__(self, at: Path, header: str = HEADER_64) -> None:
        self.at = at
        for name in (
            "tracing_on",
            "trace_clock",
            "options/overwrite",
            "buffer_percent",
            "buffer_size_kb",
            "events/wlink/enable",
            "events/wlink/filter",
        ):
            self.put(name, "")
        self.put("events/header_page", header)
        for name, text in FORMATS.items():
            self.put(f"events/wlink/{name}/format", text)
            self.put(f"events/wlink/{name}/filter", "")

    def put(self, name: str, data: str | bytes) -> None:
        path = self.at / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    def cpu(self, number: int, *pages: bytes, overrun: int = 0, commit: int = 0, dropped: int = 0) -> None:
        """What a processor's buffer gives, and what its statistics say."""
        self.put(f"per_cpu/cpu{number}/trace_pipe_raw", b"".join(pages))
        self.put(
            f"per_cpu/cpu{number}/stats",
            f"entries: 0\noverrun: {overrun}\ncommit overrun: {commit}\nbytes: 7\noldest event ts:     1.0\n"
            f"now ts:     2.0\ndropped events: {dropped}\nread events: 5\n",
        )
