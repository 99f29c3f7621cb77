# SPDX-License-Identifier: GPL-2.0
"""Lines of a file of any length, which is read in blocks and may be read again."""

import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

LINE_MAX = 4096
LINES_MAX = 1 << 26
BLOCK = 1 << 18
COPY_MAX = 1 << 30


class Bad(Exception):
    """What is wrong with a line; with `stop` no further one is worth a look."""

    def __init__(self, text: str, stop: bool = False) -> None:
        super().__init__(text)
        self.stop = stop


class Lines:
    """The lines, decoded as Latin-1 and without blanks at their end; number is that of the last one."""

    def __init__(self, name: str) -> None:
        """What cannot be read twice, as standard input, is copied to a temporary file as it is read."""
        self.file: IO[bytes] = sys.stdin.buffer if name == "-" else Path(name).open("rb")  # noqa: SIM115
        # What has not been copied yet.
        self.source: IO[bytes] | None = None
        self.copied = name == "-" or not stat.S_ISREG(Path(name).stat().st_mode)
        if self.copied:
            self.source, self.file = self.file, tempfile.TemporaryFile()
        self.number = 0
        self.cut = False
        self.told = time.monotonic()
        self.progress = False

    def __iter__(self) -> Iterator[str]:
        self.number = 0
        self.cut = False
        self.file.seek(0)
        rest = b""
        while block := self.block():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                yield self.one(line)
            if b"\0" in rest or len(rest) > LINE_MAX:
                break
        if rest:
            self.cut = True
            yield self.one(rest)
        if self.progress:
            sys.stderr.write("\n")

    def block(self) -> bytes:
        if sys.stderr.isatty() and time.monotonic() - self.told > 0.5:
            self.told, self.progress = time.monotonic(), True
            sys.stderr.write(f"\r{self.number} lines read ")
            sys.stderr.flush()
        try:
            data = self.file.read(BLOCK)
            if not data and self.source:
                data = self.source.read(BLOCK)
                self.source = self.source if data else None
                self.file.write(data)
                if self.file.tell() > COPY_MAX:
                    raise Bad(f"more than {COPY_MAX} bytes of a pipe", stop=True)
            return data
        except OSError as e:
            self.number += 1
            raise Bad(f"cannot be read: {e.strerror}", stop=True) from e

    def begin(self) -> bytes:
        """What the file begins with, but for blanks."""
        self.file.seek(0)
        return self.block().lstrip(b" \t\r\n\xef\xbb\xbf")

    def all(self, most: int) -> bytes:
        """All of the file, or more than `most` bytes of it."""
        self.file.seek(0)
        parts, size = [], 0
        while size <= most and (block := self.block()):
            parts.append(block)
            size += len(block)
        return b"".join(parts)

    def whole(self) -> IO[bytes]:
        """All of the file, for another program to read."""
        while self.source:
            self.block()
        self.file.seek(0)
        # Which may have moved in a buffer only.
        os.lseek(self.file.fileno(), 0, os.SEEK_SET)
        return self.file

    def one(self, line: bytes) -> str:
        self.number += 1
        if b"\0" in line:
            raise Bad("binary: there is a byte 0", stop=True)
        if len(line) > LINE_MAX:
            raise Bad(f"the line is longer than {LINE_MAX} bytes: no trace has such lines", stop=True)
        if self.number > LINES_MAX:
            raise Bad(f"more than {LINES_MAX} lines", stop=True)
        text = line.decode("latin-1").rstrip("\r \t")
        return text.removeprefix("\xef\xbb\xbf") if self.number == 1 else text
