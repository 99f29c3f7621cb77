# SPDX-License-Identifier: GPL-2.0
"""Networks as they are read: routes, addresses, and what is wrong with one, told before anything boots."""

import copy
import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import jsonschema  # type: ignore[import]
import wlab
from brief import brief
from kit import HERE, equals, expect, refused
from wlablib.lib import toml
from wlablib.plan import handover
from wlablib.scenario import scenario, show
from wlablib.scenario.files import Origin
from wlablib.scenario.network import Network

TEXT = brief("""name = "n"
duration = "10s"
[node.server] [node.core] [node.enb] count = 2
[node.ue] count = 4
[link.up] between = ["server", "core"]; wlink = "rate 100mbit delay 5ms"
[link.bh] between = ["core", "enb-*"]; mtu = 1500
[link.bh.forward] netem = "delay 1ms"
[cell.a] at = "enb-1"; users = ["ue-1", "ue-2"]; down = "rate 3mbit sched rr"; up = "rate 1mbit sched rr"
bearer = "mode um pdu 40"
[cell.b] at = "enb-2"; users = "ue-[34]"; down = "rate 3mbit sched rr"; up = "rate 1mbit sched rr"
[[flow]] name = "dl"; kind = "tcp"; from = "server"; to = "ue-*"
[[at]] time = "1s"; run = "wlinkctl show {a.down}"
[[program]] name = "sleeper"; in = "ue-1"; run = "sleep 1"
""")
APART = brief("""[node.core] [node.x] [node.y]
[link.xy] between = ["x", "y"]
[[flow]] name = "f"; kind = "tcp"; from = "server"; to = "x"
""")
LINKS = TEXT[TEXT.index("[link.up]") : TEXT.index("[[flow]]")]
# What is replaced, by what, and what the message has.
BAD = toml.load(HERE / "bad.toml")
BAD["network"] |= {
    "an unreachable pair": ["[node.core]", APART, "flow.f: there is no path from server to x; link them"],
    "neither form": [LINKS, "", "link: a network needs at least one link or cell"],
}


def at(*some: str) -> str:
    """[[at]] for each, beside what is there."""
    return "".join(f"[[at]]\n{one}\n" for one in some).replace("MOVE", MOVE) + "[[program]]"


MOVE = 'time = "2s"\nmove = "ue-3"\nto = "a"'


def read(text: str) -> scenario.Scenario:
    return scenario.read(toml.loads(text))


def bad(old: str, new: str, words: str) -> None:
    expect(old in TEXT, f"{old} is not in the text")
    text = TEXT.replace(old, new, 1)
    refused(words, partial(read, text))


def path(net: Network, src: str, dst: str) -> str:
    return " ".join(net.ways(src, dst))


def check_routes() -> None:
    """Every node's way to every other one, as the routes of all of them lead."""
    sc = read(TEXT)
    equals("down", path(sc.net, "server", "ue-4"), "up.forward bh-2.forward b.down b.ue-4.down")
    equals("up", path(sc.net, "ue-4", "server"), "b.ue-4.up b.up bh-2.back up.back")
    equals("across", path(sc.net, "ue-1", "ue-3"), "a.ue-1.up a.up bh-1.back bh-2.forward b.down b.ue-3.down")
    equals("a leaf's", [r.prefix for r in sc.net.routes["ue-1"]], ["default"])
    for src in sc.net.nodes:
        for dst in sc.net.nodes:
            expect(src == dst or sc.net.path(src, dst) is not None, f"{src} does not reach {dst}")
            # A plan has many flows between the same nodes; with 1000 nodes a path takes 10 ms.
            expect(sc.net.path(src, dst) is sc.net.path(src, dst), f"{src} to {dst} is looked for twice")


def check_names_and_addresses() -> None:
    """Addresses, devices and their MACs, and the names of flows."""
    sc = read(TEXT)
    ports = [port for wire in sc.net.wires for port in wire.ends]
    for what, some in (
        ("devices", [p.device for p in ports]),
        ("MACs", [p.mac for p in ports]),
        ("addresses", [n.address for n in sc.net.nodes.values()]),
    ):
        equals(what, len({*some}), len(some))
    expect(all(len(p.device) <= 15 for p in ports), "a device's name is too long")
    equals("flows", [f.name for f in sc.flows], [f"dl.ue-{i}" for i in range(1, 5)])
    equals("a group", sc.groups, {"dl": [f.name for f in sc.flows]})
    many = read(TEXT.replace('name = "dl"', 'name = "dl"\ncount = 2'))
    equals("a count", [f.name for f in many.flows][:3], ["dl.ue-1.1", "dl.ue-1.2", "dl.ue-2.1"])


def check_bearers() -> None:
    """A cell's users have a class and a filter each, in both directions."""
    sc = read(TEXT)
    ue = sc.net.nodes["ue-2"].address
    link = sc.links["a.up"]
    equals("classes", link.classes, [f"classid 1:{n} wlink mode um pdu 40" for n in (2, 3)])
    equals("a filter", link.filters[1], f"protocol ip u32 match ip src {ue}/32 classid 1:3")
    expect(f"match ip dst {ue}/32 classid 1:3" in sc.links["a.down"].filters[1], "no filter down")


def check_ipv6() -> None:
    """A range of IPv6 makes all of the network so."""
    sc = read('addresses = "fd00:1::/64"\n' + TEXT)
    equals("the first", sc.net.nodes["server"].address, "fd00:1::1")
    ue = sc.net.nodes["ue-2"].address
    equals("a filter", sc.links["a.up"].filters[1],
           f"protocol ipv6 u32 match ip6 src {ue}/128 classid 1:3")  # fmt: skip
    prefixes = {r.prefix for some in sc.net.routes.values() for r in some} - {"default"}
    expect(all(p.startswith("fd00:1::") and p.endswith("/128") for p in prefixes), f"{prefixes}")
    expect(bool(prefixes), "no route but defaults")
    equals("the way", path(sc.net, "server", "ue-3"), path(read(TEXT).net, "server", "ue-3"))


def check_schema() -> None:
    """All that is read, it allows; what is no key, it does not."""
    judge = jsonschema.Draft202012Validator(wlab.schema("scenario"))
    raw = toml.loads(TEXT)
    equals("errors", [e.message for e in judge.iter_errors(raw)], [])
    for at in (raw["node"]["core"], raw["link"]["up"], raw["cell"]["a"]):
        at["x"] = 1
        expect(any(judge.iter_errors(raw)), f"it allows {at}")
        refused("x: unknown key", partial(scenario.read, copy.deepcopy(raw)))
        del at["x"]


def check_moves(where: Path) -> None:
    """A user's links, where one is used; the way there before and after, and what happens in order."""
    text = TEXT.replace("[[program]]", at(f'{MOVE}\ninterruption = "50ms"'))
    sc = read(text)
    equals("the way", path(sc.net, "server", "ue-3"), path(read(TEXT).net, "server", "ue-3"))
    equals("unused", sc.net.unused, {"a.ue-3"})
    expect(not sc.net.forwards("ue-3"), "a user forwards")
    equals("a class", sc.net.bearer(sc.net.cells["a"], "ue-3", "up")[0], "classid 1:4 wlink mode um pdu 40")
    equals("classes at the start", len(sc.links["a.up"].classes), 2)
    lines = handover.lines(sc, 1, False)
    equals("nodes with another way", {one.node for one in lines if one.tool == "ip"},
           {"ue-3", "core", "enb-1", "enb-2", "a", "b"})  # fmt: skip
    equals("times", [*dict.fromkeys(one.time_ns for one in lines)], [2 * 10**9, 2_050_000_000])
    equals("the last", lines[-1].text, "class change dev a-u parent 1: classid 1:4 wlink rate 1000000")
    (where / "steps").write_text("0,1mbit\n1,2mbit\n")
    traced = text.replace(MOVE, f'{MOVE}\ntrace = "steps"')
    sc = scenario.read(toml.loads(traced), Origin(where))
    lines = handover.lines(sc, 1, False, where / "out")
    # None of them starts a program of the host, whose calls take virtual time.
    started = "start a-d bearer 4 length 2000000000ns hold start now"
    wanted = [f"schedule load a-d bearer 4 {where}/out/move.1", f"schedule {started}"]
    equals("played", [one.text for one in lines if one.tool == "wlinkctl"], wanted)
    judge = jsonschema.Draft202012Validator(wlab.schema("scenario"))
    equals("errors", [e.message for e in judge.iter_errors(toml.loads(text))], [])
    equals("shown", show.as_text(sc).splitlines()[-1].split(), ["2s", "ue-3", "b", "a"])
    expect("(not at the start)" in show.as_text(sc), "a link that is not used is shown as the others")
    expect('"a" -- "ue-3"' not in show.as_dot(sc), "and drawn")


def check_shown(where: Path) -> None:
    """What `wlab show` prints, and draws where there is graphviz."""
    sc = read(TEXT)
    text = show.as_text(sc)
    line = ["a.down", "enb-1", "a", "a-d", "10.0.0.3/32", "wlink", "rate", "3mbit", "sched", "rr"]
    expect(line in [row.split() for row in text.splitlines()], text)
    expect("up.forward bh-1.forward a.down a.ue-1.down" in text, text)
    have = json.loads(json.dumps(show.as_dict(sc)))
    equals("nodes", [n["name"] for n in have["nodes"] if n["cell"]], ["a", "b"])
    equals("a node", have["nodes"][0]["routes"], [{"prefix": "default", "via": "10.0.0.2", "device": "up-f"}])
    show.draw(sc, where / "n.dot")
    expect('"server" -- "core"' in (where / "n.dot").read_text(), "no link in the drawing")
    refused("ends with", lambda: show.draw(sc, where / "n.doc"))
    if not shutil.which("dot"):
        refused("apt install graphviz", lambda: show.draw(sc, where / "n.png"))
        return
    show.draw(sc, where / "n.svg")
    drawn = (where / "n.svg").read_text()
    expect(all(name in drawn for name in ("10.0.0.8", "a.down: wlink rate 3mbit")), drawn)


CASES: dict[str, Callable[[], None]] = {
    **{f"bad: {name}": partial(bad, *words) for name, words in BAD["network"].items()},
    **{f"bad: {n}": partial(bad, "[[program]]", at(*some), said) for n, (some, said) in BAD["event"].items()},
}
