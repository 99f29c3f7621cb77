# SPDX-License-Identifier: GPL-2.0
"""Several bearers on one link: who gets what, and who waits for whom."""


from lab import Sdu, expect, linux, run, sdus
from losses import near

RATE = 1_000_000
TWO = 'filters = ["protocol ip u32 match ip dport {b} 0xffff classid 1:2"]\n'


def flow(name: str, bps: int, size: int) -> str:
    return f'[[flow]]\nname = "{name}"\nkind = "udp"\nrate = {bps}\nsize = {size}\n'


def two(link: str, other: str, *flows: str, seconds: int = 20) -> str:
    """Flow b goes to class 1:2, all else to 1:1."""
    return (
        f'duration = "{seconds}s"\n[radio.up]\nwlink = "rate 10mbit"\n[radio.down]\n'
        f'wlink = "{link}"\nclasses = ["classid 1:2 wlink {other}"]\n{TWO}{"".join(flows)}'
    )


def by_bearer(name: str, text: str) -> tuple[list[Sdu], list[Sdu]]:
    """What was delivered on 1:1 and on 1:2; flows must be on their bearers."""
    _, folder = run(name, text)
    out: tuple[list[Sdu], list[Sdu]] = ([], [])
    for s in sdus(folder):
        expect(s.bearer == (2 if s.flow == "b" else 1), f"flow {s.flow} is on bearer {s.bearer}")
        if s.drop == "none":
            out[s.bearer - 1].append(s)
    expect(all(len(one) > 50 for one in out), f"only {[len(one) for one in out]} SDUs")
    return out


def bits_in(of: list[Sdu], begin: int, end: int) -> int:
    return 8 * sum(s.bytes for s in of if begin <= s.end < end)


def share(name: str, text: str, wanted: float, slack: float) -> str:
    """Bits of 1:2 over those of 1:1, both saturated, without the first second."""
    one, other = by_bearer(name, text)
    span = 10**9, 20 * 10**9
    got = bits_in(other, *span) / bits_in(one, *span)
    expect(abs(got / wanted - 1) <= slack, f"1:2 got {got:.4f} of 1:1, not {wanted:.4f}")
    total = (bits_in(one, *span) + bits_in(other, *span)) / 19
    # Some SDUs begin before the span or end after it.
    expect(abs(total / RATE - 1) < 0.01, f"{total:.0f} bit/s in all, not {RATE}")
    return f"1:2 got {got:.4f} of what 1:1 got (ideal {wanted:.4f})"


def check_bearers_of_their_own() -> str:
    """A bearer drowns, the other does not feel it."""
    size, bps, delay = 300, 200_000, 5_000_000
    link = f"rate {RATE} delay 5ms limit 20 sched dedicated"
    text = two(link, f"rate {bps}", flow("a", 3 * RATE, 1500), flow("b", bps // 3, size))
    one, other = by_bearer("dedicated", text)
    serial = -(-size * 8 * 10**9 // bps)
    for s in other:
        expect(s.deliver - s.arrival == serial + delay, f"{s.deliver - s.arrival} ns, not {serial + delay}")
    got = bits_in(one, 10**9, 20 * 10**9) / 19
    expect(abs(got / RATE - 1) < 0.01, f"1:1 got {got:.0f} bit/s, not {RATE}")
    return f"{len(other)} SDUs of {serial + delay} ns each beside a full bearer"


def check_bearers_sharing_fifo() -> str:
    """Whatever bearer they are on, SDUs start in the order of their arrival."""
    text = two(f"rate {RATE} limit 20 sched fifo", "", flow("a", RATE, 1500), flow("b", RATE // 2, 200))
    one, other = by_bearer("fifo", text)
    order = sorted([*one, *other], key=lambda s: s.start)
    for s, after in zip(order, order[1:]):
        expect(s.arrival <= after.arrival, f"SDU {after.seq} came first, but went after {s.seq}")
        expect(s.end <= after.start, f"two SDUs on the air at {after.start} ns")
    return f"{len(order)} SDUs of both bearers in the order of their arrival"


def check_bearers_sharing_rr() -> str:
    """A PDU each in turn: shares are those of the sizes of PDUs."""
    flows = flow("a", 2 * RATE, 1200), flow("b", 2 * RATE, 1200)
    text = two(f"rate {RATE} pdu 100 limit 20 sched rr", "pdu 200", *flows)
    return share("rr", text, 2.0, 0.01)


def check_bearers_sharing_prio() -> str:
    """The first in rank waits for one PDU of the other at most."""
    size, rest = 300, 1500
    text = two(
        f"rate {RATE} limit 20 sched prio prio 3", "prio 1",
        flow("a", 2 * RATE, rest), flow("b", RATE // 2, size),
    )
    one, other = by_bearer("prio", text)
    worst = max(s.start - s.arrival for s in other)
    least = -(-rest * 8 * 10**9 // RATE)
    expect(worst <= least, f"waited {worst} ns, more than a PDU of the other takes, {least} ns")
    span = 10**9, 20 * 10**9
    got = bits_in(one, *span) / 19
    expect(abs(got / (RATE / 2) - 1) < 0.02, f"the last in rank got {got:.0f} bit/s, not half")
    return f"waits of at most {worst / 1e6:.3f} ms; the other has the rest, {got:.0f} bit/s"


def check_bearers_sharing_pf() -> str:
    """Proportional fairness gives equal time, so bits in proportion to the rates."""
    flows = flow("a", 2 * RATE, 1000), flow("b", 2 * RATE, 1000)
    link = f"rate {RATE} tti 2ms limit 40 sched pf"
    one, other = by_bearer("pf", two(link, f"rate {RATE // 2}", *flows))
    span = 2 * 10**9, 20 * 10**9
    first, second = bits_in(one, *span) / 18, bits_in(other, *span) / 18
    expect(abs(first / (RATE / 2) - 1) < 0.03, f"1:1 got {first:.0f} bit/s of its {RATE}, not half")
    expect(abs(second / (RATE / 4) - 1) < 0.03, f"1:2 got {second:.0f} bit/s of its {RATE // 2}, not half")
    return f"{first:.0f} bit/s at {RATE}, {second:.0f} at half of it"


def check_two_state_channel() -> str:
    """Loss in continuous time against the closed form, 250 bytes at 64 kbit/s."""
    # facts: 1.462 % for a mean of 100 ms in the bad state, computed from the
    # probabilities of the state at both ends of a frame.
    wanted, seconds, cycle = 0.01462, 4000, 10.1
    channel = "twostate mean_good 10s mean_bad 100ms ber_good 1e-6 ber_bad 0.01"
    text = (
        f'duration = "{seconds}s"\nseed = 6\n[radio]\ndown.wlink = "rate 64kbit limit 4 channel {channel}"\n'
        f'up.wlink = "rate 10mbit"\n{flow("f", 70_000, 250)}'
    )
    _, folder = run("two-state", text)
    sent = [s.drop == "channel" for s in sdus(folder) if s.drop in ("none", "channel")]
    # So many spells in the bad state, each exponential: variance twice the mean squared.
    error = wanted * (2 * cycle / seconds) ** 0.5
    return near(f"loss of {len(sent)} frames", sum(sent) / len(sent), wanted, error)


def check_tcp_sends_again_what_the_link_holds() -> str:
    """TCP sends again what a link on its own host still holds: SYNs after 0, 1 and 3 s.

    Since Linux 6.5 also after 2 s (net.ipv4.tcp_syn_linear_timeouts).
    TCP does not where a packet still belongs to its socket.
    """
    text = (
        'duration = "4s"\n[radio.down]\nwlink = "rate 1mbit"\n[radio.up]\nwlink = "rate 1mbit delay 10s"\n'
        '[[flow]]\nname = "a"\nkind = "tcp"\ndirection = "up"\n'
    )
    result, _ = run("sent-again", text)
    held = result["links"]["radio.up"]["xstats"]["sdus_held"]
    wanted = 3 if linux()[1] < (6, 5) else 4
    expect(held == wanted, f"{held} SYNs in 4 s, not {wanted}")
    return f"{held} SYNs in 4 s"
