# SPDX-License-Identifier: GPL-2.0
"""What asks for the guest while it runs: `wlab live set`, `top` and `record` of another terminal.

Each has one of the guest's serial lines for itself. There, and to who has asked, come the output
of its command, a NUL, the exit status, a newline, what went to standard error, a NUL.
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

from ..lib.paths import LabError
from ..run.shell import raw_terminal, write_to

# The first line carries the numbers of the others as they have something to do.
CONTROL = 2
LINES = (3, 4, 5, 6)
INTERRUPT = b"\3"
CHUNK = 1 << 16
NAME = "live."
DEVICES = {"down": "downlink", "up": "uplink"}
SCRIPT = """trap : INT
stty {modes}
export TERM={term}
{{ {command}
}} 2>{errors}
printf '\\0%d\\n' $?
cat {errors}
printf '\\0'
"""


class Sessions:
    """The guest's lines, and who has them."""

    def __init__(self, folder: Path, guest_folder: str) -> None:
        self.folder = folder
        self.guest_folder = guest_folder
        self.name = f"{NAME}{os.getpid()}"
        self.lines = {line: socket.socketpair() for line in (CONTROL, *LINES)}

    def words(self) -> list[str]:
        """For the guest's kernel."""
        return [f"ssl{line}=fd:{theirs.fileno()}" for line, (_, theirs) in self.lines.items()]

    def theirs(self) -> list[int]:
        """The guest's ends, to be closed by who gives them to it."""
        return [theirs.detach() for _, theirs in self.lines.values()]

    def send(self, text: str) -> None:
        self.lines[CONTROL][0].send(f"{text}\n".encode())

    def end(self) -> None:
        """The guest is to power off."""
        self.send("end")

    async def serve(self) -> None:
        """Whoever may enter the folder may ask."""
        free: asyncio.Queue[int] = asyncio.Queue()
        for line in LINES:
            free.put_nowait(line)

        async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            line = await free.get()
            with contextlib.suppress(OSError):
                await self.session(line, reader, writer)
            writer.close()
            free.put_nowait(line)

        async with await asyncio.start_unix_server(one, self.folder / self.name) as server:
            await server.serve_forever()

    async def session(self, line: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One command; where who has asked is gone, it is interrupted."""
        asked = json.loads(await reader.readline())
        errors = f"{self.guest_folder}/errors.{line}"
        (self.folder / f"ask.{line}").write_text(SCRIPT.format(errors=errors, **asked))
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


def running(of: int) -> socket.socket:
    """The one that is meant."""
    found = {}
    for path in Path(tempfile.gettempdir()).glob(f"wlab.*/{NAME}*"):
        sock = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError):
            sock.connect(str(path))
            found[int(path.suffix[1:])] = sock
    if of in found:
        return found[of]
    pids = ", ".join(map(str, sorted(found)))
    if of or not found:
        what = f"process {of} is no wlab live of yours; there is" if of else "no wlab live of yours runs"
        raise LabError(f"{what} {pids or 'none'}" if of else what)
    if len(found) > 1:
        raise LabError(f"more than one wlab live runs; say which: --of PID, of {pids}")
    return found.popitem()[1]


def command_of(kind: str, words: list[str]) -> tuple[str, str]:
    """What the guest is to do, and the file of the host that its output goes to."""
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


def ask(of: int, kind: str, words: list[str]) -> int:
    """The command's exit status."""
    command, file = command_of(kind, words)
    screen = kind == "top" and os.isatty(0) and os.isatty(1)
    size = os.get_terminal_size() if screen else os.terminal_size((80, 24))
    modes = f"sane -echo rows {size.lines} cols {size.columns}" if screen else "raw -echo isig"
    if not screen:
        # It is to see that nobody looks, and alone is interrupted.
        command = (
            f"{{ trap : INT; {command}; echo $? >/tmp/$$; }} </dev/null | (trap '' INT; exec cat)\n"
            "(exit $(cat /tmp/$$))"
        )
    asked = {"modes": modes, "term": shlex.quote(os.environ.get("TERM", "dumb")), "command": command}
    with running(of) as sock, raw_terminal() if screen else contextlib.nullcontext():
        sock.sendall(json.dumps(asked).encode() + b"\n")
        out = 1 if file == "-" else os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        return receive(sock, out, screen)


def receive(sock: socket.socket, out: int, screen: bool) -> int:
    """Pass its output on, and keys to it."""
    rest = b""
    signal.signal(signal.SIGINT, lambda *_: sock.sendall(INTERRUPT))
    with selectors.DefaultSelector() as wait:
        wait.register(sock, selectors.EVENT_READ)
        if screen:
            wait.register(0, selectors.EVENT_READ)
        while rest.count(b"\0") < 2:
            ready = [key.fd for key, _ in wait.select()]
            if 0 in ready:
                sock.sendall(os.read(0, CHUNK))
            if sock.fileno() not in ready:
                continue
            data = sock.recv(CHUNK)
            if not data:
                raise LabError("the link is gone")
            if not rest:
                data, nul, end = data.partition(b"\0")
                write_to(out, data)
                rest = nul + end
            else:
                rest += data
    status, _, errors = rest[1:-1].partition(b"\n")
    sys.stderr.write(errors.decode(errors="replace"))
    return int(status)
