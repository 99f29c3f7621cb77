# SPDX-License-Identifier: GPL-2.0
"""Links that answer as wlinkctl does, and a server of the page for them."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from wlablib.web.backend import Backend, Refused
from wlablib.web.control import Control
from wlablib.web.samples import Board
from wlablib.web.server import TOKEN, Server

DOWN, UP = "d0 1: 1", "u0 1: 1"
LINE = "rate 1mbit tti 0 delay 20ms limit 50 channel none mode tm aqm droptail ramp_from off"


class FakeLinks(Backend):
    """Changes words of a line by their first occurrence; what it is told to refuse it refuses."""

    def __init__(self) -> None:
        super().__init__(["fake"])
        self.lines = {DOWN: LINE, UP: LINE}
        self.waits: dict[str, tuple[int, str]] = {}
        self.refuse: dict[str, str] = {}
        self.foreign = False
        # How long it takes until the next change, or start of a schedule, is looked at.
        self.stalls_s: list[float] = []
        self.calls: list[list[str]] = []

    def settle(self) -> None:
        for key, (at_ns, line) in list(self.waits.items()):
            if at_ns <= time.monotonic_ns():
                self.lines[key] = line
                del self.waits[key]

    def run(self, words: list[str], text: str = "", own: bool = False, fails: bool = False) -> str:
        if own:
            return super().run(words, text, own, fails)
        if words[0] == "batch":
            out = ""
            for line in text.splitlines():
                try:
                    out += f"{self.run(line.split())}\n"
                except Refused as refused:
                    raise Refused(str(refused), refused.status, out) from None
            return out
        self.settle()
        verb, *rest = (word for word in words if word != "--json")
        self.calls.append([verb, *rest])
        if verb == "schedule":
            return self.schedule(rest)
        if verb in ("pending", "cancel"):
            mine = [key for key in self.waits if key.startswith(f"{rest[0]} {rest[1]} ")]
            if verb == "pending":
                other = [{"at_ns": 10**18}] if self.foreign else []
                return json.dumps([{"at_ns": self.waits[key][0]} for key in mine] + other)
            for key in mine:
                del self.waits[key]
            return json.dumps({"cancelled": len(mine)})
        key = f"{rest[0]} {rest[1]} {rest[3]}"
        if key not in self.lines:
            raise Refused(f'no device "{rest[0]}"', 404)
        if verb == "show":
            return f"{rest[0]} {rest[1]} bearer {rest[3]} {self.lines[key]} \n  more"
        given = rest[4:]
        if why := self.refuse.get(key):
            raise Refused(why, 502)
        at = given.index("at") if "at" in given else len(given)
        at_ns = int(given[at + 1].removesuffix("ns")) if at < len(given) else 0
        self.judge_time(at_ns)
        line = self.changed(self.lines[key], given[:at])
        self.waits[key] = (at_ns, line)
        return json.dumps({"cookie": 1, "applied_ns": None, "at_ns": at_ns})

    def judge_time(self, at_ns: int) -> None:
        """As the kernel does."""
        time.sleep(self.stalls_s.pop(0) if self.stalls_s else 0)
        if at_ns and at_ns < (now_ns := time.monotonic_ns()):
            raise Refused(f"kernel: wlink: at {at_ns} is before now, {now_ns} ns", 502)

    @staticmethod
    def changed(line: str, words: list[str]) -> str:
        now = line.split()
        values = dict(zip(now[::2], now[1::2])) | dict(zip(words[::2], words[1::2]))
        return " ".join(f"{word} {value}" for word, value in values.items())

    def schedule(self, rest: list[str]) -> str:
        key = f"{rest[1]} {rest[2]} {rest[4]}"
        if rest[0] == "start" and (why := self.refuse.get(key)):
            raise Refused(why, 502)
        if rest[0] == "start":
            self.judge_time(int(rest[-1].removesuffix("ns")))
        return json.dumps({"length_ns": 30 * 10**9, "end": "hold", "steps": 3} if rest[0] == "load" else {})


def look(time_ns: int, interval_ns: int = 200_000_000, /, **of: Any) -> dict[str, Any]:
    """One object of `wlinkctl top --json` about both links."""
    bearers = []
    for key in (DOWN, UP):
        dev, handle, bearer = key.split()
        row = {
            "dev": dev, "handle": handle, "bearer": int(bearer), "mode": "tm", "rate_bps": 10**6,
            "generation": 0, "offered_bps": 5e5, "delivered_bps": 4e5, "sdus_delivered": 10, "full": 0.5,
            "parts": {"queue": 3 * 10**6, "serial": 10**6, "prop": 0, "retx": 0, "hol": 0, "access": 0,
                      "jitter": 0},
            "buffer_sdus": 25, "drops": {"overflow": 0, "aqm": 2}, "play": {"state": "none"},
        }  # fmt: skip
        bearers.append(row | of)
    return {"time_ns": time_ns, "interval_ns": interval_ns, "bearers": bearers}


class Asked:
    """An answer."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.body)
        return answer

    @property
    def error(self) -> str:
        return str(self.json.get("error", ""))


class Site:
    """The server, asked by hand."""

    def __init__(self) -> None:
        self.links, self.board = FakeLinks(), Board()
        self.control = Control(self.links, self.board)
        self.server = Server("127.0.0.1", 0, self.control, self.board, [])
        self.port = self.server.server_address[1]
        self.board.feed(look(time.monotonic_ns()))

    def ask(
        self,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        method: str = "",
        token: str | None = None,
    ) -> Asked:
        given = {"Host": f"127.0.0.1:{self.port}", TOKEN: self.server.token if token is None else token}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if data is not None:
            given |= {"Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        given = {name: value for name, value in (given | (headers or {})).items() if value}
        connection.putrequest(method or ("POST" if data is not None else "GET"), path, skip_host=True)
        for name, value in given.items():
            connection.putheader(name, value)
        if data is not None and "Content-Length" not in given:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        answer = connection.getresponse()
        # A stream of events has no end.
        endless = answer.headers.get_content_type() == "text/event-stream"
        asked = Asked(answer.status, answer.headers, b"" if endless else answer.read())
        connection.close()
        return asked

    def revision(self) -> str:
        answer = self.ask(f"/api/state?down={DOWN}&up={UP}".replace(" ", "+"))
        return str(answer.json["revision"])

    def change(self, fields: Any, seen: str = "", **more: Any) -> Asked:
        body = {"down": DOWN, "up": UP, "fields": fields, "seen": seen or self.revision()}
        return self.ask("/api/change", body | more)


@contextmanager
def site() -> Iterator[Site]:
    one = Site()
    thread = threading.Thread(target=one.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield one
    finally:
        one.server.shutdown()
        one.server.server_close()
