# SPDX-License-Identifier: GPL-2.0
"""The server of the control page: who may ask, what is refused, transactions, and what is kept."""

import http.client
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakelinks import DOWN, LINE, UP, Site, look, site
from harness import Checks
from wlablib.lib.beside import Stop
from wlablib.web import command, replay
from wlablib.web.control import fields_of, words_of
from wlablib.web.samples import HISTORY, RECORDED, WAITING, Board, Recording, joined, sample_of
from wlablib.web.server import CONNECTIONS, TOKEN, Handler

BOTH = {"down": DOWN, "up": UP}
NOW = {"aqm": "droptail"}


@pytest.fixture
def page(build: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("WLINKCTL", str(build / "bin/wlinkctl"))
    with site() as one:
        yield one


def check_page_is_served(checks: Checks, page: Site) -> None:
    for path in ("/", "/page.js", "/chart.js", "/page.css"):
        answer = page.ask(path, token="")
        checks.equal(path, answer.status, 200)
        policy = answer.headers["Content-Security-Policy"]
        checks.true(f"{path}: no script of others", "default-src 'none'; script-src 'self'" in policy, policy)
        checks.true(f"{path}: in no frame", "frame-ancestors 'none'" in policy)
    checks.true("the page has no token", page.server.token.encode() not in page.ask("/", token="").body)


def check_rebinding(checks: Checks, page: Site) -> None:
    """A name of an attacker that leads to this machine: its page has our address, not our name."""
    own = f"127.0.0.1:{page.port}"
    for host in (
        f"evil.example:{page.port}",
        "127.0.0.1",
        f"127.0.0.1:{page.port + 1}",
        "",
        f"127.0.0.1.evil.example:{page.port}",
    ):
        for path in ("/", "/api/links"):
            checks.equal(f"{path} of {host!r}", page.ask(path, headers={"Host": host}).status, 421)
    for host in (own, f"localhost:{page.port}", f"LOCALHOST:{page.port}"):
        checks.equal(f"of {host}", page.ask("/api/links", headers={"Host": host}).status, 200)
    with socket.create_connection(("127.0.0.1", page.port)) as sock:
        sock.sendall(f"GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\n\r\n".encode())
        checks.true("two names", sock.recv(1000).startswith(b"HTTP/1.1 421 "))


def check_forgery(checks: Checks, page: Site) -> None:
    """What a page of somebody else can make a browser send changes nothing."""
    seen = page.revision()
    body = {**BOTH, "fields": {"down": {"rate": "2mbit"}}, "seen": seen}
    plain = {"Content-Type": "text/plain"}
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    own = f"http://127.0.0.1:{page.port}"
    cases: list[tuple[str, dict[str, str], str | None, int]] = [
        ("no token", {}, "", 403),
        ("a wrong token", {}, "x" * 32, 403),
        ("a token that is no ASCII", {}, "\xe9", 403),
        ("another origin", {"Origin": "http://evil.example"}, None, 403),
        ("the null origin", {"Origin": "null"}, None, 403),
        ("a form without token", form, "", 403),
        ("a form", form, None, 415),
        ("plain text", plain, None, 415),
    ]
    for name, headers, token, status in cases:
        checks.equal(name, page.ask("/api/change", body, headers, token=token).status, status)
    for path in ("/api/links", "/api/events", "/api/recording", f"/api/state?down={DOWN.replace(' ', '+')}"):
        checks.equal(f"{path} without token", page.ask(path, token="").status, 403)
    checks.equal("nothing was set", [call for call in page.links.calls if call[0] == "set"], [])
    checks.equal("OPTIONS allow nothing", page.ask("/api/change", method="OPTIONS").status, 501)
    answer = page.ask("/api/change", body, {"Origin": own})
    checks.equal("the page itself", (answer.status, answer.json.get("text")), (200, "d0: rate 2mbit"))


NONSENSE: list[tuple[str, Any, int]] = [
    ("no JSON", b"{", 400),
    ("nested too deep", b"[" * 100000, 400),
    ("a list", [1], 400),
    ("no link", {}, 400),
    ("a link that is none", {"down": "x"}, 400),
    ("a link with words", {"down": "d0 1: 1 bearer 2"}, 400),
    ("an option as link", {"down": "--force 1: 1"}, 400),
    ("a number as link", {"down": 7}, 400),
    ("one link twice", {"down": DOWN, "up": DOWN}, 400),
    ("no fields", {"down": DOWN}, 400),
    ("fields that are a list", {"down": DOWN, "fields": [1]}, 400),
    ("a direction without a link", {"down": DOWN, "fields": {"up": {"rate": "1mbit"}}}, 400),
    ("a device that is gone", {"down": "gone0 1: 1", "fields": {"down": {"rate": "1mbit"}}}, 404),
]
FIELDS: list[tuple[str, Any]] = [
    ("rate", "1mbit at now"), ("rate", "--no-wait"), ("rate", "1mbit;reboot"), ("rate", ""), ("rate", 5),
    ("rate", "1\x00"), ("rate", "x" * 100), ("more", "bearer 2 rate 1"), ("more", "dev eth0"), ("frob", "1"),
]  # fmt: skip


def check_nonsense(checks: Checks, page: Site) -> None:
    for name, body, status in NONSENSE:
        answer = page.ask("/api/change", body)
        checks.equal(name, answer.status, status)
        checks.true(f"{name}: named", len(answer.error) > 5, answer.error)
    for field, value in FIELDS:
        answer = page.change({"down": {field: value}})
        checks.equal(f"{field} {value!r}", answer.status, 400)
        checks.true(f"{field} {value!r}: named", field in answer.error, answer.error)
    paths: tuple[tuple[str, dict[str, Any]], ...] = (
        ("/api/record", {"on": 1, **BOTH}),
        ("/api/play", {**BOTH, "file": "", "end": "x"}),
        ("/api/nothing", {}),
    )
    for path, body in paths:
        checks.true(path, page.ask(path, body).status in (400, 404))
    answer = page.ask("/api/play", {**BOTH, "file": "0,1mbit\n", "end": "sometimes"})
    checks.true("an end that is none", "sometimes" in answer.error, answer.error)
    answer = page.ask("/api/play", {**BOTH, "file": "no trace at all\n"})
    checks.equal("a file that is none", answer.status, 400)
    for name in ("%00", "%ed%a0%80%00", "nosuch"):
        answer = page.ask(f"/api/preset?name={name}")
        checks.true(f"preset {name}", answer.status in (400, 404) and len(answer.error) > 5, answer.status)
    for length in ("-1", "x", str(10**12), "9" * 5000):
        checks.equal(f"length {length}", page.ask("/api/change", b"", {"Content-Length": length}).status, 413)
    for raw in (
        b"\x16\x03\x01\x02\x00\x01\n",
        b"GET\r\n\r\n",
        b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", page.port)) as sock:
            answered = b""
            # It may have answered and gone before all has been sent.
            try:
                sock.sendall(raw)
                sock.shutdown(socket.SHUT_WR)
                while data := sock.recv(65536):
                    answered += data
            except OSError:
                pass
            checks.true(f"{raw[:10]!r}: refused", b" 200 " not in answered, answered[:40])
    for target in ("http://[", "//[", "http://[::1", "/%00"):
        for method in ("GET", "POST"):
            with socket.create_connection(("127.0.0.1", page.port)) as sock:
                head = f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nConnection: close\r\n"
                sock.sendall(f"{head}X-Wlink-Token: {page.server.token}\r\n\r\n".encode())
                sock.settimeout(60)
                answered = sock.recv(65536)
            checks.true(f"{method} {target}: refused", answered.startswith(b"HTTP/1.1 4"), answered[:40])
    checks.equal(
        "no link was touched", [call for call in page.links.calls if call[0] not in ("show", "pending")], []
    )
    checks.equal("it still answers", page.ask("/api/links").status, 200)


def check_silent(checks: Checks, page: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more connections than are served those go that have not shown the token, the oldest first."""
    # Not because it has been silent for so long.
    monkeypatch.setattr(Handler, "timeout", 600)
    ours = http.client.HTTPConnection("127.0.0.1", page.port)
    ours.request("GET", "/api/links", headers={TOKEN: page.server.token})
    checks.equal("ours", ours.getresponse().read() != b"", True)
    silent = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(2 * CONNECTIONS)]
    checks.equal("another browser is answered", page.ask("/api/links").status, 200)
    ours.request("GET", "/api/links", headers={TOKEN: page.server.token})
    checks.equal("ours goes on", ours.getresponse().status, 200)
    silent[0].settimeout(300)
    checks.equal("the oldest has been closed", silent[0].recv(1), b"")
    checks.true("no more than are served", len(page.server.connections) <= CONNECTIONS)
    ours.close()
    for one in silent:
        one.close()


def check_transaction(checks: Checks, page: Site) -> None:
    """Both directions in one: one time for both, sent before it."""
    answer = page.change({"down": {"rate": "2mbit", "aqm": "codel"}, "up": {"delay": "30ms"}})
    checks.equal("done", answer.status, 200)
    sent = [call for call in page.links.calls if call[0] == "set"]
    times = {call[call.index("at") + 1] for call in sent}
    checks.equal("one time", len(times), 1)
    checks.equal("both", sorted(call[1] for call in sent), ["d0", "u0"])
    checks.equal(
        "nobody waits for the first before the second is sent", {call[-1] for call in sent}, {"--no-wait"}
    )
    at_ns = int(times.pop().removesuffix("ns"))
    checks.equal("that time is told", set(answer.json["at_ns"].values()), {at_ns})
    checks.true("in force", page.links.lines[DOWN].startswith("rate 2mbit"), page.links.lines)
    checks.equal("the change is a line of the chart", page.board.changes[-1]["t"], at_ns)
    undone = page.ask("/api/undo", BOTH)
    checks.equal("undone", (undone.status, page.links.lines), (200, {DOWN: LINE, UP: LINE}))
    checks.equal("nothing more to undo", page.ask("/api/undo", BOTH).status, 409)


def check_late(checks: Checks, page: Site) -> None:
    """What comes after its time is refused there; both are sent again for a later one."""
    # The second of the first transaction; both of the next.
    page.links.stalls_s = [0, 0.2, 0.2]
    answer = page.change({"down": {"rate": "2mbit"}, "up": {"rate": "3mbit"}})
    rates = [line.split()[1] for line in page.links.lines.values()]
    checks.equal("done", (answer.status, rates), (200, ["2mbit", "3mbit"]))
    sent = [call for call in page.links.calls if call[0] == "set" and "at" in call]
    times = {call[call.index("at") + 1] for call in sent[-2:]}
    checks.equal("at one time, which is told", {f"{ns}ns" for ns in answer.json["at_ns"].values()}, times)
    page.links.stalls_s = [0, 0.2]
    answer = page.ask("/api/play", {**BOTH, "file": "0,1mbit\n10,2mbit\n"})
    checks.equal("plays", answer.status, 200)
    of = [call[1:3] for call in page.links.calls if call[0] == "schedule"]
    both = [[verb, dev] for verb in ("load", "start") for dev in ("d0", "u0")]
    checks.equal("from one time on", of, [*both, ["stop", "d0"], *both])


def check_half(checks: Checks, page: Site) -> None:
    """The second is refused after the first has been accepted: nothing of it stays."""
    page.links.refuse[UP] = "kernel: wlink: out of memory"
    # However slow this machine is, what has been accepted waits still.
    page.links.took_s = 1000
    answer = page.change({"down": {"rate": "2mbit"}, "up": {"rate": "2mbit"}})
    checks.equal("refused", answer.status, 502)
    checks.true("named", UP in answer.error and "out of memory" in answer.error, answer.error)
    checks.true("and what of it stays", "nothing has been changed" in answer.error, answer.error)
    checks.equal("nothing half-applied", (page.links.lines, page.links.waits), ({DOWN: LINE, UP: LINE}, {}))
    checks.equal("nothing to undo", len(page.control.done), 0)
    answer = page.ask("/api/play", {**BOTH, "file": "0,1mbit\n10,2mbit\n"})
    checks.true("nor of a trace", "nothing plays" in answer.error, answer.error)
    stopped = [call[1:3] for call in page.links.calls if call[:2] == ["schedule", "stop"]]
    checks.equal("the first is stopped", stopped, [["stop", "d0"]])


def check_two_pages(checks: Checks, page: Site) -> None:
    """Two transactions at once from two pages that have seen the same: one is refused, and told why."""
    seen = page.revision()
    answers = []

    def one(rate: str) -> None:
        answers.append(page.change({"down": {"rate": rate}, "up": {"rate": rate}}, seen))

    threads = [threading.Thread(target=one, args=(f"{n}mbit",)) for n in (3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checks.equal("one of both", sorted(answer.status for answer in answers), [200, 409])
    late = next(answer for answer in answers if answer.status == 409)
    checks.true("named", "changed by somebody else" in late.error, late.error)
    rates = {line.split()[1] for line in page.links.lines.values()}
    checks.equal("the same one in both directions", len(rates), 1)
    # Somebody with a terminal, too.
    page.links.foreign = True
    answer = page.change({"down": {"rate": "5mbit"}})
    checks.equal("a change that waits", answer.status, 409)
    checks.true("named with its time", "1000000000.000 s" in answer.error, answer.error)
    page.links.foreign = False
    page.links.lines[DOWN] = LINE
    undo = page.ask("/api/undo", BOTH)
    checks.true("undo of what others have changed", undo.status == 409 and "else" in undo.error, undo.error)


def check_words(checks: Checks) -> None:
    checks.equal("loss", words_of({"loss": "1%"}, NOW), ["channel", "uniform", "loss", "1%"])
    checks.equal("no loss", words_of({"loss": "0"}, NOW), ["channel", "none"])
    checks.equal("aqm", words_of({"aqm": "red minth 5 maxp 10%"}, NOW), "aqm red minth 5 maxp 10%".split())
    checks.equal("a profile", words_of({"aqm": "profile sbd-3g"}, NOW), ["profile", "sbd-3g"])
    checks.equal(
        "after it", words_of({"aqm": "codel"}, {"aqm": "profile sbd-3g"}), "profile none aqm codel".split()
    )
    typed = [
        {"word": "rate", "value": "1mbit"}, {"word": "channel", "value": "gilbert"},
        {"word": "p", "value": "0.1", "of": "channel"}, {"word": "aqm", "value": "red"},
        {"word": "minth", "value": "5", "of": "aqm"}, {"word": "ramp_from", "value": "off", "of": "aqm"},
    ]  # fmt: skip
    fields = fields_of(typed)
    checks.equal("a channel that is no loss", (fields["loss"], fields["channel"]), ("", "gilbert p 0.1"))
    checks.equal("of an aqm", fields["aqm"], "red minth 5")


def size(value: Any) -> int:
    """Bytes of an object with all that it has."""
    if isinstance(value, dict):
        return sys.getsizeof(value) + sum(size(k) + size(v) for k, v in value.items())
    if isinstance(value, list | tuple) or hasattr(value, "maxlen"):
        return sys.getsizeof(value) + sum(map(size, value))
    return sys.getsizeof(value)


def check_hours(checks: Checks) -> None:
    """8 hours of samples, five a second, with a reader, a slow one, a recording and a change each minute."""
    board, hour = Board(), 3600 * 5
    board.recording = Recording(BOTH)
    reader, slow = board.read({DOWN, UP}), board.read({DOWN})
    sizes, dropped = [], 0
    for at in range(8 * hour):
        board.feed(look(at * 200_000_000, generation=at // 300, sdus_delivered=at % 7))
        dropped += 2
        while not reader.empty():
            reader.get()
        if at % hour == hour - 1:
            sizes.append(size(board.histories) + size(board.recording.samples) + size(board.changes))
    checks.equal(
        "history", {key: len(kept) for key, kept in board.histories.items()}, {DOWN: HISTORY, UP: HISTORY}
    )
    longest = max(map(len, board.recording.samples.values()))
    checks.true("recording", RECORDED / 2 <= longest <= RECORDED, longest)
    checks.true("changes", len(board.changes) <= 500, len(board.changes))
    checks.true("no growth from the second hour on", max(sizes[1:]) <= 1.05 * sizes[1], sizes)
    checks.true("the slow reader was sent away", not board.expected(slow) and slow.qsize() <= WAITING)
    checks.true("the other one was not", board.expected(reader))
    kept = [*board.recording.samples[DOWN], board.recording.waiting.get(DOWN)]
    lost = sum(sum(one["drops"].values()) for one in kept if one)
    checks.equal("no drop is lost by joining samples", lost, dropped)
    for at in range(100):
        board.read({f"x{at} 1: 1"})
    checks.true("nor grows by many links", len(board.histories) <= 16, len(board.histories))


def check_joined(checks: Checks) -> None:
    rows = look(0)["bearers"][0]
    a = sample_of(rows | {"sdus_delivered": 1, "offered_bps": 100.0}, 10, 10)
    b = sample_of(
        rows | {"sdus_delivered": 3, "offered_bps": 400.0, "parts": {**rows["parts"], "queue": 7 * 10**6}},
        30,
        20,
    )
    one = joined(a, b)
    checks.equal("time, interval", (one["t"], one["i"]), (30, 30))
    checks.equal("rates by time", one["offered"], 300.0)
    checks.equal("parts by packets", one["parts"]["queue"], 6 * 10**6)
    checks.equal("drops", one["drops"], {"aqm": 4})


def check_script_stays_whole(checks: Checks) -> None:
    """A name of others cannot end the script that it stands in."""
    odd = '</script><script>alert(1)</script>"'
    page = replay.page(
        odd, {"down": odd}, {"down": []}, [{"t": 1, "keys": [odd], "text": odd}], [odd]
    ).decode()
    checks.equal("scripts", page.lower().count("</script"), 2)
    checks.true("no foreign one", "<script>alert" not in page)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--listen 0.0.0.0:80", "all addresses"), ("--listen ::", "not ADDRESS:PORT"),
        ("--listen [::]:8600", "all addresses"),
        ("--listen 1.2.3.4:99999", "65535"), ("--listen somewhere:1", "not an address"),
        ("--listen", "has no value"), ("--host ''", "has no value"),
        ("frob", '"frob"'), ("--host -oProxyCommand=x", "no host"), ("--replay x", "has no value"),
    ],
)  # fmt: skip
def check_command_line(checks: Checks, words: str, message: str) -> None:
    try:
        command.main([word.strip("'") for word in words.split()])
        checks.true("refused", False)
    except Stop as stop:
        checks.equal("exit code", stop.code, 1)
        checks.true("named", message in str(stop), str(stop))
