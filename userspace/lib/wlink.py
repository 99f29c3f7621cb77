# SPDX-License-Identifier: GPL-2.0
"""A radio link in Python, by libwlink and cffi: no root, no kernel module, no clock of its own.

    >>> import wlink
    >>> link = wlink.Link("rate 1mbit delay 5ms")
    >>> link.enqueue(0, 1000, cookie="a packet")
    >>> [(sdu.cookie, sdu.at_ns) for sdu in link.run(until_ns=20_000_000)]
    [('a packet', 13000000)]

Times are in ns from any origin and never go back. wlink(3) has the calls; all that a link refuses is a
wlink.Error. The library is the one beside this file, or else the system's.
"""

# Debian's cffi has no types.
# mypy: disable-error-code="import"
import re
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cffi import FFI

HERE = Path(__file__).resolve().parent
NEVER = NEXT = PACKET = 2**64 - 1


class Error(ValueError):
    """What a link refuses, and why."""


def _header() -> str:
    for file in (HERE / "wlink.h", Path("/usr/include/wlink.h"), Path("/usr/local/include/wlink.h")):
        if file.exists():
            text = file.read_text()
            break
    else:
        raise ImportError(f"no wlink.h beside {HERE / 'wlink.py'}, and none of the system's")
    # Declarations only: cffi knows neither directives nor C++.
    return re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)


_ffi = FFI()
_text = _header()
_ffi.cdef(re.sub(r"^#.*$", "", _text, flags=re.MULTILINE))
_ERROR_BYTES = int(re.findall(r"WLINK_ERROR_BYTES\s+(\d+)", _text)[0])
_beside = HERE / "libwlink.so"
_lib: Any = _ffi.dlopen(str(_beside) if _beside.exists() else "libwlink.so")


# What has become of a packet, with the fields of struct wlink_sdu of wlink.h; drop is None, or a name.
_FIELDS: list[str] = [name for name, _ in _ffi.typeof("struct wlink_sdu").fields]
Sdu: Any = namedtuple("Sdu", _FIELDS)  # type: ignore[misc]


class Link:
    """One direction of a radio link; words as after `tc qdisc add dev DEV root wlink`."""

    def __init__(self, words: str, now_ns: int = 0) -> None:
        error = _ffi.new("char[]", _ERROR_BYTES)
        made = _lib.wlink_new(words.encode(), now_ns, error)
        if not made:
            raise Error(_ffi.string(error).decode())
        self._link: Any = _ffi.gc(made, _lib.wlink_free)
        self._sdu = _ffi.new("struct wlink_sdu *")
        # Packets in the link, each by a number.
        self._cookies: dict[int, Any] = {}
        self._count = 0

    def _check(self, status: int) -> int:
        if status < 0:
            raise Error(_ffi.string(_lib.wlink_error(self._link)).decode())
        return status

    def add(self, bearer: int, words: str = "") -> None:
        """One more bearer, as by `tc class add`."""
        self._check(_lib.wlink_add(self._link, bearer, words.encode()))

    def delete(self, bearer: int) -> None:
        """Delete one; what it holds is dropped."""
        self._check(_lib.wlink_delete(self._link, bearer))

    def set(self, words: str, at_ns: int = NEXT, bearer: int = 1) -> None:
        """Change a bearer: at the first start of a TTI after now, or not before a time."""
        self._check(_lib.wlink_set(self._link, bearer, words.encode(), at_ns))

    def schedule(self, text: str | None, at_ns: int = 0, bearer: int = 1) -> None:
        """Play the text of a schedule, wlink-schedule(7), from now or a time on, or from the next packet;
        None ends what plays."""
        start = _ffi.NULL if text is None else text.encode()
        self._check(_lib.wlink_schedule(self._link, bearer, start, at_ns))

    def enqueue(self, now_ns: int, size: int, ecn: int = 0, cookie: Any = None, bearer: int = 1) -> None:
        """A packet of so many bytes comes; due() says what becomes of it."""
        self._check(_lib.wlink_enqueue(self._link, bearer, now_ns, size, ecn, self._count))
        self._cookies[self._count] = cookie
        self._count += 1

    def advance(self, now_ns: int) -> None:
        """Time goes on."""
        self._check(_lib.wlink_advance(self._link, now_ns))

    def due(self) -> Iterator[Sdu]:
        """What has been delivered or dropped by now, in the order of time."""
        while _lib.wlink_due(self._link, self._sdu):
            sdu = self._sdu
            values = {name: getattr(sdu, name) for name in _FIELDS}
            values["drop"] = _ffi.string(sdu.drop).decode() if sdu.drop else None
            values["cookie"] = self._cookies[sdu.cookie] if sdu.more else self._cookies.pop(sdu.cookie)
            yield Sdu(**values)

    def next_event(self) -> int:
        """When to call advance() next if no packet comes before; NEVER."""
        return int(_lib.wlink_next_event(self._link))

    def run(self, until_ns: int) -> Iterator[Sdu]:
        """Advance from event to event up to a time, and yield what becomes due."""
        yield from self.due()
        while (next_ns := self.next_event()) <= until_ns:
            self.advance(next_ns)
            yield from self.due()
        self.advance(until_ns)

    def counters(self, bearer: int = 1) -> dict[str, int]:
        """As in `wlinkctl show --json`, with dots where that nests: drops.overflow."""
        count = self._check(_lib.wlink_counters(self._link, bearer, _ffi.NULL, 0))
        room = _ffi.new("struct wlink_counter[]", count)
        _lib.wlink_counters(self._link, bearer, room, count)
        return {_ffi.string(one.name).decode(): int(one.value) for one in room}
