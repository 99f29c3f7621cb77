#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""page_client.py N: the control page of this network namespace, and a case of page.py that asks it.

The downlink is the device pa of a veth pair, the uplink lo, through which the page itself is reached.
"""

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from steps import ENV, PAYLOAD, expect, sh, until

# The image has no dygraphs, and nobody looks at the chart here.
SERVER = f"""
import sys
sys.path.insert(0, "{PAYLOAD}/userspace/wlab")
from pathlib import Path
from wlablib.web import command, replay
replay.DYGRAPHS = (Path("/tmp"),)
sys.exit(command.main(["--json"]))
"""
DOWN, UP = "pa 1: 1", "lo 1: 1"
BOTH = {"down": DOWN, "up": UP}
SLOW = "rate 9600 delay 3s limit 20"


class Page:
    """A browser's requests."""

    def __init__(self, url: str, token: str) -> None:
        self.host = url.split("/")[2]
        self.token = token

    def ask(self, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        connection = http.client.HTTPConnection(self.host, timeout=600)
        headers = {"X-Wlink-Token": self.token, "Content-Type": "application/json"}
        connection.request("GET" if body is None else "POST", path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        found: dict[str, Any] = json.loads(answer.read())
        connection.close()
        return answer.status, found

    def seen(self) -> str:
        status, state = self.ask("/api/state?down=pa+1:+1&up=lo+1:+1")
        expect(status == 200, f"{status}: {state}")
        return str(state["revision"])

    def change(self, fields: Any, seen: str = "") -> tuple[int, dict[str, Any]]:
        return self.ask("/api/change", {**BOTH, "fields": fields, "seen": seen or self.seen()})


def options(dev: str) -> dict[str, Any]:
    """What tc shows of a link."""
    found: dict[str, Any] = json.loads(sh(f"tc -j qdisc show dev {dev} root"))[0]["options"]
    return found


@contextmanager
def page() -> Iterator[Page]:
    """Two links, and the page that steers them; both go at the end, whatever is left of them."""
    open("/tmp/dygraph.min.js", "w").close()
    open("/tmp/dygraph.min.css", "w").close()
    sh("ip link add pa type veth peer name pb && ip link set pa up && ip link set pb up")
    sh("tc qdisc add dev pa root handle 1: wlink rate 1mbit delay 20ms limit 50")
    sh("tc qdisc add dev lo root handle 1: wlink rate 2mbit delay 10ms limit 50")
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout and server.stderr
        line = server.stdout.readline()
        expect(bool(line), f"no server: {'' if line else server.stderr.read()}")
        told = json.loads(line)
        one = Page(told["url"], told["token"])
        until(lambda: {DOWN, UP} <= {row["key"] for row in one.ask("/api/links")[1]["links"]}, "its links")
        yield one
        server.terminate()
        said = server.communicate(timeout=600)[1]
        expect(server.returncode == 0, f"the server ended with {server.returncode}: {said}")
        expect("1:1000" not in sh("tc class show dev lo"), "its bearer is still there")
    finally:
        server.kill()
        server.wait()
        sh("ip link del pa; tc qdisc del dev lo root; true")


def transaction() -> None:
    with page() as one:
        new = {"rate": "384kbit", "delay": "25ms", "loss": "1%"}
        status, answer = one.change({"down": new, "up": {"rate": "64kbit", "aqm": "codel"}})
        expect(status == 200, f"{status}: {answer}")
        expect(len(set(answer["at_ns"].values())) == 1, f"two times: {answer['at_ns']}")
        down, up = options("pa"), options("lo")
        expect((down["rate_bps"], down["delay_ns"]) == (384_000, 25_000_000), str(down))
        expect(abs(down["channel"]["loss"] - 0.01) < 1e-9, str(down["channel"]))
        expect((up["rate_bps"], up["aqm"]["kind"], up["delay_ns"]) == (64_000, "codel", 10_000_000), str(up))
        status, answer = one.ask("/api/undo", BOTH)
        down, up = options("pa"), options("lo")
        expect(status == 200 and down["channel"]["kind"] == "none", f"{status}: {answer}, {down}")
        expect((down["rate_bps"], up["rate_bps"]) == (10**6, 2 * 10**6), f"{down} {up}")
        expect(up["aqm"]["kind"] == "droptail", str(up))


def own_traffic() -> None:
    """Behind a link of 9600 bit/s and 3 s the page would take minutes; what is not the page's takes 3 s."""
    with page() as one:
        status, links = one.ask("/api/links")
        expect(status == 200 and any("lo" in key for key in links["own_keys"]), f"no bearer: {links}")
        sh(f"wlinkctl set lo {SLOW}")
        began = time.monotonic()
        for _ in range(5):
            expect(one.ask("/api/presets")[0] == 200, "no presets")
        took = time.monotonic() - began
        # Of presets alone there are some kilobytes, at 9600 bit/s seconds.
        size = len(json.dumps(one.ask("/api/presets")[1]))
        least = 5 * (2 * 3 + 8 * size / 9600)
        expect(took < least / 3, f"{took:.1f} s; on the link it would be {least:.1f}")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            other.settimeout(600)
            began = time.monotonic()
            other.sendto(b"x", other.getsockname())
            other.recv(1)
            expect(time.monotonic() - began > 3, "what is not the page's was not emulated")
        stats = json.loads(sh("wlinkctl --json show lo bearer all"))
        own = [row for row in stats if row.get("bearer") == 4096]
        expect(bool(own) and own[0]["xstats"]["sdus_delivered"] > 20, f"not by its bearer: {own}")


def two_pages() -> None:
    with page() as one:
        other, seen = Page(f"http://{one.host}/", one.token), one.seen()
        answers: list[tuple[int, dict[str, Any]]] = []

        def apply(who: Page, rate: str) -> None:
            answers.append(who.change({"down": {"rate": rate}, "up": {"rate": rate}}, seen))

        both = ((one, "3mbit"), (other, "4mbit"))
        threads = [threading.Thread(target=apply, args=pair) for pair in both]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(sorted(status for status, _ in answers) == [200, 409], str(answers))
        expect("changed by somebody else" in str(answers), str(answers))
        rates = {options(dev)["rate_bps"] for dev in ("pa", "lo")}
        expect(len(rates) == 1 and rates < {3_000_000, 4_000_000}, f"{rates}")
        # Somebody with a terminal, too.
        seen = one.seen()
        sh("wlinkctl set pa delay 33ms")
        status, answer = one.change({"down": {"rate": "5mbit"}}, seen)
        expect(status == 409 and options("pa")["delay_ns"] == 33_000_000, f"{status}: {answer}")
        expect(options("pa")["rate_bps"] in rates, "it has been changed")


def refused() -> None:
    with page() as one:
        before = options("pa"), options("lo")
        for fields, what in (
            ({"down": {"rate": "5mbit"}, "up": {"more": "mode am jitter 61s"}}, "jitter 61s is outside"),
            ({"down": {"rate": "5mbit"}, "up": {"more": "channel uniform"}}, "channel uniform needs loss"),
            ({"down": {"rate": "5mbit; reboot"}}, "is no word of a link"),
            ({"down": {"rate": "5mbit"}, "up": {"speed": "1"}}, 'no field "speed"'),
        ):
            status, answer = one.change(fields)
            expect(status in (400, 502) and what in answer["error"], f"{fields}: {status}: {answer}")
            time.sleep(1)
            expect((options("pa"), options("lo")) == before, f"{fields}: half of it is there")


def vanishes() -> None:
    with page() as one:
        seen = one.seen()
        sh("ip link del pa")
        before = options("lo")
        status, answer = one.change({"down": {"rate": "5mbit"}, "up": {"rate": "5mbit"}}, seen)
        expect(status in (404, 409, 502) and "pa" in answer["error"], f"{status}: {answer}")
        expect(options("lo") == before, "the other direction has been changed")
        status, answer = one.ask("/api/change", {"up": UP, "fields": {"up": {"rate": "5mbit"}}, "seen": "x"})
        expect(status == 409, f"{status}: {answer}")
        status, state = one.ask("/api/state?up=lo+1:+1")
        status, answer = one.ask(
            "/api/change", {"up": UP, "fields": {"up": {"rate": "5mbit"}}, "seen": state["revision"]}
        )
        expect(status == 200 and options("lo")["rate_bps"] == 5_000_000, f"{status}: {answer}")
        expect("1:1000" in sh("tc class show dev lo"), "no bearer of its own")


CASES: list[Callable[[], None]] = [transaction, own_traffic, two_pages, refused, vanishes]


def main() -> None:
    CASES[int(sys.argv[1])]()


main()
