# SPDX-License-Identifier: GPL-2.0
"""wlinkctl, of this machine or of another one, as the page's only way to links."""

import json
import re
import subprocess
import time
from typing import Any

from ..lib.beside import NOT_FOUND, USAGE, wlinkctl
from ..lib.paths import LabError

# Only a hang takes as long: ssh to a machine that has gone.
HANGS_S = 120


class Refused(LabError):
    """What has been asked for is not possible; the text names why, the status is that of HTTP."""

    def __init__(self, text: str, status: int = 400, out: str = "") -> None:
        super().__init__(text)
        self.status = status
        # What had been printed before it.
        self.out = out


STATUS = {USAGE: 400, NOT_FOUND: 404}


class Backend:
    """Runs wlinkctl behind some words: `wlinkctl`, `wlinkctl --host HOST`, `wlab live wlinkctl`."""

    def __init__(self, prefix: list[str] | None = None, name: str = "") -> None:
        self.prefix = prefix or [wlinkctl()]
        # Whose links these are; empty for this machine's.
        self.name = name
        # The longest command so far: a change for a time must be known before it.
        self.took_s = 0.0

    def call(self, argv: list[str], text: str) -> tuple[int, str, str]:
        """Exit status, output and standard error."""
        try:
            done = subprocess.run(
                argv,
                input=text,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=HANGS_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Refused(f"{argv[0]}: {error}", 502) from None
        except ValueError as error:
            # No program can be given a byte 0, or half of a character.
            raise Refused(f"a word that no command can have: {error}") from None
        return done.returncode, done.stdout, done.stderr

    def run(self, words: list[str], text: str = "", own: bool = False, fails: bool = False) -> str:
        """What a command prints, which may fail; of this machine's wlinkctl where the links do not matter."""
        began = time.monotonic()
        status, out, errors = self.call([*([wlinkctl()] if own else self.prefix), *words], text)
        if not own:
            self.took_s = max(self.took_s / 2, time.monotonic() - began)
        if status and not (fails and out):
            raise Refused(complaint(errors), STATUS.get(status, 502), out)
        return out

    def batch(self, commands: list[list[str]]) -> str:
        """What several commands print, until one fails: one call, for another machine may be far away."""
        return self.run(["batch", "-"], "".join(f"{' '.join(words)}\n" for words in commands))

    def json(self, words: list[str], text: str = "", own: bool = False) -> Any:
        return json.loads(self.run(["--json", *words], text, own))

    def stream(self, words: list[str]) -> "subprocess.Popen[str]":
        """A command whose lines are read as they come."""
        return subprocess.Popen(
            [*self.prefix, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )


def complaint(text: str) -> str:
    """The last lines that wlinkctl or wlab has written to standard error, without its name."""
    lines = [re.sub("^(wlinkctl|wlab): ", "", line) for line in text.strip().splitlines()]
    # Of a batch.
    lines = [line for line in lines if not re.fullmatch(r"line \d+ failed", line)]
    return "; ".join(lines[-3:]) or "wlinkctl has failed without a message"
