# SPDX-License-Identifier: GPL-2.0
"""Channels against their probabilities.

Each estimate must lie within 4 standard errors, a two-sided confidence of
99.994 %. The streams are seeded: a case that passes once passes for ever.
"""

from math import sqrt

from lab import events, expect, run, sdus

Z = 4.0
RATE, TTI_S, SECONDS = 384_000, 0.01, 400


def lossy(channel: str, size: int, seed: int) -> str:
    radio = f"rate {RATE} tti 10ms pdu 40 limit 40 channel {channel}"
    return (
        f'duration = "{SECONDS}s"\nseed = {seed}\n[radio]\ndown.wlink = "{radio}"\n'
        f'up.wlink = "rate 10mbit"\n[[flow]]\nname = "full"\nkind = "udp"\n'
        f"rate = {RATE * 6 // 5}\nsize = {size}\n"
    )


def near(what: str, got: float, want: float, error: float) -> str:
    expect(abs(got - want) <= Z * error, f"{what} {got:.6g}, not {want:.6g} +- {Z * error:.2g}")
    return f"{what} {got:.5g} (ideal {want:.5g} +- {Z * error:.2g})"


def check_uniform_channel() -> str:
    """Independent loss of PDUs; a SDU needs all of its own."""
    p, pdus = 0.01, 12
    result, folder = run("uniform", lossy(f"uniform loss {p}", 40 * pdus, 3))
    x = result["links"]["radio.down"]["xstats"]
    n = x["pdus_sent"]
    text = near("PDU loss", x["pdus_lost"] / n, p, sqrt(p * (1 - p) / n))
    sent = [s for s in sdus(folder) if s.drop in ("none", "channel")]
    lost = sum(s.drop == "channel" for s in sent)
    q = 1 - (1 - p) ** pdus
    text += ", " + near("SDU loss", lost / len(sent), q, sqrt(q * (1 - q) / len(sent)))
    for s in sent:
        expect((s.pdus_lost > 0) == (s.drop == "channel"), f"SDU {s.seq}: {s.pdus_lost} PDUs lost, {s.drop}")
    return text


def check_gilbert_channel() -> str:
    """Share of bad frames, loss in them, lengths of bad and good spells."""
    p, r, bad_loss, good_loss = 0.02, 0.2, 0.9, 0.001
    channel = f"gilbert p {p} r {r} loss_good {good_loss} loss_bad {bad_loss}"
    result, folder = run("gilbert", lossy(channel, 480, 4))
    x = result["links"]["radio.down"]["xstats"]
    frames = x["channel_frames"]
    pi, memory = p / (p + r), 1 - p - r
    error = sqrt(pi * (1 - pi) / frames * (1 + memory) / (1 - memory))
    text = near("bad frames", x["channel_frames_bad"] / frames, pi, error)
    loss = pi * bad_loss + (1 - pi) * good_loss
    # The state of whole frames dominates the variance; add that of the PDUs.
    spread = (bad_loss - good_loss) * error
    spread = sqrt(spread**2 + loss * (1 - loss) / x["pdus_sent"])
    text += ", " + near("PDU loss", x["pdus_lost"] / x["pdus_sent"], loss, spread)
    changes = [(int(w[0]), int(w[2])) for w in events(folder, "channel") if w[1] == "radio.down"]
    for state, chance, word in ((1, r, "bad"), (0, p, "good")):
        spells = spell_lengths(changes, state)
        m = len(spells)
        expect(m > 300, f"only {m} {word} spells")
        mean = sum(spells) / m
        text += ", " + near(f"{word} spell", mean, 1 / chance, sqrt(1 - chance) / chance / sqrt(m))
        once = sum(n == 1 for n in spells) / m
        near(f"{word} spells of one frame", once, chance, sqrt(chance * (1 - chance) / m))
    return text


def check_harq() -> str:
    """Delays in steps of a round trip, and what HARQ leaves to the layer above."""
    chances = [0.3, 0.15, 0.075]
    text = (
        'duration = "400s"\nseed = 5\n[radio]\n'
        'down.wlink = "rate 1mbit tti 1ms harq 8 harq_bler 30% harq_factor 0.5 harq_max 3"\n'
        'up.wlink = "rate 10mbit"\n[[flow]]\nname = "sparse"\nkind = "udp"\nrate = 20000\nsize = 100\n'
    )
    result, folder = run("harq", text)
    found, late = list(sdus(folder)), [0, 0, 0]
    for s in found:
        if s.drop == "none":
            trips, rest = divmod(s.whole - s.due, 8_000_000)
            expect(trips < 3 and not rest, f"SDU {s.seq}: {s.whole - s.due} ns of retransmission")
            late[trips] += 1
    n, left, said = len(found), 1.0, []
    for i, chance in enumerate(chances):
        share = left * (1 - chance)
        said.append(near(f"in {i + 1}", late[i] / n, share, sqrt(share * (1 - share) / n)))
        left *= chance
    lost = sum(s.drop == "channel" for s in found)
    said.append(near("lost", lost / n, left, sqrt(left * (1 - left) / n)))
    x = result["links"]["radio.down"]["xstats"]
    # One more may be on its way at the end.
    expect(0 <= x["harq_blocks"] - n <= 1, f"{x['harq_blocks']} blocks, {n} SDUs")
    expect(x["harq_lost"] == lost, f"{x['harq_lost']} blocks lost, {lost} SDUs")
    return ", ".join(said)


def spell_lengths(changes: list[tuple[int, int]], state: int) -> list[int]:
    """Frames from each change into the state to the next change."""
    out = []
    for (t, bad), (until, other) in zip(changes, changes[1:]):
        expect(bad != other, f"two changes into the same state at {until} ns")
        frames = (until - t) / (TTI_S * 1e9)
        expect(frames == int(frames) >= 1, f"a spell of {frames} frames")
        if bad == state:
            out.append(int(frames))
    return out


def check_channel_that_loses_all() -> str:
    """A channel that always loses, in the bad state it never leaves."""
    result, _ = run("certain", lossy("gilbert p 1 r 0", 480, 5).replace(f'"{SECONDS}s"', '"10s"'))
    x = result["links"]["radio.down"]["xstats"]
    expect(x["sdus_delivered"] == 0 and x["drops"]["channel"] > 100, f"{x}")
    return f"{x['drops']['channel']} SDUs sent, none delivered"


def check_lost_sdus_in_the_buffer() -> str:
    """A SDU of um that is lost leaves the buffer with its last bit, not when the loss is known."""
    text = (
        'duration = "10s"\nseed = 3\n[radio]\n'
        'down.wlink = "rate 1mbit delay 300ms pdu 40 mode um channel uniform loss 0.02 limit 100"\n'
        'up.wlink = "rate 1mbit"\n[[flow]]\nname = "cbr"\nkind = "udp"\nrate = 500000\nsize = 500\n'
    )
    result, folder = run("in-buffer", text)
    lost = [s for s in sdus(folder) if s.drop == "channel"]
    expect(len(lost) > 100, f"{len(lost)} lost")
    wrong = [s for s in lost if not (s.end < s.arrival + 10_000_000 and s.t >= s.end + 300_000_000)]
    expect(not wrong, f"{wrong[:1]}")
    mean = result["links"]["radio.down"]["buffer_mean_sdus"]
    expect(0.5 < mean < 0.55, f"{mean} SDUs in the buffer")
    return f"{len(lost)} lost, {mean} SDUs in the buffer"
