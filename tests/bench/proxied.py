# SPDX-License-Identifier: GPL-2.0
"""A TCP proxy on the path between two ends, and the same path without one: three namespaces of the VM.

The clock goes by instructions, and the one processor does the work of both ends as well, so what
is measured is that of any machine. `proxied.py server`, `proxied.py client` are the ends.
"""

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PATHS = ("plain path", "HAProxy", "wlink-pep")
SERVER = ("10.2.0.2", 5000)
BULK_BYTES, CALLS, IDLE, TIMES = 256 << 20, 500, 250, 3
# The router is where the program is started; its rules are those of Documentation/proxy.md, with TCP as a
# number: the VM has no /etc/protocols.
NETWORK = """
ip netns add cli
ip netns add srv
ip link add cli type veth peer name eth0 netns cli
ip link add srv type veth peer name eth0 netns srv
ip addr add 10.1.0.1/24 dev cli
ip addr add 10.2.0.1/24 dev srv
ip -n cli addr add 10.1.0.2/24 dev eth0
ip -n srv addr add 10.2.0.2/24 dev eth0
ip link set cli up
ip link set srv up
ip -n cli link set eth0 up
ip -n srv link set eth0 up
ip -n cli route add default via 10.1.0.1
ip -n srv route add default via 10.2.0.1
sysctl -qw net.ipv4.ip_forward=1
sysctl -qw net.ipv4.tcp_no_metrics_save=1
ip netns exec cli sysctl -qw net.ipv4.tcp_no_metrics_save=1
ip netns exec srv sysctl -qw net.ipv4.tcp_no_metrics_save=1
"""
RULES = """
ip rule add pref 9 fwmark 0x776d lookup 200
ip rule add pref 10 iif lo lookup main
ip rule add pref 11 to 10.2.0.2 ipproto 6 dport 5000 lookup 200
ip rule add pref 11 from 10.2.0.2 ipproto 6 sport 5000 lookup 200
ip route add local default dev lo table 200
"""


def serve() -> None:
    """The first byte of a connection says what it is for; idle ones are kept until one is "f"."""
    idle: list[socket.socket] = []
    zeros = bytes(1 << 20)
    with socket.create_server(SERVER, backlog=128) as listener:
        while True:
            one, _ = listener.accept()
            word = one.recv(1)
            if word == b"b":
                for _ in range(BULK_BYTES // len(zeros)):
                    one.sendall(zeros)
            else:
                one.sendall(word)
            if word == b"f":
                idle.clear()
            if word == b"i":
                idle.append(one)
            else:
                one.close()


def ask(word: bytes) -> socket.socket:
    out = socket.create_connection(SERVER)
    out.sendall(word)
    return out


def rate(count: int, work: Callable[[], None]) -> float:
    began = time.monotonic()
    work()
    return count / (time.monotonic() - began)


def bulk() -> None:
    room = bytearray(1 << 20)
    got = 0
    with ask(b"b") as one:
        while now := one.recv_into(room):
            got += now
    assert got == BULK_BYTES, f"{got} bytes"


def calls() -> None:
    for _ in range(CALLS):
        with ask(b"c") as one:
            assert one.recv(2) == b"c"
            assert not one.recv(1)


def client() -> None:
    """Both rates; then connections that are idle until standard input ends, and as many more, and more."""
    with ask(b"f") as one:
        assert one.recv(1) == b"f"
    print(json.dumps({"bytes_per_s": rate(BULK_BYTES, bulk), "connections_per_s": rate(CALLS, calls)}))
    idle: list[socket.socket] = []
    for _ in range(TIMES):
        idle += (ask(b"i") for _ in range(IDLE))
        assert all(one.recv(1) == b"i" for one in idle[-IDLE:])
        print("idle", flush=True)
        sys.stdin.readline()


def kb(file: str, word: str) -> int:
    found = re.search(rf"^{word}:\s*(\d+) kB", Path(file).read_text(), re.M)
    assert found
    return int(found[1])


def memory(proxy: subprocess.Popen[bytes] | None) -> tuple[int, int]:
    """KB of the program and of the kernel's slabs, of which those without an object are given back first."""
    Path("/proc/sys/vm/drop_caches").write_text("3", encoding="ascii")
    return kb(f"/proc/{proxy.pid}/smaps_rollup", "Rss") if proxy else 0, kb("/proc/meminfo", "Slab")


def one_path(
    argv: list[str] | None, client_argv: list[str], sh: Callable[[str], str]
) -> dict[str, float]:
    """The rates of a path, and KB of an idle connection."""
    proxy = subprocess.Popen(argv) if argv else None
    if proxy and not sh("ip rule show pref 9"):
        sh(f"set -e{RULES}")
    while proxy and not sh(f"ss -Htln sport {SERVER[1]}"):
        if proxy.poll() is not None:
            raise RuntimeError(f"{argv} has ended with {proxy.returncode}")
        time.sleep(0.1)
    used = []
    with subprocess.Popen(client_argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as end:
        assert end.stdin and end.stdout
        said: dict[str, float] = json.loads(end.stdout.readline())
        for _ in range(TIMES):
            end.stdout.readline()
            # Longer than TCP's TIME-WAIT: closed connections are no longer there.
            time.sleep(70)
            used.append(memory(proxy))
            end.stdin.write("\n")
            end.stdin.flush()
    if proxy:
        proxy.kill()
        proxy.wait()
    # The first ones take what a proxy has kept of those before. What its pools grow by now and then, as
    # many are served at once, is not what each of the others needs: the least of both is.
    each = [min(b - a for a, b in zip(had, had[1:])) / IDLE for had in zip(*used)]
    return said | dict(zip(("idle_kb", "idle_kernel_kb"), each, strict=True))


def measure(payload: str, sh: Callable[[str], str]) -> Iterator[dict[str, Any]]:
    """Every path after the other."""
    lines = {
        "HAProxy": [f"{payload}/haproxy", "-db", "-f", f"{payload}/haproxy.cfg"],
        "wlink-pep": [f"{payload}/wlink-pep", "{}:{}".format(*SERVER)],
    }
    sh("modprobe veth")
    sh(f"set -e{NETWORK}")
    inside = ["ip", "netns", "exec"]
    me = [sys.executable, "-u", __file__]
    with subprocess.Popen([*inside, "srv", *me, "server"]) as server:
        try:
            for path in PATHS:
                yield {"path": path} | one_path(lines.get(path), [*inside, "cli", *me, "client"], sh)
        finally:
            server.kill()


if __name__ == "__main__":
    {"server": serve, "client": client}[sys.argv[1]]()
