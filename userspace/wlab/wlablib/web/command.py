# SPDX-License-Identifier: GPL-2.0
"""The command: its words, and the server with its threads."""

import ipaddress
import re
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..lib.beside import REFUSED, USAGE, Stop, complain, print_json, value_of, wlinkctl
from ..lib.files import write_file
from ..lib.paths import LabError
from . import log, replay
from .backend import Backend, Refused
from .control import Control
from .own import Own
from .sampler import Sampler
from .samples import Board
from .server import Server

PORT = 8600
LOOK_S = 1.0


@dataclass
class Words:
    """What was typed."""

    json: bool = False
    address: str = "127.0.0.1"
    port: int = PORT
    names: list[str] = field(default_factory=list)
    host: str = ""
    replay: list[str] = field(default_factory=list)


def listen(text: str) -> tuple[str, int]:
    """ADDRESS[:PORT], [ADDRESS]:PORT or :PORT"""
    found = re.fullmatch(r"(?:\[([0-9a-fA-F:.]+)\]|([^:\[\]]*))(?::(\d{1,5}))?", text, re.ASCII)
    if not found or not text:
        raise Stop(USAGE, f'--listen "{text}" is not ADDRESS:PORT')
    address, port = found[1] or found[2] or "127.0.0.1", int(found[3] or PORT)
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        raise Stop(USAGE, f'--listen: "{address}" is not an address') from None
    if ip.is_unspecified:
        raise Stop(USAGE, f"--listen: {address} is all addresses; give the one by which the page is reached")
    if port > 65535:
        raise Stop(USAGE, f"--listen: port {port} is more than 65535")
    return str(ip), port


def parse(argv: list[str]) -> Words:
    words, left = Words(), list(argv)
    while left:
        word = left.pop(0)
        if word in ("--json", "-j"):
            words.json = True
        elif word == "--listen":
            words.address, words.port = listen(value_of(word, left, USAGE))
        elif word == "--name":
            words.names.append(value_of(word, left, USAGE))
        elif word == "--host":
            words.host = value_of(word, left, USAGE)
        elif word == "--replay":
            words.replay = [value_of(word, left, USAGE), value_of(word, left, USAGE)]
        else:
            raise Stop(USAGE, f'web knows no word "{word}"')
    return words


def serve(
    backend: Backend,
    words: Words,
    own_of_loopback: bool = True,
    ready: Callable[[Server], None] | None = None,
) -> int:
    """Until a signal."""
    try:
        replay.dygraph(".js")
    except Refused as refused:
        raise Stop(USAGE, str(refused)) from None
    board = Board()
    control = Control(backend, board)
    try:
        server = Server(words.address, words.port, control, board, words.names)
    except OSError as error:
        raise Stop(USAGE, f"{words.address} port {words.port}: {error.strerror}; see --listen") from None
    if not backend.name and own_of_loopback:
        server.own = Own(backend, words.address, server.server_address[1])
    sampler = Sampler(backend, board)
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: over.set())
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    try:
        protect(server, board)
        sampler.start()
        serving.start()
        announce(server, words)
        if ready:
            ready(server)
        while not over.wait(LOOK_S):
            protect(server, board)
    finally:
        sampler.end()
        for trouble in server.own.remove() if server.own else []:
            complain(f"warning: the bearer of the page could not be removed: {trouble}")
    return 0


def protect(server: Server, board: Board) -> None:
    """Links that there are now; before the first look wlinkctl is asked."""
    if not server.own:
        return
    try:
        if board.links:
            links = {(row["dev"], row["handle"]) for row in list(board.links.values())}
        else:
            links = {(link["dev"], link["handle"]) for link in server.control.backend.json(["show"])}
    except Refused:
        return
    if server.own.protect(links) and server.own.as_text():
        complain(server.own.as_text())


def announce(server: Server, words: Words) -> None:
    if words.json:
        print_json({"url": server.url, "token": server.token})
    else:
        print(f"open {server.url}\nthe part behind # is the key to it; ^C ends this", flush=True)


def write_replay(source: str, to: str, as_json: bool) -> int:
    """The log of `wlinkctl record` as one page."""
    try:
        page, notes = log.page(Path(source))
        write_file(Path(to), page)
    except LabError as refused:
        raise Stop(USAGE, str(refused)) from None
    written(to, page, notes, as_json)
    return 0


def written(to: str, page: bytes, notes: list[str], as_json: bool) -> None:
    """Say where a page is, and what it lacks."""
    if as_json:
        print_json({"file": to, "bytes": len(page), "notes": notes})
        return
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    print(to)


def main(argv: list[str]) -> int:
    words = parse(argv)
    if words.replay:
        return write_replay(words.replay[0], words.replay[1], words.json)
    if words.host.startswith("-"):
        raise Stop(USAGE, f'--host "{words.host}" is no host')
    prefix = [wlinkctl(), "--host", words.host] if words.host else None
    try:
        return serve(Backend(prefix, words.host), words)
    except Refused as refused:
        raise Stop(REFUSED, str(refused)) from None
