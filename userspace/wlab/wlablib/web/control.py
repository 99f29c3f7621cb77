# SPDX-License-Identifier: GPL-2.0
"""What a page may do to links: transactions in both directions at one time, undo, schedules."""

import hashlib
import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from .backend import Backend, Refused
from .samples import Board

# "DEV HANDLE BEARER", as Board names links.
KEY = re.compile(r"[^\s/]{1,15} [0-9a-f]{1,4}: \d{1,4}", re.ASCII)
LINE = re.compile(r"(\S+) (\S+) bearer (\d+) (.*)")
WORD = re.compile(r"[A-Za-z0-9_.%:/+][A-Za-z0-9_.%:/+-]{0,63}", re.ASCII)
# Their place is the page's own, or another link's.
NOT_HERE = ("at", "dev", "bearer")
FIELDS = ("rate", "delay", "limit", "loss", "aqm", "more")
WAYS = ("down", "up")
ENDS = ("hold", "loop", "stop")
# Shown only while they are on.
OFF = ("rb", "gbr", "background", "tdd", "harq", "sr", "drx", "rrc_idle")
UNDO_MAX = 100
# A change is sent so long before its time, and so many times the longest command.
AHEAD_NS, COMMANDS = 100_000_000, 4
# The kernel's words. What comes too late, on a busy machine, is sent again for a later time, at most so far.
PAST, AHEAD_MAX_NS = "is before now", 60 * 10**9

T = TypeVar("T")


def target(key: str) -> list[str]:
    dev, handle, bearer = key.split(" ")
    return [dev, handle, "bearer", bearer]


def words_of(fields: dict[str, Any], now: dict[str, str]) -> list[str]:
    """Words of tc for what has been typed into fields; what a field says is judged by wlinkctl."""
    words: list[str] = []
    for name, text in fields.items():
        if name not in FIELDS:
            raise Refused(f'no field "{name}": there are {" ".join(FIELDS)}')
        if not isinstance(text, str) or not text.strip():
            raise Refused(f"{name}: not a text")
        typed = text.split()
        for word in typed:
            if not WORD.fullmatch(word) or word in NOT_HERE:
                raise Refused(f'{name}: "{word[:80]}" is no word of a link')
        if name == "loss":
            words += (
                ["channel", "none"] if typed in (["0"], ["0%"]) else ["channel", "uniform", "loss", *typed]
            )
        elif name == "aqm":
            follows = now["aqm"].startswith("profile ") and typed[0] != "profile"
            words += [
                *(["profile", "none"] if follows else []),
                *([] if typed[0] == "profile" else ["aqm"]),
                *typed,
            ]
        else:
            words += typed if name == "more" else [name, *typed]
    return words


def words_back(before: str, after: str) -> list[str]:
    """A line as it was: what has come since and is off by default is named, for absent is unchanged."""
    now, was = set(after.split()[::2]), before.split()[::2]
    off = [word for name in OFF if name in now and name not in was for word in (name, "off")]
    profile = ["profile", "none"] if "profile" in now and "profile" not in was else []
    return [*profile, *before.split(), *off]


def fields_of(typed: list[dict[str, str]]) -> dict[str, str]:
    """Of a link's line, as `wlinkctl check` has it: what the fields of the page show."""
    groups: dict[str, list[str]] = {}
    for pair in typed:
        value = pair.get("value", "")
        groups.setdefault(pair.get("of", pair["word"]), []).extend(
            [pair["word"], value] if "of" in pair else [value]
        )
    channel = groups.get("channel", ["none"])
    loss = "0" if channel[0] == "none" else channel[2] if channel[0] == "uniform" else ""
    aqm = " ".join(groups.get("aqm", ["droptail"])).partition(" ramp_from")[0]
    if "profile" in groups and groups["profile"] != ["none"]:
        aqm = f"profile {groups['profile'][0]}"
    whole = {name: " ".join(groups.get(name, [])) for name in ("rate", "delay", "limit", "mode", "tti")}
    return {**whole, "loss": loss, "channel": " ".join(channel), "aqm": aqm}


@dataclass
class Look:
    """Words of bearers as tc shows them, and the changes that wait on their links."""

    lines: dict[str, str]
    waiting: list[dict[str, Any]]


@dataclass
class Done:
    """A transaction that can be undone: the lines of its links before and after."""

    text: str
    before: dict[str, str]
    after: dict[str, str]


def objects(text: str) -> list[dict[str, Any]]:
    """Of JSON, one behind the other."""
    found, at, decoder = [], 0, json.JSONDecoder()
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


class Control:
    """One at a time: a page that comes second sees what the first has done, and is told."""

    def __init__(self, backend: Backend, board: Board) -> None:
        self.backend, self.board = backend, board
        self.lock = threading.Lock()
        self.done: deque[Done] = deque(maxlen=UNDO_MAX)
        # CLOCK_MONOTONIC of the links' machine less that of this one.
        self.shift_ns: int | None = None

    def keys(self, asked: dict[str, Any]) -> dict[str, str]:
        """The links that a page has chosen, by direction."""
        keys = {way: asked[way] for way in WAYS if asked.get(way)}
        if not keys:
            raise Refused("no link: give down, up or both")
        for key in keys.values():
            if not isinstance(key, str) or not KEY.fullmatch(key) or key.startswith("-"):
                raise Refused(f"{str(key)[:80]!r} is no link: DEVICE HANDLE BEARER")
        if len(set(keys.values())) < len(keys):
            raise Refused(f"both directions are {keys['down']}")
        return keys

    def look(self, keys: Iterable[str]) -> Look:
        """All in one call."""
        commands = [["show", *target(key)] for key in keys]
        commands += [["--json", "pending", *target(key)[:2]] for key in keys]
        lines, waiting = {}, []
        for text in self.backend.batch(commands).splitlines():
            if found := LINE.match(text):
                # A link that is changed keeps its random numbers.
                lines[f"{found[1]} {found[2]} {found[3]}"] = re.sub(r"\bseed \d+ ", "", found[4]).strip()
            elif text.startswith("["):
                waiting += json.loads(text)
        if missing := [key for key in keys if key not in lines]:
            raise Refused(f"wlinkctl has not shown {missing[0]}", 502)
        return Look(lines, waiting)

    @staticmethod
    def revision(lines: dict[str, str]) -> str:
        return hashlib.sha256("\n".join(map(" ".join, sorted(lines.items()))).encode()).hexdigest()[:16]

    def fields(self, line: str) -> dict[str, str]:
        """Of a line. Only its words matter: check does not know the link, so what it refuses may be right."""
        checked = json.loads(
            self.backend.run(["--json", "check", "qdisc", *line.split()], own=True, fails=True)
        )
        return fields_of(checked["typed"])

    def state(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What the page shows of the links that it has chosen."""
        with self.lock:
            return self.state_of(self.keys(asked))

    def state_of(self, keys: dict[str, str]) -> dict[str, Any]:
        return self.shown(keys, self.look(keys.values()).lines)

    def shown(self, keys: dict[str, str], lines: dict[str, str]) -> dict[str, Any]:
        return {
            "revision": self.revision(lines),
            "fields": {way: self.fields(lines[key]) for way, key in keys.items()},
            "lines": {way: lines[key] for way, key in keys.items()},
            "undo": self.done[-1].text if self.done else None,
        }

    def seen(self, asked: dict[str, Any], lines: dict[str, str]) -> None:
        """Two pages at once: the one that has not seen the other's change does not undo it unawares."""
        if asked.get("seen") != self.revision(lines):
            raise Refused(
                "the link has been changed by somebody else since this page has read it; "
                "nothing has been changed now: look at the new values, then apply again",
                409,
            )

    def change(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Fields in one or both directions, at one time."""
        with self.lock:
            keys = self.keys(asked)
            fields = asked.get("fields")
            if not isinstance(fields, dict) or not all(isinstance(of, dict) for of in fields.values()):
                raise Refused("fields: not an object of an object for each direction")
            if not set(fields) <= set(keys):
                raise Refused("fields: a direction without a link")
            look = self.look(keys.values())
            lines = look.lines
            self.seen(asked, lines)
            words = {
                keys[way]: words_of(of, self.fields(lines[keys[way]])) for way, of in fields.items() if of
            }
            return self.apply(keys, look, words)

    def preset(self, asked: dict[str, Any]) -> dict[str, Any]:
        """A known link; its -up, where there is one, for the other direction."""
        with self.lock:
            keys = self.keys(asked)
            name, known = asked.get("name"), [one["name"] for one in self.presets()]
            if not isinstance(name, str) or name not in known:
                raise Refused(f"no preset {str(name)[:80]!r}", 404)
            up = f"{name}-up" if f"{name}-up" in known else name
            look = self.look(keys.values())
            self.seen(asked, look.lines)
            words = {key: ["preset", up if way == "up" else name] for way, key in keys.items()}
            return self.apply(keys, look, words)

    def presets(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self.backend.json(["preset", "list"], own=True)
        return found

    def undo(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Set the links of the last transaction as they were before it."""
        with self.lock:
            if not self.done:
                raise Refused("nothing has been changed from here", 409)
            last = self.done[-1]
            keys = dict(zip(WAYS, last.before))
            look = self.look(keys.values())
            if look.lines != last.after:
                self.done.pop()
                raise Refused(
                    f"cannot undo {last.text!r}: the link has been changed by somebody else since; "
                    "nothing has been changed now",
                    409,
                )
            words = {key: words_back(line, last.after[key]) for key, line in last.before.items()}
            answer = self.apply(keys, look, words, "undo")
            self.done.pop()
            # The page may show other links meanwhile.
            return {**answer, **self.state_of(self.keys(asked))}

    def now_ns(self) -> int:
        """CLOCK_MONOTONIC of the links' machine: at least what its last look has said."""
        if not self.board.time_ns:
            raise Refused(f"no link can be seen: {self.board.trouble}", 502)
        if not self.backend.name:
            return time.monotonic_ns()
        shift = self.board.time_ns - time.monotonic_ns()
        self.shift_ns = max(shift, self.shift_ns) if self.shift_ns is not None else shift
        return time.monotonic_ns() + self.shift_ns

    def ahead_ns(self) -> int:
        """Long enough for the commands that must come before a time."""
        return AHEAD_NS + int(COMMANDS * self.backend.took_s * 1e9)

    def apply(
        self, keys: dict[str, str], look: Look, words: dict[str, list[str]], text: str = ""
    ) -> dict[str, Any]:
        """All of it or nothing: what has been accepted waits until the last has been accepted, too."""
        if not words:
            raise Refused("nothing to change")
        if look.waiting:
            raise Refused(
                f"a change waits until {look.waiting[-1]['at_ns'] / 1e9:.3f} s; nothing has been changed now",
                409,
            )
        answers = self.in_time(lambda ahead_ns: self.send(look, words, ahead_ns))
        times = {key: one["applied_ns"] or one["at_ns"] for key, one in zip(words, answers, strict=True)}
        # Who comes next sees it in force. A start of a TTI may be 10 s away.
        time.sleep(max(0, max(times.values()) - self.now_ns()) / 1e9)
        until = time.monotonic() + 15
        while (after := self.look(keys.values())).waiting and time.monotonic() < until:
            time.sleep(0.02)
        text = text or "; ".join(f"{key.split()[0]}: {' '.join(some)}" for key, some in words.items())
        if text != "undo":
            self.done.append(
                Done(text, {k: look.lines[k] for k in words}, {k: after.lines[k] for k in words})
            )
        self.board.change(times, text)
        return {"text": text, "at_ns": times, **self.shown(keys, after.lines)}

    def in_time(self, do: Callable[[int], T]) -> T:
        """Do it for a time that is so far ahead, until all its commands come before it."""
        ahead_ns = self.ahead_ns()
        while True:
            try:
                return do(ahead_ns)
            except Refused as refused:
                ahead_ns *= 4
                if PAST not in str(refused) or ahead_ns > AHEAD_MAX_NS:
                    raise

    def send(self, look: Look, words: dict[str, list[str]], ahead_ns: int) -> list[dict[str, Any]]:
        """What the kernel answers to a transaction, of which nothing stays if a part is refused."""
        at_ns = self.now_ns() + ahead_ns
        self.board.expect(words)
        commands = [
            ["--json", "set", *target(key), *some, "at", f"{at_ns}ns", "--no-wait"]
            for key, some in words.items()
        ]
        try:
            return objects(self.backend.batch(commands))
        except Refused as refused:
            accepted = list(words)[: len(objects(refused.out))]
            said = self.take_back(accepted, look.lines, f"{list(words)[len(accepted)]}: {refused}")
            self.board.forget(words)
            raise Refused(said, refused.status) from None

    def take_back(self, accepted: list[str], lines: dict[str, str], why: str) -> str:
        """Nothing of a transaction stays whose rest was refused; what is told of it."""
        said = "nothing has been changed"
        for key in accepted:
            try:
                cancelled = self.backend.json(["cancel", *target(key)[:2]])["cancelled"]
                if not cancelled:
                    self.backend.run(["set", *target(key), *lines[key].split()])
                    said = f"{key} was changed for a moment and has been set back"
            except Refused as refused:
                said = f"and {key} could not be set back: {refused}"
        return f"{why}; {said}"

    def play(self, asked: dict[str, Any]) -> dict[str, Any]:
        """A recorded link or a schedule, in one or both directions from one time on."""
        with self.lock:
            keys, file, end = self.keys(asked), asked.get("file"), asked.get("end", "")
            if not isinstance(file, str) or not file:
                raise Refused("play: no file")
            if end not in ("", *ENDS):
                raise Refused(f"play: {str(end)[:80]!r} is not one of {' '.join(ENDS)}")
            steps = self.backend.run(["trace", "import", "/dev/stdin"], file, own=True)
            at_ns, loaded = self.in_time(lambda ahead_ns: self.start(keys.values(), steps, end, ahead_ns))
            self.board.change(dict.fromkeys(loaded, at_ns), "a schedule starts")
            return {"start_ns": at_ns, "steps": {key: of["steps"] for key, of in loaded.items()}}

    def start(self, keys: Iterable[str], steps: str, end: str, ahead_ns: int) -> tuple[int, dict[str, Any]]:
        """All links at a time, or none; the time, and what has been loaded."""
        loaded = {key: self.backend.json(["schedule", "load", *target(key), "-"], steps) for key in keys}
        at_ns = self.now_ns() + ahead_ns
        started: list[str] = []
        self.board.expect(loaded)
        for key, of in loaded.items():
            length = ["length", f"{of['length_ns']}ns", end or of.get("end", "hold")]
            try:
                self.backend.run(["schedule", "start", *target(key), *length, "start", f"{at_ns}ns"])
            except Refused as refused:
                for other in started:
                    self.backend.run(["schedule", "stop", *target(other)])
                self.board.forget(loaded)
                raise Refused(f"{key}: {refused}; nothing plays", refused.status) from None
            started.append(key)
        return at_ns, loaded

    def stop(self, asked: dict[str, Any]) -> dict[str, Any]:
        with self.lock:
            keys = self.keys(asked)
            self.board.expect(keys.values())
            for key in keys.values():
                self.backend.run(["schedule", "stop", *target(key)])
            self.board.change(dict.fromkeys(keys.values(), self.now_ns()), "the schedule is stopped")
            return {}
