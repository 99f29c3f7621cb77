# SPDX-License-Identifier: GPL-2.0
"""What the cases of the VM test are made of: commands, a topology, traffic."""

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PAYLOAD = "/run/payload"
ENV = dict(os.environ, TC_LIB_DIR=PAYLOAD, PATH=f"{PAYLOAD}:{os.environ['PATH']}")

count = 0
failed = 0


def sh(command: str, fails: bool = False) -> str:
    """Run a command line; its output. It must succeed, or fail if fails."""
    ran = subprocess.run(
        command, shell=True, text=True, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if (ran.returncode != 0) != fails:
        raise AssertionError(f"'{command}' ended with {ran.returncode}: {ran.stdout.strip()}")
    return ran.stdout


def expect(true: bool, what: str) -> None:
    """Fail the case unless true."""
    if not true:
        raise AssertionError(what)


def insert() -> None:
    """The module of a link; that of LTE and NR comes when the kernel asks for it."""
    script = Path(PAYLOAD, "modprobe")
    ours = f'[ "$*" = "-q -- wlink_3gpp" ] && exec insmod {PAYLOAD}/wlink_3gpp.ko'
    script.write_text(f'#!/bin/sh\n{ours}\nexec /sbin/modprobe "$@"\n')
    script.chmod(0o755)
    sh(f"sysctl -qw kernel.modprobe={script}; insmod {PAYLOAD}/sch_wlink.ko")


def clean() -> None:
    """Away with what a case that failed has left, so that the next one can begin; in a VM only."""
    if not os.path.exists(PAYLOAD):
        return
    for name in ("a", "b"):
        subprocess.run(f"ip netns pids {name} | xargs -r kill -9", shell=True, stderr=subprocess.DEVNULL)
    subprocess.run("ip netns exec a tc qdisc del dev va root 2>/dev/null", shell=True, env=ENV)
    subprocess.run("echo 0 >/sys/kernel/tracing/events/enable", shell=True)


def case(name: str) -> Callable[[Callable[[], str | None]], None]:
    """Run the function at once as a case; what it returns is told with it."""

    def run(function: Callable[[], str | None]) -> None:
        global count, failed
        count += 1
        began = time.monotonic()
        try:
            said = function()
        except Exception as error:
            failed += 1
            print(f"not ok {count} - {name}", flush=True)
            for line in str(error).splitlines() or [repr(error)]:
                print(f"#   {line}", flush=True)
            clean()
            return
        note = f" ({said})" if said else ""
        print(f"ok {count} - {name}{note} {time.monotonic() - began:.1f} s", flush=True)

    return run


def complaints() -> None:
    """Of the kernel, about all the cases before."""

    @case("the kernel has nothing to complain about")
    def _() -> None:
        sign = re.compile(r"WARNING|BUG|Oops|RIP:|Call Trace|refcount|hung task|non-static key")
        bad = [line for line in sh("dmesg").splitlines() if sign.search(line)]
        expect(not bad, "\n".join(bad))


def topology() -> None:
    """Two namespaces, a and b, with a veth pair va, vb; 10.0.0.1 and .2."""
    for name in ("a", "b"):
        sh(f"ip netns add {name}")
        # A small kernel has no IPv6.
        ipv6 = "/proc/sys/net/ipv6/conf/all/disable_ipv6"
        sh(f"ip netns exec {name} sh -c '[ ! -e {ipv6} ] || echo 1 >{ipv6}'")
    sh(
        "ip link add va netns a address 02:00:00:00:00:01 type veth"
        " peer name vb netns b address 02:00:00:00:00:02"
    )
    for name, address in (("a", 1), ("b", 2)):
        sh(f"ip -n {name} addr add 10.0.0.{address}/24 dev v{name}")
        sh(f"ip -n {name} link set v{name} up")
        sh(f"ip -n {name} link set lo up")


def a(command: str, fails: bool = False) -> str:
    """Run a command in namespace a."""
    return sh(f"ip netns exec a {command}", fails)


def qdisc() -> dict[str, Any]:
    """The wlink of va as JSON, wherever it hangs."""
    all_of_it = json.loads(a("tc -j -s qdisc show dev va"))
    found: dict[str, Any] = next(one for one in all_of_it if one["kind"] == "wlink")
    return found


def xstats() -> dict[str, Any]:
    """The statistics of the wlink of va."""
    stats: dict[str, Any] = qdisc()["xstats"]
    return stats


def conserved(stats: dict[str, Any]) -> None:
    """In = delivered + dropped + held, in SDUs and bytes."""
    out = stats["sdus_delivered"] + sum(stats["drops"].values()) + stats["sdus_held"]
    expect(stats["sdus_in"] == out, f"SDUs: {stats['sdus_in']} in, {out} accounted for: {stats}")
    out = stats["bytes_delivered"] + stats["bytes_dropped"] + stats["bytes_held"]
    expect(stats["bytes_in"] == out, f"bytes: {stats['bytes_in']} in, {out} accounted for: {stats}")


def until(holds: Callable[[], object], what: str, seconds: float = 600.0) -> None:
    """Wait for it; a machine with other work takes longer."""
    end = time.monotonic() + seconds
    while not holds():
        expect(time.monotonic() < end, f"not within {seconds:.0f} s: {what}")
        time.sleep(0.2)


def drained(seconds: float = 600.0) -> dict[str, Any]:
    """Wait until nothing is held; every qdisc of va must agree."""
    end = time.monotonic() + seconds
    while True:
        stats = xstats()
        if not stats["sdus_held"]:
            break
        expect(time.monotonic() < end, f"{stats['sdus_held']} SDUs held after {seconds} s")
        time.sleep(0.1)
    for one in json.loads(a("tc -j -s qdisc show dev va")):
        expect(
            one.get("qlen", 0) == 0 and one.get("backlog", 0) == 0,
            f"{one['kind']} holds {one.get('qlen')} packets, {one.get('backlog')} bytes",
        )
    return stats


UDP = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
end = time.monotonic() + float(sys.argv[1])
gap, size = float(sys.argv[2]), int(sys.argv[3])
while time.monotonic() < end:
    try:
        s.sendto(bytes(size), ("10.0.0.2", 9))
    except OSError:
        pass
    if gap:
        time.sleep(gap)
"""

SINK = """
import socket
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("10.0.0.2", 5000))
s.listen(1)
print("ready", flush=True)
c = s.accept()[0]
total = 0
while True:
    data = c.recv(1 << 20)
    if not data:
        break
    total += len(data)
print(total, flush=True)
"""

BULK = """
import socket, sys, time
s = socket.create_connection(("10.0.0.2", 5000))
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    s.send(bytes(1 << 16))
s.close()
"""


@contextmanager
def udp(seconds: float, gap: float = 0.002, size: int = 1000) -> Iterator[None]:
    """UDP from a to b beside what the body does; ends with it."""
    blast = subprocess.Popen(
        ["ip", "netns", "exec", "a", "python3", "-c", UDP, str(seconds), str(gap), str(size)]
    )
    try:
        yield
    finally:
        blast.kill()
        blast.wait()


@contextmanager
def tcp(seconds: float) -> Iterator[list[int]]:
    """A TCP flow from a to b; the list gets the bytes that arrived."""
    got: list[int] = []
    sink = subprocess.Popen(
        ["ip", "netns", "exec", "b", "python3", "-c", SINK], stdout=subprocess.PIPE, text=True
    )
    assert sink.stdout
    sink.stdout.readline()
    bulk = subprocess.Popen(["ip", "netns", "exec", "a", "python3", "-c", BULK, str(seconds)])
    killer = threading.Timer(seconds + 600, sink.kill)
    killer.start()
    try:
        yield got
        bulk.wait(seconds + 600)
        got.append(int(sink.stdout.readline() or "0"))
    finally:
        killer.cancel()
        bulk.kill()
        sink.kill()
        bulk.wait()
        sink.wait()
