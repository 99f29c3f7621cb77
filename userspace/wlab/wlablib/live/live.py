# SPDX-License-Identifier: GPL-2.0
"""Runs a program behind the link."""

import json
import shlex
import shutil
import signal
import socket
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..lab import build
from ..lab.boot import Job, boot, scratch
from ..lib.paths import LabError
from ..scenario import files, scenario
from ..scenario.link import Link
from ..scenario.scenario import Scenario
from . import keeper, machine
from .sessions import Sessions
from .spaces import MTU

# The guest's name of the run's folder.
FOLDER = "/run/wlab"
# It lasts as long as the command.
NO_TIMEOUT = 1e9
WAYS = ("down", "up")
# Lateness at the 99th percentile from which on the machine is to be looked at.
LATE_WARN_NS = 5_000_000
# What comes in at one side goes out at the other, through the qdisc there.
SCRIPT = """set -e
for way in down up; do
	[ $way = down ] && old=vec0 || old=vec1
	echo 1 >/proc/sys/net/ipv6/conf/$old/disable_ipv6
	ip link set $old name ${way}link
	ethtool -K ${way}link gro off
	ip link set ${way}link up
done
tc -batch FOLDER/tc
tc qdisc add dev downlink ingress
tc qdisc add dev uplink ingress
tc filter add dev downlink ingress matchall action mirred egress redirect dev uplink
tc filter add dev uplink ingress matchall action mirred egress redirect dev downlink
PLAY
stty -F /dev/ttyS2 raw -echo
exec 3<>/dev/ttyS2
echo ready
while read -r line <&3; do
	[ "$line" != end ] || break
	setsid -c sh FOLDER/ask.$line <>/dev/ttyS$line >&0 2>&0 &
done
tc -j -s qdisc show >FOLDER/end.json
"""


def links(preset: str, path: str, settings: list[str], down: str, up: str) -> Scenario:
    """The link in both directions, judged; as on this machine, where nobody says."""
    if path:
        return scenario.load(Path(path), settings)
    down, up = down or up, up or down
    both = {"down": f"preset {preset}", "up": f"preset {preset}"} if preset else {"down": down, "up": up}
    raw = {"name": "live", "duration": "1s", "radio": {way: {"wlink": line} for way, line in both.items()}}
    return scenario.read(raw)


def tc_lines(way: str, link: Link) -> list[str]:
    """What `tc -batch` is to do for one direction."""
    return [
        f"qdisc add dev {way}link root handle 1: {link.kind} {link.args}".rstrip(),
        *(f"class add dev {way}link parent 1: {line}" for line in link.classes),
        *(f"filter add dev {way}link parent 1: {line}" for line in link.filters),
    ]


def play_line(way: str, link: Link) -> str:
    """A recorded link is played from the start of the command on."""
    if not link.trace:
        return ""
    file = shlex.quote(f"{FOLDER}/{files.FOLDER}/{link.trace.file}")
    return f"wlinkctl trace play {way}link bearer {link.trace.bearer} {file} start now {link.trace.words}"


def write_guest(sc: Scenario, folder: Path) -> None:
    """What the guest is to do."""
    ways = {way: sc.links[f"radio.{way}"] for way in WAYS}
    files.copy(sc.inputs, folder / files.FOLDER)
    lines = [line for way, link in ways.items() for line in tc_lines(way, link)]
    (folder / "tc").write_text("\n".join(lines) + "\n")
    plays = "\n".join(play_line(way, link) for way, link in ways.items())
    (folder / "script").write_text(SCRIPT.replace("FOLDER", FOLDER).replace("PLAY", plays))


@dataclass
class Talk:
    """What guest and keeper say to wlab, and what that does."""

    wire: socket.socket
    sessions: Sessions
    status: int | None = None
    trouble: str = ""
    said: bytearray = field(default_factory=bytearray)
    # What the machine had done until the command began.
    begin: dict[str, int] = field(default_factory=machine.ticks)

    def guest(self, data: bytes) -> None:
        """Its only word is that the link is there."""
        self.said += data
        if data and self.said.endswith(b"ready\n"):
            self.begin = machine.ticks()
            # From now on a key of the terminal is for the command, as it is with a shell.
            for number in (signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_IGN)
            self.wire.send(b"go")

    def keeper(self, data: bytes) -> None:
        """How the command has ended."""
        kind, _, rest = data.decode(errors="replace").partition(" ")
        if kind == "status":
            self.status = int(rest)
        elif self.status is None and not self.trouble:
            self.trouble = rest or "its keeper was killed"
        else:
            return
        self.sessions.end()


def taps(wire: socket.socket) -> list[int]:
    """The keeper's, once the namespaces are there."""
    data, fds, _, _ = socket.recv_fds(wire, keeper.MESSAGE_MAX, 2)
    if len(fds) != 2:
        raise LabError(data.decode(errors="replace").partition(" ")[2] or "the namespaces could not be made")
    return fds


def as_ms(ns: int) -> str:
    return f"{ns / 1e6:.3g} ms"


def carried(shown: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What went through each link, of what tc has shown; how late only where something did."""
    out = {}
    for one in (one for way in WAYS for one in shown if one["dev"] == f"{way}link" and one.get("root")):
        x = one.get("xstats")
        link = {"kind": one["kind"], "packets": one["packets"], "dropped": one["drops"]}
        if x:
            link |= {"packets": x["sdus_delivered"], "dropped": sum(x["drops"].values())}
            if x["sdus_delivered"]:
                link |= {f"late_{key}_ns": x[f"late_{key}_ns"] for key in ("p50", "p99", "max")}
        out[one["dev"]] = link
    return out


def report(found: dict[str, dict[str, Any]], did: machine.Machine) -> list[str]:
    """The same, and what the machine did to it, in words as those of `wlinkctl doctor`."""
    lines = []
    for name, link in found.items():
        text = f"{name}: {link['packets']} packets, {link['dropped']} dropped"
        if "late_p99_ns" in link:
            p50, p99, most = (as_ms(link[f"late_{key}_ns"]) for key in ("p50", "p99", "max"))
            text += f"; late by at most {p50} .. {p99} (p50 .. p99), max {most}"
        lines.append(text)
        if link.get("late_p99_ns", 0) > LATE_WARN_NS:
            lines.append("  the machine was busy; wlinkctl doctor says what makes it late")
    return [*lines, did.as_text()]


def job_of(kernel: build.Kernel, ends: list[int], sessions: Sessions, talk: Talk) -> Job:
    """The guest's: the ends of the taps are its devices."""
    words = [f"vec{i}:transport=fd,fd={fd},vec=0,mtu={MTU}" for i, fd in enumerate(ends)]
    return Job(
        ["sh", f"{FOLDER}/script"],
        module=kernel.module,
        mem=kernel.mem,
        real_time=True,
        timeout=NO_TIMEOUT,
        words=[*words, *sessions.words()],
        fds=[*ends, *sessions.theirs()],
        sinks={talk.wire.fileno(): talk.keeper},
    )


def check_programs() -> None:
    """Those that it needs."""
    packages = {"pasta": "passt", "nft": "nftables", "ip": "iproute2"}
    if missing := [program for program in packages if not shutil.which(program)]:
        debian = " ".join(packages[program] for program in missing)
        raise LabError(f"{', '.join(missing)}: missing; type: userspace/need live (Debian: {debian})")


def run(sc: Scenario, argv: list[str], as_json: bool = False) -> int:
    """The command's exit status; in the end what the link and the machine did, on standard error."""
    if not shutil.which(argv[0]):
        there = "/" in argv[0] and Path(argv[0]).exists()
        why = "permission denied; chmod +x makes it a program" if there else "command not found"
        print(f"wlab: cannot run {argv[0]}: {why}", file=sys.stderr)
        return keeper.CANNOT_RUN if there else keeper.NOT_FOUND
    check_programs()
    with scratch() as folder:
        write_guest(sc, folder)
        sessions = Sessions(folder, FOLDER)
        with keeper.started(keeper.Asked(argv, folder, sessions)) as wire:
            return behind(wire, sessions, folder, as_json)


def behind(wire: socket.socket, sessions: Sessions, folder: Path, as_json: bool) -> int:
    """The same, in the keeper's namespaces."""
    devices = taps(wire)
    kernel = build.kernel(live=True)
    build.make_parts(kernel)
    talk = Talk(wire, sessions)
    ended = boot(kernel, folder, job_of(kernel, devices, sessions, talk), talk.guest, talk.said.extend)
    if ended.status or talk.status is None:
        raise LabError(talk.trouble or talk.said.decode(errors="replace"))
    found, did = carried(json.loads((folder / "end.json").read_text())), machine.since(talk.begin)
    if as_json:
        lines = [json.dumps({"status": talk.status, "links": found, "machine": asdict(did)})]
    else:
        lines = [f"wlab: {line}" for line in report(found, did)]
    print("\n".join(lines), file=sys.stderr)
    return talk.status
