# SPDX-License-Identifier: GPL-2.0
"""The thread that reads what `wlinkctl top --json` writes, and starts it again where it has ended."""

import json
import subprocess
import threading

from .backend import Backend, complaint
from .samples import Board

INTERVAL = "200ms"
AGAIN_S = 2.0


class Sampler(threading.Thread):
    def __init__(self, backend: Backend, board: Board) -> None:
        super().__init__(daemon=True)
        self.backend, self.board = backend, board
        self.over = threading.Event()
        self.process: subprocess.Popen[str] | None = None

    def run(self) -> None:
        while not self.over.is_set():
            try:
                self.board.fail(self.look())
            except (OSError, ValueError) as error:
                self.board.fail(str(error))
            self.over.wait(AGAIN_S)

    def look(self) -> str:
        """Until wlinkctl ends; its complaint."""
        with self.backend.stream(["top", "--json", "--interval", INTERVAL]) as process:
            self.process = process
            assert process.stdout and process.stderr
            try:
                for line in process.stdout:
                    self.board.feed(json.loads(line))
                return complaint(process.stderr.read())
            finally:
                process.terminate()

    def end(self) -> None:
        self.over.set()
        if self.process:
            self.process.terminate()
