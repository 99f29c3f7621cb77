# SPDX-License-Identifier: GPL-2.0
"""Proxies as they are read: which connections each splits, what is refused before anything boots."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest import mock

from brief import brief
from kit import HERE, equals, expect, refused
from wlablib.lib import toml
from wlablib.plan import haproxy, plan
from wlablib.run import needs, place, proxies
from wlablib.scenario import proxy, scenario
from wlablib.scenario.scenario import Scenario

TEXT = brief("""name = "n"
duration = "10s"
[node.server] [node.gw] [node.enb] count = 2
[node.ue] count = 2
[link.up] between = ["server", "gw"]
[link.bh] between = ["gw", "enb-*"]
[cell.a] at = "enb-1"; users = "ue-1"; down = "rate 3mbit"; up = "rate 1mbit"
[cell.b] at = "enb-2"; users = "ue-2"; down = "rate 3mbit"; up = "rate 1mbit"
[[flow]] name = "dl"; kind = "tcp"; from = "server"; to = "ue-*"
[[flow]] name = "talk"; kind = "media"; from = "server"; to = "ue-1"
[[flow]] name = "web"; kind = "web"; from = "server"; to = "ue-2"
[proxy.pep] on = "gw"; initcwnd = 20
[proxy.pep.to."ue-*"] congestion = "reno"; sndbuf = "64kib"
""")
MOVE = '[[at]]\ntime = "1s"\nmove = "ue-1"\nto = "b"\n'
# What is replaced, by what, and what the message has.
BAD: dict[str, list[str]] = toml.load(HERE / "bad.toml")["proxy"]
PORTS = f"ports = {{ server = {[*range(100, 1200)]} }}"
BAD["ports that run out"] = ["initcwnd = 20", PORTS, "proxy.pep.ports: 1103 ports are more than 1024"]


def read(text: str = TEXT) -> Scenario:
    return scenario.read(toml.loads(text))


def bad(old: str, new: str, words: str) -> None:
    expect(old in TEXT, f"{old} is not in the text")
    refused(words, partial(read, TEXT.replace(old, new, 1) + (MOVE if "enb-1" in new else "")))


def check_proxies_what_each_splits() -> None:
    """Each flow over TCP with its client, server and port; none of UDP; where it is measured, and by whom."""
    sc = read(TEXT.replace("[proxy.pep]", '[proxy.first]\non = "enb-1"\n[proxy.pep]'))
    first, pep = sc.proxies
    got = [(s.client, s.server, s.port, s.flow) for s in pep.splits]
    one, two = (("server", f"ue-{i}", 20000 + i, f"dl.ue-{i}") for i in (1, 2))
    equals("at the gateway", got, [one, two, ("ue-2", "server", 10004, "web")])
    equals("at the eNB", [s.flow for s in first.splits], ["dl.ue-1"])
    legs = proxy.segments(sc.net, sc.flows[0], sc.proxies)
    wanted = [(0, ["up.forward"]), (2, ["bh-1.forward"]), (1, ["a.down", "a.ue-1.down"])]
    equals("legs of both", legs, wanted)
    equals("who sends to ue-1", haproxy.sender(sc, sc.flows[0], "a.down"), 1)
    equals("who sends to ue-2", haproxy.sender(sc, sc.flows[1], "b.down"), 2)
    equals("who talks", haproxy.sender(sc, sc.flows[2], "a.down"), 0)
    text = haproxy.filter_of_probe(sc, "x", {f.name: plan.leg_of(sc, f)[1] for f in sc.flows})
    for mark, port in ((1, 10001), (2, 10002)):
        expect(f"(mark == {mark} && ((sport >= {port} && sport <= {port})" in text, text)
    equals("without one", haproxy.filter_of_probe(read(TEXT[: TEXT.index("[proxy")]), "x", {}), "x")


def check_proxies_routes_and_rules() -> None:
    """The options of a route: the leg's take the place of the stack's."""
    sc = read(TEXT.replace("[node.server]", '[tcp]\nstack = "reno-2006"\n[node.server]', 1))
    old = "initrwnd 44 window 65535 quickack 1 rto_min 200ms"
    equals("to the UE", haproxy.route(sc, "gw", "ue-1"), f"{old} congctl reno initcwnd 20")
    equals("to the server", haproxy.route(sc, "gw", "server"), f"{old} congctl reno initcwnd 20")
    equals("elsewhere", haproxy.route(sc, "enb-1", "ue-1"), f"initcwnd 1 {old} congctl reno")
    sc = read()
    equals("of today", haproxy.route(sc, "gw", "ue-1"), "congctl reno initcwnd 20")
    equals("the other leg", haproxy.route(sc, "gw", "server"), "initcwnd 20")
    sent = [line for line in haproxy.ip_lines(sc, "gw") if line.startswith("route replace")]
    equals("routes", len(sent), len(sc.net.nodes) - 1)
    # Ports that follow each other are one rule: packets of all flows pass all rules.
    rules = [line for line in haproxy.ip_lines(sc, "gw") if " dport " in line]
    wanted = [f"rule add pref 11 ipproto 6 dport {span} lookup 200" for span in ("10004", "20001-20002")]
    equals("rules", rules, wanted)


def check_proxies_configurations() -> None:
    """A process for each pair of buffers, which HAProxy has once for all clients and all servers."""
    sc = read()
    texts = haproxy.configs(sc, sc.proxies[0])
    equals("files", [*texts], ["pep-1.cfg", "pep-2.cfg"])
    down, web = texts.values()
    ue, server = (sc.net.nodes[one].address for one in ("ue-1", "server"))
    for text, words in (
        (down, (f"bind {ue}:20001 transparent", "tune.sndbuf.server 65536", "usesrc client", "nbthread 1")),
        (web, (f"bind {server}:10004 transparent", "tune.sndbuf.client 65536", "option transparent")),
    ):
        for one in words:
            expect(one in text, f"no {one} in {text}")
    expect("sndbuf.client" not in down and "sndbuf.server" not in web, "a buffer of the other leg")
    six = read(f'addresses = "fd00::/64"\n{TEXT}')
    expect("bind fd00::5:20001 transparent" in [*haproxy.configs(six, six.proxies[0]).values()][0], "IPv6")


def check_proxies_wlink_pep() -> None:
    """wlink-pep has no configuration and needs no HAProxy; its own SYNs have a rule."""
    sc = read(TEXT.replace('on = "gw"', 'on = "gw"\nprogram = "wlink-pep"\nmaxconn = 10'))
    equals("configurations", haproxy.configs(sc, sc.proxies[0]), {})
    ue, server = (sc.net.nodes[one].address for one in ("ue-1", "server"))
    lines = [*haproxy.begin_lines(sc, Path("/out"))]
    equals("processes", len(lines), 2)
    expect(lines[0].startswith(f"begin gw exec wlink-pep -D -n 10 -S 65536 {ue}:20001 "), lines[0])
    equals("the other", lines[1], f"begin gw exec wlink-pep -D -n 10 -s 65536 {server}:10004")
    equals("first rule", [*haproxy.rules(sc, sc.proxies[0])][1], "rule add pref 9 fwmark 0x776d lookup 200")
    with mock.patch("shutil.which", lambda *_, **__: None):
        place.check("lab", [sc], False, "")


def check_proxies_feedback() -> None:
    """The users of each cell whose leg ends there, and what cannot be followed."""
    text = TEXT.replace("initcwnd = 20", 'initcwnd = 20\nfeedback = "50ms"')
    sc = read(text)
    lines = [line for line in haproxy.begin_lines(sc, Path("/out")) if "wlinkctl" in line]
    words = "of haproxy netns gw allow 50000000ns background"
    wanted = [
        f"begin enb-{i} exec wlinkctl feedback {cell}-d {words} bearer 2 to 10.0.0.{4 + i}"
        for i, cell in ((1, "a"), (2, "b"))
    ]
    equals("at the gateway", lines, wanted)
    # The other proxy's leg is the one over the air.
    sc = read(text.replace("[proxy.pep]", '[proxy.first]\non = "enb-1"\nprogram = "wlink-pep"\n[proxy.pep]'))
    lines = [line for line in haproxy.begin_lines(sc, Path("/out")) if "wlinkctl" in line]
    equals("before another one", lines, wanted[1:])
    sc = read(text.replace("[proxy.pep]", '[proxy.first]\non = "enb-1"\nfeedback = "1ms"\n[proxy.pep]'))
    lines = [line for line in haproxy.begin_lines(sc, Path("/out")) if "wlinkctl" in line]
    equals("of both", lines[0], wanted[0].replace("netns gw", "netns enb-1").replace("allow 50", "allow 1"))
    equals("none", [*haproxy.feedback_lines(read())], [])
    moves = "proxy.pep.feedback: ue-1 moves (at.0), and feedback follows one cell only"
    refused(moves, partial(read, text + MOVE))
    one = '[cell.a]\nat = "enb-1"\nusers = "ue-1"\ndown = "rate 3mbit"\nup = "rate 1mbit"\n'
    expect(one in text, "no cell a")
    wired = '[link.a]\nbetween = ["enb-1", "ue-1"]\n'
    no_link = re.sub(r"\[cell.b\](\n\w+ = .*)+", wired.replace(".a]", ".b]").replace("-1", "-2"), text)
    refused(
        "proxy.pep.feedback: no wlink is on a leg from gw, so there is no rate to follow",
        partial(read, no_link.replace(one, wired)),
    )
    classes = "[link.a.forward]\nwlink = 'rate 3mbit'\nclasses = ['classid 1:2 wlink']\n"
    refused(
        "proxy.pep.feedback: a.forward has classes of its own, and feedback follows users of cells only",
        partial(read, text.replace(one, wired + classes)),
    )


PRINTED = "HAProxy version 2.6.12-1+deb12u4 2026/10/17\nsupport using: IP_TRANSPARENT IPV6_TRANSPARENT\n"
STATUS = "Name:\twlab\nCapEff:\t000001ffffffffff\n"


def check_proxies_haproxy_capabilities_policy_routing() -> None:
    """HAProxy, its version and what it was built with; capabilities and policy routing of this machine."""
    equals("a version", proxies.check_haproxy("proxy.a", PRINTED), "2.6.12-1+deb12u4")
    newer = PRINTED.replace("2.6.12-1+deb12u4", "3.0.11-1")
    equals("a newer one", proxies.check_haproxy("proxy.a", newer), "3.0.11-1")
    for printed, words in (
        (None, "proxy.a: there is no haproxy here; type: userspace/need proxy, or apt install haproxy"),
        (PRINTED.replace("2.6.12", "2.2.9"), "proxy.a: haproxy 2.2.9-1+deb12u4 is older than 2.6; type"),
        (PRINTED.replace("IP_T", ""), "proxy.a: this haproxy was built without transparent proxies (IP_TRAN"),
        ("", "proxy.a: haproxy  is older than 2.6"),
    ):
        refused(words, partial(proxies.check_haproxy, "proxy.a", printed))
    with mock.patch.object(proxies, "output", lambda argv: ""):
        proxies.check_machine("proxy.a.on", False, STATUS)
        for have, words in (("0", "CAP_NET_ADMIN and CAP_NET_RAW"), ("1fffffffdfff", "CAP_NET_RAW")):
            lacks = partial(proxies.check_machine, "proxy.a.on", False, f"CapEff:\t{have}\n")
            refused(f"proxy.a.on: root lacks {words} here, which a transparent proxy needs; start", lacks)
    with mock.patch.object(proxies, "output", lambda argv: None):
        for ipv6, option in ((False, "(CONFIG_IP_MULTIPLE_TABLES)"), (True, "(CONFIG_IPV6_MULTIPLE_TABLES)")):
            routes = partial(proxies.check_machine, "proxy.a.on", ipv6, STATUS)
            refused(f"proxy.a.on: this machine's kernel has no policy routing {option}; the lab's", routes)


def check_proxies_places() -> None:
    """What a place cannot do, before it is prepared."""
    sc = read()
    with mock.patch.object(proxies, "version", lambda where: "2.6"):
        place.check("lab", [sc], False, "")
        on_vm = partial(proxies.check, "vm", [sc])
        refused("proxy.pep: the VM has no haproxy; use --on lab, live or host", on_vm)
        large = read(TEXT.replace("64kib", "256kib"))
        place.check("lab", [large], False, "")
        said = "proxy.pep.sndbuf: 262144 is above 212992, the kernel's maximum for all of a machine's sockets"
        refused(said, lambda: place.check("live", [large], False, ""))
        # The lab raises it.
        equals("the lab", [*haproxy.sysctl_lines(large, False)], ["sysctl - net.core.wmem_max 262144"])
        equals("in real time", [*haproxy.sysctl_lines(large, True)], [])
    with mock.patch("shutil.which", lambda *_, **__: None):
        refused("proxy.pep: there is no haproxy here", lambda: place.check("lab", [sc], False, ""))
        place.check("lab", [read(TEXT[: TEXT.index("[proxy")])], False, "")
    wanted = {module: what for what, module in needs.modules(sc)}
    equals("a module", wanted["act_skbedit"], "proxy.pep")


CASES: dict[str, Callable[[], None]] = {
    **{f"proxies: refused: {name}": partial(bad, *case) for name, case in BAD.items()},
}
