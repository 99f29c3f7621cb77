# SPDX-License-Identifier: GPL-2.0
"""Pages of Documentation/howto for others' networks: their files and lines, as they stand, in one guest.

It has the module, ip and tc, and namespaces in the place of containers. Flent has a scenario of its own.
"""

import json
import re
import shlex
import shutil
from functools import cache
from pathlib import Path

from lab import OUT, ROOT, Skipped, expect, wlab
from wlablib.cli import main
from wlablib.link import link

HOWTO = ROOT / "Documentation" / "howto"
PLACE = OUT / "others"
# Three nodes: the one in the middle is the container, the other two speak through it.
# dumpcap gives up what lets root write into the folder of an ordinary user of the host.
SIM = """
for n in sim phone server; do ip netns add $n; ip -n $n link set lo up; done
ip link add eth0 netns sim type veth peer name eth0 netns phone
ip link add eth1 netns sim type veth peer name eth0 netns server
addr() { ip -n $1 addr add $2/24 dev $3; ip -n $1 addr add $4/64 dev $3 nodad; ip -n $1 link set $3 up; }
addr sim 193.167.0.2 eth0 fd00:cafe:cafe:0::2; addr phone 193.167.0.100 eth0 fd00:cafe:cafe:0::100
addr sim 193.167.100.2 eth1 fd00:cafe:cafe:100::2; addr server 193.167.100.100 eth0 fd00:cafe:cafe:100::100
for n in phone server; do
    gateway=0; [ $n = phone ] || gateway=100
    ip -n $n route add 193.167.0.0/16 via 193.167.$gateway.2
    ip -n $n route add fd00:cafe:cafe::/48 via fd00:cafe:cafe:$gateway::2
done
at() { ip netns exec "$@"; }
export LOGS=$(mktemp -d) WAITFORSERVER=193.167.100.100:443
at sim sh -c 'SCENARIO="simple-p2p --delay=15ms" bash run.sh' 2>said && exit 1
grep "SCENARIO is 'wlink'" said
at sim sh -c 'SCENARIO="wlink rate 1parsec" bash run.sh' 2>said && exit 1
grep parsec said
ip netns exec server /usr/bin/python3 -c 'import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("", 443))
while True: s.sendto(b"version negotiation", s.recvfrom(2000)[1])' &
ip netns exec sim env SCENARIO="wlink preset lte-train seed 7" bash run.sh >sim.out &
tries=0
until at phone bash -c '</dev/tcp/193.167.0.2/57832' 2>/dev/null; do
    tries=$((tries + 1)); [ $tries -lt 100 ]; sleep 0.1
done
for to in 193.167.100.100 fd00:cafe:cafe:100::100; do
    at phone ping -q -c 10 -i 0.2 -W 9 $to | tee -a pings
done
@QUIC@
at sim wlinkctl --json show >shown
kill %2; wait %2
kill %1
cp $LOGS/* .
"""
# A file for the client, by ngtcp2.
QUIC = """
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
    -keyout key.pem -out cert.pem -subj /CN=server
head -c 1000000 /dev/urandom >file
ip netns exec server gtlsserver -q -d . '*' 4433 key.pem cert.pem &
mkdir got
sleep 1
began=$(date +%s%N)
at phone gtlsclient -q --exit-on-all-streams-close --download got 193.167.100.100 4433 https://193.167.100.100/file
echo $((($(date +%s%N) - began) / 1000000)) >quic_ms
kill %3
"""
CONTAINERS = """
ip netns add phone
ip link add veth7 type veth peer name eth0 netns phone
ip link set veth7 up; ip -n phone link set eth0 up
ip netns exec phone sleep 1000 &
until [ "$(ip netns identify $!)" = phone ]; do sleep 0.1; done
docker() { echo $!; }
sudo() { "$@"; }
wlinkctl --netns phone show eth0 2>said && exit 1
wlinkctl --netns no-such show 2>>said && exit 1
wlinkctl --json --netns 2>>said && exit 1
"""
# The nodes of a topology, whose namespaces have these names.
CLAB = """
for n in phone server; do ip netns add clab-lte-$n; done
ip link add eth1 netns clab-lte-phone type veth peer name eth1 netns clab-lte-server
for n in phone server; do ip -n clab-lte-$n link set eth1 up; done
sudo() { "$@"; }
"""
CLAB_SHOWN = """
for n in phone server; do wlinkctl --json --netns clab-lte-$n show >$n.json; done
"""
SHOWN = """
wlinkctl --json --netns phone show >phone.json
wlinkctl --json show >host.json
kill %1
"""


def blocks(page: str) -> dict[str, str]:
    return dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", (HOWTO / page).read_text(), re.M | re.S))


def commands(page: str, part: str) -> str:
    """What a section of a page says to type."""
    text = (HOWTO / page).read_text().partition(f"## {part}\n")[2].partition("\n## ")[0]
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    found = re.findall(r"^ +- command: (.+)$", text, re.M) + re.findall(r"^    (.+)$", plain, re.M)
    expect(len(found) > 2, f"{page}, {part}: {found}")
    return "\n".join(found)


def cells() -> list[tuple[str, str]]:
    """Theirs and ours of all tables of the page for those who come from elsewhere."""
    found = re.findall(r"^\| (.+?) \| (.+?) \|$", (HOWTO / "coming-from.md").read_text(), re.M)
    rows = [(theirs, ours) for theirs, ours in found if ours != "wlink"]
    pairs = [(theirs, code[1]) for theirs, ours in rows if (code := re.search("`(.+?)`", ours))]
    expect(len(pairs) == len(rows) > 12, f"{len(pairs)} of {len(rows)} rows")
    return pairs


def by_lines() -> str:
    """What is typed of these tables: words of tc, and wlinkctl as it stands."""
    out = []
    for _, ours in cells():
        if ours.startswith("wlinkctl "):
            out += ["tc qdisc del dev eth1 root", "tc qdisc add dev eth1 root wlink rate 1mbit", ours]
        elif ours.startswith("wlab "):
            out += [f"tc qdisc replace dev eth1 root wlink {words}" for words in lines_of(ours)]
        else:
            full = ours if "rate " in ours else f"rate 1mbit {ours}"
            out.append(f"tc qdisc replace dev eth1 root wlink {full}")
    return "ip link add eth1 type dummy; ip link set eth1 up\n" + "\n".join(out)


def lines_of(command: str) -> list[str]:
    args = main.parser().parse_args(shlex.split(command)[1:])
    found = link.of("", args.down, args.up, getattr(args, "trace", ""))
    return [found.down, found.up]


@cache
def ran() -> Path:
    """All of it in one boot, in a folder that remains."""
    shutil.rmtree(PLACE, ignore_errors=True)
    files = PLACE / "files"
    files.mkdir(parents=True)
    for page in ("quic-network-simulator.md", "mininet.md"):
        for name, text in blocks(page).items():
            (files / name).write_text(text)
    (files / "down.trace").write_text("1\n2\n3\n")
    (files / "drive.csv").write_text("# JENS\n20000\n10000\n")
    (files / "trace.csv").write_text("1000000,25000000,20000000,0,100\n1000000,25000000,10000000,0,100\n")
    docker = CONTAINERS + commands("containers.md", "Docker")
    parts = {
        "sim": SIM.replace("@QUIC@", QUIC if shutil.which("gtlsclient") else ""),
        "docker": docker + SHOWN,
        "containerlab": CLAB + commands("containers.md", "containerlab") + CLAB_SHOWN,
        "mininet": "/usr/bin/python3 -B phone.py",
        "lines": by_lines(),
    }
    for name, text in parts.items():
        shutil.copytree(files, PLACE / name)
        (PLACE / name / "script").write_text(text)
    each = "ip -all netns del; (cd $n && bash -ex script >log 2>&1; echo $? >status)"
    called = wlab("exec", "--", "/bin/bash", "-c", f"cd {PLACE}; for n in {' '.join(parts)}; do {each}; done")
    expect(called.status == 0, f"{called.out}{called.err}")
    return PLACE


def done(name: str) -> Path:
    at = ran() / name
    expect((at / "status").read_text() == "0\n", (at / "log").read_text()[-2000:])
    return at


def check_howto_in_the_place_of_quic_network_simulators_sim() -> str:
    """Both families cross both links, each has the preset of its direction, and the captures are there."""
    at = done("sim")
    losses = re.findall(r"(\d+)% packet loss", (at / "pings").read_text())
    least = [float(ms) for ms in re.findall(r"= ([\d.]+)/", (at / "pings").read_text())]
    expect(len(losses) == len(least) == 2 and all(int(one) < 50 for one in losses), f"{losses}")
    links = {one["dev"]: one for one in json.loads((at / "shown").read_text())}
    rates = {dev: one["options"]["rate_bps"] for dev, one in links.items()}
    expect(rates == {"eth0": 8_760_000, "eth1": 3_496_000}, f"{rates}")
    delay = sum(one["options"]["delay_ns"] for one in links.values()) / 1e6
    expect(all(ms >= delay for ms in least), f"{least} ms, the delays are {delay} ms")
    expect(all(one["options"]["seed"] == 7 for one in links.values()), f"{links}")
    ended = json.loads((at / "wlink.json").read_text())
    expect(all(one["xstats"]["sdus_in"] >= 20 for one in ended), f"{ended}")
    for side in ("left", "right"):
        size = (at / f"trace_node_{side}.pcap").stat().st_size
        expect(size > 40 * 98, f"trace_node_{side}.pcap has {size} bytes")
    return f"round trips from {min(least)} ms, lost {losses} %"


def check_howto_quic_through_that_sim() -> str:
    """The file comes whole, no sooner than the downlink's rate lets it."""
    at = done("sim")
    if not (at / "quic_ms").exists():
        raise Skipped("ngtcp2 is not there: userspace/need programs")
    expect((at / "got/file").read_bytes() == (at / "file").read_bytes(), "the file is another one")
    ms = int((at / "quic_ms").read_text())
    expect(ms > 8 * 1_000_000 / 8760, f"{ms} ms")
    return f"1 MB in {ms} ms"


def check_howto_dockers_lines_wlinkctl_netns() -> str:
    at = done("docker")
    (inside,), (outside,) = (json.loads((at / name).read_text()) for name in ("phone.json", "host.json"))
    have = inside["dev"], inside["options"]["rate_bps"], outside["dev"]
    expect(have == ("eth0", 1_000_000, "veth7"), f"{have}")
    said = (at / "said").read_text()
    for words in ("eth0", "netns no-such: No such file", "--netns needs a name"):
        expect(words in said, f"no '{words}' in {said}")
    return "in the container and on the host"


def check_howto_containerlabs_lines() -> str:
    at = done("containerlab")
    (phone,), (server,) = (json.loads((at / f"{name}.json").read_text()) for name in ("phone", "server"))
    rates = [one["options"]["rate_bps"] for one in (phone, server)]
    expect(rates == [1_000_000, 16_416_000], f"{rates}")
    return "in both nodes"


def check_howto_mininet() -> str:
    if not Path("/usr/lib/python3/dist-packages/mininet").is_dir():
        raise Skipped("Mininet is not there: userspace/need programs")
    text = (done("mininet") / "log").read_text()
    expect("3 received" in text and "rate 500kbit" in text, text)
    return "3 packets"


def check_howto_coming_from_others_each_of_our_lines() -> str:
    done("lines")
    return f"{len(cells())} lines"


def check_howto_flent() -> str:
    """What Flent prints of the page's scenario: the round trips rise when the flow begins."""
    if missing := [one for one in ("flent", "irtt") if not shutil.which(one)]:
        raise Skipped(f"{missing[0]} is not there: userspace/need programs")
    (out := OUT / "flent").mkdir(parents=True, exist_ok=True)
    (out / "flent.toml").write_text(blocks("flent.md")["flent.toml"])
    shutil.rmtree(out / "run", ignore_errors=True)
    called = wlab("run", str(out / "flent.toml"), "--out", str(out / "run"))
    expect(called.status == 0, called.err)
    text = (out / "run" / "programs" / "flent.out").read_text()
    rows = [[float(n) for n in row.split(",")] for row in re.findall(r"^\d[\d.,]+$", text, re.M)]
    idle = [ms for t, *both in rows for ms in both if t < 6]
    loaded = [ms for t, *both in rows for ms in both if t > 14]
    expect(len(idle) == 60 and max(idle) < 60 and len(loaded) >= 8 and min(loaded) > 200, text)
    expect(len(list((out / "run" / "kept").glob("ping-*.flent.gz"))) == 1, called.err)
    return f"at most {max(idle):.0f} ms idle, at least {min(loaded):.0f} ms loaded"
