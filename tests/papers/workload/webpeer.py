# SPDX-License-Identifier: GPL-2.0
"""A web server of its own making, to try a client with; some ways of it are odd."""

import contextlib
import re
import socket
import threading
import time
from types import TracebackType


def head_of(request: bytes) -> bytes:
    """Its first line, and how long it is."""
    return request.split(b"\r\n")[0] + b" %d" % len(request)


def size_of(request: bytes) -> int:
    found = re.match(rb"GET /(\d+) HTTP/1\.1\r\nHost: 127\.0\.0\.1\r\n", request)
    if not found:
        raise ValueError(f"a strange request: {request!r}")
    return int(found[1])


class Peer:
    """Serves /N on a port until closed; `way` says how."""

    def __init__(self, way: str = "", pause: float = 0.0) -> None:
        self.way, self.pause = way, pause
        self.asked: list[bytes] = []  # answered, in order of the answers
        self.heard = 0  # bytes of all requests
        self.bytes_sent = 0
        self.busy = self.most_busy = self.most_waiting = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.threads: list[threading.Thread] = []
        self.acceptor = threading.Thread(target=self.accept, daemon=True)
        self.acceptor.start()

    def __enter__(self) -> "Peer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.acceptor.join()
        for t in self.threads:
            t.join(5)

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                s, _ = self.listener.accept()
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                t = threading.Thread(target=self.serve, args=(s,), daemon=True)
                self.threads.append(t)
                t.start()

    def serve(self, s: socket.socket) -> None:
        """One connection."""
        had = b""
        with s, contextlib.suppress(ConnectionError, TimeoutError):
            s.settimeout(900)
            while True:
                while b"\r\n\r\n" not in had:
                    if not (more := s.recv(1 << 16)):
                        return
                    had += more
                    with self.lock:
                        self.heard += len(more)
                        self.most_waiting = max(self.most_waiting, had.count(b"\r\n\r\n"))
                head, _, had = had.partition(b"\r\n\r\n")
                if not self.answer(s, head + b"\r\n\r\n"):
                    # Read on: closing over what has not been read resets.
                    s.shutdown(socket.SHUT_WR)
                    while s.recv(1 << 16):
                        pass
                    return

    def answer(self, s: socket.socket, request: bytes) -> bool:
        """False where the connection ends here."""
        size = size_of(request)
        last = b"\r\nConnection: close" in request or self.way in ("old", "close each")
        with self.lock:
            self.asked.append(request)
            self.busy += 1
            self.most_busy = max(self.most_busy, self.busy)
        time.sleep(self.pause)
        text, goes_on = self.response(size, last)
        with self.lock:
            self.busy -= 1
            self.bytes_sent += len(text)
        if self.way == "by bytes":
            for i in range(min(60, len(text))):
                s.sendall(text[i : i + 1])
            s.sendall(text[60:])
        else:
            s.sendall(text)
        return goes_on and not last

    def response(self, size: int, last: bool) -> tuple[bytes, bool]:
        """The bytes, and whether the connection is to go on."""
        length, body = b"Content-Length: %d\r\n" % size, bytes(size)
        head = b"HTTP/1.1 200 OK\r\n"
        if self.way in ("old", "old keep-alive"):
            head = b"HTTP/1.0 200 OK\r\n"
        elif last:
            head += b"Connection: close\r\n"
        if self.way == "old keep-alive":
            head += b"Connection: keep-alive\r\n"
        good = head + length + b"\r\n" + body
        odd = {
            "continue": (b"HTTP/1.1 100 Continue\r\n\r\n" + good, True),
            "close idle": (good, False),
            "error": (b"HTTP/1.1 500 Sorry\r\nContent-Length: 0\r\n\r\n", True),
            "no length": (head + b"\r\n" + body, False),
            "chunked": (head + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", True),
            "rubbish": (b"rubbish\r\n", False),
            "early end": (head + b"Content-Length: %d\r\n\r\n" % (size + 1) + body, False),
            "no answer": (b"", False),
            "too much": (good + good, True),
        }
        return odd.get(self.way, (good, True))

    def sizes(self) -> list[int]:
        """Of all that was answered, whatever the order."""
        return sorted(size_of(a) for a in self.asked)
