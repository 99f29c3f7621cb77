#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0
"""Whether TCP sends again what a silent link holds: again.py TC DEV.

A connection over the loopback, whose link DEV falls silent for three seconds; what is sent then has
asked for a timestamp. Prints how often TCP has sent again, how often it has not as it took a
packet for one in a queue of its own, and the timestamps that came back.
"""

import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from send import SO_TIMESTAMPING, SOFTWARE, TX_SOFTWARE, stamps


def counter(file: str, name: str) -> int:
    """A counter of TCP's: a line of names, and one of numbers behind it."""
    lines = [line.split() for line in Path(file).read_text().splitlines()]
    for names, numbers in zip(lines[::2], lines[1::2], strict=True):
        if name in names:
            return int(numbers[names.index(name)])
    raise ValueError(f"{file} has no {name}")


def counters() -> tuple[int, int]:
    return (
        counter("/proc/net/snmp", "RetransSegs"),
        counter("/proc/net/netstat", "TCPSpuriousRtxHostQueues"),
    )


def main() -> None:
    tc, dev = sys.argv[1:]
    change = [tc, "qdisc", "change", "dev", dev, "root", "handle", "1:", "wlink", "rate"]
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as sender,
        server.accept()[0] as receiver,
    ):
        sender.sendall(b"x")
        receiver.recv(1)
        # Its acknowledgment, too, is to be through.
        time.sleep(1)
        subprocess.run([*change, "0"], check=True)
        before = counters()
        sender.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, TX_SOFTWARE | SOFTWARE)
        sender.sendall(b"y")
        time.sleep(3)
        again, waited = (now - then for now, then in zip(counters(), before, strict=True))
        subprocess.run([*change, "1mbit"], check=True)
        receiver.recv(1)
        time.sleep(1)
        print(f"again {again} waited {waited}, {stamps(sender, time.time_ns()).split()[0]} stamps")


if __name__ == "__main__":
    main()
