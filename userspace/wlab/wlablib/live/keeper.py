# SPDX-License-Identifier: GPL-2.0
"""The process between wlab and all that it starts but the guest: it makes the namespaces, starts the
command, and when that has ended, or wlab has in whatever way, it leaves nothing.
"""

import asyncio
import contextlib
import os
import select
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..lib.paths import LabError
from . import relay, spaces
from .sessions import Sessions

# What the command has to end by itself once wlab is gone.
GRACE_MS = 1000
# As shells have it.
NOT_FOUND = 127
CANNOT_RUN = 126
MESSAGE_MAX = 1 << 16


@dataclass
class Asked:
    """What is to be kept."""

    argv: list[str]
    # Removed where wlab does not.
    folder: Path
    # What asks for sessions in the guest.
    sessions: Sessions


def descendants(of: int) -> list[int]:
    """A process and all below it."""
    out = [of]
    for pid in out:
        with contextlib.suppress(OSError):
            out += [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return out


def end_gently(command: int) -> None:
    for pid in descendants(command):
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)
            os.kill(pid, signal.SIGCONT)
    with contextlib.suppress(OSError):
        wait = select.poll()
        wait.register(os.pidfd_open(command), select.POLLIN)
        wait.poll(GRACE_MS)


def kill_all() -> None:
    """Each that ends may leave orphans, which become children of this process."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in descendants(os.getpid())[1:]:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            os.wait()


def run_command(argv: list[str], ids: tuple[int, int], group: int, go: int) -> None:
    """Become the command, with the user's own ids, once wlab says go."""
    spaces.user_space(ids, (0, 0))
    if os.read(go, 1) != b"g":
        os._exit(0)
    # The terminal's, of which wlab is one; the keeper outlives it.
    os.setpgid(0, group)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(argv[0], argv)
    except OSError as e:
        print(f"wlab: cannot run {argv[0]}: {e.strerror}", file=sys.stderr, flush=True)
        os._exit(NOT_FOUND if isinstance(e, FileNotFoundError) else CANNOT_RUN)


def fork(what: Callable[[], None]) -> int:
    """A process that does this and ends."""
    pid = os.fork()
    if pid:
        return pid
    try:
        what()
    except BaseException as e:
        print(f"wlab: {e}", file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def run_host(wire: socket.socket, sessions: Sessions) -> None:
    """The process that stays in the host's namespaces: the way out, and who asks for the guest."""
    _, fds, _, _ = socket.recv_fds(wire, 16, 1)
    listener = socket.socket(fileno=fds[0])
    asyncio.run(both(relay.serve(listener, os.getppid()), sessions.serve()))


async def both(*jobs: Coroutine[Any, Any, None]) -> None:
    await asyncio.gather(*jobs)


@dataclass
class Keeper:
    """What the process knows; it ends in keep()."""

    asked: Asked
    wire: socket.socket

    def keep(self) -> None:
        """All of its life."""
        group = os.getpgrp()
        ids = (os.geteuid(), os.getegid())
        os.setpgid(0, 0)
        spaces.adopt()
        command = 0
        try:
            ours, theirs = socket.socketpair()
            host = fork(lambda: run_host(theirs, self.asked.sessions))
            command, start = self.set_up(ours, ids, group)
            self.wait(host, command, start)
        except (LabError, OSError) as e:
            self.wire.send(f"error {e}".encode())
        finally:
            if command:
                end_gently(command)
            kill_all()
        # What wlab can no longer do.
        if not self.wire.recv(MESSAGE_MAX):
            shutil.rmtree(self.asked.folder, ignore_errors=True)

    def set_up(self, host: socket.socket, ids: tuple[int, int], group: int) -> tuple[int, int]:
        """The namespaces and, waiting, the command; its process, and what starts it."""
        spaces.own_user_space()
        radio, listener = spaces.far()
        back = os.open("/proc/self/ns/net", os.O_RDONLY)
        near = spaces.near()
        spaces.hide_resolvers(self.asked.folder)
        waits, starts = os.pipe()

        def run() -> None:
            os.close(starts)
            run_command(self.asked.argv, ids, group, waits)

        command = fork(run)
        spaces.call("setns", back, spaces.CLONE_NEWNET)
        # Only now: pasta goes to the namespace that this process is in.
        socket.send_fds(host, [b"relay"], [listener.fileno()])
        socket.send_fds(self.wire, [b"taps"], [near, radio])
        return command, starts

    def wait(self, host: int, command: int, start: int) -> None:
        """Until something ends."""
        wait = select.poll()
        ends = {os.pidfd_open(pid): pid for pid in (command, host)}
        for fd in (self.wire.fileno(), *ends):
            wait.register(fd, select.POLLIN)
        while True:
            for fd, _ in wait.poll():
                if fd in ends:
                    status = os.waitstatus_to_exitcode(os.waitpid(ends[fd], 0)[1])
                    said = f"status {status if status >= 0 else 128 - status}"
                    self.wire.send((said if ends[fd] == command else "error pasta has ended").encode())
                    return
                if not self.wire.recv(MESSAGE_MAX):
                    return
                while not spaces.carrier("pasta") and not wait.poll(10):
                    pass
                os.write(start, b"g")


@contextlib.contextmanager
def started(asked: Asked) -> Iterator[socket.socket]:
    """The keeper, in a process of its own, and all that it keeps; they are gone afterwards."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def keep() -> None:
        ours.close()
        Keeper(asked, theirs).keep()

    pid = fork(keep)
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        os.waitpid(pid, 0)
