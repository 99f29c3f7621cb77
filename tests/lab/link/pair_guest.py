# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: a link of two namespaces, in a pair and not; prints JSON."""

import json
import socket
import subprocess
import sys
import threading
import time

CTL = sys.argv[1]
WORDS = "rate 64kbit delay 50ms seed 1 mode fsr start handover ack_delay 0"
ENDS = {"r": ("va", "10.9.0.1"), "u": ("vb", "10.9.0.2")}


def sh(line: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(line.split(), capture_output=True, text=True, check=False)


def must(line: str) -> None:
    subprocess.run(line.split(), check=True)


def add(name: str) -> None:
    must(f"ip netns exec {name} tc qdisc add dev {ENDS[name][0]} root handle 1: wlink {WORDS}")


def inside(name: str) -> None:
    """The rest of this thread is in a namespace."""
    import ctypes

    with open(f"/run/netns/{name}") as f:
        if ctypes.CDLL(None, use_errno=True).setns(f.fileno(), 0x40000000):
            raise OSError(ctypes.get_errno(), "setns")


def answer() -> None:
    inside("u")
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((ENDS["u"][1], 5000))
    ready.set()
    while True:
        data, whom = server.recvfrom(2000)
        server.sendto(data, whom)


def trip() -> float:
    """The second of two round trips of 200 bytes, in ms: the neighbours are known then."""
    took = 0.0
    for _ in range(2):
        began = time.monotonic()
        client.sendto(b"x" * 200, (ENDS["u"][1], 5000))
        client.recvfrom(2000)
        took = (time.monotonic() - began) * 1000
        time.sleep(1)
    return round(took, 3)


def pair(words: str) -> list[object]:
    done = sh(f"ip netns exec r {CTL} pair va {words}")
    return [done.returncode, done.stderr.strip()]


for name in ENDS:
    must(f"ip netns add {name}")
must("ip link add va netns r type veth peer name vb netns u")
for name, (dev, address) in ENDS.items():
    must(f"ip -n {name} addr add {address}/24 dev {dev}")
    must(f"ip -n {name} link set {dev} up")
    add(name)
ready = threading.Event()
threading.Thread(target=answer, daemon=True).start()
ready.wait()
inside("r")
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
client.settimeout(20)
told: dict[str, object] = {"alone": trip()}
told["refused"] = [pair(words) for words in ("none", "lo", "va", "vb", "vb netns nowhere", "off")]
told["join"] = pair("vb netns u")
told["paired"] = trip()
told["control"] = "control 2 " in sh("ip netns exec u tc -s qdisc show dev vb").stdout
must("ip netns exec u tc qdisc del dev vb root")
told["one left"] = trip()
add("u")
told["again"] = pair("vb netns u")
told["paired again"] = trip()
told["part"] = pair("off")
told["parted"] = trip()
told["third"] = pair("vb netns u")
trip()
must("ip netns exec r tc qdisc del dev va root")
must("ip netns exec u tc qdisc del dev vb root")
print(json.dumps(told))
