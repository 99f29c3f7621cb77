# SPDX-License-Identifier: GPL-2.0
"""The guest's workloads on the host: what they draw, what they say, whom they can talk to."""

import http.client
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from kit import HERE, Skipped, equals, expect, folder
from webpeer import Peer, head_of

ROOT = HERE.parent.parent
GUEST = ROOT / "userspace" / "wlab" / "guest"
UNIT = HERE.parent / "unit"
FLAGS = (
    "-std=gnu11 -O1 -g -Wall -Wextra -Wshadow -Wno-missing-field-initializers -D_GNU_SOURCE"
    " -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
).split()
DRAWN = ("web/http.c", "web/http_write.c", "flow/empirical.c", "rng.c")
FLOWS = ("flow/flow.c", "flow/tcp.c", "web/web.c", "web/client.c", "web/server.c", "run/file.c")
HOST = "127.0.0.1"
GET = b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET /%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


@cache
def programs() -> tempfile.TemporaryDirectory[str]:
    """Where they are until all cases are done."""
    return tempfile.TemporaryDirectory(prefix="wlab-papers.")


@cache
def compile_c(name: str, own: tuple[str, ...], guest: tuple[str, ...]) -> Path:
    """A program of files of ours and of the guest's, with sanitizers."""
    where = Path(programs().name)
    files = [str(HERE / "workload" / f) for f in own] + [str(GUEST / f) for f in guest]
    argv = ["gcc", *FLAGS, f"-I{GUEST}", f"-I{UNIT}", "-o", str(where / name), *files, "-lm"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    expect(not done.returncode and not done.stderr, f"{name} does not compile:\n{done.stderr}")
    return where / name


def check_load_pure() -> str:
    """It prints its own cases."""
    own = ("load_draw.c", "load_http.c", "../../unit/main.c", "../../unit/ut.c")
    program = compile_c("load", own, DRAWN)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False, timeout=900)
    bad = [x for x in done.stdout.splitlines() if not x.startswith("ok")]
    expect(not done.returncode, "\n".join([*bad, done.stderr]))
    return bad[-1]


@contextmanager
def server() -> Iterator[int]:
    """The guest's server; it must have nothing to say for itself when it ends."""
    with folder() as where:
        program = compile_c("webloop", ("webloop.c",), FLOWS + DRAWN)
        with subprocess.Popen(
            [str(program), str(where), "server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as at:
            assert at.stdin and at.stdout and at.stderr
            try:
                ready, port = at.stdout.readline().split()
                equals("server's first word", ready, b"ready")
                yield int(port)
                at.stdin.close()
                said = at.stderr.read().decode()
                expect(not at.wait(900) and not said, f"the server ended with {at.returncode}: {said}")
            finally:
                at.kill()


def dial(port: int) -> socket.socket:
    s = socket.create_connection((HOST, port), timeout=900)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s


def rest(s: socket.socket) -> bytes:
    """All until the other side ends, which it must do in an orderly way."""
    out = b""
    while piece := s.recv(1 << 16):
        out += piece
    return out


def whole(size: int, last: bool = False) -> bytes:
    """A response as it must be, byte by byte."""
    close = "Connection: close\r\n" if last else ""
    return f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n{close}\r\n".encode() + bytes(size)


def check_web_serves_python() -> str:
    """http.client has another idea of HTTP than ours: one connection, many objects."""
    sizes = (0, 1, 1460, 65536, 3_000_000)
    with server() as port:
        c = http.client.HTTPConnection(HOST, port, timeout=900)
        for size in sizes:
            for method in ("GET", "HEAD"):
                c.request(method, f"/{size}")
                r = c.getresponse()
                equals("status", r.status, 200)
                equals("length", r.getheader("Content-Length"), str(size))
                equals("body", len(r.read()), size if method == "GET" else 0)
                expect(not r.will_close, "the connection ends")
        c.close()
    return f"{len(sizes)} objects, whole and their heads, on one connection"


def check_web_serves_curl() -> str:
    """curl, several files on one connection and several at once."""
    if not shutil.which("curl"):
        raise Skipped("no curl here")
    with server() as port:
        urls = [f"http://{HOST}:{port}/{n}" for n in (10, 100_000, 1_000_000)]
        for more in ("--http1.1", "--parallel", "--http1.0"):
            argv = ["curl", "--no-progress-meter", "--noproxy", "*", "--fail", "-m", "900", more, *urls]
            done = subprocess.run(argv, capture_output=True, check=False)
            equals("curl", (done.returncode, done.stderr, len(done.stdout)), (0, b"", 1_100_010))
    return "files one after the other, at once, and by HTTP/1.0"


def check_web_serves_pipelined() -> str:
    """All requests in one go, then in single bytes."""
    sizes = [i * 37 % 5000 for i in range(60)]
    asked = b"".join(GET % n for n in sizes) + LAST % 7
    wanted = b"".join(whole(n) for n in sizes) + whole(7, last=True)
    with server() as port:
        s = dial(port)
        s.sendall(asked)
        expect(rest(s) == wanted, "not the responses to requests sent at once")
        s = dial(port)
        for byte in GET % 5 + LAST % 7:
            s.sendall(bytes([byte]))
        expect(rest(s) == whole(5) + whole(7, last=True), "not the responses to requests sent by bytes")
    return f"{len(sizes) + 1} requests at once, 2 in single bytes"


def check_web_refuses() -> str:
    """An answer, an orderly end even where much more was sent, and no harm to others."""
    huge = b"X: " + b"y" * 4000 + b"\r\n"
    cases = {
        b"rubbish\r\n": 400,
        b"GET /5 HTTP/1.1\r\n\r\n": 400,
        b"GET /5 HTTP/3.0\r\n\r\n": 505,
        b"GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n": 404,
        b"POST /5 HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n" + bytes(400_000): 501,
        b"GET /" + b"5" * 1_000_000: 414,
        b"GET /5 HTTP/1.1\r\nHost: a\r\n" + huge * 1000: 431,
        b"GET /5 HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 1_000_000: 431,
    }
    with server() as port:
        good = dial(port)
        for text, status in cases.items():
            s = dial(port)
            s.sendall(text)
            answer = rest(s)
            equals(f"{text[:40]!r}", answer.split(b" ")[1], str(status).encode())
            expect(b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" in answer, f"answer {answer!r}")
            s.close()
            good.sendall(GET % 3)
            equals("another connection", good.recv(1000), whole(3))
    return f"{len(cases)} requests"


def check_web_goes_on() -> str:
    """Slow, vanished and many clients."""
    with server() as port:
        slow = dial(port)
        slow.sendall(GET % 50_000_000)
        for half in (True, False):
            s = dial(port)
            s.sendall(GET % 50_000_000)
            s.recv(1000)
            if half:
                s.sendall(b"GET /5 HT")
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            s.close()
        many = [dial(port) for _ in range(300)]
        for s in many:
            s.sendall(LAST % 1000)
        for s in many:
            equals("one of many", rest(s), whole(1000, last=True))
        left = len(whole(50_000_000))
        while left:
            left -= len(slow.recv(min(left, 1 << 20)))
        slow.sendall(LAST % 1)
        equals("the slow one's next", rest(slow), whole(1, last=True))
    return "300 clients beside one of 50 MB that waits, two that vanished"


Figures = dict[str, int]


def client(
    peer: Peer,
    seed: int = 1,
    connections: int = 1,
    pipeline: int = 0,
    persistent: int = 1,
    pages: int = 0,
    transactions: int = 5,
) -> tuple[Figures, str]:
    """The guest's client against a peer: its figures, what it complains of."""
    with folder() as where:
        program = compile_c("webloop", ("webloop.c",), FLOWS + DRAWN)
        numbers = (peer.port, seed, connections, pipeline, persistent, pages, transactions)
        argv = [str(program), str(where), "client", *map(str, numbers)]
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=900)
        lines = (where / "web.web").read_text().splitlines() if not done.returncode else []
    figures = {k: int(v) for k, v in (p.split("=") for p in done.stdout.split())}
    if not done.returncode:
        rows = [[int(x) for x in line.split("\t")] for line in lines]
        equals("lines of the log", len(rows), figures["transactions"])
        equals("objects in the log", sum(r[2] for r in rows), figures["objects"])
        # Where nothing had to be asked twice.
        if not peer.way:
            equals("requests' bytes in the log", sum(r[3] for r in rows), peer.heard)
        equals("replies' bytes in the log", sum(r[4] for r in rows), figures["bytes"])
        equals("bytes", figures["bytes"], peer.bytes_sent)
    return figures, done.stderr.strip()


def check_web_fetches() -> str:
    """One page and its objects, whichever way, are the same; how they are asked for is not."""
    ways: dict[str, dict[str, int]] = {
        "serial": {},
        "parallel": {"connections": 4},
        "pipelined": {"connections": 2, "pipeline": 1},
    }
    seen: dict[str, list[int]] = {}
    for name, way in ways.items():
        most = way.get("connections", 1)
        # A machine with other work may get to an answer's end before the next request:
        # with longer pauses they meet.
        for pause in (0.002, 0.02, 0.1):
            with Peer(pause=pause) as peer:
                figures, said = client(peer, seed=4, transactions=12, **way)
            if said or (peer.most_busy >= most and (peer.most_waiting > 1 or name != "pipelined")):
                break
        expect(not said, f"{name}: {said}")
        seen[name] = peer.sizes()
        equals(f"{name}: transactions", figures["transactions"], 12)
        equals(f"{name}: objects", figures["objects"], len(peer.asked))
        equals(f"{name}: connections", figures["connections"], most)
        equals(f"{name}: connections at once", peer.most_busy, most)
        equals(f"{name}: several asked at once", peer.most_waiting > 1, name == "pipelined")
    for name, sizes in seen.items():
        equals(f"{name}: sizes", sizes, seen["serial"])
    with Peer() as peer:
        figures, said = client(peer, seed=4, transactions=12, persistent=0, connections=3)
        expect(not said, said)
        equals("connections", figures["connections"], figures["objects"])
    return f"{figures['objects']} objects of 12 pages in 4 ways"


def check_web_seeds() -> str:
    """A seed is a sequence of pages."""
    got = []
    for seed in (1, 1, 2):
        with Peer() as peer:
            client(peer, seed=seed)
            got.append([head_of(a) for a in peer.asked])
    expect(got[0] == got[1], "seed 1 differs from seed 1")
    expect(got[0] != got[2], "seed 2 is seed 1")
    return f"{len(got[0])} and {len(got[2])} requests"


def check_web_sites() -> str:
    """A page of 2011 has a document and 10 to 140 objects, and its site is no other page's."""
    with Peer() as peer:
        figures, said = client(peer, connections=6, pipeline=1, pages=1, transactions=4)
    expect(not said, said)
    expect(4 * 11 <= figures["objects"] <= 4 * 141, f"{figures['objects']} objects")
    equals("connections of 4 sites", figures["connections"], 4 * 6)
    return f"{figures['objects']} objects of 4 pages"


def check_web_bears() -> str:
    """What servers and proxies may do."""
    sizes = None
    for name in ("", "by bytes", "continue", "old", "old keep-alive", "close each", "close idle"):
        for pipeline in (0, 1):
            with Peer(name) as peer:
                figures, said = client(peer, seed=3, connections=2, pipeline=pipeline, transactions=6)
                expect(not said, f"{name}: {said}")
                came = peer.sizes()
            sizes = sizes or came
            # What a closed connection leaves unanswered is asked for again.
            equals(f"{name}: what came", came, sizes)
            equals(f"{name}: objects", figures["objects"], len(came))
    return "7 kinds of server"


def check_web_complains() -> str:
    """What must end a run, told in words."""
    cases = {
        "error": "the server answers with status 500",
        "no length": "the server sends a response without Content-Length",
        "chunked": "the server sends a transfer coding",
        "rubbish": "the server sends no HTTP version where one must be",
        "early end": "the server ends a connection before it has answered",
        "no answer": "the server ends a connection before it has answered",
        "too much": "the server answers what nobody has asked",
    }
    for name, words in cases.items():
        with Peer(name) as peer:
            _, said = client(peer)
            equals(name, said, f"flow web: {words}")
    peer = Peer()
    peer.close()
    _, said = client(peer)
    equals("no server", said, "flow web: connect: Connection refused")
    return f"{len(cases) + 1} complaints"
