# SPDX-License-Identifier: GPL-2.0
"""Throughput and delay that can be worked out by hand."""

from collections.abc import Callable
from fractions import Fraction

from lab import Failed, events, expect, run, sdus

UP = 'up.wlink = "rate 10mbit"\n'


def saturate(rate: int, tti_ms: int, pdu: int, size: int, seconds: int) -> str:
    """An UDP flow 20 % above the rate."""
    radio = f"rate {rate} tti {tti_ms}ms pdu {pdu} header 2 limit 40"
    return (
        f'duration = "{seconds}s"\n[radio]\ndown.wlink = "{radio}"\n{UP}[[flow]]\nname = "full"\n'
        f'kind = "udp"\nrate = {rate * 6 // 5}\nsize = {size}\n'
    )


def throughput(rate: int, tti_ms: int, pdu: int, size: int, seconds: int) -> Callable[[], str]:
    """Bits delivered in a busy period against rate times its length.

    A SDU ends with the TTI that carries its last bit, so compare at the last SDU
    that ends just where a TTI is full; without a TTI any SDU will do.
    """

    def case() -> str:
        name = f"throughput-{rate}-{tti_ms}"
        result, folder = run(name, saturate(rate, tti_ms, pdu, size, seconds))
        quota = Fraction(rate * tti_ms, 1000)
        begin = end = bits = best_bits = best_ns = 0
        for s in sdus(folder):
            if s.drop != "none":
                expect(s.drop in ("overflow", "flush"), f"dropped for {s.drop}")
                continue
            if not bits:
                begin = s.start
            bits += 8 * s.bytes
            end = s.end
            if not tti_ms or bits % quota == 0:
                best_bits, best_ns = bits, end - begin
        expect(best_ns > seconds * 990_000_000, "no SDU ends where a TTI is full late in the run")
        got = Fraction(best_bits * 10**9, best_ns)
        ppm = float((got / rate - 1) * 10**6)
        expect(abs(ppm) <= 1, f"{float(got):.3f} bit/s, {ppm:+.4f} ppm off")
        lateness = result["links"]["radio.down"]["xstats"]["late_max_ns"]
        expect(lateness < 1000, f"handed over {lateness} ns late")
        return f"{float(got):.3f} bit/s over {best_ns / 1e9:.0f} s, {ppm:+.4f} ppm"

    return case


def check_throughput_of_fractional_ttis() -> str:
    """100001 bit/s in TTIs of 3 ms: 300.003 bits each, none may get lost."""
    rate, tti_ns = 100_001, 3_000_000
    _, folder = run("fraction", saturate(rate, 3, 0, 1000, 200))
    begin = bits = worst = 0
    for s in sdus(folder):
        if s.drop != "none":
            continue
        begin = begin or s.start
        bits += 8 * s.bytes
        # Sent by the end of its last TTI: all its bits; less than one TTI more.
        room = Fraction(rate * (s.end - begin), 10**9) - bits
        quota = Fraction(rate * tti_ns, 10**9)
        expect(0 <= room < quota + 1, f"{float(room):.3f} bits of room at {s.end} ns")
        worst = s.end - begin
    # 2.5 SDUs of 1000 bytes a second, but for what the first one waits.
    expect(bits >= 0.99 * rate * 200 - 8000, f"only {bits} bits were delivered in 200 s")
    return f"every SDU ended in the right TTI for {worst / 1e9:.0f} s"


def sparse(tti: str, size: int) -> str:
    """One packet at a time, at odd moments of the TTI grid."""
    return (
        f'duration = "20s"\n[wired]\nnetem = "delay 10ms"\n'
        f'[radio]\ndown.wlink = "rate 384kbit tti {tti} delay 25ms pdu 40"\n{UP}'
        f'[[flow]]\nname = "probe"\nkind = "udp"\nrate = {size * 8 * 1000 // 137}\nsize = {size}\n'
    )


def check_delay_tti_0() -> str:
    """Serialisation to the ns, then propagation."""
    size = 200
    serial = -(-size * 8 * 10**9 // 384_000)
    result, folder = run("delay-0", sparse("0", size))
    count = 0
    for s in sdus(folder):
        expect(s.start == s.arrival, f"waited {s.start - s.arrival} ns at an idle link")
        expect(s.end - s.start == serial, f"{s.end - s.start} ns for {size} bytes, not {serial}")
        expect(s.deliver - s.end == 25_000_000, f"{s.deliver - s.end} ns of propagation")
        count += 1
    expect(count > 100, f"only {count} packets")
    e2e = result["flows"]["probe"]["end_to_end"]
    ideal = 10_000_000 + serial + 25_000_000
    for key in ("min_ns", "max_ns"):
        expect(0 <= e2e[key] - ideal < 2000, f"end to end {key} {e2e[key]}, not {ideal}")
    more = e2e["p50_ns"] - ideal
    return f"{count} packets of {serial + 25_000_000} ns; end to end {more} ns more than {ideal}"


def check_delay_tti_10_ms() -> str:
    """Wait for the grid, whole TTIs of sending, then propagation."""
    size, tti, quota = 900, 10_000_000, 3840
    _, folder = run("delay-10", sparse("10ms", size))
    origin, waits = None, []
    for s in sdus(folder):
        origin = s.start % tti if origin is None else origin
        expect(s.start % tti == origin, f"a TTI starts at {s.start}, off the grid of {origin}")
        expect(0 <= s.start - s.arrival <= tti, f"waited {s.start - s.arrival} ns for a TTI")
        ttis = -(-size * 8 // quota)
        expect(s.end - s.start == ttis * tti, f"{s.end - s.start} ns, not {ttis} TTIs")
        expect(s.deliver - s.end == 25_000_000, f"{s.deliver - s.end} ns of propagation")
        waits.append(s.start - s.arrival)
    expect(len(waits) > 50, f"only {len(waits)} packets")
    expect(max(waits) - min(waits) > tti // 2, "the waits do not spread over the TTI")
    return f"{len(waits)} packets, waits {min(waits) / 1e6:.3f} to {max(waits) / 1e6:.3f} ms, all on the grid"


def check_rate_change() -> str:
    """384 to 128 kbit/s at 10 s: in force at the next TTI, the queue stays."""
    text = saturate(384_000, 10, 40, 1500, 20)
    text += '[[at]]\ntime = "10s"\nrun = "wlinkctl set {down} rate 128kbit"\n'
    _, folder = run("rate-change", text)
    changes = [(int(w[0]), int(w[3]), int(w[4])) for w in events(folder, "rate") if w[1] == "radio.down"]
    expect(len(changes) == 1 and changes[0][1:] == (384_000, 128_000), f"changes: {changes}")
    at = changes[0][0]
    expect(0 <= at - 10**10 <= 11_000_000, f"in force at {at} ns")
    sent = {False: 0, True: 0}
    lost = 0
    for s in sdus(folder):
        if s.drop == "none":
            sent[s.end > at] += 8 * s.bytes
        lost += s.drop not in ("none", "overflow", "flush")
    expect(not lost, f"{lost} SDUs lost by the change")
    for after, rate, span in ((False, 384_000, at), (True, 128_000, 20 * 10**9 - at)):
        room = rate * span / 1e9 - sent[after]
        # One SDU not complete, up to two TTIs before the first arrival.
        expect(-12_000 <= room <= 12_000 + 2 * rate / 100, f"{sent[after]} bits at {rate} bit/s")
    return f"in force {(at - 10**10) / 1e6:.3f} ms after the command, no SDU lost"


def check_limit_in_time() -> str:
    """A limit of 500 ms at 384 kbit/s is 16 SDUs of 1500 bytes."""
    text = saturate(384_000, 0, 0, 1500, 10).replace("limit 40", "limit 500ms")
    result, _ = run("limit-time", text)
    most = result["links"]["radio.down"]["xstats"]["buffer_sdus_max"]
    expect(most == 16, f"{most} SDUs in the buffer")
    return "16 SDUs in 500 ms"


def check_tcp_goodput() -> str:
    """One flow whose window fills the link: the payload's share of the rate."""
    text = (
        'duration = "500s"\n[wired]\nnetem = "delay 100ms"\n[radio]\n'
        'wlink = "rate 384kbit tti 10ms delay 25ms limit 60"\n[tcp]\nstack = "reno-2006"\n'
        '[[flow]]\nname = "f"\nkind = "tcp"\n'
    )
    result, folder = run("tcp-goodput", text)
    got = result["flows"]["f"]
    expect(got["retransmissions"] == 0 and got["mss"] == 1460, f"{got}")
    received = [s for s in sdus(folder) if s.payload == 1460 and s.drop == "none"]
    late = [s for s in received if s.deliver > 100 * 10**9]
    rate = (len(late) - 1) * 1460 * 8e9 / (late[-1].deliver - late[0].deliver)
    ideal = 384_000 * 1460 / 1500
    expect(abs(rate / ideal - 1) < 1e-4, f"{rate:.1f} bit/s, not {ideal:.1f}")
    # What the application has is what came, in order, before the end.
    last = max(s.tcp_seq - 1 + s.payload for s in received if s.t <= 500 * 10**9)
    if got["bytes"] != last:
        raise Failed(f"the application has {got['bytes']} bytes, {last} were delivered")
    return f"{rate:.1f} bit/s of {ideal:.1f} after 100 s; {last} bytes reached the application"


CASES: dict[str, Callable[[], str]] = {
    "throughput 384 kbit/s, tti 10 ms, pdu 40": throughput(384_000, 10, 40, 480, 1000),
    "throughput 128 kbit/s, tti 10 ms, SDU 1500": throughput(128_000, 10, 0, 1500, 1000),
    "throughput 64 kbit/s, tti 20 ms, pdu 80": throughput(64_000, 20, 80, 480, 1000),
    "throughput 384 kbit/s, tti 0": throughput(384_000, 0, 0, 1500, 1000),
    "throughput 2 Mbit/s, tti 2 ms": throughput(2_000_000, 2, 0, 1500, 100),
    "throughput 1234567 bit/s, tti 0, pdu 42": throughput(1_234_567, 0, 42, 1500, 100),
}
