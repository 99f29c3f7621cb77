# SPDX-License-Identifier: GPL-2.0
"""The page's own traffic, which no link of this machine may delay: a bearer and filters of its own."""

import ipaddress
import subprocess
from collections.abc import Iterable

from .backend import Backend, Refused

# As little of a link as every link allows: with a TTI a packet still waits for its next start.
WORDS = "rate 100gbit delay 0 pdu 1500 header 0 limit 1000 channel none mode tm aqm droptail".split()
BEARER_MAX, TRIES = 4096, 8
# Filters stand in front of others where nobody else has the place.
PREFERENCE = "1"


class Own:
    """Bearers of links through which the page may be reached from another machine."""

    def __init__(self, backend: Backend, address: str, port: int) -> None:
        self.backend, self.port = backend, port
        self.ip = ipaddress.ip_address(address)
        # By (device, handle): the bearer, or why there is none.
        self.bearers: dict[tuple[str, str], int] = {}
        self.troubles: dict[tuple[str, str], str] = {}

    def concerns(self, dev: str) -> bool:
        return not self.ip.is_loopback or dev == "lo"

    def protect(self, links: Iterable[tuple[str, str]]) -> bool:
        """Return: has anything changed?"""
        here = {link for link in links if self.concerns(link[0])}
        changed = False
        for link in here - self.bearers.keys() - self.troubles.keys():
            changed = True
            try:
                self.bearers[link] = self.add(*link)
            except Refused as refused:
                self.troubles[link] = str(refused)
        # A link that comes again under its name has no bearer.
        gone = (self.bearers.keys() | self.troubles.keys()) - here
        for link in gone:
            self.bearers.pop(link, None)
            self.troubles.pop(link, None)
        return changed or bool(gone)

    def add(self, dev: str, handle: str) -> int:
        for number in range(BEARER_MAX, BEARER_MAX - TRIES, -1):
            try:
                self.backend.run(["bearer", "add", "dev", dev, handle, "bearer", str(number), *WORDS])
                break
            except Refused as refused:
                if "exists already" not in str(refused):
                    raise
        else:
            raise Refused(f"no bearer of {dev} is free")
        try:
            for words in self.matches():
                tc("filter", "add", "dev", dev, "parent", handle, *words, "classid", f"{handle}{number:x}")
        except Refused:
            self.remove_one(dev, handle, number)
            raise
        return number

    def matches(self) -> list[list[str]]:
        """What is sent from the page, and, where a link holds what is received, to it."""
        protocol = "ip" if self.ip.version == 4 else "ipv6"
        head = ["protocol", protocol, "pref", PREFERENCE, "flower", "ip_proto", "tcp"]
        return [[*head, f"{end}_ip", str(self.ip), f"{end}_port", str(self.port)] for end in ("src", "dst")]

    def remove_one(self, dev: str, handle: str, number: int) -> None:
        """Filters first: a bearer to which one refers stays."""
        for found in filters(dev, handle, f"{handle}{number:x}"):
            tc("filter", "del", "dev", dev, "parent", handle, *found)
        self.backend.run(["bearer", "del", "dev", dev, handle, "bearer", str(number)])

    def remove(self) -> list[str]:
        """Leave all links as they were found; what could not be removed."""
        troubles = []
        for (dev, handle), number in self.bearers.items():
            try:
                self.remove_one(dev, handle, number)
            except Refused as refused:
                troubles.append(f"{dev} {handle}: {refused}")
        self.bearers.clear()
        return troubles

    def as_text(self) -> str:
        """One line for the page."""
        by = [f"{dev} {handle} bearer {n}" for (dev, handle), n in sorted(self.bearers.items())]
        wrong = [f"{dev} {handle}: {why}" for (dev, handle), why in sorted(self.troubles.items())]
        text = f"This page's own traffic goes past the links by {', '.join(by)}." if by else ""
        if wrong:
            text += f" This page's own traffic is emulated: {'; '.join(wrong)}."
        return text.strip()


def tc(*words: str) -> str:
    try:
        done = subprocess.run(["tc", *words], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Refused(f"tc: {error.strerror}") from None
    if done.returncode:
        raise Refused(f"tc {' '.join(words[:2])}: {done.stderr.strip().splitlines()[0]}")
    return done.stdout


def filters(dev: str, handle: str, classid: str) -> list[list[str]]:
    """Words by which to delete each filter of a class."""
    found = []
    for line in tc("filter", "show", "dev", dev, "parent", handle).splitlines():
        words = line.split()
        if "classid" in words and words[words.index("classid") + 1] == classid:
            at = {name: words[words.index(name) + 1] for name in ("protocol", "pref", "handle")}
            found.append(["protocol", at["protocol"], "pref", at["pref"], "handle", at["handle"], words[5]])
    return found
