# SPDX-License-Identifier: GPL-2.0
"""Networks of nodes, links and cells: what can be worked out by hand."""

import hashlib
from itertools import pairwise
from pathlib import Path

from brief import brief
from lab import OUT, ROOT, WLAB, Sdu, call, expect, run, sdus, wlab, write

PIPE = brief("""duration = "5s"
[node.a] [node.b] [node.c]
[link.one] between = ["a", "b"]; wlink = "rate 1mbit delay 7ms"
[link.two] between = ["b", "c"]; wlink = "rate 10mbit delay 3ms"
[[flow]] name = "probe"; kind = "udp"; rate = "100kbit"; size = 1000; from = "a"; to = "c"
""")
CELL = brief("""duration = "20s"
[node.server] [node.enb] [node.ue] count = 3
[link.core] between = ["server", "enb"]; wlink = "rate 100mbit delay 5ms"
[cell.air] at = "enb"; users = "ue-*"; down = "rate 3mbit sched rr limit 40"
up = "rate 3mbit sched rr limit 40"
""")


def by_seq(folder: Path, link: str) -> list[Sdu]:
    return sorted(sdus(folder, link), key=lambda s: s.seq)


def check_a_row_of_links_adds_delays() -> str:
    """Each link of a row adds its serialisation and its delay, to the ns; nothing lies between them."""
    _, folder = run("net-pipeline", PIPE)
    one, two = by_seq(folder, "one.forward"), by_seq(folder, "two.forward")
    wanted = 8_000_000 + 7_000_000, 800_000 + 3_000_000
    here = [(a, b) for a, b in zip(one, two) if a.drop == b.drop == "none"]
    expect(len(here) > 50, f"only {len(here)} packets came through both")
    late = 0
    for a, b in here:
        got = a.deliver - a.arrival, b.deliver - b.arrival
        expect(got == wanted, f"{got} ns, not {wanted}")
        late = max(late, b.arrival - a.deliver)
        expect(b.arrival >= a.deliver, f"packet {b.seq} came {a.deliver - b.arrival} ns too early")
    expect(late < 1000, f"{late} ns between the links")
    return f"{len(here)} packets took {sum(wanted)} ns; at most {late} ns between the links"


# Rate in Mbit/s, delay in ms of the links of scenarios/pipeline.toml, in their order.
EIGHT = {
    "access": (10, 1), "radio": (2, 20), "backhaul": (8, 3), "aggregation": (50, 2), "core": (100, 5),
    "transit": (40, 30), "peering": (20, 4), "server-side": (5, 1),
}  # fmt: skip
BULK = """
[[flow]]
name = "bulk"
kind = "udp"
rate = "3mbit"
size = 1000
from = "client"
to = "server"
"""


def check_eight_links_in_a_row_their_delays_and_the_slowest() -> str:
    """Eight links in a row: delays add up; a flood leaves at the least rate and is dropped there."""
    text = (ROOT / "userspace/wlab/scenarios/pipeline.toml").read_text().partition("\n\n")[2]
    _, folder = run("net-eight", 'duration = "5s"\n' + text)
    found = {name: by_seq(folder, f"{name}.forward") for name in EIGHT}
    wanted = {name: 8_000_000 // rate + delay * 1_000_000 for name, (rate, delay) in EIGHT.items()}
    count = min(map(len, found.values()))
    expect(count > 50, f"only {count} packets came through all")
    whole = sum(wanted.values())
    for at in range(count):
        path = [found[name][at] for name in EIGHT]
        if any(s.drop != "none" for s in path):
            continue
        own = {name: s.deliver - s.arrival for name, s in zip(EIGHT, path)}
        expect(own == wanted, f"packet {at}: {own}, not {wanted}")
        # Between two links is the time in which a node forwards it: none, but for the clock's reading.
        took = path[-1].deliver - path[0].arrival
        expect(whole <= took < whole + 7 * 1000, f"packet {at} took {took} ns, and the links {whole}")
    _, folder = run("net-eight-flood", 'duration = "5s"\n' + text + BULK)
    drops = {name: sum(s.drop == "overflow" for s in sdus(folder, f"{name}.forward")) for name in EIGHT}
    expect([name for name, n in drops.items() if n] == ["radio"], f"drops: {drops}")
    last = [s.end for s in sdus(folder, "server-side.forward") if s.drop == "none" and s.end >= 10**9]
    bps = 8000 * (len(last) - 1) * 1e9 / (max(last) - min(last))
    expect(abs(bps / 2e6 - 1) < 0.002, f"{bps} bit/s leave the last link, not 2 Mbit/s")
    return f"{whole} ns over eight links; {bps:.0f} bit/s past that of 2 Mbit/s with {drops['radio']} drops"


def check_a_cells_users_share_by_turns() -> str:
    """Users of a cell that are always served in turn have a third each; the filters tell them apart."""
    text = CELL + '[[flow]]\nname = "full"\nkind = "udp"\nrate = "2mbit"\nfrom = "server"\nto = "ue-*"\n'
    result, folder = run("net-shared", text)
    bits = dict.fromkeys((2, 3, 4), 0)
    for s in sdus(folder, "air.down"):
        user = int(s.flow.rpartition("-")[2])
        expect(s.bearer == user + 1, f"{s.flow} is on bearer {s.bearer}")
        if s.drop == "none" and s.end >= 10**9:
            bits[s.bearer] += 8 * s.bytes
    shares = [b / 19 for b in bits.values()]
    expect(all(abs(s / 1e6 - 1) < 0.005 for s in shares), f"{shares} bit/s, not 1 Mbit/s each")
    for name, flow in result["flows"].items():
        expect(flow["to"] == name.rpartition(".")[2] and flow["link"] == "air.down", f"{name}: {flow}")
    return f"{', '.join(f'{s:.0f}' for s in shares)} bit/s"


def check_a_cells_way_up() -> str:
    """What users send shares the cell's one way up."""
    text = CELL + '[[flow]]\nname = "full"\nkind = "udp"\nrate = "2mbit"\nfrom = "ue-*"\nto = "server"\n'
    _, folder = run("net-uplink", text)
    here = [s for s in sdus(folder, "air.up") if s.drop == "none" and s.end >= 10**9]
    for user in (1, 2, 3):
        mine = [s for s in here if s.bearer == user + 1]
        expect({s.flow for s in mine} == {f"full.ue-{user}"}, f"{ {s.flow for s in mine} } on {user + 1}")
        bps = 8 * sum(s.bytes for s in mine) / 19
        expect(abs(bps / 1e6 - 1) < 0.005, f"ue-{user}: {bps} bit/s")
    begun = sorted(here, key=lambda s: s.start)
    expect(all(a.end <= b.start for a, b in pairwise(begun)), "two users sent at a time")
    return f"{len(here)} packets, one at a time"


TRIANGLE = brief("""duration = "2s"
[node.a]
{via}
[node.b] [node.c]
[link.ab] between = ["a", "b"]; wlink = "rate 10mbit"
[link.ac] between = ["a", "c"]; wlink = "rate 10mbit"
[link.cb] between = ["c", "b"]; wlink = "rate 10mbit"
[[flow]] name = "probe"; kind = "udp"; rate = "100kbit"; from = "a"; to = "b"
""")


def check_shortest_ways_and_via() -> str:
    """The shortest way is taken, or the one that is asked for."""
    links = []
    for said in ("", 'via = { b = "c" }'):
        result, _ = run("net-via", TRIANGLE.format(via=said))
        links.append([n for n, x in result["links"].items() if x["xstats"]["sdus_delivered"] > 5])
    expect(links == [["ab.forward"], ["ac.forward", "cb.forward"]], str(links))
    return "direct, and by c"


def check_programs_commands_mtu() -> str:
    """Programs and commands find nodes, devices and each other; a packet's life is as its hops say."""
    text = PIPE + (
        '[[at]]\ntime = "1s"\nrun = "wlinkctl set {two.forward} rate 5mbit"\n'
        '[[program]]\nname = "ends"\nin = "c"\nrun = "ip route get 10.0.0.1 | head -n 1; ip -br addr"\n'
        '[[program]]\nname = "mtu"\nin = "b"\nrun = "cat /proc/sys/net/ipv4/ip_forward; ip link"\n'
    )
    result, folder = run("net-commands", text.replace("[link.two]", "[link.two]\nmtu = 1400"))
    said = (folder / "programs" / "ends.out").read_text()
    expect("via 10.0.0.2 dev two-b src 10.0.0.3" in said, said)
    said = (folder / "programs" / "mtu.out").read_text()
    expect("two-f" in said and said.split().count("1400") == 1 and said.startswith("1\n"), said)
    rate = result["links"]["two.forward"]["xstats"]["rate_bps"]
    expect(rate == 5_000_000, f"{rate} bit/s")
    return "routes, MTU and a changed rate"


def check_one_seed_one_log() -> str:
    """TCP of several users through a cell: one seed, one log."""
    text = CELL + (
        '[tcp]\nstack = "reno-2006"\n'
        '[[flow]]\nname = "file"\nkind = "tcp"\nfrom = "server"\nto = "ue-*"\n'
        '[[flow]]\nname = "page"\nkind = "web"\nfrom = "server"\nto = "ue-1"\n'
    )
    results = [run("net-same", text, out=f"net-same-{i}")[0] for i in range(2)]
    logs = [hashlib.sha256((OUT / f"net-same-{i}" / "events.tsv").read_bytes()).hexdigest() for i in range(2)]
    expect(logs[0] == logs[1] == results[0]["event_sha256"], f"{logs}")
    expect(results[0]["stack"]["differs"] == [], f"{results[0]['stack']['differs']}")
    return f"twice {logs[0][:16]}"


def check_ipv6() -> str:
    """Flows, filters, a program and a moving user by IPv6; the network itself never sends anything."""
    text = 'addresses = "fd00::/64"\n' + CELL.replace('users = "ue-*"', 'users = "ue-[12]"') + (
        '[node.enb-2]\n[link.core-2]\nbetween = ["server", "enb-2"]\nwlink = "rate 100mbit delay 5ms"\n'
        '[cell.next]\nat = "enb-2"\nusers = "ue-3"\ndown = "rate 3mbit limit 40"\nup = "rate 3mbit"\n'
        '[[flow]]\nname = "probe"\nkind = "udp"\nrate = "100kbit"\nsize = 1000\n'
        'from = "server"\nto = "ue-*"\n'
        '[[flow]]\nname = "file"\nkind = "tcp"\nfrom = "server"\nto = "ue-2"\nstart = "4s"\n'
        '[[flow]]\nname = "page"\nkind = "web"\nfrom = "server"\nto = "ue-1"\nstart = "4s"\n'
        '[[at]]\ntime = "10s"\nmove = "ue-1"\nto = "enb-2"\ninterruption = "50ms"\n'
    )
    text += '[[program]]\nname = "look"\nin = "ue-3"\nrun = "ip -6 -br addr; ip -6 route get fd00::1"\n'
    result, folder = run("net-ipv6", text)
    again, _ = run("net-ipv6", text, out="net-ipv6-again")
    expect(again["event_sha256"] == result["event_sha256"], "two runs have different events")
    expect(result["stack"]["differs"] == [], f"{result['stack']['differs']}")
    alone = [s for s in by_seq(folder, "core-2.forward") if s.flow == "probe.ue-3" and s.drop == "none"]
    # 1000 bytes of IPv6, of which 48 are headers.
    sizes = {(s.bytes, s.payload) for s in alone}
    expect(len(alone) > 200 and sizes == {(1000, 952)}, f"{len(alone)} of {sizes}")
    took = {s.deliver - s.arrival for s in alone if s.arrival == s.start}
    expect(took == {1000 * 8 * 10 + 5_000_000}, f"{took} ns")
    bearers = {"probe.ue-1": 2, "page": 2, "probe.ue-2": 3, "file": 3}
    for s in sdus(folder, "air.down"):
        expect(s.bearer == bearers.get(s.flow), f"{s.flow} is on bearer {s.bearer}")
    for name, flow in result["flows"].items():
        expect(flow["bytes"] > 10_000, f"{name}: {flow['bytes']} bytes")
    there = {s.link for s in sdus(folder, "next.down") if s.flow == "probe.ue-1" and s.drop == "none"}
    expect(there == {"next.down"}, "the user's packets do not follow it")
    told = (folder / "programs" / "look.out").read_text()
    expect("fe80" not in told and "src fd00::5" in told, told)
    return f"{len(alone)} packets took {took.pop()} ns"


def check_tcp_of_a_node() -> str:
    """A node's TCP is its own."""
    text = PIPE.replace("[node.c]", '[node.c]\ntcp = { stack = "reno-2006" }') + (
        '[[program]]\nname = "a"\nin = "a"\nrun = "cat /proc/sys/net/ipv4/tcp_sack"\n'
        '[[program]]\nname = "c"\nin = "c"\nrun = "cat /proc/sys/net/ipv4/tcp_sack; ip route"\n'
    )
    result, folder = run("net-stack", text)
    a, c = ((folder / "programs" / f"{n}.out").read_text() for n in "ac")
    expect(a == "1\n" and c.startswith("0\n") and "initcwnd 1" in c, f"{a}{c}")
    expect(result["stack"]["differs"] == [], f"{result['stack']['differs']}")
    return "SACK in a, none in c"


def rates(folder: Path, link: str, flow: str) -> float:
    """bit/s of a flow's payload that a link has delivered after the first second of 20."""
    return 8 * sum(s.bytes - 28 for s in sdus(folder, link) if s.flow == flow and s.deliver > 10**9) / 19


def check_throughput_and_fairness_of_users() -> str:
    """Throughput of users and its fairness, in the result, in words and as pictures of ten rows."""
    text = CELL.replace("count = 3", "count = 10")
    text += '[[flow]]\nname = "full"\nkind = "udp"\nrate = "1mbit"\nfrom = "server"\nto = "ue-[1-4]"\n'
    text += '[[flow]]\nname = "less"\nkind = "udp"\nrate = "100kbit"\nfrom = "server"\nto = "ue-[5-9]"\n'
    text += '[[flow]]\nname = "up"\nkind = "udp"\nrate = "100kbit"\nfrom = "ue-10"\nto = "server"\n'
    result, folder = run("net-told", 'warmup = "1s"\n' + text)
    have = result["metrics"]
    for name, flow in result["flows"].items():
        user, did = (flow["to"], "received") if name != "up" else (flow["from"], "sent")
        wanted = rates(folder, "air.down" if did == "received" else "air.up", name)
        got = have["nodes"][user][f"{did}_bps"]
        expect(abs(got / wanted - 1) < 0.01, f"{user}: {got} bit/s, but {wanted} were delivered")
    some = [have["nodes"][f"ue-{i}"]["received_bps"] for i in range(1, 10)]
    fair = sum(some) ** 2 / (9 * sum(x * x for x in some))
    for one in (have["users"], have["cells"]["air"]):
        expect(abs(one["received_jain"] - fair) < 1e-12 and one["sent_jain"] == 1, f"{one}, wanted {fair}")
        expect(abs(one["received_bps"] - sum(some)) < 1, f"{one}")
    # 2.5 Mbit/s are left for four, of IP packets as the rate is.
    expect(0.6 < fair < 0.75, f"Jain's index {fair}")
    used = have["links"]["air.down"]
    expect(99 < used["utilisation_percent"] <= 100 and used["dropped_sdus"] > 0, f"{used}")
    called = wlab("plot", str(folder))
    made = [folder / f"plot{what}.png" for what in ("", "-why", "-users")]
    expect(called.status == 0 and all(p.exists() for p in made), called.err)
    expect(called.out.split() == [*map(str, made)], called.out)
    return f"Jain's index {fair:.4f} of nine, {len(made)} pictures"


def check_a_shell() -> str:
    """`wlab shell` enters a network, in a node with most links."""
    path = write("net-shell", CELL)
    done = call([str(WLAB), "shell", str(path)], input="ip -br link\n")
    expect("air-d@" in done.stdout and "core-b@" in done.stdout, done.stdout + done.stderr)
    return "the shell is in the node with most links"


def mesh(routers: int, links: int, cells: int, users: int) -> str:
    """A ring of routers and what links are left across it; cells at the first ones, each of so many users."""
    text = f'duration = "100ms"\n[node.r]\ncount = {routers}\n[node.ue]\ncount = {cells * users}\n'
    for i in range(links):
        a, b = i % routers, (i + 1 + i // routers) % routers
        text += f'[link.l{i}]\nbetween = ["r-{a + 1}", "r-{b + 1}"]\nwlink = "rate 100mbit delay 1ms"\n'
    for i in range(cells):
        some = ", ".join(f'"ue-{i * users + j + 1}"' for j in range(users))
        text += f'[cell.c{i}]\nat = "r-{i + 1}"\nusers = [{some}]\ndown = "rate 10mbit tti 1ms sched pf"\n'
        text += 'up = "rate 5mbit tti 1ms sched rr"\n'
    flow = 'kind = "udp"\nrate = "100kbit"\nsize = 500\nfrom = "r-2"\nto = "ue-*"\n'
    return f'{text}[[flow]]\nname = "d"\n{flow}'


# Its parent is wlab-guest, whose children set the network up.
COUNT = """
[[program]]
name = "count"
in = "r-1"
run = "cd /proc; cat $PPID/stat $$/stat; ip -V; cat $$/stat; grep ^processes stat"
"""


def set_up(name: str, text: str) -> tuple[int, int, int]:
    """Processes that there have been by the start of a run; page faults of the set-up; those of `ip -V`."""
    result, folder = run(name, text + COUNT)
    expect(result["stack"]["differs"] == [], str(result["stack"]["differs"]))
    said = [line.split() for line in (folder / "programs" / "count.out").read_text().splitlines()]
    guest, before, after = (line for line in said if len(line) > 40)
    own, children = 9, 10
    faults = int(guest[own]) + int(guest[children])
    # The cat that told what was before is in it.
    return int(said[-1][1]), faults, int(after[children]) - int(before[children])


def check_set_up_of_100_nodes() -> str:
    """100 nodes and 200 links are set up by as many processes as 7 nodes.

    What makes a process dear in the lab is its page faults: 193 more links cost less than 19 processes.
    """
    few, little, process = set_up("net-small", mesh(3, 3, 1, 3))
    many, much, _ = set_up("net-large", mesh(23, 123, 7, 10))
    expect(few == many, f"{few} processes for 7 nodes, {many} for 100")
    expect(much - little < 19 * process, f"{little} page faults, {much}; ip alone {process}")
    return f"{many} processes; {little} page faults for 7 nodes, {much} for 100, {process} for ip alone"


# What the kernel has done so far: switches of processes, and work of each kind that packets made.
LOOK = """
[[program]]
name = "look"
in = "server"
run = "sleep 1; cat /proc/stat; sleep 4; cat /proc/stat"
"""


def busy(cells: int, idle: int) -> str:
    """TCP to ten users of each cell, whose links to the server are alike; nodes that nothing is sent to."""
    text = f'duration = "6s"\n[node.server]\n[node.enb]\ncount = {cells}\n[node.ue]\ncount = {10 * cells}\n'
    text += f'[node.idle]\ncount = {idle}\n'
    text += '[link.rest]\nbetween = ["server", "idle-*"]\nwlink = "rate 1mbit"\n'
    text += '[link.core]\nbetween = ["server", "enb-*"]\nwlink = "rate 100mbit delay 5ms"\n'
    for c in range(cells):
        users = [f"ue-{10 * c + i + 1}" for i in range(10)]
        text += f'[cell.c{c}]\nat = "enb-{c + 1}"\nusers = {users}\n'
        text += "".join(f'{way} = "rate 10mbit tti 1ms limit 40 sched rr"\n' for way in ("down", "up"))
    return text + '[[flow]]\nname = "f"\nkind = "tcp"\nfrom = "server"\nto = "ue-*"\n' + LOOK


def per_event(name: str, text: str) -> tuple[float, float]:
    """Switches of processes, and softirqs, for each event of four seconds."""
    _, folder = run(name, text)
    lines = [line.split() for line in (folder / "programs" / "look.out").read_text().splitlines()]
    did = []
    for word in ("ctxt", "softirq"):
        before, after = (int(line[1]) for line in lines if line[0] == word)
        did.append(after - before)
    with (folder / "events.tsv").open() as log:
        times = [int(line.split("\t", 2)[1]) for line in log if line[0] != "#"]
    count = sum(10**9 <= t < 5 * 10**9 for t in times)
    return did[0] / count, did[1] / count


def check_an_event_of_100_nodes() -> str:
    """An event on 100 nodes makes the kernel do what it does where one cell has all the traffic.

    Both have the same hops: of three nodes in the short form a packet crosses a device less.
    """
    # A cell is a node, too.
    few, many = per_event("net-one-cell", busy(1, 1)), per_event("net-cells", busy(7, 100 - 1 - 2 * 7 - 70))
    expect(few[0] < 0.5, f"{few[0]:.4f} switches for an event: some are woken for nothing")
    for what, one, other in zip(("switches", "softirqs"), few, many):
        expect(one > 0, f"no {what} at all")
        expect(other <= 1.2 * one, f"{other:.4f} {what} for an event of 100 nodes, {one:.4f} of one cell")
    return "; ".join(f"{s:.4f} switches and {i:.3f} softirqs an event" for s, i in (few, many))
