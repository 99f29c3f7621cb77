# SPDX-License-Identifier: GPL-2.0
"""A terminal that shows one picture after the other, its keys, and what signals ask for."""

import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable

IN, OUT = 0, 1
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGWINCH)


class Screen:
    """Signals are held from the beginning, the terminal from open() on, if there is one."""

    def __init__(self) -> None:
        self.live = self.keys = False
        self.modes: list[int | list[bytes | int]] = []
        # Each signal is a byte here.
        self.signals, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake)
        for one in SIGNALS:
            signal.signal(one, lambda number, frame: None)

    def open(self) -> None:
        """Another screen, no cursor, single keys."""
        self.live = os.isatty(OUT)
        if not self.live:
            return
        self.keys = os.isatty(IN)
        if self.keys:
            self.modes = termios.tcgetattr(IN)
            raw = termios.tcgetattr(IN)
            raw[3] &= ~(termios.ICANON | termios.ECHO)
            raw[6][termios.VMIN] = raw[6][termios.VTIME] = 0
            termios.tcsetattr(IN, termios.TCSAFLUSH, raw)
        self.write("\033[?1049h\033[?25l\033[H\033[2J")

    def close(self) -> None:
        """Give it back as it was."""
        if self.live:
            self.write("\033[?25h\033[?1049l")
            if self.modes:
                termios.tcsetattr(IN, termios.TCSAFLUSH, self.modes)

    @staticmethod
    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    @staticmethod
    def size() -> tuple[int, int]:
        """Width and height; 0 for any where there is no terminal."""
        if not os.isatty(OUT):
            return 0, 0
        width, height = os.get_terminal_size(OUT)
        return width or 80, height or 24

    def suspend(self) -> None:
        """Give the terminal back while we are stopped."""
        self.close()
        os.kill(os.getpid(), signal.SIGSTOP)
        if self.live:
            self.open()

    def asked(self, redraw: Callable[[], None]) -> bool:
        """What signals and keys want. Return: whether it is to leave."""
        leave = again = False
        while numbers := select.select([self.signals], [], [], 0)[0] and os.read(self.signals, 64):
            again = True
            for number in numbers:
                if number == signal.SIGTSTP:
                    self.suspend()
                leave |= number not in (signal.SIGTSTP, signal.SIGWINCH)
        if self.keys and select.select([IN], [], [], 0)[0]:
            # An empty one: its other end is gone.
            leave |= os.read(IN, 1) in (b"q", b"Q", b"")
        # The window has another size, or we are back in it.
        if again and self.live and not leave:
            redraw()
        return leave

    def wait(self, until_ns: int, redraw: Callable[[], None]) -> bool:
        """Until a time of CLOCK_MONOTONIC, also one that has passed. Return: whether it is to leave."""
        while True:
            left = max(0, until_ns - time.monotonic_ns())
            select.select([self.signals, *([IN] if self.keys else [])], [], [], left / 1e9)
            if self.asked(redraw):
                return True
            if not left:
                return False
