# SPDX-License-Identifier: GPL-2.0
"""Runs a program behind the link: the guest's script, its messages, the summary at the end."""

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
from ..lab.boot import FOLDER, Job, boot
from ..lib.paths import LabError
from ..lib.scratch import scratch
from ..plan.presets import write_presets
from ..scenario import files, scenario
from ..scenario.link import WAYS, Link
from ..scenario.scenario import Scenario
from ..scenario.wlinkctl import of_preset
from . import keeper, machine
from .sessions import Sessions
from .spaces import MTU

# The guest runs as long as the command.
NO_TIMEOUT = 1e9
# Warn if the lateness at the 99th percentile exceeds this.
LATE_WARN_NS = 5_000_000
# Packets that arrive on one device leave through the other one's qdisc. A line that is closed forgets what
# it has received, and requests may have come already.
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
exec 3<>/dev/ttyS2
stty raw -echo <&3
echo ready
while read -r line <&3; do
	[ "$line" != end ] || break
	setsid -c sh FOLDER/ask.$line <>/dev/ttyS$line >&0 2>&0 &
done
tc -j -s qdisc show >FOLDER/end.json
"""


def links(preset: str, path: str, settings: list[str], down: str, up: str) -> Scenario:
    """The link in both directions, parsed and checked; one direction given alone holds for both."""
    if path:
        sc = scenario.load(Path(path), settings)
        if missing := [way for way in WAYS if f"radio.{way}" not in sc.links]:
            raise LabError(
                f"{path}: no radio.{missing[0]}; wlab live has one link, that of [radio]; type the words of"
                ' another in --down and --up, and its other users as in "rb 50 background 2"'
            )
        return sc
    down, up = down or up, up or down
    if preset:
        down, up = of_preset(preset)
    raw = {
        "name": "live",
        "duration": "1s",
        "radio": {way: {"wlink": line} for way, line in (("down", down), ("up", up))},
    }
    return scenario.read(raw)


def tc_lines(way: str, link: Link) -> list[str]:
    """Lines of `tc -batch` for one direction."""
    return [
        f"qdisc add dev {way}link root handle 1: {link.kind} {link.args}".rstrip(),
        *(f"class add dev {way}link parent 1: {line}" for line in link.classes),
        *(f"filter add dev {way}link parent 1: {line}" for line in link.filters),
    ]


def play_line(way: str, link: Link) -> str:
    """The command that plays a trace from the start of the user's command on."""
    if not link.trace:
        return ""
    file = shlex.quote(f"{FOLDER}/{files.FOLDER}/{link.trace.file}")
    return f"wlinkctl trace play {way}link bearer {link.trace.bearer} {file} start now {link.trace.words}"


def write_guest(sc: Scenario, folder: Path) -> None:
    """Write the guest's script and the files that it reads."""
    ways = {way: sc.links[f"radio.{way}"] for way in WAYS}
    files.copy(sc.inputs, folder / files.FOLDER)
    lines = [line for way, link in ways.items() for line in tc_lines(way, link)]
    (folder / "tc").write_text("\n".join(lines) + "\n")
    write_presets(folder, "\n".join(lines))
    plays = "\n".join(play_line(way, link) for way, link in ways.items())
    (folder / "script").write_text(SCRIPT.replace("FOLDER", str(FOLDER)).replace("PLAY", plays))


@dataclass
class Talk:
    """Handles the messages of guest and keeper."""

    wire: socket.socket
    sessions: Sessions
    status: int | None = None
    trouble: str = ""
    output: bytearray = field(default_factory=bytearray)
    # The machine's counters at the start of the command.
    begin: dict[str, int] = field(default_factory=machine.ticks)

    def guest(self, data: bytes) -> None:
        """Handle the guest's message "ready": the link exists, so start the command."""
        self.output += data
        if data and self.output.endswith(b"ready\n"):
            self.begin = machine.ticks()
            # From now on signals from the terminal's keys are for the command, as in a shell.
            for number in (signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_IGN)
            self.wire.send(b"go")

    def keeper(self, data: bytes) -> None:
        """Handle the end of the command, or of the keeper."""
        kind, _, rest = data.decode(errors="replace").partition(" ")
        if kind == "status":
            self.status = int(rest)
        elif self.status is None and not self.trouble:
            self.trouble = rest or "its keeper was killed"
        else:
            return
        self.sessions.end()


def taps(wire: socket.socket) -> list[int]:
    """Receive the taps from the keeper, once the namespaces exist."""
    data, fds, _, _ = socket.recv_fds(wire, keeper.MESSAGE_MAX, 2)
    if len(fds) != 2:
        raise LabError(data.decode(errors="replace").partition(" ")[2] or "the namespaces could not be made")
    return fds


def as_ms(ns: int) -> str:
    return f"{ns / 1e6:.3g} ms"


def carried(shown: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Packets of each link from tc's statistics; lateness if any packet was delivered."""
    out = {}
    for qdisc in (
        qdisc for way in WAYS for qdisc in shown if qdisc["dev"] == f"{way}link" and qdisc.get("root")
    ):
        xstats = qdisc.get("xstats")
        link = {"kind": qdisc["kind"], "packets": qdisc["packets"], "dropped": qdisc["drops"]}
        if xstats:
            link |= {"packets": xstats["sdus_delivered"], "dropped": sum(xstats["drops"].values())}
            if xstats["sdus_delivered"]:
                link |= {f"late_{key}_ns": xstats[f"late_{key}_ns"] for key in ("p50", "p99", "max")}
        out[qdisc["dev"]] = link
    return out


def report(links_: dict[str, dict[str, Any]], machine_: machine.Machine) -> list[str]:
    """The summary as text: the links, and the machine in words of `wlinkctl doctor`."""
    lines = []
    for name, link in links_.items():
        text = f"{name}: {link['packets']} packets, {link['dropped']} dropped"
        if "late_p99_ns" in link:
            p50, p99, most = (as_ms(link[f"late_{key}_ns"]) for key in ("p50", "p99", "max"))
            text += f"; late by at most {p50} .. {p99} (p50 .. p99), max {most}"
        lines.append(text)
        if link.get("late_p99_ns", 0) > LATE_WARN_NS:
            lines.append("  the machine was busy; wlinkctl doctor says what makes it late")
    return [*lines, machine_.as_text()]


def job_of(kernel: build.Kernel, ends: list[int], sessions: Sessions, talk: Talk) -> Job:
    """The guest's job; the taps are its network devices."""
    words = [f"vec{i}:transport=fd,fd={fd},vec=0,mtu={MTU}" for i, fd in enumerate(ends)]
    return Job(
        ["sh", f"{FOLDER}/script"],
        modules=kernel.modules(),
        mem=kernel.mem,
        real_time=True,
        timeout=NO_TIMEOUT,
        words=[*words, *sessions.words()],
        fds=[*ends, *sessions.guest_fds()],
        sinks={talk.wire.fileno(): talk.keeper},
    )


def check_programs() -> None:
    """Check that the required programs are installed."""
    packages = {"pasta": "passt", "nft": "nftables", "ip": "iproute2"}
    if missing := [program for program in packages if not shutil.which(program)]:
        debian = " ".join(packages[program] for program in missing)
        raise LabError(f"{', '.join(missing)}: missing; type: userspace/need live (Debian: {debian})")


def run(sc: Scenario, argv: list[str], as_json: bool = False) -> int:
    """Run the command, returning its exit status; print the summary to standard error."""
    if not shutil.which(argv[0]):
        exists = "/" in argv[0] and Path(argv[0]).exists()
        why = "permission denied; chmod +x makes it a program" if exists else "command not found"
        print(f"wlab: cannot run {argv[0]}: {why}", file=sys.stderr)
        return keeper.CANNOT_RUN if exists else keeper.NOT_FOUND
    check_programs()
    with scratch() as folder:
        write_guest(sc, folder)
        sessions = Sessions(folder, str(FOLDER))
        with keeper.started(keeper.Task(argv, folder, sessions)) as wire:
            return behind(wire, sessions, folder, as_json)


def behind(wire: socket.socket, sessions: Sessions, folder: Path, as_json: bool) -> int:
    """Boot the guest between the keeper's namespaces, and wait for the end of the command."""
    devices = taps(wire)
    kernel = build.kernel()
    build.make_parts(kernel)
    talk = Talk(wire, sessions)
    ended = boot(kernel, folder, job_of(kernel, devices, sessions, talk), talk.guest, talk.output.extend)
    if ended.status or talk.status is None:
        raise LabError(talk.trouble or talk.output.decode(errors="replace"))
    links_, machine_ = carried(json.loads((folder / "end.json").read_text())), machine.since(talk.begin)
    if as_json:
        lines = [json.dumps({"status": talk.status, "links": links_, "machine": asdict(machine_)})]
    else:
        lines = [f"wlab: {line}" for line in report(links_, machine_)]
    print("\n".join(lines), file=sys.stderr)
    return talk.status
