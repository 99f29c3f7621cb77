# SPDX-License-Identifier: GPL-2.0
"""What applications see of a connection, on the plain path and through a proxy.

Where both differ, Documentation/proxy.md says so, and nowhere else.
"""

import json
import re
from functools import cache, partial
from typing import Any

import split_guest
from brief import brief
from lab import HERE, ROOT, expect, run
from proxies import network
from wlablib.run.proxies import version as haproxy_version

GUEST = HERE / "scenario" / "split_guest.py"
# UE, proxy, a server, and three nodes without one.
TEXT = brief("""duration = "ENDS"
RANGE
[tcp] sysctl = { "net.ipv4.tcp_fastopen" = 1543 }
[node.server] [node.dead] [node.gone] [node.lost] [node.gw] [node.ue]
[link.a] between = ["server", "gw"]; netem = "delay 10ms"
[link.b] between = ["dead", "gw"]
[link.c] between = ["gone", "gw"]
[link.d] between = ["lost", "gw"]
[link.e] between = ["gw", "ue"]; wlink = "rate 100mbit delay 10ms"
[[at]] time = "0s"; in = "gw"; run = "ip route replace unreachable NET3; ip route replace blackhole NET4"
[[program]] name = "server"; in = "server"; run = "exec python3 split_guest.py server GROUP ANY"
files = ["GUEST"]
[[program]] name = "client"; in = "ue"; start = "1s"
run = "exec python3 split_guest.py client GROUP NET1 NET2 NET3 NET4 NET5"
""")
PORTS = [*range(split_guest.PORT, split_guest.PORT + len(split_guest.TALKS))]
PROXY = brief(f"""[proxy.split] on = "gw"; program = "PROGRAM"
MORE
[proxy.split.ports]
server = {PORTS}
dead = [{PORTS[0]}]
gone = [{PORTS[0]}]
lost = [{PORTS[0]}]
[[program]] name = "before"; in = "gw"; start = "500ms"; run = "LOOK"
[[program]] name = "after"; in = "gw"; start = "LATE"; run = "LOOK"
""")
LOOK = "ls /proc/$(pidof PROGRAM)/fd | wc -l; grep VmRSS /proc/$(pidof PROGRAM)/status"
Seen = dict[tuple[str, str], str]


def text_of(end: dict[str, Any] | None, other: dict[str, Any] | None) -> str:
    """What one end has seen; whether it got all that the other one has sent."""
    if end is None:
        return "no connection"
    words = []
    for word in end["seen"]:
        if word.startswith("got "):
            word = f"{end['got']} bytes"
            if other and end["got"]:
                word = "all bytes" if end["got"] == other["sent"] else "some bytes"
        words.append(word)
    return ", ".join(words) or "nothing special"


def ends(
    path: str, group: str = "cases", more: str = "", ipv6: bool = False, apart: str = ""
) -> dict[str, dict[str, Any]]:
    """What both ends print; the path is plain, or that of a program."""
    network("", "")
    last = split_guest.LAST[group]
    text = TEXT.replace("GROUP", group).replace("GUEST", str(GUEST))
    if path != "plain":
        text += PROXY.replace("MORE", more).replace("LOOK", LOOK).replace("PROGRAM", path) + apart
    text = text.replace("ENDS", f"{last + 400}s").replace("LATE", f"{last + 398}s")
    words = ('addresses = "fd00::/64"', "fd00::", "::") if ipv6 else ("", "10.0.0.", "0.0.0.0")
    for name, word in zip(("RANGE", "NET", "ANY"), words):
        text = text.replace(name, word)
    if group == "day":
        text = text.replace("1543", f"1543, {SMALL}")
    _, folder = run(f"splits-{path}-{group}{'-6' if ipv6 else ''}", text, "--timeout", "120")
    printed = {file.stem: file.read_text() for file in (folder / "programs").glob("*.out")}
    out = {end: json.loads(printed.pop(end)) for end in ("client", "server")}
    out["proxy"] = {when: [int(x) for x in re.findall(r"\d+", look)] for when, look in printed.items()}
    return out


@cache
def seen(path: str, ipv6: bool = False) -> tuple[Seen, dict[str, dict[str, Any]]]:
    """By case and end what it has seen."""
    both = ends(path, ipv6=ipv6)
    out = {}
    for name in both["client"]:
        mine, other = both["client"][name], both["server"].get(name)
        out[name, "client"] = text_of(mine, other)
        if name in split_guest.TALKS:
            out[name, "server"] = text_of(other, mine)
    return out, both


def listed() -> dict[tuple[str, str], tuple[str, str]]:
    """The differences as the manual has them: by case and end, on the plain path and through the proxy."""
    page, newer, rest = (ROOT / "Documentation" / "proxy.md").read_text().partition("HAProxy 3.0 differs")
    if haproxy_version("proxy.md") >= "3":
        page += newer + rest
    rows = re.findall(r"^\| ([^|`]+?) \| (client|server) \| (.+?) \| (.+?) \|$", page, re.M)
    return {(case, end): (plain, split) for case, end, plain, split in rows}


def check_what_applications_see_the_plain_path() -> str:
    """On the plain path: what TCP promises, so that the cases are what they are called."""
    found, both = seen("plain")
    for name, end, wanted in (
        ("the client shuts first", "client", "connected, end, all bytes"),
        ("the server resets", "client", "connected, all bytes, ECONNRESET"),
        ("the client resets", "server", "all bytes, ECONNRESET"),
        ("to the server full, the client closes", "server", "end, all bytes"),
        ("to the client full, the server closes", "client", "connected, end, all bytes"),
        ("to the client full, the client resets", "server", "full, ECONNRESET"),
        ("data in the SYN", "client", "end, all bytes"),
        ("refused", "client", "ECONNREFUSED"),
        ("unreachable", "client", "EHOSTUNREACH"),
        ("no answer", "client", "ETIMEDOUT"),
        ("to the proxy's node", "client", "ECONNREFUSED"),
        ("a connection without traffic for hours", "client", "connected, end, all bytes"),
    ):
        expect(found[name, end] == wanted, f"{name}: the {end} sees {found[name, end]!r}, not {wanted!r}")
    expect(both["client"]["a window of zero for ever"]["sent"] > 65536, "the window was never full")
    return f"{len(found)} views of {len(both['client'])} cases"


def check_what_applications_see_through_a_proxy() -> str:
    """Through the proxy the same, but for what the manual lists."""
    (a, _), (b, _), known = seen("plain"), seen("haproxy"), listed()
    differ = {key: (a[key], b[key]) for key in a if a[key] != b[key]}
    wrong = [f"not in proxy.md: | {' | '.join((*key, *differ[key]))} |" for key in differ if key not in known]
    wrong += [
        f"{key}: proxy.md has {known[key]}, here it is {(a.get(key), b.get(key))}"
        for key in known
        if known[key] != differ.get(key)
    ]
    expect(not wrong, "\n".join(wrong))
    return f"{len(differ)} of {len(a)} views differ"


def check_what_applications_see_through_wlink_pep() -> str:
    """Through wlink-pep all is the same, in IPv4 and IPv6; its descriptors and memory return."""
    for ipv6 in (False, True):
        (a, _), (b, both) = seen("plain", ipv6), seen("wlink-pep", ipv6)
        differ = [f"{key}: {a[key]}; {b[key]}" for key in a if a[key] != b[key]]
        expect(not differ, f"IPv{'6' if ipv6 else '4'}:\n" + "\n".join(differ))
        (files, kb), (files_after, kb_after) = (both["proxy"][when] for when in ("before", "after"))
        expect(files == files_after, f"{files} descriptors before, {files_after} after")
        # What the cases held at a time is free, but the C library may keep it.
        expect(kb_after < kb + 1024, f"{kb} KB before, {kb_after} after")
    return f"{len(a)} views, {files} descriptors, {kb} and {kb_after} KB"


def bounded(program: str) -> str:
    """With buffers of a size, it takes no more than they hold from one who sends to a full receiver."""
    ends_of = ends(program, more='sndbuf = "32kib"\nrcvbuf = "32kib"')
    more = {}
    for name in split_guest.TALKS:
        if " full, " in name or "zero" in name:
            end, other = ("server", "client") if "client full" in name else ("client", "server")
            more[name] = ends_of[end][name]["sent"] - seen("plain")[1][end][name]["sent"]
            expect(ends_of[other].get(name) is not None, f"{name}: the {other} has seen nothing")
    # What the kernel doubles, twice; what the program itself holds: HAProxy's two buffers and a pipe, or
    # what wlink-pep has read at a time.
    bound = 2 * 2 * 32768 + 65536 + (2 * 16384 if program == "haproxy" else 0)
    expect(max(more.values()) < bound, f"{more} bytes more than on the plain path, the bound is {bound}")
    return f"at most {max(more.values())} bytes more"


def check_what_applications_see_more_connections_than_it_has_room_for() -> str:
    """More connections than `maxconn` wait, as if the server did not accept; none is lost."""
    answered = {}
    for path in ("plain", "haproxy"):
        both = ends(path, "many", "maxconn = 4")
        answered[path] = [client["seen"][1] for client in both["client"].values()].count("a byte")
        expect(len(both["server"]) == 6, f"{path}: {len(both['server'])} connections have come to the server")
    expect(answered == {"plain": 6, "haproxy": 4}, f"answered within 5 s: {answered}")
    return "4 of 6 at once"


# It has 20 descriptors itself, with those that it inherits, so four connections find room.
FEW = brief(f"""[[program]] name = "few"; in = "gw"; start = "700ms"
run = "kill $(pidof wlink-pep); sleep 0.1; ulimit -n 28; exec wlink-pep PLACES"
[[program]] name = "within"; in = "gw"; start = "8s"
run = "{LOOK.replace('PROGRAM', 'wlink-pep')}"
""")


def check_what_applications_see_more_connections_than_descriptors() -> str:
    """Connections for which wlink-pep has no descriptors left are made later, and it does not spin."""
    places = " ".join(f"10.0.0.1:{port}" for port in PORTS[: len(split_guest.MANY)])
    both = ends("wlink-pep", "many", apart=FEW.replace("PLACES", places))
    within, after = (both["proxy"][when][0] for when in ("within", "after"))
    expect((within, after) == (28, 20), f"{within} descriptors with connections, {after} afterwards")
    expect(len(both["server"]) == 6, f"{len(both['server'])} connections have come to the server")
    return f"{within - after} descriptors for 4 of 6 at once"


# What fills a connection for a day need not be much.
SMALL = ", ".join(f'"net.ipv4.tcp_{one}" = "4096 16384 65536"' for one in ("rmem", "wmem"))
QUIET = """[[program]]
name = "NAME"
in = "gw"
start = "WHENs"
run = "LOOK"
"""


def day(program: str) -> str:
    """24 hours of connections that stall, are reset, half-closed or never end: nothing is left of them.

    Memory is compared between two quiet times of the day, when the C library has what it keeps.
    """
    rounds = split_guest.DAY_S // split_guest.ROUND_S - 1
    times = {"morning": 6, "evening": rounds}
    apart = "".join(
        QUIET.replace("NAME", name).replace("WHEN", str(count * split_guest.ROUND_S - 30))
        for name, count in times.items()
    )
    both = ends(program, "day", apart=apart.replace("LOOK", LOOK.replace("PROGRAM", program)))
    for name, one in both["client"].items():
        expect(one["count"] == (1 if name in split_guest.EVER else rounds), f"{name}: {one['count']} times")
    files, kb = zip(*(both["proxy"][when] for when in ("before", "morning", "evening", "after")))
    now = 2 * len(split_guest.EVER)
    expect(files == (files[0], files[0] + now, files[0] + now, files[0]), f"descriptors: {files}")
    expect(kb[2] - kb[1] < 100, f"{kb[1]} KB in the morning, {kb[2]} in the evening")
    return f"{sum(one['count'] for one in both['client'].values())} connections, {kb} KB"


CASES = {
    "what applications see: bounded buffers of HAProxy": partial(bounded, "haproxy"),
    "what applications see: bounded buffers of wlink-pep": partial(bounded, "wlink-pep"),
    "what applications see: a day through HAProxy": partial(day, "haproxy"),
    "what applications see: a day through wlink-pep": partial(day, "wlink-pep"),
}
