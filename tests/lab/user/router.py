# SPDX-License-Identifier: GPL-2.0
"""The proxy of a real router, as its unit starts and ends it: in network namespaces of this machine."""

import os
import re
import shlex
import shutil
import textwrap
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from lab import OUT, ROOT, Skipped, call, expect

FOLDER = ROOT / "userspace" / "proxy"
UNIT = FOLDER / "wlink-proxy@.service"
RESTORE = ROOT / "userspace" / "wlinkctl" / "wlink-restore.service"
# Client, router and server; the router filters by state, so that conntrack is at work, and checks sources.
NETWORK = """
set -e
mount -t tmpfs tmpfs /run
for node in cli gw srv; do ip netns add $node; ip -n $node link set lo up; done
ip -n cli link add eth0 type veth peer name eth1 netns gw
ip -n srv link add eth0 type veth peer name eth2 netns gw
net() { ip -n $1 addr add $2 dev $3 $4; ip -n $1 link set $3 up; }
net cli 10.1.0.2/24 eth0; net gw 10.1.0.1/24 eth1; net srv 10.2.0.2/24 eth0; net gw 10.2.0.1/24 eth2
net cli fd01::2/64 eth0 nodad; net gw fd01::1/64 eth1 nodad
net srv fd02::2/64 eth0 nodad; net gw fd02::1/64 eth2 nodad
ip -n cli route add default via 10.1.0.1; ip -n cli route add default via fd01::1
ip -n srv route add default via 10.2.0.1; ip -n srv route add default via fd02::1
gw() { ip netns exec gw "$@"; }
gw sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv4.conf.all.rp_filter=1
gw nft 'table inet state { chain forward { type filter hook forward priority 0; ct state invalid drop; }; }'
"""
# By word what is seen: each end's view of the client, and the sockets of both legs at the router.
PROGRAMS = {
    "server": """
        import socket, threading
        def serve(family):
            listener = socket.create_server(("", 80), family=family)
            while True:
                c, peer = listener.accept()
                c.sendall(f"{peer[0]} {peer[1]}\\n".encode())
                threading.Thread(target=c.recv, args=(9,)).start()
        threading.Thread(target=serve, args=(socket.AF_INET6,)).start()
        serve(socket.AF_INET)
        """,
    "client": """
        import socket, subprocess, sys
        s = socket.create_connection((sys.argv[1], 80), 600)
        seen = s.makefile().readline().split()
        own = [str(x) for x in s.getsockname()[:2]]
        ss = ["ip", "netns", "exec", "gw", "ss", "-Htn", "state", "established"]
        legs = [x for x in subprocess.check_output(ss, text=True).splitlines() if ":" + own[1] in x]
        print("seen" if seen == own else f"{seen} for {own}", len(legs), flush=True)
        """,
    "itself": """
        import socket
        try:
            socket.create_connection(("10.1.0.1", 80), 600)
        except OSError as e:
            print(type(e).__name__)
        """,
    # Until a listener is there; systemd waits for HAProxy's own word.
    "wait": """
        import subprocess, sys, time
        ss = ["ip", "netns", "exec", sys.argv[1], "ss", "-Htlno", f"sport = {sys.argv[2]}"]
        end = time.monotonic() + 600
        while len(subprocess.check_output(ss).splitlines()) < 2:
            if time.monotonic() > end:
                sys.exit("nobody listens on " + sys.argv[2])
            time.sleep(0.05)
        """,
}
SHOW = ("ip rule", "ip -6 rule", "ip route show table all", "ip -6 route show table all", "nft list ruleset")
# Addresses of IPv6 links come by themselves, a moment later.
STATE = f"{{ {' '.join(f'gw {command};' for command in SHOW)} }} | grep -v -e fe80: -e ff00:"
COUNT = "gw sysctl -n net.netfilter.nf_conntrack_count"


def lines(key: str) -> list[str]:
    """The unit's commands of a kind, with the folder and the device of this test."""
    found = re.findall(rf"^{key}=-?(.*)$", UNIT.read_text(), re.M)
    expect(bool(found), f"the unit has no {key}")
    return [
        f"gw {line}".replace("/etc/wlink-proxy", str(OUT / "router")).replace("%i", "eth1") for line in found
    ]


def script() -> str:
    """Plain path, proxy, plain path; what is seen on each goes to standard output."""
    folder = OUT / "router"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in PROGRAMS.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    for name in ("rules.nft", "check"):
        shutil.copy(FOLDER / name, folder)
    # A container may not have as many descriptors as the unit asks of systemd.
    config = (FOLDER / "haproxy.cfg").read_text()
    (folder / "haproxy.cfg").write_text(config.replace("maxconn 20000", "maxconn 100"))
    python = f"/usr/bin/python3 {shlex.quote(str(folder))}"
    look = f"for a in 10.2.0.2 fd02::2; do ip netns exec cli {python}/client.py $a; done"
    return "\n".join(
        [
            NETWORK,
            f"ip netns exec srv {python}/server.py & {python}/wait.py srv 80",
            f"before=$({STATE})",
            look,
            *lines("ExecStartPre"),
            *(f"{line} & proxy=$!" for line in lines("ExecStart")),
            f"{python}/wait.py gw 50080",
            *lines("ExecStartPost"),
            f"tracked=$({COUNT})",
            look,
            f'[ $({COUNT}) -le "$tracked" ] && echo untracked',
            f"ip netns exec cli {python}/itself.py",
            *lines("ExecStopPost"),
            "kill $proxy; wait $proxy || :",
            look,
            f'after=$({STATE})',
            '[ "$before" = "$after" ] && echo same || diff <(echo "$before") <(echo "$after")',
        ]
    )


def check_a_router_the_proxy_of_its_unit() -> str:
    """The server sees the client's address and port; the router has two sockets, and nothing afterwards."""
    if os.getuid():
        raise Skipped("only root has a namespace with nftables here")
    if missing := [x for x in ("haproxy", "nft", "unshare") if not shutil.which(x)]:
        raise Skipped(f"{', '.join(missing)} is not there: userspace/need proxy")
    if call(["unshare", "-nmpf", "true"]).returncode:
        raise Skipped("no network and mount namespaces on this host")
    # A kernel of a container may lack the modules.
    rules = "table ip x { chain c { type filter hook prerouting priority -150; tcp dport 1 tproxy to :1; }; }"
    if call(["unshare", "-n", "nft", rules]).returncode:
        raise Skipped("this kernel has no nft_tproxy")
    argv = ["unshare", "-nmpf", "--mount-proc", "--kill-child", "bash", "-c", script()]
    done: Any = call(argv, timeout=1500)
    expect(done.returncode == 0, f"it ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    wanted = ["seen 0"] * 2 + ["seen 2"] * 2 + ["untracked", "ConnectionRefusedError"]
    wanted += ["seen 0"] * 2 + ["same"]
    expect(done.stdout.splitlines() == wanted, f"{done.stdout.splitlines()}, not {wanted}\n{done.stderr}")
    return "plain path, proxy, plain path, in IPv4 and IPv6"


def check_a_router_the_unit() -> str:
    """systemd takes the units, whose manuals may not be installed; ours has the commands of the proxy's."""
    if not shutil.which("systemd-analyze"):
        raise Skipped("no systemd-analyze here")
    if not shutil.which("haproxy"):
        raise Skipped("haproxy is not there: userspace/need proxy")
    done = call(["systemd-analyze", "verify", "--man=no", str(UNIT), str(RESTORE)])
    # It also looks at other units of this machine.
    faults = [line for line in done.stderr.splitlines() if "wlink-" in line]
    expect(not faults and not done.returncode, "\n".join([*faults, done.stderr]))
    page = (ROOT / "Documentation" / "proxy.md").read_text()
    for words in (f"systemctl link /etc/wlink-proxy/{UNIT.name}", "cp -r userspace/proxy /etc/wlink-proxy"):
        expect(words in page, f"proxy.md does not say {words}")
    return UNIT.name


# By program what it does where all is there, then one that lacks something and how that is named.
THERE = {"haproxy": "echo HAProxy version 2.6.12-1", "nft": ":", "ip": ":"}
LACKS = {
    "there is no haproxy": ("haproxy", "exit 127"),
    "haproxy 2.2.9 is older than 2.6": ("haproxy", "echo HAProxy version 2.2.9-2"),
    "this kernel has no policy routing for IPv4 (CONFIG_IP_MULTIPLE_TABLES": ("ip", "exit 1"),
    "this kernel has no policy routing for IPv6": ("ip", "[ $1 = -4 ]"),
    "this kernel has no TPROXY for nftables (CONFIG_NFT_TPROXY": ("nft", "exit 1"),
    "CAP_NET_ADMIN or CAP_NET_RAW is missing": ("status", "0000000000001000"),
}


def check_a_router_what_is_missing_is_named() -> str:
    """What is missing is named before anything starts."""
    folder = OUT / "router-lacks"
    folder.mkdir(parents=True, exist_ok=True)

    def check(program: str = "", instead: str = "") -> Any:
        for name, does in THERE.items():
            (folder / name).write_text(f"#!/bin/sh\n{instead if name == program else does}\n")
            (folder / name).chmod(0o755)
        status = instead if program == "status" else "000001ffffffffff"
        (folder / "status").write_text(f"CapEff:\t{status}\n")
        words = [f"PATH={folder}:/usr/bin:/bin", f"STATUS={folder}/status"]
        return call(["env", *words, str(FOLDER / "check")])

    done = check()
    expect(done.returncode == 0 and not done.stderr, f"nothing is missing: {done.stderr}")
    for words, lack in LACKS.items():
        done = check(*lack)
        expect(done.returncode == 1 and done.stderr.startswith(f"wlink-proxy: {words}"), done.stderr)
    return f"{len(LACKS)} of them"


def check_a_router_wlink_pep_without_capabilities() -> str:
    """wlink-pep without capabilities names them and listens nowhere."""
    made = call(["make", "-s", "-C", str(ROOT / "userspace" / "wlink-pep")])
    expect(made.returncode == 0, made.stderr)
    # From a copy: a user may not be able to enter the folder of the sources.
    program = Path(shutil.copy(ROOT / "build" / "bin" / "wlink-pep", mkdtemp()))
    program.parent.chmod(0o755)
    become = [] if os.getuid() else ["setpriv", "--reuid=65534", "--clear-groups"]
    done = call([*become, str(program), "127.0.0.1:1"], timeout=60)
    shutil.rmtree(program.parent)
    said = "wlink-pep: raw socket (CAP_NET_RAW and CAP_NET_ADMIN are needed): Operation not permitted"
    expect(done.returncode == 1 and said in done.stderr, done.stderr)
    return done.stderr.strip()[-70:]
