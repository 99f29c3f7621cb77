# SPDX-License-Identifier: GPL-2.0
"""libwlink as its users have it: built, linked, in Python; and its examples, each as its text says."""

import doctest
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

TOP = Path(__file__).resolve().parents[3]
SOURCES = TOP / "userspace/lib"


@pytest.fixture(scope="session")
def made() -> Path:
    """The folder with the library: tests/plugin/run makes it."""
    return Path(os.environ.get("BUILD") or TOP / "build") / "lib"


@pytest.fixture(scope="session")
def wlink(made: Path) -> Iterator[Any]:
    sys.path.insert(0, str(made))
    yield import_module("wlink")
    sys.path.remove(str(made))


def linked(made: Path, to: Path, *options: str) -> Path:
    program = to / "loop"
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", *options, "wlink"],
        env={**os.environ, "PKG_CONFIG_PATH": str(made)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    # Not installed: what the file says of /usr/local is here.
    flags = [flag for flag in flags if "/usr/local" not in flag]
    source = str(SOURCES / "examples/loop.c")
    command = ["gcc", "-Wall", "-Wextra", "-Werror", f"-I{made}", source, f"-L{made}", *flags]
    subprocess.run([*command, *(["-static"] if options else []), "-o", str(program)], check=True)
    return program


def check_module(wlink: Any) -> None:
    result = doctest.testmod(wlink)
    assert result.attempted > 3 and not result.failed


def check_loop(made: Path, tmp_path: Path) -> None:
    """1250 bytes take 10 ms, an answer 320 us; ten fill a round trip of 50.32 ms and wait for their turn."""
    program = linked(made, tmp_path, "--static")
    shared = linked(made, tmp_path)
    env = {**os.environ, "LD_LIBRARY_PATH": str(made)}
    for run in (program, shared):
        out = subprocess.run([run], env=env, check=True, capture_output=True, text=True).stdout
        assert out == "1000 packets in 10040320 us\n"
    # With a loss of 10 % each packet goes 1.11 times, and waits for it.
    words = "rate 1mbit delay 20ms channel uniform loss 0.1 seed 5"
    out = subprocess.run([shared, words, "300"], env=env, check=True, capture_output=True, text=True).stdout
    assert int(out.split()[3]) > 1.05 * 3_040_320
    bad = subprocess.run([shared, "rate fast"], env=env, capture_output=True, text=True)
    assert (bad.returncode, bad.stdout) == (1, "") and bad.stderr.startswith("rate fast: ")


def check_names(made: Path) -> None:
    """Nothing but what wlink.h declares can be in a program's way."""
    for file in ("libwlink.a", "libwlink.so"):
        options = ["-g", *(["-D"] if file.endswith(".so") else []), "--defined-only", "--format=just-symbols"]
        out = subprocess.run(["nm", *options, made / file], check=True, capture_output=True, text=True).stdout
        names = {line for line in out.split("\n") if line and not line.endswith(":")}
        declared = (made / "wlink.h").read_text().partition("struct wlink;")[2]
        assert names == set(re.findall(r"^[\w *]*\b(wlink_\w+)\(", declared, re.MULTILINE))


def check_refusals(wlink: Any, made: Path) -> None:
    """What tc refuses the library does, in the same words; a refused call changes nothing."""
    ctl = made.parent / "tests/plugin/wlinkctl"
    for words in ("rate 1mbit colour blue", "delay 5ms", "rate 1mbit limit 0", "rate 1mbit mode am pdu 1",
                  "rate 1mbit channel gilbert p 2", "preset nowhere", "rate 1mbit aqm red"):
        said = subprocess.run([ctl, "check", *words.split()], capture_output=True, text=True)
        assert said.returncode == 1
        with pytest.raises(wlink.Error) as error:
            wlink.Link(words)
        assert f"wlinkctl: {error.value}\n" == said.stderr
    link = wlink.Link("rate 1mbit", now_ns=7)
    wrong: list[tuple[Any, ...]] = [(link.advance, 6), (link.enqueue, 8, 0), (link.delete, 2),
                                    (link.set, "limit 0"), (link.enqueue, 8, 100, 0, None, 2)]  # fmt: skip
    for call, *words_of in wrong:
        with pytest.raises(wlink.Error):
            call(*words_of)
    assert link.next_event() == wlink.NEVER and link.counters()["sdus_in"] == 0


SCHEDULE = """wlink schedule
columns rate delay
length 30ms
end stop
0 2mbit -
20ms 500kbit 7ms
"""


def check_schedule(wlink: Any) -> None:
    """Each step is in force from its time on, the configuration before and after."""
    link = wlink.Link("rate 1mbit delay 1ms")
    link.schedule(SCHEDULE, 10_000_000)
    for at_ms in range(0, 50, 10):
        link.enqueue(at_ms * 1_000_000, 250, cookie=at_ms)
    # 250 bytes take 2 ms at the configured rate, 1 ms at 2mbit and 4 ms at 500kbit.
    got = [(sdu.cookie, sdu.serial_ns / 1e6, sdu.prop_ns / 1e6) for sdu in link.run(10**9)]
    assert got == [(0, 2, 1), (10, 1, 1), (20, 1, 1), (30, 4, 7), (40, 2, 1)]
    # The packet that starts it has the first step; the next start takes the place of what waits.
    link.schedule(SCHEDULE, 2 * 10**9)
    link.schedule(SCHEDULE, wlink.PACKET)
    link.enqueue(3 * 10**9, 250)
    assert [sdu.serial_ns for sdu in link.run(3 * 10**9 + 5_000_000)] == [1_000_000]
    link.schedule(None)
    link.enqueue(3 * 10**9 + 10_000_000, 250)
    assert [sdu.serial_ns for sdu in link.run(5 * 10**9)] == [2_000_000]


def check_cookies(wlink: Any) -> None:
    """A packet that comes twice is the same one, and nothing of it stays behind."""
    link = wlink.Link("rate 10mbit duplicate 50% jitter 10ms jitter_dev 5ms seed 4 limit 1000")
    packets = [object() for _ in range(200)]
    for packet in packets:
        link.enqueue(0, 500, cookie=packet)
    got = [sdu.cookie for sdu in link.run(1_000_000_000)]
    assert 250 < len(got) < 350 and set(got) == set(packets)
    assert not link._cookies


def check_presets(wlink: Any) -> None:
    """Each preset is a link, or a class of one, and delivers."""
    names = [path.name for path in (TOP / "tc-plugin/presets/links").iterdir()]
    assert len(names) > 20
    for name in names:
        # Those of a 5QI are for classes.
        if name.startswith("5qi"):
            link = wlink.Link("rate 10mbit tti 1ms sched prio")
            link.add(2, f"preset {name}")
        else:
            link = wlink.Link(f"preset {name}")
        bearer = 1 + name.startswith("5qi")
        link.enqueue(0, 1500, bearer=bearer)
        assert [sdu.bytes for sdu in link.run(20_000_000_000)] == [1500]


def check_relay(made: Path) -> None:
    """Datagrams arrive whole and in order, no earlier than the link lets them; there and back."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for one in (server, client):
        one.bind(("127.0.0.1", 0))
        one.settimeout(60)
    to = f"127.0.0.1:{server.getsockname()[1]}"
    command = [sys.executable, str(SOURCES / "examples/relay.py"), "0", to, "rate", "1mbit", "delay", "30ms"]
    env = {**os.environ, "PYTHONPATH": str(made)}
    relay = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    try:
        assert relay.stdout
        port = int(relay.stdout.readline())
        sent_ns = time.monotonic_ns()
        for i in range(20):
            client.sendto(bytes([i]) * 1222, ("127.0.0.1", port))
        for i in range(20):
            data, back = server.recvfrom(2000)
            assert data == bytes([i]) * 1222
            # 1250 bytes take 10 ms.
            assert time.monotonic_ns() - sent_ns >= (30 + 10 * (i + 1)) * 1_000_000
        answered_ns = time.monotonic_ns()
        server.sendto(b"answer", back)
        assert client.recv(2000) == b"answer"
        assert time.monotonic_ns() - answered_ns >= 30_000_000
    finally:
        relay.terminate()
        relay.wait()
        server.close()
        client.close()
