# SPDX-License-Identifier: GPL-2.0
"""The links of a running `wlab live`."""

import shlex

from ..lib.paths import COMMAND, LabError
from ..live import sessions
from .backend import Backend, Refused


class Live(Backend):
    """Commands go to the guest without a process for each; the stream is one of `wlab live`."""

    def __init__(self, pid: int) -> None:
        of = ["--of", str(pid)] if pid else []
        super().__init__([*shlex.split(COMMAND), "live", *of, "wlinkctl"], "wlab live")
        self.pid = pid

    def call(self, argv: list[str], text: str) -> tuple[int, str, str]:
        if argv[: len(self.prefix)] != self.prefix:
            return super().call(argv, text)
        try:
            return sessions.answer(self.pid, argv[len(self.prefix) :], text)
        except (LabError, OSError) as error:
            raise Refused(str(error), 502) from None
