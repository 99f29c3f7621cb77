# SPDX-License-Identifier: GPL-2.0
"""The namespaces of `wlab live`, which a user makes without root.

    near: the command, eth0        far: radio, pasta           the host
          |                              |       |               |
          tap -- the guest's link -- tap, router, tap -- pasta --+

A user namespace owns both network namespaces. The command runs in another user namespace, with
the user's own ids and no privileges over its network.
"""

import ctypes
import fcntl
import os
import socket
import struct
import subprocess
from pathlib import Path

from ..lab.fence import allow_namespaces
from ..lib.paths import LabError

CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
MS_BIND = 0x1000
MS_REC = 0x4000
MS_SLAVE = 0x80000
PR_SET_CHILD_SUBREAPER = 36
# include/uapi/linux/if_tun.h.
TUNSETIFF = 0x400454CA
TUNSETPERSIST = 0x400454CB
IFF_TAP = 0x0002
IFF_NO_PI = 0x1000
SIOCGIFFLAGS = 0x8913
IFF_RUNNING = 0x40

TUN = Path("/dev/net/tun")
# In the range for benchmarks (RFC 2544), which real networks do not use.
COMMAND = "198.18.0.2"
# The router, the resolver and, for pasta, the host itself.
GATEWAY = "198.18.0.1"
MAC = {"near": "02:00:00:00:00:02", "radio": "02:00:00:00:00:01", "way out": "02:00:00:00:00:03"}
# The next hop behind pasta's device; no packet is sent to it.
BEYOND = "198.18.0.6"
MTU = 1500
# The port of the relay's listener in the far namespace.
PORT = 1

NEAR = f"""link set lo up
link set eth0 address {MAC["near"]} mtu {MTU} addrgenmode none up
addr add {COMMAND}/30 dev eth0
neigh add {GATEWAY} lladdr {MAC["radio"]} dev eth0 nud permanent
route add default via {GATEWAY} dev eth0
"""
FAR = f"""link set lo up
link set radio address {MAC["radio"]} mtu {MTU} addrgenmode none up
link set pasta mtu {MTU} addrgenmode none up
neigh add {COMMAND} lladdr {MAC["near"]} dev radio nud permanent
neigh add {BEYOND} lladdr {MAC["way out"]} dev pasta nud permanent
route add {COMMAND} dev radio
route add default via {BEYOND} dev pasta onlink
rule add fwmark 1 lookup 100
route add local default dev lo table 100
"""
# All TCP that comes over the link goes to the relay. A ping of the gateway turns round here, for the machine
# may not let its user ping.
NFT = f"""table ip wlab {{
	chain answered {{
		icmp type set echo-reply ip saddr set {GATEWAY} ip daddr set {COMMAND} accept
	}}
	chain relayed {{
		type filter hook prerouting priority mangle;
		iifname "radio" meta l4proto tcp tproxy to :{PORT} meta mark set 1 accept
		iifname "radio" ip daddr {GATEWAY} icmp type echo-request jump answered
	}}
}}
"""

libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *args: object) -> None:
    """Call a function of libc that Python lacks; an OSError if it fails."""
    if getattr(libc, name)(*args) < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    call("unshare", flags)


def adopt() -> None:
    """Make orphaned descendants children of this process."""
    call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def user_space(inside: tuple[int, int], outside: tuple[int, int]) -> None:
    """Enter a new user namespace with one user and one group."""
    unshare(CLONE_NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    for name, inner_id, outer_id in zip(("uid_map", "gid_map"), inside, outside):
        Path("/proc/self", name).write_text(f"{inner_id} {outer_id} 1")


def tap(name: str, persist: bool = False) -> int:
    """Create a tap device; its file descriptor reads what the namespace sends to it."""
    fd = os.open(TUN, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    if persist:
        fcntl.ioctl(fd, TUNSETPERSIST, 1)
    return fd


def tool(argv: list[str], text: str) -> None:
    """Run a tool that reads commands from standard input."""
    try:
        done = subprocess.run(argv, input=text, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise LabError(f"{argv[0]} is missing; type: userspace/need live") from None
    if done.returncode:
        raise LabError(f"{argv[0]}: {done.stderr.strip()}")


def sysctl(name: str, value: str) -> None:
    try:
        Path("/proc/sys", name).write_text(value)
    except OSError as e:
        raise LabError(
            f"/proc/sys/{name}: {e.strerror}\nin a container, start it with --security-opt unmask=ALL"
        ) from None


def listener() -> socket.socket:
    """The relay's socket; NFT's rule directs connections to all addresses and ports to it."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_IP, 19, 1)  # IP_TRANSPARENT
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("0.0.0.0", PORT))
    sock.listen(1024)
    return sock


def far() -> tuple[int, socket.socket]:
    """Enter the far namespace: its tap and the relay's listener."""
    unshare(CLONE_NEWNET)
    fd = tap("radio")
    os.close(tap("pasta", persist=True))
    sysctl("net/ipv4/ip_forward", "1")
    for name in ("all", "radio"):
        sysctl(f"net/ipv4/conf/{name}/send_redirects", "0")
    sysctl("net/ipv6/conf/all/disable_ipv6", "1")
    tool(["ip", "-batch", "-"], FAR)
    try:
        tool(["nft", "-f", "-"], NFT)
    except LabError as e:
        raise LabError(f"{e}\nthe host's kernel must redirect TCP; as root: modprobe nft_tproxy") from None
    return fd, listener()


def near() -> int:
    """Enter the near namespace: its tap."""
    unshare(CLONE_NEWNET)
    fd = tap("eth0")
    # Without IPv6 a program falls back to IPv4 at once.
    sysctl("net/ipv6/conf/eth0/disable_ipv6", "1")
    # ping(8) without root, for the namespace's only group.
    sysctl("net/ipv4/ping_group_range", "0 0")
    tool(["ip", "-batch", "-"], NEAR)
    return fd


def carrier(name: str) -> bool:
    """Whether a process has a tap open."""
    with socket.socket() as sock:
        request = fcntl.ioctl(sock, SIOCGIFFLAGS, struct.pack("16sH22x", name.encode(), 0))
    return bool(struct.unpack("16sH22x", request)[1] & IFF_RUNNING)


def hide_resolvers(folder: Path) -> None:
    """Resolve names over the link: hide the host's resolvers and their sockets."""
    own_folder = folder / "resolver"
    own_folder.mkdir()
    for name in ("resolv.conf", "stub-resolv.conf"):
        (own_folder / name).write_text(f"nameserver {GATEWAY}\n")
    covers = [(own_folder, Path("/run/systemd/resolve")), (own_folder, Path("/run/nscd"))]
    for source, target in [*covers, (own_folder / "resolv.conf", Path("/etc/resolv.conf"))]:
        if target.exists():
            call("mount", bytes(source), bytes(target.resolve()), None, MS_BIND, None)


def own_user_space() -> None:
    """Enter the user namespace that owns the namespaces made later."""
    try:
        # Opening it also tests a container's device rules, unlike its mode.
        os.close(os.open(TUN, os.O_RDWR | os.O_CLOEXEC))
    except OSError as e:
        raise LabError(
            f"{TUN}: {e.strerror}\n"
            f"as root: modprobe tun; chmod 666 {TUN}; a container starts with --device {TUN}"
        ) from None
    try:
        user_space((0, 0), (os.geteuid(), os.getegid()))
        unshare(CLONE_NEWNS)
        call("mount", None, b"/", None, MS_REC | MS_SLAVE, None)
    except OSError as e:
        raise LabError(
            f"this host forbids user namespaces ({e.strerror}), in which the link is made\n"
            f"to allow them, as root: {allow_namespaces()}"
        ) from None
