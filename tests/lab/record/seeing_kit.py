# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: what the scripts about record and top share."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

TRACING = Path("/sys/kernel/tracing")


def expect(true: bool, text: str) -> None:
    """Say what is wrong and end."""
    if not true:
        print(f"FAIL {text}", flush=True)
        sys.exit(1)


def sh(line: str) -> str:
    """Run commands with ; between them, which must succeed."""
    out = ""
    for command in line.split("; "):
        ran = subprocess.run(
            command.split(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        expect(ran.returncode == 0, f"{command}: {ran.stdout.strip()}")
        out += ran.stdout
    return out


def device(name: str, words: str, *classes: str) -> None:
    """A wlink to nowhere with a neighbour that never answers, as 1:."""
    sh(f"ip link add {name} type veth peer name {name}0; ip link set {name} up; ip link set {name}0 up")
    number = sum(name.encode()) % 250
    sh(f"ip addr add 10.0.{number}.1/24 dev {name}")
    sh(f"ip neigh add 10.0.{number}.2 lladdr 02:00:00:00:00:02 dev {name} nud permanent")
    sh(f"tc qdisc add dev {name} root handle 1: wlink {words}")
    for one in classes:
        sh(f"tc class add dev {name} parent 1: classid {one}")


class Blast(threading.Thread):
    """UDP to a device: so many packets of a size, so far apart, to a class, with an ECN field."""

    def __init__(
        self, name: str, minor: int, count: int, gap_s: float, size: int = 500, ecn: int = 0
    ) -> None:
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, 0x10000 | minor)
        self.socket.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, ecn)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
        self.to = f"10.0.{sum(name.encode()) % 250}.2"
        self.count, self.gap_s, self.size = count, gap_s, size
        self.start()

    def run(self) -> None:
        for n in range(self.count):
            self.socket.sendto(bytes(self.size + n % 7), (self.to, 9))
            if self.gap_s:
                sleep(self.gap_s)


def classes(name: str) -> dict[int, dict[str, Any]]:
    """Statistics of the bearers of a device, by number."""
    said = json.loads(sh(f"wlinkctl show {name} bearer all --json"))
    return {one["bearer"]: one["xstats"] for one in said}


def qdisc(name: str) -> dict[str, Any]:
    """Statistics of the link of a device."""
    found: dict[str, Any] = json.loads(sh(f"wlinkctl show {name} --json"))[0]["xstats"]
    return found


def idle(*names: str) -> None:
    """Wait until nothing is held any more."""
    while any(qdisc(name)["sdus_held"] for name in names):
        sleep(0.05)


def instances() -> list[str]:
    return [path.name for path in (TRACING / "instances").iterdir()]


class Recorder:
    """A wlinkctl record that records."""

    def __init__(self, words: str, path: Path, prefix: str = "") -> None:
        self.path = path
        self.clocks: list[dict[str, Any]] = []
        self.looks: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            f"{prefix} wlinkctl record {words}".split(), stderr=subprocess.PIPE, text=True
        )
        while not any(
            (TRACING / "instances" / one / "tracing_on").read_text() == "1\n" for one in instances()
        ):
            sleep(0.001)

    def end(self, number: int = 0) -> tuple[int, str]:
        """Wait, after a signal if there is one; status and standard error."""
        if number:
            self.process.send_signal(number)
        _, err = self.process.communicate()
        return self.process.returncode, err

    def read(self) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """All events, and the line at the end; what others say goes to clocks and looks."""
        lines = [json.loads(line) for line in self.path.read_text().splitlines()]
        expect(set(lines[-1]) == {"lost", "events"}, f"it ends in {lines[-1]}")
        self.clocks = [line["clock"] for line in lines if "clock" in line]
        self.looks = [line["link"] for line in lines if "link" in line]
        return [line for line in lines[:-1] if "event" in line], lines[-1]


def main(cases: dict[str, Callable[[], str]]) -> None:
    """Run the case that the command line names."""
    sh("sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1")
    print(cases[sys.argv[1]](), flush=True)
