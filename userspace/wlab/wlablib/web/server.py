# SPDX-License-Identifier: GPL-2.0
"""HTTP: who may ask, for what, and what is answered.

Nothing that a browser sends by itself gives a right: the token is in the address behind #, which
no browser sends, and the page's own script puts it into a header, which no other origin may set.
The name in Host must be this server's, so a name of others that leads here is of no use.
"""

import contextlib
import hmac
import ipaddress
import json
import queue
import re
import secrets
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from ..lib.files import parse_json
from ..lib.units import BadValue
from . import replay
from .backend import Refused
from .control import Control
from .own import Own
from .samples import Board, Recording

TOKEN = "X-Wlink-Token"
BODY_MAX = 32 << 20
# Of one that says nothing; a browser that has gone is noticed by it.
SILENT_S, HEARTBEAT_S = 30, 10
CONNECTIONS = 64
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
PAGES = {"/": "page.html", "/page.js": "page.js", "/chart.js": "chart.js", "/page.css": "page.css"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Answer = Callable[[dict[str, Any]], Any]


def own_file(name: str) -> bytes:
    return resources.files(__package__).joinpath(name).read_bytes()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: str, port: int, control: Control, board: Board, names: list[str]) -> None:
        ip = ipaddress.ip_address(address)
        self.address_family = socket.AF_INET6 if ip.version == 6 else socket.AF_INET
        # Those that are open, the oldest first, with whether they have shown the token.
        self.connections: dict[socket.socket, bool] = {}
        self.counting = threading.Lock()
        super().__init__((address, port), Handler)
        self.control, self.board = control, board
        self.own: Own | None = None
        self.token = secrets.token_urlsafe(24)
        port = self.server_address[1]
        own_names = [f"[{address}]" if ip.version == 6 else address, *names]
        if ip.is_loopback:
            own_names += ["localhost", "127.0.0.1", "[::1]"]
        self.hosts = {f"{name}:{port}".lower() for name in own_names}
        self.hosts |= {name.lower() for name in own_names if port == 80}
        self.url = f"http://{own_names[0]}:{port}/#{self.token}"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Of more connections than a few browsers have the oldest goes that has not shown the token."""
        with self.counting:
            full = len(self.connections) >= CONNECTIONS
            oldest = next((one for one, ours in self.connections.items() if not ours), None) if full else None
            if oldest:
                del self.connections[oldest]
                # Its thread, which waits for it, ends.
                with contextlib.suppress(OSError):
                    oldest.shutdown(socket.SHUT_RDWR)
            if full and not oldest:
                self.shutdown_request(request)
                return
            self.connections[request] = False
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self.counting:
                self.connections.pop(request, None)

    def ours(self, request: socket.socket) -> None:
        """It has shown the token."""
        with self.counting:
            if request in self.connections:
                self.connections[request] = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle is no error."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "wlink", ""
    timeout = SILENT_S

    def log_message(self, format: str, *args: Any) -> None:
        """The address has no token, but who looks is nobody's business either."""

    def send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_json(self, value: Any, status: int = 200) -> None:
        self.send(status, json.dumps(value, separators=(",", ":")).encode(), "application/json")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Of the base class, too: a request that is none."""
        self.close_connection = True
        if not hasattr(self, "command") or not self.command:
            self.command = "GET"
        self.send_json({"error": message or self.responses.get(code, ("error",))[0]}, code)

    def admit(self) -> None:
        """Whoever asks by another name is no page of ours."""
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0].strip().lower() not in self.server.hosts:
            raise Refused(f"this is not {', '.join(hosts)[:80] or 'a server without a name'}", 421)

    def admit_ours(self) -> None:
        """Only the page's own script knows the token and may set a header."""
        origin = self.headers.get("Origin")
        if origin is not None and origin.lower() != f"http://{self.headers['Host'].strip().lower()}":
            raise Refused("another page has asked for this", 403)
        given = self.headers.get(TOKEN, "")
        if not hmac.compare_digest(given.encode(errors="replace"), self.server.token.encode()):
            raise Refused(
                "the token is missing or of another server: open the address that wlinkctl prints", 403
            )
        self.server.ours(self.connection)

    def do_GET(self) -> None:
        self.answer(self.get)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        self.answer(self.post)

    def answer(self, method: Callable[[], None]) -> None:
        try:
            self.admit()
            method()
        except Refused as refused:
            # What has not been read of a body is not another request.
            self.close_connection = True
            self.send_json({"error": str(refused)}, refused.status)

    def url(self) -> SplitResult:
        try:
            return urlsplit(self.path)
        except ValueError as error:
            raise Refused(f"the address is none: {error}") from None

    def get(self) -> None:
        url = self.url()
        if url.path in PAGES:
            name = PAGES[url.path]
            self.send(200, own_file(name), KINDS[Path(name).suffix])
            return
        if url.path in ("/dygraph.js", "/dygraph.css"):
            self.send(200, replay.dygraph(Path(url.path).suffix), KINDS[Path(url.path).suffix])
            return
        self.admit_ours()
        asked = {name: values[-1] for name, values in parse_qs(url.query).items()}
        if url.path == "/api/events":
            self.events(asked)
        elif url.path == "/api/recording":
            self.send(200, self.recorded(), "text/html")
        elif url.path in GETS:
            self.send_json(GETS[url.path](self.server, asked))
        else:
            raise Refused(f"nothing is at {url.path[:80]}", 404)

    def post(self) -> None:
        self.admit_ours()
        path = self.url().path
        if path not in POSTS:
            raise Refused(f"nothing is at {path[:80]}", 404)
        if self.headers.get_content_type() != "application/json":
            raise Refused("the request is not JSON", 415)
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > BODY_MAX:
            raise Refused(f"the request is longer than {BODY_MAX} bytes, or of unknown length", 413)
        try:
            asked = parse_json(self.rfile.read(int(length)))
        except BadValue as error:
            raise Refused(f"the request: {error}") from None
        if not isinstance(asked, dict):
            raise Refused("the request is not an object of JSON")
        self.send_json(POSTS[path](self.server, asked))

    def events(self, asked: dict[str, Any]) -> None:
        """Server-sent events, until one of both goes away."""
        board = self.server.board
        keys = set(self.server.control.keys(asked).values()) if asked else set()
        reader = board.read(keys)
        self.send_response(200)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            while board.expected(reader):
                try:
                    kind, value = reader.get(timeout=HEARTBEAT_S)
                    text = f"event: {kind}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n"
                except queue.Empty:
                    text = ": still here\n\n"
                self.wfile.write(text.encode())
        except OSError:
            pass
        finally:
            board.leave(reader)

    def recorded(self) -> bytes:
        """The recording so far as a page that needs nothing else."""
        recording = self.server.board.recording
        if not recording:
            raise Refused("nothing has been recorded", 409)
        with self.server.board.lock:
            ways = {way: recording.samples.get(key, []) for way, key in recording.keys.items()}
            changes = list(recording.changes)
        return replay.page(f"wlink: {', '.join(recording.keys.values())}", recording.keys, ways, changes)


def links(server: Server, asked: dict[str, Any]) -> Any:
    with server.board.lock:
        listed, trouble = server.board.listed(), server.board.trouble
        recording = server.board.recording is not None
    own = server.own.as_text() if server.own else ""
    own_keys = (
        [f"{dev} {handle} {n}" for (dev, handle), n in server.own.bearers.items()] if server.own else []
    )
    where = server.control.backend.name
    return {
        "links": listed,
        "trouble": trouble,
        "own": own,
        "own_keys": own_keys,
        "where": where,
        "recording": recording,
    }


def preset(server: Server, asked: dict[str, Any]) -> Any:
    name = str(asked.get("name", ""))
    if not name or name.startswith("-"):
        raise Refused("preset: no name")
    return server.control.backend.json(["preset", "show", name], own=True)


def record(server: Server, asked: dict[str, Any]) -> Any:
    on = asked.get("on")
    if on is True:
        recording = Recording(server.control.keys(asked))
        with server.board.lock:
            if server.board.recording:
                raise Refused("somebody records already", 409)
            server.board.recording = recording
    elif on is False:
        with server.board.lock:
            server.board.recording = None
    else:
        raise Refused("record: on is true or false")
    server.board.tell("recording", on)
    return {"recording": on}


GETS: dict[str, Callable[[Server, dict[str, Any]], Any]] = {
    "/api/links": links,
    "/api/state": lambda server, asked: server.control.state(asked),
    "/api/presets": lambda server, asked: server.control.presets(),
    "/api/preset": preset,
}
POSTS: dict[str, Callable[[Server, dict[str, Any]], Any]] = {
    "/api/change": lambda server, asked: server.control.change(asked),
    "/api/preset": lambda server, asked: server.control.preset(asked),
    "/api/undo": lambda server, asked: server.control.undo(asked),
    "/api/play": lambda server, asked: server.control.play(asked),
    "/api/stop": lambda server, asked: server.control.stop(asked),
    "/api/record": record,
}
