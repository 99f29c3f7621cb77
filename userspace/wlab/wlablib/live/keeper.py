# SPDX-License-Identifier: GPL-2.0
"""The process that makes the namespaces of `wlab live`, starts the user's command in them, and removes
everything when the command ends or wlab is gone, also if wlab is killed.
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

# How long the command may take to end by itself once wlab is gone.
GRACE_MS = 1000
# Exit statuses as in shells.
NOT_FOUND = 127
CANNOT_RUN = 126
MESSAGE_MAX = 1 << 16


@dataclass
class Task:
    """What the keeper runs and removes."""

    argv: list[str]
    # Removed by the keeper if wlab cannot.
    folder: Path
    # Serves requests of other terminals to the guest.
    sessions: Sessions


def descendants(root: int) -> list[int]:
    """A process and all its descendants."""
    out = [root]
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
    """Kill all descendants; orphans of each become children of this process."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in descendants(os.getpid())[1:]:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            os.wait()


def run_command(argv: list[str], ids: tuple[int, int], group: int, go: int) -> None:
    """Execute the command under the user's own ids, once wlab says go."""
    spaces.user_space(ids, (0, 0))
    if os.read(go, 1) != b"g":
        os._exit(0)
    # wlab's process group, so that keys of the terminal reach the command.
    os.setpgid(0, group)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(argv[0], argv)
    except OSError as e:
        print(f"wlab: cannot run {argv[0]}: {e.strerror}", file=sys.stderr, flush=True)
        os._exit(NOT_FOUND if isinstance(e, FileNotFoundError) else CANNOT_RUN)


def fork(function: Callable[[], None]) -> int:
    """Fork a process that calls a function and exits."""
    pid = os.fork()
    if pid:
        return pid
    try:
        function()
    except BaseException as e:
        print(f"wlab: {e}", file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def run_host(wire: socket.socket, sessions: Sessions) -> None:
    """The process in the host's namespaces: the relay to the host, and requests to the guest."""
    _, fds, _, _ = socket.recv_fds(wire, 16, 1)
    listener = socket.socket(fileno=fds[0])
    # In this order: the command begins once pasta is there, and may make requests at once.
    asyncio.run(both(sessions.serve(), relay.serve(listener, os.getppid())))


async def both(*jobs: Coroutine[Any, Any, None]) -> None:
    await asyncio.gather(*jobs)


@dataclass
class Keeper:
    """The keeper's state; its process ends with keep()."""

    task: Task
    wire: socket.socket

    def keep(self) -> None:
        """The main function of the process."""
        group = os.getpgrp()
        ids = (os.geteuid(), os.getegid())
        os.setpgid(0, 0)
        spaces.adopt()
        command = 0
        try:
            keeper_end, host_end = socket.socketpair()
            host = fork(lambda: run_host(host_end, self.task.sessions))
            command, start = self.set_up(keeper_end, ids, group)
            self.wait(host, command, start)
        except (LabError, OSError) as e:
            self.wire.send(f"error {e}".encode())
        finally:
            if command:
                end_gently(command)
            kill_all()
        # wlab was killed and cannot remove the folder.
        if not self.wire.recv(MESSAGE_MAX):
            shutil.rmtree(self.task.folder, ignore_errors=True)

    def set_up(self, host: socket.socket, ids: tuple[int, int], group: int) -> tuple[int, int]:
        """Make the namespaces and fork the waiting command: its pid, and the descriptor that starts it."""
        spaces.own_user_space()
        radio, listener = spaces.far()
        back = os.open("/proc/self/ns/net", os.O_RDONLY)
        near = spaces.near()
        spaces.hide_resolvers(self.task.folder)
        start_read, start_write = os.pipe()

        def run() -> None:
            os.close(start_write)
            run_command(self.task.argv, ids, group, start_read)

        command = fork(run)
        spaces.call("setns", back, spaces.CLONE_NEWNET)
        # In this order: pasta enters the namespace that this process is in then.
        socket.send_fds(host, [b"relay"], [listener.fileno()])
        socket.send_fds(self.wire, [b"taps"], [near, radio])
        return command, start_write

    def wait(self, host: int, command: int, start: int) -> None:
        """Wait for the end of the command, of pasta or of wlab."""
        wait = select.poll()
        ends = {os.pidfd_open(pid): pid for pid in (command, host)}
        for fd in (self.wire.fileno(), *ends):
            wait.register(fd, select.POLLIN)
        while True:
            for fd, _ in wait.poll():
                if fd in ends:
                    status = os.waitstatus_to_exitcode(os.waitpid(ends[fd], 0)[1])
                    status_text = f"status {status if status >= 0 else 128 - status}"
                    self.wire.send((status_text if ends[fd] == command else "error pasta has ended").encode())
                    return
                if not self.wire.recv(MESSAGE_MAX):
                    return
                while not spaces.carrier("pasta") and not wait.poll(10):
                    pass
                os.write(start, b"g")


@contextlib.contextmanager
def started(task: Task) -> Iterator[socket.socket]:
    """Run the keeper in a process of its own, and end it with all that it has started."""
    wlab_end, keeper_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def keep() -> None:
        wlab_end.close()
        Keeper(task, keeper_end).keep()

    pid = fork(keep)
    keeper_end.close()
    try:
        yield wlab_end
    finally:
        wlab_end.close()
        os.waitpid(pid, 0)
