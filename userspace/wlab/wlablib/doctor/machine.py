# SPDX-License-Identifier: GPL-2.0
"""A machine: its files below a folder that stands for its root, and what checks have found out."""

import errno
import gzip
import os
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .report import Unknown


@dataclass
class Lateness:
    """How late a machine wakes up."""

    wakes: int
    p50_ns: int
    p99_ns: int
    max_ns: int
    asked_ns: int
    took_ns: int
    policy: str


def reason(error: OSError, path: str) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"no permission to read {path}"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return f"there is no {path}"
    return f"{path}: {error.strerror}"


class Machine:
    """A root of "" is this machine, whose kernel is asked, too."""

    def __init__(self, root: str = "") -> None:
        self.root = root
        self.live = not root
        self.tick_ns = 0
        self.high_res: bool | None = None
        self.virtual_time = False
        self.late: Lateness | None = None

    def read(self, path: str) -> str:
        try:
            data = Path(self.root + path).read_bytes()
        except OSError as error:
            raise Unknown(reason(error, path)) from None
        return data.decode(errors="replace").removesuffix("\n")

    def get(self, path: str) -> str:
        """The same, empty where it cannot be read."""
        try:
            return self.read(path)
        except Unknown:
            return ""

    def number(self, path: str, default: int | None = None) -> int:
        """The whole number that a file begins with."""
        try:
            found = re.match(r"\s*([+-]?\d+)", self.read(path), re.ASCII)
            if not found:
                raise Unknown(f"{path} has no number")
        except Unknown:
            if default is None:
                raise
            return default
        return int(found[1])

    def names(self, path: str) -> list[str]:
        """Of what is in a folder."""
        try:
            return os.listdir(self.root + path)
        except OSError as error:
            raise Unknown(reason(error, path)) from None

    def numbered(self, pattern: str) -> list[str]:
        """Paths that match a pattern with one *, in the order of the numbers that stand there."""
        begin, end = (re.escape(part) for part in pattern.rsplit("*", 1))
        root = Path(self.root or "/")
        paths = (f"/{path.relative_to(root)}" for path in root.glob(pattern[1:]))
        found = ((re.fullmatch(rf"{begin}(\d+){end}", path), path) for path in paths)
        return [path for _, path in sorted((int(number[1]), path) for number, path in found if number)]

    def word(self, begin: str) -> str:
        """The rest of the kernel's last argument that begins so."""
        words = self.get("/proc/cmdline").split()
        return next((word.removeprefix(begin) for word in reversed(words) if word.startswith(begin)), "")

    @cached_property
    def options(self) -> dict[str, str] | None:
        """The kernel's configuration, from where distributions leave it; None for nowhere."""
        release = self.get("/proc/sys/kernel/osrelease")
        text = ""
        with suppress(OSError, EOFError, ValueError, zlib.error):
            text = gzip.decompress(Path(f"{self.root}/proc/config.gz").read_bytes()).decode()
        for path in (f"/boot/config-{release}", f"/lib/modules/{release}/config") if release else ():
            text = text or self.get(path)
        return dict(re.findall(r'^(CONFIG_\w+)="?([^"\n]*)', text, re.M)) if text else None

    def option(self, name: str) -> str | None:
        """Of the configuration, "n" for one that is not set; None where it is not known."""
        return None if self.options is None else self.options.get(name, "n")
