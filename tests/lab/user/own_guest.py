# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: a page that is asked for across a link of 3 s; prints JSON."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import time

CTL, ADDRESS = sys.argv[1:]
PORT = 8600
IN_R = "ip netns exec r"
# The page's, at the link, and the browser's.
NODES = {"r": ("va", 1), "u": ("vb", 2)}


def sh(line: str) -> str:
    return subprocess.run(line.split(), capture_output=True, text=True, check=True).stdout


def inside(name: str) -> None:
    """The rest of this program is in a namespace."""
    import ctypes

    with open(f"/run/netns/{name}") as f:
        if ctypes.CDLL(None, use_errno=True).setns(f.fileno(), 0x40000000):
            raise OSError(ctypes.get_errno(), "setns")


def state() -> list[list[str]]:
    """Bearers of the link, and its filters."""
    bearers = sh(f"{IN_R} tc class show dev va")
    filters = sh(f"{IN_R} tc filter show dev va parent 1:")
    return [
        [line for line in bearers.splitlines() if " wlink 1:" in line],
        [line for line in filters.splitlines() if "classid" in line],
    ]


def get(path: str, token: str = "") -> tuple[float, str]:
    """Seconds, and what is answered."""
    began = time.monotonic()
    connection = http.client.HTTPConnection(ADDRESS, PORT, timeout=60)
    connection.request("GET", path, headers={"X-Wlink-Token": token})
    text = connection.getresponse().read().decode()
    connection.close()
    return time.monotonic() - began, text


def refusal() -> float:
    """Seconds until a port at which nobody listens says so."""
    began = time.monotonic()
    try:
        socket.create_connection((ADDRESS, PORT + 1), 60)
    except ConnectionRefusedError:
        return time.monotonic() - began
    raise AssertionError("somebody listens")


for name in NODES:
    sh(f"ip netns add {name}")
sh("ip link add va netns r type veth peer name vb netns u")
for name, (dev, number) in NODES.items():
    sh(f"ip -n {name} addr add 10.9.0.{number}/24 dev {dev}")
    sh(f"ip -n {name} addr add fd09::{number}/64 dev {dev} nodad")
    sh(f"ip -n {name} link set lo up")
    sh(f"ip -n {name} link set {dev} up")
# Neighbours are known: what finds them goes through the link.
for name, peer in (("r", "u"), ("u", "r")):
    dev, number = NODES[peer]
    mac = json.loads(sh(f"ip -j -n {peer} link show {dev}"))[0]["address"]
    for address in (f"10.9.0.{number}", f"fd09::{number}"):
        sh(f"ip -n {name} neigh replace {address} lladdr {mac} dev {NODES[name][0]} nud permanent")
sh(f"{IN_R} tc qdisc add dev va root handle 1: wlink rate 1mbit delay 3s seed 1")
before = state()
argv = [*IN_R.split(), CTL, "--json", "web", "--listen", f"[{ADDRESS}]:{PORT}"]
with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as server:
    assert server.stdout
    token = json.loads(server.stdout.readline())["token"]
    during = state()
    inside("u")
    page, links, other = get("/"), get("/api/links", token), refusal()
    server.send_signal(signal.SIGTERM)
told = {
    "page_s": page[0],
    "links_s": links[0],
    "other_s": other,
    "length": len(page[1]),
    "own": json.loads(links[1])["own"],
    "before": before,
    "during": during,
    "after": state(),
    "status": server.returncode,
}
print(json.dumps(told))
