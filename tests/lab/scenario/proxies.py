# SPDX-License-Identifier: GPL-2.0
"""Split-connection proxies in a scenario: who sees whom, TCP of each leg, one seed and one log."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from brief import brief
from determinism import told
from lab import Skipped, expect, run, sdus

APART = True

NETWORK = brief("""duration = "DURATION"
RANGE
[node.server] [node.gw] [node.enb] count = 2
[node.ue] count = 2
[link.net] between = ["server", "gw"]; wlink = "rate 100mbit delay 50ms"
[link.core] between = ["gw", "enb-*"]; wlink = "rate 100mbit delay 1ms"
[cell.a] at = "enb-1"; users = "ue-*"; down = "rate 5mbit tti 1ms sched rr"
up = "rate 2mbit tti 1ms sched rr"
[cell.b] at = "enb-2"; users = []; down = "rate 5mbit tti 1ms sched rr"; up = "rate 2mbit tti 1ms sched rr"
[[flow]] name = "dl"; kind = "tcp"; from = "server"; to = "ue-1"
[[at]] time = "4s"; move = "ue-1"; to = "b"; queue = "forward"
""")
PROXY = """[proxy.split]
on = "gw"
"""
# Both print the address and port of the client.
SERVER = """exec python3 -c '
import socket
s = socket.create_server(("", 80), family=socket.FAMILY)
c, peer = s.accept()
print(*peer[:2], c.recv(99))
c.sendall(b"hello")
c.close()'
"""
CLIENT = """exec python3 -c '
import socket
s = socket.create_connection(("ADDRESS", 80))
s.sendall(b"x")
print(*s.getsockname()[:2], s.recv(99), s.recv(99))'
"""
FAMILIES = {"IPv4": ("", "AF_INET", "10.0.0.1"), "IPv6": ('addresses = "fd00::/64"', "AF_INET6", "fd00::1")}


def program(name: str, place: str, line: str, more: str = "") -> str:
    line = " ".join(line.split("\n")[:1]) + ";".join(line.strip().split("\n")[1:])
    return f"[[program]]\nname = '{name}'\nin = '{place}'\nrun = \"\"\"{line}\"\"\"\n{more}\n"


def network(duration: str, more: str, addresses: str = "") -> str:
    if not shutil.which("haproxy", path="/usr/bin:/bin:/usr/sbin:/sbin"):
        raise Skipped("haproxy is not there: userspace/need proxy")
    text = NETWORK.replace("DURATION", duration).replace("RANGE", addresses)
    return f"{text}{PROXY}{more}"


def goodput(result: dict[str, Any], flow: str) -> float:
    return float(result["flows"][flow]["goodput_bps"])


def seen(version: str) -> Callable[[], str]:
    def case() -> str:
        """The server sees the client's address and port; a flow goes on through a move."""
        addresses, family, server = FAMILIES[version]
        programs = program("server", "server", SERVER.replace("FAMILY", family))
        programs += program("client", "ue-2", CLIENT.replace("ADDRESS", server), "start = '1s'")
        text = network("8s", f"ports = {{ server = [80] }}\n{programs}", addresses)
        result, folder = run(f"proxy-{family[3:].lower()}", text)
        client, peer = ((folder / "programs" / f"{one}.out").read_text() for one in ("client", "server"))
        expect(client.endswith(" b'hello' b''\n"), f"the client says {client!r}")
        own = client.split()[:2]
        expect(peer.split() == [*own, "b'x'"], f"the server sees {peer!r}, the client is {own}")
        # Without the proxy the window of a path of 100 ms would not be open yet after 4 s.
        late = [s for s in sdus(folder, "b.down") if s.drop == "none" and s.deliver > 6_000_000_000]
        expect(len(late) > 700, f"only {len(late)} packets of the flow in the new cell")
        return f"{' '.join(own)}, {goodput(result, 'dl') / 1e6:.2f} Mbit/s"

    return case


def check_a_proxy_one_seed_one_log() -> str:
    """One seed, one log, with what all programs print; another seed has another log."""
    text = network("10s", "") + "[[flow]]\nname = 'w'\nkind = 'web'\nfrom = 'server'\nto = 'ue-2'\n"
    got = []
    for seed in (3, 3, 4):
        result, folder = run("proxy-repeats", text, "--seed", str(seed))
        got.append(told(folder))
        expect(result["events"] > 3000, f"only {result['events']} events")
    expect(got[0] == got[1], "another boot has other events")
    expect(got[0] != got[2], "another seed has the same events")
    # HAProxy cannot have been left out: each leg has a handshake of its own.
    for link in ("net.forward", "a.down"):
        syn = next(s for s in sdus(folder, link) if s.flow == "dl")
        expect(syn.tcp_seq == 0 and not syn.payload, f"{link} does not begin with a SYN")
    return str(got[0][0])[:16]


LEGS = brief("""notsent_lowat = "16kib"
congestion = "cubic"
[proxy.split.to."ue-*"] congestion = "reno"; initcwnd = 25; sndbuf = "64kib"
[proxy.split.to.server] rcvbuf = "128kib"
[[program]] name = "look"; in = "gw"; start = "3s"
run = "ss -Htinmo state established; cat /proc/sys/net/ipv4/tcp_notsent_lowat"
""")


def windows(folder: Path, flow: str) -> list[int]:
    lines = (folder / "series" / f"{flow}.cwnd.tsv").read_text().splitlines()
    return [int(line.split("\t")[1]) for line in lines if line[0].isdigit()]


def check_a_proxy_tcp_of_each_leg() -> str:
    """Congestion control, initial window and buffers of each leg, as the kernel has them."""
    _, folder = run("proxy-legs", network("5s", LEGS))
    printed = (folder / "programs" / "look.out").read_text()
    found = dict(re.findall(r" 10\.0\.0\.\d:\d+ +(10\.0\.0\.\d):\d+.*\n(.*)", printed))
    server, ue = found["10.0.0.1"], found["10.0.0.5"]
    for line, words in ((server, "cubic rb262144,"), (ue, "reno tb131072,")):
        for word in words.split():
            expect(word in line, f"no {word} in {line}")
    expect("rb262144," not in ue and "tb131072," not in server, "both legs have the buffers of one")
    expect(printed.endswith("\n16384\n"), "TCP_NOTSENT_LOWAT is not set")
    # The kernel logs the window at each ACK; nothing is lost before it has grown.
    first = windows(folder, "dl")[0]
    expect(first == 25, f"the window of the leg to the UE begins with {first}")
    # What is queued at the proxy, of which the receiver has not acknowledged more than its buffers hold.
    received = int(re.search(r"bytes_received:(\d+)", server)[1])  # type: ignore[index]
    acked = int(re.search(r"bytes_acked:(\d+)", ue)[1])  # type: ignore[index]
    expect(received - acked < 131072 + 65536 + 65536, f"the proxy holds {received - acked} bytes")
    return f"{received - acked} bytes in the proxy"


def check_a_proxy_sequence_numbers_of_a_leg() -> str:
    """Sequence numbers are those of the leg where a flow is measured, and begin with 0 there."""
    _, folder = run("proxy-counted", network("5s", ""))
    lines = [line.split("\t") for line in (folder / "series" / "dl.seq.tsv").read_text().splitlines()]
    received = [(int(line[2]), int(line[3])) for line in lines if line[1] == "received"]
    expect(received[0][0] == 0, f"the first byte has the number {received[0][0]}")
    due = 0
    for seq, size in received:
        expect(seq <= due, f"byte {due} is missing before {seq}")
        due = max(due, seq + size)
    bytes_net = {s.tcp_seq for s in sdus(folder, "net.forward") if s.flow == "dl" and s.payload}
    expect(min(bytes_net) == 1, f"on the other leg the first byte has the number {min(bytes_net)}")
    return f"{due} bytes"


GAIN = brief("""duration = "40s"
[wired] netem = "delay 62ms"
[radio.down] wlink = "rate 10mbit delay 10ms channel uniform loss 0.01"
[radio.up] wlink = "rate 10mbit delay 10ms"
[[flow]] name = "dl"; kind = "tcp"
""")


def check_a_proxy_the_rate_under_loss_is_that_of_the_leg() -> str:
    """With residual loss the rate of a window goes with 1/RTT, so a split path has that of its radio leg.

    Mathis et al. 1997: rate = MSS/RTT * sqrt(3/2)/sqrt(p); reno, no limit by the link's rate.
    """
    out = {}
    network("", "")
    for name, more, rtt_s in (("plain", "", 0.144), ("split", "[proxy.pep]\non = 'router'\n", 0.02)):
        text = GAIN.replace("0.01", "0.04") + "congestion = 'reno'\n" + more
        text += "[proxy.pep.to.ue]\ncongestion = 'reno'\n" if more else ""
        result, _ = run(f"proxy-{name}", text)
        out[name] = goodput(result, "dl")
        most = 1448 * 8 / rtt_s * (1.5 / 0.04) ** 0.5
        # RTOs at this loss keep it below; at 4 % half of it is usual (Padhye et al. 1998).
        expect(most / 4 < out[name] < most * 1.1, f"{name}: {out[name]:.0f} bit/s of {most:.0f}")
    return f"{out['plain'] / 1e3:.0f} and {out['split'] / 1e3:.0f} kbit/s"


FALL = brief("""duration = "30s"
[node.server] [node.gw] [node.ue]
[link.net] between = ["server", "gw"]; netem = "delay 20ms"
[link.radio] between = ["gw", "ue"]; wlink = "rate 10mbit delay 10ms limit 200"
[[flow]] name = "dl"; kind = "tcp"; from = "server"; to = "ue"; count = COUNT
[[flow]] name = "stamps"; kind = "udp"; from = "server"; to = "ue"; rate = "16kbit"; size = 100
[[at]] time = "10s"; in = "gw"; run = "wlinkctl set radio-f rate 1mbit"
[proxy.split] on = "gw"
""")
# The payload that a connection may have queued at 1 Mbit/s: the round trip is 20 ms and the 1.2 of a
# segment at 10 Mbit/s, the allowance 50 ms. The kernel tells memory, and wlinkctl leaves a buffer that is
# within an eighth; a segment more may begin where there is any room.
SEGMENT = 1448
BOUND = 1e6 / 8 * (0.0212 + 0.05)
QUEUED_MAX = BOUND * 1.125 + SEGMENT


def stamps_s(folder: Path, since_s: float) -> list[float]:
    """How long the stamps took that were sent since a time, by the radio link."""
    found = [s for s in sdus(folder, "radio.forward") if s.flow == "stamps" and s.drop == "none"]
    return [(s.deliver - s.arrival) / 1e9 for s in found if s.arrival > since_s * 1e9]


def check_a_proxy_feedback_after_a_fall_of_the_rate() -> str:
    """With feedback a stamp waits for a bounded queue after the rate has fallen, and without for a full one.

    The drain of what was under way at 10 Mbit/s takes less than a second: 10 Mbit/s for 72 ms and
    an eighth, at 1 Mbit/s. Without, CUBIC leaves 7/10 of 200 packets and the round trip's when one is lost.
    """
    network("", "")
    text = FALL.replace("COUNT", "1")
    plain, folder = run("feedback-off", text)
    waits = stamps_s(folder, 12)
    off_s = sum(waits) / len(waits)
    least = (0.7 * 200 * 1500 - 0.3 * 2500) * 8 / 1e6
    expect(off_s > least, f"without feedback stamps take {off_s:.3f} s in the mean, not {least:.3f}")
    # All that is queued goes first, with 52 bytes of headers to a segment, and the link's own 10 ms.
    most = 0.010 + (QUEUED_MAX * 1500 / SEGMENT + 1500) * 8 / 1e6
    hashes, tells = [], [f"{off_s:.2f} s in the mean"]
    for program in ("haproxy", "haproxy", "wlink-pep"):
        result, folder = run("feedback-on", f"{text}program = '{program}'\nfeedback = '50ms'\n")
        hashes.append(result["event_sha256"])
        waits = stamps_s(folder, 12)
        on_s = max(waits)
        expect(len(waits) > 300 and on_s < most, f"with {program} a stamp took {on_s:.3f} s, not {most:.3f}")
        of = goodput(result, "dl1") / goodput(plain, "dl1")
        expect(0.95 < of < 1.05, f"with {program} goodput is {of:.3f} of that without")
        tells.append(f"{program} {on_s:.3f} s at most, {of:.3f} of the goodput")
    expect(hashes[0] == hashes[1], "another boot has other events")
    return "; ".join(tells)


TOLD = brief("""[[program]] name = "feedback"; in = "gw"; start = "500ms"
run = "exec wlinkctl --json feedback radio-f of haproxy every 10s to 10.0.0.3"
[[program]] name = "look"; in = "gw"; start = "18s"
run = "for i in 1 2 3 4; do ss -Htn state established dst 10.0.0.3; sleep 0.1; done"
""")


def check_a_proxy_feedback_is_told_of_a_change() -> str:
    """A notification makes it look, long before it is time; two connections share the bound."""
    network("", "")
    _, folder = run("feedback-told", FALL.replace("COUNT", "2") + TOLD)
    lines = (folder / "programs" / "feedback.out").read_text().splitlines()
    seen_at = [one for one in map(json.loads, lines) if one["rate_bps"] == 1_000_000]
    expect(bool(seen_at), f"it has not seen the change: {lines}")
    expect(seen_at[0]["connections"] == 2, f"it counts {seen_at[0]['connections']} connections")
    # CLOCK_MONOTONIC at the start is a multiple of 2^21 ticks of 10 ms (plan/plan.py).
    after_s = seen_at[0]["time_ns"] % ((1 << 21) * 10_000_000) / 1e9 - 10
    expect(0 <= after_s < 0.01, f"it has seen the change {after_s:.3f} s after it")
    printed = (folder / "programs" / "look.out").read_text()
    queued = [int(line.split()[1]) for line in printed.splitlines() if line[0] == "0"]
    expect(len(queued) == 8, f"no two connections: {printed}")
    # The least is four segments each.
    most = max(BOUND / 2, 4 * SEGMENT) * 1.125 + SEGMENT
    expect(SEGMENT < max(queued) < most, f"{queued} bytes are queued, {most:.0f} may be")
    return f"after {after_s * 1e6:.0f} us; {max(queued)} bytes a connection, {most:.0f} may be"


SHARED = brief("""duration = "6s"
RANGE
[node.server] [node.gw] [node.enb] [node.ue] count = 2
[link.net] between = ["server", "gw"]; netem = "delay 20ms"
[link.core] between = ["gw", "enb"]
[cell.a] at = "enb"; users = "ue-*"; down = "rate 8mbit tti 1ms sched rr"
up = "rate 2mbit tti 1ms sched rr"
[[flow]] name = "first"; kind = "tcp"; from = "server"; to = "ue-1"
[[flow]] name = "second"; kind = "tcp"; from = "server"; to = "ue-2"; start = "3s"
[proxy.split] on = "gw"
""")
# The first that matches counts, so that the second one's prefix is of ue-2 alone.
WATCHED = {
    "both": "exec wlinkctl feedback a-d of haproxy netns gw to OWN bearer 3 to OWN/BITS",
    "elsewhere": "exec wlinkctl feedback a-d of haproxy to OWN/BITS",
    "nobody": "setpriv --reuid 65534 --clear-groups wlinkctl feedback a-d of haproxy netns gw to OWN 2>&1;"
    " echo $?",
}
USER = {"IPv4": ("", "10.0.0.4", "31"), "IPv6": ('addresses = "fd00::/64"', "fd00::4", "127")}


def shares(version: str) -> Callable[[], str]:
    def case() -> str:
        """Users of a cell share its rate while both have data; it sees the program of its namespace only."""
        addresses, own, bits = USER[version]
        network("", "")
        programs = "".join(program(name, "enb", line, "start = '500ms'") for name, line in WATCHED.items())
        programs = programs.replace("to OWN bearer", "bearer 2 to OWN bearer")
        text = (SHARED.replace("RANGE", addresses) + programs).replace("OWN", own).replace("BITS", bits)
        _, folder = run(f"feedback-{version}", text)
        printed = {one: (folder / "programs" / f"{one}.out").read_text().splitlines() for one in WATCHED}
        seen = [json.loads(line) for line in printed["both"]]
        for one in seen:
            one["at_s"] = one["time_ns"] % ((1 << 21) * 10_000_000) / 1e9
        first, second = ([one for one in seen if one["bearer"] == bearer] for bearer in (2, 3))
        alone = {one["rate_bps"] for one in first if one["at_s"] < 3}
        expect(alone == {8_000_000}, f"alone, the first user has {alone} bit/s")
        for who in (first, second):
            late = [(one["rate_bps"], one["connections"]) for one in who if one["at_s"] > 3]
            expect((4_000_000, 1) in late, f"with both, bearer {who[0]['bearer']} has {late}")
        there = {json.loads(line)["connections"] for line in printed["elsewhere"]}
        expect(there == {0}, f"without netns it sees {there} connections")
        denied = "wlinkctl: the sockets of haproxy: Permission denied; it needs Linux 5.6, and root or "
        said, status = printed["nobody"][-2:]
        expect(said.startswith(denied) and status == "2", f"an ordinary user sees {printed['nobody']}")
        return f"{len(first)} and {len(second)} lines"

    return case


CASES = {
    "a proxy: feedback for users of a cell, IPv4": shares("IPv4"),
    "a proxy: feedback for users of a cell, IPv6": shares("IPv6"),
    "a proxy: addresses and a move, IPv4": seen("IPv4"),
    "a proxy: addresses and a move, IPv6": seen("IPv6"),
}
