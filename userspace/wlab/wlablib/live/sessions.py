# SPDX-License-Identifier: GPL-2.0
"""Requests to a running guest: `wlab live set`, `top`, `record`, `wlinkctl` from another terminal.

Each request has one of the guest's serial lines to itself. The reply is the output of the
command, a NUL, the exit status, a newline, the standard error, a NUL.
"""

import asyncio
import contextlib
import json
import os
import selectors
import shlex
import signal
import socket
import sys
import tempfile
from pathlib import Path

from ..lib.files import read_input
from ..lib.paths import LabError
from ..lib.ways import DEVICES
from ..run.shell import raw_terminal, write_to

# The control line carries the number of each line that has a new request.
CONTROL = 2
LINES = (3, 4, 5, 6)
INTERRUPT = b"\3"
CHUNK = 1 << 16
# The longest request, with a schedule for `wlinkctl schedule load DEV -` in it.
REQUEST_MAX = 1 << 28
# Commands of wlinkctl that read it where one of their words is "-".
READ_INPUT = ("batch", "check", "schedule")
# Modes of a line without a terminal at the other end.
PLAIN = "raw -echo isig"
NAME = "live."
SCRIPT = """trap : INT
stty {modes}
export TERM={term}
input={input}
{{ {command}
}} 2>{errors}
printf '\\0%d\\n' $?
cat {errors}
printf '\\0'
"""


class Sessions:
    """The guest's serial lines and their requests."""

    def __init__(self, folder: Path, guest_folder: str) -> None:
        self.folder = folder
        self.guest_folder = guest_folder
        self.name = f"{NAME}{os.getpid()}"
        self.lines = {line: socket.socketpair() for line in (CONTROL, *LINES)}

    def words(self) -> list[str]:
        """Words for the command line of the guest's kernel."""
        return [f"ssl{line}=fd:{guest_end.fileno()}" for line, (_, guest_end) in self.lines.items()]

    def guest_fds(self) -> list[int]:
        """The guest's ends, which the caller closes after passing them on."""
        return [guest_end.detach() for _, guest_end in self.lines.values()]

    def send(self, text: str) -> None:
        self.lines[CONTROL][0].send(f"{text}\n".encode())

    def end(self) -> None:
        """Make the guest power off."""
        self.send("end")

    async def serve(self) -> None:
        """Accept requests of those who may enter the folder."""
        free: asyncio.Queue[int] = asyncio.Queue()
        for line in LINES:
            free.put_nowait(line)

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            line = await free.get()
            with contextlib.suppress(OSError):
                await self.session(line, reader, writer)
            writer.close()
            free.put_nowait(line)

        path = self.folder / self.name
        async with await asyncio.start_unix_server(handle, path, limit=REQUEST_MAX) as server:
            await server.serve_forever()

    async def session(self, line: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one request; interrupt the command if the client goes away."""
        request = json.loads(await reader.readline())
        errors = f"{self.guest_folder}/errors.{line}"
        (self.folder / f"input.{line}").write_text(request["input"])
        request["input"] = f"{self.guest_folder}/input.{line}"
        (self.folder / f"ask.{line}").write_text(SCRIPT.format(errors=errors, **request))
        loop = asyncio.get_running_loop()
        guest = self.lines[line][0]
        guest.setblocking(False)

        async def keys() -> None:
            while data := await reader.read(CHUNK):
                await loop.sock_sendall(guest, data)
            await loop.sock_sendall(guest, INTERRUPT)

        typing = asyncio.create_task(keys())
        self.send(str(line))
        left = 2
        while left > 0:
            data = await loop.sock_recv(guest, CHUNK)
            left -= data.count(b"\0")
            with contextlib.suppress(OSError):
                writer.write(data)
                await writer.drain()
        typing.cancel()


def running(own_pid: int) -> socket.socket:
    """Connect to the wlab live with a pid, or to the only one."""
    sockets = {}
    for path in Path(tempfile.gettempdir()).glob(f"wlab.*/{NAME}*"):
        sock = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError):
            sock.connect(str(path))
            sockets[int(path.suffix[1:])] = sock
    if own_pid in sockets:
        return sockets[own_pid]
    pids = ", ".join(map(str, sorted(sockets)))
    if own_pid or not sockets:
        what = (
            f"process {own_pid} is no wlab live of yours; there is"
            if own_pid
            else "no wlab live of yours runs"
        )
        raise LabError(f"{what} {pids or 'none'}" if own_pid else what)
    if len(sockets) > 1:
        raise LabError(f"more than one wlab live runs; say which: --of PID, of {pids}")
    return sockets.popitem()[1]


def command_of(kind: str, words: list[str]) -> tuple[str, str]:
    """The command for the guest, and the host's file for its output."""
    if kind == "wlinkctl":
        return shlex.join([kind, *words]), "-"
    way = words.pop(0) if words[:1] and words[0] in DEVICES else ""
    devices = [DEVICES[way]] if way else list(DEVICES.values())
    if kind == "set":
        return " && ".join(shlex.join(["wlinkctl", "set", dev, *words]) for dev in devices), "-"
    file = "-"
    if kind == "record":
        if not words or words[0].startswith("--"):
            raise LabError("record: to which file? type: wlab live record FILE, or - for standard output")
        file = words.pop(0)
        words.insert(0, "-")
    return shlex.join(["wlinkctl", kind, *(devices if way else []), *words]), file


def quiet(command: str) -> str:
    """A command that has no terminal, and alone gets the interrupt."""
    return (
        f"{{ trap : INT; {command}; echo $? >/tmp/$$; }} <$input | (trap '' INT; exec cat)\n"
        "(exit $(cat /tmp/$$))"
    )


def request(sock: socket.socket, modes: str, command: str, text: str = "") -> None:
    term = shlex.quote(os.environ.get("TERM", "dumb"))
    body = {"input": text, "modes": modes, "term": term, "command": command}
    sock.sendall(json.dumps(body).encode() + b"\n")


def answer(pid: int, words: list[str], text: str = "") -> tuple[int, str, str]:
    """The exit status, output and standard error of a command of wlinkctl."""
    reply = b""
    with running(pid) as sock:
        request(sock, PLAIN, quiet(shlex.join(["wlinkctl", *words])), text)
        while reply.count(b"\0") < 2:
            data = sock.recv(CHUNK)
            if not data:
                raise LabError("wlab live has ended")
            reply += data
    out, status_errors, _ = reply.split(b"\0")
    status, _, errors = status_errors.partition(b"\n")
    return int(status), out.decode(errors="replace"), errors.decode(errors="replace")


def ask(pid: int, kind: str, words: list[str]) -> int:
    """Send a request and print the reply; returns the command's exit status."""
    reads = kind == "wlinkctl" and "-" in words and any(word in READ_INPUT for word in words)
    command, file = command_of(kind, words)
    interactive = kind == "top" and os.isatty(0) and os.isatty(1)
    size = os.get_terminal_size() if interactive else os.terminal_size((80, 24))
    modes = f"sane -echo rows {size.lines} cols {size.columns}" if interactive else PLAIN
    text = read_input().decode(errors="replace") if reads else ""
    with running(pid) as sock, raw_terminal() if interactive else contextlib.nullcontext():
        request(sock, modes, command if interactive else quiet(command), text)
        out = 1 if file == "-" else os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        return receive(sock, out, interactive)


def receive(sock: socket.socket, out: int, interactive: bool) -> int:
    """Pass on the command's output, and the terminal's keys to it."""
    reply = b""
    signal.signal(signal.SIGINT, lambda *_: sock.sendall(INTERRUPT))
    with selectors.DefaultSelector() as wait:
        wait.register(sock, selectors.EVENT_READ)
        if interactive:
            wait.register(0, selectors.EVENT_READ)
        while reply.count(b"\0") < 2:
            ready = [key.fd for key, _ in wait.select()]
            if 0 in ready:
                sock.sendall(os.read(0, CHUNK))
            if sock.fileno() not in ready:
                continue
            data = sock.recv(CHUNK)
            if not data:
                raise LabError("wlab live has ended")
            if not reply:
                data, nul, end = data.partition(b"\0")
                write_to(out, data)
                reply = nul + end
            else:
                reply += data
    status, _, errors = reply[1:-1].partition(b"\n")
    sys.stderr.write(errors.decode(errors="replace"))
    return int(status)
