#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""relay.py PORT HOST:PORT [WORDS...]: a relay of UDP behind a radio link in real time, without root.

What comes to PORT of this machine goes over a link to HOST:PORT, and the answers over one of the same words
back to who has sent last. PORT 0 is a free one, which is printed.
"""

import asyncio
import sys
import time
from typing import Any

# mypy: disable-error-code="import"
import wlink

Address = tuple[str, int]


class End(asyncio.DatagramProtocol):
    """One of the two sockets: what it receives goes over its link and leaves by the other one."""

    def __init__(self, words: str, to: Address | None) -> None:
        self.link = wlink.Link(words, time.monotonic_ns())
        self.to = to
        self.fixed = to is not None
        self.other: End
        self.transport: Any = None
        self.timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: Address) -> None:
        # Answers go there; the server is where it was.
        if not self.fixed:
            self.to = addr
        # 28 bytes of IPv4 and UDP, as the kernel counts.
        self.link.enqueue(time.monotonic_ns(), len(data) + 28, cookie=data)
        self.work()

    def work(self) -> None:
        self.link.advance(time.monotonic_ns())
        for sdu in self.link.due():
            if sdu.drop is None and self.other.to:
                self.other.transport.sendto(sdu.cookie, self.other.to)
        if self.timer:
            self.timer.cancel()
        next_ns = self.link.next_event()
        if next_ns != wlink.NEVER:
            wait_s = max(next_ns - time.monotonic_ns(), 0) / 1e9
            self.timer = asyncio.get_running_loop().call_later(wait_s, self.work)


async def main(port: int, server: Address, words: str) -> None:
    near, far = End(words, None), End(words, server)
    near.other, far.other = far, near
    loop = asyncio.get_running_loop()
    await loop.create_datagram_endpoint(lambda: near, local_addr=("127.0.0.1", port))
    await loop.create_datagram_endpoint(lambda: far, local_addr=("0.0.0.0", 0))
    print(near.transport.get_extra_info("sockname")[1], flush=True)
    await loop.create_future()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    host, _, number = sys.argv[2].rpartition(":")
    asyncio.run(main(int(sys.argv[1]), (host, int(number)), " ".join(sys.argv[3:]) or "preset lte-good"))
