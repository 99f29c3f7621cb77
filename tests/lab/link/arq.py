# SPDX-License-Identifier: GPL-2.0
"""Retransmission: nothing is lost or overtaken, and it costs what it must."""

import json
from collections.abc import Callable
from pathlib import Path

from lab import ROOT, expect, run, sdus, wlab

RATE, FER = 384_000, 0.1
LOSSY = f"channel uniform loss {FER}"


def scenario(name: str, duration: str) -> str:
    """The text of a scenario that wlab brings along, for another duration."""
    path = ROOT / "userspace" / "wlab" / "scenarios" / f"{name}.toml"
    lines = path.read_text().splitlines()
    keep = [line for line in lines if not line.startswith(("name = \"" + name, "duration"))]
    return "\n".join([f'duration = "{duration}"', *keep]) + "\n"


def saturated(mode: str, size: int, seconds: int) -> str:
    radio = f"rate {RATE} tti 10ms delay 25ms mode {mode} limit 100 {LOSSY}"
    return (
        f'duration = "{seconds}s"\nseed = 3\n[radio]\ndown.wlink = "{radio}"\nup.wlink = "rate 10mbit"\n'
        f'[[flow]]\nname = "full"\nkind = "udp"\nrate = {RATE * 6 // 5}\nsize = {size}\n'
    )


def residual(mode: str, share: float) -> Callable[[], str]:
    """Goodput at a loss of 10 % against (1 - f) of the rate, never above it.

    share is the part of a PDU that a SDU can have.
    """

    def case() -> str:
        seconds = 200
        result, folder = run(f"residual-{mode.split()[0]}", saturated(mode, 480, seconds))
        last, bits, begin, end = -1, 0, 10 * 10**9, seconds * 10**9
        for s in sdus(folder):
            if s.drop != "none":
                expect(s.drop in ("overflow", "flush"), f"dropped for {s.drop}")
                continue
            expect(s.seq > last, f"SDU {s.seq} came after {last}")
            last = s.seq
            if begin <= s.deliver < end:
                bits += 8 * s.bytes
        got, ideal = bits * 1e9 / (end - begin), RATE * (1 - FER) * share
        # 230,000 PDUs: the loss itself is within 0.3 % of f.
        expect(0.95 * ideal < got < 1.003 * ideal, f"{got:.0f} bit/s, not just below {ideal:.0f}")
        # The sockets' own measure, which knows nothing of the event log.
        e2e, delay = (result["flows"]["full"][k] for k in ("end_to_end", "delay"))
        expect(e2e["count"] == delay["count"], f"{e2e['count']} packets received, {delay['count']} logged")
        more = e2e["mean_ns"] - delay["mean_ns"]
        expect(0 <= more < 2000, f"end to end takes {more:.0f} ns more than the link")
        return f"{got:.0f} bit/s, {got / ideal:.2%} of {ideal:.0f}"

    return case


def whole_tcp(mode: str) -> Callable[[], str]:
    """TCP sees no loss where a tenth of the PDUs is lost."""

    def case() -> str:
        radio = f"rate {RATE} tti 10ms delay 25ms mode {mode} limit 200 {LOSSY}"
        text = (
            f'duration = "200s"\n[wired]\nwlink = "rate 10mbit delay 50ms"\n[radio]\nwlink = "{radio}"\n'
            '[tcp]\nstack = "reno-2006"\n[[flow]]\nname = "f"\nkind = "tcp"\n'
        )
        result, folder = run(f"whole-{mode.split()[0]}", text)
        got = result["flows"]["f"]
        expect(got["retransmissions"] == 0, f"TCP sent {got['retransmissions']} segments again")
        order = [s for s in sdus(folder) if s.flow == "f" and s.way == "forth" and s.drop == "none"]
        expect(all(a.tcp_seq <= b.tcp_seq for a, b in zip(order, order[1:])), "TCP was reordered")
        again = sum(s.retx for s in order) / sum(s.pdus for s in order)
        expect(0.08 < again < 0.14, f"{again:.1%} of the PDUs were sent again")
        expect(got["goodput_bps"] > 0.8 * (1 - FER) * RATE, f"{got['goodput_bps']:.0f} bit/s")
        return f"{got['goodput_bps']:.0f} bit/s, {again:.1%} of PDUs sent again, none by TCP"

    return case


def check_why() -> str:
    """The parts add up to what others have measured."""
    text = scenario("shared", "120s")
    result, folder = run("why", text)
    called = wlab("why", str(folder), "--json")
    expect(called.status == 0, called.err)
    said = json.loads(called.out)
    parts = ("queue", "serial", "prop", "retx", "hol", "access")
    checked = 0
    for link, have in result["links"].items():
        groups = [g for g in said["bearers"] if g["link"] == link]
        count = sum(g["count"] for g in groups)
        whole = sum(g["total"]["sum_ns"] for g in groups if g["count"])
        split = sum(g[p]["sum_ns"] for g in groups if g["count"] for p in parts)
        expect(whole == split, f"{link}: the parts are {split} ns, the whole {whole}")
        delay = have["delay"]
        expect(count == delay["count"], f"{link}: {count} SDUs, {delay['count']} in result.json")
        # result.json has a mean of three decimals.
        expect(abs(whole / count - delay["mean_ns"]) < 0.001, f"{link}: mean {whole / count} ns")
        kernel = have["xstats"]["why"]
        for part in (*parts, "total"):
            ours = sum(g[part]["sum_ns"] for g in groups if g["count"])
            expect(ours == kernel[part]["sum_ns"], f"{link} {part}: {ours}, the kernel has {kernel[part]}")
            checked += 1
    flows = {g["flow"]: g for g in said["flows"] if g["link"] == "radio.down" and g["way"] == "forth"}
    expect(flows["file"]["bearer"] == 1 and flows["media"]["bearer"] == 2, "flows are on other bearers")
    expect(flows["file"]["retx"]["sum_ns"] > 0 == flows["media"]["retx"]["sum_ns"], "retransmission of tm")
    text = called_text(folder)
    expect("head of line" in text and "media forth radio.down 1:2" in text, text)
    return f"{checked} sums equal the kernel's to the ns"


def called_text(folder: Path) -> str:
    called = wlab("why", str(folder))
    expect(called.status == 0, called.err)
    return called.out


def outage(rate: str) -> Callable[[], str]:
    """1 s before a download and 2 s in it without a rate, or next to none: 10 s later all is as before.

    A report that was begun in it must not hold the way back.
    """

    def case() -> str:
        text = scenario("am-384", "60s").replace("channel uniform loss 0.1", "channel none")
        text = text.replace("rate 384kbit", f"rate {rate}").replace(" rev_rate 64kbit", "")
        for at, word in ((1, "384kbit"), (20, rate), (22, "384kbit")):
            text += f'[[at]]\ntime = "{at}s"\nrun = "wlinkctl set {{down}} rate {word}"\n'
        _, folder = run(f"outage-{rate}", text)
        bits = dict.fromkeys(("before", "during", "after"), 0)
        spans = {"before": (10, 20), "during": (20.1, 22), "after": (32, 60)}
        for s in sdus(folder):
            expect(s.drop in ("none", "overflow", "flush"), f"dropped for {s.drop}")
            for name, (begin, end) in spans.items():
                if s.drop == "none" and begin * 10**9 <= s.deliver < end * 10**9:
                    bits[name] += 8 * s.bytes
        before, during, after = (bits[n] / (spans[n][1] - spans[n][0]) for n in spans)
        expect(not during, f"{during:.0f} bit/s in the outage")
        expect(before > 0.9 * RATE, f"{before:.0f} bit/s before the outage")
        expect(after > 0.95 * before, f"{after:.0f} bit/s after the outage, {before:.0f} before")
        return f"{before:.0f} bit/s before, {after:.0f} after"

    return case


def check_am_an_outage_of_a_preset_with_its_loss() -> str:
    """Where PDUs and reports are lost, too, an outage costs what could have gone in it."""
    text = (
        'duration = "60s"\n[wired]\nwlink = "rate 10mbit delay 50ms"\n[radio]\nwlink = "preset umts-384"\n'
        '[[flow]]\nname = "f"\nkind = "udp"\nrate = "500kbit"\nsize = 1400\n'
    )
    whole = run("umts-384-whole", text)[0]["flows"]["f"]["goodput_bps"]
    share = whole * 58 / 60
    said = f"{whole:.0f} bit/s, of which {share:.0f} are due;"
    for rate in ("0", "1bit"):
        cut = text
        for at, word in ((20, rate), (22, "384kbit")):
            cut += f'[[at]]\ntime = "{at}s"\nrun = "wlinkctl set {{down}} rate {word}"\n'
        got = run(f"umts-384-outage-{rate}", cut)[0]["flows"]["f"]["goodput_bps"]
        said += f" {got:.0f} at {rate}"
        expect(0.99 * share < got < 1.005 * share, said)
    return said


# A length indicator takes a byte of the PDU that a SDU of 480 bytes ends in. A
# STATUS sooner than a round trip after the last one, here 70 ms with the wait for
# the TTI, would ask again for what is on its way.
CASES: dict[str, Callable[[], str]] = {
    "am, residual throughput": residual("am pdu 40 status_prohibit 100ms", 480 / 481),
    "fsr, residual throughput": residual("fsr pdu 240", 1.0),
    "am, TCP over 10 % loss": whole_tcp("am pdu 40"),
    "asr, TCP over 10 % loss": whole_tcp("asr pdu 250"),
    "am, an outage of rate 0": outage("0"),
    "am, an outage of 1 bit/s": outage("1bit"),
}
